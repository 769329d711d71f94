// Sockets in a storm of signals, whose handler does not restart system calls: alone, because
// handlers and interval timers are the whole process's.
#include <signal.h>
#include <sys/time.h>

#include <atomic>

#include "io/net_fixture.h"

namespace rondo {
namespace {

using namespace net_test;

std::atomic<int> interruptions = 0;

/// Interrupts whatever the loop's thread does, every 100 microseconds.
class Storm {
 public:
  Storm() {
    struct sigaction action{};
    action.sa_handler = [](int) { interruptions.fetch_add(1, std::memory_order_relaxed); };
    ::sigaction(SIGALRM, &action, &before_);
    const itimerval often{.it_interval = {0, 100}, .it_value = {0, 100}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;
  ~Storm() {
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  struct sigaction before_{};
};

class NetSignals : public NetTest {};

TEST_F(NetSignals, NoByteIsLostAndNobodySeesAnInterruption) {
  constexpr int kConnections = 100;
  const std::string text = pattern(256U << 10);
  const Storm storm;
  TcpServer server(loop);
  server.on_connection([](TcpSocket socket) {
    socket.on_data([socket](auto bytes) mutable { EXPECT_TRUE(socket.write(bytes)); });
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0)));
  int done = 0;
  const auto client = [&]() -> Async<> {
    auto socket = co_await TcpSocket::connect(server.address());
    EXPECT_TRUE(socket) << socket.error().message();
    if (!socket) co_return;
    EXPECT_TRUE(co_await socket->write_all(text));
    socket->end();
    std::string echo;
    for (;;) {
      auto part = co_await socket->read();
      EXPECT_TRUE(part) << part.error().message();
      if (!part || part->empty()) break;
      echo += *part;
    }
    EXPECT_EQ(echo, text);
    ++done;
  };
  interruptions = 0;
  for (int i = 0; i < kConnections; ++i) {
    spawn(loop, client);
    run_until([&] { return done == i + 1; });
  }
  // The last few may still come while it is quiet.
  run_until([] { return interruptions.load() > 10; });
  server.close();
}

}  // namespace
}  // namespace rondo
