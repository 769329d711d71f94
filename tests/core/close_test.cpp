// The close phase. docs/semantics.md has the rules CLOSE.
#include "core/loop_core.h"
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Close : public LoopTest {};

// CLOSE-1
TEST_F(Close, ItComesAfterTheImmediatesOfTheSameIteration) {
  loop.queue_close(log_phase("close"));
  loop.set_immediate(log_phase("immediate"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("immediate:check", "close:close"));
}

// CLOSE-1
TEST_F(Close, TheCloseOfAHandleTornDownAbruptlyIsToldHereAndNotAtOnce) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    poll.close(log_phase("closed"));
    EXPECT_THAT(trace, IsEmpty());
    loop.next_tick(log_phase("tick"));
    loop.set_immediate(log_phase("immediate"));
  }));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick:poll", "immediate:check", "closed:close"));
}

TEST_F(Close, TicksAndMicrotasksDrainBetweenTwoCloses) {
  for (int i = 0; i < 2; ++i) {
    loop.queue_close([&] {
      trace.emplace_back("close");
      loop.queue_microtask(log("microtask"));
      loop.next_tick(log("tick"));
    });
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("close", "tick", "microtask", "close", "tick", "microtask"));
}

// CLOSE-1
TEST_F(Close, PollDoesNotWaitWhileSomethingIsClosing) {
  loop.set_timeout(10ms, log_time("timeout"));
  loop.queue_close(log_time("close"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("close@0", "timeout@10"));
}

// CLOSE-3
TEST_F(Close, TheFirstOneIsReportedFirst) {
  for (const char* name : {"a", "b", "c"}) loop.queue_close(log(name));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("a", "b", "c"));
}

/// The loop of a host such as Node.
class CloseOfAHost : public Close {
 protected:
  CloseOfAHost() { loop.core().timers().policy().set_kind(VisitPolicy::Kind::multiplexed); }
};

// CLOSE-3
TEST_F(CloseOfAHost, TheLastOneIsReportedFirst) {
  for (const char* name : {"a", "b", "c"}) loop.queue_close(log(name));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("c", "b", "a"));
}

// CLOSE-3
TEST_F(CloseOfAHost, WhatACloseQueuesWaitsForTheNextIteration) {
  loop.queue_close(log("a"));
  loop.queue_close([&] {
    trace.emplace_back("b");
    for (const char* name : {"c", "d"}) loop.queue_close(log(name));
    loop.set_immediate(log("immediate"));
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("b", "a", "immediate", "d", "c"));
}

// CLOSE-3
TEST(CloseOfAHostWithABudget, AVisitGoesOnWhereTheLastOneEnded) {
  Loop loop({.budgets = {.close = 2}});
  loop.core().timers().policy().set_kind(VisitPolicy::Kind::multiplexed);
  std::vector<std::string> trace;
  const auto log = [&](const char* name) { return [&trace, name] { trace.emplace_back(name); }; };
  for (const char* name : {"a", "b", "c"}) loop.queue_close(log(name));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("c", "b"));
  loop.queue_close(log("d"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("c", "b", "a", "d"));
}

}  // namespace
}  // namespace rondo::test
