#include "lens/explain/record.h"

#include <algorithm>
#include <utility>

namespace rondo::lens {

namespace {

// What bounds the memory: the program decides how many of these there are.
constexpr std::size_t kMostSubjects = 1'000'000;
constexpr std::size_t kMostPromises = 100'000;
constexpr std::size_t kMostLongest = 10;
constexpr std::size_t kMostLabel = 300;  // bytes; a path may be longer

std::string_view cut(std::string_view text) {
  if (text.size() <= kMostLabel) return text;
  std::size_t length = kMostLabel;
  while ((static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
  return text.substr(0, length);
}

/// Requests on one socket end in the order in which they were made.
bool has_open_end(Kind kind, const Traits& traits) {
  if (kind == Kind::handle) return traits.ends_by_itself;
  return kind == Kind::request && !traits.in_order;
}

}  // namespace

// ---- Subjects ----------------------------------------------------------------------------------

void Explanation::Record::made(Time at, const Subject& subject) {
  const auto [place, is_new] = known_.try_emplace(subject.id);
  KnownSubject& known = place->second;
  if (!is_new) return start_again(at, known);
  known.kind = subject.kind;
  known.made_in = phase_;
  known.label = subject.label.empty() ? pool_.to_text(cut(describe(subject)))
                                      : pool_.to_text(cut(subject.label));
  if (subject.kind == Kind::immediate && subject.inner && subject.site.file.empty()) {
    known.label = pool_.to_text("immediate inside");  // the program has not asked for it
  }
  known.step = pool_.pooled(subject.step);
  known.type = pool_.pooled(subject.type);
  known.traits = subject.traits;
  known.site = pool_.pooled(subject.site);
  known.delay = subject.delay;
  known.made = at;
  SubjectId cause_id = subject.cause;
  if (cause_id == 0 && !live_.empty()) cause_id = live_.back().subject;
  const KnownSubject* cause = find(cause_id);
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
    order_.start_operation(known, at);
  }
  order_.wait(known);
  (subject.kind == Kind::promise ? oldest_promises_ : oldest_).push_back(subject.id);
  if (oldest_.size() > kMostSubjects || oldest_promises_.size() > kMostPromises) forget_oldest();
}

/// Ticks and promises are parts of the operation that they follow: what they start races with what
/// that has started.
RunNumber Explanation::Record::operation_of_live() const noexcept {
  if (live_.empty()) return 0;
  const RunningCallback& live = live_.back();
  return follows_operation(live.kind) && live.after != 0 ? live.after : live.number;
}

/// Subjects stay known as long as they exist; there must not be too many at a time.
void Explanation::Record::forget_oldest() {
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

void Explanation::Record::start_again(Time at, KnownSubject& known) {
  order_.wait_no_more(known);
  known.made = at;
  order_.wait(known);
}

void Explanation::Record::forget(std::unordered_map<SubjectId, KnownSubject>::iterator found) {
  KnownSubject& known = found->second;
  order_.wait_no_more(known);
  if (known.counted) order_.stop_counting(known);
  known_.erase(found);
}

void Explanation::Record::gone(SubjectId id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return;
  // A handle or a timer may be reported gone inside its own callback, which still creates things.
  const bool is_live =
      std::ranges::any_of(live_, [&](const RunningCallback& live) { return live.subject == id; });
  if (is_live)
    found->second.is_over = true;
  else
    forget(found);
}

// ---- Runs --------------------------------------------------------------------------------------

bool Explanation::Record::is_listed(const RunningCallback& live) const {
  if (runs_.size() >= options_.limit) return false;
  if (!options_.phases.empty() &&
      std::ranges::find(options_.phases, live.phase) == options_.phases.end()) {
    return false;
  }
  return options_.file.empty() ||
         (live.site.file != nullptr && live.site.file->find(options_.file) != std::string::npos);
}

void Explanation::Record::begin(Time at, SubjectId id, std::string_view event,
                                std::string_view label) {
  if (began_.count() == 0) began_ = at;
  last_ = at;
  RunningCallback& live = live_.emplace_back();
  if (live_.size() > 1) live.inside = live_[live_.size() - 2].number;
  live.number = ++run_count_;
  live.iteration = iterations_;
  live.phase = phase_;
  live.subject = id;
  live.event = pool_.to_text(event);
  live.begin = at;
  KnownSubject* known = find(id);
  if (known != nullptr) {
    live.kind = known->kind;
    live.label = label.empty() ? known->label : pool_.to_text(cut(label));
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
    if (live.inside != 0 && known->counted) order_.stop_counting(*known);
  } else {
    live.label = pool_.to_text(label.empty() ? "something made long ago" : cut(label));
  }
  if (follows_operation(live.kind)) {
    live.after = last_operation_;
  } else if (live.inside == 0) {
    last_operation_ = live.number;
  }
  for (const auto& [made, cause] : std::exchange(made_ahead_, {})) {
    KnownSubject* ahead = cause == id ? find(made) : nullptr;
    if (ahead == nullptr) continue;
    ahead->cause = ahead->asked_by = live.number;
    ahead->depth = live.depth + 1;
  }
  ++count_of_[static_cast<std::size_t>(live.kind)];
  ++count_in_[static_cast<std::size_t>(live.phase)];

  const bool is_full = runs_.size() >= options_.limit;
  if (!is_full) live.note = order_.note_at_begin(live, known);
  if (is_listed(live)) {
    live.index = runs_.size();
    runs_.push_back(live.to_run());
    runs_.back().why = order_.why(live, known, last_sleep_);
    timeline_.push_back({Moment::What::run, live.index});
  } else {
    leave_out();
  }
  if (known == nullptr) return;
  order_.wait_no_more(*known);
  if (live.kind == Kind::interval) start_again(at, *known);
}

void Explanation::Record::leave_out() {
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

/// Whether a promise that is not the program's has run code of the program for a larger
/// operation: the body of a module that had to wait for another.
bool Explanation::Record::goes_on(const KnownSubject& known, const RunningCallback& live) {
  return known.kind == Kind::promise && known.is_inner && live.has_program && !known.whole.empty();
}

/// Whether it was but a part of something bigger, now that it has run.
bool Explanation::Record::is_step(const KnownSubject& known, const RunningCallback& live) {
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

void Explanation::Record::end(Time at, SubjectId id) {
  last_ = at;
  if (live_.empty() || live_.back().subject != id) return;
  RunningCallback live = std::move(live_.back());
  live_.pop_back();
  const auto found = known_.find(id);
  bool step = false;
  const std::string* step_name = nullptr;
  if (found != known_.end()) {
    KnownSubject& known = found->second;
    step = is_step(known, live);
    if (step) step_name = known.step;
    if (goes_on(known, live)) live.label = pool_.to_text(known.whole.get() + " goes on");
    // What promises continue with may belong to another operation.
    const bool is_last_known = !step || known.traits.by_promises;
    if (step && !known.step->empty() && !is_of_step(live.label.get(), *known.step)) {
      live.label = pool_.to_text(live.label.get() + ": " + *known.step);
    }
    if (is_last_known && live.note.empty() && runs_.size() <= options_.limit) {
      live.note = order_.note_at_end(live, known, step);
    }
    if (!step) order_.note_racer(live, known);
    if (step && known.counted) {
      if (is_last_known) {
        order_.stop_counting(known);
      } else {
        known.counted = false;  // the next step is
      }
    }
    if (known.is_over) forget(found);
  }
  groups_.count(pool_, live, step_name, at);
  const auto finish = [&](Run& run) {
    run.end = at;
    run.step = step;
    run.label = live.label.get();
    run.note = live.note;
    // A step of something bigger has called no function of the program's.
    run.callback =
        live.callback.file != nullptr && !step ? live.callback.to_location() : SourceLocation{};
    run.error = live.error;
  };
  if (live.index != RunningCallback::kUnlisted) finish(runs_[live.index]);
  const Time ran = at - live.begin;
  if (longest_.size() == kMostLongest && longest_.back().ran() >= ran) return;
  const auto shorter =
      std::ranges::find_if(longest_, [&](const Run& other) { return other.ran() < ran; });
  Run run = live.index != RunningCallback::kUnlisted ? runs_[live.index] : live.to_run();
  finish(run);
  longest_.insert(shorter, std::move(run));
  if (longest_.size() > kMostLongest) longest_.pop_back();
}

// ---- Output and sleep --------------------------------------------------------------------------

void Explanation::Record::add_output(Time at, int descriptor, std::string_view text) {
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

void Explanation::Record::add_sleep(Time begin, Time end) {
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

}  // namespace rondo::lens
