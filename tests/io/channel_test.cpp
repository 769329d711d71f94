// Channel, Promise and Future, on(), block_on(): within a loop and between threads.
#include "rondo/channel.h"

#include <atomic>
#include <chrono>
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
#include "rondo/sync.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

template <class T>
std::string name_of(const Expected<T>& result) {
  return result ? "ok" : std::string(error_name(result.error()));
}

class ChannelTest : public testing::Test {
 protected:
  Async<> send_all(Channel<int> channel, int from, int to) {
    for (int i = from; i < to; ++i) {
      if (const auto sent = co_await channel.send(i); !sent) {
        log.push_back("send:" + name_of(sent));
        co_return;
      }
    }
  }
  Async<> receive_all(Channel<int> channel) {
    for (;;) {
      const auto value = co_await channel.receive();
      log.push_back(value ? std::to_string(*value) : name_of(value));
      if (!value) co_return;
    }
  }

  std::unique_ptr<Loop> owned = std::make_unique<Loop>();
  Loop& loop = *owned;
  std::vector<std::string> log;
};

/// A loop on a thread of its own, until it is destroyed.
class LoopThread {
 public:
  LoopThread() {
    thread_ = std::thread([this] {
      Loop loop;
      auto hold = std::make_optional(loop.keep_alive());
      Promise<Loop*> ready = std::move(ready_);
      hold_ = &hold;
      ready.set(&loop);
      loop.run();
    });
    Loop here;
    loop_ = *block_on(here, future_.get());
  }
  ~LoopThread() {
    loop_->post([this] { hold_->reset(); });
    thread_.join();
  }
  Loop& loop() { return *loop_; }

 private:
  Promise<Loop*> ready_;
  Future<Loop*> future_ = ready_.future();
  std::optional<KeepAlive>* hold_ = nullptr;
  Loop* loop_ = nullptr;
  std::thread thread_;
};

// ---- In one loop ------------------------------------------------------------------------------

TEST_F(ChannelTest, CarriesValuesInOrderAndThenTheEnd) {
  for (const std::size_t capacity : {0u, 1u, 3u, 100u}) {
    log.clear();
    Channel<int> channel(capacity);
    spawn(loop, receive_all(channel));
    spawn(loop, [&]() -> Async<> {
      co_await send_all(channel, 0, 5);
      channel.close();
    });
    EXPECT_FALSE(loop.run());
    EXPECT_THAT(log, ElementsAre("0", "1", "2", "3", "4", "EOF")) << capacity;
  }
}

TEST_F(ChannelTest, ASenderWaitsWhileItIsFull) {
  Channel<int> channel(2);
  spawn(loop, send_all(channel, 0, 4));
  loop.run_nowait();
  EXPECT_EQ(channel.size(), 2u);
  EXPECT_EQ(channel.try_receive().value(), 0);
  EXPECT_EQ(channel.size(), 2u);  // the one that waited has sent
  EXPECT_TRUE(loop.alive());
  EXPECT_EQ(channel.try_receive().value(), 1);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(channel.try_receive().value(), 2);
  EXPECT_EQ(channel.try_receive().value(), 3);
  EXPECT_EQ(channel.try_receive().error(), errno_code(EAGAIN));
}

TEST_F(ChannelTest, CloseWakesAllWhoWait) {
  Channel<int> full(1);
  Channel<int> empty(1);
  spawn(loop, send_all(full, 0, 2));
  spawn(loop, receive_all(empty));
  loop.set_timeout(1ms, [&] {
    full.close();
    empty.close();
    empty.close();
  });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre("send:EPIPE", "EOF"));
  EXPECT_TRUE(full.closed());
  EXPECT_EQ(full.try_send(7).error(), errno_code(EPIPE));
  EXPECT_EQ(full.try_receive().value(), 0);
  EXPECT_EQ(full.try_receive().error(), end_of_stream());
  EXPECT_EQ(end_of_stream().message(), "end of file");
}

TEST_F(ChannelTest, AStopEndsSendingAndReceiving) {
  Channel<int> full(0);
  Channel<int> empty(1);
  std::stop_source source;
  spawn(loop, send_all(full, 0, 1), source.get_token());
  spawn(loop, receive_all(empty), source.get_token());
  loop.set_timeout(1ms, [&] { source.request_stop(); });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, testing::UnorderedElementsAre("send:ECANCELED", "ECANCELED"));
  EXPECT_EQ(full.try_receive().error(), errno_code(EAGAIN));  // what was not sent is not there
  EXPECT_TRUE(empty.try_send(1));
}

TEST_F(ChannelTest, AValueThatWasHandedOverIsNotLostByAStop) {
  Channel<int> channel(1);
  std::stop_source source;
  spawn(loop, receive_all(channel), source.get_token());
  loop.set_timeout(1ms, [&] {
    EXPECT_TRUE(channel.try_send(5));
    source.request_stop();
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("5", "ECANCELED"));
}

TEST_F(ChannelTest, WhatCannotBeSentStaysWhereItWas) {
  Channel<std::unique_ptr<int>> channel(1);
  auto value = std::make_unique<int>(3);
  EXPECT_TRUE(channel.try_send(std::make_unique<int>(1)));
  EXPECT_EQ(channel.try_send(std::move(value)).error(), errno_code(EAGAIN));
  EXPECT_EQ(*value, 3);
}

TEST_F(ChannelTest, CarriesWhatCannotBeAssigned) {
  struct Fixed {
    explicit Fixed(int value) : number(value) {}
    Fixed(Fixed&&) noexcept = default;
    const int number;
  };
  Channel<Fixed> channel(40);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(channel.try_send(Fixed(i)));
  Fixed kept(40);
  EXPECT_EQ(channel.try_send(std::move(kept)).error(), errno_code(EAGAIN));
  EXPECT_EQ(kept.number, 40);
  int received = 0;
  spawn(loop, [&]() -> Async<> {
    while (const auto value = co_await channel.receive()) EXPECT_EQ(value->number, received++);
  });
  spawn(loop, [&]() -> Async<> {
    EXPECT_TRUE(co_await channel.send(std::move(kept)));
    channel.close();
  });
  loop.run();
  EXPECT_EQ(received, 41);
}

TEST_F(ChannelTest, TwoWhoTalkForEverDoNotStarveTheLoop) {
  Channel<int> channel(1);
  bool over = false;
  spawn(loop, [&]() -> Async<> {
    while (!over) co_await channel.send(1);
    channel.close();
  });
  spawn(loop, [&]() -> Async<> {
    while (co_await channel.receive()) {
    }
  });
  loop.set_timeout(2ms, [&] { over = true; });
  EXPECT_FALSE(loop.run());
  EXPECT_TRUE(over);
}

TEST_F(ChannelTest, ALoopThatIsDestroyedTakesThoseWhoWaitWithIt) {
  Channel<int> channel(0);
  spawn(loop, receive_all(channel));
  spawn(loop, receive_all(channel));
  EXPECT_TRUE(channel.try_send(1));  // on its way to the first
  owned = nullptr;
  EXPECT_EQ(channel.try_send(2).error(), errno_code(EAGAIN));
  EXPECT_THAT(log, ElementsAre());
}

TEST_F(ChannelTest, CallbacksMaySendAndReceive) {
  Channel<int> channel(1);
  channel.receive().then(loop, [&](auto value) { log.push_back(std::to_string(*value)); });
  channel.send(4).then(loop, [&](auto sent) { log.push_back("sent:" + name_of(sent)); });
  EXPECT_THAT(log, ElementsAre());
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, testing::UnorderedElementsAre("sent:ok", "4"));
}

// ---- Between threads --------------------------------------------------------------------------

TEST_F(ChannelTest, CarriesEverythingOnceBetweenThreads) {
  constexpr int kEach = 2000;
  Channel<int> channel(8);
  std::vector<int> sums(2);
  {
    LoopThread receivers[2];
    LoopThread senders[2];
    std::vector<Future<>> ends;
    for (std::size_t i = 0; i < 2; ++i) {
      Promise<> done;
      ends.push_back(done.future());
      receivers[i].loop().post([&, i, done = std::move(done)]() mutable {
        spawn(receivers[i].loop(), [](Channel<int> from, int& sum, Promise<> end) -> Async<> {
          while (auto value = co_await from.receive()) sum += *value;
          end.set();
        }(channel, sums[i], std::move(done)));
      });
    }
    const auto send = [](Channel<int> to) -> Async<> {
      for (int i = 0; i < kEach; ++i) EXPECT_TRUE(co_await to.send(1));
    };
    block_on(loop, [&]() -> Async<> {
      auto both = co_await when_all(on(senders[0].loop(), send(channel)),
                                    on(senders[1].loop(), send(channel)));
      EXPECT_TRUE(std::get<0>(both) && std::get<1>(both));
      channel.close();
      for (auto& end : ends) EXPECT_TRUE(co_await end.get());
    });
  }
  EXPECT_EQ(sums[0] + sums[1], 2 * kEach);
}

TEST_F(ChannelTest, AThreadWithoutALoopMaySend) {
  Channel<std::string> channel(100);
  std::thread sender([channel]() mutable {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(channel.try_send(std::to_string(i)));
    channel.close();
  });
  int received = 0;
  spawn(loop, [&]() -> Async<> {
    while (auto text = co_await channel.receive()) EXPECT_EQ(*text, std::to_string(received++));
  });
  loop.run();
  sender.join();
  EXPECT_EQ(received, 50);
}

TEST_F(ChannelTest, LoopsThatAreDestroyedWhileOthersSend) {
  Channel<int> channel(0);
  std::atomic<bool> over = false;
  std::thread sender([&] {
    while (!over) (void)channel.try_send(1);
  });
  for (int i = 0; i < 30; ++i) {
    Loop brief;
    for (int k = 0; k < 3; ++k) spawn(brief, receive_all(channel));
    brief.run_nowait();
  }
  over = true;
  sender.join();
}

// ---- Promise and Future -----------------------------------------------------------------------

class FutureTest : public ChannelTest {};

TEST_F(FutureTest, GivesWhatThePromiseWasKeptWith) {
  Promise<std::string> text;
  Promise<> nothing;
  Promise<int> fails;
  Promise<int> throws;
  Future<int> dropped = Promise<int>().future();
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await text.future().get()).value(), "here");
    EXPECT_TRUE(co_await nothing.future().get());
    EXPECT_EQ(name_of(co_await fails.future().get()), "EPERM");
    EXPECT_THROW((void)co_await throws.future().get(), std::runtime_error);
    EXPECT_EQ(name_of(co_await dropped.get()), "EPIPE");
    log.push_back("all");
  });
  text.set("here");
  nothing.set();
  fails.set_error(errno_code(EPERM));
  throws.set_exception(std::make_exception_ptr(std::runtime_error("x")));
  EXPECT_THROW(text.set("again"), Misuse);
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre("all"));
}

TEST_F(FutureTest, GivesItsResultOnceToOne) {
  Promise<int> promise;
  const Future<int> future = promise.future();
  EXPECT_FALSE(future.ready());
  EXPECT_THROW((void)Future<int>().get(), Misuse);
  spawn(loop, [&]() -> Async<> { EXPECT_EQ((co_await future.get()).value(), 1); });
  spawn(loop, [&]() -> Async<> { EXPECT_THROW((void)co_await future.get(), Misuse); });
  promise.set(1);
  EXPECT_TRUE(future.ready());
  loop.run();
}

TEST_F(FutureTest, CanBeAskedAgainAfterAStop) {
  Promise<int> promise;
  const Future<int> future = promise.future();
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ(name_of(co_await with_timeout(1ms, future.get())), "ETIMEDOUT");
    promise.set(2);
    EXPECT_EQ((co_await future.get()).value(), 2);
    log.push_back("twice");
  });
  loop.run();
  EXPECT_THAT(log, ElementsAre("twice"));
}

TEST_F(FutureTest, KeepsTheLoopAliveForAnotherThread) {
  Promise<int> promise;
  const Future<int> future = promise.future();
  std::thread other([promise = std::move(promise)]() mutable {
    std::this_thread::sleep_for(5ms);
    promise.set(3);
  });
  spawn(loop, [&]() -> Async<> { log.push_back(std::to_string(*co_await future.get())); });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(log, ElementsAre("3"));
  other.join();
}

TEST_F(FutureTest, SpawnOfACoroutineWithAResultGivesAFuture) {
  const auto later = [](int value) -> Async<int> {
    co_await sleep_for(1ms);
    co_return value;
  };
  const auto fails = []() -> Async<Expected<int>> { co_return std::unexpected(errno_code(EPERM)); };
  auto number = spawn(loop, later(4));
  auto error = spawn(loop, fails);
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await number.get()).value(), 4);
    EXPECT_EQ(name_of(co_await error.get()), "EPERM");
  });
  auto lost = spawn(loop, later(5));
  owned = nullptr;
  Loop other;
  EXPECT_EQ(block_on(other, lost.get()).error(), errno_code(EPIPE));
}

// ---- block_on, on -----------------------------------------------------------------------------

TEST_F(FutureTest, BlockOnRunsTheLoopUntilTheTaskHasEnded) {
  bool ticked = false;
  loop.set_timeout(1ms, [&] { ticked = true; });
  loop.set_timeout(1h, [] {}).unref();
  const auto timer = loop.set_timeout(1h, [] {});
  const auto add = [](int a, int b) -> Async<int> {
    co_await sleep_for(3ms);
    co_return a + b;
  };
  EXPECT_EQ(block_on(loop, add(1, 2)), 3);
  EXPECT_TRUE(ticked);
  EXPECT_TRUE(timer.active());
  EXPECT_TRUE(block_on(loop, sleep_for(1ms)));
  EXPECT_EQ(block_on(loop, []() -> Async<int> { co_return 9; }), 9);
  int referred = 0;
  EXPECT_EQ(&block_on(loop, [&]() -> Async<int&> { co_return referred; }), &referred);
  EXPECT_TRUE(block_on(loop, sleep_for(1ms)));  // the stop of the one before is spent
  EXPECT_THROW(block_on(loop,
                        []() -> Async<> {
                          throw std::runtime_error("x");
                          co_return;
                        }),
               std::runtime_error);
}

TEST_F(FutureTest, BlockOnThrowsWhenTheLoopEndsBefore) {
  Event never;
  EXPECT_THROW(block_on(loop, [&]() -> Async<> { co_await never.wait(); }), Misuse);
}

TEST_F(FutureTest, OnRunsATaskOnAnotherLoopsThread) {
  LoopThread there;
  const auto here = std::this_thread::get_id();
  std::stop_source source;
  Future<std::string> stopped;
  block_on(loop, [&]() -> Async<> {
    const auto thread = co_await on(there.loop(), []() -> Async<std::thread::id> {
      co_await sleep_for(1ms);
      co_return std::this_thread::get_id();
    });
    EXPECT_NE(thread.value(), here);
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_THROW((void)co_await on(there.loop(),
                                   []() -> Async<> {
                                     throw std::runtime_error("x");
                                     co_return;
                                   }),
                 std::runtime_error);
    // A stop here is a stop there, and its end is waited for.
    EXPECT_EQ(name_of(co_await with_timeout(
                  5ms, on(there.loop(),
                          []() -> Async<Expected<>> { co_return co_await sleep_for(1h); }))),
              "ETIMEDOUT");
  });
}

TEST_F(FutureTest, OnALoopThatIsDestroyedGivesEPIPE) {
  auto there = std::make_unique<Loop>();
  auto result = spawn(loop, [&]() -> Async<Expected<int>> {
    co_return co_await on(*there, []() -> Async<int> {
      co_await sleep_for(1h);
      co_return 1;
    });
  });
  there->run_nowait();
  there = nullptr;
  EXPECT_EQ(block_on(loop, result.get()).error(), errno_code(EPIPE));
}

TEST_F(FutureTest, ALoopThatIsDestroyedWhileAnotherWorksForIt) {
  LoopThread there;
  for (int i = 0; i < 20; ++i) {
    Loop brief;
    spawn(brief, [&]() -> Async<> { co_await on(there.loop(), []() -> Async<> { co_return; }); });
    brief.run_nowait();
  }
}

}  // namespace
}  // namespace rondo
