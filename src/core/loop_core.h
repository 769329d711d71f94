// The loop itself: its phases, its time, and the function that makes an iteration.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rondo/loop.h"

#include "core/backend.h"
#include "core/door.h"
#include "core/handle.h"
#include "core/phases/check_phase.h"
#include "core/phases/hook_phase.h"
#include "core/phases/poll_phase.h"
#include "core/phases/queue_phase.h"
#include "core/phases/timers_phase.h"
#include "core/posted_queue.h"

namespace rondo {

class LoopCore {
 public:
  LoopCore(std::unique_ptr<Backend> backend, std::string reason, const LoopOptions& options);
  ~LoopCore();
  LoopCore(const LoopCore&) = delete;
  LoopCore& operator=(const LoopCore&) = delete;

  // ---- Running ----------------------------------------------------------------------------

  bool run();
  enum class Wait : bool { no, yes };
  bool run_one_iteration(Wait wait);
  HostWait host_wait();

  /// For a callback of the check phase that has more to do in the next visit: makes the iteration
  /// up to there at once, if no other phase has anything to do. After true it is the next visit.
  bool try_quiet_iteration();

  bool alive() const noexcept;
  bool running() const noexcept { return running_; }
  bool stopping() const noexcept { return stop_.load(std::memory_order_acquire); }
  void stop() noexcept;
  void hold() noexcept { holds_.fetch_add(1, std::memory_order_relaxed); }
  void release_hold() noexcept;
  std::uint32_t holds() const noexcept { return holds_.load(std::memory_order_relaxed); }
  void post(Callback<>&& callback);
  /// The same for a callback that does not keep the loop alive: it runs if something else does.
  void post_unreferenced(Callback<>&& callback);

  bool on_thread() const noexcept { return owner_ == this_thread(); }
  /// Whether the caller is inside this loop's run(). For any thread.
  bool runs_here() const noexcept { return current_ == this; }
  /// Throws Misuse unless called on the loop's thread.
  void check_thread() const {
    if (!on_thread()) [[unlikely]]
      throw_wrong_thread();
  }
  void adopt();

  /// Set while the loop is being destroyed: what is scheduled then is dropped.
  bool ending() const noexcept { return ending_; }

  // ---- For what is built on the loop ----------------------------------------------------------

  /// A request is in progress (a file operation, a connect, a job): it keeps the loop alive.
  void begin_request() noexcept { ++requests_; }
  void end_request() noexcept { --requests_; }
  /// Something works for the loop that ends by itself (a thread of the pool, a file operation of
  /// the kernel, a child): a virtual clock does not advance meanwhile.
  void begin_work() noexcept { ++work_; }
  void end_work() noexcept { --work_; }
  bool work_under_way() const noexcept { return work_ != 0; }
  /// A handle that is active and referenced has come or gone.
  void count_active(bool one_more) noexcept { one_more ? ++active_handles_ : --active_handles_; }

  /// The operation is done; its complete() is called in the poll phase, never before an
  /// immediate that waits now.
  void complete_soon(Operation& operation, std::int32_t result) {
    poll_.complete_soon({&operation, result, 0}, check_.visits());
  }
  /// In this poll phase, after everything else that the kernel reports now.
  void complete_last(Operation& operation, std::int32_t result, std::uint32_t flags) {
    poll_.complete_last({&operation, result, flags});
  }
  /// The same from another thread.
  void complete_from_thread(Operation& operation, std::int32_t result) {
    if (posted_.push({&operation, result, 0})) wake();
  }

  /// What the layer above keeps for each loop: its pool, its buffers.
  struct Extension {
    virtual ~Extension() = default;
    /// The loop is about to wait: submits what was gathered. Runs no user code.
    virtual void before_poll() {}
  };
  std::unique_ptr<Extension>& extension() noexcept { return extension_; }

  // ---- Time ---------------------------------------------------------------------------------

  /// loop.now(): one value within a phase.
  std::int64_t now_ms() noexcept {
    if (!running_) now_ms_ = present_ms();
    return now_ms_;
  }
  /// The clock, read now, without moving now_ms().
  std::int64_t present_ms() noexcept;
  /// The same, rounded up: not before that millisecond is a duration over that begins now.
  std::int64_t present_ms_rounded_up() noexcept;
  /// When a timer that is set now starts.
  std::int64_t timer_start_ms() noexcept {
    return timer_start_ == TimerStart::present ? present_ms() : now_ms();
  }
  /// Moves now_ms() to the clock at the well-defined points: the start of an iteration, after
  /// waiting, before the timers.
  void update_now() noexcept;
  /// Moves now_ms() to the present because the user asks for it, in the middle of a callback.
  void move_now_to_present() noexcept;
  /// now_ms(), moved to the present before.
  std::int64_t now_ms_at_present() noexcept {
    move_now_to_present();
    return now_ms_;
  }
  /// Reads the clock, unless nothing has run since it was last read.
  std::chrono::nanoseconds stamp() noexcept {
    if (!stamp_valid_ || stamp_entries_ != door_.entries()) read_clock();
    return stamp_;
  }
  void read_clock() noexcept;
  Clock& clock() noexcept { return *clock_; }

  // ---- Parts --------------------------------------------------------------------------------

  Door& door() noexcept { return door_; }
  TimersPhase& timers() noexcept { return timers_; }
  QueuePhase& pending() noexcept { return pending_; }
  PollPhase& poll() noexcept { return poll_; }
  Hooks& hooks() noexcept { return hooks_; }
  CheckPhase& check() noexcept { return check_; }
  QueuePhase& close() noexcept { return close_; }
  PostedQueue& posted() noexcept { return posted_; }
  Backend& backend() noexcept { return *backend_; }
  const Backend& backend() const noexcept { return *backend_; }
  const std::string& backend_reason() const noexcept { return backend_reason_; }
  Scheduler* scheduler() const noexcept { return scheduler_; }

  /// Whether a host has slept on our behalf since this was last asked. Then the kernel has to be
  /// asked even if all seems quiet: the host's descriptor stays readable until it is.
  bool host_slept() noexcept {
    if (!std::exchange(hosted_, false)) return false;
    posted_.wake_up();
    return true;
  }

  Metrics metrics() const;
  Pulse pulse() const noexcept;

  void warn(Warning warning);
  void set_warning_handler(Callback<void(const Warning&)> handler);
  void set_before_exit(Callback<> handler);

 private:
  friend class detail::LoopOwned;
  class Running;
  class PhaseVisit;

  static const void* this_thread() noexcept {
    static thread_local const char kMark = 0;
    return &kMark;
  }
  [[noreturn]] static void throw_wrong_thread();
  static inline constinit thread_local const LoopCore* current_ = nullptr;

  void wake() noexcept;
  void run_until_idle();
  void iteration(Wait wait);
  template <class Body>
  void visit(Phase phase, Body&& body);
  void visit_timers();
  bool has_work(Phase phase) noexcept;
  bool emit_before_exit();
  std::optional<std::chrono::nanoseconds> poll_timeout() noexcept;
  bool something_waits() const noexcept;
  std::optional<std::chrono::nanoseconds> until_next_timer() noexcept;

  const void* owner_ = this_thread();
  std::unique_ptr<Backend> backend_;
  std::string backend_reason_;
  Budgets budgets_;
  TimerStart timer_start_;
  SystemClock system_clock_;
  Clock* clock_;
  Scheduler* scheduler_;

  Door door_;
  TimersPhase timers_;
  QueuePhase pending_;
  Hooks hooks_;
  PollPhase poll_;
  CheckPhase check_;
  QueuePhase close_;
  PostedQueue posted_;

  std::chrono::nanoseconds stamp_{};  // the clock when it was last read
  std::uint64_t stamp_entries_ = 0;   // door_.entries() at that moment
  bool stamp_valid_ = false;
  std::int64_t now_ms_ = 0;

  std::atomic<bool> stop_ = false;
  std::atomic<std::uint32_t> holds_ = 0;
  bool running_ = false;
  bool endless_ = false;  // run() is on the stack, which may make any number of iterations
  bool hosted_ = false;   // host_wait() was called: a foreign loop waits for this one
  bool ending_ = false;
  detail::LoopOwned* owned_ = nullptr;  // what has to go with the loop
  std::size_t active_handles_ = 0;      // those that are active and referenced
  std::size_t requests_ = 0;
  std::size_t work_ = 0;
  std::unique_ptr<Extension> extension_;
  std::uint64_t iterations_ = 0;
  std::array<std::chrono::nanoseconds, kPhaseCount> phase_time_{};

  // Shared, so that each may replace itself while it runs.
  std::shared_ptr<Callback<void(const Warning&)>> warning_handler_;
  std::shared_ptr<Callback<>> before_exit_;
};

}  // namespace rondo
