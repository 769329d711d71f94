// The check phase. docs/semantics.md has the rules CHECK.
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Check : public LoopTest {};

// CHECK-1
TEST_F(Check, RunsTheImmediatesQueuedBeforeThePhaseBeganInOrder) {
  loop.set_immediate(log_phase("1"));
  loop.post([&] { loop.set_immediate(log_phase("3")); });
  loop.set_immediate(log_phase("2"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1:check", "2:check", "3:check"));
}

// CHECK-1
TEST_F(Check, TicksAndMicrotasksDrainBetweenTwoImmediates) {
  for (int i = 0; i < 2; ++i) {
    loop.set_immediate([&] {
      trace.emplace_back("immediate");
      loop.queue_microtask(log("microtask"));
      loop.next_tick(log("tick"));
    });
  }
  loop.run();
  EXPECT_THAT(trace,
              ElementsAre("immediate", "tick", "microtask", "immediate", "tick", "microtask"));
}

// CHECK-3
TEST_F(Check, InsideAnIoCallbackAnImmediateRunsBeforeAnyTimerHoweverMany) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  for (int i = 0; i < 100; ++i) loop.set_timeout(1ms, log("timer set before"));
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    poll.close();
    for (int i = 0; i < 100; ++i) loop.set_timeout(0ms, log("timer set inside"));
    loop.set_immediate(log("immediate"));
    clock.advance(10ms);
  }));
  loop.run();
  ASSERT_EQ(trace.size(), 201U);
  EXPECT_EQ(trace.front(), "immediate");
}

// CHECK-3
TEST_F(Check, AnImmediateIsNeverHeldBackByAnActiveTimer) {
  loop.set_timeout(1h, [] {}).unref();
  loop.set_interval(1h, [] {}).unref();
  loop.set_immediate(log_time("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate@0"));
}

TEST_F(Check, AnImmediateIsSpentWhenItsCallbackBegins) {
  Immediate immediate;
  immediate = loop.set_immediate([&] {
    EXPECT_FALSE(immediate.active());
    EXPECT_FALSE(immediate.has_ref());
    EXPECT_FALSE(immediate.clear());
    EXPECT_FALSE(loop.alive());
  });
  EXPECT_TRUE(immediate.active());
  loop.run();
  EXPECT_FALSE(immediate.active());
}

TEST_F(Check, AClearedImmediateDoesNotRun) {
  Immediate immediate = loop.set_immediate(log("immediate"));
  EXPECT_TRUE(immediate.clear());
  EXPECT_FALSE(immediate.clear());
  EXPECT_FALSE(loop.alive());
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Check, ClearingAnyOfTheQueueLeavesTheOthersInOrder) {
  std::vector<Immediate> immediates;
  for (const char* name : {"0", "1", "2", "3", "4"}) {
    immediates.push_back(loop.set_immediate(log(name)));
  }
  immediates[0].clear();
  immediates[2].clear();
  immediates[4].clear();
  loop.set_immediate(log("5"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "3", "5"));
}

TEST_F(Check, AnUnreferencedImmediateRunsWhenTheLoopComesBy) {
  loop.set_immediate(log_time("unreferenced")).unref();
  loop.set_timeout(10ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("unreferenced@10", "timeout@10"));
}

TEST_F(Check, AStaleHandleDoesNotClearTheImmediateInItsPlace) {
  Immediate old = loop.set_immediate(log("old"));
  old.clear();
  const Immediate young = loop.set_immediate(log("young"));
  EXPECT_FALSE(old == young);
  EXPECT_FALSE(old.clear());
  old.unref();
  loop.run();
  EXPECT_THAT(trace, ElementsAre("young"));
}

}  // namespace
}  // namespace rondo::test
