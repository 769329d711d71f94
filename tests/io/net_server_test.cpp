// Servers: listening, accepting, closing; and what remains when a loop ends.
#include <unistd.h>

#include <memory>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

using ServerTest = NetTest;

// ASYNC-3
TEST_F(ServerTest, ListeningIsToldToAHandlerAttachedAfterwards) {
  TcpServer server(loop);
  std::vector<std::string> order;
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  EXPECT_NE(server.address().port(), 0);  // bound at once
  server.on_listening([&] { order.emplace_back("listening"); });
  loop.set_immediate([&] { order.emplace_back("immediate"); });
  order.emplace_back("main");
  run_until([&] { return order.size() == 3; });
  EXPECT_EQ(order, (std::vector<std::string>{"main", "listening", "immediate"}));
}

TEST_F(ServerTest, ConnectionsArriveInThePollPhase) {
  TcpServer server(loop);
  int count = 0;
  server.on_connection([&](TcpSocket) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    ++count;
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  const Peer peer(server.address());
  run_until([&] { return count == 1; });
}

TEST_F(ServerTest, AnAddressInUseIsAnError) {
  const TcpServer first = listening_server();
  TcpServer second(loop);
  const auto result = second.listen(first.address());
  ASSERT_FALSE(result);
  EXPECT_EQ(error_name(result.error()), "EADDRINUSE");
  ASSERT_TRUE(second.listen(SocketAddress::loopback(0)));  // and can be mended
  EXPECT_EQ(error_name(second.listen(SocketAddress::loopback(0)).error()), "EINVAL");
  TcpServer third(loop);
  EXPECT_EQ(error_name(third.listen(SocketAddress()).error()), "EINVAL");
}

TEST_F(ServerTest, ReusePortSharesAPort) {
  const TcpServer first = listening_server({.reuse_port = true});
  TcpServer second(loop);
  EXPECT_TRUE(second.listen(first.address(), {.reuse_port = true}));
}

TEST_F(ServerTest, Ipv6OnlyLeavesThePortToIpv4) {
  // The port is below those that the kernel gives out: a port that is free in IPv6 could be in use
  // by another test in IPv4.
  const auto port = static_cast<std::uint16_t>(20'000 + ::getpid() % 12'000);
  TcpServer v6(loop);
  if (!v6.listen(SocketAddress::any_v6(port), {.ipv6_only = true})) GTEST_SKIP() << "no IPv6 here";
  TcpServer v4(loop);
  EXPECT_TRUE(v4.listen(SocketAddress::any(port)));
  TcpServer both(loop);
  int count = 0;
  both.on_connection([&](TcpSocket) { ++count; });
  ASSERT_TRUE(both.listen(SocketAddress::any_v6(0)));
  const Peer peer(SocketAddress::loopback(both.address().port()));
  run_until([&] { return count == 1; });
}

TEST_F(ServerTest, DestroyInTheConnectionCallback) {
  TcpServer server(loop);
  int closed = 0;
  server.on_connection([&](TcpSocket socket) {
    socket.on_close([&] { ++closed; });
    socket.destroy();
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  const Peer a(server.address());
  const Peer b(server.address());
  run_until([&] { return closed == 2; });
  EXPECT_EQ(a.receive(), "");
}

TEST_F(ServerTest, CloseInTheConnectionCallback) {
  TcpServer server(loop);
  int count = 0;
  bool closed = false;
  server.on_connection([&](TcpSocket) {
    ++count;
    server.close([&] {
      EXPECT_EQ(loop.phase(), Phase::close);
      closed = true;
    });
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 5; ++i) peers.push_back(std::make_unique<Peer>(server.address()));
  loop.run();
  EXPECT_TRUE(closed);
  EXPECT_EQ(count, 1);
}

TEST_F(ServerTest, AfterCloseThePortIsFree) {
  TcpServer first = listening_server();
  const SocketAddress address = first.address();
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  int closes = 0;
  first.close([&] { ++closes; });
  first.close([&] { ++closes; });
  TcpServer second(loop);
  EXPECT_TRUE(second.listen(address));
  EXPECT_FALSE(first.listening());
  loop.run();
  EXPECT_EQ(closes, 2);
}

TEST_F(ServerTest, CloseIsOneCallback) {
  TcpServer server = listening_server();
  int closes = 0;
  server.close([&] { ++closes; });
  loop.run();
  EXPECT_EQ(closes, 1);
  EXPECT_EQ(loop.metrics()[Phase::close].callbacks, 1U);
}

TEST_F(ServerTest, CloseEndsAwaitedAccepts) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  std::vector<std::string> order;
  for (int i = 0; i < 2; ++i) {
    server.accept().then(
        loop, [&](Expected<TcpSocket> socket) { order.emplace_back(error_name(socket.error())); });
  }
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  server.close([&] { order.emplace_back("close"); });
  loop.run();
  EXPECT_EQ(order, (std::vector<std::string>{"ECANCELED", "ECANCELED", "close"}));
}

TEST_F(ServerTest, WithoutAHandlerConnectionsWaitInTheBacklog) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  const Peer peer(server.address());
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_FALSE(loop.alive());  // nothing is waiting
  int count = 0;
  server.on_connection([&](TcpSocket) { ++count; });
  run_until([&] { return count == 1; });
}

TEST_F(ServerTest, AConnectionTakenFromAHandlerThatWentIsKept) {
  TcpServer server(loop);
  int first = 0;
  server.on_connection([&](TcpSocket) {
    ++first;
    server.on_connection(nullptr);
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 5; ++i) peers.push_back(std::make_unique<Peer>(server.address()));
  run_until([&] { return first == 1; });
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  EXPECT_EQ(first, 1);
  int rest = 0;
  server.on_connection([&](TcpSocket) { ++rest; });
  run_until([&] { return rest == 4; });
}

TEST_F(ServerTest, AConnectionThatWasKeptOutlivesACancelledAccept) {
  TcpServer server(loop);
  int first = 0;
  server.on_connection([&](TcpSocket) {
    ++first;
    server.on_connection(nullptr);
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  const Peer one(server.address());
  const Peer two(server.address());
  run_until([&] { return first == 1; });
  std::stop_source stop;
  std::string outcome;
  const auto note = [&](Expected<TcpSocket> socket) {
    outcome = socket ? "accepted" : error_name(socket.error());
  };
  server.accept().then(loop, note, stop.get_token());
  // Stopped when the connection is about to be delivered, and before it is.
  loop.set_immediate([&] { stop.request_stop(); });
  run_until([&] { return !outcome.empty(); });
  if (outcome == "accepted") return;  // on epoll it was in time
  EXPECT_EQ(outcome, "ECANCELED");
  outcome.clear();
  server.accept().then(loop, note);
  run_until([&] { return !outcome.empty(); });
  EXPECT_EQ(outcome, "accepted");
}

TEST_F(ServerTest, ThousandsOfConnectionsAtOnce) {
  // Ours and theirs are in this process; more completions than the ring holds come at once when
  // all of them speak.
  constexpr int kConnections = 2000;
  TcpServer server(loop);
  std::size_t echoed = 0;
  server.on_connection([&](TcpSocket socket) {
    socket.on_data([&, socket](auto bytes) mutable {
      echoed += bytes.size();
      EXPECT_TRUE(socket.write(bytes));
    });
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0), {.backlog = 4096}));
  std::vector<Peer> peers;
  peers.reserve(kConnections);
  for (int i = 0; i < kConnections; ++i) {
    peers.emplace_back(server.address());
    if (i % 100 == 0) loop.run_nowait();
  }
  for (int round = 1; round <= 3; ++round) {
    for (const Peer& peer : peers) {
      // Several pieces each: 6,000 that the kernel could report one by one.
      peer.send("a");
      peer.send("bc");
      peer.send("d");
    }
    run_until([&] { return echoed == static_cast<std::size_t>(4 * kConnections * round); });
    loop.run_nowait();
    for (const Peer& peer : peers) EXPECT_EQ(peer.receive_exactly(4), "abcd");
  }
  for (Peer& peer : peers) peer.close();
  server.close();
  loop.run();
}

// ---- A loop that ends ---------------------------------------------------------------------------

TEST(NetLifetimeTest, ALoopMayEndWithEverythingUnderWay) {
  const std::size_t before = open_descriptors();
  auto marker = std::make_shared<int>(0);
  {
    TcpSocket survivor;
    std::vector<Peer> peers;
    const std::string big = pattern(32 << 20);
    std::vector<std::byte> buffer(1000);
    {
      Loop loop;
      TcpServer server(loop);
      std::vector<TcpSocket> sockets;
      server.on_connection([&, marker](TcpSocket socket) { sockets.push_back(std::move(socket)); });
      ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
      for (int i = 0; i < 8; ++i) peers.emplace_back(server.address());
      while (sockets.size() < 8) loop.run_once();

      sockets[0].on_data([self = sockets[0], marker](auto) {});
      ASSERT_TRUE(sockets[1].write(big));
      sockets[2].write(big, [marker](Expected<>) { ADD_FAILURE(); });
      sockets[3].write_all(big).then(loop, [marker](Expected<>) { ADD_FAILURE(); });
      sockets[4].read().then(loop, [marker](Expected<std::string>) { ADD_FAILURE(); });
      sockets[5].read_some(buffer).then(loop, [marker](Expected<std::size_t>) { ADD_FAILURE(); });
      sockets[6].on_data([](auto) {});
      peers[6].send("never delivered");
      sockets[7].on_close([self = sockets[7], marker] { ADD_FAILURE(); });
      spawn(loop, [](TcpSocket socket, std::shared_ptr<int>) -> Async<> {
        co_await socket.read();
        ADD_FAILURE();
      }(sockets[7], marker));
      const DeadPort dead;
      TcpSocket::connect(dead.address).then(loop, [marker](Expected<TcpSocket>) {});
      for (int i = 0; i < 3; ++i) loop.run_nowait();
      sockets[2].destroy();
      sockets[1].end();
      survivor = sockets[0];
      TcpSocket::connect(server.address()).then(loop, [marker](Expected<TcpSocket>) {});
    }
    // Handles outlive their loop, and are closed.
    EXPECT_TRUE(survivor.closed());
    EXPECT_FALSE(survivor.write("x"));
    survivor.on_data([marker](auto) {});
    survivor.destroy();
    EXPECT_EQ(survivor.fd(), -1);
  }
  EXPECT_EQ(marker.use_count(), 1);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(NetLifetimeTest, ALoopMayEndBeforeItHasRun) {
  const std::size_t before = open_descriptors();
  {
    Loop loop;
    TcpServer server(loop);
    server.on_connection([](TcpSocket) {});
    ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
    TcpSocket::connect(server.address()).then(loop, [](Expected<TcpSocket>) {});
    auto pair = UnixSocket::pair(loop);
    ASSERT_TRUE(pair);
    ASSERT_TRUE(pair->first.write("x"));
    pair->second.on_data([](auto) {});
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(NetLifetimeTest, OneHandleMayBeDroppedByAnotherLoopsEnd) {
  Loop first;
  auto pair = UnixSocket::pair(first);
  ASSERT_TRUE(pair);
  {
    Loop second;
    second.next_tick([held = std::move(pair->first)] {});
  }
  first.run();
  EXPECT_FALSE(pair->second.closed());
}

}  // namespace
}  // namespace rondo
