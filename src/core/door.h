// The one door into user code. Every callback, whatever its origin, runs here: notify the
// observer, call, catch, drain ticks and microtasks, notify the observer. Nothing else calls user
// code; that is what makes order, error handling and tracing possible in one place.
#pragma once

#include <cxxabi.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "rondo/observer.h"
#include "rondo/phase.h"

#include "core/containers/callback_queue.h"

namespace rondo {

/// Ticks and microtasks that a host keeps, such as a JavaScript engine: drained with the
/// loop's own after every operation.
class TaskSource {
 public:
  virtual ~TaskSource() = default;
  /// Runs what waits, ticks first. Throws nothing.
  virtual void drain() noexcept = 0;
  /// The same, if an operation that failed has postponed it.
  virtual void drain_put_off() noexcept = 0;
};

class Door {
 public:
  explicit Door(Observer* observer) noexcept : observer_(observer) {}

  /// Runs one operation. `body` calls the user's callback, destroys it if it is spent, and puts
  /// the queue it came from in order: all that before the ticks run. What it throws goes to the
  /// on_uncaught handler; without one it leaves from here, with the ticks still waiting.
  template <class Body>
  void run(Task task, Body&& body) {
    ++callbacks_[static_cast<std::size_t>(phase_)];
    const Announcement announcement(*this, task);
    call(task, std::forward<Body>(body));
    if (tasks_waiting() || source_ != nullptr) drain();
  }

  /// A callback that runs in the middle of an operation: it counts as one of its own.
  void count_another() noexcept {
    ++callbacks_[static_cast<std::size_t>(phase_)];
    ++entries_;
  }

  /// Runs every tick, then every microtask, until both queues are empty.
  void drain();
  /// Runs the host's ticks and microtasks if a failed operation has postponed them.
  void drain_put_off() {
    if (source_ == nullptr) return;
    ++entries_;
    source_->drain_put_off();
  }

  bool tasks_waiting() const noexcept { return !ticks_.empty() || !microtasks_.empty(); }

  void next_tick(Callback<>&& callback) { enqueue(ticks_, TaskKind::tick, std::move(callback)); }
  void queue_microtask(Callback<>&& callback) {
    enqueue(microtasks_, TaskKind::microtask, std::move(callback));
  }

  void enter_phase(Phase phase) noexcept {
    phase_ = phase;
    if (observer_ != nullptr) observer_->on_phase_enter(phase);
  }
  void leave_phase() noexcept {
    if (observer_ != nullptr) observer_->on_phase_leave(phase_);
    phase_ = Phase::none;
  }
  Phase phase() const noexcept { return phase_; }

  /// Changes whenever user code has run: what was measured before may no longer hold.
  std::uint64_t entries() const noexcept { return entries_; }

  /// Both, for another thread.
  std::pair<std::uint64_t, Phase> glance() const noexcept;

  /// Callbacks run in a phase so far.
  std::uint64_t callbacks(Phase phase) const noexcept {
    return callbacks_[static_cast<std::size_t>(phase)];
  }
  const CallbackQueue& ticks() const noexcept { return ticks_; }
  const CallbackQueue& microtasks() const noexcept { return microtasks_; }

  /// Null for none. Whoever sets it takes it back before it goes.
  void set_task_source(TaskSource* source) noexcept { source_ = source; }
  TaskSource* task_source() const noexcept { return source_; }

  void set_uncaught_handler(Callback<void(std::exception_ptr)> handler);

  Observer* observer() const noexcept { return observer_; }
  /// There is an observer that does not allow shortcuts.
  bool wants_all() const noexcept { return observer_ != nullptr && !observer_->allows_shortcuts(); }
  bool has_observer() const noexcept { return observer_ != nullptr; }
  void set_observer(Observer* observer) noexcept { observer_ = observer; }

  void scheduled(Task task, std::chrono::milliseconds delay = {}) noexcept {
    if (observer_ != nullptr) [[unlikely]]
      observer_->on_scheduled(task, delay);
  }
  void cancelled(Task task) noexcept {
    if (observer_ != nullptr) [[unlikely]]
      observer_->on_cancelled(task);
  }

  /// Destroys the ticks and microtasks that wait without running them.
  void drop_tasks();

 private:
  /// Tells the observer of a begin and, however the scope is left, of the end.
  class Announcement {
   public:
    Announcement(const Door& door, Task task) noexcept
        : door_(door), observer_(door.observer_), task_(task) {
      if (observer_ != nullptr) [[unlikely]]
        observer_->on_begin(task_);
    }
    ~Announcement() {
      if (observer_ != nullptr && observer_ == door_.observer_) [[unlikely]] {
        observer_->on_end(task_);
      }
    }
    Announcement(const Announcement&) = delete;
    Announcement& operator=(const Announcement&) = delete;

   private:
    const Door& door_;
    Observer* observer_;
    Task task_;
  };

  template <class Body>
  void call(Task task, Body&& body) {
    ++entries_;
    try {
      std::forward<Body>(body)();
    } catch (abi::__forced_unwind&) {
      throw;  // the thread is being cancelled; glibc requires a rethrow
    } catch (...) {
      uncaught(task, std::current_exception());
    }
  }

  void enqueue(CallbackQueue& queue, TaskKind kind, Callback<>&& callback) {
    scheduled({kind, queue.pushed()});
    queue.push(std::move(callback));
  }
  void run_first(CallbackQueue& queue, TaskKind kind);
  void uncaught(Task task, std::exception_ptr exception);

  Observer* observer_;
  TaskSource* source_ = nullptr;
  Phase phase_ = Phase::none;
  CallbackQueue ticks_;
  CallbackQueue microtasks_;
  std::uint64_t entries_ = 0;
  std::array<std::uint64_t, kPhaseCount> callbacks_{};
  // Shared, so that a handler may replace itself while it runs.
  std::shared_ptr<Callback<void(std::exception_ptr)>> uncaught_handler_;
};

}  // namespace rondo
