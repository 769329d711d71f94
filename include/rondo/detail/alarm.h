// The timer of sleep_for(), with_timeout() and the timeouts of operations.
//
// loop.set_timeout() follows Node: it counts whole milliseconds from the time of the current phase,
// which is that of the last look at the clock. A timeout of an operation must not: after 50 ms of
// parsing, one of 40 ms would be over before it began. An Alarm reads the clock when it is set, and
// rounds up, so that it never expires early. What is given in microseconds or nanoseconds counts
// as it is.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <ratio>
#include <utility>

#include "rondo/detail/chrono.h"
#include "rondo/detail/coroutine.h"
#include "rondo/handles.h"

namespace rondo {

class Loop;
class LoopCore;

namespace detail {

/// Whole milliseconds, rounded up; what is not a number is zero.
template <class Rep, class Period>
constexpr std::int64_t whole_milliseconds(std::chrono::duration<Rep, Period> duration) {
  constexpr std::int64_t kFar = std::int64_t{1} << 53;
  using Scale = std::ratio_divide<Period, std::milli>;
  const Rep count = duration.count();
  if (!(count > 0)) return 0;
  if constexpr (std::floating_point<Rep>) {
    const auto ms = static_cast<long double>(count) * Scale::num / Scale::den;
    if (ms >= static_cast<long double>(kFar)) return kFar;
    const auto whole = static_cast<std::int64_t>(ms);
    return static_cast<long double>(whole) < ms ? whole + 1 : whole;
  } else {
    const auto wholes = count / static_cast<Rep>(Scale::den);
    if (std::cmp_greater(wholes, kFar / Scale::num)) return kFar;
    const auto rest = static_cast<std::int64_t>(count % static_cast<Rep>(Scale::den));
    return static_cast<std::int64_t>(wholes) * Scale::num +
           (rest * Scale::num + Scale::den - 1) / Scale::den;
  }
}

/// How long to wait. Kept in milliseconds if the caller's unit is milliseconds or coarser, else in
/// nanoseconds. Fractions are rounded up.
class Delay {
 public:
  template <class Rep, class Period>
  constexpr explicit Delay(std::chrono::duration<Rep, Period> duration)
      : precise_(is_precise(duration)),
        count_(precise_ ? whole_nanoseconds(duration) : whole_milliseconds(duration)) {}

  /// Whether count() is nanoseconds, not milliseconds.
  constexpr bool precise() const noexcept { return precise_; }
  constexpr std::int64_t count() const noexcept { return count_; }

 private:
  // A sum with the time of the clock has room.
  static constexpr std::int64_t kMostNanoseconds = std::numeric_limits<std::int64_t>::max() / 2;
  static constexpr std::int64_t kMostMilliseconds = kMostNanoseconds / 1'000'000;

  template <class Rep, class Period>
  static constexpr bool is_precise(std::chrono::duration<Rep, Period> duration) {
    if (whole_milliseconds(duration) > kMostMilliseconds) return false;
    if constexpr (std::floating_point<Rep>) {
      using Milliseconds = std::chrono::duration<long double, std::milli>;
      if (!(duration.count() > 0)) return false;
      return Milliseconds(duration).count() <
             static_cast<long double>(whole_milliseconds(duration));
    } else {
      return std::ratio_less_v<Period, std::milli>;
    }
  }
  template <class Rep, class Period>
  static constexpr std::int64_t whole_nanoseconds(std::chrono::duration<Rep, Period> duration) {
    if (!(duration.count() > 0)) return 0;
    if constexpr (std::floating_point<Rep>) {
      using Nanoseconds = std::chrono::duration<long double, std::nano>;
      return std::chrono::ceil<std::chrono::nanoseconds>(Nanoseconds(duration)).count();
    } else {
      // Never less; and numbers without sign, or short ones, have no room for nanoseconds.
      using Wide = std::chrono::duration<std::int64_t, Period>;
      return std::chrono::ceil<std::chrono::nanoseconds>(
                 Wide(static_cast<std::int64_t>(duration.count())))
          .count();
    }
  }

  bool precise_;
  std::int64_t count_;
};

class Alarm {
 public:
  enum class For : bool {
    sleep,
    // Puts itself off until the loop has asked the kernel after the deadline: what is ready by then
    // wins, also when a callback has held up the loop until long after the deadline.
    timeout,
  };

  explicit Alarm(For purpose) noexcept : purpose_(purpose) {}
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Wakes the waiter when this time is over, which may be more than the 2^31-1 ms of a timer. The
  /// alarm stays where it is until then, or until it is cleared.
  void set(Loop& loop, Delay delay, Waiter waiter);
  void set(LoopCore& core, Delay delay, Waiter waiter);

  /// False if it has gone off.
  bool clear() noexcept;

 private:
  void set_timer();
  void rang();
  bool asked_since_deadline() const noexcept;

  LoopCore* core_ = nullptr;
  std::int64_t deadline_ = 0;  // in milliseconds or, if it is precise, nanoseconds
  Waiter waiter_;
  For purpose_;
  bool precise_ = false;
  bool put_off_ = false;
  SlotId id_;  // of a timer or, when it is postponed, of an immediate
};

}  // namespace detail
}  // namespace rondo
