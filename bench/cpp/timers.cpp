// Timers: many of them, with a thousand durations between them.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <uv.h>

#include "rondo/loop.h"

#include "rows.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTimers = 1'000'000;
constexpr std::size_t kRefreshed = 100'000;
constexpr std::size_t kRefreshRounds = 100;
constexpr std::uint32_t kDurations = 1'000;

/// `count` durations of `shortest` and up to 999 ms more, in an order that nothing can predict
/// but that is the same in each run.
std::vector<milliseconds> durations(std::size_t count, milliseconds shortest) {
  std::vector<milliseconds> result(count);
  std::mt19937 random(1);
  for (auto& duration : result) duration = shortest + milliseconds(random() % kDurations);
  return result;
}

void sleep_until_all_are_due() {
  std::this_thread::sleep_for(milliseconds(kDurations + 1));
}

// ---- Ours -------------------------------------------------------------------------------------

/// A loop that has already had as many timers as it will have: its memory is warm, as is the array
/// of the other side.
class OurTimers {
 public:
  explicit OurTimers(const std::vector<milliseconds>& durations)
      : durations_(durations), timers_(durations.size()) {
    run([this] {
      set_all();
      clear_all();
    });
  }

  /// Runs `work`, and then the loop until nothing is left. In a callback, because now() is cached
  /// there: that is where programs set their timers, and libuv's time is always cached.
  template <class Work>
  void run(Work&& work) {
    loop_.set_immediate([&work] { work(); });
    loop_.run();
  }

  void set_all() {
    for (std::size_t i = 0; i < timers_.size(); ++i) timers_[i] = set(i);
  }
  void clear_all() {
    for (Timer& timer : timers_) timer.clear();
  }
  void set_and_clear_each() {
    for (std::size_t i = 0; i < timers_.size(); ++i) set(i).clear();
  }
  void allow_refresh() {}
  void refresh_all() {
    loop_.update_now();
    for (Timer& timer : timers_) timer.refresh();
  }

  std::size_t fired() const { return fired_; }

 private:
  Timer set(std::size_t i) {
    return loop_.set_timeout(durations_[i], [this] { ++fired_; });
  }

  const std::vector<milliseconds>& durations_;
  Loop loop_;
  std::vector<Timer> timers_;
  std::size_t fired_ = 0;
};

// ---- libuv ------------------------------------------------------------------------------------

class UvTimers {
 public:
  explicit UvTimers(const std::vector<milliseconds>& durations)
      : durations_(durations), timers_(std::make_unique<uv_timer_t[]>(durations.size())) {}

  template <class Work>
  void run(Work&& work) {
    uv_update_time(loop_.get());
    work();
    uv_update_time(loop_.get());
    uv_run(loop_.get(), UV_RUN_DEFAULT);
  }

  void set_all() {
    for (std::size_t i = 0; i < durations_.size(); ++i) {
      init(i);
      start(i, i);
    }
  }
  void clear_all() {
    for (std::size_t i = 0; i < durations_.size(); ++i) uv_timer_stop(&timers_[i]);
  }
  /// With one timer for all of them, as a program would that has only one at a time.
  void set_and_clear_each() {
    init(0);
    for (std::size_t i = 0; i < durations_.size(); ++i) {
      start(0, i);
      uv_timer_stop(&timers_[0]);
    }
  }
  /// uv_timer_again() starts only timers that repeat.
  void allow_refresh() {
    for (std::size_t i = 0; i < durations_.size(); ++i) {
      uv_timer_set_repeat(&timers_[i], duration(i));
    }
  }
  void refresh_all() {
    uv_update_time(loop_.get());
    for (std::size_t i = 0; i < durations_.size(); ++i) uv_timer_again(&timers_[i]);
  }

  std::size_t fired() const { return fired_; }

 private:
  void init(std::size_t timer) {
    uv_timer_init(loop_.get(), &timers_[timer]);
    timers_[timer].data = this;
  }
  void start(std::size_t timer, std::size_t i) {
    const auto fire = [](uv_timer_t* fired) { ++static_cast<UvTimers*>(fired->data)->fired_; };
    uv_timer_start(&timers_[timer], fire, duration(i), 0);
  }
  std::uint64_t duration(std::size_t i) const {
    return static_cast<std::uint64_t>(durations_[i].count());
  }

  const std::vector<milliseconds>& durations_;
  std::unique_ptr<uv_timer_t[]> timers_;
  UvLoop loop_;  // after the timers: it closes them while they are there
  std::size_t fired_ = 0;
};

// ---- The work, the same for both ---------------------------------------------------------------

template <class Timers>
double set_and_fire() {
  const auto delays = durations(kTimers, milliseconds(1));
  Timers timers(delays);
  Stopwatch watch;
  timers.run([&] {
    watch.start();
    timers.set_all();
    watch.stop();
    sleep_until_all_are_due();
    watch.start();
  });
  watch.stop();
  expect(timers.fired() == kTimers, "not all timers have fired");
  return watch.ns_per(kTimers);
}

template <class Timers>
double set_and_clear_all() {
  const auto delays = durations(kTimers, milliseconds(1));
  Timers timers(delays);
  Stopwatch watch;
  timers.run([&] {
    watch.start();
    timers.set_all();
    timers.clear_all();
    watch.stop();
  });
  expect(timers.fired() == 0, "a cleared timer has fired");
  return watch.ns_per(kTimers);
}

template <class Timers>
double set_and_clear_each() {
  const auto delays = durations(kTimers, milliseconds(1));
  Timers timers(delays);
  Stopwatch watch;
  timers.run([&] {
    watch.start();
    timers.set_and_clear_each();
    watch.stop();
  });
  expect(timers.fired() == 0, "a cleared timer has fired");
  return watch.ns_per(kTimers);
}

template <class Timers>
double refresh() {
  const auto delays = durations(kRefreshed, std::chrono::hours(1));
  Timers timers(delays);
  Stopwatch watch;
  timers.run([&] {
    timers.set_all();
    timers.allow_refresh();
    watch.start();
    for (std::size_t round = 0; round < kRefreshRounds; ++round) timers.refresh_all();
    watch.stop();
    timers.clear_all();
  });
  return watch.ns_per(kRefreshed * kRefreshRounds);
}

}  // namespace

std::vector<Row> timer_rows() {
  return {
      uv_row("timers", "set 1,000,000 timers over 1,000 durations and fire them all", "ns/timer", 3,
             set_and_fire<OurTimers>, set_and_fire<UvTimers>),
      uv_row("timers", "set and clear 1,000,000 timers", "ns/timer", 5,
             set_and_clear_all<OurTimers>, set_and_clear_all<UvTimers>),
      uv_row("timers", "set and clear 1,000,000 timers, one at a time", "ns/timer", {},
             set_and_clear_each<OurTimers>, set_and_clear_each<UvTimers>),
      uv_row("timers", "refresh of 100,000 live timers, 100 rounds", "ns/refresh", 5,
             refresh<OurTimers>, refresh<UvTimers>),
  };
}

}  // namespace rondo::bench
