#include "rondo/retry.h"

#include <algorithm>
#include <random>

namespace rondo::detail {

std::chrono::duration<double, std::milli> Backoff::next() {
  // What it is for is to differ between programs: a generator for each thread, seeded by the
  // system.
  static thread_local std::minstd_rand random{std::random_device{}()};
  const double whole = std::min(next_ms_, static_cast<double>(options_.longest.count()));
  next_ms_ = whole * std::max(options_.factor, 1.0);
  const double jitter = std::clamp(options_.jitter, 0.0, 1.0);
  return std::chrono::duration<double, std::milli>(
      whole - whole * jitter * std::uniform_real_distribution<>()(random));
}

}  // namespace rondo::detail
