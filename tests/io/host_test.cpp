// Another loop hosts this one: poll(2) in place of GLib, Qt or Asio.
#include <poll.h>

#include <atomic>
#include <deque>
#include <optional>
#include <stdexcept>
#include <thread>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Whether the descriptor becomes readable within the time given; nullopt waits without limit.
bool readable(int fd, std::optional<nanoseconds> within = 0ns) {
  pollfd entry = {.fd = fd, .events = POLLIN, .revents = 0};
  timespec time{};
  if (within) {
    time.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(*within).count();
    time.tv_nsec = (*within % 1s).count();
  }
  return ::ppoll(&entry, 1, within ? &time : nullptr, nullptr) == 1;
}

/// Waits for the descriptor as a host does. False if nothing woke it: poll(2) looks once more
/// when its time is up, so a wake-up that was lost shows only in the time it took.
bool wakes(int fd) {
  constexpr auto kPatience = 2s;
  const auto before = std::chrono::steady_clock::now();
  return readable(fd, kPatience) && std::chrono::steady_clock::now() - before < kPatience;
}

/// The host: waits as requested, then lets the loop iterate once, until the loop has ended.
/// Returns the number of iterations, or -1 if it was not woken.
int host(Loop& loop) {
  int rounds = 0;
  while (loop.alive()) {
    const HostWait wait = loop.host_wait();
    if (wait.timeout) {
      readable(wait.fd, wait.timeout);
    } else if (!wakes(wait.fd)) {
      loop.run_nowait();
      return -1;
    }
    loop.run_nowait();
    ++rounds;
  }
  return rounds;
}

class Hosted : public LoopTest {
 protected:
  /// After the iteration there is nothing to do: a host that polled now would sleep.
  void expect_quiet() {
    const HostWait wait = loop.host_wait();
    EXPECT_NE(wait.timeout, 0ns);
    EXPECT_FALSE(readable(wait.fd)) << "a host would spin";
  }
};

TEST_F(Hosted, TheDescriptorStaysTheSame) {
  const int fd = loop.host_wait().fd;
  loop.set_timeout(1ms, [] {});
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_EQ(loop.host_wait().fd, fd);
}

TEST_F(Hosted, WithNothingToDoThereIsNoLimit) {
  const HostWait wait = loop.host_wait();
  EXPECT_EQ(wait.timeout, std::nullopt);
  EXPECT_FALSE(readable(wait.fd));
}

TEST_F(Hosted, TheTimeoutIsThatOfTheEarliestTimer) {
  loop.set_timeout(20ms, [] {});
  loop.set_timeout(10ms, [] {}).unref();
  EXPECT_EQ(loop.host_wait().timeout, 10ms);
  clock.advance(4ms);
  EXPECT_EQ(loop.host_wait().timeout, 6ms);
  clock.advance(10ms);
  EXPECT_EQ(loop.host_wait().timeout, 0ms);
}

TEST_F(Hosted, TheTimeoutIsZeroWhileAnythingWaitsToBeRun) {
  const auto expect_zero_for = [&](auto add) {
    expect_quiet();
    add();
    EXPECT_EQ(loop.host_wait().timeout, 0ns);
    loop.run_nowait();
    expect_quiet();
  };
  expect_zero_for([&] { loop.set_immediate(log("immediate")); });
  expect_zero_for([&] { loop.defer(log("deferred")); });
  expect_zero_for([&] { loop.queue_close(log("close")); });
  expect_zero_for([&] { loop.post(log("posted")); });
  expect_zero_for([&] { loop.next_tick(log("tick")); });
  expect_zero_for([&] { loop.queue_microtask(log("microtask")); });
  EXPECT_THAT(trace, ElementsAre("immediate", "deferred", "close", "posted", "tick", "microtask"));
}

TEST_F(Hosted, ATimerRunsWhenItsTimeHasCome) {
  loop.set_timeout(10ms, log_time("timeout"));
  const HostWait wait = loop.host_wait();
  clock.advance(*wait.timeout);
  EXPECT_FALSE(loop.run_nowait());
  EXPECT_THAT(trace, ElementsAre("timeout@10"));
}

TEST(HostedForReal, TimersRunInTime) {
  Loop loop;
  Trace trace;
  loop.set_immediate([&] {
    trace.emplace_back("immediate");
    loop.set_timeout(8ms, [&] { trace.emplace_back("8"); });
    loop.set_timeout(3ms, [&] { trace.emplace_back("3"); });
  });
  const int rounds = host(loop);
  EXPECT_THAT(trace, ElementsAre("immediate", "3", "8"));
  EXPECT_NE(rounds, -1) << "a wake-up was lost";
  EXPECT_LE(rounds, 6) << "the host spins";
}

TEST_F(Hosted, ADescriptorThatBecomesReadyMakesTheHostsDescriptorReadable) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    trace.emplace_back("readable");
    bell.silence();
  }));
  expect_quiet();
  for (std::size_t round = 1; round <= 3; ++round) {
    bell.ring();
    EXPECT_TRUE(wakes(loop.host_wait().fd));
    loop.run_nowait();
    EXPECT_EQ(trace.size(), round);
    expect_quiet();
  }
}

TEST_F(Hosted, ADescriptorThatIsReadyAlreadyIsSeenAtOnce) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { poll.close(); }));
  EXPECT_TRUE(wakes(loop.host_wait().fd));
  loop.run_nowait();
  EXPECT_FALSE(poll.active());
}

TEST_F(Hosted, ADescriptorThatRemainsReadyIsReportedInEveryRound) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(
      poll.start(PollEvents::readable, [&](PollEvents) { trace.emplace_back("readable"); }));
  for (std::size_t round = 1; round <= 3; ++round) {
    EXPECT_TRUE(wakes(loop.host_wait().fd));
    loop.run_nowait();
    EXPECT_EQ(trace.size(), round);
  }
}

TEST_F(Hosted, APostFromAnotherThreadWakesTheHostAndLeavesTheDescriptorQuiet) {
  for (int round = 0; round < 100; ++round) {
    const HostWait wait = loop.host_wait();
    ASSERT_EQ(wait.timeout, std::nullopt);
    const std::jthread poster([&] { loop.post(log("posted")); });
    ASSERT_TRUE(wakes(wait.fd));
    loop.run_nowait();
    ASSERT_EQ(trace.size(), static_cast<std::size_t>(round) + 1);
  }
  expect_quiet();
}

TEST_F(Hosted, APostFromTheHostsOwnThreadWakesItToo) {
  const HostWait wait = loop.host_wait();
  loop.post(log("posted"));
  EXPECT_TRUE(wakes(wait.fd));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("posted"));
  expect_quiet();
}

TEST_F(Hosted, ManyPostsWakeTheHostOnce) {
  const HostWait wait = loop.host_wait();
  for (int i = 0; i < 100; ++i) loop.post(log("posted"));
  EXPECT_TRUE(wakes(wait.fd));
  loop.run_nowait();
  EXPECT_EQ(trace.size(), 100U);
  expect_quiet();
}

TEST_F(Hosted, AKeepAliveReleasedByAnotherThreadWakesTheHost) {
  KeepAlive open = loop.keep_alive();
  const HostWait wait = loop.host_wait();
  const std::jthread thread([&] { open.release(); });
  EXPECT_TRUE(wakes(wait.fd));
  EXPECT_FALSE(loop.run_nowait());
  expect_quiet();
}

TEST_F(Hosted, AStopWakesTheHostAndLeavesTheDescriptorQuiet) {
  const HostWait wait = loop.host_wait();
  loop.stop();
  EXPECT_TRUE(wakes(wait.fd));
  loop.run_nowait();  // which the stop ends at once
  for (int i = 0; i < 3; ++i) {
    loop.host_wait();
    loop.run_nowait();
  }
  expect_quiet();
}

TEST_F(Hosted, AWakeUpThatWasOvertakenLeavesTheDescriptorQuiet) {
  loop.host_wait();
  loop.post(log("posted"));
  loop.host_wait();  // asked twice, as a host may
  loop.stop();
  loop.run_nowait();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("posted"));
  for (int i = 0; i < 3; ++i) {
    loop.host_wait();
    loop.run_nowait();
  }
  expect_quiet();
}

TEST_F(Hosted, WhatIsLeftOverTheHardMaximumIsNotWaitedFor) {
  Loop small({.budgets = {.poll = 1}, .clock = &clock});
  const Bell bells[] = {Bell(1), Bell(1), Bell(1)};
  std::deque<Poll> polls;
  for (const Bell& bell : bells) {
    Poll& poll = polls.emplace_back(small, bell.fd());
    ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
      trace.emplace_back("readable");
      bell.silence();
    }));
  }
  small.run_nowait();
  EXPECT_EQ(small.host_wait().timeout, 0ns);
  small.run_nowait();
  EXPECT_EQ(small.host_wait().timeout, 0ns);
  small.run_nowait();
  for (int i = 0; i < 3; ++i) {
    small.host_wait();
    small.run_nowait();
  }
  EXPECT_THAT(trace, ElementsAre("readable", "readable", "readable")) << "each was ready once";
}

TEST_F(Hosted, APollDestroyedWithItsEventCollectedButNotDeliveredReportsNothing) {
  Loop small({.budgets = {.poll = 1}, .clock = &clock});
  const Bell bells[] = {Bell(1), Bell(1)};
  std::optional<Poll> first(std::in_place, small, bells[0].fd());
  std::optional<Poll> second(std::in_place, small, bells[1].fd());
  ASSERT_TRUE(first->start(PollEvents::readable, [&](PollEvents) { second.reset(); }));
  ASSERT_TRUE(second->start(PollEvents::readable, [&](PollEvents) { first.reset(); }));
  small.run_nowait();
  small.host_wait();
  small.run_nowait();
  EXPECT_NE(first.has_value(), second.has_value());
}

TEST_F(Hosted, AnExceptionLeavesNothingBehindThatTheHostDoesNotHearOf) {
  loop.set_immediate([&] {
    loop.next_tick(log("tick"));
    throw std::runtime_error("immediate");
  });
  loop.host_wait();
  EXPECT_THROW(loop.run_nowait(), std::runtime_error);
  EXPECT_EQ(loop.host_wait().timeout, 0ns);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("tick"));
  expect_quiet();
}

TEST_F(Hosted, ALoopMayBeRunOnItsOwnAfterwards) {
  loop.host_wait();
  loop.post(log("posted"));
  loop.set_timeout(10ms, log_time("timeout"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("posted", "timeout@10"));
  loop.post(log("posted again"));
  EXPECT_FALSE(loop.run());
  expect_quiet();
}

TEST_F(Hosted, AWakeUpFromARunOfItsOwnLeavesTheDescriptorQuiet) {
  Loop real;
  KeepAlive open = real.keep_alive();
  const std::jthread poster([&] {
    for (int i = 0; i < 200; ++i) {
      real.post([] {});
      std::this_thread::yield();
    }
    real.post([&] { open.release(); });
  });
  real.run();
  for (int i = 0; i < 3; ++i) {
    real.host_wait();
    real.run_nowait();
  }
  EXPECT_FALSE(readable(real.host_wait().fd)) << "a host would spin";
}

TEST(HostedForReal, NothingPostedIsLostWhileTheHostSleepsInBetween) {
  constexpr int kRounds = 2'000;
  Loop loop;
  KeepAlive open = loop.keep_alive();
  std::atomic<int> ran = 0;
  const std::jthread poster([&] {
    for (int i = 0; i < kRounds; ++i) {
      loop.post([&] { ran.fetch_add(1); });
      if (i % 3 == 0) {
        while (ran.load() != i + 1) std::this_thread::yield();
      }
    }
    loop.post([&] { open.release(); });
  });
  const int rounds = host(loop);
  if (rounds == -1) loop.run();
  EXPECT_NE(rounds, -1) << "a wake-up was lost";
  EXPECT_EQ(ran.load(), kRounds);
  EXPECT_LE(rounds, 3 * kRounds) << "the host spins";
}

TEST(HostedForReal, ADescriptorThatBecomesReadyWhileTheHostSleepsWakesIt) {
  Loop loop;
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { bell.silence(); }));
  for (int round = 0; round < 20; ++round) {
    const HostWait wait = loop.host_wait();
    const std::jthread ringer([&] {
      std::this_thread::sleep_for(1ms);
      bell.ring();
    });
    ASSERT_TRUE(wakes(wait.fd)) << "round " << round;
    loop.run_nowait();
    ASSERT_FALSE(bell.silence()) << "round " << round;
  }
}

TEST(HostedForReal, APostWhileTheHostSleepsWakesIt) {
  Loop loop;
  int ran = 0;
  for (int round = 1; round <= 20; ++round) {
    const HostWait wait = loop.host_wait();
    const std::jthread poster([&] {
      std::this_thread::sleep_for(1ms);
      loop.post([&] { ++ran; });
    });
    ASSERT_TRUE(wakes(wait.fd)) << "round " << round;
    loop.run_nowait();
    ASSERT_EQ(ran, round);
  }
}

TEST(HostedForReal, ALoopHostedByALoop) {
  Loop outer;
  Loop inner;
  Trace trace;
  Poll poll(outer, inner.host_wait().fd);
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
    do {
      inner.run_nowait();
    } while (inner.host_wait().timeout == 0ns);  // more has come meanwhile: do not wait for it
  }));
  KeepAlive open = inner.keep_alive();
  int left = 100;
  std::jthread poster([&] {
    for (int i = 0; i < 100; ++i) {
      inner.post([&] {
        if (--left == 0) poll.close();
      });
    }
  });
  Timer patience = outer.set_timeout(2s, [&] { poll.close(); });
  patience.unref();
  outer.run();
  EXPECT_EQ(left, 0) << "a wake-up was lost";
  open.release();
}

}  // namespace
}  // namespace rondo::test
