#include "rondo/lens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rondo/loop.h"

namespace rondo::lens {

namespace {

/// A task of the loop as a subject: its kind in the first byte, so that no id of an engine, which
/// counts from one, can be the same.
SubjectId id_of(Task task) noexcept {
  constexpr int kKindShift = 56;
  return (static_cast<SubjectId>(task.kind) + 1) << kKindShift | task.id;
}

Kind kind_of(TaskKind kind) noexcept {
  switch (kind) {
    case TaskKind::timeout: return Kind::timeout;
    case TaskKind::interval: return Kind::interval;
    case TaskKind::deferred: return Kind::deferred;
    case TaskKind::idle_hook:
    case TaskKind::prepare_hook:
    case TaskKind::check_hook: return Kind::hook;
    case TaskKind::completion: return Kind::request;
    case TaskKind::posted: return Kind::posted;
    case TaskKind::immediate: return Kind::immediate;
    case TaskKind::close: return Kind::close;
    case TaskKind::tick: return Kind::tick;
    case TaskKind::microtask: return Kind::microtask;
    case TaskKind::before_exit: return Kind::before_exit;
  }
  return Kind::request;
}

/// Whether the loop tells of it before it runs.
bool is_scheduled(TaskKind kind) noexcept {
  return kind != TaskKind::completion && kind != TaskKind::posted && kind != TaskKind::before_exit;
}

bool is_repeated(TaskKind kind) noexcept {
  return kind == TaskKind::interval || kind == TaskKind::idle_hook ||
         kind == TaskKind::prepare_hook || kind == TaskKind::check_hook;
}

}  // namespace

Time now() noexcept {
  return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now().time_since_epoch());
}

std::string_view to_string(Kind kind) noexcept {
  static constexpr std::array<std::string_view, kKindCount> kNames = {
      "main",    "timeout", "interval", "immediate", "tick",   "promise", "microtask",
      "request", "handle",  "deferred", "hook",      "posted", "close",   "beforeExit"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(End end) noexcept {
  switch (end) {
    case End::nothing_left: return "nothing was left to wait for";
    case End::stopped: return "it was stopped";
    case End::exit_called: return "process.exit() was called";
    case End::uncaught: return "an exception was not caught";
  }
  return {};
}

std::string describe(const Subject& subject) {
  if (!subject.label.empty()) return std::string(subject.label);
  std::string text(to_string(subject.kind));
  if (subject.kind == Kind::timeout || subject.kind == Kind::interval) {
    text += ' ' + std::to_string(subject.delay.count()) + " ms";
  } else if (!subject.type.empty() &&
             (subject.kind == Kind::request || subject.kind == Kind::handle)) {
    text = subject.type;
  }
  return text;
}

Lens::Lens(Loop& loop) : loop_(loop) { loop.set_observer(this); }

Lens::~Lens() { loop_.set_observer(nullptr); }

void Lens::add(Watcher& watcher) {
  watchers_.push_back(&watcher);
  ask_wants();
}

void Lens::remove(Watcher& watcher) {
  std::erase(watchers_, &watcher);
  ask_wants();
}

void Lens::ask_wants() noexcept {
  const auto any = [&](bool (Watcher::*wants)() const) {
    return std::ranges::any_of(watchers_, [&](const Watcher* watcher) { return (watcher->*wants)(); });
  };
  wants_subjects_ = any(&Watcher::wants_subjects);
  wants_labels_ = any(&Watcher::wants_labels);
  wants_sites_ = any(&Watcher::wants_sites);
  wants_promises_ = any(&Watcher::wants_promises);
  wants_empty_phases_ = any(&Watcher::wants_empty_phases);
}

// ---- For an engine on the loop -------------------------------------------------------------------

void Lens::made_at(Time at, const Subject& subject) noexcept {
  last_ = at;
  for (Watcher* watcher : watchers_) watcher->on_made(at, subject);
}

void Lens::begin(SubjectId id, std::string_view event, std::string_view label) noexcept {
  stack_.push_back(id);
  // Where every callback is told, and no words have to be found for it, the next one begins where the
  // last one ended: to read the clock again would take longer than what is in between.
  const bool is_next = fresh_ && engine_ && wants_promises_ && !wants_labels_;
  const Time at = is_next ? last_ : read_clock();
  fresh_ = false;
  for (Watcher* watcher : watchers_) watcher->on_begin(at, id, event, label);
}

void Lens::end(SubjectId id) noexcept {
  // What an exception has left behind ends with what is around it.
  while (!stack_.empty()) {
    const SubjectId last = stack_.back();
    stack_.pop_back();
    const Time at = read_clock();
    for (Watcher* watcher : watchers_) watcher->on_end(at, last);
    fresh_ = last != kMain;  // behind it the loop is made ready
    if (last == id) return;
  }
}

void Lens::gone_at(Time at, SubjectId id) noexcept {
  last_ = at;
  for (Watcher* watcher : watchers_) watcher->on_gone(at, id);
}

void Lens::output(int descriptor, std::string_view text) noexcept {
  const Time at = read_clock();
  for (Watcher* watcher : watchers_) watcher->on_output(at, descriptor, text);
}

void Lens::finish(End end) noexcept {
  if (std::exchange(finished_, true)) return;
  const Time at = read_clock();
  for (Watcher* watcher : watchers_) watcher->on_finish(at, end);
}

// ---- From the loop -------------------------------------------------------------------------------

void Lens::on_iteration(std::uint64_t /*number*/) noexcept {
  if (std::exchange(began_with_timers_, false)) return;
  if (phase_ != Phase::check) return next_iteration(read_clock());
  // The loop has gone round without leaving the phase: see Observer::allows_short_cuts(). What has
  // run since the clock was read last is too little to read it again.
  for (Watcher* watcher : watchers_) watcher->on_phase_leave(last_, phase_);
  next_iteration(last_);
  for (Watcher* watcher : watchers_) watcher->on_phase_enter(last_, phase_);
}

void Lens::next_iteration(Time at) noexcept {
  ++iteration_;
  for (Watcher* watcher : watchers_) watcher->on_iteration(at, iteration_);
}

void Lens::on_phase_enter(Phase phase) noexcept {
  const Time at = read_clock();
  // The loop looks at the timers where an iteration ends; in the diagram that is where the next one
  // begins.
  if (phase == Phase::timers) {
    next_iteration(at);
    began_with_timers_ = true;
  }
  phase_ = phase;
  fresh_ = phase != Phase::poll;
  for (Watcher* watcher : watchers_) watcher->on_phase_enter(at, phase);
}

void Lens::on_phase_leave(Phase phase) noexcept {
  fresh_ = false;
  const Time at = read_clock();
  for (Watcher* watcher : watchers_) watcher->on_phase_leave(at, phase);
  phase_ = Phase::none;
}

void Lens::on_wait(std::optional<std::chrono::nanoseconds> /*timeout*/) noexcept {
  const Time at = read_clock();
  for (Watcher* watcher : watchers_) watcher->on_wait(at);
}

void Lens::on_woken(std::size_t completions) noexcept {
  fresh_ = false;
  const Time at = read_clock();
  for (Watcher* watcher : watchers_) watcher->on_woken(at, completions);
}

void Lens::on_scheduled(Task task, std::chrono::milliseconds delay) noexcept {
  if (engine_) return;
  made({.id = id_of(task), .cause = running(), .kind = kind_of(task.kind), .delay = delay});
}

void Lens::on_cancelled(Task task) noexcept {
  if (!engine_) gone(id_of(task));
}

void Lens::on_begin(Task task) noexcept {
  if (engine_) return;
  const SubjectId id = id_of(task);
  if (!is_scheduled(task.kind)) made({.id = id, .kind = kind_of(task.kind)});
  begin(id);
}

void Lens::on_end(Task task) noexcept {
  if (engine_) return;
  end(id_of(task));
  if (!is_repeated(task.kind)) gone(id_of(task));
}

}  // namespace rondo::lens
