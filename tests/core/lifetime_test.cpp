// The life of a program. docs/semantics.md has the rules LIFE.
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Lifetime : public LoopTest {};

// LIFE-1
TEST_F(Lifetime, NothingRunsBeforeTheMainProgramHasEnded) {
  loop.next_tick(log("tick"));
  loop.queue_microtask(log("microtask"));
  loop.set_timeout(1ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  loop.defer(log("deferred"));
  loop.queue_close(log("close"));
  loop.post(log("posted"));
  EXPECT_THAT(trace, IsEmpty());
  loop.run();
  EXPECT_EQ(trace.size(), 7U);
}

// LIFE-2
TEST_F(Lifetime, TicksAndMicrotasksDrainBeforeTheFirstPhase) {
  loop.set_timeout(1ms, log("timeout"));
  loop.defer(log("deferred"));
  loop.queue_microtask(log("microtask"));
  loop.next_tick(log("tick"));
  clock.advance(1ms);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick", "microtask", "timeout", "deferred"));
}

// LIFE-2
TEST_F(Lifetime, TicksAndMicrotasksDrainEvenWhenNothingKeepsTheLoopAlive) {
  loop.next_tick(log("tick"));
  loop.queue_microtask(log("microtask"));
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("tick", "microtask"));
}

// LIFE-5
TEST_F(Lifetime, AProgramWithNothingToWaitForEndsAtOnce) {
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(loop.metrics().iterations, 0U);
  EXPECT_EQ(clock.now(), 0ms);
}

// LIFE-3
TEST_F(Lifetime, AReferencedTimeoutKeepsTheLoopAlive) {
  loop.set_timeout(10ms, log_time("timeout"));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("timeout@10"));
}

// LIFE-3
TEST_F(Lifetime, AReferencedIntervalKeepsTheLoopAliveUntilItIsCleared) {
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    trace.push_back("interval@" + std::to_string(loop.now().count()));
    if (trace.size() == 3) interval.clear();
  });
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("interval@10", "interval@20", "interval@30"));
}

// LIFE-3
TEST_F(Lifetime, AReferencedImmediateKeepsTheLoopAlive) {
  loop.set_immediate(log("immediate"));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("immediate"));
}

// LIFE-3
TEST_F(Lifetime, AReferencedHookKeepsTheLoopAlive) {
  for (auto add : {&Loop::on_idle, &Loop::on_prepare, &Loop::on_check}) {
    Hook hook = (loop.*add)([] {});
    EXPECT_TRUE(loop.alive());
    EXPECT_TRUE(loop.run_nowait());
    hook.clear();
    EXPECT_FALSE(loop.run());
  }
}

// LIFE-3
TEST_F(Lifetime, AnActiveDescriptorHandleKeepsTheLoopAlive) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  EXPECT_FALSE(loop.alive()) << "not started yet";
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    trace.emplace_back("readable");
    poll.stop();
  }));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("readable"));
}

// LIFE-3
TEST_F(Lifetime, AnOutstandingRequestKeepsTheLoopAlive) {
  KeepAlive request = loop.keep_alive();
  EXPECT_TRUE(loop.alive());
  loop.set_timeout(5ms, [&] { request.release(); });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(clock.now(), 5ms);
}

TEST_F(Lifetime, AKeepAliveHandsItsHoldOnWhenMovedAndReleasesOnce) {
  KeepAlive first = loop.keep_alive();
  KeepAlive second = std::move(first);
  first.release();  // NOLINT(bugprone-use-after-move): holds nothing, says the header
  EXPECT_TRUE(loop.alive());
  second = loop.keep_alive();
  EXPECT_TRUE(loop.alive());
  second.release();
  second.release();
  EXPECT_FALSE(loop.alive());
  {
    const KeepAlive scoped = loop.keep_alive();
  }
  EXPECT_FALSE(loop.alive());
}

// LIFE-3
TEST_F(Lifetime, AHandleThatIsClosingKeepsTheLoopAlive) {
  loop.queue_close(log("close"));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("close"));
}

// LIFE-3
TEST_F(Lifetime, ADeferredResultKeepsTheLoopAlive) {
  loop.defer(log("deferred"));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("deferred"));
}

// LIFE-3
TEST_F(Lifetime, APostedCallbackKeepsTheLoopAlive) {
  loop.post(log("posted"));
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("posted"));
}

// LIFE-4
TEST_F(Lifetime, TicksAndMicrotasksAloneDoNotKeepTheLoopAlive) {
  loop.next_tick([] {});
  loop.queue_microtask([] {});
  EXPECT_FALSE(loop.alive());
}

// ---- beforeExit -------------------------------------------------------------------------------

// LIFE-7
TEST_F(Lifetime, BeforeExitIsEmittedWhenNothingIsAliveAnyMore) {
  loop.on_before_exit(log("before exit"));
  loop.set_timeout(10ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("immediate", "timeout", "before exit"));
}

TEST_F(Lifetime, BeforeExitIsEmittedByAnEmptyProgramToo) {
  loop.on_before_exit(log("before exit"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("before exit"));
}

// LIFE-7
TEST_F(Lifetime, WorkScheduledByBeforeExitIsDoneAndThenItIsEmittedAgain) {
  int emitted = 0;
  loop.on_before_exit([&] {
    trace.push_back("before exit " + std::to_string(++emitted));
    if (emitted == 1) loop.set_timeout(10ms, log("timeout"));
    if (emitted == 2) loop.set_immediate(log("immediate"));
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("before exit 1", "timeout", "before exit 2", "immediate",
                                 "before exit 3"));
}

// LIFE-8
TEST_F(Lifetime, TicksOfBeforeExitRunButAreNoReasonToGoOn) {
  loop.on_before_exit([&] {
    trace.emplace_back("before exit");
    loop.next_tick(log("tick"));
    loop.queue_microtask(log("microtask"));
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("before exit", "tick", "microtask"));
}

TEST_F(Lifetime, WorkScheduledByATickOfBeforeExitIsDone) {
  loop.on_before_exit([&] {
    loop.on_before_exit(nullptr);
    loop.next_tick([&] { loop.set_immediate(log("immediate")); });
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("immediate"));
}

// LIFE-8
TEST_F(Lifetime, UnreferencedWorkScheduledByBeforeExitIsNoReasonToGoOn) {
  loop.on_before_exit([&] {
    trace.emplace_back("before exit");
    loop.set_timeout(1ms, log("timeout")).unref();
    loop.set_immediate(log("immediate")).unref();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("before exit"));
}

TEST_F(Lifetime, BeforeExitIsNotEmittedByALoopThatWasStopped) {
  loop.on_before_exit(log("before exit"));
  loop.set_immediate([&] { loop.stop(); });
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Lifetime, BeforeExitIsEmittedByRunOnly) {
  loop.on_before_exit(log("before exit"));
  loop.run_once();
  loop.run_nowait();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Lifetime, AnEmptyBeforeExitHandlerRemovesTheOldOne) {
  loop.on_before_exit(log("before exit"));
  loop.on_before_exit(nullptr);
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Lifetime, ABeforeExitHandlerMayReplaceItself) {
  loop.on_before_exit([&, name = std::string("the first of the handlers, on the heap")] {
    loop.on_before_exit(log("second"));
    loop.set_immediate(log("immediate"));
    trace.push_back(name);
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("the first of the handlers, on the heap", "immediate", "second"));
}

TEST_F(Lifetime, TicksQueuedByTheDestructorOfAReplacedBeforeExitHandlerRunBeforeTheEnd) {
  const auto guard = std::shared_ptr<void>(nullptr, [&](void*) { loop.next_tick(log("tick")); });
  auto copy = guard;
  loop.on_before_exit([&, held = std::move(copy)] { loop.on_before_exit(nullptr); });
  const_cast<std::shared_ptr<void>&>(guard) = nullptr;
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick"));
}

// ---- ref, unref, has_ref ------------------------------------------------------------------------

// LIFE-6
TEST_F(Lifetime, AnUnreferencedTimerDoesNotKeepTheLoopAlive) {
  Timer timer = loop.set_timeout(10ms, log("timeout"));
  EXPECT_TRUE(timer.has_ref());
  timer.unref();
  EXPECT_FALSE(timer.has_ref());
  EXPECT_TRUE(timer.active());
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(clock.now(), 0ms);
}

// LIFE-6
TEST_F(Lifetime, AnUnreferencedTimerRunsWhileSomethingElseKeepsTheLoopAlive) {
  loop.set_timeout(5ms, log_time("unreferenced")).unref();
  loop.set_timeout(10ms, log_time("referenced"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("unreferenced@5", "referenced@10"));
}

TEST_F(Lifetime, AnUnreferencedImmediateDoesNotKeepTheLoopAlive) {
  Immediate immediate = loop.set_immediate(log("immediate"));
  EXPECT_TRUE(immediate.has_ref());
  EXPECT_FALSE(immediate.unref().has_ref());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_TRUE(immediate.active());
}

TEST_F(Lifetime, AnUnreferencedHookDoesNotKeepTheLoopAlive) {
  for (auto add : {&Loop::on_idle, &Loop::on_prepare, &Loop::on_check}) {
    Hook hook = (loop.*add)(log("hook"));
    EXPECT_TRUE(hook.has_ref());
    EXPECT_FALSE(hook.unref().has_ref());
    EXPECT_FALSE(loop.run());
    EXPECT_THAT(trace, IsEmpty());
    EXPECT_TRUE(hook.clear());
  }
}

// LIFE-6
TEST_F(Lifetime, RefUndoesUnrefHoweverOftenEachWasCalled) {
  Timer timer = loop.set_timeout(10ms, log("timeout"));
  timer.unref().unref().unref();
  EXPECT_FALSE(loop.alive());
  timer.ref();
  EXPECT_TRUE(loop.alive());
  timer.ref().ref().unref();
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(timer.ref().ref().clear() && loop.alive()) << "a cleared timer keeps nothing up";
}

TEST_F(Lifetime, AnUnreferencedIntervalStaysUnreferencedWhenItIsSetAgain) {
  Timer interval = loop.set_interval(5ms, log_time("interval"));
  interval.unref();
  loop.set_timeout(12ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("interval@5", "interval@10", "timeout@12"));
  EXPECT_FALSE(interval.has_ref());
}

TEST_F(Lifetime, UnrefInsideACallbackLetsTheLoopEnd) {
  Timer interval;
  interval = loop.set_interval(5ms, [&] { interval.unref(); });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(clock.now(), 5ms);
}

TEST_F(Lifetime, WhatHasRunOrWasClearedHasNoRef) {
  Timer timer = loop.set_timeout(1ms, [] {});
  Immediate immediate = loop.set_immediate([] {});
  Hook hook = loop.on_idle([] {});
  hook.clear();
  loop.run();
  EXPECT_FALSE(timer.has_ref());
  EXPECT_FALSE(immediate.has_ref());
  EXPECT_FALSE(hook.has_ref());
  timer.ref();
  immediate.ref();
  hook.ref();
  EXPECT_FALSE(loop.alive());
}

// ---- run, run_once, run_nowait, stop -----------------------------------------------------------

// LIFE-11
TEST_F(Lifetime, RunMayBeCalledAgainAndAgain) {
  for (int i = 0; i < 3; ++i) {
    loop.set_timeout(10ms, log_time("timeout"));
    EXPECT_FALSE(loop.run());
  }
  EXPECT_THAT(trace, ElementsAre("timeout@10", "timeout@20", "timeout@30"));
}

// LIFE-11
TEST_F(Lifetime, StopEndsRunAfterTheCurrentIteration) {
  loop.set_immediate([&] {
    loop.stop();
    loop.queue_close(log("close of this iteration"));
    loop.set_immediate(log("immediate of the next"));
  });
  EXPECT_TRUE(loop.run()) << "something is left";
  EXPECT_THAT(trace, ElementsAre("close of this iteration"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("close of this iteration", "immediate of the next"));
}

TEST_F(Lifetime, AnIterationThatWasStoppedDoesNotWaitAnyMore) {
  loop.on_prepare([&] { loop.stop(); });
  loop.set_timeout(1h, log("timeout"));
  EXPECT_TRUE(loop.run());
  EXPECT_EQ(clock.now(), 0ms);
}

TEST_F(Lifetime, ALoopStoppedBeforeRunReturnsAtOnceAndOnlyOnce) {
  loop.set_immediate(log("immediate"));
  for (auto run : {&Loop::run, &Loop::run_once, &Loop::run_nowait}) {
    loop.stop();
    loop.stop();
    EXPECT_TRUE((loop.*run)());
    EXPECT_THAT(trace, IsEmpty());
  }
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("immediate"));
}

TEST_F(Lifetime, RunOnceWaitsForSomethingToHappen) {
  loop.set_timeout(10ms, log("first"));
  loop.set_timeout(20ms, log("second"));
  EXPECT_TRUE(loop.run_once());
  EXPECT_THAT(trace, ElementsAre("first"));
  EXPECT_FALSE(loop.run_once());
  EXPECT_THAT(trace, ElementsAre("first", "second"));
  EXPECT_EQ(loop.metrics().iterations, 2U);
}

TEST_F(Lifetime, RunNowaitDoesNotWait) {
  loop.set_timeout(10ms, log("timeout"));
  EXPECT_TRUE(loop.run_nowait());
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(clock.now(), 0ms);
  clock.advance(10ms);
  EXPECT_FALSE(loop.run_nowait());
  EXPECT_THAT(trace, ElementsAre("timeout"));
}

TEST_F(Lifetime, RunOnceAndRunNowaitDrainTheTicksFirst) {
  loop.next_tick(log("tick"));
  loop.defer(log("deferred"));
  loop.run_nowait();
  loop.next_tick(log("tick"));
  loop.defer(log("deferred"));
  loop.run_once();
  EXPECT_THAT(trace, ElementsAre("tick", "deferred", "tick", "deferred"));
}

}  // namespace
}  // namespace rondo::test
