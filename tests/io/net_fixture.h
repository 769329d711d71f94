// What the tests of sockets share: a loop with a guard against waiting for ever, and peers made of
// bare system calls that behave as badly as a test wants them to.
#pragma once

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rondo/net.h"
#include "rondo/rondo.h"

#include "io/dead_port.h"
#include "io/descriptor.h"
#include "pattern.h"

namespace rondo::net_test {

using namespace std::chrono_literals;

inline std::string to_string(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

/// A blocking TCP socket of the operating system.
class Peer {
 public:
  Peer() = default;
  explicit Peer(int fd) : fd_(fd) {}
  explicit Peer(const SocketAddress& address)
      : fd_(::socket(address.native()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (::connect(fd_.get(), address.native(), address.native_size()) != 0) {
      // Continuing would only wait forever.
      throw std::system_error(errno, std::system_category(), "connect");
    }
  }

  int fd() const { return fd_.get(); }
  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(fd(), text.data(), text.size(), MSG_NOSIGNAL);
      ASSERT_GT(count, 0) << std::strerror(errno);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// What there is, waiting for the first byte; empty at the end.
  std::string receive(std::size_t at_most = 1U << 16) const {
    std::string text(at_most, '\0');
    const ssize_t count = ::recv(fd(), text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }
  std::string receive_exactly(std::size_t size) const {
    std::string text;
    while (text.size() < size) {
      const std::string part = receive(std::min<std::size_t>(size - text.size(), 1U << 16));
      if (part.empty()) break;
      text += part;
    }
    return text;
  }
  /// Whether a read would not block.
  bool readable(int wait_ms = 0) const {
    pollfd poll{fd(), POLLIN, 0};
    return ::poll(&poll, 1, wait_ms) > 0;
  }
  /// send() of 200,000 bytes does not wait for a reader, whatever the system's default is.
  void make_room() const {
    const int bytes = 212'992;  // which the kernel doubles
    EXPECT_EQ(::setsockopt(fd(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)), 0);
  }
  void shut() const { ::shutdown(fd(), SHUT_WR); }
  void reset() {
    const linger hard{1, 0};
    ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    close();
  }
  void close() { fd_ = Descriptor(); }

 private:
  Descriptor fd_;
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rondo-net-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path;
};

class NetTest : public testing::Test {
 protected:
  NetTest() {
    guard_ = loop.set_timeout(60s, [] {
      std::fputs("a test of sockets waits for something that does not come\n", stderr);
      std::abort();
    });
    guard_.unref();
    // What a test waits for may happen outside of the loop.
    pulse_ = loop.set_interval(1ms, [] {});
    pulse_.unref();
  }

  /// Iterates until `done` holds, which must happen by itself.
  void run_until(const std::function<bool()>& done) {
    while (!done()) loop.run_once();
  }

  /// A server whose connections land in `accepted`.
  TcpServer listening_server(ListenOptions options = {}) {
    TcpServer server(loop);
    server.on_connection([this](TcpSocket socket) { accepted.push_back(std::move(socket)); });
    EXPECT_TRUE(server.listen(SocketAddress::loopback(0), options));
    return server;
  }
  /// A connected pair: ours, and theirs.
  std::pair<TcpSocket, Peer> connected(ListenOptions options = {}) {
    TcpServer server = listening_server(options);
    Peer peer(server.address());
    run_until([&] { return !accepted.empty(); });
    TcpSocket socket = std::move(accepted.back());
    accepted.pop_back();
    server.close();
    return {std::move(socket), std::move(peer)};
  }

  Loop loop;
  std::vector<TcpSocket> accepted;

 private:
  Timer guard_;
  Timer pulse_;
};

}  // namespace rondo::net_test
