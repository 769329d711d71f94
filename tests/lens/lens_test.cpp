// rondo/lens.h: what a lens reports to its watchers.
#include "rondo/lens.h"

#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using lens::End;
using lens::Kind;
using lens::Lens;
using lens::Subject;
using lens::SubjectId;
using lens::Time;
using lens::Watcher;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::Not;

/// Writes everything down, with small names for the subjects: "timeout 1", "tick 1".
class Recorder : public Watcher {
 public:
  void on_iteration(Time at, std::uint64_t number) noexcept override {
    add(at, "iteration " + std::to_string(number));
  }
  void on_phase_enter(Time at, Phase phase) noexcept override {
    add(at, std::string(to_string(phase)) + " {");
  }
  void on_phase_leave(Time at, Phase phase) noexcept override {
    add(at, "} " + std::string(to_string(phase)));
  }
  void on_wait(Time at) noexcept override { add(at, "wait"); }
  void on_woken(Time at, std::size_t completions) noexcept override {
    add(at, "woken with " + std::to_string(completions));
  }
  void on_made(Time at, const Subject& subject) noexcept override {
    name_anew(subject);
    add(at, "made " + name(subject.id) + (subject.cause != 0 ? " by " + name(subject.cause) : "") +
                (subject.delay != 0ms ? " in " + std::to_string(subject.delay.count()) : ""));
  }
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override {
    add(at, "begin " + name(id) + (event.empty() ? "" : " '" + std::string(event) + "'") +
                (label.empty() ? "" : " as " + std::string(label)));
  }
  void on_end(Time at, SubjectId id) noexcept override { add(at, "end " + name(id)); }
  void on_again(Time at, SubjectId id) noexcept override { add(at, "again " + name(id)); }
  void on_gone(Time at, SubjectId id) noexcept override { add(at, "gone " + name(id)); }
  void on_output(Time at, int descriptor, std::string_view text) noexcept override {
    add(at, "output " + std::to_string(descriptor) + " " + std::string(text));
  }
  void on_finish(Time at, End end) noexcept override {
    add(at, "finish: " + std::string(to_string(end)));
  }

  /// Only the reports of subjects.
  Trace of_subjects() const {
    Trace chosen;
    for (const std::string& event : events) {
      const std::string_view first = std::string_view(event).substr(0, event.find(' '));
      if (first == "made" || first == "begin" || first == "end" || first == "again" ||
          first == "gone") {
        chosen.push_back(event);
      }
    }
    return chosen;
  }

  Trace events;
  std::set<SubjectId> ids;

 private:
  void add(Time at, std::string event) {
    EXPECT_LE(last_.count(), at.count());
    last_ = at;
    events.push_back(std::move(event));
  }
  void name_anew(const Subject& subject) {
    ids.insert(subject.id);
    names_[subject.id] = describe(subject) + " " + std::to_string(++counts_[subject.kind]);
    // "timeout 5 ms 1": the delay comes from `made`.
    if (const auto ms = names_[subject.id].find(" ms"); ms != std::string::npos) {
      names_[subject.id] =
          std::string(to_string(subject.kind)) + " " + std::to_string(counts_[subject.kind]);
    }
  }
  std::string name(SubjectId id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? "unknown" : found->second;
  }

  std::map<SubjectId, std::string> names_;
  std::map<Kind, int> counts_;
  Time last_{};
};

class Lensed : public LoopTest {
 protected:
  Lensed() { lens.add(recorder); }

  Recorder recorder;
  Lens lens{loop};
};

// ---- A loop without an engine -------------------------------------------------------------------

TEST_F(Lensed, ASmallProgramIsToldInFull) {
  loop.set_timeout(5ms, [] {});
  loop.set_immediate([&] {
    loop.next_tick([] {});
    loop.queue_microtask([&] { loop.queue_close([] {}); });
  });
  loop.defer([] {});
  loop.run();
  const Trace expected = {
      // The main program has no cause.
      "made timeout 1 in 5", "made immediate 1", "made deferred 1",
      // The iteration begins with its timers.
      "iteration 1", "timers {", "} timers", "pending {", "begin deferred 1", "end deferred 1",
      "gone deferred 1", "} pending", "idle {", "} idle", "prepare {", "} prepare", "poll {",
      "} poll", "check {", "begin immediate 1", "made tick 1 by immediate 1",
      "made microtask 1 by immediate 1",
      // Ticks and microtasks belong to what they follow.
      "begin tick 1", "end tick 1", "gone tick 1", "begin microtask 1",
      "made close 1 by microtask 1", "end microtask 1", "gone microtask 1", "end immediate 1",
      "gone immediate 1", "} check", "close {", "begin close 1", "end close 1", "gone close 1",
      "} close",
      // Nothing was due; the loop waits, which takes no time on a virtual clock.
      "iteration 2", "timers {", "} timers", "pending {", "} pending", "idle {", "} idle",
      "prepare {", "} prepare", "poll {", "wait", "woken with 0", "} poll", "check {", "} check",
      "close {", "} close", "iteration 3", "timers {", "begin timeout 1", "end timeout 1",
      "gone timeout 1", "} timers"};
  EXPECT_THAT(recorder.events, ElementsAreArray(expected));
}

TEST_F(Lensed, AnIntervalIsMadeOnceAndGoesWhenItIsCleared) {
  Timer interval;
  int runs = 0;
  interval = loop.set_interval(5ms, [&] {
    if (++runs == 2) interval.clear();
  });
  loop.run();
  EXPECT_THAT(
      recorder.of_subjects(),
      ElementsAre("made interval 1 in 5", "begin interval 1", "again interval 1", "end interval 1",
                  "begin interval 1", "end interval 1", "gone interval 1"));
}

TEST_F(Lensed, ATimeoutThatRefreshesItselfStays) {
  Timer timer;
  int runs = 0;
  timer = loop.set_timeout(5ms, [&] {
    if (++runs == 1) timer.refresh();
  });
  loop.run();
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made timeout 1 in 5", "begin timeout 1", "again timeout 1",
                          "end timeout 1", "begin timeout 1", "end timeout 1", "gone timeout 1"));
}

TEST_F(Lensed, WhatIsClearedIsGoneWithoutHavingRun) {
  Timer timer = loop.set_timeout(5ms, [] {});
  Immediate immediate = loop.set_immediate([] {});
  Hook hook = loop.on_check([] {});
  timer.clear();
  immediate.clear();
  hook.clear();
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made timeout 1 in 5", "made immediate 1", "made hook 1",
                          "gone timeout 1", "gone immediate 1", "gone hook 1"));
}

TEST_F(Lensed, AHookRunsOftenAndGoesWhenItIsCleared) {
  Hook hook;
  int runs = 0;
  hook = loop.on_idle([&] {
    if (++runs == 2) hook.clear();
  });
  loop.run();
  EXPECT_THAT(recorder.of_subjects(), ElementsAre("made hook 1", "begin hook 1", "end hook 1",
                                                  "begin hook 1", "end hook 1", "gone hook 1"));
}

TEST_F(Lensed, HooksOfThreePhases) {
  Hook hooks[3];
  hooks[0] = loop.on_idle([&] { hooks[0].clear(); });
  hooks[1] = loop.on_prepare([&] { hooks[1].clear(); });
  hooks[2] = loop.on_check([&] { hooks[2].clear(); });
  loop.run_nowait();
  for (const char* phase : {"idle", "prepare", "check"}) {
    const auto begin =
        std::find(recorder.events.begin(), recorder.events.end(), std::string(phase) + " {");
    ASSERT_NE(begin, recorder.events.end());
    EXPECT_TRUE((begin + 1)->starts_with("begin hook")) << *(begin + 1);
  }
  EXPECT_EQ(recorder.ids.size(), 3U);
}

TEST_F(Lensed, PostedCallbacksAreMadeWhenTheyBegin) {
  loop.post([&] { loop.next_tick([] {}); });
  loop.run();
  EXPECT_THAT(
      recorder.of_subjects(),
      ElementsAre("made posted 1", "begin posted 1", "made tick 1 by posted 1", "begin tick 1",
                  "end tick 1", "gone tick 1", "end posted 1", "gone posted 1"));
}

TEST_F(Lensed, AWatchedDescriptorIsARequestForEachCall) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  int calls = 0;
  loop.next_tick([&] {
    ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) {
      if (++calls == 2) poll.stop();
    }));
  });
  loop.run();
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made tick 1", "begin tick 1", "made request 1 by tick 1", "end tick 1",
                          "gone tick 1", "begin request 1", "end request 1", "gone request 1",
                          "made request 2", "begin request 2", "end request 2", "gone request 2"));
  EXPECT_THAT(recorder.events, Contains("woken with 1"));
}

TEST_F(Lensed, AWatchedDescriptorThatIsStoppedBeforeAnythingHappensIsGone) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  poll.stop();
  EXPECT_THAT(recorder.of_subjects(), ElementsAre("made request 1", "gone request 1"));
}

TEST_F(Lensed, AFileOperationHasACause) {
  loop.next_tick(
      [&] { fs::read_file("/proc/self/stat").then(loop, [&](auto) { loop.next_tick([] {}); }); });
  loop.run();
  EXPECT_THAT(
      recorder.of_subjects(),
      ElementsAre("made tick 1", "begin tick 1", "made request 1 by tick 1", "end tick 1",
                  "gone tick 1", "begin request 1", "made tick 2 by request 1", "begin tick 2",
                  "end tick 2", "gone tick 2", "end request 1", "gone request 1"));
}

TEST_F(Lensed, WorkOnAThreadIsMadeWhenItsResultComes) {
  work(loop, [] { return 1; }, [](auto) {});
  loop.run();
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made request 1", "begin request 1", "end request 1", "gone request 1"));
}

TEST_F(Lensed, BeforeExitIsASubject) {
  bool again = true;
  loop.on_before_exit([&] {
    if (std::exchange(again, false)) loop.set_immediate([] {});
  });
  loop.run();
  EXPECT_THAT(
      recorder.of_subjects(),
      ElementsAre("made beforeExit 1", "begin beforeExit 1", "made immediate 1 by beforeExit 1",
                  "end beforeExit 1", "gone beforeExit 1", "begin immediate 1", "end immediate 1",
                  "gone immediate 1", "made beforeExit 2", "begin beforeExit 2", "end beforeExit 2",
                  "gone beforeExit 2"));
}

TEST_F(Lensed, ACoroutineIsSeenByWhatItAwaits) {
  const auto twice = [](Loop&) -> Async<> {
    co_await sleep_for(5ms);
    co_await sleep_for(7ms);
  };
  spawn(loop, twice(loop));
  loop.run();
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made timeout 1 in 5", "begin timeout 1",
                          "made timeout 2 by timeout 1 in 7", "end timeout 1", "gone timeout 1",
                          "begin timeout 2", "end timeout 2", "gone timeout 2"));
}

TEST_F(Lensed, NoTwoSubjectsThatExistTogetherHaveTheSameId) {
  std::vector<Timer> timers;
  for (int i = 0; i < 20; ++i) {
    timers.push_back(loop.set_timeout(5ms, [] {}));
    loop.set_immediate([] {});
    loop.next_tick([] {});
    loop.queue_microtask([] {});
    loop.defer([] {});
    loop.queue_close([] {});
  }
  EXPECT_EQ(recorder.ids.size(), 120U);
  EXPECT_THAT(recorder.ids, Not(Contains(SubjectId{0})));
  EXPECT_THAT(recorder.ids, Not(Contains(lens::kMain)));
  loop.run();
}

// ---- Iterations ---------------------------------------------------------------------------------

Trace iterations_of(const Recorder& recorder) {
  Trace chosen;
  for (const std::string& event : recorder.events) {
    if (event.starts_with("iteration") || event.starts_with("timers {")) chosen.push_back(event);
  }
  return chosen;
}

TEST_F(Lensed, IterationsAreNumberedAsTheLoopDoesAndBeginWithTheTimers) {
  loop.set_immediate([&] {
    EXPECT_EQ(lens.iteration(), 1U);
    loop.set_immediate([&] { EXPECT_EQ(lens.iteration(), 2U); });
  });
  loop.run();
  EXPECT_EQ(loop.metrics().iterations, 2U);
  EXPECT_THAT(iterations_of(recorder), ElementsAre("iteration 1", "timers {", "iteration 2",
                                                   "timers {", "iteration 3", "timers {"));
}

TEST_F(Lensed, TheNumbersStayThoseOfTheLoopWhenItRunsAgain) {
  for (int i = 0; i < 3; ++i) {
    loop.set_immediate([] {});
    loop.run();
    EXPECT_EQ(loop.metrics().iterations, static_cast<std::uint64_t>(i + 1));
    EXPECT_EQ(lens.iteration(), static_cast<std::uint64_t>(i + 2));
  }
}

TEST_F(Lensed, ALensThatComesLateCountsOn) {
  loop.set_immediate([] {});
  loop.run();
  loop.set_observer(nullptr);
  Recorder late;
  Lens second(loop);
  second.add(late);
  loop.run_nowait();
  ASSERT_FALSE(late.events.empty());
  EXPECT_EQ(late.events.front(), "iteration 2");
}

TEST_F(Lensed, ThePhaseIsThatOfTheLoop) {
  Trace phases;
  const auto note = [&] { phases.emplace_back(to_string(lens.phase())); };
  note();
  loop.set_timeout(1ms, note);
  loop.defer(note);
  loop.set_immediate(note);
  loop.queue_close(note);
  loop.post(note);
  loop.run();
  note();
  EXPECT_THAT(phases, ElementsAre("none", "pending", "poll", "check", "close", "timers", "none"));
}

// ---- Exceptions ---------------------------------------------------------------------------------

TEST_F(Lensed, WhatThrowsHasEnded) {
  loop.on_uncaught([](const std::exception_ptr&) {});
  loop.set_immediate([] { throw std::runtime_error("handled"); });
  loop.set_immediate([&] { EXPECT_EQ(recorder.events.back(), "begin immediate 2"); });
  loop.run();
  EXPECT_THAT(
      recorder.of_subjects(),
      ElementsAre("made immediate 1", "made immediate 2", "begin immediate 1", "end immediate 1",
                  "gone immediate 1", "begin immediate 2", "end immediate 2", "gone immediate 2"));
  EXPECT_EQ(lens.running(), 0U);
}

TEST_F(Lensed, AnExceptionThatLeavesTheLoopLeavesNothingRunning) {
  loop.set_immediate([&] { loop.next_tick([] { throw std::runtime_error("not handled"); }); });
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_EQ(lens.running(), 0U);
  EXPECT_EQ(lens.phase(), Phase::none);
  EXPECT_EQ(recorder.events.back(), "} check");
}

// ---- Watchers -----------------------------------------------------------------------------------

TEST_F(Lensed, AllWatchersAreToldInTheOrderTheyCame) {
  Trace order;
  struct Named final : Watcher {
    Named(Trace& trace, std::string text) : into(trace), name(std::move(text)) {}
    void on_begin(Time, SubjectId, std::string_view, std::string_view) noexcept override {
      into.push_back(name);
    }
    Trace& into;
    std::string name;
  };
  Named first(order, "first");
  Named second(order, "second");
  lens.add(first);
  lens.add(second);
  lens.add(first);  // is there
  loop.next_tick([] {});
  loop.run();
  EXPECT_THAT(order, ElementsAre("first", "second"));
}

TEST_F(Lensed, AWatcherIsAddedAndRemovedWhileTheLoopRuns) {
  Recorder guest;
  loop.set_immediate([&] { lens.add(guest); });
  loop.set_immediate([&] {
    loop.set_immediate([] {});
    lens.remove(guest);
    loop.set_immediate([] {});
  });
  loop.run();
  EXPECT_THAT(guest.events, ElementsAre("end unknown", "gone unknown", "begin unknown",
                                        "made immediate 1 by unknown"));
}

/// Does something at the first begin.
class Acting final : public Recorder {
 public:
  explicit Acting(Callback<> act) : act_(std::move(act)) {}
  void on_begin(Time at, SubjectId id, std::string_view event,
                std::string_view label) noexcept override {
    Recorder::on_begin(at, id, event, label);
    if (act_) std::exchange(act_, nullptr)();
  }

 private:
  Callback<> act_;
};

TEST_F(Lensed, AWatcherMayRemoveItselfAndTheOthers) {
  Recorder before;
  Recorder after;
  lens.add(before);
  Acting acting([&] {
    lens.remove(before);
    lens.remove(acting);
    lens.remove(after);
  });
  lens.add(acting);
  lens.add(after);
  loop.next_tick([] {});
  loop.run();
  EXPECT_THAT(before.events, ElementsAre("made tick 1", "begin tick 1"));
  EXPECT_THAT(acting.events, ElementsAre("made tick 1", "begin tick 1"));
  EXPECT_THAT(after.events, ElementsAre("made tick 1"));  // removed before it was called
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made tick 1", "begin tick 1", "end tick 1", "gone tick 1"));
}

TEST_F(Lensed, AWatcherThatAWatcherAddsIsToldOfWhatFollows) {
  std::vector<std::unique_ptr<Recorder>> added;  // enough of them for the list to move
  Acting acting([&] {
    for (int i = 0; i < 40; ++i) lens.add(*added.emplace_back(std::make_unique<Recorder>()));
  });
  lens.add(acting);
  loop.next_tick([] {});
  loop.run();
  ASSERT_EQ(added.size(), 40U);
  for (const auto& one : added) {
    EXPECT_THAT(one->events, ElementsAre("end unknown", "gone unknown"));
  }
}

TEST_F(Lensed, WantsWhatAnyOfItsWatchersWants) {
  struct Modest final : Watcher {
    bool wants_subjects() const override { return subjects; }
    bool wants_labels() const override { return labels; }
    bool wants_sites() const override { return sites; }
    bool wants_promises() const override { return promises; }
    bool subjects = false;
    bool labels = false;
    bool sites = false;
    bool promises = false;
  };
  EXPECT_TRUE(lens.wants_subjects() && lens.wants_labels() && lens.wants_sites() &&
              lens.wants_promises());
  lens.remove(recorder);
  Modest first;
  Modest second;
  lens.add(first);
  EXPECT_FALSE(lens.wants_subjects() || lens.wants_labels() || lens.wants_sites() ||
               lens.wants_promises());
  second.labels = second.promises = true;
  lens.add(second);
  EXPECT_FALSE(lens.wants_subjects() || lens.wants_sites());
  EXPECT_TRUE(lens.wants_labels() && lens.wants_promises());
  lens.remove(second);
  EXPECT_FALSE(lens.wants_labels() || lens.wants_promises());
}

// ---- An engine ----------------------------------------------------------------------------------

TEST_F(Lensed, AnEngineTellsOfItsOwnSubjectsAndTheLoopsTasksAreNotTold) {
  lens.engine_begins();
  loop.set_timeout(5ms, [&] {
    lens.begin(7, "data", "'data' of socket");
    EXPECT_EQ(lens.running(), 7U);
    loop.next_tick([] {});
    lens.end(7);
    EXPECT_EQ(lens.running(), 0U);
  });
  lens.made({.id = 7, .cause = 1, .kind = Kind::handle, .label = "socket", .type = "TCPWRAP"});
  loop.run();
  lens.gone(7);
  lens.output(1, "hello");
  EXPECT_THAT(recorder.of_subjects(),
              ElementsAre("made socket 1 by unknown", "begin socket 1 'data' as 'data' of socket",
                          "end socket 1", "gone socket 1"));
  EXPECT_EQ(recorder.events.back(), "output 1 hello");
}

TEST_F(Lensed, WhatAnExceptionLeftBehindEndsWithWhatIsAroundIt) {
  lens.engine_begins();
  for (SubjectId id = 1; id <= 3; ++id) {
    lens.made({.id = id, .kind = Kind::request, .label = "r"});
    lens.begin(id);
  }
  recorder.events.clear();
  lens.end(2);
  EXPECT_THAT(recorder.events, ElementsAre("end r 3", "end r 2"));
  EXPECT_EQ(lens.running(), 1U);
}

TEST_F(Lensed, WhatHasNotBegunDoesNotEnd) {
  lens.engine_begins();
  lens.begin(1);
  recorder.events.clear();
  lens.end(9);
  EXPECT_THAT(recorder.events, IsEmpty());
  EXPECT_EQ(lens.running(), 1U);
}

TEST_F(Lensed, TheSameSubjectMayRunInsideItself) {
  lens.engine_begins();
  lens.begin(5);
  lens.begin(5);
  lens.end(5);
  EXPECT_EQ(lens.running(), 5U);
  lens.end(5);
  EXPECT_EQ(lens.running(), 0U);
  EXPECT_EQ(recorder.events.size(), 4U);
}

TEST_F(Lensed, WhatGoesWhileItRunsIsGoneWhenItHasEnded) {
  lens.engine_begins();
  lens.made({.id = 5, .kind = Kind::tick});
  lens.begin(5);
  lens.gone(5);
  lens.end(5);
  EXPECT_THAT(recorder.events,
              ElementsAre("made tick 1", "begin tick 1", "end tick 1", "gone tick 1"));
}

TEST_F(Lensed, AnEngineThatComesInACallbackLeavesThatCallbackItsEnd) {
  loop.set_immediate([&] { lens.engine_begins(); });
  loop.run();
  EXPECT_EQ(recorder.of_subjects().back(), "gone immediate 1");
  EXPECT_EQ(lens.running(), 0U);
}

TEST_F(Lensed, WhatAnEngineHasLeftUntoldIsToldBeforeTheLoopGoesOn) {
  lens.engine_begins();
  std::int32_t unreported = 0;
  lens.on_unreported(&unreported, [&] {
    unreported = 0;
    lens.end(7);
  });
  const auto run_and_leave_it = [&] {
    lens.begin(7);
    unreported = 1;
  };
  loop.set_timeout(5ms, run_and_leave_it);
  loop.run();
  EXPECT_EQ(unreported, 0);
  EXPECT_EQ(lens.running(), 0U);
  const auto began = std::ranges::find(recorder.events, "begin unknown");
  ASSERT_NE(began, recorder.events.end());
  EXPECT_EQ(*std::next(began), "end unknown");
  EXPECT_EQ(*std::next(began, 2), "} timers");

  run_and_leave_it();
  lens.finish(End::nothing_left);
  lens.on_unreported(nullptr, {});
  unreported = 1;
  loop.set_immediate([] {});
  loop.run();
  EXPECT_EQ(unreported, 1);
  EXPECT_EQ(std::ranges::count(recorder.events, "end unknown"), 2);
}

TEST_F(Lensed, FinishIsToldOnce) {
  lens.finish(End::exit_called);
  lens.finish(End::nothing_left);
  EXPECT_THAT(recorder.events, ElementsAre("finish: process.exit() was called"));
}

// ---- Lifetimes ----------------------------------------------------------------------------------

TEST(LensLifetime, ALoopGoesOnAndEndsWithoutItsLens) {
  VirtualClock clock;
  Recorder recorder;
  int runs = 0;
  {
    Loop loop({.clock = &clock});
    {
      Lens lens(loop);
      lens.add(recorder);
      loop.set_immediate([&] { ++runs; });
      loop.set_timeout(5ms, [&] { ++runs; });
    }
    recorder.events.clear();
    loop.run();
    loop.set_timeout(5ms, [] {});  // is still there when the loop goes
  }
  EXPECT_EQ(runs, 2);
  EXPECT_THAT(recorder.events, IsEmpty());
}

TEST(LensLifetime, ALensMayGoInACallback) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  Recorder recorder;
  auto lens = std::make_unique<Lens>(loop);
  lens->add(recorder);
  loop.set_immediate([&] { lens.reset(); });
  loop.set_immediate([] {});
  loop.run();
  EXPECT_EQ(recorder.events.back(), "begin immediate 1");
}

// ---- Words --------------------------------------------------------------------------------------

TEST(LensWords, KindsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < lens::kKindCount; ++i) {
    names.insert(to_string(static_cast<Kind>(i)));
  }
  EXPECT_EQ(names.size(), lens::kKindCount);
  EXPECT_EQ(to_string(Kind::before_exit), "beforeExit");
}

TEST(LensWords, ASubjectWithoutALabelIsDescribedByWhatIsKnown) {
  EXPECT_EQ(lens::describe({.kind = Kind::timeout, .delay = 5ms}), "timeout 5 ms");
  EXPECT_EQ(lens::describe({.kind = Kind::timeout, .delay = 5ms, .label = "sleep"}), "sleep");
  EXPECT_EQ(lens::describe({.kind = Kind::handle, .type = "TCPWRAP"}), "TCPWRAP");
  EXPECT_EQ(lens::describe({.kind = Kind::tick, .type = "TickObject"}), "tick");
  EXPECT_EQ(lens::describe({.kind = Kind::request}), "request");
}

}  // namespace
}  // namespace rondo::test
