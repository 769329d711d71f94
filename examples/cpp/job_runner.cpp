// Runs the commands of a file, one for each line, several at a time, and says how each ended.
//
//     job_runner COMMANDS [AT-A-TIME [SECONDS]]
//
// A command that takes longer than so many seconds is asked to end, and killed if it does not.
// SIGINT ends all of them. Without arguments it runs three commands of its own.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <utility>

#include <rondo/rondo.h>

namespace {

using namespace std::chrono_literals;

struct Totals {
  int succeeded = 0;
  int failed = 0;
};

rondo::Async<> run_job(rondo::Loop& loop, std::string command, std::chrono::seconds limit,
                       Totals& totals) {
  auto child = rondo::Process::spawn(
      loop,
      rondo::SpawnOptions("/bin/sh", "-c", command).with_process_group().with_kill_on_destroy());
  if (!child) {
    std::printf("cannot start  %s\n", command.c_str());
    ++totals.failed;
    co_return;
  }
  auto status = co_await rondo::with_timeout(limit, child->wait());
  const bool was_ended = !status;
  // After a stop nothing else would begin: this has to, all the same.
  if (was_ended) status = co_await rondo::shield(child->terminate(1s));
  if (was_ended) {
    std::printf("ended         %s\n", command.c_str());
  } else if (status->success()) {
    std::printf("done          %s\n", command.c_str());
  } else {
    std::printf("failed (%d)    %s\n", status->signal != 0 ? 128 + status->signal : status->code,
                command.c_str());
  }
  !was_ended && status->success() ? ++totals.succeeded : ++totals.failed;
}

rondo::Async<> run_all(rondo::Loop& loop, std::string commands, std::size_t at_a_time,
                       std::chrono::seconds limit, Totals& totals, std::stop_source& signals) {
  rondo::TaskGroup jobs(loop, {.limit = at_a_time});
  for (std::size_t begin = 0; begin < commands.size();) {
    const std::size_t end = std::min(commands.find('\n', begin), commands.size());
    std::string command = commands.substr(begin, end - begin);
    begin = end + 1;
    if (!command.empty()) jobs.spawn(run_job(loop, std::move(command), limit, totals));
  }
  if (!co_await jobs.join()) std::puts("interrupted");
  signals.request_stop();
}

rondo::Async<> stop_at_signal(std::stop_source& jobs) {
  const auto signal = co_await rondo::wait_signal(SIGINT, SIGTERM);
  if (signal) jobs.request_stop();
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  std::string commands = "true\nexit 3\nsleep 60\n";
  if (argc > 1) {
    auto text = block_on(loop, rondo::fs::read_file(argv[1]));
    if (!text) {
      std::fprintf(stderr, "%s: %s\n", argv[1], text.error().message().c_str());
      return 2;
    }
    commands = *std::move(text);
  }
  const auto at_a_time = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 4);
  const std::chrono::seconds limit(argc > 3 ? std::atoi(argv[3]) : argc > 1 ? 3600 : 1);

  Totals totals;
  std::stop_source jobs;
  std::stop_source signals;
  spawn(loop, stop_at_signal(jobs), signals.get_token());
  spawn(loop, run_all(loop, std::move(commands), at_a_time, limit, totals, signals),
        jobs.get_token());
  loop.run();
  std::printf("%d succeeded, %d failed\n", totals.succeeded, totals.failed);
  if (argc == 1) return totals.succeeded == 1 && totals.failed == 2 ? 0 : 1;
  return totals.failed == 0 ? 0 : 1;
}
