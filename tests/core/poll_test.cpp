// The poll phase, its timeout and its hard maximum. docs/semantics.md has the rules POLL.
#include <deque>
#include <optional>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A clock for which waiting is real, so that the loop hands its timeouts to the kernel unchanged.
/// A test that uses it lets the wait end at once: by a descriptor that is ready.
class StandingClock final : public Clock {
 public:
  nanoseconds now() noexcept override { return 0ns; }
};

/// With a descriptor that is always ready, the kernel is asked in every iteration and answers at
/// once; what it was asked for is the poll timeout.
class PollTimeout : public ::testing::Test, public Observer {
 protected:
  using Wait = std::optional<nanoseconds>;

  void SetUp() override { watch_bell(); }

  void watch_bell() {
    ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
    poll.unref();
  }
  void on_wait(Wait timeout) noexcept override { waits.push_back(timeout); }

  /// The timeout of one iteration of run_once().
  Wait timeout_of_one_iteration() {
    waits.clear();
    loop.run_once();
    EXPECT_EQ(waits.size(), 1U);
    return waits.empty() ? Wait(-1ns) : waits.front();
  }

  StandingClock clock;
  Bell bell{1};
  Loop loop{{.clock = &clock, .observer = this}};
  Poll poll{loop, bell.fd()};
  std::vector<Wait> waits;
};

// POLL-1
TEST_F(PollTimeout, IsZeroIfTheLoopWasStopped) {
  loop.on_prepare([&] { loop.stop(); });
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfNothingIsAlive) {
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

TEST_F(PollTimeout, IsZeroIfOnlyUnreferencedThingsAreThere) {
  loop.set_timeout(50ms, [] {}).unref();
  loop.set_immediate([] {}).unref();
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfSomethingWaitsInIdle) {
  loop.on_idle([] {});
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfSomethingWaitsInPending) {
  loop.on_prepare([&] { loop.defer([] {}); });
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfSomethingWaitsInCheck) {
  loop.set_immediate([] {});
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfSomethingWaitsInClose) {
  loop.queue_close([] {});
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

// POLL-1
TEST_F(PollTimeout, IsZeroIfSomethingWasPosted) {
  loop.post([] {});
  loop.set_timeout(50ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 0ns);
}

TEST_F(PollTimeout, IsZeroIfATimerIsDue) {
  VirtualClock late;
  waits.clear();
  Loop other({.clock = &late, .observer = this});
  other.set_timeout(10ms, [] {});
  late.advance(15ms);
  other.run_once();
  EXPECT_THAT(waits, Each(Wait(0ns)));
  EXPECT_EQ(late.now(), 15ms);
}

// POLL-2
TEST_F(PollTimeout, IsElseTheTimeUntilTheEarliestTimer) {
  loop.set_timeout(80ms, [] {});
  loop.set_timeout(50ms, [] {});
  loop.set_timeout(70ms, [] {});
  EXPECT_EQ(timeout_of_one_iteration(), 50ms);
}

// POLL-2
TEST_F(PollTimeout, CountsUnreferencedTimersToo) {
  loop.set_timeout(80ms, [] {});
  loop.set_timeout(50ms, [] {}).unref();
  EXPECT_EQ(timeout_of_one_iteration(), 50ms);
}

TEST_F(PollTimeout, DoesNotCountUnreferencedImmediates) {
  loop.set_timeout(50ms, [] {});
  loop.set_immediate([] {}).unref();
  EXPECT_EQ(timeout_of_one_iteration(), 50ms);
}

// POLL-2
TEST_F(PollTimeout, IsElseWithoutLimit) {
  const KeepAlive request = loop.keep_alive();
  EXPECT_EQ(timeout_of_one_iteration(), std::nullopt);
}

TEST_F(PollTimeout, IsWithoutLimitForADescriptorAlone) {
  poll.ref();
  EXPECT_EQ(timeout_of_one_iteration(), std::nullopt);
}

TEST_F(PollTimeout, IsZeroInRunNowait) {
  poll.ref();
  waits.clear();
  loop.run_nowait();
  EXPECT_THAT(waits, ElementsAre(Wait(0ns)));
}

TEST_F(PollTimeout, IsExactToTheNanosecond) {
  VirtualClock odd(300us);
  waits.clear();
  Loop other({.clock = &odd, .observer = this});
  other.set_timeout(2ms, [] {});
  other.run();
  EXPECT_EQ(odd.now(), 2ms) << "the timer was set in millisecond 0";
}

// ---- Delivery ----------------------------------------------------------------------------------

class PollPhase : public LoopTest {
 protected:
  /// Descriptors that are readable, each once, with a callback that logs its number.
  void watch_bells(Loop& on, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Bell& bell = bells.emplace_back(1);
      Poll& poll = polls.emplace_back(on, bell.fd());
      ASSERT_TRUE(poll.start(PollEvents::readable, [this, i](PollEvents) {
        trace.push_back(std::to_string(i));
        bells[i].silence();
        polls[i].stop();
      }));
    }
  }

  std::deque<Bell> bells;
  std::deque<Poll> polls;
};

// POLL-3
TEST_F(PollPhase, RunsTheCallbacksOfWhatCompleted) {
  watch_bells(loop, 3);
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("0", "1", "2"));
}

TEST_F(PollPhase, WaitsForIoWithoutLimitWhenNothingElseIsThere) {
  watch_bells(loop, 1);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("0"));
  EXPECT_EQ(clock.now(), 0ms);
}

// POLL-3
TEST_F(PollPhase, StopsAtTheHardMaximumSoThatIoCannotStarveTheTimers) {
  Loop small({.budgets = {.poll = 2}, .clock = &clock});
  watch_bells(small, 5);
  small.set_timeout(1ms, log("timeout"));
  small.set_immediate(log("immediate"));
  small.on_prepare([&] { clock.advance(1ms); }).unref();
  EXPECT_FALSE(small.run());
  EXPECT_THAT(trace, ElementsAre("0", "1", "immediate", "timeout", "2", "3", "4"));
  polls.clear();
}

TEST_F(PollPhase, CompletionsAndPostedCallbacksShareTheHardMaximum) {
  Loop small({.budgets = {.poll = 3}, .clock = &clock});
  watch_bells(small, 2);
  small.post(log("first posted"));
  small.post(log("second posted"));
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("0", "1", "first posted"));
  small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("0", "1", "first posted", "second posted"));
  polls.clear();
}

TEST_F(PollPhase, AFloodOfIoDoesNotStarveWhatWasPosted) {
  Loop small({.budgets = {.poll = 1}, .clock = &clock});
  const Bell first(1);
  const Bell second(1);
  Poll polls_of_flood[] = {Poll(small, first.fd()), Poll(small, second.fd())};
  for (Poll& poll : polls_of_flood) {
    ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));  // never read: ready for ever
  }
  small.post(log("posted"));
  for (int i = 0; i < 100 && trace.empty(); ++i) small.run_nowait();
  EXPECT_THAT(trace, ElementsAre("posted"));
}

// POLL-4
TEST_F(PollPhase, WhenItsQueueIsEmptyAndImmediatesWaitItGoesOnToCheck) {
  loop.set_timeout(10ms, log_time("timeout"));
  loop.set_immediate(log_time("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate@0", "timeout@10"));
}

// POLL-4
TEST_F(PollPhase, WhenItsQueueIsEmptyAndTimersAreDueItGoesOnRoundToTimers) {
  const KeepAlive request = loop.keep_alive();
  loop.set_timeout(10ms, [&] { loop.stop(); });
  EXPECT_TRUE(loop.run());
  EXPECT_EQ(clock.now(), 10ms);
}

TEST_F(PollPhase, IoThatIsReadyComesBeforeTimeThatWouldHaveToPass) {
  loop.set_timeout(1ms, log_time("timeout"));
  watch_bells(loop, 1);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("0", "timeout@1"));
}

TEST_F(PollPhase, IoThatIsReadyOnlyForChangedEventsComesBeforeTimeThatWouldHaveToPass) {
  const Bell quiet;
  Poll poll(loop, quiet.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  loop.run_nowait();  // the kernel knows what is watched
  ASSERT_TRUE(poll.start(PollEvents::writable, [&](PollEvents) {
    log_time("writable")();
    poll.close();
  }));
  loop.set_timeout(10ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("writable@0", "timeout@10"));
}

// POLL-5
TEST_F(PollPhase, ALongCallbackHoldsItAndATimerRunsLate) {
  loop.set_timeout(100ms, log_time("timeout"));
  loop.set_timeout(95ms, [&] {
    loop.post([&] {
      log_time("10 ms of work")();
      clock.advance(10ms);
    });
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("10 ms of work@95", "timeout@105"));
}

TEST_F(PollPhase, TicksDrainBetweenTwoCompletionsAndTwoPostedCallbacks) {
  for (int i = 0; i < 2; ++i) {
    loop.post([&] {
      trace.emplace_back("posted");
      loop.next_tick(log("tick"));
    });
    const Bell& bell = bells.emplace_back(1);
    Poll& poll = polls.emplace_back(loop, bell.fd());
    ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
      trace.emplace_back("readable");
      poll.stop();
      loop.next_tick(log("tick"));
    }));
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("readable", "tick", "readable", "tick", "posted", "tick", "posted",
                                 "tick"));
}

TEST_F(PollPhase, DoesNotAskTheKernelWhenThereIsNothingToAskFor) {
  int left = 1'000;
  std::function<void()> again = [&] {
    if (--left != 0) loop.set_immediate(again);
  };
  loop.set_immediate(again);
  loop.run();
  EXPECT_EQ(loop.metrics().waits, 0U);
}

}  // namespace
}  // namespace rondo::test
