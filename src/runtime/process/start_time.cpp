#include "runtime/process/start_time.h"

#include <array>
#include <cstddef>
#include <ctime>

namespace rondo {
namespace {

std::uint64_t read_ns(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// Read before main(): it is of the process, whatever number of runtimes it makes later.
const std::uint64_t kStartNs = read_ns(CLOCK_MONOTONIC);
const std::uint64_t kStartEpochNs = read_ns(CLOCK_REALTIME);

thread_local std::array<std::uint64_t, static_cast<std::size_t>(Milestone::kCount)> milestones{};

}  // namespace

std::uint64_t monotonic_ns() noexcept {
  return read_ns(CLOCK_MONOTONIC);
}

std::uint64_t start_ns() noexcept {
  return kStartNs;
}

double start_epoch_ms() noexcept {
  // Whole microseconds, which is what a double holds of such a number.
  return static_cast<double>(kStartEpochNs / 1000) / 1000;
}

void reach(Milestone milestone) noexcept {
  milestones[static_cast<std::size_t>(milestone)] = monotonic_ns();
}

std::uint64_t reached_ns(Milestone milestone) noexcept {
  return milestones[static_cast<std::size_t>(milestone)];
}

}  // namespace rondo
