// Child processes: one run to its end, one talked to through pipes, one that takes too long, and
// one that does not exist.
#include <chrono>
#include <cstdio>
#include <string>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

namespace {

rondo::Async<> run_to_the_end() {
  const auto result = co_await rondo::run("uname", "-s");
  if (result) std::printf("uname says %s", result->out.c_str());
}

rondo::Async<> talk(rondo::Loop& loop) {
  rondo::SpawnOptions options;
  options.command = {"sort", "-r"};
  options.stdio = {rondo::Stdio::pipe(), rondo::Stdio::pipe()};
  auto sort = rondo::Process::spawn(loop, options);
  if (!sort) co_return;

  (void)co_await sort->input().write("theme\n");
  (void)co_await sort->input().write("episode\n");
  (void)co_await sort->input().write("theme again\n");
  sort->input().close();  // sort begins when its input has ended

  const auto sorted = co_await sort->output().read_all(1 << 20);
  const auto end = co_await sort->wait();
  if (sorted && end) std::printf("sort gave\n%sand exit code %d\n", sorted->c_str(), end->code);
}

rondo::Async<> lose_patience() {
  const auto result = co_await rondo::with_timeout(50ms, rondo::run("sleep", "1000"));
  if (!result) {
    const std::string name(rondo::error_name(result.error()));
    std::printf("sleep was killed: %s\n", name.c_str());
  }
}

rondo::Async<> miss() {
  const auto result = co_await rondo::run("no-such-program");
  if (!result) {
    const std::string name(rondo::error_name(result.error()));
    std::printf("no-such-program: %s\n", name.c_str());
  }
}

rondo::Async<> scenes(rondo::Loop& loop) {
  co_await run_to_the_end();
  co_await talk(loop);
  co_await lose_patience();
  co_await miss();
}

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::spawn(loop, scenes(loop));
  loop.run();
}
