// What runtimes that follow Node have been reported to get wrong.
#include <stdexcept>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Traps : public LoopTest {};

// ITERATION-1
TEST_F(Traps, ATimerAlreadyOverdueWhenTheMainProgramEndsRunsBeforeTheFirstImmediates) {
  loop.set_immediate(log("immediate"));
  loop.set_timeout(5ms, log("timeout"));
  clock.advance(10ms);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout", "immediate"));
}

TEST_F(Traps, ATimerNotYetDueWhenTheMainProgramEndsRunsAfterThem) {
  loop.set_timeout(5ms, log("timeout"));
  loop.set_immediate(log("immediate"));
  clock.advance(4ms);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "timeout"));
}

// CHECK-2
TEST_F(Traps, ImmediatesQueuedByAnImmediateWaitForTheNextIteration) {
  loop.set_immediate([&] {
    trace.emplace_back("1");
    loop.set_immediate(log("3"));
    loop.queue_close(log("close"));
    loop.set_timeout(1ms, log("timeout"));
    clock.advance(1ms);
  });
  loop.set_immediate(log("2"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "close", "timeout", "3"));
}

// TIMERS-6
TEST_F(Traps, ATimerSetInsideATimerForZeroMsDoesNotRunInTheSameVisit) {
  loop.set_timeout(0ms, [&] {
    trace.emplace_back("outer");
    loop.set_timeout(0ms, log("inner"));
    loop.set_immediate(log("immediate"));
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("outer", "immediate", "inner"));
}

TEST_F(Traps, ThatHoldsForAnotherDurationAndForTheFirstVisitToo) {
  loop.set_timeout(5ms, [&] {
    trace.emplace_back("outer");
    loop.set_timeout(0ms, log("inner"));
    loop.set_immediate(log("immediate"));
    clock.advance(10ms);
  });
  clock.advance(5ms);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("outer", "immediate", "inner"));
}

// CHECK-4
TEST_F(Traps, AnEarlierImmediateMayClearALaterOne) {
  Immediate later;
  loop.set_immediate([&] {
    trace.emplace_back("1");
    EXPECT_TRUE(later.clear());
  });
  loop.set_immediate(log("2"));
  later = loop.set_immediate(log("cleared"));
  loop.set_immediate(log("3"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "2", "3"));
}

TEST_F(Traps, AnEarlierImmediateMayClearTheNextAndQueueAnother) {
  Immediate next;
  loop.set_immediate([&] {
    next.clear();
    loop.set_immediate(log("of the next iteration"));
    loop.queue_close(log("close"));
  });
  next = loop.set_immediate(log("cleared"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("close", "of the next iteration"));
}

// CHECK-4
TEST_F(Traps, ATickOfAnImmediateMayClearTheNextOne) {
  Immediate next;
  loop.set_immediate([&] { loop.next_tick([&] { next.clear(); }); });
  next = loop.set_immediate(log("cleared"));
  loop.run();
  EXPECT_THAT(trace, IsEmpty());
}

// LIFE-8
TEST_F(Traps, HandlesUnreferencedDuringBeforeExitDoNotKeepTheProgramUp) {
  int emitted = 0;
  loop.on_before_exit([&] {
    ++emitted;
    loop.set_timeout(10ms, log("timeout")).unref();
    loop.set_interval(10ms, log("interval")).unref();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(emitted, 1);
  EXPECT_THAT(trace, IsEmpty());
}

TEST_F(Traps, HandlesReferencedAgainDuringBeforeExitDo) {
  Timer timer = loop.set_timeout(10ms, log_time("timeout"));
  timer.unref();
  int emitted = 0;
  loop.on_before_exit([&] {
    ++emitted;
    timer.ref();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(emitted, 2);
  EXPECT_THAT(trace, ElementsAre("timeout@10"));
}

// THROW-1
TEST_F(Traps, AnExceptionInTheMiddleOfTheImmediatesLeavesTheOthersInThisIteration) {
  loop.on_uncaught([&](const std::exception_ptr&) { trace.emplace_back("uncaught"); });
  loop.set_immediate(log("1"));
  loop.set_immediate([&] {
    loop.set_immediate(log("of the next iteration"));
    throw std::runtime_error("2");
  });
  loop.set_immediate(log("3"));
  loop.queue_close(log("close"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "uncaught", "3", "close", "of the next iteration"));
}

// THROW-3
TEST_F(Traps, WithoutAHandlerTheOthersRunInTheNextRunInOrder) {
  loop.set_immediate(log("1"));
  loop.set_immediate([&] {
    loop.set_immediate(log("4"));
    throw std::runtime_error("2");
  });
  loop.set_immediate(log("3"));
  EXPECT_THROW(loop.run(), std::runtime_error);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("1", "3", "4"));
}

}  // namespace
}  // namespace rondo::test
