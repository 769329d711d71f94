#include "core/loop_core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "rondo/scheduler.h"

namespace rondo {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

/// A phase that may run nothing would never empty its queue.
Budgets at_least_one(Budgets budgets) noexcept {
  for (std::size_t* budget :
       {&budgets.timers, &budgets.pending, &budgets.poll, &budgets.check, &budgets.close}) {
    *budget = std::max<std::size_t>(*budget, 1);
  }
  return budgets;
}

}  // namespace

// ---- Iterations -------------------------------------------------------------------------------

/// What holds while run() or a similar function is on the stack.
class LoopCore::Running {
 public:
  explicit Running(LoopCore& core) : core_(core) {
    core_.check_thread();
    if (core_.running_) {
      throw Misuse("ERR_LOOP_RUNNING", "the loop is already running: a callback cannot run it");
    }
    core_.running_ = true;
    outer_ = std::exchange(current_, &core_);
    core_.stamp_valid_ = false;
    core_.update_now();
  }
  ~Running() {
    core_.running_ = false;
    current_ = outer_;
    core_.endless_ = false;
    core_.stop_.store(false, std::memory_order_release);  // also when an exception leaves
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  LoopCore& core_;
  const LoopCore* outer_ = nullptr;  // one that runs on this thread, in a callback of which we are
};

/// One visit to a phase: notifies the observer, and measures.
class LoopCore::PhaseVisit {
 public:
  PhaseVisit(LoopCore& core, Phase phase) noexcept
      : core_(core), phase_(phase), idle_(core.poll_.idle_time()), began_(core.stamp()) {
    core_.door_.enter_phase(phase);
  }
  ~PhaseVisit() {
    const nanoseconds slept = core_.poll_.idle_time() - idle_;
    core_.phase_time_[static_cast<std::size_t>(phase_)] += core_.stamp() - began_ - slept;
    core_.door_.leave_phase();
  }
  PhaseVisit(const PhaseVisit&) = delete;
  PhaseVisit& operator=(const PhaseVisit&) = delete;

 private:
  LoopCore& core_;
  Phase phase_;
  nanoseconds idle_;
  nanoseconds began_;
};

bool LoopCore::run() {
  const Running running(*this);
  endless_ = true;
  door_.drain();         // the ticks and microtasks that the main program left
  stamp_valid_ = false;  // timers that fell due meanwhile come before everything else
  do {
    run_until_idle();
  } while (!stopping() && emit_before_exit());
  return alive();
}

void LoopCore::run_until_idle() {
  bool goes_on = alive() && !stopping();
  if (goes_on) {
    update_now();
    // Whether a timer set a moment ago is due at this first look depends on the machine's speed.
    if (scheduler_ != nullptr && timers_.next_expiry_ms() == now_ms_ + 1 &&
        scheduler_->first_look_is_late()) {
      ++now_ms_;
    }
    visit_timers();
    // A multiplexed visit is one of the host's, after which an iteration follows in any case:
    // immediates that keep nothing alive run in it.
    goes_on = timers_.multiplexed() || alive();
  }
  while (goes_on && !stopping()) {
    iteration(Wait::yes);
    goes_on = alive();
  }
}

bool LoopCore::run_one_iteration(Wait wait) {
  const Running running(*this);
  door_.drain();
  if (!stopping()) {
    // Deferred results are something that happens: having reported them, there is no need to wait.
    iteration(pending_.empty() ? wait : Wait::no);
  }
  return alive();
}

void LoopCore::iteration(Wait wait) {
  ++iterations_;
  if (door_.observer() != nullptr) door_.observer()->on_iteration(iterations_);
  update_now();

  visit(Phase::pending, [&] { pending_.run(budgets_.pending); });
  visit(Phase::idle, [&] { hooks_.run(TaskKind::idle_hook); });
  visit(Phase::prepare, [&] { hooks_.run(TaskKind::prepare_hook); });
  visit(Phase::poll, [&] {
    if (extension_ != nullptr) extension_->before_poll();
    poll_.run(wait == Wait::yes ? poll_timeout() : nanoseconds::zero(), budgets_.poll);
  });
  visit(Phase::check, [&] {
    hooks_.run(TaskKind::check_hook);
    check_.run(budgets_.check);
  });
  visit(Phase::close, [&] {
    if (timers_.multiplexed()) {
      close_.run_newest_first(budgets_.close);
    } else {
      close_.run(budgets_.close);
    }
  });
  update_now();
  visit_timers();
}

/// Whether a visit to this phase would do anything. The poll phase is visited in any case.
[[gnu::always_inline]] inline bool LoopCore::has_work(Phase phase) noexcept {
  switch (phase) {
    case Phase::pending:
      return !pending_.empty();
    case Phase::idle:
      return hooks_.size(TaskKind::idle_hook) != 0;
    case Phase::prepare:
      return hooks_.size(TaskKind::prepare_hook) != 0;
    case Phase::check:
      return hooks_.size(TaskKind::check_hook) != 0 || !check_.empty();
    case Phase::close:
      return !close_.empty();
    case Phase::timers: {
      const auto next_ms = timers_.next_expiry_ms();
      if (next_ms.has_value() && *next_ms <= now_ms_) return true;
      if (timers_.next_precise_ms() <= now_ms_ && timers_.next_precise() <= stamp()) [[unlikely]]
        return true;
      return timers_.has_empty_visit_due(now_ms_);
    }
    case Phase::poll:
    case Phase::none:
      return true;
  }
  return true;
}

bool LoopCore::try_quiet_iteration() {
  if (!endless_ || stopping() || scheduler_ != nullptr) return false;
  if (door_.wants_all() || door_.tasks_waiting()) return false;
  // The immediate that asks is no longer in its queue.
  if (has_work(Phase::pending) || has_work(Phase::idle) || has_work(Phase::prepare) ||
      has_work(Phase::check) || has_work(Phase::close)) {
    return false;
  }
  if (poll_.left_over() != 0 || poll_.has_local() || !posted_.empty() || hosted_) return false;
  if (extension_ != nullptr) extension_->before_poll();
  if (!backend_->quiet()) return false;
  door_.count_another();
  update_now();
  if (has_work(Phase::timers)) return false;
  ++iterations_;
  if (door_.observer() != nullptr) door_.observer()->on_quiet_iteration(iterations_);
  check_.begin_visit();
  return true;
}

/// Runs a phase. One without work is skipped, unless the observer wants every phase.
template <class Body>
[[gnu::always_inline]] inline void LoopCore::visit(Phase phase, Body&& body) {
  if (!has_work(phase) && !door_.wants_all()) return;
  const PhaseVisit visit(*this, phase);
  body();
}

void LoopCore::visit_timers() {
  visit(Phase::timers, [&] {
    timers_.run(timers_.multiplexed() ? now_ms_at_present() : now_ms_, budgets_.timers);
  });
}

bool LoopCore::emit_before_exit() {
  if (before_exit_ == nullptr) return false;
  door_.run({TaskKind::before_exit, 0}, [&] {
    const auto handler = before_exit_;  // it may replace itself; destroyed before the ticks run
    (*handler)();
  });
  return alive();
}

// ---- How long to wait, and what for ------------------------------------------------------------

bool LoopCore::alive() const noexcept {
  return timers_.keeps_alive() || check_.keeps_alive() || hooks_.keeps_alive() ||
         active_handles_ != 0 || requests_ != 0 || !pending_.empty() || !close_.empty() ||
         poll_.left_over() != 0 || posted_.keeps_alive() ||
         holds_.load(std::memory_order_acquire) != 0;
}

bool LoopCore::something_waits() const noexcept {
  return hooks_.size(TaskKind::idle_hook) != 0 || !pending_.empty() || check_.keeps_alive() ||
         !close_.empty() || poll_.left_over() != 0 || poll_.has_local() || !posted_.empty();
}

std::optional<nanoseconds> LoopCore::until_next_timer() noexcept {
  const auto next_ms = timers_.next_expiry_ms();
  std::optional<nanoseconds> next;
  if (next_ms.has_value()) next = milliseconds(*next_ms);
  if (timers_.has_precise()) [[unlikely]]
    next = std::min(next.value_or(nanoseconds::max()), timers_.next_precise());
  if (!next.has_value()) return std::nullopt;
  return std::max(nanoseconds::zero(), *next - stamp());
}

std::optional<nanoseconds> LoopCore::poll_timeout() noexcept {
  if (stopping() || !alive() || something_waits()) return nanoseconds::zero();
  return until_next_timer();
}

HostWait LoopCore::host_wait() {
  check_thread();
  if (running_) {
    throw Misuse("ERR_LOOP_RUNNING", "a host cannot wait for a loop that is running");
  }
  // What is left over was collected and not delivered yet: it must not be rearmed (or released)
  // before its callback has run.
  if (poll_.left_over() == 0) {
    if (extension_ != nullptr) extension_->before_poll();
    backend_->submit();
  }
  stamp_valid_ = false;
  hosted_ = true;
  const bool busy = !posted_.fall_asleep() || stopping() || something_waits() ||
                    door_.tasks_waiting() || poll_.left_over() != 0;
  // A host outlives what keeps this loop alive: unref'd timers count here.
  return {backend_->descriptor(), busy ? nanoseconds::zero() : until_next_timer()};
}

// ---- From other threads -------------------------------------------------------------------------

void LoopCore::post(Callback<>&& callback) {
  if (posted_.push(std::move(callback))) wake();
}

void LoopCore::post_unreferenced(Callback<>&& callback) {
  auto run = [this, callback = std::move(callback)]() mutable {
    posted_.forget_unreferenced();
    callback();
  };
  if (posted_.push_unreferenced(std::move(run))) wake();
}

void LoopCore::stop() noexcept {
  if (posted_.change([&] { stop_.store(true, std::memory_order_release); })) wake();
}

void LoopCore::release_hold() noexcept {
  if (posted_.change([&] { holds_.fetch_sub(1, std::memory_order_release); })) wake();
}

void LoopCore::wake() noexcept {
  backend_->wake();
  posted_.woke();
}

void LoopCore::throw_wrong_thread() {
  throw Misuse("ERR_WRONG_THREAD",
               "a loop is used on its own thread; from another one, only post(), stop() and the "
               "release of a KeepAlive are allowed");
}

void LoopCore::adopt() {
  if (owner_ == this_thread()) return;
  if (running_ || !backend_->adopt()) {
    throw Misuse("ERR_WRONG_THREAD", "a loop that has polled cannot change its thread");
  }
  owner_ = this_thread();
}

// ---- Time --------------------------------------------------------------------------------------

void LoopCore::read_clock() noexcept {
  stamp_ = clock_->now();
  stamp_entries_ = door_.entries();
  stamp_valid_ = true;
}

void LoopCore::update_now() noexcept {
  // Never back: the first look of run() may have been ahead of the clock.
  now_ms_ = std::max<std::int64_t>(now_ms_, stamp() / milliseconds(1));
}

std::int64_t LoopCore::present_ms() noexcept {
  return std::max<std::int64_t>(now_ms_, clock_->now() / milliseconds(1));
}

std::int64_t LoopCore::present_ms_rounded_up() noexcept {
  return std::max<std::int64_t>(now_ms_, std::chrono::ceil<milliseconds>(clock_->now()).count());
}

void LoopCore::move_now_to_present() noexcept {
  now_ms_ = present_ms();
}

// ---- The rest ----------------------------------------------------------------------------------

LoopCore::LoopCore(std::unique_ptr<Backend> backend, std::string reason, const LoopOptions& options)
    : backend_(std::move(backend)),
      backend_reason_(std::move(reason)),
      budgets_(at_least_one(options.budgets)),
      timer_start_(options.timer_start),
      clock_(options.clock != nullptr ? options.clock : &system_clock_),
      scheduler_(options.scheduler),
      door_(options.observer),
      timers_(*this, door_),
      pending_(door_, TaskKind::deferred),
      hooks_(door_),
      poll_(*this),
      check_(door_),
      close_(door_, TaskKind::close) {}

LoopCore::~LoopCore() {
  if (running_) {
    std::fputs("rondo: a loop was destroyed inside one of its own callbacks\n", stderr);
    std::abort();
  }
  ending_ = true;
  // First the threads and the kernel release everything, then its owners can be destroyed.
  extension_ = nullptr;
  // What ended the loop may have come from a thread that is still on its way out.
  posted_.wait_for_others();
  poll_.forget_all();  // while the backend still keeps alive what it has reported
  backend_->shut_down();
  while (owned_ != nullptr) owned_->loop_ends();
  // Destroying a callback runs destructors of its user's, which may clear what else is there;
  // what they schedule is dropped at once. One pass is enough, except for what they clear.
  door_.drop_tasks();
  timers_.drop_all();
  pending_.drop_all();
  hooks_.drop_all();
  check_.drop_all();
  close_.drop_all();
  while (posted_.take_batch() != 0) posted_.pop();
  before_exit_ = nullptr;
  warning_handler_ = nullptr;
  door_.set_uncaught_handler(nullptr);
}

Metrics LoopCore::metrics() const {
  Metrics metrics;
  metrics.iterations = iterations_;
  metrics.events = poll_.events();
  metrics.ticks = door_.ticks().popped();
  metrics.microtasks = door_.microtasks().popped();
  metrics.waits = poll_.waits();
  metrics.at = stamp_;
  metrics.idle = poll_.idle_time();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    metrics.phases[i] = {door_.callbacks(static_cast<Phase>(i)), phase_time_[i]};
  }
  metrics.depth = {
      .timers = timers_.size(),
      .pending = pending_.size(),
      .idle = hooks_.size(TaskKind::idle_hook),
      .prepare = hooks_.size(TaskKind::prepare_hook),
      .check = hooks_.size(TaskKind::check_hook),
      .immediates = check_.size(),
      .close = close_.size(),
      .posted = posted_.size(),
      .completions = poll_.left_over(),
      .ticks = door_.ticks().size(),
      .microtasks = door_.microtasks().size(),
  };
  return metrics;
}

// As in Door::glance().
__attribute__((no_sanitize("thread"))) Pulse LoopCore::pulse() const noexcept {
  const auto [entries, phase] = door_.glance();
  std::chrono::nanoseconds read_at;
  __atomic_load(&stamp_, &read_at, __ATOMIC_RELAXED);
  return {entries,
          phase,
          __atomic_load_n(&running_, __ATOMIC_RELAXED),
          posted_.asleep(),
          read_at,
          __atomic_load_n(&stamp_entries_, __ATOMIC_RELAXED),
          poll_.idle_glance()};
}

void LoopCore::warn(Warning warning) {
  const auto handler = warning_handler_;
  if (handler == nullptr) {
    std::fprintf(stderr, "(rondo) %.*s: %s\n", static_cast<int>(warning.name.size()),
                 warning.name.data(), warning.message.c_str());
    return;
  }
  // Always asynchronous: a handler is never called by the function that caused the warning.
  door_.next_tick([handler, warning = std::move(warning)] { (*handler)(warning); });
}

void LoopCore::set_warning_handler(Callback<void(const Warning&)> handler) {
  warning_handler_ =
      handler ? std::make_shared<Callback<void(const Warning&)>>(std::move(handler)) : nullptr;
}

void LoopCore::set_before_exit(Callback<> handler) {
  before_exit_ = handler ? std::make_shared<Callback<>>(std::move(handler)) : nullptr;
}

}  // namespace rondo
