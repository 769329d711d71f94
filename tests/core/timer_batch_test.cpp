// Timers that are run in a batch, one after the other without leaving the caller: what JavaScript's
// timers are. Between them and those with callbacks of their own there is no difference in order.
#include <functional>
#include <map>
#include <stdexcept>

#include "core/loop_core.h"
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TimerBatch : public LoopTest {
 protected:
  TimerBatch() {
    timers().set_batch([this] {
      trace.emplace_back("(");
      do {
        // The batch may throw in the middle, as a callback of its own would.
        const auto callback = callbacks.at(timers().firing().index);
        callback();
      } while (timers().next_in_batch([this] {
        if (between) between();
      }));
      trace.emplace_back(")");
    });
  }

  TimersPhase& timers() { return loop.core().timers(); }

  detail::SlotId set(std::int32_t ms, std::function<void()> callback,
                     TaskKind kind = TaskKind::timeout) {
    const detail::SlotId id = timers().add_to_batch(ms, loop.core().now_ms(), kind);
    callbacks.insert_or_assign(id.index, std::move(callback));
    return id;
  }

  /// All that is due by then runs in one visit.
  void stall(std::chrono::milliseconds time) {
    clock.advance(time);
    loop.run_nowait();
  }

  std::map<std::uint32_t, std::function<void()>> callbacks;
  std::function<void()> between;
};

TEST_F(TimerBatch, AllThatAreDueRunInOneBatchInOrder) {
  set(2, log("c"));
  set(1, log("a"));
  set(1, log("b"));
  set(50, log("later"));
  stall(10ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "b", "c", ")"));
  EXPECT_EQ(timers().size(), 1U);
}

TEST_F(TimerBatch, OneNotYetDueOfTheSameDurationWaits) {
  set(10, log("first"));
  clock.advance(5ms);
  set(10, log("second"));
  stall(5ms);
  EXPECT_THAT(trace, ElementsAre("(", "first", ")"));
  stall(5ms);
  EXPECT_THAT(trace, ElementsAre("(", "first", ")", "(", "second", ")"));
}

TEST_F(TimerBatch, BetweenTwoTimersComesWhatIsToComeThereAndAfterTheLastOneToo) {
  between = log("between");
  set(1, log("a"));
  set(1, log("b"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "between", "b", "between", ")"));
}

TEST_F(TimerBatch, ATimerWithItsOwnCallbackInTheMiddleHasItsTurn) {
  set(1, log("a"));
  loop.set_timeout(1ms, log("native"));
  set(1, log("b"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "native", "(", "b", ")"));
}

TEST_F(TimerBatch, ATimerWithItsOwnCallbackOfAnotherDurationHasItsTurn) {
  set(1, log("a"));
  loop.set_timeout(2ms, log("native"));
  set(3, log("b"));
  set(1, log("c"));
  stall(5ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "c", ")", "native", "(", "b", ")"));
}

TEST_F(TimerBatch, ATickOfTheLoopEndsTheBatchAndRunsBeforeTheNextTimer) {
  set(1, [&] {
    trace.emplace_back("a");
    loop.next_tick(log("tick"));
  });
  set(1, log("b"));
  between = log("between");
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "tick", "(", "b", "between", ")"));
}

TEST_F(TimerBatch, ATickMayClearTheTimerThatIsNext) {
  Timer native;
  set(1, [&] {
    trace.emplace_back("a");
    loop.next_tick([&] { native.clear(); });
  });
  native = loop.set_timeout(1ms, log("native"));
  set(1, log("b"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "b", ")"));
  EXPECT_EQ(timers().size(), 0U);
}

TEST_F(TimerBatch, WhatComesBetweenMayClearTheTimerThatIsNext) {
  Timer native;
  set(1, log("a"));
  native = loop.set_timeout(1ms, log("native"));
  set(1, log("b"));
  between = [&] { native.clear(); };
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "b", ")"));
}

TEST_F(TimerBatch, WhatComesBetweenMayQueueATickThatClearsTheTimerThatIsNext) {
  Timer native;
  set(1, log("a"));
  native = loop.set_timeout(1ms, log("native"));
  set(1, log("b"));
  between = [&] { loop.next_tick([&] { native.clear(); }); };
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "b", ")"));
}

TEST_F(TimerBatch, ATimerMayBeClearedBeforeItsTurn) {
  detail::SlotId second;
  set(1, [&] {
    trace.emplace_back("a");
    EXPECT_TRUE(timers().clear(second));
  });
  second = set(1, log("b"));
  set(1, log("c"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "c", ")"));
}

TEST_F(TimerBatch, ATimerMayClearItselfAndAllOthers) {
  std::vector<detail::SlotId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(set(1, [&, i] {
      trace.push_back(std::to_string(i));
      for (const detail::SlotId id : ids) timers().clear(id);
    }));
  }
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "0", ")"));
  EXPECT_EQ(timers().size(), 0U);
  EXPECT_FALSE(timers().keeps_alive());
}

TEST_F(TimerBatch, ATimerSetInABatchOfTheSameDurationWaitsForTheNextVisit) {
  set(1, [&] {
    trace.emplace_back("a");
    set(1, log("new"));
  });
  stall(100ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "new", ")"));
}

TEST_F(TimerBatch, ATimerRefreshedBeforeItsTurnWaitsAnew) {
  detail::SlotId second;
  set(10, [&] {
    trace.emplace_back("a");
    EXPECT_TRUE(timers().refresh(second, loop.core().now_ms()));
  });
  second = set(10, log("b"));
  stall(10ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")"));
  stall(10ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "b", ")"));
}

TEST_F(TimerBatch, ATimerRefreshedByItselfRunsAgain) {
  int rounds = 0;
  detail::SlotId id;
  id = set(10, [&] {
    trace.emplace_back("a");
    if (++rounds < 3) {
      EXPECT_TRUE(timers().refresh(id, loop.core().present_ms()));
    }
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "a", ")", "(", "a", ")"));
  EXPECT_EQ(loop.now(), 30ms);
  EXPECT_FALSE(timers().active(id));
}

TEST_F(TimerBatch, AnIntervalIsSetAgainBeforeWhatComesBetween) {
  const detail::SlotId id = set(10, log("interval"), TaskKind::interval);
  bool active = false;
  between = [&] { active = timers().active(id) && timers().size() == 1; };
  stall(10ms);
  EXPECT_TRUE(active);
  stall(10ms);
  EXPECT_THAT(trace, ElementsAre("(", "interval", ")", "(", "interval", ")"));
  EXPECT_TRUE(timers().clear(id));
  EXPECT_FALSE(loop.alive());
}

TEST_F(TimerBatch, AnIntervalClearedByItselfOrBetweenIsGone) {
  detail::SlotId by_itself;
  by_itself = set(10, [&] { timers().clear(by_itself); }, TaskKind::interval);
  const detail::SlotId between_two = set(10, [] {}, TaskKind::interval);
  between = [&] { timers().clear(between_two); };
  stall(10ms);
  EXPECT_EQ(timers().size(), 0U);
  EXPECT_FALSE(loop.alive());
}

TEST_F(TimerBatch, AnExceptionEndsTheBatchAndTheRestRunsInANewOne) {
  loop.on_uncaught([&](const std::exception_ptr&) { trace.emplace_back("uncaught"); });
  set(1, log("a"));
  set(1, [&] { throw std::runtime_error("thrown"); });
  set(1, log("c"));
  stall(1ms);
  EXPECT_THAT(trace, ElementsAre("(", "a", "uncaught", "(", "c", ")"));
  EXPECT_EQ(timers().size(), 0U);
}

TEST_F(TimerBatch, AnExceptionThatLeavesTheLoopLeavesTheRestForTheNextRun) {
  set(1, [&] { throw std::runtime_error("thrown"); });
  set(1, log("b"));
  clock.advance(1ms);
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_EQ(timers().size(), 1U);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("(", "(", "b", ")"));
}

TEST_F(TimerBatch, AnExceptionOfAnIntervalSetsItAgain) {
  loop.on_uncaught([](const std::exception_ptr&) {});
  const detail::SlotId id = set(10, [] { throw std::runtime_error("thrown"); }, TaskKind::interval);
  stall(10ms);
  EXPECT_TRUE(timers().active(id));
}

TEST_F(TimerBatch, AStopEndsTheBatch) {
  set(1, [&] {
    trace.emplace_back("a");
    loop.stop();
  });
  set(1, log("b"));
  clock.advance(1ms);
  loop.run();
  // As with callbacks of their own: the visit that has begun continues.
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "b", ")"));
}

TEST_F(TimerBatch, EachTimerCountsAsACallback) {
  for (int i = 0; i < 5; ++i) set(1, [] {});
  loop.set_timeout(1ms, [] {});
  stall(1ms);
  EXPECT_EQ(loop.metrics().phases[static_cast<std::size_t>(Phase::timers)].callbacks, 6U);
}

TEST_F(TimerBatch, KeepsTheLoopAliveOnlyWhileReferenced) {
  const detail::SlotId id = set(10, log("timer"));
  EXPECT_TRUE(loop.alive());
  timers().set_ref(id, false);
  EXPECT_FALSE(loop.alive());
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

/// An observer is notified of every timer.
class Watcher : public Observer {
 public:
  void on_begin(Task task) noexcept override { begun += task.kind == TaskKind::timeout ? 1 : 0; }
  void on_end(Task task) noexcept override { ended += task.kind == TaskKind::timeout ? 1 : 0; }
  int begun = 0;
  int ended = 0;
};

TEST_F(TimerBatch, UnderAnObserverEachTimerIsABatchOfItsOwn) {
  Watcher watcher;
  loop.set_observer(&watcher);
  set(1, log("a"));
  set(1, log("b"));
  stall(1ms);
  loop.set_observer(nullptr);
  EXPECT_THAT(trace, ElementsAre("(", "a", ")", "(", "b", ")"));
  EXPECT_EQ(watcher.begun, 2);
  EXPECT_EQ(watcher.ended, 2);
}

TEST(TimerBatchBudget, CountsEachTimerOfABatch) {
  VirtualClock clock;
  Loop loop{{.budgets = {.timers = 2}, .clock = &clock}};
  TimersPhase& timers = loop.core().timers();
  int ran = 0;
  timers.set_batch([&] {
    do {
      ++ran;
    } while (timers.next_in_batch([] {}));
  });
  for (int i = 0; i < 5; ++i) timers.add_to_batch(1, 0, TaskKind::timeout);
  clock.advance(1ms);
  std::vector<int> after_each;
  while (loop.run_nowait()) after_each.push_back(ran);
  EXPECT_THAT(after_each, ElementsAre(2, 4));
  EXPECT_EQ(ran, 5);
}

TEST(RowEnd, TimersThatWaitAreDroppedWithTheLoop) {
  VirtualClock clock;
  auto held = std::make_shared<int>(0);
  {
    Loop loop{{.clock = &clock}};
    loop.core().timers().set_batch([held] {});
    loop.core().timers().add_to_batch(1, 0, TaskKind::interval);
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace rondo::test
