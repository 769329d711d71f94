// The steady clock, read in half the time.
#pragma once

#include <cstdint>

#include "rondo/detail/chrono.h"

namespace rondo::lens {

/// Where the kernel itself takes the time from the processor's counter (TSC), so does this, and
/// looks at the steady clock every 10 ms to be no more than some tens of nanoseconds away from it.
/// Elsewhere it is the steady clock. Never goes back. For one thread.
class QuickClock {
 public:
  QuickClock();

  std::chrono::nanoseconds now() noexcept {
#if defined(__x86_64__)
    const std::uint64_t ticks = __builtin_ia32_rdtsc() - base_ticks_;
    if (ticks < most_ticks_) [[likely]] {
      const std::chrono::nanoseconds time(
          base_ + static_cast<std::int64_t>(ticks * factor_ >> kFactorShift));
      if (time > last_) last_ = time;
      return last_;
    }
#endif
    return look();
  }

 private:
  static constexpr int kFactorShift = 32;

  /// At the steady clock.
  std::chrono::nanoseconds look() noexcept;

  bool counter_is_good_;
  std::uint64_t base_ticks_ = 0;
  std::uint64_t most_ticks_ = 0;  // for so long `base_` is to be used; 0: not at all
  std::int64_t base_ = 0;
  std::uint64_t factor_ = 0;  // nanoseconds of a tick, << kFactorShift
  double speed_ = 0;          // the same; 0: not known yet
  std::uint64_t first_ticks_ = 0;
  std::int64_t first_ = 0;
  std::chrono::nanoseconds last_{};
};

}  // namespace rondo::lens
