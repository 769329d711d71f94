#include "rondo/work.h"

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Keeps all four threads of a loop's pool busy until it is released.
class Busy {
 public:
  explicit Busy(Loop& loop) {
    for (int i = 0; i < 4; ++i) {
      work(
          loop,
          [this] {
            begun_.count_down();
            go_on_.wait();
          },
          [](const Expected<>& result) { EXPECT_TRUE(result); });
    }
    begun_.wait();
  }
  ~Busy() { let_go(); }
  void let_go() {
    if (!std::exchange(gone_, true)) go_on_.count_down();
  }

 private:
  std::latch begun_{4};
  std::latch go_on_{1};
  bool gone_ = false;
};

TEST(WorkTest, GivesTheResultInThePollPhase) {
  Loop loop;
  std::optional<int> result;
  const auto main_thread = std::this_thread::get_id();
  work(
      loop,
      [&] {
        EXPECT_NE(std::this_thread::get_id(), main_thread);
        return 42;
      },
      [&](Expected<int> value) {
        EXPECT_EQ(std::this_thread::get_id(), main_thread);
        EXPECT_EQ(loop.phase(), Phase::poll);
        result = value.value();
      });
  EXPECT_FALSE(result);  // never before it returns
  EXPECT_TRUE(loop.alive());
  loop.run();
  EXPECT_EQ(result, 42);
}

Async<> await_several(std::vector<std::string>& seen) {
  auto text = co_await work([] { return std::string("text"); });
  seen.push_back(text.value());
  const auto nothing = co_await work([] {});
  seen.emplace_back(nothing ? "void" : "error");
  auto owner = std::make_unique<int>(5);
  auto work_of_owner = work([owner = std::move(owner)]() mutable { return std::move(owner); });
  auto moved = co_await std::move(work_of_owner);
  seen.push_back(std::to_string(**moved));
}

TEST(WorkTest, IsAwaited) {
  Loop loop;
  std::vector<std::string> seen;
  spawn(loop, await_several(seen));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("text", "void", "5"));
}

Async<> await_expected(std::vector<std::string>& seen) {
  const Expected<int> good = co_await work([] { return Expected<int>(1); });
  seen.push_back(std::to_string(good.value()));
  const Expected<int> bad =
      co_await work([]() -> Expected<int> { return std::unexpected(errno_code(ENOENT)); });
  seen.emplace_back(error_name(bad.error()));
}

TEST(WorkTest, AnExpectedIsNotWrappedTwice) {
  Loop loop;
  std::vector<std::string> seen;
  spawn(loop, await_expected(seen));
  loop.run();
  EXPECT_THAT(seen, ElementsAre("1", "ENOENT"));
}

Async<> await_exception(std::string& what) {
  try {
    (void)co_await work([]() -> int { throw std::runtime_error("from the thread"); });
  } catch (const std::runtime_error& error) {
    what = error.what();
  }
}

TEST(WorkTest, CarriesAnExceptionOver) {
  Loop loop;
  std::string what;
  spawn(loop, await_exception(what));
  loop.run();
  EXPECT_EQ(what, "from the thread");
}

TEST(WorkTest, AnExceptionForACallbackIsUncaught) {
  Loop loop;
  bool called = false;
  work(loop, [] { throw std::runtime_error("nobody"); }, [&](const Expected<>&) { called = true; });
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_FALSE(called);
  EXPECT_FALSE(loop.alive());
}

TEST(WorkTest, AnEmptyCallbackIsRefused) {
  Loop loop;
  EXPECT_THROW(work(loop, [] {}, nullptr), Misuse);
  EXPECT_FALSE(loop.alive());
}

TEST(WorkTest, BelongsToItsLoop) {
  Loop loop;
  Loop other;
  EXPECT_THROW(work(loop, [] {}).then(other, [](const Expected<>&) {}), Misuse);
  std::optional<bool> refused;
  std::thread([&] {
    try {
      work(loop, [] {}, [](const Expected<>&) {});
      refused = false;
    } catch (const Misuse&) {
      refused = true;
    }
  }).join();
  EXPECT_EQ(refused, true);
  EXPECT_FALSE(loop.alive());
}

TEST(WorkTest, StoppedBeforeItBeganItNeverDoes) {
  Loop loop;
  Busy busy(loop);
  std::atomic<bool> ran = false;
  std::stop_source stop;
  std::vector<std::string> errors;
  work(
      loop, [&] { ran = true; },
      [&](const Expected<>& result) {
        errors.emplace_back(result ? "none" : error_name(result.error()));
      },
      stop.get_token());
  stop.request_stop();
  EXPECT_TRUE(errors.empty());  // reported later, like every result
  busy.let_go();
  loop.run();
  EXPECT_THAT(errors, ElementsAre("ECANCELED"));
  EXPECT_FALSE(ran);
}

TEST(WorkTest, StoppedAfterItBeganItGivesItsResult) {
  Loop loop;
  std::binary_semaphore begun{0};
  std::binary_semaphore go_on{0};
  std::stop_source stop;
  std::optional<int> result;
  work(
      loop,
      [&] {
        begun.release();
        go_on.acquire();
        return 3;
      },
      [&](Expected<int> value) { result = value.value(); }, stop.get_token());
  begun.acquire();
  stop.request_stop();
  go_on.release();
  loop.run();
  EXPECT_EQ(result, 3);
}

TEST(WorkTest, AFullQueueIsAnErrorAndNothingIsLost) {
  Loop loop;
  Busy busy(loop);
  constexpr std::size_t kQueue = 1U << 16;
  std::atomic<std::size_t> ran = 0;
  std::size_t done = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < kQueue + 10; ++i) {
    work(
        loop, [&] { ++ran; },
        [&](const Expected<>& result) {
          if (result) {
            ++done;
          } else {
            EXPECT_EQ(result.error(), errno_code(EAGAIN));
            ++refused;
          }
        });
  }
  EXPECT_EQ(refused, 0U);  // not before work() has returned
  busy.let_go();
  loop.run();
  EXPECT_EQ(ran, kQueue);
  EXPECT_EQ(done, kQueue);
  EXPECT_EQ(refused, 10U);
}

TEST(WorkTest, ADestroyedLoopDropsWhatHasNotBegun) {
  std::latch begun(4);
  std::latch go_on(1);
  bool told = false;
  auto held = std::make_shared<int>();
  std::thread releaser;
  {
    Loop loop;
    const auto block = [&] {
      begun.count_down();
      go_on.wait();
    };
    for (int i = 0; i < 4; ++i) work(loop, block, [&](const Expected<>&) { told = true; });
    begun.wait();
    for (int i = 0; i < 10; ++i) {
      work(loop, [held] {}, [&](const Expected<>&) { told = true; });
    }
    releaser = std::thread([&] { go_on.count_down(); });
  }
  releaser.join();
  EXPECT_FALSE(told);
  EXPECT_EQ(held.use_count(), 1);  // nothing of them is left
}

Async<> await_for_ever(std::shared_ptr<int> held, std::binary_semaphore& begun,
                       std::binary_semaphore& go_on) {
  (void)co_await work([&] {
    begun.release();
    go_on.acquire();
  });
  ADD_FAILURE() << "resumed by a loop that is gone";
  (void)held;
}

TEST(WorkTest, ADestroyedLoopWaitsForWhatHasBegun) {
  std::binary_semaphore begun{0};
  std::binary_semaphore go_on{0};
  auto held = std::make_shared<int>();
  std::thread releaser;
  {
    Loop loop;
    spawn(loop, await_for_ever(held, begun, go_on));
    begun.acquire();
    releaser = std::thread([&] { go_on.release(); });
  }
  releaser.join();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(WorkTest, ManyFromManyCoroutines) {
  Loop loop;
  std::size_t sum = 0;
  struct Sum {
    static Async<> up(std::size_t& sum, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) sum += *co_await work([i] { return i; });
    }
  };
  for (int i = 0; i < 20; ++i) spawn(loop, Sum::up(sum, 100));
  loop.run();
  EXPECT_EQ(sum, 20U * 4950U);
}

}  // namespace
}  // namespace rondo
