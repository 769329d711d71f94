// What set_timeout() and similar return: small values that identify something scheduled in a loop.
//
// A handle owns nothing. It can be copied, dropped, or kept after the timer has fired: each
// operation checks that its object still exists, and does nothing otherwise. Like everything of a
// loop it is used on the loop's thread, and only while the loop exists; dropping it is always safe.
#pragma once

#include <cstdint>

#include "rondo/detail/language.h"

namespace rondo {

class Loop;

namespace detail {

/// A slot and the generation of its contents. Generations begin at 1: a default SlotId refers to
/// nothing.
struct SlotId {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const SlotId&, const SlotId&) = default;
};

/// What timers, immediates and hooks have in common.
template <class Self>
class ScheduledHandle {
 public:
  ScheduledHandle() = default;

  /// Cancels it. False if there was nothing to cancel.
  bool clear();

  /// Whether it keeps the loop alive: it does, until it is unref'd.
  Self& ref();
  Self& unref();
  bool has_ref() const;

  /// Whether it is still to run. A timer counts as active while its callback runs, an immediate
  /// does not: a timer can still be cleared or refreshed then.
  bool active() const;

  friend bool operator==(const ScheduledHandle&, const ScheduledHandle&) = default;

 protected:
  ScheduledHandle(Loop* loop, SlotId id) : loop_(loop), id_(id) {}

  Loop* loop_ = nullptr;
  SlotId id_;
};

}  // namespace detail

/// A timeout or an interval.
class Timer : public detail::ScheduledHandle<Timer> {
 public:
  Timer() = default;

  /// Restarts its duration from now; inside its own callback it sets the timer again, an
  /// interval likewise. False if it has fired or was cleared.
  bool refresh();

 private:
  friend class Loop;
  using ScheduledHandle::ScheduledHandle;
};

/// A callback queued for the check phase.
class Immediate : public detail::ScheduledHandle<Immediate> {
 public:
  Immediate() = default;

 private:
  friend class Loop;
  using ScheduledHandle::ScheduledHandle;
};

/// A callback of the idle, prepare or check phase that runs in every iteration until cleared.
class Hook : public detail::ScheduledHandle<Hook> {
 public:
  Hook() = default;

 private:
  friend class Loop;
  using ScheduledHandle::ScheduledHandle;
};

}  // namespace rondo
