// rondo/metrics.h: what the loop has done so far, in figures.
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;

class MetricsOfALoop : public LoopTest {};

TEST_F(MetricsOfALoop, AreZeroAtFirst) {
  const Metrics metrics = loop.metrics();
  EXPECT_EQ(metrics.iterations, 0U);
  EXPECT_EQ(metrics.events, 0U);
  EXPECT_EQ(metrics.ticks, 0U);
  EXPECT_EQ(metrics.microtasks, 0U);
  EXPECT_EQ(metrics.waits, 0U);
  EXPECT_EQ(metrics.idle, 0ns);
  for (const PhaseMetrics& phase : metrics.phases) {
    EXPECT_EQ(phase.callbacks, 0U);
    EXPECT_EQ(phase.time, 0ns);
  }
}

TEST_F(MetricsOfALoop, CountIterations) {
  for (int i = 0; i < 5; ++i) loop.run_nowait();
  EXPECT_EQ(loop.metrics().iterations, 5U);
}

TEST_F(MetricsOfALoop, CountCallbacksOfEachPhase) {
  Hook hooks[] = {loop.on_idle([] {}), loop.on_prepare([] {}), loop.on_check([] {})};
  for (int i = 0; i < 2; ++i) loop.defer([] {});
  for (int i = 0; i < 3; ++i) loop.post([] {});
  for (int i = 0; i < 4; ++i) loop.set_immediate([] {});
  for (int i = 0; i < 5; ++i) loop.queue_close([] {});
  for (int i = 0; i < 6; ++i) loop.set_timeout(1ms, [] {});
  clock.advance(1ms);
  loop.run_nowait();
  const Metrics metrics = loop.metrics();
  EXPECT_EQ(metrics[Phase::pending].callbacks, 2U);
  EXPECT_EQ(metrics[Phase::idle].callbacks, 1U);
  EXPECT_EQ(metrics[Phase::prepare].callbacks, 1U);
  EXPECT_EQ(metrics[Phase::poll].callbacks, 3U);
  EXPECT_EQ(metrics[Phase::check].callbacks, 5U);
  EXPECT_EQ(metrics[Phase::close].callbacks, 5U);
  EXPECT_EQ(metrics[Phase::timers].callbacks, 6U);
  EXPECT_EQ(metrics.events, 3U);
  for (Hook& hook : hooks) hook.clear();
}

TEST_F(MetricsOfALoop, CountTicksAndMicrotasksApart) {
  loop.next_tick([&] { loop.next_tick([] {}); });
  loop.queue_microtask([] {});
  loop.set_immediate([&] { loop.next_tick([] {}); });
  loop.run();
  const Metrics metrics = loop.metrics();
  EXPECT_EQ(metrics.ticks, 3U);
  EXPECT_EQ(metrics.microtasks, 1U);
  EXPECT_EQ(metrics[Phase::check].callbacks, 1U);
  EXPECT_EQ(metrics[Phase::none].callbacks, 0U);
}

TEST_F(MetricsOfALoop, CountEventsOfDescriptors) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(loop.metrics().events, 3U);
  EXPECT_EQ(loop.metrics()[Phase::poll].callbacks, 3U);
}

TEST_F(MetricsOfALoop, SayHowLongTheLoopWasAsleep) {
  loop.set_timeout(10ms, [&] {
    clock.advance(5ms);
    loop.set_timeout(10ms, [] {});
  });
  loop.run();
  EXPECT_EQ(clock.now(), 20ms) << "set from the time of the phase: due at 20";
  EXPECT_EQ(loop.metrics().idle, 15ms);
  EXPECT_EQ(loop.metrics().waits, 2U);
}

TEST_F(MetricsOfALoop, SayHowLongEachPhaseTookWithItsTicksAndWithoutSleep) {
  loop.defer([&] { clock.advance(1ms); });
  Hook hooks[] = {loop.on_idle([&] { clock.advance(2ms); }),
                  loop.on_prepare([&] { clock.advance(3ms); })};
  loop.post([&] {
    clock.advance(4ms);
    loop.next_tick([&] { clock.advance(10ms); });
  });
  loop.set_immediate([&] { clock.advance(5ms); });
  loop.queue_close([&] { clock.advance(6ms); });
  loop.set_timeout(1ms, [&] { clock.advance(7ms); });
  loop.run_nowait();
  for (Hook& hook : hooks) hook.clear();
  loop.set_timeout(100ms, [] {});
  loop.run();
  const Metrics metrics = loop.metrics();
  EXPECT_EQ(metrics[Phase::pending].time, 1ms);
  EXPECT_EQ(metrics[Phase::idle].time, 2ms);
  EXPECT_EQ(metrics[Phase::prepare].time, 3ms);
  EXPECT_EQ(metrics[Phase::poll].time, 14ms);
  EXPECT_EQ(metrics[Phase::check].time, 5ms);
  EXPECT_EQ(metrics[Phase::close].time, 6ms);
  EXPECT_EQ(metrics[Phase::timers].time, 7ms);
  EXPECT_EQ(metrics.idle, 100ms);
}

TEST_F(MetricsOfALoop, TheTimesAddUpToTheTimeThatHasPassed) {
  loop.run_nowait();
  const Metrics before = loop.metrics();
  loop.set_timeout(10ms, [&] { clock.advance(3ms); });
  loop.set_immediate([&] { clock.advance(2ms); });
  loop.run();
  const Metrics after = loop.metrics();
  std::chrono::nanoseconds sum = after.idle - before.idle;
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    sum += after.phases[i].time - before.phases[i].time;
  }
  EXPECT_EQ(sum, 13ms);
  EXPECT_EQ(after.at - before.at, sum);
}

TEST_F(MetricsOfALoop, SayHowMuchWaitsInEachQueue) {
  loop.next_tick([] {});
  for (int i = 0; i < 2; ++i) loop.queue_microtask([] {});
  for (int i = 0; i < 3; ++i) loop.defer([] {});
  for (int i = 0; i < 4; ++i) loop.on_idle([] {});
  for (int i = 0; i < 5; ++i) loop.on_prepare([] {});
  for (int i = 0; i < 6; ++i) loop.on_check([] {});
  for (int i = 0; i < 7; ++i) loop.set_immediate([] {});
  for (int i = 0; i < 8; ++i) loop.queue_close([] {});
  for (int i = 0; i < 9; ++i) loop.post([] {});
  for (int i = 0; i < 10; ++i) loop.set_timeout(std::chrono::milliseconds(i), [] {});
  const QueueDepths depth = loop.metrics().depth;
  EXPECT_EQ(depth.ticks, 1U);
  EXPECT_EQ(depth.microtasks, 2U);
  EXPECT_EQ(depth.pending, 3U);
  EXPECT_EQ(depth.idle, 4U);
  EXPECT_EQ(depth.prepare, 5U);
  EXPECT_EQ(depth.check, 6U);
  EXPECT_EQ(depth.immediates, 7U);
  EXPECT_EQ(depth.close, 8U);
  EXPECT_EQ(depth.posted, 9U);
  EXPECT_EQ(depth.timers, 10U);
  EXPECT_EQ(depth.completions, 0U);
}

TEST_F(MetricsOfALoop, CountCompletionsThatWereCollectedButNotDelivered) {
  Loop small({.budgets = {.poll = 1}, .clock = &clock});
  const Bell bells[] = {Bell(1), Bell(1), Bell(1)};
  Poll polls[] = {Poll(small, bells[0].fd()), Poll(small, bells[1].fd()),
                  Poll(small, bells[2].fd())};
  for (Poll& poll : polls) {
    ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  }
  small.run_nowait();
  EXPECT_EQ(small.metrics().depth.completions, 2U);
  EXPECT_EQ(small.metrics().events, 1U);
}

TEST_F(MetricsOfALoop, MayBeAskedForInsideACallback) {
  loop.set_immediate([&] {
    EXPECT_EQ(loop.metrics().iterations, 1U);
    EXPECT_EQ(loop.metrics().depth.immediates, 1U) << "this one is spent, the other waits";
  });
  loop.set_immediate([] {});
  loop.run();
}

}  // namespace
}  // namespace rondo::test
