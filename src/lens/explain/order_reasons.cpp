#include "lens/explain/order_reasons.h"

#include <algorithm>
#include <utility>

#include "lens/explain/time_words.h"

namespace rondo::lens {

namespace {

using Milliseconds = std::chrono::milliseconds;

/// What comes first by less than this may come second the next time, because it depends on how fast
/// the machine is just then. A program that has been busy for longer than this since it set a timer
/// of 1 ms has decided what the timer comes before.
constexpr Time kOpenFor = Milliseconds(5);
/// Due times are whole milliseconds.
constexpr Time kSameDue = Milliseconds(1);

/// Whether the timers are visited before the immediates made there run.
bool visits_timers_first(Phase phase) {
  return phase == Phase::none || phase == Phase::check || phase == Phase::close;
}

Time distance(Time a, Time b) {
  return a < b ? b - a : a - b;
}

}  // namespace

void OrderReasons::visit_timers() noexcept {
  ++looks_;
  immediates_.older = immediates_.all;
  short_timers_.older = short_timers_.all;
}

OrderReasons::Waiting* OrderReasons::waiting_of(const KnownSubject& known) noexcept {
  if (known.kind == Kind::immediate) return &immediates_;
  return is_timer(known.kind) && known.delay <= Milliseconds(1) ? &short_timers_ : nullptr;
}

void OrderReasons::wait(KnownSubject& known) noexcept {
  Waiting* waiting = waiting_of(known);
  if (waiting == nullptr) return;
  known.is_waiting = true;
  known.look = looks_;
  ++waiting->all;
}

void OrderReasons::wait_no_more(KnownSubject& known) noexcept {
  if (!std::exchange(known.is_waiting, false)) return;
  Waiting* waiting = waiting_of(known);
  --waiting->all;
  if (known.look < looks_) --waiting->older;
}

void OrderReasons::start_operation(const KnownSubject& known, Time at) {
  Operations& operations = operations_[known.asked_by];
  ++operations.under_way;
  operations.started = at;
  if (known.is_single) ++operations.single;
}

void OrderReasons::stop_counting(KnownSubject& known) {
  known.counted = false;
  const auto operations = operations_.find(known.asked_by);
  if (operations == operations_.end()) return;
  if (known.is_single) --operations->second.single;
  if (--operations->second.under_way <= 0) operations_.erase(operations);
}

std::string OrderReasons::why(const RunningCallback& run, const KnownSubject* known,
                              Time slept) const {
  if (run.inside != 0) return "called by #" + std::to_string(run.inside);
  if (run.kind == Kind::main) return {};
  if (run.kind == Kind::before_exit) return "nothing was left to wait for";
  if (follows_operation(run.kind)) {
    const std::string after = "after #" + std::to_string(run.after);
    if (run.after == 0) return "before anything else";
    return run.kind == Kind::tick ? after + ", before anything else" : after + " and its ticks";
  }
  switch (run.phase) {
    case Phase::timers: {
      if (known == nullptr || run.made.count() == 0) return {};
      const Time late = run.begin - run.made - run.delay;
      return late < std::chrono::microseconds(10) ? "just due" : "due since " + to_words(late);
    }
    case Phase::pending:
      return "put off from the iteration before";
    case Phase::poll:
      return slept >= kShortestSleep ? "poll slept " + to_words(slept) + " for it"
                                     : "done when poll looked";
    case Phase::check: {
      // The question of the guide (docs/event-loop.md). Inside an I/O callback the order is
      // certain.
      const bool has_timer =
          known != nullptr && short_timers_.all > 0 && !visits_timers_first(known->made_in);
      return has_timer ? "check comes before timers" : "check follows poll";
    }
    case Phase::close:
      return "close comes last";
    case Phase::none:
    case Phase::idle:
    case Phase::prepare:
      return {};
  }
  return {};
}

std::string OrderReasons::note_at_begin(const RunningCallback& run, const KnownSubject* known) {
  if (known == nullptr || run.inside != 0) return {};
  const bool is_timer_here = run.phase == Phase::timers && is_timer(run.kind);
  // A timer of 1 ms against an immediate, where the timers are looked at first.
  if (noted_look_ != looks_) {
    if (is_timer_here && run.delay <= Milliseconds(1) && immediates_.older > 0 &&
        run.begin - run.made < kOpenFor) {
      noted_look_ = looks_;
      return "either order: the 1 ms threshold had passed at the first look, before the immediate";
    }
    if (run.phase == Phase::check && run.kind == Kind::immediate && known->look < looks_ &&
        short_timers_.older > 0) {
      noted_look_ = looks_;
      return "either order: the 1 ms threshold had not passed at the first look, before this";
    }
  }
  if (run.phase == Phase::check && run.kind == Kind::immediate) return open_look(run, *known);
  return is_timer_here ? open_due(run, *known) : std::string();
}

std::string OrderReasons::note_at_end(const RunningCallback& run, const KnownSubject& known,
                                      bool is_step) {
  std::string note = is_step ? std::string() : open_race(run, known);
  // What has failed at once comes before poll looks at anything.
  if (note.empty() && run.phase != Phase::pending) note = open_completion(run, known);
  return note;
}

/// An immediate and an operation without steps that one callback has started: was it done when poll
/// looked? One that has steps never is. What poll itself has called sees no further look.
std::string OrderReasons::open_look(const RunningCallback& run, const KnownSubject& known) {
  if (last_single_.number != 0 && last_single_.asked_by == known.asked_by &&
      last_single_.iteration == run.iteration && known.made < last_single_.begin) {
    const RunNumber number = std::exchange(last_single_, {}).number;
    return "either order: #" + std::to_string(number) + " was done when poll looked, before this";
  }
  const auto found = operations_.find(known.asked_by);
  if (known.made_in == Phase::poll || found == operations_.end() || found->second.single == 0 ||
      std::exchange(found->second.noted_immediate, true)) {
    return {};
  }
  return "either order: an operation of #" + std::to_string(known.asked_by) +
         " was not done when poll looked, before this";
}

/// Two timers of different durations. Those of one duration run in the order in which they were
/// set.
std::string OrderReasons::open_due(const RunningCallback& run, const KnownSubject& known) const {
  if (last_timer_.number == 0 || last_timer_.delay == run.delay ||
      known.made >= last_timer_.begin ||
      distance(known.made + known.delay, last_timer_.due) >= kSameDue) {
    return {};
  }
  return "either order: #" + std::to_string(last_timer_.number) +
         " and this were due within the same millisecond";
}

/// A timer and an operation that one callback has started.
std::string OrderReasons::open_race(const RunningCallback& run, const KnownSubject& known) const {
  if (run.inside != 0 || known.asked_by == 0) return {};
  const bool is_timer_here = run.phase == Phase::timers && run.kind == Kind::timeout;
  if (!is_timer_here && !known.counted) return {};
  const Time due = is_timer_here ? known.made + known.delay : run.begin;
  const auto races = [&](const Racer& other) {
    // What began when the timer was due had to come after it.
    return other.number != 0 && other.asked_by == known.asked_by &&
           distance(due, other.due) < kOpenFor && (is_timer_here || known.made < other.due);
  };
  const Racer* other = &last_timeout_;
  if (is_timer_here) {
    other = std::ranges::max_element(last_completions_, {}, [&](const Racer& completion) {
      return races(completion) ? completion.number : 0;
    });
  }
  if (!races(*other)) return {};
  return "either order: #" + std::to_string(other->number) + " and this were ready within " +
         to_words(distance(due, other->due)) + ", and what is ready first comes first";
}

void OrderReasons::note_racer(const RunningCallback& run, const KnownSubject& known) {
  if (run.inside != 0) return;
  if (run.phase == Phase::timers && is_timer(run.kind)) {
    last_timer_ = {run.number,           known.asked_by, run.delay,
                   run.made + run.delay, run.begin,      run.iteration};
    if (run.kind == Kind::timeout) last_timeout_ = last_timer_;
  } else if (known.counted) {
    const Racer racer{run.number, known.asked_by, {}, run.begin, run.begin, run.iteration};
    last_completions_[next_completion_++ % last_completions_.size()] = racer;
    if (known.is_single) last_single_ = racer;
  }
}

/// Two operations that one callback has started, or that two have at about the same time.
std::string OrderReasons::open_completion(const RunningCallback& run, const KnownSubject& known) {
  if (!known.counted) return {};
  const auto found = operations_.find(known.asked_by);
  if (found == operations_.end()) return {};
  Operations& operations = found->second;
  if (operations.noted) return {};
  if (operations.under_way < 2) return open_between(run, known, operations);
  operations.noted = true;
  const std::string others = operations.under_way == 2
                                 ? "another operation"
                                 : std::to_string(operations.under_way - 1) + " other operations";
  return "either order: " + others + " of #" + std::to_string(known.asked_by) +
         " went on at the same time, and what is done first comes first";
}

std::string OrderReasons::open_between(const RunningCallback& run, const KnownSubject& known,
                                       Operations& operations) {
  for (auto& [other_by, other] : operations_) {
    const bool is_started_with = distance(other.started, operations.started) < kOpenFor;
    const bool is_behind = other.started >= run.begin;  // it waited for this one
    if (other_by == known.asked_by || other.noted || !is_started_with || is_behind) continue;
    operations.noted = other.noted = true;
    return "either order: an operation of #" + std::to_string(other_by) +
           " went on at the same time, and what is done first comes first";
  }
  return {};
}

}  // namespace rondo::lens
