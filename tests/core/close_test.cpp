// The close phase. docs/semantics.md has the rules CLOSE.
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

}  // namespace
}  // namespace rondo::test
