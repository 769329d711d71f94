#include "rondo/loop_group.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/channel.h"
#include "rondo/future.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Async<> echo(TcpSocket socket) {
  for (;;) {
    const auto text = co_await socket.read();
    if (!text || text->empty()) co_return;
    if (!co_await socket.write_all(*text)) co_return;
  }
}

Async<std::string> ask(SocketAddress address, std::string text) {
  auto socket = co_await TcpSocket::connect(address);
  if (!socket) co_return std::string(error_name(socket.error()));
  co_await socket->write_all(text);
  co_return (co_await socket->read()).value_or("no answer");
}

TEST(LoopGroupTest, RunsALoopOnEachThread) {
  LoopGroup loops(3);
  ASSERT_EQ(loops.size(), 3u);
  Channel<std::thread::id> threads(3);
  loops.post_to_each([&](Loop& loop, std::size_t index) {
    EXPECT_EQ(&loop, &loops.loop(index));
    EXPECT_TRUE(threads.try_send(std::this_thread::get_id()));
  });
  Loop here;
  std::set<std::thread::id> seen{std::this_thread::get_id()};
  for (int i = 0; i < 3; ++i) seen.insert(block_on(here, threads.receive()).value());
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_NE(&loops.next(), &loops.next());
  loops.stop();
  loops.join();
}

TEST(LoopGroupTest, ServesOnAllLoops) {
  for (const Spread spread : {Spread::reuse_port, Spread::in_turn}) {
    LoopGroup loops(2);
    std::atomic<int> served = 0;
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto address = loops.serve(SocketAddress::loopback(0),
                                     [&](TcpSocket socket) {
                                       ++served;
                                       const std::lock_guard guard(mutex);
                                       threads.insert(std::this_thread::get_id());
                                       return echo(std::move(socket));
                                     },
                                     {.spread = spread});
    ASSERT_TRUE(address);
    EXPECT_NE(address->port(), 0);
    Loop here;
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(block_on(here, ask(*address, "hello")), "hello");
    }
    EXPECT_EQ(served, 20);
    loops.stop();
    loops.join();
    if (spread == Spread::in_turn) {
      EXPECT_EQ(threads.size(), 2u);
    }
    EXPECT_EQ(block_on(here, ask(*address, "hello")), "ECONNREFUSED");
    EXPECT_EQ(loops.serve(*address, [](TcpSocket) {}).error(), errno_code(ECANCELED));
  }
}

TEST(LoopGroupTest, AStopLetsConnectionsEnd) {
  LoopGroup loops(2);
  std::atomic<int> cleaned_up = 0;
  const auto address = loops.serve(SocketAddress::loopback(0), [&](TcpSocket socket) -> Async<> {
    const auto text = co_await socket.read();
    EXPECT_EQ(text.error(), errno_code(ECANCELED));
    co_await shield(socket.write_all("bye"));
    ++cleaned_up;
  });
  ASSERT_TRUE(address);
  Loop here;
  block_on(here, [&]() -> Async<> {
    auto socket = co_await TcpSocket::connect(*address);
    co_await sleep_for(5ms);
    loops.stop();
    EXPECT_EQ((co_await socket->read()).value(), "bye");
  });
  loops.join();
  EXPECT_EQ(cleaned_up, 1);
}

TEST(LoopGroupTest, AfterTheGraceWhatIsLeftIsDropped) {
  LoopGroup loops(2, {.grace = 5ms});
  loops.post(0, [&] { loops.loop(0).set_timeout(1h, [] {}); });
  loops.stop();
  loops.join();
}

TEST(LoopGroupTest, ASignalStopsTheGroup) {
  LoopGroup loops(2);
  loops.stop_on({SIGUSR2});
  Promise<> ready;
  auto watching = ready.future();
  loops.post(0, [ready = std::move(ready)]() mutable { ready.set(); });
  Loop here;
  ASSERT_TRUE(block_on(here, watching.get()));
  ::kill(::getpid(), SIGUSR2);
  loops.join();
}

TEST(LoopGroupTest, AnUncaughtExceptionStopsTheGroupAndLeavesJoin) {
  LoopGroup loops(2);
  loops.post(1, [] { throw std::runtime_error("uncaught"); });
  EXPECT_THROW(loops.join(), std::runtime_error);
  loops.join();
}

TEST(LoopGroupTest, AnAddressThatIsTakenIsAnErrorAndNothingServes) {
  LoopGroup loops(2);
  const auto first =
      loops.serve(SocketAddress::loopback(0), [](TcpSocket) {}, {.spread = Spread::in_turn});
  ASSERT_TRUE(first);
  EXPECT_EQ(loops.serve(*first, [](TcpSocket) {}, {.spread = Spread::in_turn}).error(),
            errno_code(EADDRINUSE));
}

TEST(LoopGroupTest, LoopsThatCannotBeHadThrow) {
  const char* before = ::getenv("RONDO_BACKEND");
  const std::string saved = before != nullptr ? before : "";
  ::setenv("RONDO_BACKEND", "nonsense", 1);
  EXPECT_THROW(LoopGroup(2), std::system_error);
  before != nullptr ? ::setenv("RONDO_BACKEND", saved.c_str(), 1) : ::unsetenv("RONDO_BACKEND");
}

}  // namespace
}  // namespace rondo
