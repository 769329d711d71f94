#include "rondo/task_group.h"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/clock.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class TaskGroupTest : public testing::Test {
 protected:
  Async<> work(std::string name, std::chrono::milliseconds duration) {
    log.push_back("+" + name);
    const auto slept = co_await sleep_for(duration);
    log.push_back((slept ? "-" : "x") + name);
  }
  Async<Expected<>> fail(int error, std::chrono::milliseconds after) {
    if (auto slept = co_await sleep_for(after); !slept) co_return slept;
    co_return std::unexpected(errno_code(error));
  }
  static std::string name_of(const Expected<>& result) {
    return result ? "ok" : std::string(error_name(result.error()));
  }

  VirtualClock clock;
  std::unique_ptr<Loop> owned = std::make_unique<Loop>(LoopOptions{.clock = &clock});
  Loop& loop = *owned;
  std::vector<std::string> log;
};

TEST_F(TaskGroupTest, JoinsWhenAllHaveEnded) {
  spawn(loop, [&]() -> Async<> {
    TaskGroup group(loop);
    EXPECT_TRUE(co_await group.join());  // of nothing
    group.spawn(work("a", 2ms));
    group.spawn([&] { return work("b", 1ms); });
    EXPECT_EQ(group.running(), 2u);
    EXPECT_TRUE(co_await group.join());
    log.push_back("joined");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "+b", "-b", "-a", "joined"));
}

TEST_F(TaskGroupTest, RunsNoMoreThanItsLimit) {
  spawn(loop, [&]() -> Async<> {
    auto done = co_await with_task_group({.limit = 2}, [&](TaskGroup& group) -> Async<> {
      for (const char* name : {"a", "b", "c", "d"}) group.spawn(work(name, 5ms));
      EXPECT_EQ(group.queued(), 2u);
      co_return;
    });
    EXPECT_TRUE(done);
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "+b", "-a", "+c", "-b", "+d", "-c", "-d"));
}

TEST_F(TaskGroupTest, OneThatMakesTasksMayWaitForRoom) {
  spawn(loop, [&]() -> Async<> {
    auto done = co_await with_task_group({.limit = 1}, [&](TaskGroup& group) -> Async<> {
      for (const char* name : {"a", "b"}) {
        EXPECT_TRUE(co_await group.room());
        EXPECT_EQ(group.queued(), 0u);
        group.spawn(work(name, 5ms));
      }
    });
    EXPECT_TRUE(done);
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "-a", "+b", "-b"));
}

TEST_F(TaskGroupTest, TasksThatEndAtOnceDoNotPileUp) {
  int ran = 0;
  const auto count = [&]() -> Async<> {
    ++ran;
    co_return;
  };
  spawn(loop, [&]() -> Async<> {
    auto done = co_await with_task_group({.limit = 3}, [&](TaskGroup& group) -> Async<> {
      group.spawn(work("a", 1ms));
      group.spawn(work("b", 1ms));
      group.spawn(work("c", 1ms));
      for (int i = 0; i < 100'000; ++i) group.spawn(count);
      co_return;
    });
    EXPECT_TRUE(done);
  });
  loop.run();
  EXPECT_EQ(ran, 100'000);
}

TEST_F(TaskGroupTest, TheFirstErrorStopsTheOthersAndDropsThoseThatHaveNotBegun) {
  spawn(loop, [&]() -> Async<> {
    auto done = co_await with_task_group({.limit = 2}, [&](TaskGroup& group) -> Async<> {
      group.spawn(work("a", 1h));
      group.spawn(fail(EPERM, 1ms));
      group.spawn(work("never", 1ms));
      co_return;
    });
    log.push_back(name_of(done));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "xa", "EPERM"));
}

TEST_F(TaskGroupTest, WhatATaskThrowsIsThrownByJoin) {
  spawn(loop, [&]() -> Async<> {
    try {
      (void)co_await with_task_group([&](TaskGroup& group) -> Async<> {
        group.spawn(work("a", 1h));
        co_await sleep_for(1ms);
        throw std::runtime_error("thrown by the body");
      });
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "xa", "thrown by the body"));
}

TEST_F(TaskGroupTest, AStopReachesTheTasksAndTheirEndIsWaitedFor) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        auto done = co_await with_task_group({.limit = 1}, [&](TaskGroup& group) -> Async<> {
          group.spawn([&]() -> Async<> {
            co_await work("a", 1h);
            co_await shield(work("cleanup", 5ms));
          });
          group.spawn(work("never", 1ms));
          co_return;
        });
        log.push_back(name_of(done));
      },
      source.get_token());
  loop.set_timeout(1ms, [&] { source.request_stop(); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "xa", "+cleanup", "-cleanup", "ECANCELED"));
}

TEST_F(TaskGroupTest, AStopBeforeJoinAndOneWhileWaitingForRoom) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        TaskGroup group(loop, {.limit = 1});
        group.spawn(work("a", 1h));
        log.push_back(name_of(co_await group.room()));
        log.push_back(name_of(co_await group.join()));
      },
      source.get_token());
  loop.set_timeout(1ms, [&] { source.request_stop(); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "ECANCELED", "xa", "ok"));
}

TEST_F(TaskGroupTest, CancelStopsAll) {
  TaskGroup group(loop, {.limit = 1});
  group.spawn(work("a", 1h));
  group.spawn(work("never", 1h));
  loop.set_timeout(1ms, [&] { group.cancel(); });
  spawn(loop, [&]() -> Async<> { log.push_back(name_of(co_await group.join())); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "xa", "ECANCELED"));
}

TEST_F(TaskGroupTest, OneThatIsDestroyedWithoutAJoinStopsItsTasks) {
  {
    TaskGroup group(loop, {.limit = 1});
    group.spawn(work("a", 1h));
    group.spawn(work("never", 1h));
  }
  loop.run();
  EXPECT_THAT(log, ElementsAre("+a", "xa"));
}

TEST_F(TaskGroupTest, ALoopThatIsDestroyedTakesTheGroupWithIt) {
  spawn(loop, [&]() -> Async<> {
    co_await with_task_group({.limit = 1}, [&](TaskGroup& group) -> Async<> {
      group.spawn(work("a", 1h));
      group.spawn(work("never", 1h));
      co_await group.room();
    });
  });
  loop.run_nowait();
  owned = nullptr;
  EXPECT_THAT(log, ElementsAre("+a"));
}

}  // namespace
}  // namespace rondo
