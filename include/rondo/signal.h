// Signals as events of the loop.
//
//     rondo::SignalWatcher watcher(loop);
//     watcher.start(SIGHUP, [](int) { reload(); });
//
//     auto which = co_await rondo::wait_signal(SIGINT, SIGTERM);   // in a coroutine
//
// While anyone in the process watches a signal, it does nothing but that: SIGTERM no longer ends
// the program, a handler installed before is not called. When the last watcher has gone, the signal
// does again what it did before the first came (unless other code has installed a handler
// meanwhile). Any number of watchers, in any number of loops and threads, may watch one signal:
// each is notified.
//
// Signals come in the poll phase, in the order in which the process received them, each as often as
// it was received. Two limits: the kernel itself merges a signal (other than a real-time one) that
// is raised again while it is pending; and a loop that does not iterate takes up to 65,536,
// after which each different signal is reported once more. Signals that a fault of the program
// itself raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL) cannot become events: they do what they did
// before. Only those sent by a process are reported.
//
// A process forked from this one watches nothing: there the signals do what they did before.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>

#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/detail/in_place.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"

namespace rondo {

class Loop;

/// Watches one signal at a time. The handle may be destroyed at any time, in its own callback too,
/// and may outlive its loop (it is then closed).
class SignalWatcher {
 public:
  explicit SignalWatcher(Loop& loop);
  ~SignalWatcher();
  SignalWatcher(SignalWatcher&&) noexcept;
  SignalWatcher& operator=(SignalWatcher&&) noexcept;

  /// Calls `callback` with the number of the signal each time it comes. Called again, it changes
  /// what is watched. Errors: EINVAL (no signal, one that cannot be caught such as SIGKILL and
  /// SIGSTOP, or closed), EMFILE. After an error what was watched before still is.
  [[nodiscard]] Expected<> start(int signum, Callback<void(int)> callback);

  /// No callback comes after this, not even for a signal that has come already.
  void stop();

  /// Stops for good; `callback` runs in the close phase.
  void close(Callback<> callback = nullptr);

  /// Whether a started watcher keeps the loop alive: it does, until it is unref'd.
  SignalWatcher& ref();
  SignalWatcher& unref();
  bool has_ref() const;

  bool active() const;
  bool closed() const;
  int signum() const;  // what is watched; 0 for nothing

 private:
  class State;
  std::shared_ptr<State> state_;
};

/// What wait_signal() makes.
class [[nodiscard]] WaitSignalOp : public Operable<WaitSignalOp, int> {
 public:
  explicit WaitSignalOp(std::initializer_list<int> signals) noexcept;

  void begin(const detail::AsyncContext& context, detail::Waiter waiter);
  void cancel() noexcept;
  Expected<int> take_result();

 private:
  std::uint64_t signals_ = 0;  // mask; 0 if one of them is none
  detail::InPlace<96> waiting_;
};

/// Waits for the next of these signals and gives its number. It is watched from the moment this is
/// awaited until it comes; between two waits in a row it does what it did before: to miss none, use
/// a SignalWatcher. EINVAL for a signal that cannot be watched, ECANCELED when stopped before.
template <std::same_as<int>... Others>
WaitSignalOp wait_signal(int signum, Others... others) noexcept {
  return WaitSignalOp({signum, others...});
}

}  // namespace rondo
