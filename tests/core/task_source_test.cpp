// Ticks and microtasks that a host keeps, such as a JavaScript engine.
#include <deque>
#include <functional>
#include <stdexcept>

#include "core/door.h"
#include "core/loop_core.h"
#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class Tasks : public LoopTest, public TaskSource {
 protected:
  Tasks() { loop.core().door().set_task_source(this); }
  ~Tasks() override { loop.core().door().set_task_source(nullptr); }

  void drain() noexcept override {
    while (!queue.empty()) {
      const auto task = std::move(queue.front());
      queue.pop_front();
      task();
    }
  }

  void drain_put_off() noexcept override {}

  std::deque<std::function<void()>> queue;
};

TEST_F(Tasks, AreDrainedAfterEveryOperation) {
  for (int i = 0; i < 2; ++i) {
    loop.set_immediate([&] {
      trace.emplace_back("immediate");
      queue.emplace_back(log("task"));
    });
  }
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "task", "immediate", "task"));
}

TEST_F(Tasks, RunAfterTheLoopsOwnTicksAndBeforeItsMicrotasks) {
  loop.set_immediate([&] {
    loop.queue_microtask(log("microtask"));
    queue.emplace_back(log("task"));
    loop.next_tick(log("tick"));
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("tick", "task", "microtask"));
}

TEST_F(Tasks, MayQueueTicksAndMicrotasksOfTheLoop) {
  loop.set_immediate([&] {
    queue.emplace_back([&] {
      loop.next_tick(log("tick"));
      loop.queue_microtask(log("microtask"));
    });
  });
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("microtask", "tick", "immediate"));
}

TEST_F(Tasks, OfATickThatComesLastAreNotForgotten) {
  loop.set_immediate([&] {
    loop.queue_microtask([&] { loop.next_tick([&] { queue.emplace_back(log("task")); }); });
  });
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("task", "immediate"));
}

TEST_F(Tasks, OfAMicrotaskRunBeforeTheNextOperation) {
  loop.set_immediate([&] { loop.queue_microtask([&] { queue.emplace_back(log("task")); }); });
  loop.set_immediate(log("immediate"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("task", "immediate"));
}

TEST_F(Tasks, LeftByTheMainProgramRunBeforeThePhases) {
  loop.set_immediate(log("immediate"));
  queue.emplace_back(log("task"));
  loop.run();
  EXPECT_THAT(trace, ElementsAre("task", "immediate"));
}

TEST_F(Tasks, FollowAnOperationThatThrewIfTheExceptionIsTaken) {
  loop.on_uncaught([&](const std::exception_ptr&) { trace.emplace_back("uncaught"); });
  loop.set_immediate([&] {
    queue.emplace_back(log("task"));
    throw std::runtime_error("thrown");
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("uncaught", "task"));
}

TEST_F(Tasks, WaitForTheNextRunWhenAnExceptionLeaves) {
  loop.set_immediate([&] {
    queue.emplace_back(log("task"));
    throw std::runtime_error("thrown");
  });
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_TRUE(trace.empty());
  loop.run();
  EXPECT_THAT(trace, ElementsAre("task"));
}

TEST_F(Tasks, AreNotAskedForOnceTheSourceIsTakenBack) {
  loop.core().door().set_task_source(nullptr);
  loop.set_immediate([&] { queue.emplace_back(log("task")); });
  loop.run();
  EXPECT_TRUE(trace.empty());
}

TEST_F(Tasks, MakeTheTimeBeReadAnew) {
  // What runs there takes time: a timer that falls due meanwhile is not late.
  loop.set_timeout(5ms, log_time("timer"));
  loop.set_immediate([&] { queue.emplace_back([&] { clock.advance(7ms); }); });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timer@7"));
}

}  // namespace
}  // namespace rondo::test
