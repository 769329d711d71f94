// What may come from any thread: post(), stop(), the release of a KeepAlive. Meant for TSan.
#include <atomic>
#include <memory>
#include <random>
#include <thread>

#include "core/loop_core.h"
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;

constexpr int kThreads = 4;

/// Runs `work(number)` in some threads and waits for them at the end.
template <class Work>
std::vector<std::jthread> start_threads(int count, Work work) {
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back([work, i] { work(i); });
  return threads;
}

TEST(Threads, EverythingPostedRunsOnceAndInTheOrderOfItsThread) {
  constexpr int kEach = 20'000;
  Loop loop;
  KeepAlive open = loop.keep_alive();
  int next[kThreads] = {};
  int total = 0;
  bool in_order = true;
  const auto threads = start_threads(kThreads, [&](int thread) {
    for (int i = 0; i < kEach; ++i) {
      loop.post([&, thread, i] {
        if (next[thread]++ != i) in_order = false;
        if (++total == kThreads * kEach) open.release();
      });
    }
  });
  loop.run();
  EXPECT_EQ(total, kThreads * kEach);
  EXPECT_TRUE(in_order);
}

TEST(Threads, WhatIsPostedBeforeRunRunsFirst) {
  Loop loop;
  Trace trace;
  loop.post([&] { trace.emplace_back("this thread"); });
  std::jthread([&] { loop.post([&] { trace.emplace_back("another thread"); }); }).join();
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ::testing::ElementsAre("this thread", "another thread"));
}

TEST(Threads, AnUnreferencedPostRunsIfSomethingElseKeepsTheLoopAlive) {
  Loop loop;
  Trace trace;
  std::jthread([&] {
    loop.core().post_unreferenced([&] { trace.emplace_back("unreferenced"); });
  }).join();
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ::testing::IsEmpty());
  loop.post([&] { trace.emplace_back("referenced"); });
  EXPECT_TRUE(loop.alive());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ::testing::ElementsAre("unreferenced", "referenced"));
}

TEST(Threads, APostWakesALoopThatSleepsEveryTime) {
  // Each post waits until the one before has run and the loop is asleep again, or about to be:
  // the moment in which a wake-up may be lost. A lost one hangs, and the test's time limit ends it.
  constexpr int kRounds = 3'000;
  Loop loop;
  KeepAlive open = loop.keep_alive();
  std::atomic<int> ran = 0;
  const std::jthread poster([&] {
    std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same run each time
    for (int i = 0; i < kRounds; ++i) {
      for (auto spin = random() % 400; spin != 0; --spin) ran.load();
      loop.post([&] { ran.fetch_add(1); });
      while (ran.load() != i + 1) std::this_thread::yield();
    }
    loop.post([&] { open.release(); });
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(ran.load(), kRounds);
}

TEST(Threads, StormsOfPostsBetweenWhichTheLoopSleepsAreHandledInFull) {
  constexpr int kStorms = 40;
  constexpr int kEach = 200;
  Loop loop;
  KeepAlive open = loop.keep_alive();
  std::atomic<int> ran = 0;
  const auto threads = start_threads(kThreads, [&](int thread) {
    for (int storm = 1; storm <= kStorms; ++storm) {
      for (int i = 0; i < kEach; ++i) loop.post([&] { ran.fetch_add(1); });
      while (ran.load() < storm * kEach * kThreads) std::this_thread::yield();
    }
    if (thread == 0) loop.post([&] { open.release(); });
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(ran.load(), kStorms * kEach * kThreads);
}

TEST(Threads, PostsArriveWhileTimersImmediatesAndDescriptorsKeepTheLoopBusy) {
  constexpr int kEach = 3'000;
  Loop loop;
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  Timer interval = loop.set_interval(1ms, [] {});
  int total = 0;
  const auto threads = start_threads(kThreads, [&](int) {
    for (int i = 0; i < kEach; ++i) {
      loop.post([&] {
        loop.set_immediate([] {});
        if (++total == kThreads * kEach) {
          interval.clear();
          poll.close();
        }
      });
    }
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(total, kThreads * kEach);
}

TEST(Threads, APostFromACallbackOfTheLoopRunsToo) {
  Loop loop;
  int left = 1'000;
  std::function<void()> again = [&] {
    if (--left != 0) loop.post(again);
  };
  loop.post(again);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(left, 0);
}

TEST(Threads, StopWakesALoopThatSleepsEveryTime) {
  constexpr int kRounds = 1'000;
  Loop loop;
  const KeepAlive open = loop.keep_alive();
  std::atomic<int> round = 0;
  const std::jthread stopper([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (round.load() != i) std::this_thread::yield();
      loop.stop();
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    round.store(i);
    EXPECT_TRUE(loop.run());
  }
}

TEST(Threads, StopFromManyThreadsAtOnceEndsOneRunAndDoesNoHarm) {
  Loop loop;
  const KeepAlive open = loop.keep_alive();
  {
    const auto threads = start_threads(kThreads, [&](int) {
      for (int i = 0; i < 1'000; ++i) loop.stop();
    });
    EXPECT_TRUE(loop.run());
  }
  loop.stop();
  EXPECT_TRUE(loop.run());
}

TEST(Threads, AKeepAliveReleasedByAnotherThreadEndsALoopThatSleeps) {
  Loop loop;
  for (int i = 0; i < 500; ++i) {
    std::jthread thread([open = loop.keep_alive()]() mutable { open.release(); });
    EXPECT_FALSE(loop.run());
  }
}

TEST(Threads, ALoopRunsUntilTheLastOfManyKeepAlivesIsReleased) {
  Loop loop;
  std::atomic<int> released = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, open = loop.keep_alive()]() mutable {
      std::vector<KeepAlive> moved;
      moved.push_back(std::move(open));
      std::this_thread::yield();
      released.fetch_add(1);
    });
  }
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(released.load(), kThreads);
}

TEST(Threads, WorkReportedByPostAndThenReleasedIsSeenByTheLoop) {
  // The usual way: post the result, then release. The result must not be lost.
  for (int i = 0; i < 300; ++i) {
    Loop loop;
    bool reported = false;
    std::jthread worker([&, open = loop.keep_alive()]() mutable {
      loop.post([&] { reported = true; });
      open.release();
    });
    loop.run();
    EXPECT_TRUE(reported);
  }
}

TEST(Threads, ALoopMayBeDestroyedAsSoonAsAnotherThreadHasEndedIt) {
  // That thread may still be on its way out of stop(), release() or post().
  for (int i = 0; i < 300; ++i) {
    std::jthread others[3];
    {
      Loop loop;
      const KeepAlive open = loop.keep_alive();
      others[0] = std::jthread([&] { loop.stop(); });
      loop.run();
    }
    {
      Loop loop;
      others[1] = std::jthread([open = loop.keep_alive()]() mutable { open.release(); });
      loop.run();
    }
    {
      Loop loop;
      KeepAlive open = loop.keep_alive();
      others[2] = std::jthread([&] { loop.post([&] { open.release(); }); });
      loop.run();
    }
  }
}

TEST(Threads, ALoopSetUpInOneThreadMayBeAdoptedByAnother) {
  Loop loop;
  Trace trace;
  std::thread::id ran_in;
  loop.set_timeout(1ms, [&] {
    trace.emplace_back("timeout");
    ran_in = std::this_thread::get_id();
  });
  loop.set_immediate([&] { trace.emplace_back("immediate"); });
  const Bell bell(1);
  auto poll = std::make_unique<Poll>(loop, bell.fd());
  ASSERT_TRUE(poll->start(PollEvents::readable, [&](PollEvents) {
    trace.emplace_back("readable");
    poll.reset();
  }));
  std::jthread runner([&] {
    loop.adopt();
    loop.run();
    EXPECT_EQ(ran_in, std::this_thread::get_id());
  });
  runner.join();
  EXPECT_EQ(trace.size(), 3U);
}

TEST(Threads, AnAdoptedLoopIsNoLongerItsMakersUntilHeAdoptsItBack) {
  Loop loop;
  std::jthread([&] { loop.adopt(); }).join();
  EXPECT_THROW(loop.set_immediate([] {}), Misuse);
  loop.adopt();
  loop.set_immediate([] {});
  EXPECT_FALSE(loop.run());
}

TEST(Threads, ALoopThatHasPolledCannotBeAdopted) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  loop.set_timeout(1ms, [] {});
  loop.run();
  ASSERT_GT(loop.metrics().waits, 0U);
  std::string code = "nothing was thrown";
  std::jthread([&] {
    try {
      loop.adopt();
    } catch (const Misuse& misuse) {
      code = misuse.code();
    }
  }).join();
  EXPECT_EQ(code, "ERR_WRONG_THREAD");
  loop.set_immediate([] {});
  EXPECT_FALSE(loop.run()) << "still ours";
}

TEST(Threads, ALoopPerThreadKnowsNothingOfTheOthers) {
  std::atomic<int> done = 0;
  {
    const auto threads = start_threads(kThreads, [&](int) {
      Loop loop;
      int left = 1'000;
      std::function<void()> again = [&] {
        if (--left != 0) loop.set_immediate(again);
      };
      loop.set_immediate(again);
      loop.set_timeout(2ms, [&] { done.fetch_add(1); });
      loop.run();
    });
  }
  EXPECT_EQ(done.load(), kThreads);
}

TEST(Threads, LoopsMayPostToEachOther) {
  constexpr int kRounds = 2'000;
  Loop* there = nullptr;
  std::atomic<bool> ready = false;
  Loop here;
  KeepAlive here_open = here.keep_alive();
  std::jthread thread([&] {
    Loop loop;
    const KeepAlive open = loop.keep_alive();
    there = &loop;
    ready.store(true);
    loop.run();
  });
  while (!ready.load()) std::this_thread::yield();
  int left = kRounds;
  std::function<void()> serve = [&] {
    there->post([&] {
      here.post([&] {
        if (--left != 0) {
          serve();
        } else {
          there->stop();
          here_open.release();
        }
      });
    });
  };
  serve();
  EXPECT_FALSE(here.run());
  EXPECT_EQ(left, 0);
}

TEST(Threads, CallablesPostedButNeverRunAreDestroyedWithTheLoop) {
  const auto held = std::make_shared<int>(0);
  {
    Loop loop;
    const auto threads = start_threads(kThreads, [&loop, held](int) {
      for (int i = 0; i < 100; ++i) loop.post([held] { FAIL(); });
    });
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace rondo::test
