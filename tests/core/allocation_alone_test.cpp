// Hot paths allocate nothing once warm, and a timer costs at most 96 bytes. This program replaces
// the global operator new, which is why it is one of its own.
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

#include "count_allocations.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

/// A callable that just fits.
struct Fitting {
  std::uint64_t* runs;
  std::byte rest[Callback<>::kInlineBytes - sizeof(std::uint64_t*)] = {};
  void operator()() const { ++*runs; }
};
static_assert(sizeof(Fitting) == Callback<>::kInlineBytes);
static_assert(Callback<>::kFitsInline<Fitting>);

class Allocation : public ::testing::Test {
 protected:
  static constexpr int kMany = 5'000;

  /// How many allocations `work` makes when it has been done twice before.
  template <class Work>
  static std::uint64_t when_warm(Work work) {
    work();
    work();
    const std::uint64_t before = allocations.count;
    work();
    return allocations.count - before;
  }
  /// Sets many callbacks in some way and runs them.
  template <class Set>
  std::uint64_t set_and_run(Set set) {
    return when_warm([&] {
      for (int i = 0; i < kMany; ++i) set(i);
      loop.run();
    });
  }
  Fitting fitting() { return {&runs}; }

  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  std::uint64_t runs = 0;
};

TEST_F(Allocation, IsCountedHere) {
  const Allocations before = allocations;
  const auto seen = std::make_unique<std::uint64_t>(1);
  EXPECT_EQ(allocations.count, before.count + 1);
  EXPECT_EQ(allocations.bytes, before.bytes + sizeof(*seen));
}

TEST_F(Allocation, IsMadeForACallableThatDoesNotFit) {
  struct Large : Fitting {
    void* more = nullptr;
  };
  EXPECT_EQ(set_and_run([&](int) { loop.set_immediate(Large{fitting()}); }), std::uint64_t{kMany});
}

TEST_F(Allocation, IsNotMadeForATimer) {
  EXPECT_EQ(set_and_run([&](int) { loop.set_timeout(10ms, fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForTimersOfManyDurations) {
  EXPECT_EQ(set_and_run([&](int i) { loop.set_timeout(milliseconds(i % 1'000), fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForATimerAloneWithItsDuration) {
  EXPECT_EQ(set_and_run([&](int i) { loop.set_timeout(milliseconds(i + 1), fitting()); }), 0U);
}

TEST_F(Allocation, IsNotMadeForAnInterval) {
  const auto work = [&] {
    Timer interval = loop.set_interval(1ms, fitting());
    loop.set_timeout(1'000ms, [&] { interval.clear(); });
    loop.run();
  };
  EXPECT_EQ(when_warm(work), 0U);
  EXPECT_GE(runs, 3U * 999);
}

TEST_F(Allocation, IsNotMadeForClearingAndRefreshing) {
  EXPECT_EQ(set_and_run([&](int i) {
              Timer timer = loop.set_timeout(milliseconds(i % 100), fitting());
              timer.refresh();
              timer.unref();
              timer.clear();
              Immediate immediate = loop.set_immediate(fitting());
              immediate.clear();
            }),
            0U);
  EXPECT_EQ(runs, 0U);
}

TEST_F(Allocation, IsNotMadeForATick) {
  EXPECT_EQ(set_and_run([&](int) { loop.next_tick(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForAMicrotask) {
  EXPECT_EQ(set_and_run([&](int) { loop.queue_microtask(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForAnImmediate) {
  EXPECT_EQ(set_and_run([&](int) { loop.set_immediate(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForADeferredResult) {
  EXPECT_EQ(set_and_run([&](int) { loop.defer(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForAClose) {
  EXPECT_EQ(set_and_run([&](int) { loop.queue_close(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeForAPost) {
  EXPECT_EQ(set_and_run([&](int) { loop.post(fitting()); }), 0U);
  EXPECT_EQ(runs, 3U * kMany);
}

TEST_F(Allocation, IsNotMadeByAnImmediateThatSetsTheNext) {
  struct Again {
    Loop* loop;
    int left;
    void operator()() const {
      if (left != 0) loop->set_immediate(Again{loop, left - 1});
    }
  };
  EXPECT_EQ(when_warm([&] {
              loop.set_immediate(Again{&loop, kMany});
              loop.run();
            }),
            0U);
}

TEST_F(Allocation, IsNotMadeByAReadyDescriptorThatIsPolledAgainAndAgain) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Poll poll(loop, ends[1]);
  ASSERT_TRUE(poll.start(PollEvents::writable, [&](PollEvents) { ++runs; }));
  EXPECT_EQ(when_warm([&] {
              for (int i = 0; i < 100; ++i) loop.run_nowait();
            }),
            0U);
  EXPECT_GE(runs, 300U);
  poll.close();
  ::close(ends[0]);
  ::close(ends[1]);
}

/// The bytes asked for, from the first to the last, per timer.
double bytes_per_timer(int timers, const std::function<milliseconds(int)>& delay_of) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  std::uint64_t runs = 0;
  const std::uint64_t before = allocations.bytes;
  for (int i = 0; i < timers; ++i) loop.set_timeout(delay_of(i), Fitting{&runs});
  return static_cast<double>(allocations.bytes - before) / timers;
}

TEST(BytesPerTimer, AreAtMost96ForAMillionTimersOfOneDuration) {
  EXPECT_LE(bytes_per_timer(1'000'000, [](int) { return 10ms; }), 96.0);
}

TEST(BytesPerTimer, AreAtMost96ForAMillionTimersOfAThousandDurations) {
  EXPECT_LE(bytes_per_timer(1'000'000, [](int i) { return milliseconds(i % 1'000 + 1); }), 96.0);
}

TEST(BytesPerTimer, FiringAMillionTimersAllocatesNothing) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  std::uint64_t runs = 0;
  for (int i = 0; i < 1'000'000; ++i) loop.set_timeout(milliseconds(i % 1'000), Fitting{&runs});
  loop.run_nowait();  // the first wait of a backend allocates memory for its events
  const std::uint64_t before = allocations.count;
  loop.run();
  EXPECT_EQ(runs, 1'000'000U);
  // Epoll makes room for events when it first waits.
  EXPECT_LE(allocations.count - before, 2U);
}

}  // namespace
}  // namespace rondo::test
