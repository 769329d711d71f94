// The quick clock is the steady clock.
#include "rondo/lens/clock.h"

#include <chrono>

#include <gtest/gtest.h>

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;

std::chrono::nanoseconds steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

// Long enough for the processor's counter to be used, and to be held against the clock many times.
TEST(QuickClock, IsTheSteadyClockAndNeverGoesBack) {
  QuickClock clock;
  const auto begun = steady_now();
  std::chrono::nanoseconds last{};
  while (last < begun + 100ms) {
    const auto before = steady_now();
    const auto time = clock.now();
    const auto after = steady_now();
    ASSERT_GE(time, last);
    // What it may be off: little, of the 10 ms for which it goes by the counter alone.
    ASSERT_GE(time, before - 10us);
    ASSERT_LE(time, after + 10us);
    last = time;
  }
}

}  // namespace
}  // namespace rondo::lens
