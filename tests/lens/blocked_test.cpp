// rondo::lens::Blocked without an engine.
#include "rondo/lens/blocked.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <iterator>
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
  bool wait_for(Wanted&& wanted, std::ptrdiff_t count = 1)
    requires std::predicate<Wanted, const BlockedReport&>
  {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 30s,
                             [&] { return std::ranges::count_if(all_, wanted) >= count; });
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
  static auto report_in(Phase phase) {
    return [phase](const BlockedReport& report) { return report.phase == phase && !report.over; };
  }
  static auto end_in(Phase phase) {
    return [phase](const BlockedReport& report) { return report.phase == phase && report.over; };
  }

  Reports reports_;
  Loop loop_;
};

// The loop may be held up anywhere, and is reported then as well: what is looked for is what was
// reported in the phase of the callback.

TEST_F(BlockedLoop, ACallbackIsReportedWhileItRunsAndWhenItIsOver) {
  const Blocked blocked(loop_, options(20ms));
  loop_.set_timeout(1ms, [&] { EXPECT_TRUE(reports_.wait_for(report_in(Phase::timers), 2)); });
  loop_.set_timeout(1ms, [&] { EXPECT_TRUE(reports_.wait_for(end_in(Phase::timers))); });
  loop_.run();
  std::vector<BlockedReport> all = reports_.all();
  std::erase_if(all, [](const BlockedReport& report) { return report.phase != Phase::timers; });
  const auto end = std::ranges::find_if(all, &BlockedReport::over);
  ASSERT_NE(end, all.end());
  ASSERT_GE(end - all.begin(), 2);
  EXPECT_GE(all[0].lasted, 20ms);
  EXPECT_GE(all[1].lasted, 40ms);
  EXPECT_GE(end->lasted, std::prev(end)->lasted);
}

TEST_F(BlockedLoop, TheLastReportComesAtTheLatestWhenTheWatchEnds) {
  {
    const Blocked blocked(loop_, options(10ms));
    loop_.set_immediate([&] {
      EXPECT_TRUE(reports_.wait_for(report_in(Phase::check)));
      loop_.stop();
    });
    loop_.run();
  }
  ASSERT_GE(reports_.all().size(), 2U);
  EXPECT_TRUE(reports_.all().back().over);
}

TEST_F(BlockedLoop, EachCallbackOfAPhaseIsOneOfItsOwn) {
  const Blocked blocked(loop_, options(20ms));
  // The first one is over, for the watch, before the second is too long.
  loop_.set_immediate([&] { EXPECT_TRUE(reports_.wait_for(report_in(Phase::check))); });
  loop_.set_immediate([&] {
    EXPECT_TRUE(reports_.wait_for(end_in(Phase::check)));
    const std::size_t seen = reports_.all().size();
    EXPECT_TRUE(reports_.wait_for(seen + 1));
    EXPECT_FALSE(reports_.all()[seen].over);
  });
  loop_.run();
}

TEST_F(BlockedLoop, ALoopThatDoesNotRunIsNotBlocked) {
  {
    const Blocked blocked(loop_, options(10ms));
    loop_.set_immediate([&] { EXPECT_TRUE(reports_.wait_for(report_in(Phase::check))); });
    loop_.run();
    // What the watch sees next is that it is over, without anything that runs after it.
    EXPECT_TRUE(reports_.wait_for(end_in(Phase::check)));
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_TRUE(reports_.all().back().over);
}

TEST_F(BlockedLoop, TheFiguresAreTrue) {
  using SteadyClock = std::chrono::steady_clock;
  SteadyClock::time_point before;
  SteadyClock::time_point began;
  SteadyClock::time_point ended;
  {
    const Blocked blocked(loop_, options(30ms));
    loop_.set_timeout(15ms, [&] { before = SteadyClock::now(); });
    loop_.set_timeout(15ms, [&] {
      began = SteadyClock::now();
      EXPECT_TRUE(reports_.wait_for(report_in(Phase::timers)));
      ended = SteadyClock::now();
    });
    loop_.run();
  }
  const BlockedReport last = reports_.all().back();
  ASSERT_TRUE(last.over);
  EXPECT_GE(last.at_most + 1ms, ended - began);
  EXPECT_LE(last.lasted, SteadyClock::now() - before);  // without the wait for the timers
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
