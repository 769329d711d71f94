// Event, Semaphore, Mutex; shield(), when_any() of several types, sleep_until(), retry().
#include "rondo/sync.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/clock.h"
#include "rondo/loop.h"
#include "rondo/retry.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

std::string name_of(const std::error_code& error) {
  return std::string(error_name(error));
}

class SyncTest : public testing::Test {
 protected:
  /// A coroutine that waits, and says what came of it.
  template <class Wait>
  Async<> waiter(std::string name, Wait wait) {
    const auto result = co_await wait();
    log.push_back(name + (result ? "" : ":" + name_of(result.error())));
  }

  VirtualClock clock;
  std::unique_ptr<Loop> owned = std::make_unique<Loop>(LoopOptions{.clock = &clock});
  Loop& loop = *owned;
  std::vector<std::string> log;
};

// ---- Event ------------------------------------------------------------------------------------

TEST_F(SyncTest, AnEventLetsAllGoOnInTheOrderTheyCameAfterTheCallbackThatSetIt) {
  Event event;
  for (const char* name : {"a", "b"}) spawn(loop, waiter(name, [&] { return event.wait(); }));
  loop.set_timeout(1ms, [&] {
    event.set();
    log.push_back("set");
    loop.set_immediate([&] { log.push_back("immediate"); });
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("set", "a", "b", "immediate"));
  spawn(loop, waiter("late", [&] { return event.wait(); }));
  EXPECT_EQ(log.back(), "late");
}

TEST_F(SyncTest, AnEventThatIsResetMakesWaitAgain) {
  Event event;
  event.set();
  event.reset();
  EXPECT_FALSE(event.is_set());
  spawn(loop, waiter("a", [&] { return event.wait(); }));
  loop.run();
  EXPECT_THAT(log, ElementsAre());
  event.set();
  loop.run();
  EXPECT_THAT(log, ElementsAre("a"));
}

TEST_F(SyncTest, ToWaitForAnEventDoesNotKeepTheLoopAlive) {
  Event event;
  spawn(loop, waiter("a", [&] { return event.wait(); }));
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre());
}

TEST_F(SyncTest, WhoWaitsForAnEventThatIsDestroyedIsCancelled) {
  auto event = std::make_unique<Event>();
  spawn(loop, waiter("a", [&] { return event->wait(); }));
  event = nullptr;
  loop.run();
  EXPECT_THAT(log, ElementsAre("a:ECANCELED"));
}

TEST_F(SyncTest, AStopEndsEveryWait) {
  Event event;
  Semaphore none(0);
  Mutex mutex;
  const auto taken = mutex.try_lock();
  std::stop_source source;
  spawn(loop, waiter("event", [&] { return event.wait(); }), source.get_token());
  spawn(loop, waiter("semaphore", [&] { return none.acquire(); }), source.get_token());
  spawn(loop, waiter("mutex", [&] { return mutex.lock(); }), source.get_token());
  loop.set_timeout(1ms, [&] {
    source.request_stop();
    EXPECT_THAT(log, ElementsAre());
  });
  loop.run();
  EXPECT_THAT(log, testing::UnorderedElementsAre("event:ECANCELED", "semaphore:ECANCELED",
                                                 "mutex:ECANCELED"));
  EXPECT_TRUE(mutex.locked());
}

TEST_F(SyncTest, ALoopThatIsDestroyedTakesThoseWhoWaitWithIt) {
  auto event = std::make_unique<Event>();
  auto one = std::make_unique<Semaphore>(1);
  spawn(loop, waiter("event", [&] { return event->wait(); }));
  spawn(loop, [](Semaphore& semaphore) -> Async<> {
    auto first = co_await semaphore.acquire();
    auto second = co_await semaphore.acquire();  // waits for itself
  }(*one));
  owned = nullptr;
  EXPECT_EQ(one->available(), 1u);
  event->set();
  EXPECT_THAT(log, ElementsAre());
}

TEST_F(SyncTest, CallbacksMayWaitToo) {
  Event event;
  event.wait().then(loop, [&](auto result) { log.push_back(result ? "later" : "error"); });
  event.set();
  event.wait().then(loop, [&](auto result) { log.push_back(result ? "at once" : "error"); });
  EXPECT_THAT(log, ElementsAre());
  loop.run();
  EXPECT_THAT(log, testing::UnorderedElementsAre("later", "at once"));
}

// ---- Semaphore, Mutex -------------------------------------------------------------------------

TEST_F(SyncTest, ASemaphoreLetsSoManyInAndTheOthersInTheOrderTheyCame) {
  Semaphore two(2);
  int inside = 0;
  for (const char* name : {"a", "b", "c", "d"}) {
    spawn(loop, [&, name]() -> Async<> {
      auto permit = co_await two.acquire();
      EXPECT_LE(++inside, 2);
      log.push_back(name);
      co_await sleep_for(10ms);
      --inside;
    });
  }
  loop.run();
  EXPECT_THAT(log, ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(two.available(), 2u);
}

TEST_F(SyncTest, APermitGoesToWhoeverWaitsNotToWhoeverTriesNext) {
  Semaphore one(1);
  auto permit = one.try_acquire();
  ASSERT_TRUE(permit);
  EXPECT_FALSE(one.try_acquire());
  spawn(loop, waiter("waited", [&] { return one.acquire(); }));
  permit->release();
  EXPECT_FALSE(*permit);
  EXPECT_FALSE(one.try_acquire());
  loop.run();
  EXPECT_THAT(log, ElementsAre("waited"));
  EXPECT_EQ(one.available(), 1u);
}

TEST_F(SyncTest, AStopAfterThePermitWasHandedOverLosesNothing) {
  Semaphore one(1);
  auto permit = one.try_acquire();
  std::stop_source source;
  spawn(loop, waiter("a", [&] { return one.acquire(); }), source.get_token());
  loop.set_timeout(1ms, [&] {
    permit->release();  // passed to the waiting one, which continues after this callback
    source.request_stop();
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("a"));
  EXPECT_EQ(one.available(), 1u);
}

TEST_F(SyncTest, APermitMayOutliveItsSemaphore) {
  auto one = std::make_unique<Semaphore>(1);
  auto permit = one->try_acquire();
  one = nullptr;
  permit->release();
}

TEST_F(SyncTest, TwoWhoHandAMutexToEachOtherForEverDoNotStarveTheLoop) {
  Mutex mutex;
  bool over = false;
  const auto take_turns = [&]() -> Async<> {
    while (!over) auto lock = co_await mutex.lock();
  };
  loop.set_timeout(1ms, [&] { over = true; });
  spawn(loop, take_turns);
  spawn(loop, take_turns);
  // Real time stands still for a virtual clock as long as something is to be done.
  for (int i = 0; i < 1000 && !over; ++i) {
    clock.skip(1ms);
    loop.run_nowait();
  }
  EXPECT_TRUE(over);
}

// ---- shield, when_any -------------------------------------------------------------------------

TEST_F(SyncTest, AShieldedTaskIsNotAskedToStop) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        if (!co_await sleep_for(1h)) log.push_back("stopped");
        const bool slept = (co_await shield(sleep_for(5ms))).has_value();
        log.push_back(slept ? "cleaned up" : "not cleaned up");
        log.push_back(co_await stop_requested() ? "still asked" : "forgotten");
      },
      source.get_token());
  loop.set_timeout(1ms, [&] { source.request_stop(); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("stopped", "cleaned up", "still asked"));
}

TEST_F(SyncTest, WhenAnyOfDifferentTypesGivesAVariant) {
  const auto give = [](std::string what, std::chrono::milliseconds after) -> Async<std::string> {
    co_await sleep_for(after);
    co_return what;
  };
  const auto nothing = []() -> Async<> { co_return; };
  const auto throws = []() -> Async<int> {
    throw std::runtime_error("x");
    co_return 1;
  };
  spawn(loop, [&]() -> Async<> {
    auto slow = co_await when_any(sleep_for(1h), give("fast", 5ms));
    EXPECT_EQ(std::get<1>(slow), "fast");
    auto fast = co_await when_any(sleep_for(1ms), give("slow", 1h), nothing());
    EXPECT_EQ(fast.index(), 2u);
    auto same = co_await when_any(give("a", 2ms), give("b", 1ms));
    EXPECT_EQ(same.value, "b");
    try {
      co_await when_any(sleep_for(1h), throws());
      log.push_back("not thrown");
    } catch (const std::runtime_error&) {
      log.push_back("thrown");
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("thrown"));
  EXPECT_LT(loop.now(), 1h);
}

// ---- sleep_until, retry -----------------------------------------------------------------------

TEST(SleepUntilTest, WaitsUntilAMomentOfAnyClock) {
  Loop loop;
  const auto steady = std::chrono::steady_clock::now() + 5ms;
  const auto system = std::chrono::system_clock::now() + 5ms;
  spawn(loop, [&]() -> Async<> {
    EXPECT_TRUE(co_await sleep_until(steady));
    EXPECT_TRUE(co_await sleep_until(system));
    EXPECT_TRUE(co_await sleep_until(std::chrono::steady_clock::now() - 1h));
  });
  loop.run();
  EXPECT_GE(std::chrono::steady_clock::now(), steady);
  EXPECT_GE(std::chrono::system_clock::now(), system);
}

TEST(SleepUntilTest, TheFirstMomentHasComeAndTheLastNeverComes) {
  using std::chrono::steady_clock;
  using std::chrono::system_clock;
  Loop loop;
  spawn(loop, [&]() -> Async<> {
    EXPECT_TRUE(co_await with_timeout(1s, sleep_until(steady_clock::time_point::min())));
    EXPECT_TRUE(co_await with_timeout(1s, sleep_until(std::chrono::sys_seconds::min())));
    EXPECT_TRUE(co_await with_timeout(1s, sleep_until(std::chrono::sys_days::min())));
    EXPECT_TRUE(co_await with_timeout(1s, sleep_until(system_clock::time_point())));
    const auto timed_out = errno_code(ETIMEDOUT);
    const auto ends = [](auto moment) { return with_timeout(2ms, sleep_until(moment)); };
    EXPECT_EQ((co_await ends(steady_clock::time_point::max())).error(), timed_out);
    EXPECT_EQ((co_await ends(system_clock::time_point::max())).error(), timed_out);
    EXPECT_EQ((co_await ends(std::chrono::sys_seconds::max())).error(), timed_out);
    EXPECT_EQ((co_await ends(std::chrono::sys_days::max())).error(), timed_out);
  });
  loop.run();
}

TEST_F(SyncTest, RetriesWithGrowingDelaysUntilItSucceeds) {
  std::vector<std::int64_t> at;
  const auto third_time = [&]() -> Async<Expected<int>> {
    at.push_back(loop.now().count());
    if (at.size() < 4) co_return std::unexpected(errno_code(EAGAIN));
    co_return 7;
  };
  const auto began = loop.now().count();
  spawn(loop, [&]() -> Async<> {
    const auto result =
        co_await retry({.delay = 100ms, .factor = 3, .longest = 500ms, .jitter = 0}, third_time);
    EXPECT_EQ(result.value(), 7);
  });
  loop.run();
  for (auto& time : at) time -= began;
  EXPECT_THAT(at, ElementsAre(0, testing::AllOf(testing::Ge(100), testing::Le(102)),
                              testing::AllOf(testing::Ge(400), testing::Le(404)),
                              testing::AllOf(testing::Ge(900), testing::Le(906))));
}

TEST_F(SyncTest, RetryKeepsDelaysOfMicroseconds) {
  const auto start = clock.now();
  spawn(loop, [&]() -> Async<> {
    const auto fails = []() -> Async<Expected<>> { co_return std::unexpected(errno_code(EAGAIN)); };
    const auto result =
        co_await retry({.attempts = 3, .delay = 100us, .factor = 2, .jitter = 0}, fails);
    EXPECT_FALSE(result);
  });
  loop.run();
  EXPECT_EQ(clock.now() - start, 300us);
}

TEST_F(SyncTest, RetryGivesTheLastErrorAndTakesNoForAnAnswer) {
  int calls = 0;
  const auto fails = [&]() -> Async<Expected<>> {
    ++calls;
    co_return std::unexpected(errno_code(calls == 2 ? EPERM : EAGAIN));
  };
  const auto not_permission = [](const std::error_code& error) {
    return error != errno_code(EPERM);
  };
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        log.push_back(name_of((co_await retry({.attempts = 1}, fails)).error()));
        log.push_back(name_of((co_await retry({}, fails, not_permission)).error()));
        log.push_back(name_of((co_await retry({.attempts = 3}, fails)).error()));
        loop.set_timeout(1ms, [&] { source.request_stop(); });
        log.push_back(name_of((co_await retry({.delay = 1h}, fails)).error()));
      },
      source.get_token());
  loop.run();
  EXPECT_THAT(log, ElementsAre("EAGAIN", "EPERM", "EAGAIN", "ECANCELED"));
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace rondo
