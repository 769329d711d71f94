// The pending phase. docs/semantics.md has the rules PENDING.
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Pending : public LoopTest {};

// ASYNC-1
TEST_F(Pending, AResultThatIsKnownNowIsNotToldNow) {
  loop.set_immediate([&] {
    loop.defer(log("deferred"));
    EXPECT_THAT(trace, IsEmpty());
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("deferred"));
}

// PENDING-1
TEST_F(Pending, AResultIsToldAnIterationLater) {
  const auto iterations = [&] { return loop.metrics().iterations; };
  loop.post([&, deferred_in = iterations() + 1] {
    EXPECT_EQ(iterations(), deferred_in);
    loop.defer([&, deferred_in] { EXPECT_EQ(iterations(), deferred_in + 1); });
    loop.set_immediate(log("immediate of this iteration"));
    loop.defer(log_phase("deferred"));
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate of this iteration", "deferred:pending"));
}

TEST_F(Pending, ItComesBeforeIdlePrepareAndPoll) {
  Hook idle = loop.on_idle(log("idle"));
  Hook prepare = loop.on_prepare(log("prepare"));
  loop.post(log("poll"));
  loop.defer(log("pending"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("pending", "idle", "prepare", "poll"));
  idle.clear();
  prepare.clear();
}

TEST_F(Pending, ItDrainsTicksBetweenTwoResults) {
  for (int i = 0; i < 2; ++i) {
    loop.defer([&] {
      trace.emplace_back("deferred");
      loop.next_tick(log("tick"));
    });
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("deferred", "tick", "deferred", "tick"));
}

// PENDING-2
TEST_F(Pending, PollDoesNotWaitWhileSomethingIsPending) {
  loop.set_timeout(1h, [] {}).unref();
  loop.post([&] { loop.defer(log_time("deferred")); });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("deferred@0"));
}

TEST_F(Pending, RunOnceDoesNotWaitOnceItHasToldAResult) {
  loop.set_timeout(1h, log("timeout"));
  loop.defer(log("deferred"));
  EXPECT_TRUE(loop.run_once());
  EXPECT_THAT(trace, ElementsAre("deferred"));
  EXPECT_EQ(clock.now(), 0ms);
}

}  // namespace
}  // namespace rondo::test
