// The guide's scene: a file that takes 95 ms to read, a timer of 100 ms, and a callback that works
// for 10 ms. The callback begins at 95 ms and holds the poll phase; the timer, due at 100, runs
// at 105.
//
// No disk is that slow, so the file is a FIFO whose writer takes its time.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "rondo/fs.h"
#include "rondo/loop.h"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

const auto kStart = Clock::now();

long long since_start_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - kStart).count();
}

}  // namespace

int main() {
  std::string folder = "/tmp/rondo-example-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const std::string slow_file = folder + "/slow";
  if (::mkfifo(slow_file.c_str(), 0600) != 0) return 1;

  std::jthread writer([&] {
    const int fd = ::open(slow_file.c_str(), O_WRONLY);
    std::this_thread::sleep_until(kStart + 95ms);
    if (::write(fd, "worth waiting for", 17) != 17) std::perror("write");
    ::close(fd);
  });

  rondo::Loop loop;
  long long timer_ran_ms = 0;
  loop.set_timeout(100ms, [&] {
    timer_ran_ms = since_start_ms();
    std::printf("%3lld ms  the timer of 100 ms\n", timer_ran_ms);
  });
  rondo::fs::read_file(slow_file).then(loop, [](rondo::Expected<std::string> text) {
    std::printf("%3lld ms  read: %s\n", since_start_ms(), text ? text->c_str() : "an error");
    const auto busy_until = Clock::now() + 10ms;
    while (Clock::now() < busy_until) {
    }
    std::printf("%3lld ms  the callback has done its work\n", since_start_ms());
  });
  loop.run();

  ::unlink(slow_file.c_str());
  ::rmdir(folder.c_str());
  return timer_ran_ms >= 99 ? 0 : 1;  // the loop counts in whole milliseconds, as Node does
}
