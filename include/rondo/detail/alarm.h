// The timer behind sleep_for(), with_timeout() and the timeouts of operations.
//
// loop.set_timeout() follows Node: it counts whole milliseconds from the time of the current phase,
// which is that of the last look at the clock. A timeout of an operation must not: after 50 ms of
// parsing, one of 40 ms would be over before it began. An Alarm reads the clock when it is set, and
// rounds up, so that it never goes off early.
#pragma once

#include <cstdint>

#include "rondo/detail/coroutine.h"
#include "rondo/handles.h"

namespace rondo {

class Loop;
class LoopCore;

namespace detail {

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

  /// Wakes the waiter in this many milliseconds, which may be more than the 2^31-1 of a timer. The
  /// alarm stays where it is until then, or until it is cleared.
  void set(Loop& loop, std::int64_t duration_ms, Waiter waiter);
  void set(LoopCore& core, std::int64_t duration_ms, Waiter waiter);

  /// False if it has gone off.
  bool clear() noexcept;

 private:
  void set_timer();
  void rang();

  LoopCore* core_ = nullptr;
  std::int64_t deadline_ms_ = 0;
  Waiter waiter_;
  For purpose_;
  bool put_off_ = false;
  SlotId id_;  // of a timer or, when it is put off, of an immediate
};

}  // namespace detail
}  // namespace rondo
