// Timers of less than whole milliseconds.
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <ratio>
#include <stdexcept>
#include <vector>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PreciseTimers : public LoopTest {
 protected:
  /// The loop comes back only now.
  void at(nanoseconds time) {
    clock.advance(time - clock.now());
    loop.run_nowait();
  }
};

// TIMERS-13
TEST_F(PreciseTimers, OneRunsWhenItsTimeIsOverAndNotANanosecondBefore) {
  clock.advance(300us);  // in the middle of a millisecond
  loop.set_timeout(250us, log("timeout"));
  at(550us - 1ns);
  EXPECT_THAT(trace, IsEmpty());
  at(550us);
  EXPECT_THAT(trace, ElementsAre("timeout"));
  EXPECT_FALSE(loop.alive());
}

TEST_F(PreciseTimers, TheLoopSleepsUntilThen) {
  loop.set_timeout(1500us, [&] { EXPECT_EQ(clock.now(), 1500us); });
  loop.set_timeout(2ms, [&] { EXPECT_EQ(clock.now(), 2ms); });
  loop.set_timeout(7ns, [&] { EXPECT_EQ(clock.now(), 7ns); });
  loop.run();
  EXPECT_EQ(clock.now(), 2ms);
}

// TIMERS-13
TEST_F(PreciseTimers, TheyRunInTheOrderOfTheirDeadlinesBeforeThoseOfMilliseconds) {
  loop.set_timeout(1ms, log("1 ms"));
  loop.set_timeout(1900us, log("1900 us"));
  loop.set_timeout(900us, log("900 us"));
  loop.set_timeout(900us, log("900 us too"));
  loop.set_timeout(2ms, log("2 ms"));
  at(5ms);
  EXPECT_THAT(trace, ElementsAre("900 us", "900 us too", "1900 us", "1 ms", "2 ms"));
}

TEST_F(PreciseTimers, OneSetByOneWaitsForTheNextVisit) {
  loop.set_timeout(10us, [&] {
    log("first")();
    clock.advance(1ms);
    loop.set_timeout(1ns, log("second"));
    clock.advance(1ms);
  });
  at(1ms);
  EXPECT_THAT(trace, ElementsAre("first"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first", "second"));
}

TEST_F(PreciseTimers, TicksRunBetweenThem) {
  for (int i = 0; i < 2; ++i) {
    loop.set_timeout(10us, [&] {
      log("timer")();
      loop.next_tick(log("tick"));
    });
  }
  at(1ms);
  EXPECT_THAT(trace, ElementsAre("timer", "tick", "timer", "tick"));
}

TEST_F(PreciseTimers, AnIntervalIsSetAgainFromWhenItBegan) {
  std::vector<nanoseconds> times;
  Timer interval;
  interval = loop.set_interval(100us, [&] {
    times.push_back(clock.now());
    clock.advance(30us);
    if (times.size() == 3) interval.clear();
  });
  loop.run();
  EXPECT_THAT(times, ElementsAre(100us, 200us, 300us));
  EXPECT_FALSE(interval.active());
}

TEST_F(PreciseTimers, ClearTakesOneBackAlsoADueOneOfTheSameVisit) {
  Timer second;
  Timer first = loop.set_timeout(10us, [&] {
    log("first")();
    EXPECT_TRUE(second.clear());
    EXPECT_FALSE(second.clear());
    EXPECT_TRUE(first.clear());
    EXPECT_FALSE(first.active());
  });
  second = loop.set_timeout(20us, log("second"));
  EXPECT_TRUE(first.active());
  at(1ms);
  EXPECT_THAT(trace, ElementsAre("first"));
  EXPECT_FALSE(first.clear());
  EXPECT_FALSE(loop.alive());
}

TEST_F(PreciseTimers, RefreshStartsOneAnewAlsoInItsOwnCallback) {
  int runs = 0;
  Timer timer;
  timer = loop.set_timeout(100us, [&] {
    if (++runs == 1) {
      EXPECT_TRUE(timer.refresh());
    }
  });
  clock.advance(50us);
  EXPECT_TRUE(timer.refresh());
  at(149us);
  EXPECT_EQ(runs, 0);
  loop.run();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(clock.now(), 250us);
  EXPECT_FALSE(timer.refresh());
}

TEST_F(PreciseTimers, OnlyReferencedOnesKeepTheLoopAlive) {
  Timer timer = loop.set_timeout(100us, log("timer"));
  EXPECT_TRUE(timer.has_ref());
  timer.unref();
  EXPECT_FALSE(timer.has_ref());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
  timer.ref();
  EXPECT_TRUE(loop.alive());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timer"));
}

TEST_F(PreciseTimers, AnExceptionLeavesTheRestForLater) {
  loop.set_timeout(10us, [] { throw std::runtime_error("thrown"); });
  loop.set_timeout(20us, log("second"));
  EXPECT_THROW(loop.run(), std::runtime_error);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("second"));
}

TEST_F(PreciseTimers, ExtremesAreTakenAsTheShortestAndTheLongest) {
  loop.set_timeout(0us, log("0"));
  loop.set_timeout(std::chrono::microseconds::min(), log("min"));
  loop.set_timeout(std::chrono::duration<int, std::pico>(1), log("1 ps"));
  Timer never = loop.set_timeout(std::chrono::microseconds::max(), log("max"));
  Timer never_either = loop.set_timeout(
      std::chrono::duration<std::uint64_t, std::micro>(std::numeric_limits<std::uint64_t>::max()),
      log("max"));
  at(1ns);
  EXPECT_THAT(trace, ElementsAre("0", "min", "1 ps"));
  EXPECT_TRUE(never.clear());
  EXPECT_TRUE(never_either.clear());
}

TEST_F(PreciseTimers, AnOldNameIsNoNameOfTheNextTimer) {
  Timer old = loop.set_timeout(10us, [] {});
  old.clear();
  Timer fresh = loop.set_timeout(10us, log("fresh"));
  Timer of_milliseconds = loop.set_timeout(1ms, log("1 ms"));
  EXPECT_FALSE(old.active());
  EXPECT_FALSE(old.clear());
  EXPECT_FALSE(old.refresh());
  EXPECT_NE(fresh, of_milliseconds);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("fresh", "1 ms"));
}

TEST_F(PreciseTimers, WhatIsLeftGoesWithTheLoop) {
  auto held = std::make_shared<int>(1);
  {
    Loop other;
    other.set_timeout(10us, [held] {});
    other.set_interval(10us, [held] {});
    EXPECT_EQ(other.metrics().depth.timers, 2U);
  }
  EXPECT_EQ(held.use_count(), 1);
}

// Against a map: any number of them, cleared, refreshed, and run up to some moment.
TEST_F(PreciseTimers, AgreeWithASimpleModel) {
  std::mt19937 random(20);
  std::multimap<nanoseconds, int> model;
  std::map<int, Timer> timers;
  std::vector<int> ran;
  int next = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto which = random() % 8;
    const auto any = [&] {
      return std::next(timers.begin(), static_cast<int>(random() % timers.size()));
    };
    const auto forget = [&](int id) {
      std::erase_if(model, [&](const auto& one) { return one.second == id; });
    };
    if (which < 5 || timers.empty()) {
      const nanoseconds delay(1 + random() % 500);
      const int id = next++;
      timers[id] = loop.set_timeout(delay, [&ran, id] { ran.push_back(id); });
      model.emplace(clock.now() + delay, id);
    } else if (which == 5) {
      const auto one = any();
      EXPECT_TRUE(one->second.clear());
      forget(one->first);
      timers.erase(one);
    } else {
      clock.advance(nanoseconds(random() % 100));
      loop.run_nowait();
      std::vector<int> expected;
      while (!model.empty() && model.begin()->first <= clock.now()) {
        expected.push_back(model.begin()->second);
        timers.erase(model.begin()->second);
        model.erase(model.begin());
      }
      EXPECT_EQ(ran, expected);
      ran.clear();
    }
  }
}

}  // namespace
}  // namespace rondo::test
