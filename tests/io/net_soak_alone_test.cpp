// Ten thousand connections, one after the other and all at once: alone, because it counts the
// memory of the whole process.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <memory>

#include "io/net_fixture.h"

// The allocator of a sanitizer is not the one that mallinfo2() describes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsCounted = false;
#else
constexpr bool kMemoryIsCounted = true;
#endif

namespace rondo {
namespace {

using namespace net_test;

std::size_t bytes_in_use() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

class SoakTest : public NetTest {
 protected:
  void echo(int connections, int at_once) {
    TcpServer server(loop);
    int closed = 0;
    server.on_connection([&](TcpSocket socket) {
      socket.on_data([socket](auto bytes) mutable { EXPECT_TRUE(socket.write(bytes)); });
      socket.on_close([&] { ++closed; });
    });
    ASSERT_TRUE(server.listen(SocketAddress::loopback(0), {.backlog = 1024}));
    for (int done = 0; done < connections; done += at_once) {
      std::vector<Peer> peers;
      for (int i = 0; i < at_once; ++i) {
        peers.emplace_back(server.address());
        peers.back().send("hello");
      }
      for (const Peer& peer : peers) {
        run_until([&] { return peer.readable(); });
        EXPECT_EQ(peer.receive(), "hello");
      }
      for (std::size_t i = 0; i < peers.size(); ++i)
        i % 2 == 0 ? peers[i].close() : peers[i].reset();
      run_until([&] { return closed == done + at_once; });
    }
    server.close();
    loop.run();
  }
};

TEST_F(SoakTest, TenThousandConnectionsLeaveNothingBehind) {
  echo(400, 50);  // fills the pools
  const std::size_t descriptors = open_descriptors();
  const std::size_t bytes = bytes_in_use();
  echo(10'000, 50);
  EXPECT_EQ(open_descriptors(), descriptors);
  if (kMemoryIsCounted) {
    EXPECT_LE(bytes_in_use(), bytes + 4096);
  }
}

/// Connections made by another process, so that both ends together need not fit into one table of
/// descriptors. They stay until it goes.
class Crowd {
 public:
  explicit Crowd(const SocketAddress& address) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    commands_ = Descriptor(ends[1]);
    child_ = ::fork();
    if (child_ != 0) {
      ::close(ends[0]);
      return;
    }
    ::close(commands_.release());  // the end of the parent is our end
    for (int count = 0; ::read(ends[0], &count, sizeof(count)) == sizeof(count);) {
      while (count-- > 0) {
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        if (::connect(fd, address.native(), address.native_size()) != 0) ::_exit(1);
      }
    }
    ::_exit(0);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    commands_ = Descriptor();
    int status = 0;
    ::waitpid(child_, &status, 0);
    EXPECT_EQ(status, 0);
  }

  void connect(int count) {
    EXPECT_EQ(::write(commands_.get(), &count, sizeof(count)), ssize_t{sizeof(count)});
  }

 private:
  Descriptor commands_;
  pid_t child_ = -1;
};

TEST_F(SoakTest, AnIdleConnectionCostsLittle) {
  constexpr std::size_t kConnections = 10'000;
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < kConnections + 100) GTEST_SKIP() << "too few descriptors here";

  TcpServer server(loop);
  std::vector<TcpSocket> sockets;
  sockets.reserve(kConnections);
  server.on_connection([&](TcpSocket socket) {
    socket.on_data([](auto) {});
    socket.on_end([] {});
    socket.on_close([] {});
    sockets.push_back(std::move(socket));
  });
  ASSERT_TRUE(server.listen(SocketAddress::loopback(0), {.backlog = 1024}));
  Crowd crowd(server.address());
  const auto grow_to = [&](std::size_t size) {
    crowd.connect(static_cast<int>(size - sockets.size()));
    run_until([&] { return sockets.size() == size; });
    for (int i = 0; i < 3; ++i) loop.run_nowait();
  };
  grow_to(1);
  const std::size_t before = bytes_in_use();
  for (std::size_t size = 500; size <= kConnections; size += 500) grow_to(size);
  const std::size_t each = (bytes_in_use() - before) / (kConnections - 1);
  if (kMemoryIsCounted) {
    EXPECT_LE(each, 1024U);
  }
  RecordProperty("bytes_each", static_cast<int>(each));
  std::printf("%zu bytes for each idle connection\n", each);
  server.close();
}

}  // namespace
}  // namespace rondo
