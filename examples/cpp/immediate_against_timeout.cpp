// The guide's other scene: from the main program, who comes first, a timeout of 0 or an immediate,
// depends on how fast the machine is today. Inside an I/O callback the immediate always does: the
// check phase follows the poll phase, and the timers come after that.
#include <chrono>
#include <cstdio>
#include <string>

#include "rondo/fs.h"
#include "rondo/loop.h"

using namespace std::chrono_literals;

namespace {

/// The order of the two, begun in the callback of a file that was read.
std::string order_inside_io() {
  rondo::Loop loop;
  std::string order;
  rondo::fs::read_file("/proc/self/status").then(loop, [&](rondo::Expected<std::string>) {
    loop.set_timeout(0ms, [&] { order += "timeout "; });
    loop.set_immediate([&] { order += "immediate "; });
  });
  loop.run();
  return order;
}

}  // namespace

int main() {
  int immediate_first = 0;
  constexpr int kTimes = 100;
  for (int i = 0; i < kTimes; ++i) {
    if (order_inside_io() == "immediate timeout ") ++immediate_first;
  }
  std::printf("inside I/O, immediate first: %d of %d times\n", immediate_first, kTimes);
  return immediate_first == kTimes ? 0 : 1;
}
