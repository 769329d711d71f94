#include "lens/explanation.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace rondo::lens {

namespace {

using Milliseconds = std::chrono::milliseconds;

// What bounds the memory: the program decides how many of these there are.
constexpr std::size_t kMostSubjects = 100'000;
constexpr std::size_t kMostTexts = 20'000;
constexpr std::size_t kMostGroups = 10'000;
constexpr std::size_t kMostLongest = 10;
constexpr std::size_t kMostLabel = 300;  // bytes; a path may be longer

/// A timer of 1 ms is due at the first look or not, as fast as the machine is. A program that has
/// been busy for longer than this since it set the timer has decided it.
constexpr Time kOpenFor = Milliseconds(5);

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

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

/// Requests on one socket end in the order in which they were made.
bool has_open_end(Kind kind, std::string_view type) {
  return kind == Kind::request && type != "WRITEWRAP" && type != "SHUTDOWNWRAP";
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

const std::string* Explanation::Book::pooled(std::string_view text) {
  static const std::string kNone;
  if (text.empty()) return &kNone;
  std::string copy(text);
  const auto found = pool_.find(copy);
  if (found != pool_.end()) return &*found;
  static const std::string kOther = "(somewhere)";
  if (pool_.size() == kMostTexts) return &kOther;
  return &*pool_.insert(std::move(copy)).first;
}

Explanation::Book::PlaceRef Explanation::Book::pooled(const Site& site) {
  return {pooled(site.file), pooled(site.function), site.line, site.column};
}

std::size_t Explanation::Book::GroupHash::operator()(const GroupKey& key) const noexcept {
  const auto mix = [](std::size_t seed, std::size_t value) {
    return (seed ^ value) * 0x9e3779b97f4a7c15U;
  };
  std::size_t hash = std::hash<std::string>{}(key.label);
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.site.file));
  hash = mix(hash, static_cast<std::size_t>(key.site.line));
  return mix(hash, static_cast<std::size_t>(key.site.column));
}

// ---- Subjects
// ------------------------------------------------------------------------------------

void Explanation::Book::made(Time at, const Subject& subject) {
  if (Known* old = find(subject.id)) return start_again(at, *old);
  Known known;
  known.kind = subject.kind;
  known.made_in = phase_;
  known.label = cut(subject.label.empty() ? std::string_view(describe(subject)) : subject.label);
  known.step = subject.step;
  known.type = pooled(subject.type);
  known.site = pooled(subject.site);
  known.delay = subject.delay;
  known.made = at;
  known.look = looks_;
  SubjectId cause_id = subject.cause;
  if (cause_id == 0 && !live_.empty()) cause_id = live_.back().run.subject;
  const Known* cause = find(cause_id);
  if (cause != nullptr) {
    // A server may not have run yet: then what made it has led here.
    const bool has_run = cause->last_run != 0;
    known.cause = has_run ? cause->last_run : cause->cause;
    known.depth = has_run ? cause->depth + 1 : cause->depth;
  }
  known.asked_by = known.cause;
  known.is_inner = subject.inner;
  if (!subject.site.file.empty() || cause == nullptr || cause->kind == Kind::main) {
    known.counted = has_open_end(subject.kind, subject.type);
    if (!known.step.empty()) known.whole = known.label;
  } else {
    known.site_is_inherited = true;
    known.site = cause->site;
    known.whole = cause->whole;
    if (!known.step.empty() && !known.whole.empty()) {
      known.follows_step = true;
      known.label = known.whole;
      known.asked_by = cause->asked_by;
      known.counted = cause->counted;
      if (!live_.empty()) live_.back().made_step = true;
    }
  }
  if (known.counted && !known.follows_step) ++operations_[known.asked_by].under_way;
  if (subject.kind == Kind::immediate) immediates_.insert(subject.id);
  const bool is_timer = subject.kind == Kind::timeout || subject.kind == Kind::interval;
  if (is_timer && subject.delay <= Milliseconds(1)) short_timers_.insert(subject.id);
  known_[subject.id] = std::move(known);
  oldest_.push_back(subject.id);
  while (oldest_.size() > kMostSubjects) {
    const auto found = known_.find(oldest_.front());
    oldest_.pop_front();
    if (found != known_.end()) forget(found);
  }
}

void Explanation::Book::start_again(Time at, Known& known) {
  known.made = at;
  known.look = looks_;
}

void Explanation::Book::forget(std::unordered_map<SubjectId, Known>::iterator found) {
  const auto& [id, known] = *found;
  immediates_.erase(id);
  short_timers_.erase(id);
  if (known.counted) {
    const auto operations = operations_.find(known.asked_by);
    if (operations != operations_.end() && --operations->second.under_way <= 0) {
      operations_.erase(operations);
    }
  }
  known_.erase(found);
}

void Explanation::Book::gone(SubjectId id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return;
  // A handle or a timer may be told gone from inside its own callback, which still makes things.
  const bool is_live =
      std::ranges::any_of(live_, [&](const Live& live) { return live.run.subject == id; });
  if (is_live)
    found->second.is_over = true;
  else
    forget(found);
}

// ---- Runs
// ----------------------------------------------------------------------------------------

bool Explanation::Book::is_listed(const Run& run) const {
  if (runs_.size() >= options_.limit) return false;
  if (!options_.phases.empty() &&
      std::ranges::find(options_.phases, run.phase) == options_.phases.end()) {
    return false;
  }
  return options_.file.empty() || run.site.file.find(options_.file) != std::string::npos;
}

void Explanation::Book::begin(Time at, SubjectId id, std::string_view event,
                              std::string_view label) {
  if (began_.count() == 0) began_ = at;
  last_ = at;
  Live live;
  Run& run = live.run;
  run.number = ++run_count_;
  run.iteration = phase_ == Phase::none && iterations_ == 0 ? 0 : iterations_;
  run.phase = phase_;
  run.subject = id;
  run.event = event;
  run.begin = at;
  run.end = at - Time(1);
  if (!live_.empty()) run.inside = live_.back().run.number;
  Known* known = find(id);
  if (known != nullptr) {
    run.kind = known->kind;
    run.label = label.empty() ? std::string_view(known->label) : cut(label);
    run.type = *known->type;
    run.site = {*known->site.file, *known->site.function, known->site.line, known->site.column};
    run.cause = known->cause;
    run.delay = known->delay;
    // Of a handle it is not known since when it waited for this.
    if (run.kind != Kind::handle && run.kind != Kind::main) run.made = known->made;
    run.depth = known->depth;
    known->last_run = run.number;
    immediates_.erase(id);
    if (run.kind == Kind::timeout) short_timers_.erase(id);
    if (run.kind == Kind::interval) start_again(at, *known);
  } else {
    run.label = label.empty() ? "something made long ago" : cut(label);
  }
  if (follows_operation(run.kind)) {
    run.after = last_operation_;
  } else if (run.inside == 0) {
    last_operation_ = run.number;
  }
  run.why = why(run, known);
  run.note = open_order(run, known);
  ++count_of_[static_cast<std::size_t>(run.kind)];
  ++count_in_[static_cast<std::size_t>(run.phase)];

  if (is_listed(run)) {
    live.index = runs_.size();
    runs_.push_back(run);
    timeline_.push_back({Moment::What::run, live.index});
  } else {
    live.index = kUnlisted;
    leave_out();
  }
  live_.push_back(std::move(live));
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

/// Whether it was but a part of something bigger, now that it has run.
bool Explanation::Book::is_step(const Known& known, const Live& live) {
  if (known.kind == Kind::promise) return known.is_inner;
  if (known.step.empty()) return false;
  if (live.run.type != "FSREQPROMISE") return live.made_step;
  // Promises go on with it.
  return known.site_is_inherited || !begins_with_word(known.label, known.step);
}

void Explanation::Book::end(Time at, SubjectId id) {
  last_ = at;
  if (live_.empty() || live_.back().run.subject != id) return;
  Live live = std::move(live_.back());
  live_.pop_back();
  Run& run = live.run;
  run.end = at;
  const auto found = known_.find(id);
  PlaceRef site;
  if (found != known_.end()) {
    Known& known = found->second;
    site = known.site;
    run.step = is_step(known, live);
    if (run.step && !known.step.empty() && !begins_with_word(run.label, known.step)) {
      run.label += ": " + known.step;
    } else if (run.note.empty()) {
      run.note = open_completion(&known);
    }
    if (run.step) known.counted = false;  // the next step is
    if (known.is_over) forget(found);
  }
  count(run, site);
  if (live.index != kUnlisted) runs_[live.index] = run;
  const auto shorter =
      std::ranges::find_if(longest_, [&](const Run& other) { return other.ran() < run.ran(); });
  if (shorter == longest_.end() && longest_.size() == kMostLongest) return;
  longest_.insert(shorter, std::move(run));
  if (longest_.size() > kMostLongest) longest_.pop_back();
}

void Explanation::Book::count(const Run& run, const PlaceRef& site) {
  GroupKey key{run.label, site};
  auto found = groups_.find(key);
  if (found == groups_.end()) {
    if (groups_.size() >= kMostGroups) {
      key = {"all others", {}};
      found = groups_.try_emplace(std::move(key), Group{.label = "all others"}).first;
    } else {
      found = groups_
                  .try_emplace(std::move(key),
                               Group{.label = run.label, .site = run.site, .kind = run.kind})
                  .first;
    }
  }
  Group& group = found->second;
  ++group.count;
  group.total += run.ran();
  if (group.longest_run == 0 || run.ran() > group.longest) {
    group.longest = run.ran();
    group.longest_run = run.number;
  }
}

// ---- Why now, and could it have been otherwise
// ---------------------------------------------------

std::string Explanation::Book::why(const Run& run, const Known* known) const {
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
          known != nullptr && !short_timers_.empty() && !looks_at_timers_first(known->made_in);
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

/// A timer of 1 ms against an immediate, where the timers are looked at first.
std::string Explanation::Book::open_order(const Run& run, const Known* known) {
  if (known == nullptr || noted_look_ == looks_ || run.inside != 0) return {};
  if (run.phase == Phase::timers && run.delay <= Milliseconds(1) && !immediates_.empty()) {
    const Known* immediate = find(*immediates_.begin());
    if (immediate == nullptr || immediate->look == looks_ || look_began_ - run.made >= kOpenFor) {
      return {};
    }
    noted_look_ = looks_;
    return "either order: the 1 ms threshold had passed at the first look, before the immediate";
  }
  if (run.phase == Phase::check && run.kind == Kind::immediate && known->look < looks_ &&
      !short_timers_.empty()) {
    const Known* timer = find(*short_timers_.begin());
    if (timer == nullptr || timer->look == looks_) return {};
    noted_look_ = looks_;
    return "either order: the 1 ms threshold had not passed at the first look, before this";
  }
  return {};
}

/// Two operations that one callback has started.
std::string Explanation::Book::open_completion(const Known* known) {
  if (!known->counted) return {};
  const auto found = operations_.find(known->asked_by);
  if (found == operations_.end()) return {};
  Operations& operations = found->second;
  if (operations.under_way < 2 || std::exchange(operations.noted, true)) return {};
  const std::string others = operations.under_way == 2
                                 ? "another operation"
                                 : std::to_string(operations.under_way - 1) + " other operations";
  return "either order: " + others + " of #" + std::to_string(known->asked_by) +
         " went on at the same time, and what is done first comes first";
}

// ---- Output and sleep
// ----------------------------------------------------------------------------

void Explanation::Book::add_output(Time at, int descriptor, std::string_view text) {
  last_ = at;
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

void Explanation::on_iteration(Time /*at*/, std::uint64_t number) noexcept {
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
  book.look_began_ = at;
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

void Explanation::on_again(Time at, SubjectId id) noexcept {
  if (Book::Known* known = book_->find(id)) book_->start_again(at, *known);
}

void Explanation::on_gone(Time /*at*/, SubjectId id) noexcept {
  book_->gone(id);
}

void Explanation::on_output(Time at, int descriptor, std::string_view text) noexcept {
  book_->add_output(at, descriptor, text);
}

void Explanation::on_finish(Time at, End end) noexcept {
  Book& book = *book_;
  while (!book.live_.empty()) book.end(at, book.live_.back().run.subject);
  if (book.phase_ != Phase::none) on_phase_leave(at, book.phase_);
  book.last_ = at;
  book.end_ = end;
  book.is_finished_ = true;
}

}  // namespace rondo::lens
