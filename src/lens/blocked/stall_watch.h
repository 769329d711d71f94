// What the thread of rondo::lens::Blocked concludes from samples of a loop. It has neither a thread
// nor a clock of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "rondo/lens/blocked.h"

namespace rondo::lens {

using StallTime = std::chrono::steady_clock::time_point;

/// Counters that change while the loop makes progress.
struct Progress {
  std::uint64_t entries = 0;     // of the loop
  std::uint32_t operations = 0;  // of the engine
  std::uint32_t ticks = 0;
  std::uint32_t microtask_steps = 0;
  bool asleep = false;
  Phase phase = Phase::none;
  // When the loop last read its clock, and `entries` then.
  StallTime read_at = {};
  std::uint64_t read_entries = 0;

  bool same_operation(const Progress& other) const noexcept {
    return !asleep && !other.asleep && entries == other.entries && operations == other.operations;
  }
};

class StallWatch {
 public:
  struct Eyes {
    std::function<StallTime()> now;
    std::function<Progress()> sample;
    BlockedEngine* engine;  // may be null
    std::function<void(const BlockedReport&)> report;
  };

  StallWatch(std::chrono::milliseconds limit, Eyes eyes);

  /// Takes a sample, and returns how long to wait until the next.
  std::chrono::nanoseconds look();
  /// The last sample: if something was reported, how long it took.
  void finish();

 private:
  using Duration = std::chrono::steady_clock::duration;

  void begin_anew(const Progress& progress);
  void bound_begin(const Progress& progress);
  void go_on(StallTime now, const Progress& progress);
  void skip(Duration time) noexcept;
  bool is_same_still();
  void look_early();
  void report(StallTime now, const Progress& progress);
  void name_mixed(BlockedMoment& moment);
  void end_stall(StallTime now);

  Duration limit_;
  Duration period_;
  Eyes eyes_;

  StallTime last_look_;  // its end
  StallTime seen_at_;    // just before what was seen last was seen
  // The operation in progress as it was first seen. It began between two samples; often the loop
  // itself knows more precisely.
  Progress operation_;
  std::uint32_t operations_before_ = 0;  // at the look before
  StallTime began_after_;
  StallTime began_before_;
  // The same of a tick of it.
  std::uint32_t last_tick_ = 0;
  StallTime tick_began_;
  Duration next_report_{};
  std::optional<BlockedMoment> early_;  // what was seen of it before it was too long
  std::optional<BlockedReport> stall_;  // the last report of it
  bool was_reported_ = false;           // of it
  bool is_mixed_ = false;               // ticks and microtasks were seen in it, one after the other
};

}  // namespace rondo::lens
