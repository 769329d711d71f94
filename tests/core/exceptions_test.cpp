// When a callback throws. docs/semantics.md has the rules THROW.
#include <stdexcept>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Exceptions : public LoopTest {
 protected:
  static auto raise(std::string text) {
    return [text = std::move(text)] { throw std::runtime_error(text); };
  }
  /// Writes what was thrown into the trace.
  void log_uncaught() {
    loop.on_uncaught([this](std::exception_ptr exception) {
      try {
        std::rethrow_exception(std::move(exception));
      } catch (const std::exception& error) {
        trace.push_back("uncaught " + std::string(error.what()));
      } catch (int number) {
        trace.push_back("uncaught number " + std::to_string(number));
      }
    });
  }
  /// Runs the loop, which is expected to throw, and gives the text of what it throws.
  std::string run_and_catch() {
    try {
      loop.run();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  }
};

// THROW-1
TEST_F(Exceptions, TheHandlerReceivesWhatWasThrownAndThePhaseGoesOnWhereItWas) {
  log_uncaught();
  loop.set_immediate(log("1"));
  loop.set_immediate(raise("2"));
  loop.set_immediate(log("3"));
  loop.queue_close(log("close"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("1", "uncaught 2", "3", "close"));
}

TEST_F(Exceptions, AnythingMayBeThrown) {
  log_uncaught();
  loop.set_immediate([] { throw 42; });  // NOLINT(hicpp-exception-baseclass)
  loop.run();
  EXPECT_THAT(trace, ElementsAre("uncaught number 42"));
}

// THROW-2
TEST_F(Exceptions, TheTicksAndMicrotasksOfTheCallbackThatThrewStillRun) {
  log_uncaught();
  loop.set_immediate([&] {
    loop.next_tick(log("tick"));
    loop.queue_microtask(log("microtask"));
    throw std::runtime_error("immediate");
  });
  loop.set_immediate(log("next immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("uncaught immediate", "tick", "microtask", "next immediate"));
}

// THROW-2
TEST_F(Exceptions, ATickThatThrowsDoesNotKeepTheOthersFromRunning) {
  log_uncaught();
  loop.next_tick(raise("tick 1"));
  loop.next_tick(log("tick 2"));
  loop.queue_microtask(raise("microtask 1"));
  loop.queue_microtask(log("microtask 2"));
  loop.run();
  EXPECT_THAT(trace,
              ElementsAre("uncaught tick 1", "tick 2", "uncaught microtask 1", "microtask 2"));
}

TEST_F(Exceptions, EveryKindOfCallbackMayThrow) {
  log_uncaught();
  loop.next_tick(raise("tick"));
  loop.queue_microtask(raise("microtask"));
  loop.set_timeout(1ms, raise("timeout"));
  clock.advance(1ms);
  loop.defer(raise("deferred"));
  Hook idle;
  Hook prepare;
  Hook check;
  idle = loop.on_idle([&] {
    idle.clear();
    throw std::runtime_error("idle");
  });
  prepare = loop.on_prepare([&] {
    prepare.clear();
    throw std::runtime_error("prepare");
  });
  check = loop.on_check([&] {
    check.clear();
    throw std::runtime_error("check");
  });
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    poll.close(raise("poll's close"));
    throw std::runtime_error("readable");
  }));
  loop.post(raise("posted"));
  loop.set_immediate(raise("immediate"));
  loop.queue_close(raise("close"));
  loop.on_before_exit(raise("before exit"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("uncaught tick", "uncaught microtask", "uncaught timeout",
                                 "uncaught deferred", "uncaught idle", "uncaught prepare",
                                 "uncaught readable", "uncaught posted", "uncaught check",
                                 "uncaught immediate", "uncaught close", "uncaught poll's close",
                                 "uncaught before exit"));
}

// THROW-11
TEST_F(Exceptions, AnIntervalThatThrowsIsSetAgain) {
  log_uncaught();
  Timer interval;
  interval = loop.set_interval(10ms, [&] {
    log_time("interval")();
    if (trace.size() >= 3) interval.clear();
    throw std::runtime_error("interval");
  });
  loop.run();
  EXPECT_THAT(trace,
              ElementsAre("interval@10", "uncaught interval", "interval@20", "uncaught interval"));
}

TEST_F(Exceptions, AHookThatThrowsRunsAgain) {
  log_uncaught();
  loop.on_idle(raise("idle"));
  loop.run_nowait();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("uncaught idle", "uncaught idle"));
}

TEST_F(Exceptions, ADescriptorHandleWhoseCallbackThrowsGoesOnWatching) {
  log_uncaught();
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(
      poll.start(PollEvents::readable, [&](PollEvents) { throw std::runtime_error("readable"); }));
  loop.run_nowait();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("uncaught readable", "uncaught readable"));
}

TEST_F(Exceptions, AHandlerThatThrowsAWarningIsUncaughtToo) {
  log_uncaught();
  loop.on_warning(
      [](const Warning& warning) { throw std::runtime_error(std::string(warning.name)); });
  loop.set_timeout(2'147'483'648ms, log("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("uncaught TimeoutOverflowWarning", "timeout"));
}

// ---- Without a handler -------------------------------------------------------------------------

// THROW-3
TEST_F(Exceptions, WithNoHandlerItLeavesRun) {
  loop.set_immediate(raise("immediate"));
  EXPECT_EQ(run_and_catch(), "immediate");
}

TEST_F(Exceptions, ItLeavesRunOnceAndRunNowaitToo) {
  loop.set_immediate(raise("immediate"));
  EXPECT_THROW(loop.run_once(), std::runtime_error);
  loop.set_immediate(raise("immediate"));
  EXPECT_THROW(loop.run_nowait(), std::runtime_error);
}

TEST_F(Exceptions, TheLoopStaysUsableAndWhatHadNotRunRunsInTheNextRunTicksFirst) {
  loop.set_immediate([&] {
    loop.next_tick(log("tick"));
    loop.queue_microtask(log("microtask"));
    throw std::runtime_error("immediate");
  });
  loop.set_immediate(log("next immediate"));
  loop.queue_close(log("close"));
  loop.set_timeout(10ms, log("timeout"));
  EXPECT_EQ(run_and_catch(), "immediate");
  EXPECT_THAT(trace, IsEmpty());
  EXPECT_EQ(loop.phase(), Phase::none);
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("tick", "microtask", "next immediate", "close", "timeout"));
}

// THROW-3
TEST_F(Exceptions, NothingIsLostWhicheverPhaseItLeaves) {
  for (int i = 0; i < 2; ++i) {
    loop.next_tick(raise("tick"));
    loop.queue_microtask(raise("microtask"));
    loop.set_timeout(1ms, raise("timeout"));
    loop.defer(raise("deferred"));
    loop.post(raise("posted"));
    loop.set_immediate(raise("immediate"));
    loop.queue_close(raise("close"));
  }
  clock.advance(1ms);
  std::string text;
  while ((text = run_and_catch()) != "nothing was thrown") trace.push_back(text);
  EXPECT_THAT(trace,
              ::testing::UnorderedElementsAre("tick", "tick", "microtask", "microtask", "timeout",
                                              "timeout", "deferred", "deferred", "posted", "posted",
                                              "immediate", "immediate", "close", "close"));
  EXPECT_FALSE(loop.alive());
}

TEST_F(Exceptions, CompletionsLeftBehindByAnExceptionAreDeliveredInTheNextRun) {
  const Bell bells[] = {Bell(1), Bell(1)};
  Poll polls[] = {Poll(loop, bells[0].fd()), Poll(loop, bells[1].fd())};
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(polls[i].start(PollEvents::readable, [&, i](PollEvents) {
      polls[i].stop();
      throw std::runtime_error("readable " + std::to_string(i));
    }));
  }
  EXPECT_EQ(run_and_catch(), "readable 0");
  EXPECT_TRUE(loop.alive());
  EXPECT_EQ(run_and_catch(), "readable 1");
  EXPECT_FALSE(loop.run());
}

TEST_F(Exceptions, AnIntervalWhoseExceptionLeavesRunIsSetAgain) {
  Timer interval = loop.set_interval(10ms, raise("interval"));
  EXPECT_EQ(run_and_catch(), "interval");
  EXPECT_TRUE(interval.active());
  EXPECT_EQ(run_and_catch(), "interval");
  EXPECT_EQ(loop.now(), 20ms);
  interval.clear();
  EXPECT_FALSE(loop.run());
}

TEST_F(Exceptions, AHookWhoseExceptionLeavesRunMayBeClearedAfterwards) {
  Hook first = loop.on_idle(raise("hook"));
  Hook second = loop.on_idle(log("second"));
  EXPECT_EQ(run_and_catch(), "hook");
  EXPECT_TRUE(second.clear());
  EXPECT_TRUE(first.clear());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Exceptions, AnExceptionFromATickOfTheMainProgramLeavesRunBeforeTheLoopStarts) {
  loop.next_tick(raise("tick"));
  loop.set_immediate(log("immediate"));
  EXPECT_EQ(run_and_catch(), "tick");
  EXPECT_THAT(trace, IsEmpty());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate"));
}

TEST_F(Exceptions, AnExceptionFromBeforeExitLeavesRun) {
  loop.on_before_exit(raise("before exit"));
  EXPECT_EQ(run_and_catch(), "before exit");
}

TEST_F(Exceptions, AStopBeforeTheExceptionConcernsTheRunItLeft) {
  loop.set_immediate([&] {
    loop.stop();
    throw std::runtime_error("immediate");
  });
  loop.set_immediate(log("next immediate"));
  EXPECT_EQ(run_and_catch(), "immediate");
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("next immediate"));
}

// ---- The handler itself ------------------------------------------------------------------------

TEST_F(Exceptions, WhatTheHandlerThrowsLeavesRun) {
  loop.on_uncaught([](const std::exception_ptr&) { throw std::runtime_error("handler"); });
  loop.set_immediate(raise("immediate"));
  loop.set_immediate(log("next immediate"));
  EXPECT_EQ(run_and_catch(), "handler");
  loop.run();
  EXPECT_THAT(trace, ElementsAre("next immediate"));
}

TEST_F(Exceptions, TheHandlerMayReplaceOrRemoveItself) {
  loop.on_uncaught([this, note = std::string("a handler too large to be kept inline")](
                       const std::exception_ptr&) {
    loop.on_uncaught(nullptr);
    trace.push_back(note);
  });
  loop.set_immediate(raise("1"));
  loop.set_immediate(raise("2"));
  EXPECT_EQ(run_and_catch(), "2");
  EXPECT_THAT(trace, ElementsAre("a handler too large to be kept inline"));
}

TEST_F(Exceptions, TicksOfTheHandlerRunBeforeThePhaseGoesOn) {
  loop.on_uncaught([this](const std::exception_ptr&) { loop.next_tick(log("handler's tick")); });
  loop.set_immediate(raise("1"));
  loop.set_immediate(log("2"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("handler's tick", "2"));
}

TEST_F(Exceptions, TheHandlerMaySetTimersAndStopTheLoop) {
  loop.on_uncaught([this](const std::exception_ptr&) {
    loop.stop();
    loop.set_timeout(10ms, log("timeout"));
  });
  loop.set_immediate(raise("1"));
  EXPECT_TRUE(loop.run());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("timeout"));
}

TEST_F(Exceptions, NoErrorIsEverSwallowed) {
  int thrown = 0;
  int received = 0;
  loop.on_uncaught([&](const std::exception_ptr&) { ++received; });
  for (int i = 0; i < 1'000; ++i) {
    const auto fail = [&] {
      ++thrown;
      throw std::runtime_error("again");
    };
    loop.set_timeout(std::chrono::milliseconds(i % 7), fail);
    loop.set_immediate(fail);
    loop.next_tick(fail);
    loop.post(fail);
  }
  loop.run();
  EXPECT_EQ(thrown, 4'000);
  EXPECT_EQ(received, thrown);
}

}  // namespace
}  // namespace rondo::test
