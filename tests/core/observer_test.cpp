// rondo/observer.h: an observer is notified of everything the loop does.
#include <map>
#include <stdexcept>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

/// Writes everything down, with small names for the tasks: "timeout a", "timeout b".
class Recorder final : public Observer {
 public:
  void on_iteration(std::uint64_t number) noexcept override {
    add("iteration " + std::to_string(number));
  }
  void on_phase_enter(Phase phase) noexcept override { add(std::string(to_string(phase)) + " {"); }
  void on_phase_leave(Phase phase) noexcept override { add("} " + std::string(to_string(phase))); }
  void on_scheduled(Task task, milliseconds delay) noexcept override {
    const std::string after = delay == 0ms ? "" : " in " + std::to_string(delay.count());
    add("scheduled " + name(task) + after);
  }
  void on_cancelled(Task task) noexcept override { add("cancelled " + name(task)); }
  void on_begin(Task task) noexcept override { add("begin " + name(task)); }
  void on_end(Task task) noexcept override { add("end " + name(task)); }
  void on_exception(Task task, bool handled) noexcept override {
    add((handled ? "handled " : "unhandled ") + name(task));
  }
  void on_wait(std::optional<nanoseconds> timeout) noexcept override {
    add(timeout ? "wait " + std::to_string(timeout->count()) : "wait for ever");
  }
  void on_woken(std::size_t completions) noexcept override {
    add("woken with " + std::to_string(completions));
  }

  Trace events;

 private:
  void add(std::string event) { events.push_back(std::move(event)); }
  std::string name(Task task) {
    auto& ids = ids_[task.kind];
    const auto letter = static_cast<char>('a' + ids.try_emplace(task.id, ids.size()).first->second);
    return std::string(to_string(task.kind)) + " " + letter;
  }
  std::map<TaskKind, std::map<std::uint64_t, std::size_t>> ids_;
};

class Observed : public ::testing::Test {
 protected:
  VirtualClock clock;
  Recorder recorder;
  Loop loop{{.clock = &clock, .observer = &recorder}};
};

TEST_F(Observed, ASmallProgramIsToldInFull) {
  loop.set_timeout(5ms, [] {});
  loop.set_immediate([&] {
    loop.next_tick([] {});
    loop.queue_microtask([] {});
    loop.queue_close([] {});
  });
  loop.defer([] {});
  Timer never = loop.set_timeout(9ms, [] {});
  never.clear();
  loop.next_tick([] {});
  loop.on_before_exit([] {});
  loop.run();
  const Trace expected = {
      // The main program.
      "scheduled timeout a in 5", "scheduled immediate a", "scheduled deferred a",
      "scheduled timeout b in 9", "cancelled timeout b", "scheduled tick a",
      // run()
      "begin tick a", "end tick a", "timers {", "} timers",
      // What can be done without waiting.
      "iteration 1", "pending {", "begin deferred a", "end deferred a", "} pending", "idle {",
      "} idle", "prepare {", "} prepare", "poll {", "} poll", "check {", "begin immediate a",
      "scheduled tick b", "scheduled microtask a", "scheduled close a", "begin tick b",
      "end tick b", "begin microtask a", "end microtask a", "end immediate a", "} check", "close {",
      "begin close a", "end close a", "} close", "timers {", "} timers",
      // Virtual time: the kernel is asked without waiting, then time jumps.
      "iteration 2", "pending {", "} pending", "idle {", "} idle", "prepare {", "} prepare",
      "poll {", "wait 0", "woken with 0", "} poll", "check {", "} check", "close {", "} close",
      "timers {", "begin timeout a", "end timeout a", "} timers", "begin before exit a",
      "end before exit a"};
  EXPECT_THAT(recorder.events, ElementsAreArray(expected));
}

TEST_F(Observed, AnIntervalKeepsItsIdAndIsScheduledAgainBeforeItEnds) {
  Timer interval;
  int runs = 0;
  interval = loop.set_interval(5ms, [&] {
    if (++runs == 2) interval.clear();
  });
  recorder.events.clear();
  loop.run();
  std::erase_if(recorder.events,
                [](const std::string& event) { return event.find("interval") == event.npos; });
  EXPECT_THAT(recorder.events,
              ElementsAre("begin interval a", "scheduled interval a in 5", "end interval a",
                          "begin interval a", "cancelled interval a", "end interval a"));
}

TEST_F(Observed, ARefreshedTimerIsScheduledAgain) {
  Timer timer = loop.set_timeout(5ms, [] {});
  timer.refresh();
  EXPECT_THAT(recorder.events, ElementsAre("scheduled timeout a in 5", "scheduled timeout a in 5"));
}

TEST_F(Observed, HooksAndImmediatesAreCancelledWhenCleared) {
  Hook hook = loop.on_idle([] {});
  Immediate immediate = loop.set_immediate([] {});
  hook.clear();
  immediate.clear();
  EXPECT_THAT(recorder.events, ElementsAre("scheduled idle hook a", "scheduled immediate a",
                                           "cancelled idle hook a", "cancelled immediate a"));
}

TEST_F(Observed, AnExceptionIsToldBetweenBeginAndEnd) {
  loop.on_uncaught([](const std::exception_ptr&) {});
  loop.set_immediate([] { throw std::runtime_error("handled"); });
  loop.set_immediate([&] {
    loop.on_uncaught(nullptr);
    throw std::runtime_error("not handled");
  });
  EXPECT_THROW(loop.run(), std::runtime_error);
  std::erase_if(recorder.events,
                [](const std::string& event) { return event.find("immediate") == event.npos; });
  EXPECT_THAT(recorder.events,
              ElementsAre("scheduled immediate a", "scheduled immediate b", "begin immediate a",
                          "handled immediate a", "end immediate a", "begin immediate b",
                          "unhandled immediate b", "end immediate b"));
}

TEST_F(Observed, APhaseThatAnExceptionLeavesIsLeft) {
  loop.set_immediate([] { throw std::runtime_error("not handled"); });
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_EQ(recorder.events.back(), "} check");
}

TEST_F(Observed, PostedCallbacksAndCompletionsBeginAndEndInPoll) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { poll.stop(); }));
  loop.post([] {});
  recorder.events.clear();
  loop.run_nowait();
  const auto first = std::find(recorder.events.begin(), recorder.events.end(), "poll {");
  const auto last = std::find(first, recorder.events.end(), "} poll");
  ASSERT_NE(last, recorder.events.end());
  EXPECT_THAT(Trace(first + 1, last),
              ElementsAre("wait 0", "woken with 1", "begin completion a", "cancelled completion a",
                          "end completion a", "begin posted a", "end posted a"));
}

TEST_F(Observed, AWaitWithoutLimitIsToldAsSuch) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { poll.stop(); }));
  loop.run();
  EXPECT_THAT(recorder.events, Contains("wait for ever"));
}

TEST_F(Observed, AnObserverMayBeReplacedAndRemoved) {
  Recorder second;
  loop.set_observer(&second);
  loop.set_immediate([] {});
  loop.set_observer(nullptr);
  loop.run();
  EXPECT_THAT(recorder.events, IsEmpty());
  EXPECT_THAT(second.events, ElementsAre("scheduled immediate a"));
}

TEST_F(Observed, AnObserverThatIsGoneIsNotToldOfTheEndOfTheCallbackThatRemovedIt) {
  auto temporary = std::make_unique<Recorder>();
  loop.set_observer(temporary.get());
  loop.set_immediate([&] {
    loop.set_observer(nullptr);
    temporary.reset();
  });
  loop.run();
  EXPECT_EQ(temporary, nullptr);
}

TEST(Names, OfPhasesAndTasksAreTheirOwn) {
  std::map<std::string_view, int> seen;
  for (std::size_t i = 0; i < kPhaseCount; ++i) ++seen[to_string(static_cast<Phase>(i))];
  EXPECT_EQ(seen.size(), kPhaseCount);
  seen.clear();
  for (std::size_t i = 0; i < kTaskKindCount; ++i) ++seen[to_string(static_cast<TaskKind>(i))];
  EXPECT_EQ(seen.size(), kTaskKindCount);
  EXPECT_EQ(to_string(Phase::poll), "poll");
  EXPECT_EQ(to_string(TaskKind::before_exit), "before exit");
}

}  // namespace
}  // namespace rondo::test
