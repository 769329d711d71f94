// What the loop has done so far, in figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rondo/detail/chrono.h"
#include "rondo/detail/language.h"
#include "rondo/phase.h"

namespace rondo {

struct PhaseMetrics {
  std::uint64_t callbacks = 0;      // run in this phase; ticks and microtasks not counted
  std::chrono::nanoseconds time{};  // spent in it, the ticks that follow each callback
                                    // included, time asleep in poll excluded
};

/// How much waits in each queue at this moment.
struct QueueDepths {
  std::size_t timers = 0;
  std::size_t pending = 0;
  std::size_t idle = 0;
  std::size_t prepare = 0;
  std::size_t check = 0;  // hooks
  std::size_t immediates = 0;
  std::size_t close = 0;
  std::size_t posted = 0;
  std::size_t completions = 0;  // collected, not delivered yet
  std::size_t ticks = 0;
  std::size_t microtasks = 0;
};

struct Metrics {
  std::uint64_t iterations = 0;
  std::uint64_t events = 0;         // completions and posted callbacks delivered in poll
  std::uint64_t ticks = 0;          // run so far
  std::uint64_t microtasks = 0;     // run so far
  std::uint64_t waits = 0;          // times the kernel was asked: one system call each
  std::chrono::nanoseconds at{};    // the loop's clock, up to which the times below are counted
  std::chrono::nanoseconds idle{};  // asleep in poll
  std::array<PhaseMetrics, kPhaseCount> phases{};
  QueueDepths depth;

  const PhaseMetrics& operator[](Phase phase) const noexcept {
    return phases[static_cast<std::size_t>(phase)];
  }
};

}  // namespace rondo
