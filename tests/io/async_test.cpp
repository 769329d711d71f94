#include "rondo/async.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/clock.h"
#include "rondo/future.h"
#include "rondo/loop.h"
#include "rondo/task_group.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class AsyncTest : public testing::Test {
 protected:
  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  std::vector<std::string> log;
};

/// Says when it is destroyed.
class Farewell {
 public:
  Farewell(std::vector<std::string>& log, std::string word) : log_(log), word_(std::move(word)) {}
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;
  ~Farewell() { log_.push_back(word_); }

 private:
  std::vector<std::string>& log_;
  std::string word_;
};

std::string name_of(const Expected<>& result) {
  return result ? "ok" : std::string(error_name(result.error()));
}

Async<int> give(int value) {
  co_return value;
}
Async<> do_nothing() {
  co_return;
}
Async<int> give_later(int value, std::chrono::milliseconds delay) {
  co_await sleep_for(delay);
  co_return value;
}
Async<> throw_error(std::string what) {
  throw std::runtime_error(what);
  co_return;
}
Async<> throw_later(std::string what, std::chrono::milliseconds delay) {
  co_await sleep_for(delay);
  throw std::runtime_error(what);
}

// ---- Values -----------------------------------------------------------------------------------

TEST_F(AsyncTest, BeginsAtOnceAndGoesOnInTheLoop) {
  spawn(loop, [&]() -> Async<> {
    log.push_back("begun");
    co_await sleep_for(1ms);
    log.push_back("resumed");
  });
  log.push_back("spawned");
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre("begun", "spawned", "resumed"));
}

TEST_F(AsyncTest, NothingRunsBeforeItIsAwaited) {
  const auto begin = [&]() -> Async<> {
    log.push_back("begun");
    co_return;
  };
  static_cast<void>(begin());
  EXPECT_TRUE(log.empty());
}

TEST_F(AsyncTest, GivesWhatAFunctionMayReturn) {
  int target = 1;
  std::string text;
  spawn(loop, [&]() -> Async<> {
    const auto move_only = [&]() -> Async<std::unique_ptr<int>> {
      auto local = std::make_unique<int>(7);
      co_return local;
    };
    const auto reference = [](int& to) -> Async<int&> { co_return to; };
    const auto braces = [&]() -> Async<std::string> { co_return {"xxxyyy", 3}; };
    const auto nothing_wrong = [&]() -> Async<Expected<>> { co_return {}; };
    const auto exception_as_value = [&]() -> Async<std::exception_ptr> {
      co_return std::make_exception_ptr(1);
    };
    EXPECT_EQ(*co_await move_only(), 7);
    (co_await reference(target)) = 2;
    text = co_await braces();
    EXPECT_TRUE(co_await nothing_wrong());
    EXPECT_NE(co_await exception_as_value(), nullptr);
  });
  EXPECT_EQ(target, 2);
  EXPECT_EQ(text, "xxx");
}

TEST_F(AsyncTest, AnExceptionIsThrownWhereItIsAwaited) {
  spawn(loop, [&]() -> Async<> {
    try {
      co_await throw_later("late", 5ms);
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("late"));
}

TEST_F(AsyncTest, AwaitedTwiceIsMisuse) {
  std::string code;
  spawn(loop, [&]() -> Async<> {
    Async<int> task = give(1);
    EXPECT_EQ(co_await std::move(task), 1);
    try {
      co_await std::move(task);
    } catch (const Misuse& misuse) {
      code = misuse.code();
    }
  });
  EXPECT_EQ(code, "ERR_INVALID_STATE");

  Async<> gone = do_nothing();
  const Async<> here = std::move(gone);
  EXPECT_THROW(spawn(loop, std::move(gone)), Misuse);
}

TEST_F(AsyncTest, TheFrameGoesWithTheExpressionThatAwaitedIt) {
  spawn(loop, [&]() -> Async<> {
    const auto with_local = [&]() -> Async<> {
      const Farewell farewell(log, "local");
      co_await sleep_for(1ms);
    };
    Async<> task = with_local();
    co_await std::move(task);
    log.push_back("after");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("local", "after"));
}

// ---- The stack --------------------------------------------------------------------------------

Async<long> sum_of(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await give(1);
  co_return sum;
}
Async<int> depth_of(int levels) {
  if (levels == 0) co_return 0;
  co_return 1 + co_await depth_of(levels - 1);
}
Async<int> depth_of_throw(int levels) {
  if (levels == 0) {
    co_await sleep_for(1ms);
    throw std::runtime_error("bottom");
  }
  co_return 1 + co_await depth_of_throw(levels - 1);
}

TEST_F(AsyncTest, AMillionAwaitsInALoopUseNoStack) {
  long sum = 0;
  spawn(loop, [&]() -> Async<> { sum = co_await sum_of(1'000'000); });
  EXPECT_EQ(sum, 1'000'000);
}

TEST_F(AsyncTest, ResumedByTheLoopAMillionAwaitsUseNoStackEither) {
  long sum = 0;
  spawn(loop, [&]() -> Async<> {
    co_await sleep_for(1ms);
    sum = co_await sum_of(1'000'000);
  });
  loop.run();
  EXPECT_EQ(sum, 1'000'000);
}

TEST_F(AsyncTest, RecursionIsAsDeepAsMemoryAllows) {
  int depth = 0;
  spawn(loop, [&]() -> Async<> { depth = co_await depth_of(200'000); });
  EXPECT_EQ(depth, 200'000);
}

TEST_F(AsyncTest, AnExceptionClimbsADeepRecursion) {
  bool caught = false;
  spawn(loop, [&]() -> Async<> {
    try {
      co_await depth_of_throw(5'000);
    } catch (const std::runtime_error&) {
      caught = true;
    }
  });
  loop.run();
  EXPECT_TRUE(caught);
}

TEST_F(AsyncTest, SpawnInsideACoroutineRunsLikeAFunctionCalled) {
  spawn(loop, [&]() -> Async<> {
    log.push_back("outer");
    spawn(loop, [&]() -> Async<> {
      EXPECT_EQ(co_await sum_of(3), 3);
      log.push_back("inner");
      co_await sleep_for(1ms);
      log.push_back("inner again");
    });
    log.push_back("outer again");
    EXPECT_EQ(co_await sum_of(3), 3);
    log.push_back("outer ends");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("outer", "inner", "outer again", "outer ends", "inner again"));
}

// ---- Sleeping ---------------------------------------------------------------------------------

TEST_F(AsyncTest, SleepsKeepTheLoopAliveAndTakeTheirTime) {
  const auto start = loop.now();
  spawn(loop, [&]() -> Async<> {
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(co_await sleep_for(10ms));
      log.push_back(std::to_string((loop.now() - start).count()));
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("10", "20", "30"));
}

TEST_F(AsyncTest, ASleepOfMonthsIsNoMillisecond) {
  const auto start = loop.now();
  spawn(loop, [&]() -> Async<> { co_await sleep_for(std::chrono::days(100)); });
  loop.run();
  EXPECT_EQ(loop.now() - start, std::chrono::days(100));
}

TEST_F(AsyncTest, ASleepOfMonthsIsCancelledInItsSecondPart) {
  std::stop_source source;
  const auto start = loop.now();
  loop.set_timeout(std::chrono::days(24), [&] {
    loop.set_timeout(std::chrono::days(20), [&] { source.request_stop(); });
  });
  spawn(
      loop,
      [&]() -> Async<> { log.push_back(name_of(co_await sleep_for(std::chrono::days(100)))); },
      source.get_token());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED"));
  EXPECT_EQ(loop.now() - start, std::chrono::days(44));
}

TEST_F(AsyncTest, ASleepOfMicrosecondsTakesMicroseconds) {
  clock.advance(300us);  // in the middle of a millisecond
  const auto began = clock.now();
  spawn(loop, [&]() -> Async<> {
    EXPECT_TRUE(co_await sleep_for(250us));
    EXPECT_EQ(clock.now() - began, 250us);
    EXPECT_TRUE(co_await sleep_for(1ns));
    EXPECT_EQ(clock.now() - began, 250us + 1ns);
    EXPECT_TRUE(co_await sleep_for(0.75ms));
    EXPECT_EQ(clock.now() - began, 1ms + 1ns);
    EXPECT_TRUE(co_await sleep_for(5000us));
    EXPECT_EQ(clock.now() - began, 6ms + 1ns);
    EXPECT_TRUE(co_await sleep_for(0us));
    EXPECT_LE(clock.now() - began, 6ms + 2ns);
    log.push_back("ended");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ended"));
}

TEST_F(AsyncTest, ASleepOfMicrosecondsIsStopped) {
  std::stop_source source;
  spawn(
      loop, [&]() -> Async<> { log.push_back(name_of(co_await sleep_for(900us))); },
      source.get_token());
  loop.set_timeout(100us, [&] { source.request_stop(); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED"));
  EXPECT_EQ(clock.now(), 100us);
}

TEST(Delay, IsInNanosecondsWhereTheCallerIsPrecise) {
  using detail::Delay;
  const auto is = [](Delay delay, std::int64_t count, bool precise) {
    EXPECT_EQ(delay.count(), count);
    EXPECT_EQ(delay.precise(), precise) << count;
  };
  using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;
  is(Delay(250us), 250'000, true);
  is(Delay(5000us), 5'000'000, true);
  is(Delay(7ns), 7, true);
  is(Delay(0ns), 0, true);
  is(Delay(-7us), 0, true);
  is(Delay(Picoseconds(1001)), 2, true);
  is(Delay(std::chrono::duration<std::uint8_t, std::micro>(200)), 200'000, true);
  is(Delay(1.5ms), 1'500'000, true);
  is(Delay(0.25us), 250, true);
  is(Delay(std::chrono::duration<float>(0.25F)), 250, false);
  is(Delay(2.0s), 2000, false);
  is(Delay(-2.5s), 0, false);
  is(Delay(std::chrono::duration<double>(std::nan(""))), 0, false);
  is(Delay(250ms), 250, false);
  is(Delay(1h), 3'600'000, false);
  is(Delay(std::chrono::microseconds::max()), 9'007'199'254'740'992, false);
  is(Delay(std::chrono::nanoseconds::max()), 9'223'372'036'855, false);
}

TEST(WholeMilliseconds, AreRoundedUpAndBounded) {
  constexpr std::int64_t kFar = std::int64_t{1} << 53;
  using detail::whole_milliseconds;
  using Third = std::chrono::duration<int, std::ratio<1, 3>>;
  EXPECT_EQ(whole_milliseconds(0ms), 0);
  EXPECT_EQ(whole_milliseconds(-5s), 0);
  EXPECT_EQ(whole_milliseconds(1ns), 1);
  EXPECT_EQ(whole_milliseconds(1000us), 1);
  EXPECT_EQ(whole_milliseconds(1001us), 2);
  EXPECT_EQ(whole_milliseconds(Third(1)), 334);
  EXPECT_EQ(whole_milliseconds(Third(3)), 1000);
  EXPECT_EQ(whole_milliseconds(1.5ms), 2);
  EXPECT_EQ(whole_milliseconds(std::chrono::duration<float>(0.25F)), 250);
  EXPECT_EQ(whole_milliseconds(std::chrono::duration<double>(std::nan(""))), 0);
  EXPECT_EQ(
      whole_milliseconds(std::chrono::duration<double>(std::numeric_limits<double>::infinity())),
      kFar);
  EXPECT_EQ(whole_milliseconds(std::chrono::hours::max()), kFar);
  EXPECT_EQ(whole_milliseconds(std::chrono::nanoseconds::max()), 9'223'372'036'855);
  EXPECT_EQ(whole_milliseconds(std::chrono::duration<unsigned, std::milli>(4'000'000'000U)),
            4'000'000'000);
}

// ---- Errors without await --------------------------------------------------------------------

TEST_F(AsyncTest, WhatASpawnedCoroutineThrowsIsUncaught) {
  loop.on_uncaught([&](const std::exception_ptr& exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& error) {
      log.push_back(error.what());
    }
  });
  spawn(loop, throw_error("at once"));
  log.push_back("spawned");
  spawn(loop, throw_later("later", 1ms));
  loop.run();
  EXPECT_THAT(log, ElementsAre("spawned", "at once", "later"));
}

TEST_F(AsyncTest, WithoutAHandlerItLeavesRun) {
  spawn(loop, throw_later("later", 1ms));
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_FALSE(loop.run());
}

TEST_F(AsyncTest, AReturnedErrorIsUncaughtAsWell) {
  spawn(loop, [&]() -> Async<Expected<>> { co_return std::unexpected(errno_code(ENOENT)); });
  try {
    loop.run();
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), errno_code(ENOENT));
  }
}

// A coroutine uses the captures of its lambda, and `spawn(loop, [&] {...}())` drops that.
TEST_F(AsyncTest, TheCoroutineOfALambdaIsNotSpawnedWithoutItsCaptures) {
  int runs = 0;
  const auto lambda = [&runs]() -> Async<> {
    ++runs;
    co_return;
  };
  const auto with_result = [&runs]() -> Async<int> { co_return ++runs; };
  auto changing = [count = 0]() mutable -> Async<> {
    ++count;
    co_return;
  };
  const auto refuses = [](auto spawns) {
    try {
      spawns();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Misuse& misuse) {
      EXPECT_EQ(misuse.code(), "ERR_INVALID_ARG_VALUE");
      EXPECT_THAT(misuse.what(), HasSubstr("spawn(loop, lambda), not spawn(loop, lambda())"));
    }
  };
  refuses([&] { spawn(loop, lambda()); });
  refuses([&] { spawn(loop, changing()); });
  refuses([&] { (void)spawn(loop, with_result()); });
  refuses([&] {
    TaskGroup group(loop);
    group.spawn(lambda());
  });
  loop.run();
  EXPECT_EQ(runs, 0);
}

template <class Body>
Async<> twice(Body body) {
  co_await body();
  co_await body();
}
template <class Body>
struct Kept {
  Async<> run() const { co_await body(); }
  Async<> operator()() const { co_await body(); }
  Body body;
};

TEST_F(AsyncTest, WhereTheCapturesStayTheCoroutineOfALambdaRuns) {
  int runs = 0;
  const auto lambda = [&runs]() -> Async<> {
    co_await sleep_for(1ms);
    ++runs;
  };
  const auto of_a_number = [&runs](int number) -> Async<> {
    runs += number;
    co_return;
  };
  const Kept kept{lambda};
  spawn(loop, lambda);
  spawn(loop, std::ref(lambda));
  spawn(loop, []() -> Async<> { co_await sleep_for(1ms); }());  // no captures
  spawn(loop, twice(lambda));
  spawn(loop, kept.run());
  spawn(loop, kept());
  spawn(loop, of_a_number(100));
  spawn(loop, [&]() -> Async<> {
    co_await lambda();
    co_await when_all(lambda(), lambda());
    co_await with_timeout(1s, lambda());
    co_await with_task_group([&](TaskGroup& group) -> Async<> {
      group.spawn(lambda);
      group.spawn(of_a_number(1000));
      co_return;
    });
  });
  block_on(loop, lambda());
  loop.run();
  EXPECT_EQ(runs, 1112);
}

TEST_F(AsyncTest, AnotherThreadCannotSpawn) {
  std::thread([&] {
    try {
      spawn(loop, do_nothing());
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Misuse& misuse) {
      EXPECT_EQ(misuse.code(), "ERR_WRONG_THREAD");
    }
    EXPECT_THROW(sleep_for(1ms).then(loop, [](Expected<>) {}), Misuse);
  }).join();
  EXPECT_FALSE(loop.alive());
}

// ---- Stopping ---------------------------------------------------------------------------------

Async<> sleep_and_tell(std::vector<std::string>& log) {
  log.push_back(name_of(co_await sleep_for(1h)));
}

TEST_F(AsyncTest, StoppedBeforeItBeginsNoOperationBegins) {
  std::stop_source source;
  source.request_stop();
  spawn(loop, sleep_and_tell(log), source.get_token());
  EXPECT_TRUE(log.empty());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED"));
  EXPECT_EQ(loop.now(), 0ms);
}

TEST_F(AsyncTest, ACoroutineThatDoesNotListenDoesNotHoldUpTheOthers) {
  std::stop_source source;
  source.request_stop();
  bool enough = false;
  spawn(
      loop,
      [&]() -> Async<> {
        while (!enough) co_await sleep_for(1h);
      },
      source.get_token());
  loop.set_immediate([&] {
    log.push_back("immediate");
    enough = true;
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("immediate"));
}

TEST_F(AsyncTest, StoppedWhileItWaitsItIsToldInALaterPhase) {
  std::stop_source source;
  spawn(loop, sleep_and_tell(log), source.get_token());
  loop.set_timeout(10ms, [&] {
    source.request_stop();
    log.push_back("requested");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("requested", "ECANCELED"));
  EXPECT_EQ(loop.now(), 10ms);
}

TEST_F(AsyncTest, StoppedWhenItHasEndedNothingHappens) {
  std::stop_source source;
  spawn(
      loop, [&]() -> Async<> { log.push_back(name_of(co_await sleep_for(1ms))); },
      source.get_token());
  loop.run();
  source.request_stop();
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre("ok"));
}

TEST_F(AsyncTest, StoppedBetweenCancellationAndItsReportItIsReportedOnce) {
  std::stop_source first;
  spawn(
      loop,
      [&]() -> Async<> {
        log.push_back(name_of(co_await sleep_for(1h)));
        log.push_back(name_of(co_await sleep_for(1h)));
      },
      first.get_token());
  first.request_stop();
  first.request_stop();
  EXPECT_TRUE(log.empty());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "ECANCELED"));
}

TEST_F(AsyncTest, ACoroutineMayStopItself) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        EXPECT_FALSE(co_await stop_requested());
        co_await sleep_for(1ms);
        source.request_stop();
        EXPECT_TRUE(co_await stop_requested());
        log.push_back(name_of(co_await sleep_for(1h)));
      },
      source.get_token());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED"));
}

TEST_F(AsyncTest, OneMayStopAnotherFromTheSameTimersVisit) {
  // Both sleeps are due at the same time; the first to be resumed stops the second.
  std::stop_source source;
  spawn(loop, [&]() -> Async<> {
    log.push_back(name_of(co_await sleep_for(10ms)));
    source.request_stop();
  });
  spawn(
      loop, [&]() -> Async<> { log.push_back(name_of(co_await sleep_for(10ms))); },
      source.get_token());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ok", "ECANCELED"));
}

TEST_F(AsyncTest, OperationsAreCancelledInTheOrderTheyBegan) {
  std::stop_source source;
  const auto child = [&](std::string name) -> Async<> {
    co_await sleep_for(1h);
    log.push_back(name);
  };
  for (const char* name : {"a", "b", "c"}) spawn(loop, child(name), source.get_token());
  spawn(loop, [&]() -> Async<> { co_await when_all(child("d"), child("e")); }, source.get_token());
  loop.set_immediate([&] { source.request_stop(); });
  loop.run();
  // std::stop_source leaves the order of its callbacks open: the newest first, with libstdc++.
  EXPECT_EQ(log.size(), 5);
  EXPECT_LT(std::find(log.begin(), log.end(), "d"), std::find(log.begin(), log.end(), "e"));
}

TEST_F(AsyncTest, StopReachesTheOperationThroughEveryLayer) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> {
        const auto inner = [&]() -> Async<Expected<>> {
          const auto result = co_await with_timeout(1h, sleep_for(2h));
          log.push_back(name_of(result));
          co_return result;
        };
        const auto [first, second] = co_await when_all(inner(), inner());
        log.push_back(name_of(first));
        log.push_back(name_of(second));
      },
      source.get_token());
  loop.set_timeout(5ms, [&] { source.request_stop(); });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "ECANCELED", "ECANCELED", "ECANCELED"));
  EXPECT_EQ(loop.now(), 5ms);
}

TEST(AsyncThreads, AnotherThreadMayRequestStop) {
  Loop loop;
  std::stop_source source;
  std::string outcome;
  spawn(loop, [&]() -> Async<> { outcome = name_of(co_await sleep_for(1h)); }, source.get_token());
  std::thread other([&] { source.request_stop(); });
  loop.run();
  other.join();
  EXPECT_EQ(outcome, "ECANCELED");
}

TEST(AsyncThreads, AnotherThreadMayRequestStopWhileTheCoroutineEnds) {
  for (int round = 0; round < 200; ++round) {
    Loop loop;
    std::stop_source source;
    spawn(
        loop,
        [&]() -> Async<> {
          co_await sleep_for(0ms);
          for (int i = 0; i < 20; ++i) co_await when_all(do_nothing());
        },
        source.get_token());
    std::thread other([&] { source.request_stop(); });
    loop.run();
    other.join();
    loop.run();  // a posted request finds no receiver
  }
}

TEST(AsyncThreads, AnotherThreadMayRequestStopWhileTheLoopIsDestroyed) {
  for (int round = 0; round < 200; ++round) {
    std::stop_source source;
    std::thread other;
    {
      Loop loop;
      spawn(loop, [&]() -> Async<> { co_await sleep_for(1h); }, source.get_token());
      sleep_for(1h).then(loop, [](Expected<>) { ADD_FAILURE(); }, source.get_token());
      other = std::thread([&] { source.request_stop(); });
    }
    other.join();
  }
}

// ---- The end of the loop ----------------------------------------------------------------------

TEST_F(AsyncTest, SuspendedCoroutinesGoWithTheirLoop) {
  std::stop_source source;
  const auto branch = [&]() -> Async<> {
    const Farewell farewell(log, "branch");
    co_await with_timeout(1h, sleep_for(1h));
  };
  const auto inner = [&]() -> Async<> {
    const Farewell farewell(log, "inner");
    co_await when_all(branch(), branch());
  };
  const auto outer = [&]() -> Async<> {
    const Farewell farewell(log, "outer");
    co_await inner();
  };
  {
    Loop mortal;
    spawn(mortal, outer, source.get_token());
    mortal.run_nowait();
    EXPECT_TRUE(log.empty());
  }
  EXPECT_THAT(log, ElementsAre("branch", "branch", "inner", "outer"));
  source.request_stop();
}

TEST_F(AsyncTest, ACancelledCoroutineGoesWithItsLoop) {
  std::stop_source source;
  {
    Loop mortal;
    spawn(
        mortal,
        [&]() -> Async<> {
          const Farewell farewell(log, "gone");
          co_await sleep_for(1h);
          log.push_back("resumed");
        },
        source.get_token());
    source.request_stop();
  }
  EXPECT_THAT(log, ElementsAre("gone"));
}

/// A coroutine of this depth that sleeps at its end.
Async<> sleep_below(int depth) {
  if (depth == 0) {
    co_await sleep_for(1h);
  } else {
    co_await sleep_below(depth - 1);
  }
}

TEST_F(AsyncTest, ADeepRecursionGoesWithItsLoop) {
  Loop mortal;
  spawn(mortal, sleep_below(200'000));
}

TEST_F(AsyncTest, WhatADestructorDoesWhileTheLoopEndsIsHarmless) {
  struct Meddler {
    ~Meddler() {
      source.request_stop();
      spawn(loop, [&]() -> Async<> {
        log.push_back("begun");
        co_await sleep_for(1ms);
      });
      sleep_for(1ms).then(loop, [this](Expected<>) { log.push_back("slept"); });
      log.push_back("meddled");
    }
    Loop& loop;
    std::stop_source& source;
    std::vector<std::string>& log;
  };
  std::stop_source source;
  {
    Loop mortal;
    for (int i = 0; i < 2; ++i) {
      spawn(
          mortal,
          [&]() -> Async<> {
            const Meddler meddler{mortal, source, log};
            co_await when_all(sleep_for(1h), sleep_for(2h));
          },
          source.get_token());
    }
  }
  EXPECT_THAT(log, ElementsAre("meddled", "meddled"));
}

// ---- when_all ---------------------------------------------------------------------------------

TEST_F(AsyncTest, WhenAllGivesTheResultsInOrder) {
  int target = 0;
  spawn(loop, [&]() -> Async<> {
    const auto reference = [](int& to) -> Async<int&> {
      co_await sleep_for(1ms);
      co_return to;
    };
    const auto move_only = [&]() -> Async<std::unique_ptr<int>> {
      co_return std::make_unique<int>(4);
    };
    auto [number, nothing, where, owned, slept] = co_await when_all(
        give_later(1, 20ms), do_nothing(), reference(target), move_only(), sleep_for(10ms));
    EXPECT_EQ(number, 1);
    EXPECT_EQ(&where.get(), &target);
    EXPECT_EQ(*owned, 4);
    EXPECT_TRUE(slept);
    target = 1;
  });
  loop.run();
  EXPECT_EQ(target, 1);
  EXPECT_EQ(loop.now(), 20ms);
}

TEST_F(AsyncTest, WhenAllTakesAnyNumberOfThem) {
  spawn(loop, [&]() -> Async<> {
    std::vector<Async<int>> tasks;
    for (int i = 0; i < 1000; ++i) tasks.push_back(give_later(i, std::chrono::milliseconds(i % 7)));
    const std::vector<int> values = co_await when_all(std::move(tasks));
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
    EXPECT_TRUE((co_await when_all(std::vector<Async<>>())).empty());
    std::vector<SleepOp> operations(5, sleep_for(1ms));
    EXPECT_EQ((co_await when_all(std::move(operations))).size(), 5);
    log.push_back("done");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("done"));
}

TEST_F(AsyncTest, WhenOneThrowsTheOthersAreStoppedAndWaitedFor) {
  spawn(loop, [&]() -> Async<> {
    const auto slow_to_stop = [&]() -> Async<> {
      log.push_back(name_of(co_await sleep_for(1h)));
      throw std::runtime_error("second");
    };
    try {
      co_await when_all(slow_to_stop(), throw_later("first", 5ms), slow_to_stop());
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "ECANCELED", "first"));
  EXPECT_EQ(loop.now(), 5ms);
}

TEST_F(AsyncTest, WhenTheFirstThrowsAtOnceTheOthersBeginStopped) {
  spawn(loop, [&]() -> Async<> {
    std::vector<Async<>> tasks;
    tasks.push_back(throw_error("at once"));
    tasks.push_back(sleep_and_tell(log));
    try {
      co_await when_all(std::move(tasks));
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
    // Only they were stopped, not the one that waited for them.
    log.push_back(name_of(co_await sleep_for(1ms)));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "at once", "ok"));
}

// ---- when_any ---------------------------------------------------------------------------------

TEST_F(AsyncTest, TheFirstToEndWins) {
  spawn(loop, [&]() -> Async<> {
    const auto first =
        co_await when_any(give_later(1, 30ms), give_later(2, 10ms), give_later(3, 20ms));
    log.push_back(std::to_string(first.index) + ":" + std::to_string(first.value));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("1:2"));
  EXPECT_EQ(loop.now(), 10ms);
}

TEST_F(AsyncTest, AWinnerAtOnceWinsWhereverItStands) {
  spawn(loop, [&]() -> Async<> {
    for (std::size_t place = 0; place < 3; ++place) {
      std::vector<Async<int>> tasks;
      for (std::size_t i = 0; i < 3; ++i) {
        tasks.push_back(i == place ? give(7) : give_later(1, 1h));
      }
      const auto first = co_await when_any(std::move(tasks));
      EXPECT_EQ(first.index, place);
      EXPECT_EQ(first.value, 7);
    }
    const auto all_at_once = co_await when_any(give(1), give(2));
    EXPECT_EQ(all_at_once.index, 0);
    log.push_back("done");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("done"));
  EXPECT_EQ(loop.now(), 0ms);
}

TEST_F(AsyncTest, AFirstThatThrowsIsThrownOn) {
  spawn(loop, [&]() -> Async<> {
    try {
      co_await when_any(sleep_and_tell(log), throw_later("thrown", 5ms));
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
    try {
      co_await when_any(std::vector<Async<>>());
    } catch (const Misuse& misuse) {
      log.push_back(std::string(misuse.code()));
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "thrown", "ERR_INVALID_ARG_VALUE"));
}

TEST_F(AsyncTest, LosersMayThrowOrTakeTheirTime) {
  spawn(loop, [&]() -> Async<> {
    const auto stubborn = [&]() -> Async<> {
      co_await sleep_for(1h);
      // Asked to stop, it does its last work outside the reach of the stop.
      spawn(loop, [&]() -> Async<> {
        co_await sleep_for(1ms);
        log.push_back("last work");
      });
      throw std::runtime_error("nobody hears this");
    };
    const auto first = co_await when_any(stubborn(), do_nothing());
    log.push_back(std::to_string(first.index));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("1", "last work"));
}

// ---- with_timeout -----------------------------------------------------------------------------

TEST_F(AsyncTest, InTimeTheResultIsTheTasks) {
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await with_timeout(10ms, give_later(5, 9ms))).value(), 5);
    EXPECT_EQ((co_await with_timeout(10ms, give(6))).value(), 6);
    EXPECT_TRUE(co_await with_timeout(10ms, sleep_for(9ms)));
    EXPECT_TRUE(co_await with_timeout(10ms, do_nothing()));
    int here = 0;
    const auto reference = [](int& to) -> Async<int&> { co_return to; };
    EXPECT_EQ(&(co_await with_timeout(1ms, reference(here)))->get(), &here);
    log.push_back("done");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("done"));
  EXPECT_EQ(loop.now(), 18ms);  // no timer is left to keep the loop alive
}

TEST_F(AsyncTest, LateTheTaskIsStoppedAndTheResultIsTimedOut) {
  spawn(loop, [&]() -> Async<> {
    const auto as_expected = [&]() -> Async<Expected<int>> {
      if (const auto slept = co_await sleep_for(1h); !slept)
        co_return std::unexpected(slept.error());
      co_return 1;
    };
    EXPECT_EQ((co_await with_timeout(10ms, as_expected())).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ((co_await with_timeout(10ms, give_later(1, 1h))).error(), errno_code(ETIMEDOUT));
    log.push_back(name_of(co_await with_timeout(10ms, sleep_for(1h))));
    log.push_back(name_of(co_await sleep_for(1ms)));  // the one that waited is not stopped
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ETIMEDOUT", "ok"));
  EXPECT_EQ(loop.now(), 31ms);
}

TEST_F(AsyncTest, WhatIsBroughtToAnEndInSpiteOfTheTimeoutCounts) {
  spawn(loop, [&]() -> Async<> {
    const auto stubborn = [&]() -> Async<Expected<int>> {
      co_await sleep_for(1h);
      co_return 5;
    };
    const auto other_error = [&]() -> Async<Expected<>> {
      co_await sleep_for(1h);
      co_return std::unexpected(errno_code(EPIPE));
    };
    EXPECT_EQ((co_await with_timeout(10ms, stubborn())).value(), 5);
    log.push_back(name_of(co_await with_timeout(10ms, other_error())));
    try {
      co_await with_timeout(10ms, throw_later("not swallowed", 1h));
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("EPIPE", "not swallowed"));
}

TEST_F(AsyncTest, NestedTimeoutsNameTheOneThatStruck) {
  spawn(loop, [&]() -> Async<> {
    log.push_back(name_of(co_await with_timeout(10ms, with_timeout(20ms, sleep_for(1h)))));
    log.push_back(name_of(co_await with_timeout(20ms, with_timeout(10ms, sleep_for(1h)))));
    const auto outer_strikes = [&]() -> Async<Expected<>> {
      const auto result = co_await with_timeout(20ms, sleep_for(1h));
      log.push_back("inner " + name_of(result));
      co_return result;
    };
    log.push_back("outer " + name_of(co_await with_timeout(10ms, outer_strikes())));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ETIMEDOUT", "ETIMEDOUT", "inner ECANCELED", "outer ETIMEDOUT"));
  EXPECT_EQ(loop.now(), 30ms);
}

TEST_F(AsyncTest, AStopFromOutsideIsNoTimeout) {
  std::stop_source source;
  spawn(
      loop,
      [&]() -> Async<> { log.push_back(name_of(co_await with_timeout(10ms, sleep_for(1h)))); },
      source.get_token());
  source.request_stop();
  clock.advance(20ms);  // by the time the cancellation is reported, the time is up as well
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED"));
}

TEST_F(AsyncTest, ATimeoutOfMonthsIsNoMillisecond) {
  spawn(loop, [&]() -> Async<> {
    log.push_back(name_of(co_await with_timeout(std::chrono::days(60), sleep_for(24h * 50))));
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ok"));
  EXPECT_EQ(loop.now(), 24h * 50);
}

// ---- Callbacks --------------------------------------------------------------------------------

TEST_F(AsyncTest, ThenCallsBackOnce) {
  sleep_for(5ms).then(loop, [&](Expected<> result) { log.push_back(name_of(result)); });
  EXPECT_TRUE(log.empty());
  EXPECT_THROW(sleep_for(1ms).then(loop, nullptr), Misuse);
  loop.run();
  EXPECT_THAT(log, ElementsAre("ok"));
}

TEST_F(AsyncTest, ThenIsCancelledByItsToken) {
  std::stop_source during;
  std::stop_source before;
  std::stop_source after;
  before.request_stop();
  const auto tell = [&](Expected<> result) { log.push_back(name_of(result)); };
  sleep_for(1h).then(loop, tell, before.get_token());
  sleep_for(1h).then(loop, tell, during.get_token());
  sleep_for(1ms).then(loop, tell, after.get_token());
  EXPECT_TRUE(log.empty());
  loop.set_timeout(10ms, [&] {
    after.request_stop();
    during.request_stop();
    log.push_back("requested");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("ECANCELED", "ok", "requested", "ECANCELED"));
  EXPECT_EQ(loop.now(), 10ms);
}

TEST_F(AsyncTest, ThenMayRequestItsOwnStop) {
  std::stop_source source;
  sleep_for(1ms).then(
      loop,
      [&](Expected<> result) {
        source.request_stop();
        log.push_back(name_of(result));
      },
      source.get_token());
  loop.run();
  EXPECT_THAT(log, ElementsAre("ok"));
}

TEST_F(AsyncTest, ACallbackNeverCalledGoesWithTheLoop) {
  const auto token = std::make_shared<int>(0);
  {
    Loop mortal;
    sleep_for(1h).then(mortal, [token](Expected<>) { ADD_FAILURE(); });
    EXPECT_EQ(token.use_count(), 2);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST_F(AsyncTest, TheCurrentLoopIsTheOneItRunsOn) {
  Loop* found = nullptr;
  spawn(loop, [&]() -> Async<> { found = &co_await current_loop(); });
  EXPECT_EQ(found, &loop);
}

}  // namespace
}  // namespace rondo
