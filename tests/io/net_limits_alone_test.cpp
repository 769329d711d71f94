// No descriptor is left: alone, because it lowers the limit of the whole process.
#include <sys/resource.h>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

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

  rlimit old_{};
};

TEST_F(LimitsTest, AServerWithoutDescriptorsRecoversAndLosesNoConnection) {
  constexpr int kClients = 20;
  TcpServer server(loop);
  std::vector<TcpSocket> open;
  std::vector<std::string> errors;
  std::string heard;
  server.on_connection([&](TcpSocket socket) {
    socket.on_data([&](auto bytes) { heard += to_string(bytes); });
    open.push_back(std::move(socket));
  });
  server.on_error([&](std::error_code error) { errors.emplace_back(error_name(error)); });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));

  // The clients have theirs already; the server may take five.
  std::vector<Descriptor> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }
  leave_room_for(5);
  const SocketAddress address = server.address();
  for (const Descriptor& client : clients) {
    ASSERT_EQ(::connect(client.get(), address.native(), address.native_size()), 0);
    ASSERT_EQ(::send(client.get(), "x", 1, 0), 1);
  }
  run_until([&] { return open.size() == 5 && !errors.empty(); });
  EXPECT_EQ(errors, (std::vector<std::string>{"EMFILE"}));
  for (int i = 0; i < 20; ++i) loop.run_nowait();
  EXPECT_EQ(open.size(), 5U);
  EXPECT_EQ(errors.size(), 1U);  // told once

  // For each that goes, another comes, at once.
  std::size_t served = 5;
  while (served < kClients) {
    run_until([&] { return heard.size() >= served; });
    open.clear();
    run_until([&] { return !open.empty(); });
    run_until([&] { return open.size() == std::min<std::size_t>(5, kClients - served); });
    served += open.size();
  }
  run_until([&] { return heard.size() == kClients; });
}

TEST_F(LimitsTest, ItRecoversWhenOthersFreeDescriptors) {
  TcpServer server = listening_server();
  Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  leave_room_for(0);
  const SocketAddress address = server.address();
  ASSERT_EQ(::connect(client.get(), address.native(), address.native_size()), 0);
  for (int i = 0; i < 5; ++i) loop.run_once();
  EXPECT_TRUE(accepted.empty());
  ::setrlimit(RLIMIT_NOFILE, &old_);
  run_until([&] { return accepted.size() == 1; });
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
