// Datagrams.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "rondo/udp.h"

#include "io/dead_port.h"
#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

class UdpTest : public NetTest {
 protected:
  UdpSocket bound(UdpOptions options = {}) {
    UdpSocket socket(loop);
    EXPECT_TRUE(socket.bind(SocketAddress::loopback(0), options));
    return socket;
  }
};

TEST_F(UdpTest, ADatagramArrivesWithItsSender) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  std::string got;
  SocketAddress from;
  b.on_message([&](auto bytes, const Datagram& about) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    EXPECT_FALSE(about.truncated);
    got = to_string(bytes);
    from = about.from;
  });
  ASSERT_TRUE(a.send_to(b.local_address(), "hello"));
  run_until([&] { return !got.empty(); });
  EXPECT_EQ(got, "hello");
  EXPECT_EQ(from, a.local_address());
}

TEST_F(UdpTest, BoundariesAndEmptyDatagramsAreKept) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  std::vector<std::string> got;
  b.on_message([&](auto bytes, const Datagram&) { got.push_back(to_string(bytes)); });
  const std::string large = pattern(65'507);
  for (const std::string_view text : {std::string_view("a"), std::string_view(""),
                                      std::string_view("bc"), std::string_view(large)}) {
    ASSERT_TRUE(a.send_to(b.local_address(), text));
  }
  run_until([&] { return got.size() == 4; });
  EXPECT_EQ(got, (std::vector<std::string>{"a", "", "bc", large}));
}

TEST_F(UdpTest, WhatDoesNotFitIsTruncated) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  std::vector<std::byte> buffer(3);
  std::optional<ReceivedDatagram> got;
  b.receive(buffer).then(loop, [&](Expected<ReceivedDatagram> result) { got = *result; });
  ASSERT_TRUE(a.send_to(b.local_address(), "hello"));
  run_until([&] { return got.has_value(); });
  EXPECT_EQ(got->size, 3U);
  EXPECT_TRUE(got->about.truncated);
  EXPECT_EQ(got->about.from, a.local_address());
  EXPECT_EQ(to_string(buffer), "hel");
}

TEST_F(UdpTest, ErrorsOfSending) {
  UdpSocket a = bound();
  const std::string too_long(70'000, 'x');
  EXPECT_EQ(error_name(a.send_to(SocketAddress::loopback(1), too_long).error()), "EMSGSIZE");
  EXPECT_EQ(error_name(a.send("x").error()), "EDESTADDRREQ");
  EXPECT_EQ(error_name(a.send_to(*SocketAddress::ip("255.255.255.255", 1), "x").error()), "EACCES");
  UdpSocket nowhere(loop);
  EXPECT_EQ(error_name(nowhere.send("x").error()), "EDESTADDRREQ");
  EXPECT_EQ(error_name(nowhere.bind(SocketAddress()).error()), "EINVAL");
  EXPECT_EQ(error_name(bound().bind(a.local_address()).error()), "EINVAL");
  EXPECT_EQ(error_name(nowhere.bind(a.local_address()).error()), "EADDRINUSE");
  EXPECT_TRUE(nowhere.bind(SocketAddress::loopback(0)));
}

TEST_F(UdpTest, ACallbackOfSendingIsToldInThePendingPhase) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  std::vector<std::string> told;
  const auto note = [&](Expected<> result) {
    EXPECT_EQ(loop.phase(), Phase::pending);
    told.emplace_back(result ? "sent" : error_name(result.error()));
  };
  a.send_to(b.local_address(), std::as_bytes(std::span("x", 1)), note);
  a.send_to({}, std::as_bytes(std::span("x", 1)), note);
  EXPECT_TRUE(told.empty());
  run_until([&] { return told.size() == 2; });
  EXPECT_EQ(told, (std::vector<std::string>{"sent", "EDESTADDRREQ"}));
}

TEST_F(UdpTest, AConnectedSocketHearsThatItIsRefused) {
  const DeafPort keeper;
  const SocketAddress nobody = keeper.address;
  UdpSocket socket(loop);
  ASSERT_TRUE(socket.connect(nobody));
  EXPECT_EQ(socket.peer_address(), nobody);
  std::string error;
  socket.on_message([](auto, const Datagram&) {});
  socket.on_error([&](std::error_code code) { error = error_name(code); });
  ASSERT_TRUE(socket.send("anybody?"));
  run_until([&] { return !error.empty(); });
  EXPECT_EQ(error, "ECONNREFUSED");

  socket.on_message(nullptr);
  std::byte buffer[10];
  std::string awaited;
  socket.receive(buffer).then(
      loop, [&](Expected<ReceivedDatagram> result) { awaited = error_name(result.error()); });
  ASSERT_TRUE(socket.send("anybody?"));
  run_until([&] { return !awaited.empty(); });
  EXPECT_EQ(awaited, "ECONNREFUSED");
  ASSERT_TRUE(socket.disconnect());
  EXPECT_EQ(socket.peer_address(), SocketAddress());
}

TEST_F(UdpTest, AConnectedSocketHearsOnlyItsPeer) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  UdpSocket stranger = bound();
  ASSERT_TRUE(b.connect(a.local_address()));
  std::string got;
  b.on_message([&](auto bytes, const Datagram&) { got += to_string(bytes); });
  ASSERT_TRUE(stranger.send_to(b.local_address(), "no"));
  ASSERT_TRUE(a.send_to(b.local_address(), "yes"));
  run_until([&] { return !got.empty(); });
  loop.run_nowait();
  EXPECT_EQ(got, "yes");
}

TEST_F(UdpTest, MulticastReachesThoseWhoJoined) {
  const auto group = *SocketAddress::ip("239.255.77.7", 0);
  UdpSocket member(loop);
  ASSERT_TRUE(member.bind(SocketAddress::any(0), {.reuse_address = true}));
  const auto loopback = SocketAddress::loopback(0);
  if (!member.join(group, loopback)) GTEST_SKIP() << "no multicast here";
  UdpSocket sender(loop);
  ASSERT_TRUE(sender.bind(SocketAddress::loopback(0)));
  ASSERT_TRUE(sender.set_multicast_interface(loopback));
  ASSERT_TRUE(sender.set_multicast_ttl(1));
  ASSERT_TRUE(sender.set_multicast_loop(true));
  std::string got;
  member.on_message([&](auto bytes, const Datagram&) { got += to_string(bytes); });
  const SocketAddress to = group.with_port(member.local_address().port());
  ASSERT_TRUE(sender.send_to(to, "group"));
  run_until([&] { return got == "group"; });

  ASSERT_TRUE(member.leave(group, loopback));
  EXPECT_EQ(error_name(member.leave(group, loopback).error()), "EADDRNOTAVAIL");
  ASSERT_TRUE(sender.send_to(to, "not heard"));
  ASSERT_TRUE(sender.send_to(member.local_address().with_port(to.port()), "direct"));
  run_until([&] { return got.size() > 5; });
  EXPECT_EQ(got, "groupdirect");
  EXPECT_EQ(error_name(member.join(*SocketAddress::unix_path("/x")).error()), "EINVAL");
}

TEST_F(UdpTest, OptionsReachTheKernel) {
  UdpSocket socket = bound();
  ASSERT_TRUE(socket.set_broadcast(true));
  ASSERT_TRUE(socket.set_ttl(7));
  int value = 0;
  socklen_t size = sizeof(value);
  ::getsockopt(socket.fd(), IPPROTO_IP, IP_TTL, &value, &size);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(error_name(socket.set_ttl(1000).error()), "EINVAL");
}

TEST_F(UdpTest, IsCancelled) {
  UdpSocket socket = bound();
  for (const int turns : {0, 1, 3}) {
    std::stop_source stop;
    std::string outcome;
    std::byte buffer[10];
    socket.receive(buffer).then(
        loop, [&](Expected<ReceivedDatagram> result) { outcome = error_name(result.error()); },
        stop.get_token());
    for (int i = 0; i < turns; ++i) loop.run_nowait();
    stop.request_stop();
    EXPECT_EQ(outcome, "");
    run_until([&] { return !outcome.empty(); });
    EXPECT_EQ(outcome, "ECANCELED");
  }
}

TEST_F(UdpTest, CloseIsToldLastAndInTheClosePhase) {
  UdpSocket socket = bound();
  std::vector<std::string> order;
  std::byte buffer[10];
  socket.receive(buffer).then(loop, [&](Expected<ReceivedDatagram> result) {
    order.emplace_back(error_name(result.error()));
  });
  socket.on_close([&] {
    EXPECT_EQ(loop.phase(), Phase::close);
    order.emplace_back("close");
  });
  loop.run_nowait();
  socket.close();
  socket.close();
  loop.run();
  EXPECT_EQ(order, (std::vector<std::string>{"ECANCELED", "close"}));
  EXPECT_TRUE(socket.closed());
  EXPECT_EQ(error_name(socket.send_to(SocketAddress::loopback(1), "x").error()), "EBADF");
}

TEST_F(UdpTest, ASocketThatSendingHasBoundHearsTheAnswer) {
  UdpSocket server = bound();
  server.on_message(
      [&](auto bytes, const Datagram& about) { EXPECT_TRUE(server.send_to(about.from, bytes)); });
  UdpSocket client(loop);
  std::string got;
  client.on_message([&](auto bytes, const Datagram&) { got = to_string(bytes); });
  loop.run_nowait();
  ASSERT_TRUE(client.send_to(server.local_address(), "echo"));
  run_until([&] { return got == "echo"; });
}

TEST_F(UdpTest, ThePortIsFreeWhenCloseIsTold) {
  UdpSocket first = bound();
  first.on_message([](auto, const Datagram&) {});
  const SocketAddress address = first.local_address();
  for (int i = 0; i < 3; ++i) loop.run_nowait();
  std::string outcome;
  UdpSocket second(loop);
  first.on_close([&] {
    const auto rebound = second.bind(address);
    outcome = rebound ? "bound" : error_name(rebound.error());
  });
  // From the check phase: the close phase comes before the loop asks the kernel again.
  loop.set_immediate([&] { first.close(); });
  run_until([&] { return !outcome.empty(); });
  EXPECT_EQ(outcome, "bound");
}

TEST_F(UdpTest, CloseInTheMessageCallback) {
  UdpSocket a = bound();
  UdpSocket b = bound();
  int count = 0;
  b.on_message([&](auto, const Datagram&) {
    ++count;
    b.close();
  });
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(a.send_to(b.local_address(), "x"));
  loop.run();
  EXPECT_EQ(count, 1);
}

TEST_F(UdpTest, WhatTheKernelDoesNotTakeWaitsWithinABound) {
  // A Unix-like full queue is hard to have with UDP; a tiny send buffer and a slow path do not
  // exist on loopback. The bound itself is what counts: nothing is held beyond it.
  UdpSocket a = bound({.max_buffered = 0});
  UdpSocket b = bound();
  for (int i = 0; i < 1000; ++i) {
    const auto result = a.send_to(b.local_address(), pattern(1000));
    EXPECT_TRUE(result || result.error() == errno_code(ENOBUFS));
    EXPECT_EQ(a.buffered(), 0U);
  }
}

TEST_F(UdpTest, ALoopMayEndWithItUnderWay) {
  const std::size_t before = open_descriptors();
  {
    Loop other;
    UdpSocket socket(other);
    ASSERT_TRUE(socket.bind(SocketAddress::loopback(0)));
    socket.on_message([socket](auto, const Datagram&) {});
    other.run_nowait();
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(UdpTest, ADescriptorIsAdoptedAndThenOurs) {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const SocketAddress any_port = SocketAddress::loopback(0);
  ASSERT_EQ(::bind(fd, any_port.native(), any_port.native_size()), 0);
  UdpSocket a = bound();
  UdpSocket b(loop);
  ASSERT_TRUE(b.adopt(fd));
  EXPECT_EQ(b.fd(), fd);
  std::string got;
  b.on_message([&](auto bytes, const Datagram&) { got = to_string(bytes); });
  ASSERT_TRUE(a.send_to(b.local_address(), "hello"));
  run_until([&] { return !got.empty(); });
  EXPECT_EQ(got, "hello");
  b.close();
  EXPECT_EQ(::fcntl(fd, F_GETFD), -1);
}

TEST_F(UdpTest, WhatIsNoDatagramSocketIsNotAdopted) {
  UdpSocket a(loop);
  EXPECT_EQ(error_name(a.adopt(-1).error()), "EBADF");
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    const int domain = type == SOCK_STREAM ? AF_INET : AF_UNIX;
    const int fd = ::socket(domain, type | SOCK_CLOEXEC, 0);
    EXPECT_EQ(error_name(a.adopt(fd).error()), "EINVAL");
    EXPECT_EQ(::close(fd), 0);  // still the caller's
  }
}

}  // namespace
}  // namespace rondo
