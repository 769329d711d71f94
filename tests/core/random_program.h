// A random program for an event loop, and the trace of what it did.
//
// A program is a tree: the main program does a few actions, some of them schedule callbacks, each
// of which does a few actions, and so on until the program's allowance is spent. Nothing
// is written down in advance: what a callback does follows from the seed and from the callback's
// place in the tree, so the same program can be played on two subjects, each at its own pace.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/loop.h"
#include "rondo/phase.h"

namespace rondo::model_test {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// ---- What a program is played on -------------------------------------------------------------

/// Names a scheduled callback, in the order of scheduling; 0 is the before-exit handler.
using Id = std::size_t;
inline constexpr Id kBeforeExit = 0;

enum class RunMode : std::uint8_t { until_done, once, nowait };

/// The choices that are made before a loop exists.
struct Setup {
  Budgets budgets;
  TimerStart timer_start = TimerStart::cached;
  nanoseconds clock_start{};
  bool before_exit = false;
  bool observer = false;  // for the real loop: being watched changes nothing
};

/// The operations of a loop, by the names of callbacks. There are two: the loop and the model.
class Subject {
 public:
  virtual ~Subject() = default;

  /// Set by the program: called when a callback runs, and when one has thrown.
  std::function<void(Id)> on_callback;
  std::function<void()> on_exception;

  virtual void schedule(TaskKind kind, Id id, milliseconds delay) = 0;
  virtual bool clear(Id id) = 0;
  virtual bool refresh(Id id) = 0;
  virtual void set_ref(Id id, bool referenced) = 0;
  virtual bool has_ref(Id id) const = 0;
  virtual bool active(Id id) const = 0;

  virtual bool run(RunMode mode) = 0;
  virtual void stop() = 0;
  virtual void handle_exceptions(bool handle) = 0;

  virtual void advance_clock(nanoseconds duration) = 0;
  virtual void update_now() = 0;

  virtual milliseconds now() = 0;
  virtual Phase phase() const = 0;
  virtual std::uint64_t iterations() const = 0;
  virtual bool alive() const = 0;
  virtual std::size_t waiting() const = 0;  // callbacks in all queues together
};

// ---- The trace -------------------------------------------------------------------------------

enum class What : std::uint8_t {
  ran,
  caught,
  set,
  cleared,
  refreshed,
  reffed,
  unreffed,
  stalled,
  updated_now,
  stopped,
  handler,
  threw,
  run_begins,
  run_ended,
  run_threw,
};

/// One thing that happened, and how the loop stood right after it.
struct Event {
  What what;
  TaskKind kind = TaskKind::timeout;  // of `id`
  Id id = 0;                          // what was run, set, cleared ...
  std::int64_t value = 0;             // a delay, a duration, on or off, a mode, a count
  bool result = false;                // what the call returned
  bool has_ref = false;               // of `id`, as the next
  bool active = false;
  std::int64_t now_ms = 0;  // only inside callbacks: outside, to ask would change it
  Phase phase = Phase::none;
  std::uint64_t iteration = 0;
  bool alive = false;

  friend bool operator==(const Event&, const Event&) = default;
};
using Trace = std::vector<Event>;

/// A callback and what happens to it stands at the margin, what it does is indented.
inline std::string describe_what(const Event& event) {
  static constexpr std::array kRuns{"run()", "run_once()", "run_nowait()"};
  std::string task = std::string(to_string(event.kind)) + " #" + std::to_string(event.id);
  const std::string value = std::to_string(event.value);
  const std::string result = event.result ? "true" : "false";
  switch (event.what) {
    case What::ran:
      return task;
    case What::caught:
      return "on_uncaught handler";
    case What::set:
      return "    set " + task + (event.value == 0 ? "" : ", " + value + " ms");
    case What::cleared:
      return "    clear " + task + ": " + result;
    case What::refreshed:
      return "    refresh " + task + ": " + result;
    case What::reffed:
      return "    ref " + task;
    case What::unreffed:
      return "    unref " + task;
    case What::stalled:
      return "    stall, " + value + " us";
    case What::updated_now:
      return "    update_now";
    case What::stopped:
      return "    stop";
    case What::handler:
      return event.value != 0 ? "    set on_uncaught" : "    remove on_uncaught";
    case What::threw:
      return "    throw";
    case What::run_begins:
      return kRuns[static_cast<std::size_t>(event.value)];
    case What::run_ended:
      return "returned " + result + ", left in queues: " + value;
    case What::run_threw:
      return "threw";
  }
  return "?";
}

inline std::string describe(const Event& event) {
  return describe_what(event) + (event.has_ref ? " ref" : "") + (event.active ? " active" : "") +
         "  [" + std::to_string(event.now_ms) + " " + std::string(to_string(event.phase)) + " " +
         std::to_string(event.iteration) + (event.alive ? " alive]" : "]");
}

// ---- Chance ----------------------------------------------------------------------------------

/// A place in the tree of a program: made from the key of the parent and the number of the child.
using Key = std::uint64_t;

inline Key child(Key parent, std::uint64_t number) {
  Key z = parent + (number + 1) * 0x9e3779b97f4a7c15U;  // splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(Key key) : key_(key) {}

  std::size_t below(std::size_t bound) { return child(key_, drawn_++) % bound; }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <class T, std::size_t n>
  T pick(const std::array<T, n>& values) {
    return values[below(n)];
  }

 private:
  Key key_;
  std::uint64_t drawn_ = 0;
};

// ---- The program -----------------------------------------------------------------------------

/// What a program can do, and how often it does it.
enum class Does : std::uint8_t {
  schedule,
  clear,
  refresh,
  ref,
  unref,
  stall,
  update_now,
  stop,
  handle_exceptions,
  throw_something,
};
struct Action {
  Does does;
  std::size_t weight;
  TaskKind kind = TaskKind::timeout;
};
inline constexpr std::array<Action, 20> kActions{{
    {Does::schedule, 24, TaskKind::timeout},
    {Does::schedule, 8, TaskKind::interval},
    {Does::schedule, 14, TaskKind::immediate},
    {Does::schedule, 8, TaskKind::tick},
    {Does::schedule, 8, TaskKind::microtask},
    {Does::schedule, 5, TaskKind::deferred},
    {Does::schedule, 5, TaskKind::close},
    {Does::schedule, 5, TaskKind::posted},
    {Does::schedule, 2, TaskKind::idle_hook},
    {Does::schedule, 2, TaskKind::prepare_hook},
    {Does::schedule, 2, TaskKind::check_hook},
    {Does::clear, 12},
    {Does::refresh, 12},
    {Does::ref, 3},
    {Does::unref, 6},
    {Does::stall, 14},
    {Does::update_now, 3},
    {Does::stop, 2},
    {Does::handle_exceptions, 2},
    {Does::throw_something, 5},
}};

/// What the callbacks of a program throw.
struct Thrown : std::exception {};

class Program {
 public:
  /// `left_out`: places in the tree where nothing is done, to make a failing program smaller.
  explicit Program(std::uint64_t seed, std::set<Key> left_out = {})
      : root_(child(0x526f6e646fU, seed)), left_out_(std::move(left_out)) {
    Random random(child(root_, 0));
    for (std::size_t* budget :
         {&setup_.budgets.timers, &setup_.budgets.pending, &setup_.budgets.poll,
          &setup_.budgets.check, &setup_.budgets.close}) {
      if (random.chance(30)) *budget = random.below(4);  // zero is taken as one
    }
    setup_.timer_start = random.chance(50) ? TimerStart::cached : TimerStart::present;
    setup_.clock_start = random.chance(80) ? microseconds(random.below(5'000'000)) : nanoseconds();
    setup_.before_exit = random.chance(20);
    setup_.observer = random.chance(20);
    handles_exceptions_ = random.chance(60);
    rounds_ = random.between(1, 3);
    allowance_ = random.between(20, 250);
    if (random.chance(15)) {
      durations_ = 300;
      allowance_ += 150;
    }
    // Every program has likings of its own: some are all timers, some never clear anything. A
    // fair mixture would hardly ever do the same thing twenty times.
    for (std::size_t i = 0; i < kActions.size(); ++i) {
      weights_[i] = kActions[i].weight * random.pick(std::array<std::size_t, 4>{0, 1, 1, 4});
    }
    weights_[0] = std::max<std::size_t>(weights_[0], 10);  // but all set timers
  }

  const Setup& setup() const { return setup_; }

  /// Where in the tree something was done.
  const std::vector<Key>& places() const { return places_; }

  Trace play(Subject& subject) {
    subject_ = &subject;
    subject.on_callback = [this](Id id) { run(id); };
    subject.on_exception = [this] { exception_caught(); };
    subject.handle_exceptions(handles_exceptions_);
    callbacks_.push_back({.kind = TaskKind::before_exit, .key = child(root_, 1)});

    for (std::size_t round = 0;; ++round) {
      Random random(child(child(root_, 2), round));
      auto mode = RunMode::until_done;
      if (round < rounds_) {
        act(child(child(root_, 3), round), random.between(3, durations_ == 0 ? 12 : 60), kNobody);
        if (random.chance(20)) mode = random.chance(50) ? RunMode::once : RunMode::nowait;
      }
      record({.what = What::run_begins, .value = static_cast<std::int64_t>(mode)});
      try {
        inside_ = true;
        const bool alive = subject.run(mode);
        inside_ = false;
        record({.what = What::run_ended,
                .value = static_cast<std::int64_t>(subject.waiting()),
                .result = alive});
        if (round >= rounds_ && !alive) return std::move(trace_);
      } catch (const Thrown&) {
        inside_ = false;
        record({.what = What::run_threw});
      }
    }
  }

 private:
  static constexpr Id kNobody = static_cast<Id>(-1);  // acts without being a callback

  struct ScheduledCallback {
    TaskKind kind;
    Key key;
    std::size_t lives = 1;  // an interval or a hook clears itself in its last one
    std::size_t runs = 0;
    Id guards = 0;  // this timeout clears that hook and does nothing else
  };

  // Few durations, so that many timers share one; and stalls that pass several of them.
  static constexpr std::array kDurations{0, 1, 1, 2, 3, 5, 5, 10, 10, 10, 20, 50};
  static constexpr std::array kStallsUs{300, 1000, 1000, 2000, 4700, 5000, 10'000, 12'500, 60'000};

  void run(Id id) {
    ScheduledCallback& callback = callbacks_[id];
    const Key key = child(callback.key, callback.runs);
    const bool last = ++callback.runs == callback.lives;
    const TaskKind kind = callback.kind;
    const Id guarded = callback.guards;
    record({.what = What::ran, .kind = kind, .id = id});
    if (guarded != 0) return clear(guarded);
    if (last && (kind == TaskKind::interval || is_hook(kind))) clear(id);
    Random random(key);
    act(key, random.below(5), id);
  }

  void exception_caught() {
    record({.what = What::caught});
    const Key key = child(child(root_, 4), caught_++);
    act(key, Random(key).below(3), kNobody);
  }

  void act(Key key, std::size_t count, Id self) {
    for (std::size_t i = 0; i < count; ++i) {
      const Key place = child(key, 100 + i);
      if (allowance_ == 0) return;
      --allowance_;  // also for what is left out: else another callback would do more instead
      if (left_out_.contains(place)) continue;
      places_.push_back(place);
      do_one(place, self);
    }
  }

  void do_one(Key place, Id self) {
    Random random(place);
    const Action action = choose(random);
    const Id target = choose_target(random, self);
    const bool has_target = target != 0;
    switch (action.does) {
      case Does::schedule:
        return schedule(action.kind, place, random);
      case Does::clear:
        if (has_target) clear(target);
        return;
      case Does::refresh:
        if (!has_target || !is_timer(callbacks_[target].kind)) return;
        return record_on(target, {.what = What::refreshed, .result = subject_->refresh(target)});
      case Does::ref:
      case Does::unref: {
        if (!has_target) return;
        const bool referenced = action.does == Does::ref;
        subject_->set_ref(target, referenced);
        return record_on(target, {.what = referenced ? What::reffed : What::unreffed});
      }
      case Does::stall: {
        const int us = random.pick(kStallsUs);
        subject_->advance_clock(microseconds(us));
        return record({.what = What::stalled, .value = us});
      }
      case Does::update_now:
        subject_->update_now();
        return record({.what = What::updated_now});
      case Does::stop:
        subject_->stop();
        return record({.what = What::stopped});
      case Does::handle_exceptions: {
        const bool handle = random.chance(60);
        subject_->handle_exceptions(handle);
        return record({.what = What::handler, .value = handle});
      }
      case Does::throw_something:
        if (!inside_) return;
        record({.what = What::threw});
        throw Thrown();
    }
  }

  void schedule(TaskKind kind, Key key, Random& random) {
    const int delay = is_timer(kind) ? choose_duration(random) : 0;
    const std::size_t lives = kind == TaskKind::timeout ? 1 : random.between(1, 5);
    const Id id = add({.kind = kind, .key = key, .lives = lives}, delay);
    if (is_timer(kind) || is_hook(kind) || kind == TaskKind::immediate) targets_.push_back(id);
    // With nothing but such a hook the loop would sleep for ever: a timer is to end it.
    if (kind == TaskKind::prepare_hook || kind == TaskKind::check_hook) {
      add({.kind = TaskKind::timeout, .key = 0, .guards = id}, 25);
    }
  }

  Id add(ScheduledCallback callback, int delay) {
    const Id id = callbacks_.size();
    callbacks_.push_back(callback);
    subject_->schedule(callback.kind, id, milliseconds(delay));
    record({.what = What::set, .kind = callback.kind, .id = id, .value = delay});
    return id;
  }

  void clear(Id id) { record_on(id, {.what = What::cleared, .result = subject_->clear(id)}); }

  int choose_duration(Random& random) const {
    return durations_ == 0 ? random.pick(kDurations) : static_cast<int>(random.below(durations_));
  }

  const Action& choose(Random& random) const {
    std::size_t sum = 0;
    for (const std::size_t weight : weights_) sum += weight;
    std::size_t rest = random.below(sum);
    std::size_t i = 0;
    while (rest >= weights_[i]) rest -= weights_[i++];
    return kActions[i];
  }

  /// Something that was scheduled: often lately, often the callback that asks, else whatever.
  Id choose_target(Random& random, Id self) const {
    if (targets_.empty()) return 0;
    if (random.chance(20) && std::ranges::find(targets_, self) != targets_.end()) return self;
    const std::size_t lately = random.chance(60) ? std::size_t{6} : targets_.size();
    return targets_[targets_.size() - 1 - random.below(std::min(lately, targets_.size()))];
  }

  void record_on(Id id, Event event) {
    event.kind = callbacks_[id].kind;
    event.id = id;
    event.has_ref = subject_->has_ref(id);
    event.active = subject_->active(id);
    record(event);
  }

  void record(Event event) {
    if (inside_) event.now_ms = subject_->now().count();
    event.phase = subject_->phase();
    event.iteration = subject_->iterations();
    event.alive = subject_->alive();
    trace_.push_back(event);
  }

  static bool is_timer(TaskKind kind) {
    return kind == TaskKind::timeout || kind == TaskKind::interval;
  }
  static bool is_hook(TaskKind kind) {
    return kind == TaskKind::idle_hook || kind == TaskKind::prepare_hook ||
           kind == TaskKind::check_hook;
  }

  Key root_;
  std::set<Key> left_out_;
  Setup setup_;
  std::array<std::size_t, kActions.size()> weights_{};
  std::size_t rounds_ = 1;     // times that the main program acts and runs the loop
  std::size_t durations_ = 0;  // how many there are; 0: the usual few
  std::size_t allowance_ = 0;  // actions that are left: the program ends
  bool handles_exceptions_ = false;

  Subject* subject_ = nullptr;
  bool inside_ = false;                       // run() is on the stack
  std::vector<ScheduledCallback> callbacks_;  // by Id
  std::vector<Id> targets_;                   // those that have a handle
  std::size_t caught_ = 0;
  std::vector<Key> places_;
  Trace trace_;
};

}  // namespace rondo::model_test
