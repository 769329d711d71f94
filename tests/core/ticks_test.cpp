// Ticks and microtasks. docs/semantics.md has the rules TICKS.
#include <algorithm>
#include <functional>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Ticks : public LoopTest {};

// TICKS-1
TEST_F(Ticks, TicksRunInOrderThenMicrotasksInOrder) {
  loop.queue_microtask(log("microtask 1"));
  loop.next_tick(log("tick 1"));
  loop.queue_microtask(log("microtask 2"));
  loop.next_tick(log("tick 2"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick 1", "tick 2", "microtask 1", "microtask 2"));
}

// TICKS-1
TEST_F(Ticks, TicksAddedMeanwhileAreIncluded) {
  loop.next_tick([&] {
    trace.emplace_back("1");
    loop.next_tick([&] {
      trace.emplace_back("3");
      loop.next_tick(log("4"));
    });
  });
  loop.next_tick(log("2"));
  loop.queue_microtask(log("microtask"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "4", "microtask"));
}

// TICKS-2
TEST_F(Ticks, MicrotasksAddedMeanwhileRunBeforeTheTicksTheyAdded) {
  loop.queue_microtask([&] {
    trace.emplace_back("microtask 1");
    loop.next_tick(log("tick"));
    loop.queue_microtask(log("microtask 3"));
  });
  loop.queue_microtask(log("microtask 2"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("microtask 1", "microtask 2", "microtask 3", "tick"));
}

// TICKS-1
TEST_F(Ticks, BothAreRepeatedUntilBothAreEmpty) {
  int left = 6;
  std::function<void()> alternate = [&] {
    if (left-- == 0) return;
    if (left % 2 == 0) {
      trace.emplace_back("tick");
      loop.queue_microtask(alternate);
    } else {
      trace.emplace_back("microtask");
      loop.next_tick(alternate);
    }
  };
  loop.set_immediate([&] { alternate(); });
  loop.set_immediate(log("next immediate"));
  loop.run();
  EXPECT_EQ(trace.size(), 7U);
  EXPECT_EQ(trace.back(), "next immediate");
}

/// One way to have a callback run.
struct Operation {
  std::string name;
  void (*add)(Loop&, Callback<>);
};

void PrintTo(const Operation& operation, std::ostream* out) {
  *out << operation.name;
}

class EveryOperation : public LoopTest, public ::testing::WithParamInterface<Operation> {};

/// Those of which the callable runs once and is destroyed then.
class EveryOperationOnce : public EveryOperation {};

TEST_P(EveryOperation, IsFollowedByTicksAndMicrotasksBeforeAnythingElse) {
  for (int i = 0; i < 3; ++i) {
    GetParam().add(loop, [this] {
      trace.emplace_back("operation");
      loop.queue_microtask(log("microtask"));
      loop.next_tick([this] {
        trace.emplace_back("tick");
        loop.next_tick(log("tick's tick"));
      });
    });
  }
  clock.advance(1ms);
  loop.run_nowait();
  const Trace once = {"operation", "tick", "tick's tick", "microtask"};
  ASSERT_EQ(trace.size(), 12U);
  for (std::size_t i = 0; i < trace.size(); ++i) EXPECT_EQ(trace[i], once[i % 4]) << i;
}

TEST_P(EveryOperation, ItsTicksRunInItsPhase) {
  Phase of_operation = Phase::none;
  Phase of_tick = Phase::none;
  GetParam().add(loop, [&] {
    of_operation = loop.phase();
    loop.next_tick([&] { of_tick = loop.phase(); });
  });
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_EQ(of_tick, of_operation);
  EXPECT_NE(of_tick, Phase::none);
}

TEST_P(EveryOperationOnce, ItsCallableIsDestroyedBeforeItsTicksRun) {
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = held;
  GetParam().add(loop, [this, watched, held = std::move(held)] {
    loop.next_tick([this, watched] { trace.emplace_back(watched.expired() ? "gone" : "there"); });
  });
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("gone"));
}

TEST_P(EveryOperationOnce, TicksThatTheDestructorOfItsCallableAddsRunRightAfterIt) {
  auto held = std::shared_ptr<void>(nullptr, [this](void*) { loop.next_tick(log("tick")); });
  GetParam().add(loop, [this, held = std::move(held)] { trace.emplace_back("operation"); });
  GetParam().add(loop, log("next operation"));
  clock.advance(1ms);
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("operation", "tick", "next operation"));
}

const Operation kRunOnce[] = {
    {"timeout", [](Loop& loop, Callback<> f) { loop.set_timeout(1ms, std::move(f)); }},
    {"deferred", [](Loop& loop, Callback<> f) { loop.defer(std::move(f)); }},
    {"posted", [](Loop& loop, Callback<> f) { loop.post(std::move(f)); }},
    {"immediate", [](Loop& loop, Callback<> f) { loop.set_immediate(std::move(f)); }},
    {"close", [](Loop& loop, Callback<> f) { loop.queue_close(std::move(f)); }},
};
const Operation kRunAgain[] = {
    {"interval", [](Loop& loop, Callback<> f) { loop.set_interval(1ms, std::move(f)); }},
    {"idle_hook", [](Loop& loop, Callback<> f) { loop.on_idle(std::move(f)); }},
    {"prepare_hook", [](Loop& loop, Callback<> f) { loop.on_prepare(std::move(f)); }},
    {"check_hook", [](Loop& loop, Callback<> f) { loop.on_check(std::move(f)); }},
};
constexpr auto kName = [](const auto& tested) { return tested.param.name; };

INSTANTIATE_TEST_SUITE_P(Once, EveryOperation, ::testing::ValuesIn(kRunOnce), kName);
INSTANTIATE_TEST_SUITE_P(Again, EveryOperation, ::testing::ValuesIn(kRunAgain), kName);
INSTANTIATE_TEST_SUITE_P(Ticks, EveryOperationOnce, ::testing::ValuesIn(kRunOnce), kName);

TEST_F(Ticks, TicksThatTheDestructorOfACompletionsCallableAddsRunRightAfterIt) {
  const Bell bell(1);
  Poll poll(loop, bell.fd());
  auto held = std::shared_ptr<void>(nullptr, [this](void*) { loop.next_tick(log("tick")); });
  ASSERT_TRUE(poll.start(PollEvents::readable, [&, held = std::move(held)](PollEvents) {
    trace.emplace_back("readable");
    poll.stop();
  }));
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("readable", "tick", "immediate"));
}

TEST_F(Ticks, TheyBelongToNoPhase) {
  loop.next_tick(log_phase("tick"));
  loop.queue_microtask(log_phase("microtask"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick:none", "microtask:none"));
}

// TICKS-4
TEST_F(Ticks, ATickThatAlwaysAddsATickStarvesEverythingElse) {
  int left = 100'000;
  std::function<void()> again = [&] {
    if (--left != 0) {
      loop.next_tick(again);
    } else {
      trace.emplace_back("last tick");
    }
  };
  loop.set_timeout(1ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  clock.advance(1ms);
  loop.next_tick(again);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("last tick", "timeout", "immediate"));
}

/// Adds itself again many times and records the lowest and the highest stack address.
struct StackProbe {
  Loop& loop;
  void (Loop::*add)(Callback<>);
  int left;
  std::uintptr_t lowest = UINTPTR_MAX;
  std::uintptr_t highest = 0;

  void step() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    lowest = std::min(lowest, here);
    highest = std::max(highest, here);
    if (--left != 0) (loop.*add)([this] { step(); });
  }
};

// TICKS-5
TEST_F(Ticks, RecursionNeverOverflowsTheStack) {
  for (auto add : {&Loop::next_tick, &Loop::queue_microtask}) {
    StackProbe probe{loop, add, 200'000};
    (loop.*add)([&] { probe.step(); });
    loop.run();
    EXPECT_EQ(probe.left, 0);
    EXPECT_LT(probe.highest - probe.lowest, 4'096U) << "each tick runs at the same depth";
  }
}

TEST_F(Ticks, OutsideRunTheyWaitForTheNextRun) {
  loop.run();
  loop.next_tick(log("tick"));
  EXPECT_THAT(trace, IsEmpty());
  loop.run_nowait();
  EXPECT_THAT(trace, ElementsAre("tick"));
}

TEST_F(Ticks, TheyRunInOrderHoweverManyThereAre) {
  int next = 0;
  for (int i = 0; i < 100'000; ++i) {
    loop.next_tick([&, i] {
      if (next == i) ++next;
    });
  }
  loop.run();
  EXPECT_EQ(next, 100'000);
}

}  // namespace
}  // namespace rondo::test
