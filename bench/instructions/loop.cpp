// The micro benchmarks of the loop once more, small enough for callgrind: `loop WORK COUNT` does
// one piece of work so many times.
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rondo/rondo.h"

namespace {

using namespace std::chrono_literals;
using rondo::Loop;

void timers(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.set_timeout(std::chrono::milliseconds(1 + i % 7), [] {});
  loop.run();
}

void cleared_timers(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.set_timeout(1h, [] {}).clear();
  loop.run();
}

void immediates(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.set_immediate([] {});
  loop.run();
}

void immediate_chain(Loop& loop, int count) {
  std::function<void()> step = [&] {
    if (--count > 0) loop.set_immediate([&] { step(); });
  };
  loop.set_immediate([&] { step(); });
  loop.run();
}

void ticks(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.next_tick([] {});
  loop.run();
}

void microtasks(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.queue_microtask([] {});
  loop.run();
}

void posts(Loop& loop, int count) {
  for (int i = 0; i < count; ++i) loop.post([] {});
  loop.run();
}

void descriptor(Loop& loop, int count) {
  const int fd = ::eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);  // stays readable
  {
    rondo::Poll poll(loop, fd);
    const auto started = poll.start(rondo::PollEvents::readable, [&](rondo::PollEvents) {
      if (--count <= 0) poll.stop();
    });
    if (!started) std::exit(1);
    loop.run();
  }
  ::close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(Loop&, int)> works = {
      {"timers", timers},         {"cleared_timers", cleared_timers},
      {"immediates", immediates}, {"immediate_chain", immediate_chain},
      {"ticks", ticks},           {"microtasks", microtasks},
      {"posts", posts},           {"descriptor", descriptor}};
  const auto work = argc == 3 ? works.find(argv[1]) : works.end();
  if (work == works.end()) {
    std::fputs("usage: loop WORK COUNT\n", stderr);
    return 2;
  }
  // Time stands still while the loop has something to do: the count of instructions does not depend
  // on how fast this machine is.
  rondo::VirtualClock clock;
  Loop loop({.backend = rondo::BackendKind::epoll, .clock = &clock});
  work->second(loop, std::atoi(argv[2]));
}
