// The story of a run: rondo/lens/explain.h, without an engine.
#include <algorithm>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>

#include "rondo/clock.h"
#include "rondo/lens/explain.h"
#include "rondo/loop.h"

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> labels_of(const Explanation& story) {
  std::vector<std::string> labels;
  for (const Run& run : story.runs()) labels.push_back(run.label);
  return labels;
}

/// A subject that is made and runs at once.
void make_and_run(Explanation& story, SubjectId id, Kind kind, std::string_view label,
                  std::string_view file = "a.js") {
  story.on_made(Time(id * 10),
                {.id = id, .cause = 0, .kind = kind, .label = label, .site = {file, "f", 1, 2}});
  story.on_begin(Time(id * 10 + 1), id, {}, {});
  story.on_end(Time(id * 10 + 5), id);
  story.on_gone(Time(id * 10 + 5), id);
}

TEST(Explanation, FollowsALoop) {
  VirtualClock clock;  // so that the loop has to wait, however long it takes to get there
  Loop loop({.clock = &clock});
  Lens lens(loop);
  Explanation story;
  lens.add(story);
  loop.set_timeout(50ms, [&] {
    loop.next_tick([] {});
    loop.set_immediate([] {});
  });
  loop.run();
  lens.finish(End::nothing_left);

  EXPECT_THAT(labels_of(story), ElementsAre("timeout 50 ms", "tick", "immediate"));
  const auto& timer = story.runs()[0];
  EXPECT_EQ(timer.phase, Phase::timers);
  EXPECT_GT(timer.waited(), Time(0));
  EXPECT_EQ(story.runs()[1].cause, timer.number);
  EXPECT_EQ(story.runs()[1].phase, Phase::timers);
  EXPECT_EQ(story.runs()[2].cause, timer.number);
  EXPECT_EQ(story.runs()[2].phase, Phase::check);
  EXPECT_EQ(story.runs()[2].iteration, timer.iteration);
  EXPECT_GT(story.idle(), Time(0));
  EXPECT_TRUE(story.is_finished());
  EXPECT_THAT(to_text(story), HasSubstr("the loop ended: nothing was left to wait for"));
}

TEST(Explanation, ListsUpToItsLimitAndCountsTheRest) {
  Explanation story({.limit = 3});
  for (SubjectId id = 1; id <= 50'000; ++id) {
    make_and_run(story, id, Kind::tick, id % 2 == 0 ? "even" : "odd");
    story.on_output(Time(id * 10 + 6), 1, "x");
  }
  EXPECT_EQ(story.runs().size(), 3U);
  EXPECT_EQ(story.run_count(), 50'000U);
  EXPECT_LT(story.timeline().size(), 12U);
  EXPECT_LT(story.outputs().size(), 6U);
  std::size_t printed = 0;
  for (const Output& output : story.outputs()) printed += output.text.size();
  EXPECT_EQ(printed, 50'000U);
  const auto groups = story.groups(10);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].count + groups[1].count, 50'000U);
  EXPECT_EQ(groups[0].count, 25'000U);
  EXPECT_EQ(groups[0].total, Time(4 * 25'000));
  EXPECT_EQ(story.longest().size(), 10U);
}

TEST(Explanation, CallbacksOfOnePlaceAreOneRowWhoeverThePeerIs) {
  Explanation story;
  auto run = [&, at = 0](SubjectId id, std::string_view label, int line) mutable {
    story.on_made(Time(++at), {.id = id,
                               .kind = Kind::handle,
                               .label = "socket",
                               .type = "TCPWRAP",
                               .site = {"server.js", "", line, 1}});
    story.on_begin(Time(++at), id, "data", label);
    story.on_end(Time(at += 10), id);
  };
  run(1, "'data' of socket 127.0.0.1:50001", 3);
  run(2, "'data' of socket 127.0.0.1:50002", 3);
  run(3, "'data' of socket 127.0.0.1:50003", 3);
  run(4, "'data' of socket 127.0.0.1:50004", 9);
  const auto groups = story.groups(10);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].label, "'data' of socket …");
  EXPECT_EQ(groups[0].count, 3U);
  EXPECT_EQ(groups[1].label, "'data' of socket 127.0.0.1:50004");
}

TEST(Explanation, ACauseThatTheIndentDoesNotShowIsNamed) {
  Explanation story;
  const auto make = [&](SubjectId id, SubjectId cause, Kind kind, std::string_view label) {
    story.on_made(Time(static_cast<std::int64_t>(id)),
                  {.id = id, .cause = cause, .kind = kind, .label = label});
  };
  const auto run = [&](std::int64_t at, SubjectId id) {
    story.on_begin(Time(at), id, {}, {});
    story.on_end(Time(at + 1), id);
  };
  make(1, 0, Kind::main, "main");
  run(100, 1);
  make(2, 1, Kind::timeout, "first");
  make(3, 1, Kind::timeout, "second");
  run(200, 2);
  make(4, 2, Kind::immediate, "of first");
  run(300, 3);
  run(400, 4);
  const std::string text = to_text(story);
  EXPECT_THAT(text, HasSubstr("  of first ← #2 "));
  EXPECT_THAT(text, Not(HasSubstr("← #1")));
}

TEST(Explanation, TheFunctionAndTheErrorAreShown) {
  Explanation story;
  story.on_made(Time(1), {.id = 1, .cause = 0, .kind = Kind::main, .label = "main"});
  story.on_begin(Time(2), 1, {}, {});
  story.on_made(Time(3), {.id = 2, .cause = 1, .label = "open nope", .site = {"a.js", "", 3, 1}});
  story.on_end(Time(4), 1);
  story.on_begin(Time(5), 2, {}, {});
  story.on_function(2, {"a.js", "opened", 4, 7});
  story.on_failed(2, "ENOENT");
  story.on_end(Time(6), 2);
  ASSERT_EQ(story.runs().size(), 2U);
  EXPECT_EQ(story.runs()[1].error, "ENOENT");
  EXPECT_EQ(story.runs()[1].callback, (SourceLocation{"a.js", "opened", 4, 7}));
  EXPECT_THAT(to_text(story, {.columns = 132}), HasSubstr("open nope: ENOENT, opened()"));
  EXPECT_THAT(to_text(story), HasSubstr("open nope: ENOENT "));  // no room for both
}

TEST(Explanation, ForgetsSubjectsThatNeverRun) {
  Explanation story;
  constexpr SubjectId kMany = 300'000;
  for (SubjectId id = 1; id <= kMany; ++id) {
    story.on_made(Time(id), {.id = id, .cause = 0, .kind = Kind::promise, .label = "promise"});
  }
  story.on_begin(Time(kMany + 1), kMany, {}, {});
  story.on_end(Time(kMany + 2), kMany);
  story.on_begin(Time(kMany + 3), 1, {}, {});
  story.on_end(Time(kMany + 4), 1);
  EXPECT_THAT(labels_of(story), ElementsAre("promise", "something made long ago"));
}

TEST(Explanation, KeepsOutputUpToItsLimit) {
  Explanation story({.output_limit = 5});
  story.on_output(Time(1), 1, "1234");
  story.on_output(Time(2), 2, "5678");
  ASSERT_EQ(story.outputs().size(), 2U);
  EXPECT_EQ(story.outputs()[1].text, "5");
  EXPECT_EQ(story.output_left_out(), 3U);
}

TEST(Explanation, FiltersByPhaseAndFile) {
  Explanation story({.phases = {Phase::check}, .file = "b.js"});
  make_and_run(story, 1, Kind::main, "main", "b.js");
  story.on_phase_enter(Time(100), Phase::check);
  make_and_run(story, 20, Kind::immediate, "of a", "a.js");
  make_and_run(story, 30, Kind::immediate, "of b", "b.js");
  story.on_phase_leave(Time(1000), Phase::check);
  EXPECT_THAT(labels_of(story), ElementsAre("of b"));
  EXPECT_EQ(story.run_count(), 3U);
}

TEST(Explanation, NamesStepsOfSomethingBigger) {
  Explanation story;
  story.on_made(Time(1), {.id = 1, .cause = 0, .kind = Kind::main, .label = "main"});
  story.on_begin(Time(2), 1, {}, {});
  story.on_made(
      Time(3),
      {.id = 2, .cause = 1, .label = "readFile x", .step = "open", .site = {"a.js", "", 3, 1}});
  story.on_end(Time(4), 1);
  story.on_begin(Time(5), 2, {}, {});
  story.on_made(
      Time(6),
      {.id = 3, .cause = 2, .label = "read of descriptor 3", .step = "read", .inner = true});
  story.on_end(Time(7), 2);
  story.on_gone(Time(7), 2);
  story.on_begin(Time(8), 3, {}, {});
  story.on_end(Time(9), 3);
  EXPECT_THAT(labels_of(story), ElementsAre("main", "readFile x: open", "readFile x"));
  EXPECT_TRUE(story.runs()[1].step);
  EXPECT_FALSE(story.runs()[2].step);
  EXPECT_EQ(story.runs()[2].site.line, 3);
  EXPECT_EQ(story.runs()[2].cause, 2U);
}

TEST(Explanation, WhatIsDoneInOneStepIsNoPartOfWhatFollows) {
  Explanation story;
  story.on_made(Time(1), {.id = 1, .cause = 0, .kind = Kind::main, .label = "main"});
  story.on_begin(Time(2), 1, {}, {});
  story.on_made(
      Time(3),
      {.id = 2, .cause = 1, .label = "stat x", .step = "stat", .site = {"a.js", "", 3, 1}});
  story.on_end(Time(4), 1);
  story.on_begin(Time(5), 2, {}, {});
  story.on_made(Time(6), {.id = 3, .cause = 2, .label = "unlink y", .step = "unlink"});
  story.on_end(Time(7), 2);
  story.on_begin(Time(8), 3, {}, {});
  story.on_end(Time(9), 3);
  EXPECT_THAT(labels_of(story), ElementsAre("main", "stat x", "unlink y"));
}

TEST(Explanation, CountsTheSleepThatASignalHasEnded) {
  Explanation story;
  story.on_iteration(Time(0), 1);
  story.on_phase_enter(1s, Phase::poll);
  story.on_wait(1s);
  story.on_finish(3s, End::stopped);
  EXPECT_EQ(story.idle(), Time(2s));
  EXPECT_EQ(story.time_in(Phase::poll), Time(0));
}

TEST(Explanation, SaysWhereTwoOperationsHaveAnOpenOrder) {
  Explanation story;
  story.on_made(Time(1), {.id = 1, .cause = 0, .kind = Kind::main, .label = "main"});
  story.on_begin(Time(2), 1, {}, {});
  for (SubjectId id : {2U, 3U}) {
    story.on_made(
        Time(3),
        {.id = id, .cause = 1, .label = "stat", .step = "stat", .site = {"a.js", "", 3, 1}});
  }
  story.on_end(Time(4), 1);
  for (SubjectId id : {3U, 2U}) {
    story.on_begin(Time(5), id, {}, {});
    story.on_end(Time(6), id);
    story.on_gone(Time(6), id);
  }
  EXPECT_THAT(story.runs()[1].note, HasSubstr("either order: another operation of #1"));
  EXPECT_THAT(story.runs()[2].note, IsEmpty());
}

TEST(Explanation, SaysSoOfOperationsThatPromisesGoOnWith) {
  Explanation story;
  story.on_made(Time(1), {.id = 1, .cause = 0, .kind = Kind::main, .label = "main"});
  story.on_begin(Time(2), 1, {}, {});
  for (SubjectId id : {2U, 3U}) {
    story.on_made(Time(3), {.id = id,
                            .cause = 1,
                            .label = "readFile x",
                            .type = "FSREQPROMISE",
                            .traits = {.on_threads = true, .by_promises = true},
                            .step = "open",
                            .site = {"a.js", "", 3, 1}});
  }
  story.on_end(Time(4), 1);
  for (SubjectId id : {3U, 2U}) {
    story.on_begin(Time(5), id, {}, {});
    story.on_end(Time(6), id);
    story.on_gone(Time(6), id);
  }
  EXPECT_THAT(labels_of(story), ElementsAre("main", "readFile x: open", "readFile x: open"));
  EXPECT_THAT(story.runs()[1].note, HasSubstr("either order: another operation of #1"));
  EXPECT_THAT(story.runs()[2].note, IsEmpty());
}

/// A loop whose events are reported to the explanation at times that the test chooses.
class FakeLoop {
 public:
  Explanation story;

  void at(Time time) { now_ = time; }
  void make(SubjectId id, Kind kind, std::chrono::milliseconds delay = {}) {
    story.on_made(now_, {.id = id,
                         .cause = running_,
                         .kind = kind,
                         .delay = delay,
                         .type = kind == Kind::request ? "FSREQCALLBACK" : "",
                         .traits = {.on_threads = kind == Kind::request},
                         .site = {"a.js", "f", 1, 2}});
  }
  /// What `during` makes, it makes.
  void run(SubjectId id, const std::function<void()>& during = {}) {
    story.on_begin(now_, id, {}, {});
    running_ = id;
    if (during) during();
    running_ = 0;
    story.on_end(now_, id);
    if (id != kMain) story.on_gone(now_, id);
  }
  void main(const std::function<void()>& during) {
    make(kMain, Kind::main);
    run(kMain, during);
  }
  void phase(Phase phase, const std::function<void()>& during = {}) {
    if (phase == Phase::timers) story.on_iteration(now_, ++iteration_);
    story.on_phase_enter(now_, phase);
    if (during) during();
    story.on_phase_leave(now_, phase);
  }
  std::string note_of(SubjectId id) const {
    const auto found = std::ranges::find(story.runs(), id, &Run::subject);
    return found == story.runs().end() ? "it did not run" : found->note;
  }

 private:
  Time now_ = 1s;
  SubjectId running_ = 0;
  std::uint64_t iteration_ = 0;
};

constexpr SubjectId kTimer = 2;
constexpr SubjectId kImmediate = 3;
constexpr SubjectId kOther = 4;
constexpr std::string_view kPassed =
    "either order: the 1 ms threshold had passed at the first look, before the immediate";
constexpr std::string_view kNotPassed =
    "either order: the 1 ms threshold had not passed at the first look, before this";

TEST(OpenOrder, TimerBeforeImmediate) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 1ms);
    loop.make(kImmediate, Kind::immediate);
  });
  loop.at(1s + 3ms);
  loop.phase(Phase::timers, [&] { loop.run(kTimer); });
  loop.phase(Phase::check, [&] { loop.run(kImmediate); });
  EXPECT_EQ(loop.note_of(kTimer), kPassed);
  EXPECT_EQ(loop.note_of(kImmediate), "");
}

TEST(OpenOrder, ImmediateBeforeTimer) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 1ms);
    loop.make(kImmediate, Kind::immediate);
  });
  loop.phase(Phase::timers);
  loop.phase(Phase::check, [&] { loop.run(kImmediate); });
  loop.at(1s + 1ms);
  loop.phase(Phase::timers, [&] { loop.run(kTimer); });
  EXPECT_EQ(loop.note_of(kImmediate), kNotPassed);
  EXPECT_EQ(loop.note_of(kTimer), "");
}

/// "A timer already overdue when the main script ends runs before the first immediates."
TEST(OpenOrder, FixedForATimerThatIsLongOverdue) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 1ms);
    loop.make(kImmediate, Kind::immediate);
  });
  loop.at(1s + 5ms);
  loop.phase(Phase::timers, [&] { loop.run(kTimer); });
  loop.phase(Phase::check, [&] { loop.run(kImmediate); });
  EXPECT_EQ(loop.note_of(kTimer), "");
  EXPECT_EQ(loop.note_of(kImmediate), "");
}

/// From poll and from timers check comes first, whatever the clock says.
TEST(OpenOrder, FixedInsideOfIoAndOfTimers) {
  for (const Phase phase : {Phase::poll, Phase::timers}) {
    FakeLoop loop;
    loop.main([&] { loop.make(kOther, Kind::handle); });
    if (phase == Phase::poll) loop.phase(Phase::timers);
    loop.phase(phase, [&] {
      loop.run(kOther, [&] {
        loop.make(kTimer, Kind::timeout, 1ms);
        loop.make(kImmediate, Kind::immediate);
      });
    });
    loop.phase(Phase::check, [&] { loop.run(kImmediate); });
    loop.at(1s + 1ms);
    loop.phase(Phase::timers, [&] { loop.run(kTimer); });
    EXPECT_EQ(loop.note_of(kImmediate), "") << to_string(phase);
    EXPECT_EQ(loop.note_of(kTimer), "") << to_string(phase);
  }
}

TEST(OpenOrder, OfWhatAnImmediateSets) {
  FakeLoop loop;
  loop.main([&] { loop.make(kOther, Kind::immediate); });
  loop.phase(Phase::timers);
  loop.phase(Phase::check, [&] {
    loop.run(kOther, [&] {
      loop.make(kTimer, Kind::timeout, 1ms);
      loop.make(kImmediate, Kind::immediate);
    });
  });
  loop.phase(Phase::timers);
  loop.phase(Phase::check, [&] { loop.run(kImmediate); });
  EXPECT_EQ(loop.note_of(kImmediate), kNotPassed);
}

constexpr SubjectId kOperation = 5;

TEST(OpenOrder, ImmediateBeforeAnOperation) {
  for (const Phase phase : {Phase::none, Phase::check, Phase::poll}) {
    FakeLoop loop;
    const auto makes = [&] {
      loop.make(kOperation, Kind::request);
      loop.make(kImmediate, Kind::immediate);
      loop.make(kTimer, Kind::immediate);
    };
    loop.main([&] {
      if (phase == Phase::none)
        makes();
      else
        loop.make(kOther, Kind::handle);
    });
    if (phase != Phase::none) {
      loop.phase(Phase::timers);
      loop.phase(phase, [&] { loop.run(kOther, makes); });
    }
    if (phase != Phase::poll) loop.phase(Phase::timers);
    loop.phase(Phase::check, [&] {
      loop.run(kImmediate);
      loop.run(kTimer);
    });
    loop.phase(Phase::timers);
    loop.phase(Phase::poll, [&] { loop.run(kOperation); });
    const std::string starter = phase == Phase::none ? "#1" : "#2";
    EXPECT_EQ(loop.note_of(kImmediate), phase == Phase::poll
                                            ? ""
                                            : "either order: an operation of " + starter +
                                                  " was not done when poll looked, before this");
    EXPECT_EQ(loop.note_of(kTimer), "");  // said once
    EXPECT_EQ(loop.note_of(kOperation), "");
  }
}

TEST(OpenOrder, AnOperationBeforeAnImmediate) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kImmediate, Kind::immediate);
    loop.make(kOperation, Kind::request);
  });
  loop.phase(Phase::timers);
  loop.at(1s + 1ms);
  loop.phase(Phase::poll,
             [&] { loop.run(kOperation, [&] { loop.make(kOther, Kind::immediate); }); });
  loop.phase(Phase::check, [&] {
    loop.run(kImmediate);
    loop.run(kOther);
  });
  EXPECT_EQ(loop.note_of(kImmediate), "either order: #2 was done when poll looked, before this");
  EXPECT_EQ(loop.note_of(kOther), "");
}

TEST(OpenOrder, FixedForAnOperationThatBeganWhenTheTimerWasDue) {
  for (const bool is_late : {false, true}) {
    FakeLoop loop;
    loop.main([&] {
      loop.make(kTimer, Kind::timeout, 1ms);
      if (is_late) loop.at(1s + 3ms);
      loop.make(kOperation, Kind::request);
    });
    loop.at(1s + 3ms);
    loop.phase(Phase::timers, [&] { loop.run(kTimer); });
    loop.at(1s + 4ms);
    loop.phase(Phase::poll, [&] { loop.run(kOperation); });
    EXPECT_EQ(loop.note_of(kOperation).empty(), is_late);
  }
}

TEST(OpenOrder, OfATimerThoughAnotherOperationCameBetween) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 2ms);
    loop.make(kOperation, Kind::request);
  });
  loop.phase(Phase::timers);
  loop.at(1s + 1ms);
  loop.phase(Phase::poll, [&] { loop.run(kOperation, [&] { loop.make(kOther, Kind::request); }); });
  loop.phase(Phase::timers);
  loop.phase(Phase::poll, [&] { loop.run(kOther); });
  loop.at(1s + 2ms);
  loop.phase(Phase::timers, [&] { loop.run(kTimer); });
  EXPECT_THAT(loop.note_of(kTimer), HasSubstr("either order: #2 and this were ready within"));
}

/// Ticks have no delay, which is less than 1 ms; that does not make them timers.
TEST(OpenOrder, NotOfTicks) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 20ms);
    loop.make(kImmediate, Kind::immediate);
  });
  loop.at(1s + 30ms);
  loop.phase(Phase::timers, [&] {
    loop.run(kTimer, [&] { loop.make(kOther, Kind::tick); });
    loop.run(kOther);
  });
  EXPECT_EQ(loop.note_of(kTimer), "");
  EXPECT_EQ(loop.note_of(kOther), "");
}

/// A loop whose clock stands still, so that the threshold has not passed.
TEST(OpenOrder, OnALoop) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  Lens lens(loop);
  Explanation story;
  lens.add(story);
  loop.set_timeout(1ms, [] {});
  loop.set_immediate([] {});
  loop.run();
  EXPECT_THAT(labels_of(story), ElementsAre("immediate", "timeout 1 ms"));
  EXPECT_EQ(story.runs()[0].note, kNotPassed);
  EXPECT_EQ(story.runs()[1].note, "");
}

TEST(OpenOrder, TimersThatAreDueAtOnce) {
  FakeLoop loop;
  loop.main([&] { loop.make(kTimer, Kind::timeout, 10ms); });
  loop.at(1s + 5ms);
  loop.phase(Phase::timers);
  loop.make(kOther, Kind::timeout, 5ms);
  loop.at(1s + 10ms);
  loop.phase(Phase::timers, [&] {
    loop.run(kTimer);
    loop.run(kOther);
  });
  EXPECT_EQ(loop.note_of(kTimer), "");
  EXPECT_EQ(loop.note_of(kOther), "either order: #2 and this were due within the same millisecond");
}

TEST(OpenOrder, FixedForTimersOfOneDurationAndForThoseDueApart) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 10ms);
    loop.make(kImmediate, Kind::timeout, 10ms);
    loop.make(kOther, Kind::timeout, 11ms);
  });
  loop.at(1s + 20ms);
  loop.phase(Phase::timers, [&] {
    loop.run(kTimer);
    loop.run(kImmediate);
    loop.run(kOther);
  });
  for (const SubjectId id : {kTimer, kImmediate, kOther}) EXPECT_EQ(loop.note_of(id), "") << id;
}

TEST(OpenOrder, TimerAndOperationThatAreReadyAtOnce) {
  for (const bool is_timer_first : {true, false}) {
    FakeLoop loop;
    loop.main([&] {
      loop.make(kTimer, Kind::timeout, 10ms);
      loop.make(kOther, Kind::request);
    });
    const auto run_timer = [&] {
      loop.at(1s + 10ms);
      loop.phase(Phase::timers, [&] { loop.run(kTimer); });
    };
    if (is_timer_first) run_timer();
    loop.at(is_timer_first ? 1s + 12ms : 1s + 8ms);
    loop.phase(Phase::poll, [&] { loop.run(kOther); });
    if (!is_timer_first) run_timer();
    const std::string note =
        "either order: #2 and this were ready within 2.00 ms, and what is ready first comes first";
    EXPECT_EQ(loop.note_of(kTimer), is_timer_first ? "" : note);
    EXPECT_EQ(loop.note_of(kOther), is_timer_first ? note : "");
  }
}

TEST(OpenOrder, NotOfTimersAndOperationsThatAreReadyApart) {
  FakeLoop loop;
  loop.main([&] {
    loop.make(kTimer, Kind::timeout, 10ms);
    loop.make(kOther, Kind::request);
  });
  loop.at(1s + 5ms);
  loop.phase(Phase::poll, [&] { loop.run(kOther); });
  loop.at(1s + 10ms);
  loop.phase(Phase::timers, [&] { loop.run(kTimer); });
  EXPECT_EQ(loop.note_of(kTimer), "");
  EXPECT_EQ(loop.note_of(kOther), "");
}

/// What is there for long is known for long, whatever has come and gone meanwhile.
TEST(Explanation, KnowsWhatIsThereForLong) {
  Explanation story({.limit = 10});
  story.on_made(Time(1),
                {.id = 1, .kind = Kind::main, .label = "main", .site = {"a.js", "f", 1, 2}});
  story.on_made(Time(2),
                {.id = 2, .kind = Kind::timeout, .label = "old", .site = {"a.js", "f", 7, 2}});
  for (SubjectId id = 3; id < 1'200'000; ++id) make_and_run(story, id, Kind::tick, "tick");
  story.on_begin(Time(100'000'000), 2, {}, {});
  story.on_end(Time(200'000'000), 2);
  EXPECT_EQ(story.longest().front().label, "old");
  EXPECT_EQ(story.longest().front().site.line, 7);
}

TEST(Explanation, FitsIntoNarrowTerminals) {
  Explanation story({.limit = 2});
  make_and_run(story, 1, Kind::main, "a rather long name of a program that does not fit.js");
  story.on_iteration(Time(20), 4);
  story.on_phase_enter(Time(21), Phase::poll);
  make_and_run(story, 30, Kind::handle, "'data' of socket [fe80::1234:5678:9abc:def0]:51312",
               "/a/very/long/path/to/some/folder/with/a/file.js");
  make_and_run(story, 90, Kind::request, "readFile a-file-with-a-name-that-is-rather-long.txt",
               "/a/very/long/path/to/some/folder/with/a/file.js");
  story.on_phase_leave(Time(1000), Phase::poll);
  story.on_finish(Time(2000), End::nothing_left);
  for (const std::size_t columns : {24U, 30U, 43U, 44U, 59U, 80U, 95U, 120U}) {
    std::istringstream lines(to_text(story, {.columns = columns}));
    for (std::string line; std::getline(lines, line);) {
      const auto width = std::ranges::count_if(
          line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
      EXPECT_LE(width, static_cast<long>(columns)) << line;
    }
  }
  const std::string text = to_text(story, {.columns = 120});
  EXPECT_THAT(text, HasSubstr("iterations 1-3: nothing was due\niteration 4\n  poll\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033[")));
  EXPECT_THAT(to_text(story, {.colours = true}), HasSubstr("\033["));
}

}  // namespace
}  // namespace rondo::lens
