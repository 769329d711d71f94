// Servers on descriptors bound by another process (socket activation), and writes that are
// given away.
#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

class ListenFdTest : public NetTest {
 protected:
  static Descriptor bound(const SocketAddress& address) {
    Descriptor fd(::socket(address.native()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(fd.get(), address.native(), address.native_size()), 0);
    return fd;
  }
};

TEST_F(ListenFdTest, ATcpServerTakesOverABoundDescriptor) {
  TcpServer server(loop);
  server.on_connection([this](TcpSocket socket) { accepted.push_back(std::move(socket)); });
  Descriptor fd = bound(SocketAddress::loopback(0));
  ASSERT_TRUE(server.listen(fd.get()));
  const int number = fd.release();
  EXPECT_EQ(server.fd(), number);
  EXPECT_NE(server.address().port(), 0);
  Peer peer(server.address());
  run_until([&] { return accepted.size() == 1; });
  EXPECT_EQ(error_name(server.listen(number).error()), "EINVAL");  // it listens
  bool closed = false;
  server.close([&] { closed = true; });
  run_until([&] { return closed; });
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST_F(ListenFdTest, AConnectionThatWaitsInTheBacklogIsNotLost) {
  Descriptor fd = bound(SocketAddress::loopback(0));
  ASSERT_EQ(::listen(fd.get(), 5), 0);
  sockaddr_in name{};
  socklen_t size = sizeof(name);
  ASSERT_EQ(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);
  const Peer peer(SocketAddress::from_native(reinterpret_cast<sockaddr*>(&name), size));
  TcpServer server(loop);
  server.on_connection([this](TcpSocket socket) { accepted.push_back(std::move(socket)); });
  ASSERT_TRUE(server.listen(fd.release()));
  run_until([&] { return accepted.size() == 1; });
}

TEST_F(ListenFdTest, AClosedServerLeavesTheConnectionsToThoseThatShareItsSocket) {
  for (const bool by_share : {true, false}) {
    TcpServer server(loop);
    server.on_connection([this](TcpSocket socket) { accepted.push_back(std::move(socket)); });
    Descriptor fd = bound(SocketAddress::loopback(0));
    const Descriptor other(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
    if (by_share) {
      fd = {};
      ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
      ASSERT_EQ(::dup3(server.fd(), other.get(), O_CLOEXEC), other.get());
    } else {
      ASSERT_TRUE(server.listen(fd.release()));
    }
    const SocketAddress address = server.address();
    const Peer first(address);
    run_until([&] { return accepted.size() == 1; });
    if (by_share) server.share();
    server.close();
    const Peer second(address);
    loop.run_nowait();
    const Descriptor connection(::accept4(other.get(), nullptr, nullptr, SOCK_CLOEXEC));
    EXPECT_TRUE(connection);
    EXPECT_EQ(accepted.size(), 1U);
    accepted.clear();
  }
}

TEST_F(ListenFdTest, AUnixServerTakesOverABoundDescriptorAndLeavesItsPath) {
  const TemporaryFolder folder;
  const auto path = SocketAddress::unix_path((folder.path / "socket").string()).value();
  int connections = 0;
  UnixServer server(loop);
  server.on_connection([&](const UnixSocket& /*socket*/) { ++connections; });
  ASSERT_TRUE(server.listen(bound(path).release()));
  const Peer peer(path);
  run_until([&] { return connections == 1; });
  server.close();
  EXPECT_TRUE(std::filesystem::exists(folder.path / "socket"));
}

TEST_F(ListenFdTest, WhatCannotListenStaysTheCallers) {
  const TemporaryFolder folder;
  const auto path = SocketAddress::unix_path((folder.path / "socket").string()).value();
  const Descriptor unix_fd = bound(path);
  const Descriptor tcp_fd = bound(SocketAddress::loopback(0));
  const Descriptor datagrams(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const Descriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  TcpServer tcp(loop);
  EXPECT_EQ(error_name(tcp.listen(-1).error()), "EBADF");
  EXPECT_EQ(error_name(tcp.listen(file.get()).error()), "ENOTSOCK");
  EXPECT_EQ(error_name(tcp.listen(unix_fd.get()).error()), "EINVAL");
  EXPECT_EQ(error_name(tcp.listen(datagrams.get()).error()), "EINVAL");
  UnixServer local(loop);
  EXPECT_EQ(error_name(local.listen(tcp_fd.get()).error()), "EINVAL");
  for (const Descriptor* fd : {&unix_fd, &tcp_fd, &datagrams, &file})
    EXPECT_NE(::fcntl(fd->get(), F_GETFD), -1);
}

TEST_F(ListenFdTest, AStringThatIsGivenAwayTellsWhenItIsSent) {
  auto [socket, peer] = connected();
  std::string order;
  socket.write(std::string(3U << 20, 'a'), [&](Expected<> result) { order += result ? "1" : "x"; });
  socket.write(std::string("b"), [&](Expected<> result) { order += result ? "2" : "x"; });
  std::size_t received = 0;
  run_until([&] {
    while (peer.readable()) received += peer.receive().size();
    return received == (3U << 20) + 1 && order.size() == 2;
  });
  EXPECT_EQ(order, "12");
}

TEST_F(ListenFdTest, ALongWriteShowsItsProgress) {
  auto [socket, peer] = connected();
  constexpr std::size_t kBytes = 32U << 20;
  ASSERT_TRUE(socket.write(std::string(kBytes, 'a')));
  // The kernel takes what it has room for, and more when some has been read.
  run_until([&] { return socket.buffered() < kBytes; });
  std::size_t received = 0;
  while (received < kBytes / 2) {
    const std::size_t before = socket.buffered();
    run_until([&] {
      if (peer.readable()) received += peer.receive().size();
      return socket.buffered() < before;
    });
  }
  EXPECT_GT(socket.buffered(), 0U);
}

}  // namespace
}  // namespace rondo
