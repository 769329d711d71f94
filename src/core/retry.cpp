#include "rondo/retry.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace rondo::detail {

std::chrono::nanoseconds Backoff::next() {
  // What it is for is to differ between programs: a generator for each thread, seeded by the
  // system.
  static thread_local std::minstd_rand random{std::random_device{}()};
  const double whole = std::min(next_, static_cast<double>(options_.longest.count()));
  next_ = whole * std::max(options_.factor, 1.0);
  const double jitter = std::clamp(options_.jitter, 0.0, 1.0);
  constexpr double kMost = 4e18;  // there is room to cast it
  const double delay = whole - whole * jitter * std::uniform_real_distribution<>()(random);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(delay, kMost)));
}

}  // namespace rondo::detail
