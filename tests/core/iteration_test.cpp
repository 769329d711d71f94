// One iteration. docs/semantics.md has the rules ITERATION.
#include <utility>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Iteration : public LoopTest {};

// ITERATION-1
TEST_F(Iteration, RunVisitsTheTimersOnceBeforeAnythingElse) {
  loop.defer(log("pending"));
  loop.post(log("poll"));
  loop.set_immediate(log("check"));
  loop.queue_close(log("close"));
  loop.set_timeout(1ms, log("timers"));
  clock.advance(1ms);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timers", "pending", "poll", "check", "close"));
}

// ITERATION-2
TEST_F(Iteration, EveryIterationIsPendingIdlePreparePollCheckCloseTimers) {
  Hook hooks[] = {loop.on_check(log_phase("check hook")), loop.on_prepare(log_phase("prepare")),
                  loop.on_idle(log_phase("idle"))};
  for (int iteration = 0; iteration < 2; ++iteration) {
    loop.set_timeout(1ms, log_phase("timeout"));
    loop.queue_close(log_phase("close"));
    loop.set_immediate(log_phase("immediate"));
    loop.post(log_phase("posted"));
    loop.defer(log_phase("deferred"));
    clock.advance(1ms);
    trace.clear();
    loop.run_nowait();
    EXPECT_THAT(
        trace, ElementsAre("deferred:pending", "idle:idle", "prepare:prepare", "posted:poll",
                           "check hook:check", "immediate:check", "close:close", "timeout:timers"));
  }
  for (Hook& hook : hooks) hook.clear();
}

TEST_F(Iteration, OutsideOfItThereIsNoPhase) {
  EXPECT_EQ(loop.phase(), Phase::none);
  loop.next_tick(log_phase("tick"));
  loop.on_before_exit(log_phase("before exit"));
  loop.run();
  EXPECT_EQ(loop.phase(), Phase::none);
  EXPECT_THAT(trace, ElementsAre("tick:none", "before exit:none"));
}

// ---- Queues ------------------------------------------------------------------------------------

/// What adds a callback to the queue of one phase.
struct Queue {
  std::string name;
  void (*add)(Loop&, Callback<>);
  std::size_t Budgets::* budget;
};

void PrintTo(const Queue& queue, std::ostream* out) {
  *out << queue.name;
}

class EveryQueue : public LoopTest, public ::testing::WithParamInterface<Queue> {
 protected:
  static void add(Loop& to, Callback<> callback) { GetParam().add(to, std::move(callback)); }
};

// ITERATION-3
TEST_P(EveryQueue, IsFirstInFirstOut) {
  for (const char* name : {"1", "2", "3", "4", "5"}) add(loop, log(name));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "4", "5"));
}

// ITERATION-5
TEST_P(EveryQueue, RunsUntilItIsEmpty) {
  int runs = 0;
  for (int i = 0; i < 5'000; ++i) add(loop, [&] { ++runs; });
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_EQ(runs, 5'000);
}

// ITERATION-4
TEST_P(EveryQueue, WhatACallbackAddsWaitsForTheNextVisit) {
  add(loop, [&] {
    trace.emplace_back("outer");
    add(loop, log("inner"));
  });
  add(loop, log("outer too"));
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("outer", "outer too"));
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("outer", "outer too", "inner"));
}

// ITERATION-4
TEST_P(EveryQueue, WhatATickOfACallbackAddsWaitsForTheNextVisit) {
  add(loop, [&] { loop.next_tick([&] { add(loop, log("inner")); }); });
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("inner"));
}

/// A callback that adds itself again until it is stopped.
struct SelfFeeder {
  Loop& loop;
  VirtualClock& clock;
  void (*add)(Loop&, Callback<>);
  bool& enough;
  void operator()() const {
    clock.advance(1ms);
    if (!enough) add(loop, *this);
  }
};

TEST_P(EveryQueue, CannotHoldTheLoopByFeedingItself) {
  bool enough = false;
  add(loop, SelfFeeder{loop, clock, GetParam().add, enough});
  loop.set_timeout(5ms, [&] {
    trace.emplace_back("timeout");
    loop.set_immediate([&] {
      trace.emplace_back("immediate");
      enough = true;
    });
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("timeout", "immediate"));
}

// ITERATION-5
TEST_P(EveryQueue, MovesOnWhenTheBudgetIsSpentAndTheRestIsFirstInLine) {
  Budgets budgets;
  budgets.*(GetParam().budget) = 2;
  Loop small({.budgets = budgets, .clock = &clock});
  for (const char* name : {"1", "2", "3"}) add(small, log(name));
  clock.advance(1ms);
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1", "2"));
  EXPECT_TRUE(small.alive());
  add(small, log("4"));
  clock.advance(1ms);
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "4"));
}

// ITERATION-5
TEST_P(EveryQueue, WhatIsLeftOverTheBudgetIsNotWaitedFor) {
  Budgets budgets;
  budgets.*(GetParam().budget) = 1;
  Loop small({.budgets = budgets, .clock = &clock});
  for (const char* name : {"1", "2", "3"}) add(small, log(name));
  small.set_timeout(1h, [] {}).unref();
  clock.advance(1ms);
  EXPECT_FALSE(small.run());
  EXPECT_THAT(trace, ElementsAre("1", "2", "3"));
  EXPECT_EQ(clock.now(), 1ms);
}

TEST_P(EveryQueue, ABudgetOfZeroIsTakenAsOne) {
  Budgets budgets;
  budgets.*(GetParam().budget) = 0;
  Loop small({.budgets = budgets, .clock = &clock});
  for (const char* name : {"1", "2"}) add(small, log(name));
  clock.advance(1ms);
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1"));
  EXPECT_FALSE(small.run());
  EXPECT_THAT(trace, ElementsAre("1", "2"));
}

INSTANTIATE_TEST_SUITE_P(
    Iteration, EveryQueue,
    ::testing::Values(
        Queue{"timers", [](Loop& loop, Callback<> f) { loop.set_timeout(1ms, std::move(f)); },
              &Budgets::timers},
        Queue{"pending", [](Loop& loop, Callback<> f) { loop.defer(std::move(f)); },
              &Budgets::pending},
        Queue{"poll", [](Loop& loop, Callback<> f) { loop.post(std::move(f)); }, &Budgets::poll},
        Queue{"check", [](Loop& loop, Callback<> f) { loop.set_immediate(std::move(f)); },
              &Budgets::check},
        Queue{"close", [](Loop& loop, Callback<> f) { loop.queue_close(std::move(f)); },
              &Budgets::close}),
    [](const auto& tested) { return tested.param.name; });

// ITERATION-5
TEST_F(Iteration, BudgetsAreFiniteAndLargeByDefault) {
  const Budgets budgets;
  for (const std::size_t budget :
       {budgets.timers, budgets.pending, budgets.poll, budgets.check, budgets.close}) {
    EXPECT_GE(budget, 1'000U);
    EXPECT_LE(budget, 1U << 24);
  }
}

// ---- The loop's clock --------------------------------------------------------------------------

// ITERATION-6
TEST_F(Iteration, NowIsOneValueWithinAPhase) {
  for (int i = 0; i < 2; ++i) {
    loop.set_immediate([&] {
      log_time("immediate")();
      clock.advance(5ms);
      log_time("after 5 ms")();
    });
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate@0", "after 5 ms@0", "immediate@0", "after 5 ms@0"));
}

// ITERATION-6
TEST_F(Iteration, TheClockIsReadAtTheStartOfAnIteration) {
  loop.set_timeout(1ms, [&] { clock.advance(5ms); });
  clock.advance(1ms);
  loop.defer(log_time("pending"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("pending@6"));
}

// ITERATION-6
TEST_F(Iteration, TheClockIsReadAfterPoll) {
  Hook hook = loop.on_prepare([&] {
    clock.advance(5ms);
    log_time("prepare")();
  });
  loop.post([&] {
    log_time("poll")();
    clock.advance(5ms);
  });
  loop.set_immediate(log_time("check"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("prepare@0", "poll@5", "check@5"));
  hook.clear();
}

// ITERATION-6
TEST_F(Iteration, TheClockIsReadBeforeTheTimers) {
  loop.set_immediate([&] { clock.advance(5ms); });
  loop.queue_close(log_time("close"));
  loop.set_timeout(5ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("close@0", "timeout@5"));
}

TEST_F(Iteration, OutsideRunNowIsReadAtEachCall) {
  EXPECT_EQ(loop.now(), 0ms);
  clock.advance(7ms);
  EXPECT_EQ(loop.now(), 7ms);
}

TEST_F(Iteration, UpdateNowReadsTheClockWithinACallback) {
  loop.set_immediate([&] {
    clock.advance(5ms);
    log_time("before")();
    loop.update_now();
    log_time("after")();
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("before@0", "after@5"));
}

// TIMERS-12
TEST_F(Iteration, TimersStartFromTheLoopsTimeUnlessTheyAskForThePresent) {
  loop.set_immediate([&] {
    clock.advance(5ms);
    loop.set_timeout(10ms, log_time("cached"));
  });
  loop.run();
  Loop present({.timer_start = TimerStart::present, .clock = &clock});
  present.set_immediate([&] {
    clock.advance(5ms);
    present.set_timeout(
        10ms, [&] { trace.push_back("present@" + std::to_string(present.now().count())); });
  });
  present.run();
  EXPECT_THAT(trace, ElementsAre("cached@10", "present@25"));
}

}  // namespace
}  // namespace rondo::test
