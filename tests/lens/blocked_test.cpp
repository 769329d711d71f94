// rondo::lens::Blocked without an engine.
#include "rondo/lens/blocked.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/loop.h"

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What was reported, and a way to wait for it.
class Reports {
 public:
  void add(const BlockedReport& report) {
    const std::lock_guard guard(mutex_);
    all_.push_back(report);
    changed_.notify_all();
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 30s, [&] { return all_.size() >= count; });
  }
  template <class Wanted>
  bool wait_for(Wanted&& wanted)
    requires std::predicate<Wanted, const BlockedReport&>
  {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 30s, [&] { return std::ranges::any_of(all_, wanted); });
  }
  std::vector<BlockedReport> all() {
    const std::lock_guard guard(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<BlockedReport> all_;
};

class BlockedLoop : public ::testing::Test {
 protected:
  Blocked::Options options(std::chrono::milliseconds limit) {
    return {.limit = limit,
            .report = [this](const BlockedReport& report) { reports_.add(report); }};
  }

  Reports reports_;
  Loop loop_;
};

TEST_F(BlockedLoop, ACallbackIsReportedWhileItRunsAndWhenItIsOver) {
  const Blocked blocked(loop_, options(20ms));
  bool seen = false;
  loop_.set_timeout(1ms, [&] { seen = reports_.wait_for(2); });
  loop_.set_timeout(1ms, [&] { EXPECT_TRUE(reports_.wait_for(3)); });  // the end of the first
  loop_.run();
  EXPECT_TRUE(seen);
  const std::vector<BlockedReport> all = reports_.all();
  ASSERT_GE(all.size(), 3U);
  EXPECT_FALSE(all[0].over);
  EXPECT_EQ(all[0].phase, Phase::timers);
  EXPECT_GE(all[0].lasted, 20ms);
  EXPECT_GE(all[1].lasted, 40ms);
  EXPECT_TRUE(all[2].over);
  EXPECT_GE(all[2].lasted, all[1].lasted);
}

TEST_F(BlockedLoop, TheLastReportComesAtTheLatestWhenTheWatchEnds) {
  {
    const Blocked blocked(loop_, options(10ms));
    loop_.set_immediate([&] {
      EXPECT_TRUE(reports_.wait_for(1));
      loop_.stop();
    });
    loop_.run();
  }
  ASSERT_GE(reports_.all().size(), 2U);
  EXPECT_TRUE(reports_.all().back().over);
  EXPECT_EQ(reports_.all().front().phase, Phase::check);
}

TEST_F(BlockedLoop, EachCallbackOfAPhaseIsOneOfItsOwn) {
  const Blocked blocked(loop_, options(20ms));
  // The first one is over, for the watch, before the second is too long.
  loop_.set_immediate([&] { EXPECT_TRUE(reports_.wait_for(1)); });
  loop_.set_immediate([&] {
    EXPECT_TRUE(reports_.wait_for([](const BlockedReport& report) { return report.over; }));
    const std::size_t seen = reports_.all().size();
    EXPECT_TRUE(reports_.wait_for(seen + 1));
    EXPECT_FALSE(reports_.all()[seen].over);
  });
  loop_.run();
}

TEST_F(BlockedLoop, ALoopThatDoesNotRunIsNotBlocked) {
  {
    const Blocked blocked(loop_, options(10ms));
    loop_.set_immediate([&] { EXPECT_TRUE(reports_.wait_for(1)); });
    loop_.run();
    // What the watch sees next is that it is over, without anything that runs after it.
    EXPECT_TRUE(reports_.wait_for([](const BlockedReport& report) { return report.over; }));
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_TRUE(reports_.all().back().over);
}

TEST_F(BlockedLoop, TheFiguresAreTrue) {
  using SteadyClock = std::chrono::steady_clock;
  const SteadyClock::time_point set = SteadyClock::now();
  SteadyClock::time_point began;
  SteadyClock::time_point ended;
  {
    const Blocked blocked(loop_, options(30ms));
    loop_.set_timeout(15ms, [&] {
      began = SteadyClock::now();
      EXPECT_TRUE(reports_.wait_for(1));
      ended = SteadyClock::now();
    });
    loop_.run();
  }
  const BlockedReport last = reports_.all().back();
  ASSERT_TRUE(last.over);
  EXPECT_GE(last.at_most + 1ms, ended - began);
  // A timer counts whole milliseconds, and the watch cuts off parts of them.
  EXPECT_LE(last.lasted, SteadyClock::now() - set - 14ms);
}

TEST(BlockedWords, SayWhatAndWhere) {
  BlockedReport report{.lasted = 120ms, .phase = Phase::poll};
  EXPECT_EQ(to_string(report),
            "[blocked] a callback has been running for 120 ms, in the poll phase\n");
  report.moment.label = "setTimeout 5 ms";
  report.moment.stack = {"work (a.js:1:2)"};
  report.moment.waiting = {"2 immediates", "1 timer overdue by up to 9 ms"};
  EXPECT_EQ(to_string(report),
            "[blocked] setTimeout 5 ms has been running for 120 ms, in the poll phase\n"
            "    at work (a.js:1:2)\n"
            "  kept waiting: 2 immediates, 1 timer overdue by up to 9 ms\n");
  report.over = true;
  report.at_most = 122ms;
  report.moment.stack.clear();
  report.moment.waiting.clear();
  EXPECT_EQ(to_string(report),
            "[blocked] setTimeout 5 ms ran for 120 ms, in the poll phase; it is over\n");
  report.at_most = 140ms;
  EXPECT_THAT(to_string(report), HasSubstr("ran for 120 to 140 ms, in"));
  report = {.what = BlockedReport::What::ticks, .lasted = 250ms, .ticks = 7};
  EXPECT_THAT(to_string(report),
              StartsWith("[blocked] ticks have been running for 250 ms without a break: 7 ticks"));
  report.what = BlockedReport::What::microtasks;
  EXPECT_THAT(to_string(report), HasSubstr("promises and microtasks have been running for 250 ms"));
}

}  // namespace
}  // namespace rondo::lens
