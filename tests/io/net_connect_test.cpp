// Connecting: what is reported when, several addresses, local addresses.
#include <fcntl.h>
#include <sys/socket.h>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

class ConnectTest : public NetTest {
 protected:
  /// "connected", or the name of the error.
  std::string connect(std::vector<SocketAddress> addresses, ConnectOptions options = {}) {
    std::string outcome;
    TcpSocket::connect(std::move(addresses), std::move(options))
        .then(loop, [&](Expected<TcpSocket> socket) {
          phase = loop.phase();
          outcome = socket ? "connected" : error_name(socket.error());
          if (socket) ours = *std::move(socket);
        });
    EXPECT_EQ(outcome, "");  // never before then() has returned
    run_until([&] { return !outcome.empty(); });
    return outcome;
  }

  Phase phase = Phase::none;
  TcpSocket ours;
};

// PENDING-1
TEST_F(ConnectTest, ARefusedConnectionIsToldInThePendingPhase) {
  const DeadPort dead;
  EXPECT_EQ(connect({dead.address}), "ECONNREFUSED");
  EXPECT_EQ(phase, Phase::pending);
}

TEST_F(ConnectTest, ASuccessIsToldInThePollPhase) {
  const TcpServer server = listening_server();
  EXPECT_EQ(connect({server.address()}), "connected");
  EXPECT_EQ(phase, Phase::poll);
  EXPECT_EQ(ours.peer_address(), server.address());
}

TEST_F(ConnectTest, DestroyInTheConnectCallback) {
  const TcpServer server = listening_server();
  bool closed = false;
  TcpSocket::connect(server.address()).then(loop, [&](Expected<TcpSocket> socket) {
    ASSERT_TRUE(socket);
    socket->on_close([&] { closed = true; });
    socket->destroy();
  });
  run_until([&] { return closed; });
}

TEST_F(ConnectTest, NoAddressIsAnError) {
  EXPECT_EQ(connect({}), "EINVAL");
  EXPECT_EQ(connect({SocketAddress()}), "EINVAL");
  EXPECT_EQ(phase, Phase::pending);
}

TEST_F(ConnectTest, TheNextAddressIsTriedWhenOneFails) {
  const DeadPort dead;
  const TcpServer server = listening_server();
  EXPECT_EQ(connect({dead.address, dead.address, server.address()}), "connected");
}

TEST_F(ConnectTest, TheErrorIsThatOfTheFirstAddress) {
  const DeadPort dead;
  // A multicast address cannot be connected to.
  const auto other = *SocketAddress::ip("224.0.0.1", 1);
  EXPECT_EQ(connect({dead.address, other}), "ECONNREFUSED");
}

/// A port whose backlog is full: the kernel does not answer connections.
class SilentPort : public DeadPort {
 public:
  SilentPort() {
    EXPECT_EQ(::listen(fd_.get(), 0), 0);
    fills_it_ = Peer(address);
  }
  /// Whoever still tries is refused from now on, when the kernel tries again after a second.
  void refuse() {
    fills_it_.close();
    ::shutdown(fd_.get(), SHUT_RDWR);
  }

 private:
  Peer fills_it_;
};

TEST_F(ConnectTest, TheErrorIsThatOfTheFirstAddressAlsoWhenItIsTheLastToFail) {
  SilentPort slow;
  const auto quick = *SocketAddress::ip("224.0.0.1", 1);
  loop.set_timeout(50ms, [&] { slow.refuse(); });
  EXPECT_EQ(connect({slow.address, quick}, {.attempt_delay = 1ms}), "ECONNREFUSED");
}

TEST_F(ConnectTest, AnAddressThatDoesNotAnswerIsOvertaken) {
  const SilentPort silent;
  const TcpServer server = listening_server();
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(connect({silent.address, server.address()}, {.attempt_delay = 30ms}), "connected");
  EXPECT_GE(std::chrono::steady_clock::now() - before, 29ms);
  EXPECT_EQ(ours.peer_address(), server.address());
  // The one that lost is closed.
  accepted.clear();
  ours.destroy();
}

TEST_F(ConnectTest, SixBeforeFour) {
  TcpServer v6(loop);
  int sixes = 0;
  v6.on_connection([&](TcpSocket) { ++sixes; });
  if (!v6.listen(SocketAddress::loopback_v6(0))) GTEST_SKIP() << "no IPv6 here";
  const TcpServer v4 = listening_server();
  EXPECT_EQ(connect({v4.address(), v6.address()}, {.attempt_delay = 1h}), "connected");
  EXPECT_EQ(ours.peer_address(), v6.address());
  run_until([&] { return sixes == 1; });
  EXPECT_TRUE(accepted.empty());
}

TEST_F(ConnectTest, FromAnAddressOfOurs) {
  const TcpServer server = listening_server();
  const auto from = *SocketAddress::ip("127.0.0.9", 0);
  EXPECT_EQ(connect({server.address()}, {.local = from}), "connected");
  EXPECT_EQ(ours.local_address().ip(), "127.0.0.9");
  const auto foreign = *SocketAddress::ip("192.0.2.1", 0);
  EXPECT_EQ(connect({server.address()}, {.local = foreign}), "EADDRNOTAVAIL");
}

TEST_F(ConnectTest, ABoundSocketIsConnectedAndTakenOver) {
  const TcpServer server = listening_server();
  const int bound = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto from = *SocketAddress::ip("127.0.0.9", 0);
  ASSERT_EQ(::bind(bound, from.native(), from.native_size()), 0);
  EXPECT_EQ(connect({server.address()}, {.bound_socket = bound}), "connected");
  EXPECT_EQ(ours.fd(), bound);
  EXPECT_EQ(ours.local_address().ip(), "127.0.0.9");
}

TEST_F(ConnectTest, ABoundSocketServesOneAddressAndIsClosedWhenThatFails) {
  const DeadPort dead;
  const TcpServer server = listening_server();
  const int bound = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(connect({dead.address, server.address()}, {.bound_socket = bound}), "ECONNREFUSED");
  EXPECT_EQ(::fcntl(bound, F_GETFD), -1);
}

TEST_F(ConnectTest, KeepsTheLoopAliveUntilItIsTold) {
  const DeadPort dead;
  bool told = false;
  TcpSocket::connect(dead.address).then(loop, [&](Expected<TcpSocket>) { told = true; });
  loop.run();
  EXPECT_TRUE(told);
}

TEST_F(ConnectTest, LeavesNoDescriptorBehind) {
  const DeadPort dead;
  loop.run_nowait();
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 100; ++i) {
    TcpSocket::connect({dead.address, dead.address}).then(loop, [](Expected<TcpSocket>) {});
  }
  loop.run();
  EXPECT_EQ(open_descriptors(), before);
}

TEST(SocketAddressTest, ReadsAndWritesAddresses) {
  EXPECT_EQ(SocketAddress::ip("127.0.0.1", 80)->to_string(), "127.0.0.1:80");
  EXPECT_EQ(SocketAddress::ip("::1", 80)->to_string(), "[::1]:80");
  EXPECT_EQ(SocketAddress::ip("::1%1", 80)->port(), 80);
  for (const std::string_view wrong :
       {std::string_view(""), std::string_view("localhost"), std::string_view("1.2.3"),
        std::string_view("::1%nowhere"), std::string_view("127.0.0.1\0x", 11)}) {
    EXPECT_EQ(error_name(SocketAddress::ip(wrong, 1).error()), "EINVAL") << wrong;
  }
  EXPECT_EQ(SocketAddress::loopback(7), *SocketAddress::ip("127.0.0.1", 7));
  EXPECT_EQ(SocketAddress::any_v6(7).ip(), "::");
  EXPECT_EQ(SocketAddress::any(7).with_port(9).port(), 9);
  EXPECT_EQ(SocketAddress().family(), SocketAddress::Family::none);
  EXPECT_EQ(SocketAddress().to_string(), "");
}

TEST(SocketAddressTest, NamesOfUnixSockets) {
  EXPECT_EQ(SocketAddress::unix_path("/tmp/x")->path(), "/tmp/x");
  EXPECT_EQ(SocketAddress::unix_path(std::string_view("\0abc", 4))->to_string(), "@abc");
  EXPECT_EQ(error_name(SocketAddress::unix_path("").error()), "EINVAL");
  EXPECT_EQ(error_name(SocketAddress::unix_path(std::string_view("a\0b", 3)).error()), "EINVAL");
  EXPECT_TRUE(SocketAddress::unix_path(std::string(107, 'a')));
  EXPECT_EQ(error_name(SocketAddress::unix_path(std::string(108, 'a')).error()), "ENAMETOOLONG");
}

}  // namespace
}  // namespace rondo
