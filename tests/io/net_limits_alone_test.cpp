// No descriptor is left: alone, because it lowers the limit of the whole process.
#include <sys/resource.h>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

/// What a server has and what was reported to it, whatever its kind.
template <class Server, class Socket>
struct Served {
  explicit Served(Loop& loop) : server(loop) {
    server.on_connection([this](Socket socket) {
      socket.on_data([this](auto bytes) { heard += to_string(bytes); });
      open.push_back(std::move(socket));
    });
    server.on_error([this](std::error_code error) { errors.emplace_back(error_name(error)); });
  }

  Server server;
  std::vector<Socket> open;
  std::vector<std::string> errors;
  std::string heard;
};

/// Descriptors until there is no more.
std::vector<Descriptor> take_all_descriptors() {
  std::vector<Descriptor> taken;
  for (;;) {
    Descriptor next(::dup(0));
    if (!next) return taken;
    taken.push_back(std::move(next));
  }
}

std::vector<Descriptor> sockets(int family, int count) {
  std::vector<Descriptor> made;
  for (int i = 0; i < count; ++i)
    made.emplace_back(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return made;
}

bool connect_and_send(const Descriptor& client, const SocketAddress& address) {
  return ::connect(client.get(), address.native(), address.native_size()) == 0 &&
         ::send(client.get(), "x", 1, MSG_NOSIGNAL) == 1;
}

/// Whether the server has closed it.
bool turned_away(const Descriptor& client) {
  pollfd polled{client.get(), POLLIN, 0};
  char byte = 0;
  return ::poll(&polled, 1, 0) == 1 && ::recv(client.get(), &byte, 1, MSG_DONTWAIT) <= 0;
}

class LimitsTest : public NetTest {
 protected:
  LimitsTest() { ::getrlimit(RLIMIT_NOFILE, &old_); }
  ~LimitsTest() override { ::setrlimit(RLIMIT_NOFILE, &old_); }

  /// Room for `more` descriptors beside those that are open. To be called before the loop runs:
  /// the kernel keeps to the limit of the moment in which an accept was handed to it.
  void leave_room_for(std::size_t more) {
    rlimit limit = old_;
    // The limit is on the number, and numbers are given out from below.
    const Descriptor next(::dup(0));
    limit.rlim_cur = static_cast<rlim_t>(next.get()) + more;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }

  /// Some connections are served, the next are turned away, and when there is room the last is
  /// served.
  template <class Server, class Socket>
  void sheds_and_recovers(int family, const SocketAddress& where);

  rlimit old_{};
};

template <class Server, class Socket>
void LimitsTest::sheds_and_recovers(int family, const SocketAddress& where) {
  Served<Server, Socket> served(loop);
  ASSERT_TRUE(served.server.listen(where));
  const SocketAddress address = served.server.address();
  const std::vector<Descriptor> clients = sockets(family, 12);
  leave_room_for(20);
  ASSERT_TRUE(connect_and_send(clients[0], address));
  run_until([&] { return served.heard == "x"; });

  std::vector<Descriptor> taken = take_all_descriptors();
  for (std::size_t round = 1; round <= 2; ++round) {
    for (std::size_t i = 5 * (round - 1) + 1; i <= 5 * round; ++i) {
      ASSERT_TRUE(connect_and_send(clients[i], address));
    }
    run_until([&] { return turned_away(clients[5 * round]); });
  }
  for (std::size_t i = 1; i <= 10; ++i) EXPECT_TRUE(turned_away(clients[i])) << i;
  EXPECT_EQ(served.open.size(), 1U);
  EXPECT_EQ(served.errors, (std::vector<std::string>{"EMFILE"}));  // told once
  ASSERT_EQ(::send(clients[0].get(), "y", 1, 0), 1);
  run_until([&] { return served.heard == "xy"; });

  // There is room again: the next is served.
  taken.clear();
  ASSERT_TRUE(connect_and_send(clients[11], address));
  run_until([&] { return served.heard == "xyx"; });
  EXPECT_EQ(served.open.size(), 2U);
}

TEST_F(LimitsTest, AServerWithoutDescriptorsTurnsConnectionsAwayAndRecovers) {
  sheds_and_recovers<TcpServer, TcpSocket>(AF_INET, SocketAddress::loopback(0));
}

TEST_F(LimitsTest, SoDoesAUnixServer) {
  const TemporaryFolder folder;
  const auto path = SocketAddress::unix_path((folder.path / "socket").string());
  sheds_and_recovers<UnixServer, UnixSocket>(AF_UNIX, path.value());
}

TEST_F(LimitsTest, AServerWithoutDescriptorsSleeps) {
  Loop quiet;  // the fixture's own has a timer that keeps it busy
  Served<TcpServer, TcpSocket> served(quiet);
  ASSERT_TRUE(served.server.listen(SocketAddress::loopback(0)));
  const std::vector<Descriptor> clients = sockets(AF_INET, 1);
  leave_room_for(20);
  quiet.run_nowait();
  const std::vector<Descriptor> taken = take_all_descriptors();
  ASSERT_TRUE(connect_and_send(clients[0], served.server.address()));
  while (!turned_away(clients[0])) quiet.run_once();
  // Without a connection the loop waits for the timer, and does not iterate without a reason.
  bool over = false;
  quiet.set_timeout(300ms, [&] { over = true; });
  int iterations = 0;
  while (!over) {
    quiet.run_once();
    ++iterations;
  }
  EXPECT_LE(iterations, 20);
}

TEST_F(LimitsTest, ItRecoversWhenOthersFreeDescriptors) {
  TcpServer server = listening_server();
  const std::vector<Descriptor> clients = sockets(AF_INET, 2);
  leave_room_for(0);
  std::vector<Descriptor> taken = take_all_descriptors();
  const SocketAddress address = server.address();
  ASSERT_TRUE(connect_and_send(clients[0], address));
  run_until([&] { return turned_away(clients[0]); });
  EXPECT_TRUE(accepted.empty());
  ::setrlimit(RLIMIT_NOFILE, &old_);
  ASSERT_TRUE(connect_and_send(clients[1], address));
  run_until([&] { return accepted.size() == 1; });
}

TEST_F(LimitsTest, AServerThatCannotTurnConnectionsAwayIsStarved) {
  Served<TcpServer, TcpSocket> served(loop);
  const std::vector<Descriptor> clients = sockets(AF_INET, 1);
  leave_room_for(1);  // for the server itself: nothing can be kept in reserve
  ASSERT_TRUE(served.server.listen(SocketAddress::loopback(0)));
  EXPECT_FALSE(served.server.starved());
  ASSERT_TRUE(connect_and_send(clients[0], served.server.address()));
  run_until([&] { return !served.errors.empty(); });
  EXPECT_EQ(served.errors, (std::vector<std::string>{"EMFILE"}));
  EXPECT_TRUE(served.server.starved());
  EXPECT_FALSE(turned_away(clients[0]));
  ::setrlimit(RLIMIT_NOFILE, &old_);
  run_until([&] { return served.heard == "x"; });
  EXPECT_FALSE(served.server.starved());
}

TEST_F(LimitsTest, ConnectingWithoutDescriptorsIsAnError) {
  const TcpServer server = listening_server();
  leave_room_for(0);
  std::string error;
  TcpSocket::connect(server.address()).then(loop, [&](Expected<TcpSocket> socket) {
    EXPECT_EQ(loop.phase(), Phase::pending);
    error = error_name(socket.error());
  });
  run_until([&] { return !error.empty(); });
  EXPECT_EQ(error, "EMFILE");
  TcpServer another(loop);
  EXPECT_EQ(error_name(another.listen(SocketAddress::loopback(0)).error()), "EMFILE");
}

}  // namespace
}  // namespace rondo
