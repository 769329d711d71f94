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
    case TaskKind::timeout:
      return Kind::timeout;
    case TaskKind::interval:
      return Kind::interval;
    case TaskKind::deferred:
      return Kind::deferred;
    case TaskKind::idle_hook:
    case TaskKind::prepare_hook:
    case TaskKind::check_hook:
      return Kind::hook;
    case TaskKind::completion:
      return Kind::request;
    case TaskKind::posted:
      return Kind::posted;
    case TaskKind::immediate:
      return Kind::immediate;
    case TaskKind::close:
      return Kind::close;
    case TaskKind::tick:
      return Kind::tick;
    case TaskKind::microtask:
      return Kind::microtask;
    case TaskKind::before_exit:
      return Kind::before_exit;
  }
  return Kind::request;
}

Source source_of(TaskKind kind) noexcept {
  switch (kind) {
    case TaskKind::timeout:
      return Source::timeout;
    case TaskKind::interval:
      return Source::interval;
    case TaskKind::deferred:
      return Source::deferred;
    case TaskKind::idle_hook:
    case TaskKind::prepare_hook:
    case TaskKind::check_hook:
      return Source::hook;
    case TaskKind::posted:
      return Source::posted;
    case TaskKind::immediate:
      return Source::immediate;
    case TaskKind::close:
      return Source::close;
    case TaskKind::tick:
      return Source::tick;
    case TaskKind::microtask:
      return Source::microtask;
    case TaskKind::completion:
    case TaskKind::before_exit:
      break;
  }
  return Source::other;
}

/// Whether the loop always reports it before it runs. Of completions it reports some: files,
/// watched descriptors and signals, child processes.
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
      "main",   "timeout",  "interval", "immediate", "tick",  "promise",    "microtask", "request",
      "handle", "deferred", "hook",     "posted",    "close", "beforeExit", "resource"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Source source) noexcept {
  static constexpr std::array<std::string_view, kSourceCount> kNames = {
      "main",    "timeout", "interval", "immediate", "tick",    "microtask",
      "file",    "socket",  "server",   "lookup",    "process", "signal",
      "message", "close",   "deferred", "hook",      "posted",  "other"};
  return kNames[static_cast<std::size_t>(source)];
}

std::string_view to_string(End end) noexcept {
  switch (end) {
    case End::nothing_left:
      return "nothing was left to wait for";
    case End::stopped:
      return "it was stopped";
    case End::exit_called:
      return "process.exit() was called";
    case End::uncaught:
      return "an exception was not caught";
  }
  return {};
}

std::string describe(const Subject& subject) {
  if (!subject.label.empty()) return std::string(subject.label);
  std::string text(to_string(subject.kind));
  if (subject.kind == Kind::timeout || subject.kind == Kind::interval) {
    text += ' ' + std::to_string(subject.delay.count()) + " ms";
  } else if (!subject.type.empty() &&
             (subject.kind == Kind::request || subject.kind == Kind::handle ||
              subject.kind == Kind::resource)) {
    text = subject.type;
  }
  return text;
}

bool is_of_step(std::string_view label, std::string_view step) noexcept {
  return label.starts_with(step) && (label.size() == step.size() || label[step.size()] == ' ');
}

[[gnu::noinline]] void Watcher::on_made_plain(Time at, SubjectId id, SubjectId cause, Kind kind,
                                              std::chrono::milliseconds delay) noexcept {
  on_made(at, {.id = id, .cause = cause, .kind = kind, .delay = delay});
}

Lens::Lens(Loop& loop)
    : loop_(loop), loop_iterations_(loop.metrics().iterations), iteration_(loop_iterations_) {
  loop.set_observer(this);
}

Lens::~Lens() {
  loop_.set_observer(nullptr);
}

void Lens::add(Watcher& watcher) {
  if (std::ranges::find(watchers_, &watcher) == watchers_.end()) watchers_.push_back(&watcher);
  ask_wants();
}

void Lens::remove(Watcher& watcher) {
  if (notifying_ == 0) {
    std::erase(watchers_, &watcher);
  } else {
    std::ranges::replace(watchers_, &watcher, nullptr);
    has_holes_ = true;
  }
  ask_wants();
}

void Lens::ask_place() {
  const std::lock_guard lock(ask_place_mutex_);
  if (ask_place_) ask_place_();
}

QueueDepths Lens::depths() const {
  QueueDepths depths = loop_.metrics().depth;
  if (count_queues_) count_queues_(depths);
  return depths;
}

void Lens::ask_wants() noexcept {
  const auto any = [&](bool (Watcher::*wants)() const) {
    return std::ranges::any_of(watchers_, [&](const Watcher* watcher) {
      return watcher != nullptr && (watcher->*wants)();
    });
  };
  find_only();
  wants_subjects_ = any(&Watcher::wants_subjects);
  wants_labels_ = any(&Watcher::wants_labels);
  wants_sites_ = any(&Watcher::wants_sites);
  wants_promises_ = any(&Watcher::wants_promises);
  wants_handles_ = any(&Watcher::wants_handles);
  wants_details_ = any(&Watcher::wants_details);
  wants_counts_ = any(&Watcher::wants_counts);
  wants_unfinished_ = any(&Watcher::wants_unfinished);
  wants_every_phase_ = any(&Watcher::wants_every_phase);
  knows_every_callback_ = (wants_promises_ || wants_counts_) && !wants_labels_ && !wants_sites_;
}

void Lens::find_only() noexcept {
  only_ = notifying_ == 0 && watchers_.size() == 1 ? watchers_.front() : nullptr;
}

/// Calls `call(watcher, time)` for each watcher that is there now.
template <class Call>
void Lens::notify(Time at, Call&& call) noexcept {
  if (only_ != nullptr) return call(*only_, at);
  notify_all(at, call);
}

template <class Call>
[[gnu::noinline]] void Lens::notify_all(Time at, Call& call) noexcept {
  ++notifying_;
  for (std::size_t i = 0, count = watchers_.size(); i != count; ++i) {
    if (watchers_[i] != nullptr) call(*watchers_[i], at);
  }
  if (--notifying_ == 0 && has_holes_) {
    std::erase(watchers_, nullptr);
    has_holes_ = false;
    find_only();
  }
}

template <class Call>
void Lens::notify(Call&& call) noexcept {
  notify(read_clock(), std::forward<Call>(call));
}

Lens::Running* Lens::find_running(SubjectId id) noexcept {
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(),
                                  [&](const Running& running) { return running.id == id; });
  return found == stack_.rend() ? nullptr : &*found;
}

// ---- For an engine on the loop ------------------------------------------------------------------

void Lens::made(const Subject& subject, Time at) noexcept {
  notify(at, [&](Watcher& watcher, Time time) { watcher.on_made(time, subject); });
}

void Lens::made_plain(SubjectId id, SubjectId trigger, Kind kind, std::chrono::milliseconds delay,
                      Time at) noexcept {
  const SubjectId cause = stack_.empty() ? trigger : stack_.back().id;
  if (only_ != nullptr) return only_->on_made_plain(at, id, cause, kind, delay);
  notify(at,
         [=](Watcher& watcher, Time time) { watcher.on_made_plain(time, id, cause, kind, delay); });
}

void Lens::begin(SubjectId id, std::string_view event, std::string_view label,
                 Source source) noexcept {
  stack_.push_back({id, source});
  const Time begun = engine_ && knows_every_callback_ ? next_time() : read_clock();
  last_holds_ = false;
  if (only_ != nullptr) return only_->on_begin(begun, id, event, label);
  notify(begun, [&](Watcher& watcher, Time at) { watcher.on_begin(at, id, event, label); });
}

void Lens::end(SubjectId id) noexcept {
  details_asked_ = false;
  last_holds_ = engine_ && knows_every_callback_ && id != kMain;  // after it much is made ready
  if (!stack_.empty() && stack_.back().id == id) return end_last();
  if (find_running(id) == nullptr) {  // it began before the lens came
    last_holds_ = false;
    return;
  }
  while (stack_.back().id != id) end_last();
  end_last();
}

void Lens::end_last() noexcept {
  const Running last = stack_.back();
  stack_.pop_back();
  const Time at = read_clock();
  if (only_ != nullptr) {
    only_->on_end(at, last.id);
  } else {
    notify(at, [&](Watcher& watcher, Time time) { watcher.on_end(time, last.id); });
  }
  if (last.gone) gone(last.id, at);
}

void Lens::ran(Source source, std::uint64_t count) noexcept {
  last_holds_ = false;
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_ran(source, count); });
}

void Lens::runs(const Site& function) noexcept {
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_function(running(), function); });
}

void Lens::failed(std::string_view error) noexcept {
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_failed(running(), error); });
}

void Lens::again(SubjectId id) noexcept {
  notify([&](Watcher& watcher, Time at) { watcher.on_again(at, id); });
}

void Lens::gone(SubjectId id, Time at) noexcept {
  if (Running* running = find_running(id); running != nullptr) {
    running->gone = true;
    return;
  }
  notify(at, [&](Watcher& watcher, Time time) { watcher.on_gone(time, id); });
}

void Lens::details(SubjectId id, std::string_view label, const Site& callback) noexcept {
  details_asked_ = false;
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_details(id, label, callback); });
}

void Lens::on_ask_place(std::function<void()> ask) {
  const std::lock_guard lock(ask_place_mutex_);
  ask_place_ = std::move(ask);
}

void Lens::place(const Site& place) noexcept {
  notify([&](Watcher& watcher, Time at) { watcher.on_place(at, place); });
}

void Lens::on_count_queues(std::function<void(QueueDepths&)> count) {
  count_queues_ = std::move(count);
}

void Lens::on_unreported(const std::int32_t* unreported, std::function<void()> flush) {
  unreported_ = unreported;
  flush_unreported_ = std::move(flush);
}

void Lens::opened(SubjectId id, std::string_view label) noexcept {
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_opened(id, label); });
}

void Lens::closed(SubjectId id) noexcept {
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_closed(id); });
}

void Lens::output_follows(int descriptor) noexcept {
  catch_up();
  notify({}, [&](Watcher& watcher, Time /*at*/) { watcher.on_output_follows(descriptor); });
}

void Lens::output(int descriptor, std::string_view text) noexcept {
  notify([&](Watcher& watcher, Time at) { watcher.on_output(at, descriptor, text); });
}

void Lens::unfinished(std::span<const Unfinished> left) noexcept {
  catch_up();
  notify([&](Watcher& watcher, Time at) { watcher.on_unfinished(at, left); });
}

void Lens::finish(End end, std::optional<int> exit_code) noexcept {
  if (std::exchange(finished_, true)) return;
  catch_up();
  exit_code_ = exit_code;
  // A watcher that does not want every phase is not notified of an iteration in which nothing ran,
  // as the last one is.
  begin_iteration(loop_.metrics().iterations);
  notify([&](Watcher& watcher, Time at) { watcher.on_finish(at, end); });
}

// ---- From the loop ------------------------------------------------------------------------------

Time Lens::next_time() noexcept {
  if (!last_holds_) read_clock();
  last_holds_ = true;
  return last_;
}

void Lens::on_iteration(std::uint64_t number) noexcept {
  catch_up();
  loop_iterations_ = number;
  begin_iteration(number);
}

void Lens::begin_iteration(std::uint64_t number) noexcept {
  if (iteration_ >= number) return;
  iteration_ = number;
  notify(next_time(), [&](Watcher& watcher, Time at) { watcher.on_iteration(at, number); });
}

void Lens::on_quiet_iteration(std::uint64_t number) noexcept {
  catch_up();
  loop_iterations_ = number;
  iteration_ = std::max(iteration_, number);
  notify(next_time(), [&](Watcher& watcher, Time at) { watcher.on_quiet_iteration(at, number); });
}

void Lens::on_phase_enter(Phase phase) noexcept {
  catch_up();
  // The loop looks at the timers where an iteration ends; in the diagram that is where the next one
  // begins.
  if (phase == Phase::timers) begin_iteration(loop_iterations_ + 1);
  phase_ = phase;
  notify(next_time(), [&](Watcher& watcher, Time at) { watcher.on_phase_enter(at, phase); });
}

void Lens::on_phase_leave(Phase phase) noexcept {
  catch_up();
  notify(next_time(), [&](Watcher& watcher, Time at) { watcher.on_phase_leave(at, phase); });
  phase_ = Phase::none;
  // Behind these an iteration may end: what comes next may be a host of the loop.
  if (phase != Phase::pending && phase != Phase::idle && phase != Phase::prepare) {
    last_holds_ = false;
  }
}

void Lens::on_wait(std::optional<std::chrono::nanoseconds> /*timeout*/) noexcept {
  catch_up();
  last_holds_ = false;
  notify([&](Watcher& watcher, Time at) { watcher.on_wait(at); });
}

void Lens::on_woken(std::size_t completions) noexcept {
  catch_up();
  notify([&](Watcher& watcher, Time at) { watcher.on_woken(at, completions); });
}

void Lens::on_scheduled(Task task, std::chrono::milliseconds delay) noexcept {
  if (engine_) return;
  const SubjectId id = id_of(task);
  if (Running* self = find_running(id); self != nullptr) {
    self->again = true;  // an interval, or a timeout that refreshes itself
    return again(id);
  }
  if (task.kind == TaskKind::completion) announced_.insert(id);
  made({.id = id, .cause = running(), .kind = kind_of(task.kind), .delay = delay});
}

void Lens::on_cancelled(Task task) noexcept {
  if (engine_) return;
  const SubjectId id = id_of(task);
  if (is_scheduled(task.kind) || announced_.erase(id) != 0) gone(id);
}

void Lens::on_begin(Task task) noexcept {
  catch_up();
  last_holds_ = false;
  if (engine_) return;
  const SubjectId id = id_of(task);
  if (!is_scheduled(task.kind) && announced_.erase(id) == 0) {
    made({.id = id, .kind = kind_of(task.kind)});
  }
  begin(id, {}, {}, source_of(task.kind));
}

void Lens::on_end(Task task) noexcept {
  catch_up();
  if (!engine_) last_holds_ = false;
  const SubjectId id = id_of(task);
  Running* self = find_running(id);
  if (self == nullptr) return;
  if (!is_repeated(task.kind) && !self->again) self->gone = true;
  end(id);
}

}  // namespace rondo::lens
