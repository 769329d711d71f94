// Watching the loop. An observer is notified of everything the loop does and changes nothing:
// its methods are called on the loop's thread, must not throw, and must not call the loop.
// With no observer each of these points costs one predictable branch.
#pragma once

#include <cstddef>
#include <optional>

#include "rondo/detail/chrono.h"
#include "rondo/phase.h"

namespace rondo {

class Observer {
 public:
  virtual ~Observer() = default;

  /// An iteration begins; the first of a loop is number 1.
  virtual void on_iteration(std::uint64_t /*number*/) noexcept {}

  /// Whether the loop may do what it does without an observer: skip phases with nothing to do,
  /// run timers of an engine in a batch, which then is one task, and iterate without leaving the
  /// check phase where an immediate is followed by nothing but the next one. An engine then need
  /// not be in a consistent state when on_scheduled() and on_cancelled() report its timers.
  virtual bool allows_shortcuts() const noexcept { return false; }
  /// The last of these.
  virtual void on_quiet_iteration(std::uint64_t /*number*/) noexcept {}

  virtual void on_phase_enter(Phase /*phase*/) noexcept {}
  virtual void on_phase_leave(Phase /*phase*/) noexcept {}

  /// A callback was put in a queue. Called for the loop's own queues; a completion is
  /// announced by the handle that waits for it. `delay` is the threshold of a timer, as
  /// rounded by the loop; zero for everything else.
  virtual void on_scheduled(Task /*task*/, std::chrono::milliseconds /*delay*/) noexcept {}

  /// A task was taken back before it ran: cleared, closed.
  virtual void on_cancelled(Task /*task*/) noexcept {}

  /// A callback is about to run. Ticks and microtasks that follow an operation are reported
  /// between its begin and its end: they belong to it.
  virtual void on_begin(Task /*task*/) noexcept {}
  virtual void on_end(Task /*task*/) noexcept {}

  /// The callback just begun threw; `handled` says whether an on_uncaught handler took it.
  virtual void on_exception(Task /*task*/, bool /*handled*/) noexcept {}

  /// The loop is about to ask the kernel, for at most `timeout` (nullopt: without limit).
  virtual void on_wait(std::optional<std::chrono::nanoseconds> /*timeout*/) noexcept {}
  /// The kernel has answered with this many completions.
  virtual void on_woken(std::size_t /*completions*/) noexcept {}
};

}  // namespace rondo
