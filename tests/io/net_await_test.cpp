// Sockets in coroutines: reading, writing, connecting, accepting, and cancelling each of them.
#include <thread>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

class NetAwaitTest : public NetTest {
 protected:
  /// Runs a coroutine to its end.
  void run(Async<> task) {
    bool done = false;
    spawn(loop, mark(std::move(task), done));
    run_until([&] { return done; });
  }
  static Async<> mark(Async<> task, bool& done) {
    co_await std::move(task);
    done = true;
  }
  /// Runs until a coroutine, asked to stop after some iterations, has ended.
  void run_and_stop(Async<> task, int turns) {
    bool done = false;
    std::stop_source stop;
    spawn(loop, mark(std::move(task), done), stop.get_token());
    for (int i = 0; i < turns; ++i) loop.run_nowait();
    EXPECT_FALSE(done);
    stop.request_stop();
    EXPECT_FALSE(done);  // never inside request_stop()
    run_until([&] { return done; });
  }
};

TEST_F(NetAwaitTest, ReadsIntoABuffer) {
  auto [socket, peer] = connected();
  run([](TcpSocket ours, Peer& theirs) -> Async<> {
    theirs.send("hello world");
    char buffer[5];
    std::string got;
    while (got.size() < 11) {
      auto count = co_await ours.read_some(std::as_writable_bytes(std::span(buffer)));
      EXPECT_TRUE(count);
      if (!count) co_return;
      EXPECT_GT(*count, 0U);
      got.append(buffer, *count);
    }
    EXPECT_EQ(got, "hello world");
    theirs.shut();
    auto end = co_await ours.read_some(std::as_writable_bytes(std::span(buffer)));
    EXPECT_TRUE(end && *end == 0);
  }(socket, peer));
}

TEST_F(NetAwaitTest, ReadsTextUntilTheEnd) {
  auto [socket, peer] = connected();
  run([](TcpSocket ours, Peer& theirs) -> Async<> {
    theirs.send("one");
    EXPECT_EQ(*co_await ours.read(), "one");
    theirs.send("two");
    EXPECT_EQ(*co_await ours.read(), "two");
    theirs.shut();
    EXPECT_EQ(*co_await ours.read(), "");
  }(socket, peer));
}

TEST_F(NetAwaitTest, AwaitsAWriteOfMuch) {
  auto [socket, peer] = connected();
  const std::string text = pattern(6 << 20);
  std::string got;
  std::thread reader([&, &peer = peer] { got = peer.receive_exactly(text.size()); });
  run([](TcpSocket ours, const std::string& all) -> Async<> {
    EXPECT_TRUE(co_await ours.write_all(std::string_view(all).substr(0, 1)));
    EXPECT_TRUE(co_await ours.write_all(std::string_view(all).substr(1)));
    EXPECT_TRUE(co_await ours.write_all(""));
    EXPECT_EQ(ours.buffered(), 0U);
  }(socket, text));
  reader.join();
  EXPECT_TRUE(got == text);
}

TEST_F(NetAwaitTest, ReadingAndWritingSideBySide) {
  auto [socket, peer] = connected();
  const std::string text = pattern(1 << 20);
  std::string back;
  std::thread other([&, &peer = peer] {
    std::thread sender([&] { peer.send(text); });
    back = peer.receive_exactly(text.size());
    sender.join();
  });
  run([](TcpSocket ours, std::size_t size) -> Async<> {
    std::string buffer(10'000, '\0');
    std::size_t total = 0;
    while (total < size) {
      auto count = co_await ours.read_some(std::as_writable_bytes(std::span(buffer)));
      EXPECT_TRUE(count);
      if (!count) co_return;
      total += *count;
      EXPECT_TRUE(co_await ours.write_all(std::string_view(buffer).substr(0, *count)));
    }
  }(socket, text.size()));
  other.join();
  EXPECT_TRUE(back == text);
}

TEST_F(NetAwaitTest, MistakesAreErrors) {
  auto [socket, peer] = connected();
  run([](TcpSocket ours) -> Async<> {
    const auto nothing = co_await ours.read_some({});
    EXPECT_EQ(error_name(nothing.error()), "EINVAL");
    ours.on_data([](auto) {});
    EXPECT_EQ(error_name((co_await ours.read()).error()), "EBUSY");
    ours.on_data(nullptr);
    ours.end();
    EXPECT_EQ(error_name((co_await ours.write_all("x")).error()), "EPIPE");
    ours.destroy();
    EXPECT_EQ(error_name((co_await ours.read()).error()), "EBADF");
  }(socket));
}

TEST_F(NetAwaitTest, OnlyOneReadAtATime) {
  auto [socket, peer] = connected();
  std::vector<std::string> results;
  for (int i = 0; i < 2; ++i) {
    socket.read().then(loop, [&](Expected<std::string> text) {
      results.push_back(text ? *text : std::string(error_name(text.error())));
    });
  }
  EXPECT_TRUE(results.empty());
  run_until([&] { return results.size() == 1; });
  peer.send("x");
  run_until([&] { return results.size() == 2; });
  EXPECT_EQ(results, (std::vector<std::string>{"EALREADY", "x"}));
}

TEST_F(NetAwaitTest, AReadAfterFlowingTakesWhatWasHeld) {
  auto [socket, peer] = connected();
  std::string got;
  socket.on_data([&, &socket = socket](auto bytes) {
    got += to_string(bytes);
    socket.pause();
  });
  const std::string text = pattern(200'000);
  std::thread writer([&, &peer = peer] {
    peer.send(text);
    peer.shut();
  });
  run_until([&] { return !got.empty(); });
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  socket.on_data(nullptr);
  run([](TcpSocket ours, std::string& all) -> Async<> {
    char buffer[777];
    for (;;) {
      auto count = co_await ours.read_some(std::as_writable_bytes(std::span(buffer)));
      EXPECT_TRUE(count);
      if (!count || *count == 0) co_return;
      all.append(buffer, *count);
    }
  }(socket, got));
  writer.join();
  EXPECT_TRUE(got == text);
}

TEST_F(NetAwaitTest, CancelsAReadIntoABuffer) {
  for (const int turns : {0, 1, 3}) {
    auto [socket, peer] = connected();
    run_and_stop(
        [](TcpSocket ours) -> Async<> {
          char buffer[10];
          const auto count = co_await ours.read_some(std::as_writable_bytes(std::span(buffer)));
          EXPECT_EQ(error_name(count.error()), "ECANCELED");
        }(socket),
        turns);
    // Nothing that comes later is lost.
    peer.send("later");
    run([](TcpSocket ours) -> Async<> { EXPECT_EQ(*co_await ours.read(), "later"); }(socket));
  }
}

TEST_F(NetAwaitTest, CancelsARead) {
  for (const int turns : {0, 1, 3}) {
    auto [socket, peer] = connected();
    run_and_stop(
        [](TcpSocket ours) -> Async<> {
          EXPECT_EQ(error_name((co_await ours.read()).error()), "ECANCELED");
        }(socket),
        turns);
    peer.send("later");
    run([](TcpSocket ours) -> Async<> { EXPECT_EQ(*co_await ours.read(), "later"); }(socket));
  }
}

TEST_F(NetAwaitTest, CancelsAWriteThatHasNotBegun) {
  auto [socket, peer] = connected();
  ASSERT_TRUE(socket.write("before "));
  run_and_stop(
      [](TcpSocket ours) -> Async<> {
        const auto result = co_await ours.write_all("never ");
        EXPECT_EQ(error_name(result.error()), "ECANCELED");
      }(socket),
      0);
  ASSERT_TRUE(socket.write("after"));
  run_until([&, &socket = socket] { return socket.buffered() == 0; });
  EXPECT_EQ(peer.receive_exactly(12), "before after");
}

TEST_F(NetAwaitTest, CancelsAWriteInTheMiddle) {
  auto [socket, peer] = connected();
  const std::string text = pattern(64 << 20);
  run_and_stop(
      [](TcpSocket ours, const std::string& all) -> Async<> {
        const auto result = co_await ours.write_all(all);
        EXPECT_EQ(error_name(result.error()), "ECANCELED");
      }(socket, text),
      5);
  EXPECT_EQ(socket.buffered(), 0U);
  EXPECT_EQ(error_name(socket.write("x").error()), "EPIPE");
  socket.destroy();
  loop.run();
}

TEST_F(NetAwaitTest, DestroyEndsEveryAwait) {
  auto [socket, peer] = connected();
  std::vector<std::string> order;
  const auto note = [&](std::string who, const auto& result) {
    order.push_back(std::move(who) +
                    (result ? " done" : std::string(" ") += error_name(result.error())));
  };
  const std::string text = pattern(64 << 20);
  std::vector<std::byte> buffer(100);
  socket.write_all(text).then(loop, [&](Expected<> r) { note("write", r); });
  socket.read_some(buffer).then(loop, [&](Expected<std::size_t> r) { note("read", r); });
  socket.on_close([&] { order.emplace_back("close"); });
  for (int i = 0; i < 4; ++i) loop.run_nowait();
  socket.destroy();
  EXPECT_TRUE(order.empty());
  run_until([&] { return order.size() == 3; });
  EXPECT_EQ(order, (std::vector<std::string>{"write ECANCELED", "read ECANCELED", "close"}));
}

TEST_F(NetAwaitTest, AReadAfterTheEndSeesTheEndAgain) {
  auto [socket, peer] = connected();
  peer.shut();
  run([](TcpSocket ours) -> Async<> {
    EXPECT_EQ(*co_await ours.read(), "");
    EXPECT_EQ(*co_await ours.read(), "");
  }(socket));
  run_until([&socket = socket] { return socket.closed(); });
}

TEST_F(NetAwaitTest, AReadThatWaitsIsToldWhenBothSidesHaveEnded) {
  auto [socket, peer] = connected({.accepted = {.stream = {.allow_half_open = true}}});
  peer.shut();
  run([](TcpSocket ours) -> Async<> {
    EXPECT_EQ(*co_await ours.read(), "");
    const auto read = [](TcpSocket from) -> Async<Expected<std::string>> {
      co_return co_await from.read();
    };
    const auto end = [](TcpSocket which) -> Async<> {
      which.end();
      co_return;
    };
    const auto [again, ended] = co_await when_all(read(ours), end(ours));
    EXPECT_TRUE(again && again->empty());
  }(socket));
  run_until([&socket = socket] { return socket.closed(); });
}

TEST_F(NetAwaitTest, AWriteCutInTheMiddleDoesNotKeepTheSocketOpenForEver) {
  auto [socket, peer] = connected();
  bool closed = false;
  socket.on_data([socket = socket](auto) {});
  socket.on_close([&] { closed = true; });
  const std::string text = pattern(64 << 20);
  run_and_stop(
      [](TcpSocket ours, const std::string& all) -> Async<> {
        EXPECT_EQ(error_name((co_await ours.write_all(all)).error()), "ECANCELED");
      }(socket, text),
      5);
  socket = TcpSocket();
  peer.shut();
  run_until([&] { return closed; });
}

TEST_F(NetAwaitTest, CancelsAnEmptyWriteThatWaitsForItsTurn) {
  auto [socket, peer] = connected();
  ASSERT_TRUE(socket.write(pattern(32 << 20)));
  run_and_stop(
      [](TcpSocket ours) -> Async<> {
        EXPECT_EQ(error_name((co_await ours.write_all("")).error()), "ECANCELED");
      }(socket),
      5);
  EXPECT_TRUE(socket.write("x"));  // nothing was cut
  socket.destroy();
  loop.run();
}

TEST_F(NetAwaitTest, AcceptsAndConnects) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  std::string heard;
  spawn(loop, [](TcpServer from, std::string& text) -> Async<> {
    auto socket = co_await from.accept();
    EXPECT_TRUE(socket);
    if (!socket) co_return;
    text = *co_await socket->read();
    EXPECT_TRUE(co_await socket->write_all("you are welcome"));
  }(server, heard));
  run([](SocketAddress to) -> Async<> {
    auto socket = co_await TcpSocket::connect(to);
    EXPECT_TRUE(socket);
    if (!socket) co_return;
    EXPECT_TRUE(co_await socket->write_all("hello"));
    EXPECT_EQ(*co_await socket->read(), "you are welcome");
    EXPECT_EQ(*co_await socket->read(), "");
  }(server.address()));
  EXPECT_EQ(heard, "hello");
}

TEST_F(NetAwaitTest, CancelsAnAcceptAndLosesNoConnection) {
  for (const int turns : {0, 1, 3}) {
    TcpServer server(loop);
    ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
    run_and_stop(
        [](TcpServer from) -> Async<> {
          EXPECT_EQ(error_name((co_await from.accept()).error()), "ECANCELED");
        }(server),
        turns);
    const Peer peer(server.address());
    for (int i = 0; i < 3; ++i) loop.run_nowait();
    run([](TcpServer from) -> Async<> { EXPECT_TRUE(co_await from.accept()); }(server));
  }
}

TEST_F(NetAwaitTest, CancelsAConnect) {
  // A backlog that is full: the kernel answers no more.
  const Descriptor full(::socket(AF_INET, SOCK_STREAM, 0));
  const SocketAddress any = SocketAddress::loopback(0);
  ASSERT_EQ(::bind(full.get(), any.native(), any.native_size()), 0);
  ASSERT_EQ(::listen(full.get(), 0), 0);
  sockaddr_in bound{};
  socklen_t size = sizeof(bound);
  ::getsockname(full.get(), reinterpret_cast<sockaddr*>(&bound), &size);
  const auto address = SocketAddress::from_native(reinterpret_cast<const sockaddr*>(&bound), size);
  const Peer first(address);

  for (const int turns : {0, 1, 3}) {
    run_and_stop(
        [](SocketAddress to) -> Async<> {
          EXPECT_EQ(error_name((co_await TcpSocket::connect(to)).error()), "ECANCELED");
        }(address),
        turns);
  }
  run([](SocketAddress to) -> Async<> {
    EXPECT_EQ(error_name((co_await TcpSocket::connect(to, {.timeout = 20ms})).error()),
              "ETIMEDOUT");
  }(address));
}

}  // namespace
}  // namespace rondo
