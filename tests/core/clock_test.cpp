// rondo/clock.h: the one source of time.
#include <chrono>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;

TEST(VirtualClock, MovesOnlyWhenToldTo) {
  VirtualClock clock(5ms);
  EXPECT_TRUE(clock.is_virtual());
  EXPECT_EQ(clock.now(), 5ms);
  EXPECT_EQ(clock.now(), 5ms);
  clock.advance(3ns);
  EXPECT_EQ(clock.now(), 5ms + 3ns);
  clock.skip(1s);
  EXPECT_EQ(clock.now(), 1005ms + 3ns);
}

TEST(VirtualClock, JumpsWhenTheLoopWouldSleep) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  loop.set_timeout(24h, [] {});
  loop.run();
  EXPECT_EQ(clock.now(), 24h);
}

TEST(VirtualClock, DoesNotJumpWhenThereIsNothingToSleepFor) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  loop.set_immediate([] {});
  loop.run();
  EXPECT_EQ(clock.now(), 0ns);
}

TEST(SystemClock, IsTheMonotonicClockOfTheKernel) {
  SystemClock clock;
  EXPECT_FALSE(clock.is_virtual());
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  const auto now = clock.now();
  const auto after = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_LE(before, now);
  EXPECT_LE(now, after);
}

TEST(SystemClock, IsWhatALoopUsesByDefault) {
  SystemClock clock;
  Loop loop;
  const auto before = clock.now();
  loop.set_timeout(5ms, [] {});
  loop.run();
  // Milliseconds are counted from the beginning of the one in which the timer was set.
  EXPECT_GE(clock.now() - before, 4ms);
  EXPECT_GE(loop.now(), std::chrono::floor<std::chrono::milliseconds>(before) + 5ms);
}

TEST(SystemClock, ATimerIsDueWhenTheLoopWakesForItNotAMomentBefore) {
  Loop loop;
  loop.set_timeout(3ms, [] {});
  loop.run();
  EXPECT_LE(loop.metrics().iterations, 3U) << "it woke too early and had to come back";
}

TEST(Clock, IsNotReadWithinAPhaseForTimersThatStartFromTheLoopsTime) {
  class CountingClock final : public Clock {
   public:
    std::chrono::nanoseconds now() noexcept override {
      ++reads;
      return 1ms;
    }
    int reads = 0;
  };
  CountingClock clock;
  Loop loop({.clock = &clock});
  loop.set_immediate([&] {
    const int before = clock.reads;
    for (int i = 0; i < 100; ++i) loop.set_timeout(10ms, [] {}).unref();
    EXPECT_EQ(loop.now(), 1ms);
    EXPECT_EQ(clock.reads, before);
  });
  loop.run();
}

// ITERATION-6
TEST(Clock, ThatGoesBackDoesNotTakeTheLoopWithIt) {
  class BrokenClock final : public Clock {
   public:
    std::chrono::nanoseconds now() noexcept override { return value; }
    bool is_virtual() const noexcept override { return true; }
    void skip(std::chrono::nanoseconds duration) noexcept override { value += duration; }
    std::chrono::nanoseconds value = 100ms;
  };
  BrokenClock clock;
  Loop loop({.clock = &clock});
  loop.set_immediate([&] {
    EXPECT_EQ(loop.now(), 100ms);
    clock.value = 50ms;
    loop.update_now();
    EXPECT_EQ(loop.now(), 100ms);
  });
  loop.run();
  EXPECT_EQ(loop.now(), 100ms);
}

}  // namespace
}  // namespace rondo::test
