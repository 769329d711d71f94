// Idle and prepare, public here, and the check hooks beside them. docs/semantics.md has the rules
// HOOKS.
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using AddHook = Hook (Loop::*)(Callback<>);

class Hooks : public LoopTest, public ::testing::WithParamInterface<std::pair<AddHook, Phase>> {
 protected:
  Hook add(Callback<> callback) { return (loop.*GetParam().first)(std::move(callback)); }
  Phase phase() const { return GetParam().second; }
};

// HOOKS-1
TEST_P(Hooks, RunInEveryIterationUntilCleared) {
  Hook hook = add([&] {
    EXPECT_EQ(loop.phase(), phase());
    trace.emplace_back("hook");
  });
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(trace.size(), 3U);
  EXPECT_TRUE(hook.active());
  EXPECT_TRUE(hook.clear());
  EXPECT_FALSE(hook.active());
  EXPECT_FALSE(hook.clear());
  loop.run_nowait();
  EXPECT_EQ(trace.size(), 3U);
}

// HOOKS-1
TEST_P(Hooks, RunInTheOrderTheyWereAdded) {
  Hook hooks[] = {add(log("1")), add(log("2")), add(log("3"))};
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3"));
  hooks[1].clear();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "1", "3"));
}

TEST_P(Hooks, AHookAddedByAHookOfTheSamePhaseBeginsInTheNextIteration) {
  bool added = false;
  add([&] {
    trace.emplace_back("outer");
    if (!std::exchange(added, true)) add(log("inner"));
  });
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("outer"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("outer", "outer", "inner"));
}

TEST_P(Hooks, AHookMayClearItselfAndOthers) {
  Hook first;
  Hook second;
  Hook third;
  first = add([&] {
    trace.emplace_back("first");
    EXPECT_TRUE(second.clear());
    EXPECT_TRUE(first.clear());
    EXPECT_FALSE(first.active());
  });
  second = add(log("second"));
  third = add([&] {
    trace.emplace_back("third");
    EXPECT_FALSE(first.clear());
    third.clear();
  });
  loop.run_nowait();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first", "third"));
  EXPECT_FALSE(loop.alive());
}

TEST_P(Hooks, AHookMayClearAllBehindItAndAddAnother) {
  Hook second;
  Hook third;
  Hook first = add([&] {
    trace.emplace_back("first");
    second.clear();
    third.clear();
    second = add(log("in the place of the second"));
  });
  second = add(log("second"));
  third = add(log("third"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first"));
  first.clear();
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("first", "in the place of the second"));
}

TEST_P(Hooks, TicksDrainBetweenTwoHooks) {
  for (int i = 0; i < 2; ++i) {
    add([&] {
      trace.emplace_back("hook");
      loop.next_tick(log("tick"));
    });
  }
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("hook", "tick", "hook", "tick"));
}

TEST_P(Hooks, AnUnreferencedHookRunsWhileSomethingElseKeepsTheLoopAlive) {
  add(log("hook")).unref();
  loop.set_immediate(log("immediate"));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ::testing::UnorderedElementsAre("hook", "immediate"));
}

TEST_P(Hooks, AStaleHandleDoesNotClearTheHookInItsPlace) {
  Hook old = add(log("old"));
  old.clear();
  add(log("young"));
  EXPECT_FALSE(old.clear());
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("young"));
}

INSTANTIATE_TEST_SUITE_P(Phases, Hooks,
                         ::testing::Values(std::pair{&Loop::on_idle, Phase::idle},
                                           std::pair{&Loop::on_prepare, Phase::prepare},
                                           std::pair{&Loop::on_check, Phase::check}),
                         [](const auto& tested) {
                           return std::string(to_string(tested.param.second));
                         });

class HookPhases : public LoopTest {};

TEST_F(HookPhases, AHookOfAnEarlierPhaseMayAddOneOfALaterPhaseOfTheSameIteration) {
  Hook prepare;
  loop.on_idle([&] {
    if (!prepare.active()) prepare = loop.on_prepare(log("prepare"));
  });
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("prepare"));
}

// HOOKS-2
TEST_F(HookPhases, AnIdleHookKeepsPollFromWaiting) {
  Hook idle;
  int runs = 0;
  idle = loop.on_idle([&] {
    if (++runs == 100) idle.clear();
  });
  loop.set_timeout(1h, [] {}).unref();
  loop.run();
  EXPECT_EQ(runs, 100);
  EXPECT_EQ(clock.now(), 0ms);
}

// HOOKS-2
TEST_F(HookPhases, PrepareAndCheckHooksDoNotKeepPollFromWaiting) {
  loop.on_prepare(log_time("prepare")).unref();
  loop.on_check(log_time("check")).unref();
  loop.set_timeout(10ms, log_time("timeout"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("prepare@0", "check@10", "timeout@10"));
}

// HOOKS-3
TEST_F(HookPhases, CheckHooksComeBeforeTheImmediates) {
  loop.set_immediate(log("immediate"));
  loop.on_check(log("check hook"));
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("check hook", "immediate"));
}

TEST_F(HookPhases, AnImmediateSetByAHookRunsInTheSameIteration) {
  loop.on_check([&] { loop.set_immediate(log("immediate of a check hook")); });
  loop.on_prepare([&] { loop.set_immediate(log("immediate of a prepare hook")); });
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("immediate of a prepare hook", "immediate of a check hook"));
}

}  // namespace
}  // namespace rondo::test
