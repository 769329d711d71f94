// An immediate that iterates by itself as long as the loop would skip everything.
#include <functional>
#include <thread>

#include "rondo/scheduler.h"

#include "core/loop_core.h"
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;

class QuietRound : public LoopTest {
 protected:
  bool go_round() { return loop.core().try_quiet_iteration(); }

  /// What it says inside an immediate after `before` has run there.
  template <class Before>
  bool after(Before before) {
    bool quiet = false;
    loop.set_immediate([&] {
      before();
      quiet = go_round();
    });
    loop.run();
    return quiet;
  }
};

TEST_F(QuietRound, IsGoneWhenThereIsNothingToDo) {
  EXPECT_TRUE(after([] {}));
}

// ITERATION-7
TEST_F(QuietRound, IsAnIterationAndAVisitOfTheCheckPhase) {
  std::uint64_t visits = 0;
  std::uint64_t iterations = 0;
  loop.set_immediate([&] {
    visits = loop.core().check().visits();
    iterations = loop.metrics().iterations;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(go_round());
    visits = loop.core().check().visits() - visits;
    iterations = loop.metrics().iterations - iterations;
  });
  loop.run();
  EXPECT_EQ(visits, 3U);
  EXPECT_EQ(iterations, 3U);
}

TEST_F(QuietRound, MovesTheTime) {
  loop.set_immediate([&] {
    clock.advance(3ms);
    EXPECT_EQ(loop.now(), 0ms);
    EXPECT_TRUE(go_round());
    EXPECT_EQ(loop.now(), 3ms);
  });
  loop.run();
}

TEST_F(QuietRound, ImmediatesSetAfterItWaitForTheNextVisit) {
  loop.set_immediate([&] {
    EXPECT_TRUE(go_round());
    loop.set_immediate(log_phase("next"));
    trace.emplace_back("first");
  });
  loop.run();
  EXPECT_THAT(trace, ::testing::ElementsAre("first", "next:check"));
}

// ITERATION-7
TEST_F(QuietRound, NotWhenATimerIsDue) {
  loop.set_timeout(5ms, [] {});
  EXPECT_FALSE(after([&] { clock.advance(5ms); }));
}

TEST_F(QuietRound, ATimerThatIsNotDueDoesNotMatter) {
  loop.set_timeout(5ms, [] {});
  EXPECT_TRUE(after([&] { clock.advance(4ms); }));
}

// ITERATION-7
TEST_F(QuietRound, NotWhenImmediatesWait) {
  EXPECT_FALSE(after([&] { loop.set_immediate([] {}); }));
  EXPECT_FALSE(after([&] { loop.set_immediate([] {}).unref(); }));
}

TEST_F(QuietRound, NotWhenTicksOrMicrotasksWait) {
  EXPECT_FALSE(after([&] { loop.next_tick([] {}); }));
  EXPECT_FALSE(after([&] { loop.queue_microtask([] {}); }));
}

TEST_F(QuietRound, NotWhenSomethingIsDeferredPostedOrToBeClosed) {
  EXPECT_FALSE(after([&] { loop.defer([] {}); }));
  EXPECT_FALSE(after([&] { loop.post([] {}); }));
  EXPECT_FALSE(after([&] { loop.queue_close([] {}); }));
  EXPECT_FALSE(after([&] { std::thread([&] { loop.post([] {}); }).join(); }));
}

TEST_F(QuietRound, NotWhenThereAreHooks) {
  Hook hook;
  EXPECT_FALSE(after([&] { (hook = loop.on_idle([] {})).unref(); }));
  hook.clear();
  EXPECT_FALSE(after([&] { (hook = loop.on_prepare([] {})).unref(); }));
  hook.clear();
  EXPECT_FALSE(after([&] { (hook = loop.on_check([] {})).unref(); }));
  hook.clear();
  EXPECT_TRUE(after([] {}));
}

TEST_F(QuietRound, NotWhenTheLoopIsToStop) {
  EXPECT_FALSE(after([&] { loop.stop(); }));
}

TEST_F(QuietRound, NotWhenADescriptorIsReady) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { poll.close(); }));
  bool before = true;
  bool after_ring = true;
  loop.set_immediate([&] {
    // Armed by now, and silent.
    before = go_round();
    bell.ring();
    after_ring = go_round();
  });
  loop.run();
  // A backend that cannot see this without asking the kernel is never quiet while it watches.
  if (loop.backend() == "uring") {
    EXPECT_TRUE(before);
  }
  EXPECT_FALSE(after_ring);
}

TEST_F(QuietRound, NotInASingleIteration) {
  bool quiet = true;
  loop.set_immediate([&] { quiet = go_round(); });
  loop.run_nowait();
  EXPECT_FALSE(quiet);
  quiet = true;
  loop.set_immediate([&] { quiet = go_round(); });
  loop.run_once();
  EXPECT_FALSE(quiet);
}

TEST_F(QuietRound, NotWhenSomebodyWatches) {
  class Watcher : public Observer {
  } watcher;
  loop.set_observer(&watcher);
  EXPECT_FALSE(after([] {}));
  loop.set_observer(nullptr);
  EXPECT_TRUE(after([] {}));
}

TEST(QuietRoundScheduler, NotWhenSomebodyChooses) {
  class Chooser : public Scheduler {
  } chooser;
  VirtualClock clock;
  Loop loop{{.clock = &clock, .scheduler = &chooser}};
  bool quiet = true;
  loop.set_immediate([&] { quiet = loop.core().try_quiet_iteration(); });
  loop.run();
  EXPECT_FALSE(quiet);
}

TEST_F(QuietRound, CheckVisitsAreCounted) {
  const std::uint64_t before = loop.core().check().visits();
  int left = 3;
  std::function<void()> again = [&] {
    if (--left > 0) loop.set_immediate([&] { again(); });
  };
  loop.set_immediate([&] { again(); });
  loop.run();
  EXPECT_EQ(loop.core().check().visits() - before, 3U);
}

}  // namespace
}  // namespace rondo::test
