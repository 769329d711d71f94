#include "lens/explain/explanation.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace rondo::lens {

namespace {

using Milliseconds = std::chrono::milliseconds;

// What bounds the memory: the program decides how many of these there are.
constexpr std::size_t kMostSubjects = 1'000'000;
constexpr std::size_t kMostPromises = 100'000;
constexpr std::size_t kMostTexts = 20'000;
constexpr std::size_t kMostGroups = 10'000;
constexpr std::size_t kMostLongest = 10;
constexpr std::size_t kMostLabel = 300;  // bytes; a path may be longer

/// What comes first by less than this may come second the next time: that is up to how fast the
/// machine is just then. A program that has been busy for longer than this since it set a timer of
/// 1 ms has decided what it comes before.
constexpr Time kOpenFor = Milliseconds(5);
/// Due times are whole milliseconds.
constexpr Time kSameDue = Milliseconds(1);

/// Sleeps that are worth a line.
constexpr Time kShortestSleep = std::chrono::microseconds(100);

std::string_view cut(std::string_view text) {
  if (text.size() <= kMostLabel) return text;
  std::size_t length = kMostLabel;
  while ((static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
  return text.substr(0, length);
}

/// Whether the timers are looked at before immediates that are made there run.
bool looks_at_timers_first(Phase phase) {
  return phase == Phase::none || phase == Phase::check || phase == Phase::close;
}

bool is_timer(Kind kind) {
  return kind == Kind::timeout || kind == Kind::interval;
}

Time distance(Time a, Time b) {
  return a < b ? b - a : a - b;
}

/// Requests on one socket end in the order in which they were made.
bool has_open_end(Kind kind, const Traits& traits) {
  if (kind == Kind::handle) return traits.ends_by_itself;
  return kind == Kind::request && !traits.in_order;
}

}  // namespace

std::string to_words(Time time) {
  const auto format = [](const char* form, double number) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), form, number);
    return std::string(text.data());
  };
  const double microseconds = std::chrono::duration<double, std::micro>(time).count();
  if (microseconds < 99.5) return format("%.0f µs", microseconds);
  if (microseconds < 9995) return format("%.2f ms", microseconds / 1e3);
  if (microseconds < 99950) return format("%.1f ms", microseconds / 1e3);
  if (microseconds < 999500) return format("%.0f ms", microseconds / 1e3);
  return format("%.2f s", microseconds / 1e6);
}

// ---- Texts
// ---------------------------------------------------------------------------------------

/// Null if it is not there and there is no room for it.
const std::string* Explanation::Book::find_pooled(std::string_view text) {
  static const std::string kNone;
  if (text.empty()) return &kNone;
  // Mostly it is one of the last few.
  for (const std::string* recent : recent_) {
    if (recent != nullptr && *recent == text) return recent;
  }
  auto found = pool_.find(text);
  if (found == pool_.end()) {
    if (pool_.size() == kMostTexts) return nullptr;
    found = pool_.emplace(text).first;
  }
  recent_[next_recent_++ % recent_.size()] = &*found;
  return &*found;
}

const std::string* Explanation::Book::pooled(std::string_view text) {
  static const std::string kOther = "(somewhere)";
  const std::string* found = find_pooled(text);
  return found != nullptr ? found : &kOther;
}

Explanation::Book::Text Explanation::Book::to_text(std::string_view text) {
  static const std::string kOwn;
  if (const std::string* found = find_pooled(text)) return {found};
  return {&kOwn, std::make_shared<const std::string>(text)};
}

Explanation::Book::PlaceRef Explanation::Book::pooled(const Site& site) {
  return {pooled(site.file), pooled(site.function), site.line, site.column};
}

std::size_t Explanation::Book::GroupHash::operator()(const GroupKey& key) const noexcept {
  const auto mix = [](std::size_t seed, std::size_t value) {
    return (seed ^ value) * 0x9e3779b97f4a7c15U;
  };
  std::size_t hash = reinterpret_cast<std::uintptr_t>(key.label);
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.event));
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.step));
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.site.file));
  hash = mix(hash, static_cast<std::size_t>(key.site.line));
  return mix(hash, static_cast<std::size_t>(key.site.column));
}

// ---- Subjects
// ------------------------------------------------------------------------------------

void Explanation::Book::made(Time at, const Subject& subject) {
  const auto [place, is_new] = known_.try_emplace(subject.id);
  Known& known = place->second;
  if (!is_new) return start_again(at, known);
  known.kind = subject.kind;
  known.made_in = phase_;
  known.label =
      subject.label.empty() ? to_text(cut(describe(subject))) : to_text(cut(subject.label));
  if (subject.kind == Kind::immediate && subject.inner && subject.site.file.empty()) {
    known.label = to_text("immediate inside");  // the program has not asked for it
  }
  known.step = pooled(subject.step);
  known.type = pooled(subject.type);
  known.traits = subject.traits;
  known.site = pooled(subject.site);
  known.delay = subject.delay;
  known.made = at;
  known.look = looks_;
  SubjectId cause_id = subject.cause;
  if (cause_id == 0 && !live_.empty()) cause_id = live_.back().subject;
  const Known* cause = find(cause_id);
  if (cause != nullptr) {
    // A server may not have run yet: then what made it has led here.
    const bool has_run = cause->last_run != 0;
    known.cause = has_run ? cause->last_run : cause->cause;
    known.depth = has_run ? cause->depth + 1 : cause->depth;
    // A connection exists before its server is notified.
    if (live_.empty() && known.kind == Kind::handle && cause->kind == Kind::handle) {
      made_ahead_.push_back({subject.id, cause_id});
    }
  }
  known.asked_by = operation_of_live() != 0 ? operation_of_live() : known.cause;
  known.is_inner = subject.inner;
  if (!subject.site.file.empty() && !live_.empty()) live_.back().has_program = true;
  if (!subject.site.file.empty() || cause == nullptr || cause->kind == Kind::main) {
    known.counted = has_open_end(subject.kind, subject.traits);
    // An operation of one step is not part of what its callback does.
    if (!known.step->empty() && !is_of_step(known.label.get(), *known.step)) {
      known.whole = known.label;
    }
    // Of a module's run, and of the engine's own: the module waits for the await of another. The
    // program itself is not run inside of anything.
    if (known.kind == Kind::promise && known.is_inner && subject.site.file.empty() &&
        cause != nullptr && live_.size() > 1) {
      known.whole = cause->label;
    }
  } else {
    if (known.kind == Kind::promise && !live_.empty()) live_.back().made_inner_promise = true;
    known.site_is_inherited = true;
    known.site = cause->site;
    known.whole = cause->whole;
    if (!known.step->empty() && !known.whole.empty()) {
      known.follows_step = true;
      known.label = known.whole;
      known.asked_by = cause->asked_by;
      known.counted = cause->counted;
      known.is_single = cause->is_single;
      if (!live_.empty()) live_.back().made_step = true;
    }
  }
  if (known.counted && !known.follows_step) {
    known.is_single = subject.traits.on_threads && !subject.traits.in_many_steps &&
                      (known.step->empty() || is_of_step(known.label.get(), *known.step) ||
                       subject.traits.in_one_go);
    Operations& operations = operations_[known.asked_by];
    ++operations.under_way;
    operations.started = at;
    if (known.is_single) ++operations.single;
  }
  wait(known);
  (subject.kind == Kind::promise ? oldest_promises_ : oldest_).push_back(subject.id);
  if (oldest_.size() > kMostSubjects || oldest_promises_.size() > kMostPromises) forget_oldest();
}

/// Ticks and promises are parts of the operation that they follow: what they start races with what
/// that has started.
RunNumber Explanation::Book::operation_of_live() const noexcept {
  if (live_.empty()) return 0;
  const Live& live = live_.back();
  return follows_operation(live.kind) && live.after != 0 ? live.after : live.number;
}

/// What is there for long stays; only of what is there now there may be too many.
void Explanation::Book::forget_oldest() {
  while (oldest_promises_.size() > kMostPromises) {
    const auto found = known_.find(oldest_promises_.front());
    oldest_promises_.pop_front();
    if (found != known_.end()) forget(found);
  }
  if (oldest_.size() <= kMostSubjects) return;
  std::erase_if(oldest_, [this](SubjectId id) { return !known_.contains(id); });
  // Room for many, so that this is rarely needed.
  while (oldest_.size() > kMostSubjects * 3 / 4) {
    forget(known_.find(oldest_.front()));
    oldest_.pop_front();
  }
}

Explanation::Book::Waiting* Explanation::Book::waiting_of(const Known& known) noexcept {
  if (known.kind == Kind::immediate) return &immediates_;
  return is_timer(known.kind) && known.delay <= Milliseconds(1) ? &short_timers_ : nullptr;
}

void Explanation::Book::wait(Known& known) noexcept {
  Waiting* waiting = waiting_of(known);
  if (waiting == nullptr) return;
  known.is_waiting = true;
  ++waiting->all;
}

void Explanation::Book::wait_no_more(Known& known) noexcept {
  if (!std::exchange(known.is_waiting, false)) return;
  Waiting* waiting = waiting_of(known);
  --waiting->all;
  if (known.look < looks_) --waiting->older;
}

void Explanation::Book::start_again(Time at, Known& known) {
  wait_no_more(known);
  known.made = at;
  known.look = looks_;
  wait(known);
}

void Explanation::Book::stop_counting(Known& known) {
  known.counted = false;
  const auto operations = operations_.find(known.asked_by);
  if (operations == operations_.end()) return;
  if (known.is_single) --operations->second.single;
  if (--operations->second.under_way <= 0) operations_.erase(operations);
}

void Explanation::Book::forget(std::unordered_map<SubjectId, Known>::iterator found) {
  Known& known = found->second;
  wait_no_more(known);
  if (known.counted) stop_counting(known);
  known_.erase(found);
}

void Explanation::Book::gone(SubjectId id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return;
  // A handle or a timer may be reported gone inside its own callback, which still creates things.
  const bool is_live =
      std::ranges::any_of(live_, [&](const Live& live) { return live.subject == id; });
  if (is_live)
    found->second.is_over = true;
  else
    forget(found);
}

// ---- Runs
// ----------------------------------------------------------------------------------------

bool Explanation::Book::is_listed(const Live& live) const {
  if (runs_.size() >= options_.limit) return false;
  if (!options_.phases.empty() &&
      std::ranges::find(options_.phases, live.phase) == options_.phases.end()) {
    return false;
  }
  return options_.file.empty() ||
         (live.site.file != nullptr && live.site.file->find(options_.file) != std::string::npos);
}

void Explanation::Book::begin(Time at, SubjectId id, std::string_view event,
                              std::string_view label) {
  if (began_.count() == 0) began_ = at;
  last_ = at;
  Live& live = live_.emplace_back();
  if (live_.size() > 1) live.inside = live_[live_.size() - 2].number;
  live.number = ++run_count_;
  live.iteration = iterations_;
  live.phase = phase_;
  live.subject = id;
  live.event = to_text(event);
  live.begin = at;
  Known* known = find(id);
  if (known != nullptr) {
    live.kind = known->kind;
    live.label = label.empty() ? known->label : to_text(cut(label));
    live.type = known->type;
    live.site = known->site;
    live.cause = known->cause;
    live.delay = known->delay;
    // Of a handle it is not known since when it waited for this.
    if (live.kind != Kind::handle && live.kind != Kind::main) live.made = known->made;
    live.depth = known->depth;
    live.is_again = known->last_run != 0;
    known->last_run = live.number;
    // It was called at once: nothing can come before it.
    if (live.inside != 0 && known->counted) stop_counting(*known);
  } else {
    live.label = to_text(label.empty() ? "something made long ago" : cut(label));
  }
  if (follows_operation(live.kind)) {
    live.after = last_operation_;
  } else if (live.inside == 0) {
    last_operation_ = live.number;
  }
  for (const auto& [made, cause] : std::exchange(made_ahead_, {})) {
    Known* ahead = cause == id ? find(made) : nullptr;
    if (ahead == nullptr) continue;
    ahead->cause = ahead->asked_by = live.number;
    ahead->depth = live.depth + 1;
  }
  ++count_of_[static_cast<std::size_t>(live.kind)];
  ++count_in_[static_cast<std::size_t>(live.phase)];

  const bool is_full = runs_.size() >= options_.limit;
  if (!is_full) live.note = open_order(live, known);
  if (is_listed(live)) {
    live.index = runs_.size();
    runs_.push_back(to_run(live));
    runs_.back().why = why(live, known);
    timeline_.push_back({Moment::What::run, live.index});
  } else {
    leave_out();
  }
  if (known == nullptr) return;
  wait_no_more(*known);
  if (live.kind == Kind::interval) start_again(at, *known);
}

namespace {

template <class PlaceRef>
Place to_place(const PlaceRef& place) {
  return {*place.file, *place.function, place.line, place.column};
}

}  // namespace

/// As long as it runs.
Run Explanation::Book::to_run(const Live& live) const {
  Run run;
  run.number = live.number;
  run.iteration = live.iteration;
  run.phase = live.phase;
  run.kind = live.kind;
  run.label = live.label.get();
  run.event = live.event.get();
  if (live.type != nullptr) run.type = *live.type;
  if (live.site.file != nullptr) run.site = to_place(live.site);
  run.subject = live.subject;
  run.cause = live.cause;
  run.after = live.after;
  run.inside = live.inside;
  run.delay = live.delay;
  run.made = live.made;
  run.begin = live.begin;
  run.end = live.begin - Time(1);
  run.depth = live.depth;
  run.note = live.note;
  return run;
}

void Explanation::Book::leave_out() {
  // Behind the limit nothing is listed any more: one entry is enough, and no list grows.
  const bool is_full = runs_.size() >= options_.limit;
  for (std::size_t i = timeline_.size(); i > 0; --i) {
    Moment& moment = timeline_[i - 1];
    if (moment.what == Moment::What::unlisted) {
      ++moment.index;
      return;
    }
    if (!is_full || moment.what == Moment::What::run) break;
  }
  timeline_.push_back({Moment::What::unlisted, 1});
}

/// Whether a promise that is none of the program's has run code of the program's for something
/// bigger: the body of a module that had to wait for another.
bool Explanation::Book::goes_on(const Known& known, const Live& live) {
  return known.kind == Kind::promise && known.is_inner && live.has_program && !known.whole.empty();
}

/// Whether it was but a part of something bigger, now that it has run.
bool Explanation::Book::is_step(const Known& known, const Live& live) {
  if (goes_on(known, live)) return false;
  // The engine needs another reaction of a promise to wait for the one that its callback has
  // returned.
  if (known.kind == Kind::promise) {
    return known.is_inner || (live.is_again && live.made_inner_promise);
  }
  if (known.step->empty()) return false;
  if (!known.traits.by_promises) return live.made_step;
  // Promises continue with it, except the last: a file that was opened for the operation is closed.
  if (!is_of_step(known.label.get(), *known.step)) return *known.step != "close";
  return known.site_is_inherited;
}

void Explanation::Book::end(Time at, SubjectId id) {
  last_ = at;
  if (live_.empty() || live_.back().subject != id) return;
  Live live = std::move(live_.back());
  live_.pop_back();
  const auto found = known_.find(id);
  bool step = false;
  const std::string* step_name = nullptr;
  if (found != known_.end()) {
    Known& known = found->second;
    step = is_step(known, live);
    if (step) step_name = known.step;
    if (goes_on(known, live)) live.label = to_text(known.whole.get() + " goes on");
    // What promises continue with may belong to another operation.
    const bool is_last_known = !step || known.traits.by_promises;
    if (step && !known.step->empty() && !is_of_step(live.label.get(), *known.step)) {
      live.label = to_text(live.label.get() + ": " + *known.step);
    }
    if (is_last_known && live.note.empty() && runs_.size() <= options_.limit) {
      if (!step) live.note = open_race(live, known);
      // What has failed at once comes before poll looks at anything.
      if (live.note.empty() && live.phase != Phase::pending) {
        live.note = open_completion(live, known);
      }
    }
    if (!step) note_racer(live, known);
    if (step && known.counted) {
      if (is_last_known) {
        stop_counting(known);
      } else {
        known.counted = false;  // the next step is
      }
    }
    if (known.is_over) forget(found);
  }
  count(live, step_name, at);
  const auto finish = [&](Run& run) {
    run.end = at;
    run.step = step;
    run.label = live.label.get();
    run.note = live.note;
    // A step of something bigger has called no function of the program's.
    run.callback = live.callback.file != nullptr && !step ? to_place(live.callback) : Place{};
    run.error = live.error;
  };
  if (live.index != kUnlisted) finish(runs_[live.index]);
  const Time ran = at - live.begin;
  if (longest_.size() == kMostLongest && longest_.back().ran() >= ran) return;
  const auto shorter =
      std::ranges::find_if(longest_, [&](const Run& other) { return other.ran() < ran; });
  Run run = live.index != kUnlisted ? runs_[live.index] : to_run(live);
  finish(run);
  longest_.insert(shorter, std::move(run));
  if (longest_.size() > kMostLongest) longest_.pop_back();
}

namespace {

/// What two labels have in common, in whole words: "stat a.txt" and "stat b.txt" are "stat …".
std::string common_label(std::string_view a, std::string_view b) {
  constexpr std::string_view kRest = " …";
  if (a == b) return std::string(a);
  std::string_view head = a;
  if (head.ends_with(kRest)) head.remove_suffix(kRest.size());
  while (!(b.starts_with(head) && (b.size() == head.size() || b[head.size()] == ' '))) {
    const std::size_t space = head.rfind(' ');
    if (space == std::string_view::npos) return std::string(a);
    head = head.substr(0, space);
  }
  return std::string(head) + std::string(kRest);
}

std::string_view first_word(std::string_view label) {
  return label.substr(0, label.find(' '));
}

}  // namespace

void Explanation::Book::count(const Live& live, const std::string* step, Time end) {
  // A text that did not fit into the pool is of no group that there is.
  const std::string* label = live.label.own == nullptr ? live.label.pooled : nullptr;
  const bool has_place = live.site.file != nullptr && !live.site.file->empty();
  if (has_place) label = find_pooled(first_word(live.label.get()));
  GroupKey key{label, live.event.pooled, step, live.site};
  auto found = key.label != nullptr ? groups_.find(key) : groups_.end();
  if (found == groups_.end()) {
    if (key.label == nullptr || groups_.size() >= kMostGroups) {
      found = groups_.try_emplace(GroupKey{}, Group{.label = "all others"}).first;
    } else {
      const Run run = to_run(live);
      const Group group{.label = run.label, .site = run.site, .kind = run.kind};
      found = groups_.try_emplace(key, group).first;
    }
  }
  Group& group = found->second;
  const Time ran = end - live.begin;
  if (key.label != nullptr && has_place) {
    group.label = common_label(group.label, live.label.get());
  }
  ++group.count;
  group.total += ran;
  if (group.longest_run == 0 || ran > group.longest) {
    group.longest = ran;
    group.longest_run = live.number;
  }
}

// ---- Why now, and could it have been otherwise
// ---------------------------------------------------

std::string Explanation::Book::why(const Live& run, const Known* known) const {
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
      return last_sleep_ >= kShortestSleep ? "poll slept " + to_words(last_sleep_) + " for it"
                                           : "done when poll looked";
    case Phase::check: {
      // The guide's question. Inside of I/O there is but one answer.
      const bool has_timer =
          known != nullptr && short_timers_.all > 0 && !looks_at_timers_first(known->made_in);
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

std::string Explanation::Book::open_order(const Live& run, const Known* known) {
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

/// An immediate and an operation without steps that one callback has started: was it done when poll
/// looked? One that has steps never is. What poll itself has called sees no further look.
std::string Explanation::Book::open_look(const Live& run, const Known& known) {
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
std::string Explanation::Book::open_due(const Live& run, const Known& known) const {
  if (last_timer_.number == 0 || last_timer_.delay == run.delay ||
      known.made >= last_timer_.begin ||
      distance(known.made + known.delay, last_timer_.due) >= kSameDue) {
    return {};
  }
  return "either order: #" + std::to_string(last_timer_.number) +
         " and this were due within the same millisecond";
}

/// A timer and an operation that one callback has started.
std::string Explanation::Book::open_race(const Live& run, const Known& known) const {
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

void Explanation::Book::note_racer(const Live& run, const Known& known) {
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
std::string Explanation::Book::open_completion(const Live& run, const Known& known) {
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

std::string Explanation::Book::open_between(const Live& run, const Known& known,
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

// ---- Output and sleep
// ----------------------------------------------------------------------------

void Explanation::Book::add_output(Time at, int descriptor, std::string_view text) {
  last_ = at;
  if (!live_.empty()) live_.back().has_program = true;
  const std::uint64_t room = options_.output_limit - output_kept_;
  if (text.size() > room) {
    output_left_out_ += text.size() - room;
    text = text.substr(0, static_cast<std::size_t>(room));
  }
  if (text.empty()) return;
  output_kept_ += text.size();
  const bool is_full = runs_.size() >= options_.limit;
  if (!outputs_.empty() && outputs_.back().descriptor == descriptor) {
    const bool is_last = timeline_.back().what == Moment::What::output;
    const bool is_behind = is_full && (runs_.empty() || outputs_.back().run > runs_.back().number);
    if (is_behind || (is_last && outputs_.back().run == run_count_)) {
      outputs_.back().text += text;
      return;
    }
  }
  timeline_.push_back({Moment::What::output, outputs_.size()});
  outputs_.push_back({at, descriptor, run_count_, std::string(text)});
}

void Explanation::Book::add_sleep(Time begin, Time end) {
  const Time asleep = end - begin;
  idle_ += asleep;
  phase_idle_ += asleep;
  last_sleep_ += asleep;
  if (timeline_.empty()) return;
  const Moment last = timeline_.back();
  if (last.what == Moment::What::sleep) {
    sleeps_.back().end = end;
    sleeps_.back().asleep += asleep;
  } else if (asleep >= kShortestSleep && last.what != Moment::What::unlisted &&
             runs_.size() < options_.limit) {
    timeline_.push_back({Moment::What::sleep, sleeps_.size()});
    sleeps_.push_back({iterations_, begin, end, asleep});
  }
}

// ---- Explanation
// ---------------------------------------------------------------------------------

Explanation::Explanation(ExplanationOptions options)
    : book_(std::make_unique<Book>(std::move(options))) {}

Explanation::~Explanation() = default;

const ExplanationOptions& Explanation::options() const noexcept {
  return book_->options_;
}
const std::deque<Run>& Explanation::runs() const noexcept {
  return book_->runs_;
}
const std::deque<Output>& Explanation::outputs() const noexcept {
  return book_->outputs_;
}
const std::deque<Sleep>& Explanation::sleeps() const noexcept {
  return book_->sleeps_;
}
const std::deque<Moment>& Explanation::timeline() const noexcept {
  return book_->timeline_;
}
std::uint64_t Explanation::run_count() const noexcept {
  return book_->run_count_;
}
std::uint64_t Explanation::output_left_out() const noexcept {
  return book_->output_left_out_;
}
const std::vector<Run>& Explanation::longest() const noexcept {
  return book_->longest_;
}
Time Explanation::began() const noexcept {
  return book_->began_;
}
const std::vector<Left>& Explanation::left() const noexcept {
  return book_->left_;
}

Time Explanation::finished() const noexcept {
  return book_->last_;
}
bool Explanation::is_finished() const noexcept {
  return book_->is_finished_;
}
End Explanation::end() const noexcept {
  return book_->end_;
}
std::uint64_t Explanation::iterations() const noexcept {
  return book_->iterations_;
}
Time Explanation::idle() const noexcept {
  return book_->idle_;
}

std::uint64_t Explanation::count_of(Kind kind) const noexcept {
  return book_->count_of_[static_cast<std::size_t>(kind)];
}

std::uint64_t Explanation::count_in(Phase phase) const noexcept {
  return book_->count_in_[static_cast<std::size_t>(phase)];
}

Time Explanation::time_in(Phase phase) const noexcept {
  if (phase != Phase::none) return book_->time_in_[static_cast<std::size_t>(phase)];
  Time rest = book_->last_ - book_->began_ - book_->idle_;
  for (const Time time : book_->time_in_) rest -= time;
  return std::max(rest, Time{});
}

const Run* Explanation::find(RunNumber number) const noexcept {
  const auto found = std::ranges::lower_bound(book_->runs_, number, {}, &Run::number);
  return found != book_->runs_.end() && found->number == number ? &*found : nullptr;
}

std::vector<Group> Explanation::groups(std::size_t most) const {
  std::vector<Group> all;
  for (const auto& [key, group] : book_->groups_) all.push_back(group);
  std::ranges::sort(all, [](const Group& a, const Group& b) {
    return a.total != b.total ? a.total > b.total : a.longest_run < b.longest_run;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

bool Explanation::wants_every_phase() const {
  return book_->runs_.size() < book_->options_.limit;
}

void Explanation::on_iteration(Time /*at*/, std::uint64_t number) noexcept {
  book_->iterations_ = number;
}

void Explanation::on_quiet_iteration(Time /*at*/, std::uint64_t number) noexcept {
  book_->iterations_ = number;
}

void Explanation::on_phase_enter(Time at, Phase phase) noexcept {
  Book& book = *book_;
  if (book.began_.count() == 0) book.began_ = at;
  book.phase_ = phase;
  book.phase_began_ = at;
  book.phase_idle_ = book.last_sleep_ = Time{};
  if (phase != Phase::timers) return;
  ++book.looks_;
  book.immediates_.older = book.immediates_.all;
  book.short_timers_.older = book.short_timers_.all;
}

void Explanation::on_phase_leave(Time at, Phase phase) noexcept {
  Book& book = *book_;
  book.time_in_[static_cast<std::size_t>(phase)] += at - book.phase_began_ - book.phase_idle_;
  book.phase_ = Phase::none;
  book.last_ = at;
}

void Explanation::on_wait(Time at) noexcept {
  book_->wait_began_ = at;
  book_->last_sleep_ = Time{};
}

void Explanation::on_woken(Time at, std::size_t /*completions*/) noexcept {
  if (book_->wait_began_.count() == 0) return;
  book_->add_sleep(std::exchange(book_->wait_began_, Time{}), at);
}

void Explanation::on_made(Time at, const Subject& subject) noexcept {
  book_->made(at, subject);
}

void Explanation::on_begin(Time at, SubjectId id, std::string_view event,
                           std::string_view label) noexcept {
  book_->begin(at, id, event, label);
}

void Explanation::on_end(Time at, SubjectId id) noexcept {
  book_->end(at, id);
}

void Explanation::on_function(SubjectId id, const Site& function) noexcept {
  if (book_->live_.empty() || book_->live_.back().subject != id) return;
  Book::Live& live = book_->live_.back();
  live.callback = book_->pooled(function);
  if (live.index != Book::kUnlisted) book_->runs_[live.index].callback = to_place(live.callback);
}

void Explanation::on_failed(SubjectId id, std::string_view error) noexcept {
  if (book_->live_.empty() || book_->live_.back().subject != id) return;
  book_->live_.back().error = error;
}

void Explanation::on_again(Time at, SubjectId id) noexcept {
  if (Book::Known* known = book_->find(id)) book_->start_again(at, *known);
}

void Explanation::on_gone(Time /*at*/, SubjectId id) noexcept {
  book_->gone(id);
}

void Explanation::on_output(Time at, int descriptor, std::string_view text) noexcept {
  book_->add_output(at, descriptor, text);
}

void Explanation::on_unfinished(Time /*at*/, std::span<const Unfinished> left) noexcept {
  for (const Unfinished& each : left) {
    const Site& site = each.site;
    book_->left_.push_back({std::string(each.kind), std::string(each.what), each.count,
                            Place{.file = std::string(site.file),
                                  .function = std::string(site.function),
                                  .line = site.line,
                                  .column = site.column},
                            std::string(each.source)});
  }
}

void Explanation::on_finish(Time at, End end) noexcept {
  Book& book = *book_;
  on_woken(at, 0);  // it may be asleep
  // The last visit to the timers is counted as all of them are, though after the limit it is not
  // reported of it.
  if (!wants_every_phase() && end == End::nothing_left && book.iterations_ > 0) ++book.iterations_;
  while (!book.live_.empty()) book.end(at, book.live_.back().subject);
  if (book.phase_ != Phase::none) on_phase_leave(at, book.phase_);
  book.last_ = at;
  book.end_ = end;
  book.is_finished_ = true;
}

}  // namespace rondo::lens
