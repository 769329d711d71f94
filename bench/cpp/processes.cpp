// Child processes: one at a time, from spawn to the report of its end.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <uv.h>

#include "rondo/async.h"
#include "rondo/loop.h"
#include "rondo/process.h"

#include "rows.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

constexpr const char* kProgram = "/bin/true";
constexpr int kProcesses = 300;

Async<> spawn_and_wait(Loop& loop) {
  SpawnOptions options;
  options.command = {kProgram};
  options.stdio.assign(3, Stdio::ignore());
  for (int i = 0; i < kProcesses; ++i) {
    auto process = Process::spawn(loop, options);
    expect(process.has_value(), "a process did not start");
    const auto status = co_await process->wait();
    expect(status.has_value() && status->success(), "a process failed");
  }
}

double ours() {
  Loop loop;
  Stopwatch watch;
  watch.start();
  spawn(loop, spawn_and_wait(loop));
  loop.run();
  watch.stop();
  return watch.ns_per(kProcesses);
}

class UvSpawns {
 public:
  void next() {
    if (left_-- == 0) return;
    std::string program = kProgram;
    char* arguments[] = {program.data(), nullptr};
    uv_process_options_t options{};
    options.file = kProgram;
    options.args = arguments;
    options.exit_cb = [](uv_process_t* process, std::int64_t status, int) {
      expect(status == 0, "libuv: a process failed");
      uv_close(reinterpret_cast<uv_handle_t*>(process),
               [](uv_handle_t* handle) { static_cast<UvSpawns*>(handle->data)->next(); });
    };
    process_.data = this;
    expect(uv_spawn(loop_.get(), &process_, &options) == 0, "libuv: a process did not start");
  }

  double run() {
    Stopwatch watch;
    watch.start();
    next();
    uv_run(loop_.get(), UV_RUN_DEFAULT);
    watch.stop();
    expect(left_ == -1, "libuv: not everything was done");
    return watch.ns_per(kProcesses);
  }

 private:
  UvLoop loop_;
  uv_process_t process_{};
  int left_ = kProcesses;
};

double theirs() {
  return UvSpawns().run();
}

/// What a server holds. A fork has to make ready a copy of all of it; we do not fork.
double with_ballast(double (*measure)()) {
  constexpr std::size_t kBallastBytes = std::size_t{64} << 20;
  const std::vector<char> ballast(kBallastBytes, 'b');
  return measure();
}

}  // namespace

std::vector<Row> process_rows() {
  return {
      uv_row(
          "processes", "spawn and wait of /bin/true, with 64 MiB of memory", "ns/process", 1.5,
          [] { return with_ballast(ours); }, [] { return with_ballast(theirs); }),
      uv_row("processes", "spawn and wait of /bin/true", "ns/process", std::nullopt, ours, theirs),
  };
}

}  // namespace rondo::bench
