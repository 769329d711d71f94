// Timeouts of coroutines: what they count from, and what a virtual clock does while real work is
// under way.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class TimeoutTest : public testing::Test {
 protected:
  TimeoutTest() {
    auto made = UnixSocket::pair(loop);
    socket = std::move(made->first);
    peer = std::move(made->second);
  }
  void send(std::string_view text) {
    ASSERT_EQ(::write(peer.fd(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  UnixSocket socket;
  UnixSocket peer;
};

// ---- From when a timeout counts ----------------------------------------------------------------

TEST_F(TimeoutTest, ATimeoutThatStartsAfterALongComputationHasItsFullTime) {
  std::optional<Expected<std::string>> second;
  send("first");
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await socket.read()).value(), "first");
    clock.advance(50ms);  // parses
    send("second");
    second = co_await with_timeout(40ms, socket.read());
  });
  loop.run();
  ASSERT_TRUE(second->has_value()) << error_name(second->error());
  EXPECT_EQ(**second, "second");
}

TEST_F(TimeoutTest, DataThatIsReadyWinsOverATimeoutThatAStallHasMadeDue) {
  std::optional<Expected<std::string>> second;
  send("first");
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await socket.read()).value(), "first");
    loop.next_tick([&] {  // after the read has begun, and before the loop asks the kernel again
      clock.advance(50ms);
      send("second");
    });
    second = co_await with_timeout(40ms, socket.read());
  });
  loop.run();
  ASSERT_TRUE(second->has_value()) << error_name(second->error());
  EXPECT_EQ(**second, "second");
}

TEST_F(TimeoutTest, ATimeoutThatAStallHasMadeDueStillComes) {
  std::optional<Expected<std::string>> second;
  send("first");
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await socket.read()).value(), "first");
    loop.next_tick([&] { clock.advance(50ms); });
    second = co_await with_timeout(40ms, socket.read());
  });
  loop.run();
  ASSERT_FALSE(second->has_value());
  EXPECT_EQ(second->error(), errno_code(ETIMEDOUT));
  EXPECT_EQ(clock.now(), 50ms);
}

TEST_F(TimeoutTest, ASleepIsNeverShorterThanItsDurationWhereverTheMillisecondBegan) {
  clock.advance(900us);
  std::chrono::nanoseconds slept{};
  spawn(loop, [&]() -> Async<> {
    const auto began = clock.now();
    EXPECT_TRUE(co_await sleep_for(2ms));
    slept = clock.now() - began;
  });
  loop.run();
  EXPECT_GE(slept, 2ms);
  EXPECT_LT(slept, 3ms);
}

TEST_F(TimeoutTest, ATimeoutOfMicrosecondsComesAfterMicroseconds) {
  clock.advance(900us);
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await with_timeout(250us, socket.read())).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ(clock.now(), 1150us);
    EXPECT_EQ((co_await with_timeout(1ns, socket.read())).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ(clock.now(), 1150us + 1ns);
    send("text");
    EXPECT_EQ((co_await with_timeout(1us, socket.read())).value(), "text");
  });
  loop.run();
  EXPECT_EQ(clock.now(), 1150us + 1ns);
}

TEST_F(TimeoutTest, DataThatIsReadyWinsOverATimeoutOfMicrosecondsThatAStallHasMadeDue) {
  std::optional<Expected<std::string>> second;
  send("first");
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await socket.read()).value(), "first");
    loop.next_tick([&] {
      clock.advance(300us);
      send("second");
    });
    second = co_await with_timeout(250us, socket.read());
  });
  loop.run();
  ASSERT_TRUE(second->has_value()) << error_name(second->error());
  EXPECT_EQ(**second, "second");
}

TEST_F(TimeoutTest, ASleepCountsFromThePresentNotFromTheBeginningOfThePhase) {
  std::chrono::nanoseconds slept{};
  spawn(loop, [&]() -> Async<> {
    co_await sleep_for(1ms);
    clock.advance(50ms);
    const auto began = clock.now();
    co_await sleep_for(40ms);
    slept = clock.now() - began;
  });
  loop.run();
  EXPECT_EQ(slept, 40ms);
}

// TIMERS-12
TEST_F(TimeoutTest, ATimerOfTheLoopCountsFromItsPhaseAsNodeDoes) {
  std::chrono::nanoseconds fired{};
  loop.set_timeout(1ms, [&] {
    clock.advance(50ms);
    loop.set_timeout(40ms, [&] { fired = clock.now(); });
  });
  loop.run();
  EXPECT_EQ(fired, 51ms);
}

TEST_F(TimeoutTest, TheTimeoutOfAConnectStartsWhenItBegins) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  server.unref();
  std::optional<Expected<TcpSocket>> connected;
  spawn(loop, [&]() -> Async<> {
    co_await sleep_for(1ms);
    send("x");
    EXPECT_TRUE(co_await socket.read());  // now it is the poll phase
    clock.advance(50ms);
    connected = co_await TcpSocket::connect(server.address(), {.timeout = 40ms});
  });
  loop.run();
  ASSERT_TRUE(connected->has_value()) << error_name(connected->error());
  EXPECT_EQ(clock.now(), 51ms);
}

// ---- A virtual clock while real work is under way ----------------------------------------------

TEST_F(TimeoutTest, AVirtualClockStandsStillWhileAThreadOfThePoolWorks) {
  spawn(loop, [&]() -> Async<> {
    for (int i = 0; i < 20; ++i) {
      const auto result = co_await with_timeout(1s, work([] { std::this_thread::sleep_for(2ms); }));
      EXPECT_TRUE(result) << error_name(result.error());
    }
  });
  loop.run();
  EXPECT_EQ(clock.now(), 0ns);
}

TEST_F(TimeoutTest, AVirtualClockStandsStillWhileANameIsLookedUp) {
  spawn(loop, [&]() -> Async<> {
    for (int i = 0; i < 20; ++i) {
      const auto result = co_await with_timeout(1ms, dns::lookup("localhost"));
      EXPECT_TRUE(result) << error_name(result.error());
    }
  });
  loop.run();
  EXPECT_EQ(clock.now(), 0ns);
}

TEST_F(TimeoutTest, AVirtualClockStandsStillWhileAFileIsWritten) {
  const std::string path = testing::TempDir() + "rondo_timeout_" + std::to_string(::getpid());
  spawn(loop, [&]() -> Async<> {
    for (int i = 0; i < 5; ++i) {
      const auto result = co_await with_timeout(
          1ms, fs::write_file(path, std::string(1 << 20, 'x'), {.sync = true}));
      EXPECT_TRUE(result) << error_name(result.error());
    }
    EXPECT_TRUE(co_await fs::unlink(path));
  });
  loop.run();
  EXPECT_EQ(clock.now(), 0ns);
}

TEST_F(TimeoutTest, AVirtualClockStandsStillWhileAChildRuns) {
  spawn(loop, [&]() -> Async<> {
    const auto result = co_await with_timeout(1ms, run("/bin/sh", "-c", "sleep 0.02; echo done"));
    EXPECT_TRUE(result) << error_name(result.error());
    EXPECT_EQ(result.value_or(RunResult{}).out, "done\n");
  });
  loop.run();
  EXPECT_EQ(clock.now(), 0ns);
}

TEST_F(TimeoutTest, AVirtualClockMovesOnWhileAChildIsUnreferenced) {
  std::optional<Expected<ExitStatus>> status;
  spawn(loop, [&]() -> Async<> {
    auto child = Process::spawn(loop, SpawnOptions("sleep", "1000").with_kill_on_destroy());
    child->unref();
    status = co_await with_timeout(1h, child->wait());
  });
  loop.run();
  EXPECT_EQ(status->error(), errno_code(ETIMEDOUT));
  EXPECT_EQ(clock.now(), 1h);
}

TEST_F(TimeoutTest, AVirtualClockMovesOnWhileAPeerIsWaitedFor) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  UdpSocket udp(loop);
  ASSERT_TRUE(udp.bind(SocketAddress::loopback(0)));
  std::byte room[16];
  spawn(loop, [&]() -> Async<> {
    EXPECT_EQ((co_await with_timeout(1h, socket.read())).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ((co_await with_timeout(1h, server.accept())).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ((co_await with_timeout(1h, udp.receive(room))).error(), errno_code(ETIMEDOUT));
    EXPECT_EQ((co_await with_timeout(1h, wait_signal(SIGUSR2))).error(), errno_code(ETIMEDOUT));
    server.close();
    udp.close();
  });
  loop.run();
  EXPECT_EQ(clock.now(), 4h);
}

}  // namespace
}  // namespace rondo
