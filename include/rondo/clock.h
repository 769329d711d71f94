// The one source of time. The loop reads no other clock, so replacing this one replaces time.
#pragma once

#include "rondo/detail/chrono.h"
#include "rondo/detail/language.h"

namespace rondo {

class Clock {
 public:
  virtual ~Clock() = default;

  /// Time since an arbitrary, fixed point; never goes back.
  virtual std::chrono::nanoseconds now() noexcept = 0;

  /// True when waiting takes no real time: the loop then looks for completed I/O without
  /// waiting and, finding none, calls skip() instead of sleeping. While real work is in progress
  /// (see VirtualClock) it waits for that instead.
  virtual bool is_virtual() const noexcept { return false; }

  /// Called on a virtual clock only, when the loop would have slept this long.
  virtual void skip(std::chrono::nanoseconds /*duration*/) noexcept {}
};

/// The kernel's monotonic clock.
class SystemClock final : public Clock {
 public:
  std::chrono::nanoseconds now() noexcept override;
};

/// A clock for tests and simulations: it only moves by advance(), or when the loop would sleep.
///
/// It does not advance while real work is in progress, which takes real time but ends by itself: a
/// job of work(), a dns::lookup(), a file operation, a child that is not unref'd. So the timeout of
/// such an operation comes only if the program itself lets virtual time pass. It does move while
/// the loop waits for a peer (connect, accept, read, receive, a pipe, dns::resolve()), for a
/// signal, a change of a file or a descriptor, or for a KeepAlive: nothing says that these ever
/// come.
///
///     VirtualClock clock;
///     Loop loop({.clock = &clock});
///     loop.set_timeout(24h, [] { puts("a day later, at once"); });
///     loop.run();
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(std::chrono::nanoseconds start = {}) noexcept : now_(start) {}

  std::chrono::nanoseconds now() noexcept override { return now_; }
  bool is_virtual() const noexcept override { return true; }
  void skip(std::chrono::nanoseconds duration) noexcept override { now_ += duration; }

  /// Moves time on, as a callback does that computes for this long.
  void advance(std::chrono::nanoseconds duration) noexcept { now_ += duration; }

 private:
  std::chrono::nanoseconds now_;
};

}  // namespace rondo
