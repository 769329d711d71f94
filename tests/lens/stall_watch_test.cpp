// What rondo::lens::Blocked makes of what it sees. Time passes only where a test says so.
#include "lens/blocked/stall_watch.h"

#include <chrono>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using What = BlockedReport::What;

class FakeEngine final : public BlockedEngine {
 public:
  std::uint32_t operations() const noexcept override { return 0; }
  std::uint32_t ticks() const noexcept override { return ticks_made; }
  std::uint32_t microtask_steps() const noexcept override { return 0; }
  void on_look(milliseconds since_last) noexcept override { looked_after.push_back(since_last); }
  BlockedMoment look() override {
    if (during_look) during_look();
    return moment;
  }

  std::uint32_t ticks_made = 0;
  BlockedMoment moment;
  std::function<void()> during_look;
  std::vector<milliseconds> looked_after;
};

class StallWatchTest : public ::testing::Test {
 protected:
  static constexpr milliseconds kLimit = 80ms;
  static constexpr milliseconds kPeriod = 10ms;

  StallWatch& watch() {
    if (!watch_) watch_.emplace(kLimit, eyes(nullptr));
    return *watch_;
  }
  StallWatch& watch_engine() {
    if (!watch_) watch_.emplace(kLimit, eyes(&engine_));
    return *watch_;
  }
  /// The loop calls the next callback now; it has read its clock if nothing ran since it woke.
  void call() { ++progress_.entries; }
  void read_clock() {
    progress_.read_at = now_;
    progress_.read_entries = progress_.entries;
  }
  void sleep_loop() { progress_.asleep = true; }
  void wake_loop() {
    progress_.asleep = false;
    read_clock();
  }
  /// Time passes with a look every period.
  void pass(milliseconds time) {
    for (milliseconds gone = 0ms; gone < time; gone += kPeriod) {
      now_ += kPeriod;
      watch_->look();
    }
  }
  std::vector<std::pair<bool, milliseconds>> told() const {
    std::vector<std::pair<bool, milliseconds>> result;
    for (const BlockedReport& report : reports_) result.emplace_back(report.over, report.lasted);
    return result;
  }

  StallTime now_{1h};
  Progress progress_;
  FakeEngine engine_;
  std::vector<BlockedReport> reports_;
  std::optional<StallWatch> watch_;

 private:
  StallWatch::Eyes eyes(BlockedEngine* engine) {
    return {.now = [this] { return now_; },
            .sample = [this] { return progress_; },
            .engine = engine,
            .report = [this](const BlockedReport& report) { reports_.push_back(report); }};
  }
};

TEST_F(StallWatchTest, ManyShortCallbacksAreNotOneLongOne) {
  watch();
  for (int i = 0; i < 1000; ++i) {
    call();
    pass(kLimit - kPeriod);
  }
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(StallWatchTest, CallbacksThatOnlyTheEngineCountsAreDifferentOnes) {
  watch_engine();
  for (int i = 0; i < 1000; ++i) {
    ++progress_.operations;
    pass(kLimit - kPeriod);
  }
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(StallWatchTest, ASleepingLoopIsNotBlocked) {
  watch();
  call();
  sleep_loop();
  pass(1h / 60);
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(StallWatchTest, IsToldAfterTheLimitThenAfterTwiceTheTimeAndAtTheEnd) {
  watch();
  call();
  read_clock();
  sleep_loop();
  pass(40ms);
  wake_loop();
  call();  // the first one since the clock was read: its begin is known
  pass(700ms);
  sleep_loop();
  pass(kPeriod);
  EXPECT_THAT(told(),
              ElementsAre(std::pair(false, 80ms), std::pair(false, 160ms), std::pair(false, 320ms),
                          std::pair(false, 640ms), std::pair(true, 700ms)));
}

TEST_F(StallWatchTest, TheTrueTimeIsKnownHoweverLateTheFirstLook) {
  watch();
  sleep_loop();
  pass(20ms);
  now_ += 5ms;
  wake_loop();
  call();
  now_ += 78ms;  // not observed
  watch_->look();
  EXPECT_THAT(reports_, IsEmpty());
  now_ += 2ms;
  watch_->look();
  ASSERT_THAT(reports_, SizeIs(1));
  EXPECT_EQ(reports_[0].lasted, 80ms);
  watch_->finish();
  ASSERT_THAT(reports_, SizeIs(2));
  EXPECT_EQ(reports_[1].lasted, 80ms);
  EXPECT_EQ(reports_[1].at_most, 80ms);
}

TEST_F(StallWatchTest, WhereTheEndsWereNotSeenBothBoundsAreTrue) {
  watch();
  progress_.read_entries = 0;  // the clock was read long ago
  progress_.entries = 5;
  pass(kPeriod);
  now_ += 3ms;
  call();  // 7 ms before it is seen
  now_ += 7ms;
  watch_->look();
  pass(100ms);
  now_ += 4ms;
  call();  // it ran for 111 ms; seen 6 ms later
  now_ += 6ms;
  watch_->look();
  ASSERT_FALSE(reports_.empty());
  EXPECT_TRUE(reports_.back().over);
  EXPECT_EQ(reports_.back().lasted, 100ms);
  EXPECT_EQ(reports_.back().at_most, 120ms);
}

TEST_F(StallWatchTest, IsLookedForMoreOftenOnceItIsReported) {
  watch();
  call();
  EXPECT_EQ(watch_->look(), kPeriod);
  now_ += 96ms;
  EXPECT_EQ(watch_->look(), 3ms);  // a thirty-second part
  now_ += 900ms;
  EXPECT_EQ(watch_->look(), kPeriod);
}

TEST_F(StallWatchTest, AProcessThatWasStoppedDidNotRun) {
  watch();
  call();
  pass(40ms);
  now_ += 1h;
  watch_->look();
  EXPECT_THAT(reports_, IsEmpty());
  pass(50ms);  // it was first seen after 10 ms
  EXPECT_THAT(told(), ElementsAre(std::pair(false, 80ms)));
}

TEST_F(StallWatchTest, AnOperationOfATickAndAPromiseIsNamedAfterBoth) {
  engine_.moment.label = "tick work";
  watch_engine();
  call();
  pass(60ms);  // with a first look, before it is too long
  engine_.moment.label = "a promise or microtask";
  engine_.moment.callback = "after (a.js:1:2)";
  engine_.moment.in_microtasks = true;
  pass(140ms);
  ASSERT_THAT(reports_, SizeIs(2));
  for (const BlockedReport& report : reports_) {
    EXPECT_EQ(report.moment.label, "a row of ticks and promises");
    EXPECT_EQ(report.moment.callback, "");
  }
  ++progress_.operations;  // the next one is one of its own
  pass(100ms);
  EXPECT_EQ(reports_.back().moment.label, "a promise or microtask");
}

TEST_F(StallWatchTest, WhatDoesNotAnswerIsToldOnceItDoes) {
  engine_.moment.unreachable = true;
  watch_engine();
  call();
  pass(130ms);
  ASSERT_THAT(reports_, SizeIs(1));
  EXPECT_TRUE(reports_[0].moment.unreachable);
  EXPECT_THAT(to_string(reports_[0]), ::testing::HasSubstr("no stack: it is in native code"));
  engine_.moment = {.label = "setTimeout 1 ms", .stack = {"work (a.js:1:2)"}};
  pass(kPeriod);
  ASSERT_THAT(reports_, SizeIs(2));
  EXPECT_THAT(reports_[1].moment.stack, ElementsAre("work (a.js:1:2)"));
  pass(kPeriod);  // and from then on as ever
  EXPECT_THAT(reports_, SizeIs(2));
}

TEST_F(StallWatchTest, WhatEndsWhileItIsAskedIsToldWithWhatWasSeenOfItBefore) {
  engine_.moment = {.label = "immediate", .stack = {"work (a.js:1:2)"}};
  watch_engine();
  call();
  read_clock();
  call();
  pass(70ms);
  engine_.during_look = [this] {
    call();
    engine_.moment = {.label = "something else"};
  };
  pass(2 * kPeriod);
  ASSERT_THAT(reports_, SizeIs(1));
  EXPECT_TRUE(reports_[0].over);
  EXPECT_EQ(reports_[0].lasted, 80ms);
  EXPECT_EQ(reports_[0].moment.label, "immediate");
  EXPECT_THAT(reports_[0].moment.stack, ElementsAre("work (a.js:1:2)"));
}

TEST_F(StallWatchTest, TicksThatMakeTicksAreNamedWithWhereTheyAreMade) {
  engine_.moment = {.label = "tick again", .callback = "again", .tick_site = "again (a.js:3:4)"};
  watch_engine();
  call();
  for (int i = 0; i < 10; ++i) {
    progress_.ticks = engine_.ticks_made += 1000;
    pass(kPeriod);
  }
  ASSERT_THAT(reports_, SizeIs(1));
  EXPECT_EQ(reports_[0].what, What::ticks);
  EXPECT_EQ(reports_[0].ticks, 8000U);  // since it was first seen
  EXPECT_EQ(to_string(reports_[0]),
            "[blocked] ticks have been running for 80 ms without a break: 8000 ticks, outside of "
            "the phases\n"
            "  made at: again (a.js:3:4)\n");
}

TEST_F(StallWatchTest, TicksThatALongCallbackMakesAreNotWhatRuns) {
  watch_engine();
  call();
  for (int i = 0; i < 10; ++i) {
    progress_.ticks = engine_.ticks_made = engine_.moment.ticks_waiting += 1;
    pass(kPeriod);
  }
  ASSERT_THAT(reports_, SizeIs(1));
  EXPECT_EQ(reports_[0].what, What::callback);
}

TEST_F(StallWatchTest, OneLongTickIsNotMany) {
  engine_.moment = {.label = "tick long"};
  watch_engine();
  call();
  progress_.ticks = engine_.ticks_made = 7;
  pass(2 * kPeriod);
  pass(kLimit);
  ASSERT_FALSE(reports_.empty());
  EXPECT_EQ(reports_.back().what, What::callback);
}

TEST_F(StallWatchTest, TheEngineIsToldOfTheTimeBetweenLooks) {
  watch_engine();
  pass(2 * kPeriod);
  EXPECT_THAT(engine_.looked_after, ElementsAre(kPeriod, kPeriod));
}

}  // namespace
}  // namespace rondo::lens
