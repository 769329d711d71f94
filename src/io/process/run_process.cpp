#include <cerrno>
#include <csignal>
#include <utility>

#include "rondo/process.h"

namespace rondo {

namespace {

/// What the coroutines around one child share.
struct Running {
  Process process;
  RunResult result;
  std::error_code error;  // the first that was not expected

  /// Gives up: the child is killed, and processes that inherited its output are not waited for.
  void fail(std::error_code why) {
    if (!error) error = why;
    [[maybe_unused]] const auto killed = process.kill(SIGKILL);  // it may have ended
    for (const std::size_t fd : {0U, 1U, 2U}) process.pipe(fd).close();
  }
};

Async<> feed(Running& running, const std::string& input) {
  Pipe& pipe = running.process.input();
  if (!input.empty()) {
    const Expected<std::size_t> written = co_await pipe.write(input);
    // A child need not read what it is given.
    if (!written && written.error() != errno_code(EPIPE)) running.fail(written.error());
  }
  pipe.close();
}

Async<> drain(Running& running, Pipe& pipe, std::string& into, std::size_t most) {
  const Expected<> done = co_await pipe.read_all(into, most);
  if (!done) running.fail(done.error());
}

Async<> reap(Running& running) {
  const Expected<ExitStatus> status = co_await running.process.wait();
  if (status) {
    running.result.status = *status;
  } else {
    running.fail(status.error());
  }
}

}  // namespace

Async<Expected<RunResult>> run(RunOptions options) {
  Loop& loop = co_await current_loop();
  options.spawn.stdio.assign(3, Stdio::pipe());
  options.spawn.kill_on_destroy = true;
  auto process = Process::spawn(loop, options.spawn);
  if (!process) co_return std::unexpected(process.error());

  Running running{*std::move(process), {}, {}};
  RunResult& result = running.result;
  co_await when_all(feed(running, options.input),
                    drain(running, running.process.output(), result.out, options.most_output),
                    drain(running, running.process.error_output(), result.err, options.most_output),
                    reap(running));
  if (running.error) co_return std::unexpected(running.error);
  co_return std::move(result);
}

}  // namespace rondo
