// When this process began, for what counts from there: performance.now(), process.uptime().
#pragma once

#include <cstdint>

namespace rondo {

/// The monotonic clock, in nanoseconds: process.hrtime().
std::uint64_t monotonic_ns() noexcept;
/// What it showed when the program was loaded.
std::uint64_t start_ns() noexcept;
/// The time of day at that moment, in milliseconds since 1970.
double start_epoch_ms() noexcept;

/// The stages of a start for performance.nodeTiming. There is one runtime on a thread, so
/// they are kept for each thread.
enum class Milestone : std::uint8_t {
  node_start,
  v8_start,
  environment,
  bootstrap_complete,
  loop_start,
  loop_exit,
  kCount,
};

/// Notes that the stage is reached now.
void reach(Milestone milestone) noexcept;
/// On the monotonic clock; 0 if it has not been reached.
std::uint64_t reached_ns(Milestone milestone) noexcept;

}  // namespace rondo
