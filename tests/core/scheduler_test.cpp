// rondo/scheduler.h: where the promises leave an order open, the loop asks.
#include <deque>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Lt;

/// Answers as configured, and records what it was asked.
class Chooser final : public Scheduler {
 public:
  std::size_t completions_to_take(std::size_t ready) noexcept override {
    taken_of.push_back(ready);
    return take == 0 ? ready : take;
  }
  std::size_t next_completion(std::size_t ready) noexcept override {
    chosen_of.push_back(ready);
    return last ? ready - 1 : 0;
  }
  bool first_look_is_late() noexcept override {
    ++looks;
    return late;
  }

  std::size_t take = 0;  // zero: all of them
  bool last = false;
  bool late = false;
  std::vector<std::size_t> taken_of;
  std::vector<std::size_t> chosen_of;
  int looks = 0;
};

class Scheduled : public ::testing::Test {
 protected:
  auto log(std::string name) {
    return [this, name = std::move(name)] { trace.push_back(name); };
  }
  void watch_bells(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Bell& bell = bells.emplace_back(1);
      Poll& poll = polls.emplace_back(loop, bell.fd());
      ASSERT_TRUE(poll.start(PollEvents::readable, [this, i](PollEvents) {
        trace.push_back(std::to_string(i));
        polls[i].stop();
      }));
    }
  }

  VirtualClock clock;
  Chooser chooser;
  Trace trace;
  Loop loop{{.clock = &clock, .scheduler = &chooser}};
  std::deque<Bell> bells;
  std::deque<Poll> polls;
};

TEST_F(Scheduled, TheNaturalOrderIsThatInWhichTheyWereAskedFor) {
  watch_bells(4);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("0", "1", "2", "3"));
  EXPECT_THAT(chooser.taken_of, ElementsAre(4));
  EXPECT_THAT(chooser.chosen_of, ElementsAre(4, 3, 2)) << "of one there is no choice";
}

TEST_F(Scheduled, AnyOfTheCollectedCompletionsMayComeNext) {
  chooser.last = true;
  watch_bells(4);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("3", "2", "1", "0"));
}

TEST_F(Scheduled, ChoosingOneKeepsTheOrderOfTheOthers) {
  class Second final : public Scheduler {
   public:
    std::size_t next_completion(std::size_t) noexcept override { return 1; }
  };
  Second second;
  Loop other({.clock = &clock, .scheduler = &second});
  const Bell four[] = {Bell(1), Bell(1), Bell(1), Bell(1)};
  std::deque<Poll> four_polls;
  for (std::size_t i = 0; i < 4; ++i) {
    Poll& poll = four_polls.emplace_back(other, four[i].fd());
    ASSERT_TRUE(poll.start(PollEvents::readable, [&, i](PollEvents) {
      trace.push_back(std::to_string(i));
      four_polls[i].stop();
    }));
  }
  other.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3", "0"));
}

TEST_F(Scheduled, ItDecidesHowManyAreDeliveredInOneVisit) {
  chooser.take = 2;
  watch_bells(5);
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("0", "1", "immediate", "2", "3", "4"));
  EXPECT_THAT(chooser.taken_of, ElementsAre(5, 3, 1));
}

TEST_F(Scheduled, AnAnswerThatIsTooLargeIsTakenAsTheLargestAllowed) {
  class Wild final : public Scheduler {
   public:
    std::size_t completions_to_take(std::size_t) noexcept override { return SIZE_MAX; }
    std::size_t next_completion(std::size_t) noexcept override { return SIZE_MAX; }
  };
  Wild wild;
  Loop other({.clock = &clock, .scheduler = &wild});
  const Bell pair[] = {Bell(1), Bell(1)};
  Poll first(other, pair[0].fd());
  Poll second(other, pair[1].fd());
  ASSERT_TRUE(first.start(PollEvents::readable, [&](PollEvents) {
    trace.emplace_back("first");
    first.stop();
  }));
  ASSERT_TRUE(second.start(PollEvents::readable, [&](PollEvents) {
    trace.emplace_back("second");
    second.stop();
  }));
  other.run();
  EXPECT_THAT(trace, ElementsAre("second", "first"));
}

TEST_F(Scheduled, AnAnswerOfNoneIsTakenAsOneSoThatTheLoopAdvances) {
  class Never final : public Scheduler {
   public:
    std::size_t completions_to_take(std::size_t) noexcept override { return 0; }
  };
  Never never;
  Loop other({.clock = &clock, .scheduler = &never});
  const Bell bell(1);
  Poll poll(other, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [&](PollEvents) { poll.stop(); }));
  EXPECT_FALSE(other.run());
}

TEST_F(Scheduled, ATimerOfOneMsMayBeDueAtTheFirstLook) {
  loop.set_timeout(0ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  chooser.late = true;
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout", "immediate"));
  EXPECT_EQ(chooser.looks, 1);
}

TEST_F(Scheduled, OrNot) {
  loop.set_timeout(0ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "timeout"));
  EXPECT_EQ(chooser.looks, 1);
}

TEST_F(Scheduled, ItIsNotAskedWhenThatMakesNoDifference) {
  loop.set_timeout(2ms, log("not due either way"));
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_EQ(chooser.looks, 0);
  loop.set_timeout(1ms, log("due either way"));
  clock.advance(1ms);
  loop.run();
  EXPECT_EQ(chooser.looks, 0);
}

TEST_F(Scheduled, AfterALateFirstLookTimeDoesNotGoBack) {
  chooser.late = true;
  loop.set_timeout(1ms, [&] {
    EXPECT_EQ(loop.now(), 1ms);
    loop.set_timeout(1ms, [&] { EXPECT_EQ(loop.now(), 2ms); });
  });
  loop.set_immediate([&] { EXPECT_EQ(loop.now(), 1ms); });
  loop.run();
}

TEST_F(Scheduled, NothingIsAskedWhenNothingCompletes) {
  loop.set_timeout(5ms, [] {});
  loop.run();
  EXPECT_THAT(chooser.taken_of, IsEmpty());
  EXPECT_THAT(chooser.chosen_of, IsEmpty());
}

}  // namespace
}  // namespace rondo::test
