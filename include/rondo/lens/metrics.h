// Figures of a running loop, kept so that another thread can read them at any time, also while the
// loop is stuck.
//
//     rondo::lens::Lens lens(loop);
//     rondo::lens::Metrics metrics(lens);
//     ...
//     puts(rondo::lens::to_prometheus(metrics.read()).c_str());    // on any thread
//
// The loop's thread writes plain numbers, without locks and without waiting for readers; only what
// is rare (a callback that took a millisecond, a handle opened) goes through a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rondo/detail/functional.h"
#include "rondo/lens.h"
#include "rondo/metrics.h"

namespace rondo::lens {

/// How often which length of time was seen: 16 steps for each doubling, from a microsecond to
/// hours. A reported length is never too short, and at most 1/16 too long.
class Histogram {
 public:
  static constexpr std::size_t kSize = 512;

  /// The bucket of a length, and the longest length in a bucket.
  static std::size_t index_of(Time length) noexcept;
  static Time length_of(std::size_t index) noexcept;

  std::uint64_t count() const noexcept;
  /// No more than this for that share (0 to 1) of all; zero if there are none.
  Time quantile(double share) const noexcept;
  Time longest() const noexcept;
  /// How many are no longer than this.
  std::uint64_t count_up_to(Time length) const noexcept;

  /// What was added since `before` was copied.
  Histogram since(const Histogram& before) const noexcept;

  std::array<std::uint64_t, kSize> counts{};
};

struct PhaseFigures {
  std::uint64_t callbacks = 0;  // of the loop; ticks and promises, which follow them, not counted
  Time time{};                  // spent in it, ticks and promises included, time asleep excluded
};

/// What the loop does at the moment of reading.
struct Present {
  Phase phase = Phase::none;
  bool asleep = false;    // in poll
  bool finished = false;  // the loop's run is over
  SubjectId running = 0;  // whose callback runs; 0 for none
  Time running_for{};
  /// How long it has been away from the kernel; zero while it sleeps or does not run.
  Time away_for{};
};

struct Figures {
  Time at{};       // when they were read
  Time started{};  // when the metrics were
  std::uint64_t iterations = 0;
  std::uint64_t waits = 0;   // times the kernel was asked
  std::uint64_t events = 0;  // completions it answered with
  Time idle{};               // asleep
  std::array<PhaseFigures, kPhaseCount> phases{};
  /// Callbacks by where they come from. Ticks and microtasks of the loop's own, and the depths, are
  /// as they were at most 50 ms before it last ran.
  std::array<std::uint64_t, kSourceCount> sources{};
  QueueDepths depth;
  /// Loop delay: how long each iteration kept the loop away from the kernel, from when it woke (or
  /// last looked) until it was back in poll. What became ready in between, or a timer that fell
  /// due, had to wait up to so long.
  Histogram delay;
  Time delay_sum{};
  /// How long each callback of the loop took, without the ticks and promises that follow it and
  /// without the main program.
  Histogram durations;
  Time durations_sum{};
  std::uint64_t blocked = 0;  // blocked moments
  Time blocked_time{};
  std::uint64_t handles = 0;  // open
  Present now;
};

/// A function of the program whose calls took a millisecond or more.
struct SlowSite {
  std::string label;  // what called it: "setTimeout 100 ms"
  std::string file;   // from the folder where the program was started; empty: unknown
  std::string function;
  int line = 0;
  int column = 0;
  std::uint64_t runs = 0;  // the slow ones
  Time total{};            // of them
  Time longest{};
};

/// A callback or a visit to a phase that took 50 ms or more.
struct Stall {
  std::chrono::system_clock::time_point when;  // it began
  Time length{};
  Phase phase = Phase::none;
  std::string what;   // "setTimeout 100 ms", "ticks and promises", "1204 callbacks"
  std::string place;  // where the program was meanwhile, or has the function; may be empty
};

struct OpenHandle {
  SubjectId id = 0;
  std::string label;
};

/// Lists that change seldom; `version` is another one when they have.
struct Lists {
  std::uint64_t version = 0;
  std::vector<SlowSite> slowest;    // those with the longest call first
  std::vector<SlowSite> busiest;    // those with the most time in slow calls first
  std::vector<Stall> blocked;       // the last one first
  std::vector<OpenHandle> handles;  // the oldest ones
  std::string running_place;        // while it is blocked: where the program is; may be empty
};

class Metrics final : public Watcher {
 public:
  static constexpr Time kSlow = std::chrono::milliseconds(1);
  static constexpr Time kBlocked = std::chrono::milliseconds(50);

  /// Watches from now on, until it goes.
  explicit Metrics(Lens& lens);
  ~Metrics() override;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // From any thread.
  Figures read() const;
  Lists lists() const;
  std::uint64_t lists_version() const noexcept { return version_.load(std::memory_order_acquire); }

  bool wants_subjects() const override { return false; }
  bool wants_labels() const override { return false; }
  bool wants_sites() const override { return false; }
  bool wants_promises() const override { return false; }
  bool wants_handles() const override { return true; }
  bool wants_details() const override { return true; }
  bool wants_counts() const override { return true; }
  bool wants_every_phase() const override { return false; }

  void on_iteration(Time at, std::uint64_t number) noexcept override;
  void on_quiet_iteration(Time at, std::uint64_t number) noexcept override;
  void on_phase_enter(Time at, Phase phase) noexcept override;
  void on_phase_leave(Time at, Phase phase) noexcept override;
  void on_wait(Time at) noexcept override;
  void on_woken(Time at, std::size_t completions) noexcept override;
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override;
  void on_end(Time at, SubjectId id) noexcept override;
  void on_ran(Source source, std::uint64_t count) noexcept override;
  void on_details(SubjectId id, std::string_view label, const Site& callback) noexcept override;
  void on_place(Time at, const Site& place) noexcept override;
  void on_opened(SubjectId id, std::string_view label) noexcept override;
  void on_closed(SubjectId id) noexcept override;
  void on_finish(Time at, End end) noexcept override;

  /// Called by on_finish(), on the loop's thread, when all can be read. Must not throw.
  void on_end(std::function<void()> report) { at_end_ = std::move(report); }

 private:
  /// A number that one thread writes and others read.
  template <class Value>
  class Cell {
   public:
    Value get() const noexcept { return value_.load(std::memory_order_relaxed); }
    void set(Value value) noexcept { value_.store(value, std::memory_order_relaxed); }
    void add(Value value) noexcept { set(get() + value); }

   private:
    std::atomic<Value> value_{};
  };
  using Count = Cell<std::uint64_t>;
  using Nanoseconds = Cell<std::int64_t>;
  struct Run {
    Time began;
    SubjectId id;
    bool is_callback = false;  // of the loop: no tick, no microtask, not the main program
  };

  void publish_depths(Time at, const QueueDepths& depths) noexcept;
  void came_back(Time at) noexcept;
  void come_inside(Time at) noexcept;
  void go_outside(Time at) noexcept;
  void end_run(Time at, Run run) noexcept;
  void note_slow(std::string_view label, const Site& callback, Time length);
  void note_blocked(Time began, Time length, Phase phase, std::string what, std::string place);
  void changed() noexcept { version_.fetch_add(1, std::memory_order_release); }

  Lens& lens_;
  std::function<void()> at_end_;
  const std::uint64_t before_;  // iterations that were not counted
  const Time started_;
  std::string folder_;  // where the program was started, with a slash at its end

  // ---- Written by the loop's thread, read by others ----
  Count iterations_;
  Count waits_;
  Count events_;
  Nanoseconds idle_;
  std::array<Count, kPhaseCount> callbacks_;
  std::array<Count, kSourceCount> sources_;
  std::array<Nanoseconds, kPhaseCount> phase_time_;
  std::array<Count, Histogram::kSize> delay_;
  Nanoseconds delay_sum_;
  std::array<Count, Histogram::kSize> durations_;
  Nanoseconds durations_sum_;
  Count blocked_count_;
  Nanoseconds blocked_time_;
  Cell<Phase> phase_;
  Nanoseconds asleep_since_;   // 0: awake
  Nanoseconds away_since_;     // 0: not away
  Nanoseconds running_since_;  // 0: nothing runs
  Count running_;
  Cell<bool> finished_;
  Count ticks_;  // the loop's own
  Count microtasks_;
  std::array<Count, sizeof(QueueDepths) / sizeof(std::size_t)> depth_;

  // ---- Of the loop's thread alone ----
  std::vector<Run> runs_;  // in progress, the innermost last
  Time round_{};           // when the loop was last at the kernel
  Time outside_{};         // since when it is outside of all phases, if it is
  bool is_outside_ = true;
  Time phase_began_{};
  Time slept_{};         // in this phase
  Time in_callbacks_{};  // in this phase
  std::uint64_t callbacks_before_ = 0;
  std::uint64_t blocked_before_ = 0;
  Time published_{};
  Run last_run_{};  // the one that details are asked for
  Time last_run_length_{};
  Phase last_run_phase_ = Phase::none;

  // ---- Behind the lock ----
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> version_ = 1;
  std::vector<SlowSite> sites_;
  std::vector<Stall> blocked_;  // a ring
  std::size_t next_blocked_ = 0;
  std::map<SubjectId, std::string> handles_;
  Count handle_count_;
  std::string running_place_;
  Time place_reported_{};
};

/// The text that Prometheus reads, version 0.0.4 of its format.
std::string to_prometheus(const Figures& figures);

}  // namespace rondo::lens
