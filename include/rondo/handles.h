// What set_timeout() and its kin return: small values that name something scheduled in a loop.
//
// A handle owns nothing. Copy it, drop it, keep it after the timer has fired: each operation
// checks that what it names still exists, and does nothing otherwise. Like everything of a loop
// it is used on the loop's thread, and only while the loop exists; dropping it is always safe.
#pragma once

#include <cstdint>

#include "rondo/detail/language.h"

namespace rondo {

class Loop;

namespace detail {

/// A slot and the generation of its contents. Generations begin at 1: a default SlotId names
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

  /// Takes it back. False if there was nothing left to take back.
  bool clear();

  /// Whether it keeps the loop alive: it does, until it is unref'd.
  Self& ref();
  Self& unref();
  bool has_ref() const;

  /// Whether it is still to run. A timer counts while its callback runs, an immediate does not:
  /// the one can still be cleared or refreshed then, the other is spent.
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

  /// Starts its duration anew from now; inside its own callback it sets the timer again, an
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
