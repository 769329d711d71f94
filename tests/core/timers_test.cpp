// The timers phase. docs/semantics.md has the rules TIMERS.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <ratio>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Timers : public LoopTest {
 protected:
  /// The loop comes back only now: everything due meanwhile runs in one visit.
  void stall_until(milliseconds time) {
    clock.advance(time - clock.now());
    loop.run_nowait();
  }
};

// TIMERS-1
TEST_F(Timers, ATimerDoesNotRunBeforeItsThreshold) {
  loop.set_timeout(10ms, log("timeout"));
  clock.advance(10ms - 1ns);
  loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
  clock.advance(1ns);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("timeout"));
}

// TIMERS-1
TEST_F(Timers, ATimerMayRunLaterThanItsThreshold) {
  loop.set_timeout(10ms, log_time("timeout"));
  loop.set_immediate([&] { clock.advance(25ms); });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout@25"));
}

TEST_F(Timers, ATimeoutRunsOnce) {
  const Timer timer = loop.set_timeout(10ms, log("timeout"));
  EXPECT_TRUE(timer.active());
  loop.run();
  clock.advance(1h);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("timeout"));
  EXPECT_FALSE(timer.active());
}

// ---- Delays ------------------------------------------------------------------------------------

/// The threshold the loop gives a timer, as it reports it to an observer.
class Delays : public Timers, public Observer {
 protected:
  template <class Duration>
  std::int64_t ms(Duration delay) {
    loop.on_warning([this](const Warning&) { ++warnings; });
    loop.set_observer(this);
    loop.set_timeout(delay, [] {});
    loop.set_observer(nullptr);
    loop.run_nowait();
    return seen.count();
  }
  void on_scheduled(Task task, milliseconds delay) noexcept override {
    if (task.kind == TaskKind::timeout) seen = delay;
  }

  using DoubleMs = std::chrono::duration<double, std::milli>;
  using DoubleS = std::chrono::duration<double>;
  milliseconds seen{};
  int warnings = 0;
};

// TIMERS-2
TEST_F(Delays, ADelayBelowOneBecomesOne) {
  EXPECT_EQ(ms(0ms), 1);
  EXPECT_EQ(ms(-1ms), 1);
  EXPECT_EQ(ms(-5h), 1);
  EXPECT_EQ(ms(DoubleMs(0.999)), 1);
  EXPECT_EQ(ms(DoubleMs(-0.0)), 1);
  EXPECT_EQ(ms(DoubleMs(-std::numeric_limits<double>::infinity())), 1);
  EXPECT_EQ(ms(milliseconds::min()), 1);
  EXPECT_EQ(ms(std::chrono::hours::min()), 1);
  EXPECT_EQ(warnings, 0);
}

// TIMERS-2
TEST_F(Delays, ADelayThatIsNotANumberBecomesOne) {
  EXPECT_EQ(ms(DoubleMs(std::nan(""))), 1);
  EXPECT_EQ(ms(std::chrono::duration<float>(std::nanf(""))), 1);
  EXPECT_EQ(warnings, 0);
}

// TIMERS-2
TEST_F(Delays, TheResolutionIsAMillisecondAndWhatIsBelowIsDropped) {
  EXPECT_EQ(ms(DoubleMs(2.9)), 2);
  EXPECT_EQ(ms(DoubleS(0.0025)), 2);
}

TEST_F(Delays, AnyUnitWillDo) {
  EXPECT_EQ(ms(2s), 2'000);
  EXPECT_EQ(ms(3min), 180'000);
  EXPECT_EQ(ms(1h), 3'600'000);
  EXPECT_EQ(ms(std::chrono::days(24)), 2'073'600'000);
  EXPECT_EQ(ms(DoubleS(1.5)), 1'500);
  EXPECT_EQ(ms(std::chrono::duration<std::int64_t, std::ratio<1, 3>>(4)), 1'333);
  EXPECT_EQ(ms(std::chrono::duration<std::uint8_t>(200)), 200'000);
}

TEST_F(Delays, TheLongestDelayIsTwoToThe31MinusOne) {
  EXPECT_EQ(ms(2'147'483'647ms), 2'147'483'647);
  EXPECT_EQ(ms(DoubleMs(2'147'483'647.0)), 2'147'483'647);
  EXPECT_EQ(warnings, 0);
}

// TIMERS-2
TEST_F(Delays, ADelayAboveThatBecomesOneAndWarns) {
  int expected = 0;
  EXPECT_EQ(ms(2'147'483'648ms), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(std::chrono::days(25)), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(milliseconds::max()), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(std::chrono::hours::max()), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(std::chrono::duration<std::uint64_t, std::milli>::max()), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(DoubleMs(2'147'483'648.0)), 1);
  EXPECT_EQ(warnings, ++expected);
  EXPECT_EQ(ms(DoubleS(std::numeric_limits<double>::infinity())), 1);
  EXPECT_EQ(warnings, ++expected);
}

TEST_F(Timers, TheLongestDelayIsKept) {
  loop.set_timeout(2'147'483'647ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout@2147483647"));
}

TEST_F(Timers, AnIntervalHasTheSameLimits) {
  loop.on_warning([&](const Warning& warning) { trace.emplace_back(warning.name); });
  Timer intervals[] = {loop.set_interval(0ms, log_time("zero")),
                       loop.set_interval(2'147'483'648ms, log_time("overflow"))};
  loop.set_timeout(3ms, [&] {
    for (Timer& interval : intervals) interval.clear();
  });
  loop.run();
  EXPECT_THAT(
      trace, ElementsAre("TimeoutOverflowWarning", "zero@1", "overflow@1", "zero@2", "overflow@2"));
}

TEST_F(Timers, AnOverflowWarnsWithNodesNameAndText) {
  Trace texts;
  loop.on_warning([&](const Warning& warning) {
    EXPECT_EQ(warning.name, "TimeoutOverflowWarning");
    texts.push_back(warning.message);
  });
  loop.set_timeout(2'147'483'648ms, log_time("timeout"));
  EXPECT_THAT(texts, IsEmpty()) << "a handler is never called before the function returns";
  loop.run();
  EXPECT_THAT(texts, ElementsAre("2147483648 does not fit into a 32-bit signed integer.\n"
                                 "Timeout duration was set to 1."));
  EXPECT_THAT(trace, ElementsAre("timeout@1"));
}

TEST_F(Timers, WithoutAHandlerWarningsGoToStandardError) {
  loop.on_warning([](const Warning&) { FAIL() << "it was removed"; });
  loop.on_warning(nullptr);
  ::testing::internal::CaptureStderr();
  loop.set_timeout(2'147'483'648ms, [] {});
  loop.run();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("TimeoutOverflowWarning: 2147483648 does not fit into a 32-bit signed "
                        "integer.\nTimeout duration was set to 1."));
}

// ---- Lists of equal duration -------------------------------------------------------------------

// TIMERS-3
TEST_F(Timers, TimersOfEqualDurationRunInTheOrderTheyWereSet) {
  for (const char* name : {"1", "2", "3", "4"}) loop.set_timeout(10ms, log(name));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "4"));
}

TEST_F(Timers, DelaysThatBecomeOneShareAList) {
  loop.on_warning([](const Warning&) {});
  loop.set_timeout(1ms, log("1"));
  loop.set_timeout(0ms, log("0"));
  loop.set_timeout(-7ms, log("-7"));
  loop.set_timeout(2'147'483'648ms, log("2^31"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "0", "-7", "2^31"));
}

// TIMERS-4
TEST_F(Timers, ListsAreOrderedByTheExpiryOfTheirFirstTimer) {
  loop.set_timeout(30ms, log("30"));
  loop.set_timeout(10ms, log("10"));
  loop.set_timeout(20ms, log("20"));
  stall_until(100ms);
  EXPECT_THAT(trace, ElementsAre("10", "20", "30"));
}

TEST_F(Timers, AThousandDurationsRunInTheOrderOfTheirExpiry) {
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same run each time
  std::vector<int> durations(1'000);
  for (std::size_t i = 0; i < durations.size(); ++i) durations[i] = static_cast<int>(i) + 1;
  std::shuffle(durations.begin(), durations.end(), random);
  std::vector<std::int64_t> ran;
  for (const int duration : durations) {
    loop.set_timeout(milliseconds(duration), [&, duration] {
      EXPECT_EQ(loop.now().count(), duration);
      ran.push_back(duration);
    });
  }
  loop.run();
  EXPECT_EQ(ran.size(), durations.size());
  EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

// TIMERS-4
TEST_F(Timers, ADueListRunsEveryDueTimerInItBeforeTheNextListIsLookedAt) {
  loop.set_timeout(10ms, log("due at 10"));
  loop.set_timeout(12ms, log("due at 12"));
  clock.advance(4ms);
  loop.set_timeout(10ms, log("due at 14"));
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("due at 10", "due at 14", "due at 12"));
}

TEST_F(Timers, WithoutAStallTheyRunWhenEachIsDue) {
  loop.set_timeout(10ms, log_time("a"));
  loop.set_timeout(12ms, log_time("c"));
  clock.advance(4ms);
  loop.set_timeout(10ms, log_time("b"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("a@10", "c@12", "b@14"));
}

// TIMERS-4
TEST_F(Timers, ADueListStopsAtTheFirstTimerThatIsNotDue) {
  loop.set_timeout(10ms, log("due at 10"));
  loop.set_timeout(12ms, log("due at 12"));
  clock.advance(4ms);
  loop.set_timeout(10ms, log("due at 14"));
  stall_until(13ms);
  EXPECT_THAT(trace, ElementsAre("due at 10", "due at 12"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("due at 10", "due at 12", "due at 14"));
}

// TIMERS-5
TEST_F(Timers, ClearingTheFirstTimerOfAListLeavesTheListAtItsPlace) {
  Timer first = loop.set_timeout(10ms, log("first"));
  loop.set_timeout(12ms, log("due at 12"));
  clock.advance(4ms);
  loop.set_timeout(10ms, log("due at 14"));
  EXPECT_TRUE(first.clear());
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("due at 14", "due at 12"));
}

// TIMERS-5
TEST_F(Timers, RefreshingTheFirstTimerOfAListLeavesTheListAtItsPlace) {
  Timer first = loop.set_timeout(10ms, log("refreshed, due at 14"));
  loop.set_timeout(12ms, log("due at 12"));
  clock.advance(4ms);
  EXPECT_TRUE(first.refresh());
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("refreshed, due at 14", "due at 12"));
}

// TIMERS-5
TEST_F(Timers, ClearingTheOnlyTimerOfAListEndsTheList) {
  Timer only = loop.set_timeout(10ms, log("only"));
  loop.set_timeout(12ms, log("due at 12"));
  only.clear();
  clock.advance(4ms);
  loop.set_timeout(10ms, log("due at 14"));
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("due at 12", "due at 14"));
}

// TIMERS-5
TEST_F(Timers, ClearingTheOnlyTimerOfAListLeavesTheListIfTheTimerWasUnreferenced) {
  Timer only = loop.set_timeout(10ms, log("only")).unref();
  loop.set_timeout(12ms, log("due at 12"));
  only.clear();
  clock.advance(4ms);
  loop.set_timeout(10ms, log("due at 14"));
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("due at 14", "due at 12"));
}

// TIMERS-5
TEST_F(Timers, AListLookedAtTooEarlyRunsNothingAndIsPutWhereItBelongs) {
  Timer first = loop.set_timeout(10ms, log_time("first"));
  clock.advance(4ms);
  loop.set_timeout(10ms, log_time("second"));
  first.clear();
  loop.run();
  EXPECT_THAT(trace, ElementsAre("second@14"));
}

// ---- Intervals ---------------------------------------------------------------------------------

// TIMERS-8
TEST_F(Timers, AnIntervalIsSetAgainFromTheMomentItsCallbackBegan) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    clock.advance(4ms);
    if (trace.size() == 3) interval.clear();
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@20", "interval@30"));
}

// TIMERS-8
TEST_F(Timers, AnIntervalDoesNotCatchUpOnWhatItMissed) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    if (trace.size() == 1) clock.advance(35ms);
    if (trace.size() == 4) interval.clear();
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@45", "interval@55", "interval@65"));
}

TEST_F(Timers, TheMomentAnIntervalBeginsIsThePresentNotThePhasesTime) {
  Timer interval;
  loop.set_timeout(10ms, [&] { clock.advance(3ms); });
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    if (trace.size() == 2) interval.clear();
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@23"));
}

// TIMERS-8
TEST_F(Timers, AnIntervalIsSetAgainBehindTimersThatItsCallbackSet) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    if (trace.size() == 1) loop.set_timeout(10ms, log_time("timeout"));
    if (trace.size() == 3) interval.clear();
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@10", "timeout@20", "interval@20"));
}

// TIMERS-8
TEST_F(Timers, AnIntervalIsSetAgainBeforeItsTicksRun) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    if (trace.size() == 1) {
      loop.next_tick([&] { loop.set_timeout(10ms, log_time("timeout")); });
    } else {
      interval.clear();
    }
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@20", "timeout@20"));
}

TEST_F(Timers, AnIntervalClearedInItsOwnCallbackDoesNotRunAgain) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    EXPECT_TRUE(interval.active());
    EXPECT_TRUE(interval.clear());
    EXPECT_FALSE(interval.active());
    EXPECT_FALSE(interval.clear());
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("interval@10"));
}

TEST_F(Timers, AnIntervalClearedInATickOfItsCallbackDoesNotRunAgain) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    loop.next_tick([&] { EXPECT_TRUE(interval.clear()); });
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("interval@10"));
}

// ---- Refresh -----------------------------------------------------------------------------------

// TIMERS-9
TEST_F(Timers, RefreshStartsTheDurationAnew) {
  Timer timer = loop.set_timeout(10ms, log_time("refreshed"));
  loop.set_timeout(6ms, [&] { EXPECT_TRUE(timer.refresh()); });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("refreshed@16"));
}

// TIMERS-9
TEST_F(Timers, RefreshPutsATimerBehindTheOthersOfItsDuration) {
  Timer first = loop.set_timeout(10ms, log("first"));
  loop.set_timeout(10ms, log("second"));
  first.refresh();
  loop.run();
  EXPECT_THAT(trace, ElementsAre("second", "first"));
}

TEST_F(Timers, RefreshInItsOwnCallbackSetsATimeoutAgain) {
  Timer timer;
  timer = loop.set_timeout(10ms, [&] {
    log_time("timeout")();
    if (trace.size() < 3) timer.refresh();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("timeout@10", "timeout@20", "timeout@30"));
  EXPECT_FALSE(timer.active());
}

TEST_F(Timers, RefreshAndThenClearInItsOwnCallbackEndsATimer) {
  Timer timer;
  timer = loop.set_timeout(10ms, [&] {
    log_time("timeout")();
    EXPECT_TRUE(timer.refresh());
    EXPECT_TRUE(timer.clear());
    EXPECT_FALSE(timer.refresh());
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("timeout@10"));
}

TEST_F(Timers, RefreshOfAnIntervalInItsOwnCallbackSetsItOnce) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    EXPECT_TRUE(interval.refresh());
    if (trace.size() == 3) interval.clear();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@20", "interval@30"));
}

TEST_F(Timers, RefreshOfWhatHasFiredOrWasClearedDoesNothing) {
  Timer fired = loop.set_timeout(1ms, log("fired"));
  Timer cleared = loop.set_timeout(1ms, log("cleared"));
  EXPECT_TRUE(cleared.clear());
  EXPECT_FALSE(cleared.refresh());
  loop.run();
  EXPECT_FALSE(fired.refresh());
  EXPECT_FALSE(loop.alive());
  EXPECT_THAT(trace, ElementsAre("fired"));
}

TEST_F(Timers, RefreshKeepsATimerUnreferenced) {
  Timer timer = loop.set_timeout(10ms, [] {});
  timer.unref();
  timer.refresh();
  EXPECT_FALSE(timer.has_ref());
  EXPECT_FALSE(loop.alive());
}

// ---- Clearing ----------------------------------------------------------------------------------

// TIMERS-10
TEST_F(Timers, AClearedTimerDoesNotRun) {
  Timer timer = loop.set_timeout(10ms, log("timeout"));
  EXPECT_TRUE(timer.clear());
  EXPECT_FALSE(timer.active());
  EXPECT_FALSE(timer.clear()) << "nothing left to take back";
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(clock.now(), 0ms);
}

// TIMERS-10
TEST_F(Timers, ATimerMayClearALaterOneOfItsDuration) {
  Timer third;
  loop.set_timeout(10ms, [&] {
    trace.emplace_back("first");
    EXPECT_TRUE(third.clear());
  });
  loop.set_timeout(10ms, log("second"));
  third = loop.set_timeout(10ms, log("third"));
  loop.set_timeout(10ms, log("fourth"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("first", "second", "fourth"));
}

TEST_F(Timers, ATimerMayClearTheNextOneOfItsDurationWhichIsTheLast) {
  Timer second;
  loop.set_timeout(10ms, [&] {
    trace.emplace_back("first");
    second.clear();
    loop.set_timeout(10ms, log_time("set meanwhile"));
  });
  second = loop.set_timeout(10ms, log("second"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("first", "set meanwhile@20"));
}

TEST_F(Timers, ATimerMayClearOneOfAnotherDurationThatIsDueToo) {
  Timer other;
  loop.set_timeout(10ms, [&] {
    trace.emplace_back("first");
    EXPECT_TRUE(other.clear());
  });
  other = loop.set_timeout(12ms, log("other"));
  loop.set_timeout(14ms, log("third"));
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("first", "third"));
}

// TIMERS-10
TEST_F(Timers, ATickOfATimerMayClearTheNextTimer) {
  Timer second;
  loop.set_timeout(10ms, [&] { loop.next_tick([&] { second.clear(); }); });
  second = loop.set_timeout(10ms, log("second"));
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Timers, AHandleOfAnOldTimerDoesNotClearANewOneInItsPlace) {
  Timer old = loop.set_timeout(10ms, log("old"));
  old.clear();
  const Timer young = loop.set_timeout(10ms, log("young"));
  EXPECT_FALSE(old == young);
  EXPECT_FALSE(old.clear());
  old.unref();
  EXPECT_TRUE(young.has_ref());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("young"));
}

// ---- During the phase --------------------------------------------------------------------------

// TIMERS-11
TEST_F(Timers, TicksAndMicrotasksDrainBetweenTwoTimers) {
  for (const milliseconds duration : {10ms, 10ms, 12ms}) {
    loop.set_timeout(duration, [&] {
      trace.emplace_back("timer");
      loop.queue_microtask(log("microtask"));
      loop.next_tick(log("tick"));
    });
  }
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("timer", "tick", "microtask", "timer", "tick", "microtask",
                                 "timer", "tick", "microtask"));
}

TEST_F(Timers, WhatBecomesDueDuringAVisitWaitsForTheNext) {
  loop.set_timeout(10ms, [&] {
    trace.emplace_back("slow");
    clock.advance(20ms);
    loop.set_immediate(log("immediate"));
  });
  loop.set_timeout(20ms, log("due meanwhile"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("slow", "immediate", "due meanwhile"));  // as node prints it
}

// TIMERS-6
TEST_F(Timers, ATimerSetByATimerThatThenStallsWaitsForTheNextVisit) {
  loop.set_timeout(1ms, [&] {
    loop.set_timeout(1ms, log("inner"));
    loop.set_immediate(log("immediate"));
    clock.advance(5ms);
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "inner"));
}

TEST_F(Timers, ALateClockNeverGoesBack) {
  clock.advance(1h);
  loop.set_timeout(10ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout@3600010"));
}

TEST_F(Timers, ABudgetedVisitKeepsTheOrderOfLists) {
  Loop small({.budgets = {.timers = 2}, .clock = &clock});
  small.set_timeout(10ms, log("a"));
  small.set_timeout(12ms, log("d"));
  clock.advance(1ms);
  small.set_timeout(10ms, log("b"));
  small.set_timeout(10ms, log("c"));
  clock.advance(20ms);
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("a", "b"));
  small.run();
  EXPECT_THAT(trace, ElementsAre("a", "b", "c", "d"));
}

/// A loop that has had a timer before: the next one that is alone has no list until it needs one.
class LoneTimer : public Timers {
 protected:
  LoneTimer() {
    loop.set_timeout(1ms, [] {}).clear();
  }
};

TEST_F(LoneTimer, RunsWhenItIsDue) {
  const Timer timer = loop.set_timeout(10ms, log_time("timeout"));
  EXPECT_TRUE(timer.active());
  EXPECT_TRUE(loop.alive());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout@10"));
  EXPECT_FALSE(timer.active());
}

TEST_F(LoneTimer, GoesBeforeTimersThatAreSetLater) {
  loop.set_timeout(10ms, log("first"));
  loop.set_timeout(10ms, log("same duration"));
  clock.advance(5ms);
  loop.set_timeout(5ms, log("same time"));
  loop.set_timeout(4ms, log("sooner"));
  stall_until(20ms);
  EXPECT_THAT(trace, ElementsAre("sooner", "first", "same duration", "same time"));
}

TEST_F(LoneTimer, CanBeClearedAndSetAgain) {
  for (int round = 0; round != 3; ++round) {
    Timer timer = loop.set_timeout(10ms, log("cleared"));
    EXPECT_TRUE(timer.clear());
    EXPECT_FALSE(timer.clear());
    EXPECT_FALSE(timer.active());
  }
  EXPECT_FALSE(loop.alive());
  loop.set_timeout(10ms, log_time("set again"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("set again@10"));
}

TEST_F(LoneTimer, CanBeRefreshed) {
  Timer timer = loop.set_timeout(10ms, log_time("timeout"));
  clock.advance(6ms);
  EXPECT_TRUE(timer.refresh());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout@16"));
}

TEST_F(LoneTimer, ThatIsUnreferencedKeepsNothingAlive) {
  Timer timer = loop.set_timeout(10ms, log("timeout"));
  timer.unref();
  EXPECT_FALSE(loop.alive());
  EXPECT_TRUE(timer.clear());
  loop.set_timeout(10ms, log_time("another"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("another@10"));
}

TEST_F(LoneTimer, SetByATimerWaitsForTheNextVisit) {
  loop.set_timeout(10ms, [&] {
    trace.push_back("outer");
    clock.advance(50ms);
    loop.set_timeout(1ms, log_time("inner"));
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("outer", "inner@60"));
}

TEST_F(LoneTimer, IsDestroyedWithItsLoop) {
  const auto held = std::make_shared<int>();
  {
    Loop short_lived({.clock = &clock});
    short_lived.set_timeout(1ms, [] {}).clear();
    short_lived.set_timeout(10ms, [held] {});
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(LoneTimer, MaySetAnotherWhenItsCallbackIsDestroyed) {
  Timer next;
  std::shared_ptr<void> guard(nullptr, [&](void*) { next = loop.set_timeout(5ms, log("next")); });
  Timer timer = loop.set_timeout(10ms, [guard = std::move(guard)] {});
  EXPECT_TRUE(timer.clear());
  EXPECT_TRUE(next.active());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("next"));
}

TEST_F(Timers, ADay) {
  loop.set_timeout(24h, log_time("a day later, at once"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("a day later, at once@86400000"));
}

}  // namespace
}  // namespace rondo::test
