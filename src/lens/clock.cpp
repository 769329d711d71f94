#include "rondo/lens/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace rondo::lens {

namespace {

std::int64_t steady_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The kernel has seen that it runs at one speed, on all processors at once, and never stops.
bool kernel_trusts_counter() noexcept {
#if defined(__x86_64__)
  constexpr const char* kPath = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  const int fd = ::open(kPath, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[16];
  const ssize_t count = ::read(fd, text, sizeof(text));
  ::close(fd);
  return count > 0 && std::string_view(text, static_cast<std::size_t>(count)) == "tsc\n";
#else
  return false;
#endif
}

}  // namespace

QuickClock::QuickClock() : counter_is_good_(kernel_trusts_counter()) {}

std::chrono::nanoseconds QuickClock::look() noexcept {
  most_ticks_ = 0;
#if defined(__x86_64__)
  const std::uint64_t before = __builtin_ia32_rdtsc();
  const std::int64_t time = steady_now();
  const std::uint64_t ticks = __builtin_ia32_rdtsc();
  // Both at one moment: not if the thread had to give way in between.
  constexpr std::uint64_t kOneMoment = 1000;
  if (counter_is_good_ && ticks - before < kOneMoment) {
    if (first_ == 0) {
      first_ = time;
      first_ticks_ = ticks;
    }
    // The longer ago the first look, the better is the speed known.
    constexpr std::int64_t kLongEnough = 5'000'000;
    constexpr std::int64_t kEvery = 10'000'000;
    if (time - first_ >= kLongEnough) {
      const double speed =
          static_cast<double>(time - first_) / static_cast<double>(ticks - first_ticks_);
      const double was = std::exchange(speed_, speed);
      constexpr double kSameSpeed = 1e-3;
      if (was != 0 && std::abs(speed / was - 1) > kSameSpeed) {
        // The machine slept, and the counter continued without the clock: start again.
        first_ = 0;
        speed_ = 0;
      } else {
        factor_ = static_cast<std::uint64_t>(speed * static_cast<double>(1ULL << kFactorShift));
        most_ticks_ = static_cast<std::uint64_t>(static_cast<double>(kEvery) / speed);
        base_ticks_ = ticks;
        base_ = time;
      }
    }
  }
#else
  const std::int64_t time = steady_now();
#endif
  last_ = std::max(last_, std::chrono::nanoseconds(time));
  return last_;
}

}  // namespace rondo::lens
