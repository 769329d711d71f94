// The kernel cannot accept a connection: the server serves those that it has, and continues when it
// can. Alone, because the linker replaces the accept of the whole program.
#include "accept_faults.h"
#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

/// A base, so that it is there before the loop and after it.
struct WithFaults {
  test::AcceptFaults faults;
};

class AcceptErrors : private WithFaults, public NetTest, public testing::WithParamInterface<int> {
 protected:
  /// What a client says lands in `heard`.
  void serve(TcpServer& server) {
    server.on_connection([this](TcpSocket socket) {
      socket.on_data([this](auto bytes) { heard += to_string(bytes); });
      open.push_back(std::move(socket));
    });
    ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  }

  /// A client that speaks as soon as it is connected.
  static Peer client(const TcpServer& server, std::string_view says) {
    Peer peer(server.address());
    peer.send(says);
    return peer;
  }

  /// The server has met `count` errors.
  void run_until_failed(int count) {
    run_until([&] { return test::AcceptFaults::failed() >= count; });
  }

  /// From the first connection over the failure of the second to when there is room.
  void goes_on(TcpServer& server);

  std::vector<TcpSocket> open;
  std::string heard;
};

void AcceptErrors::goes_on(TcpServer& server) {
  const int error = GetParam();
  serve(server);
  const Peer first = client(server, "a");
  run_until([&] { return heard == "a"; });

  test::AcceptFaults::fail_with(error);
  const Peer second = client(server, "b");
  run_until_failed(1);
  first.send("c");
  run_until([&] { return heard == "ac"; });
  if (error == ECONNABORTED) {
    EXPECT_EQ(second.receive(), "");  // lost
    const Peer another = client(server, "x");
    run_until_failed(2);
  } else {
    run_until_failed(4);  // it tries again and again
  }
  EXPECT_EQ(open.size(), 1U);

  test::AcceptFaults::stop();
  if (error == ECONNABORTED) {
    const Peer third = client(server, "b");
    run_until([&] { return heard == "acb"; });
  } else {
    run_until([&] { return heard == "acb"; });  // it was in the backlog
  }
  const Peer last = client(server, "d");
  run_until([&] { return heard == "acbd"; });
  EXPECT_EQ(open.size(), 3U);
}

TEST_P(AcceptErrors, AServerServesItsConnectionsAndGoesOn) {
  TcpServer server(loop);
  std::vector<std::string> errors;
  server.on_error([&](std::error_code error) { errors.emplace_back(error_name(error)); });
  goes_on(server);
  if (GetParam() == ECONNABORTED) {
    EXPECT_TRUE(errors.empty());  // of a client that has left
  } else {
    EXPECT_EQ(errors, std::vector{std::string(error_name(errno_code(GetParam())))});  // told once
  }
}

TEST_P(AcceptErrors, SoDoesAServerWithoutAListenerForErrors) {
  TcpServer server(loop);
  goes_on(server);
}

TEST_P(AcceptErrors, OneWhoAwaitsAConnectionGetsTheNext) {
  TcpServer server(loop);
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  test::AcceptFaults::fail_with(GetParam());
  bool got = false;
  server.accept().then(loop, [&](Expected<TcpSocket> socket) { got = socket.has_value(); });
  const Peer peer = client(server, "a");
  run_until_failed(1);
  test::AcceptFaults::stop();
  EXPECT_FALSE(got);
  const Peer another = client(server, "b");
  run_until([&] { return got; });
}

TEST_P(AcceptErrors, TheServerCanBeClosed) {
  TcpServer server(loop);
  serve(server);
  test::AcceptFaults::fail_with(GetParam());
  const Peer peer = client(server, "a");
  run_until_failed(1);
  bool closed = false;
  server.close([&] { closed = true; });
  run_until([&] { return closed; });
  EXPECT_EQ(peer.receive(), "");
  loop.run();  // nothing keeps it alive
  EXPECT_TRUE(open.empty());
}

using AcceptShortages = AcceptErrors;

// It does not ask in every iteration: the connection that it cannot take stays ready.
TEST_P(AcceptShortages, TheServerLeavesTheKernelAloneForAWhile) {
  TcpServer server(loop);
  serve(server);
  test::AcceptFaults::fail_with(GetParam());
  const Peer peer = client(server, "a");
  run_until_failed(1);
  bool over = false;
  const int before = test::AcceptFaults::failed();
  loop.set_timeout(300ms, [&] { over = true; });
  run_until([&] { return over; });
  // One attempt in 50 ms, and another with the descriptor in reserve.
  EXPECT_LE(test::AcceptFaults::failed() - before, 2 * (300 / 50 + 1));
}

using AcceptErrorOnce = AcceptErrors;

// No descriptor in the whole system, but the one in reserve is ours.
TEST_P(AcceptErrorOnce, ConnectionsAreTurnedAwayInPlaceOfTheReserve) {
  TcpServer server(loop);
  serve(server);
  test::AcceptFaults::fail_with(GetParam(), 1);
  const Peer first = client(server, "a");
  run_until([&] { return first.readable(); });
  EXPECT_EQ(first.receive(), "");
  EXPECT_EQ(test::AcceptFaults::failed(), 1);
  const Peer second = client(server, "b");
  run_until([&] { return heard == "b"; });
  EXPECT_EQ(open.size(), 1U);
}

std::string name(const testing::TestParamInfo<int>& instance) {
  return std::string(error_name(errno_code(instance.param)));
}

INSTANTIATE_TEST_SUITE_P(Errors, AcceptErrors,
                         testing::Values(EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED), name);
INSTANTIATE_TEST_SUITE_P(Errors, AcceptShortages, testing::Values(EMFILE, ENFILE, ENOBUFS, ENOMEM),
                         name);
INSTANTIATE_TEST_SUITE_P(Errors, AcceptErrorOnce, testing::Values(EMFILE, ENFILE), name);

}  // namespace
}  // namespace rondo
