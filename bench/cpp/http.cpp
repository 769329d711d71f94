// HTTP on loopback, measured as the sockets are (sockets.cpp): by the CPU time of a server in a
// process of its own. Every connection has one request in progress, always.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

constexpr std::string_view kRequest =
    "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: rondo_bench\r\nAccept: */*\r\n\r\n";

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  expect(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
             ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0,
         "a client cannot connect");
  return fd;
}

class Connection {
 public:
  explicit Connection(std::uint16_t port, SSL_CTX* context = nullptr)
      : fd_(connect_to(port)), ssl_(context != nullptr ? SSL_new(context) : nullptr) {
    if (ssl_ == nullptr) return;
    SSL_set_fd(ssl_, fd_);
    expect(SSL_connect(ssl_) == 1, "a handshake has failed");
  }
  Connection(Connection&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), ssl_(std::exchange(other.ssl_, nullptr)) {}
  Connection& operator=(Connection&&) = delete;
  ~Connection() {
    if (ssl_ != nullptr) SSL_free(ssl_);
    if (fd_ < 0) return;
    const linger hard{.l_onoff = 1, .l_linger = 0};  // no port is left waiting
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    ::close(fd_);
  }

  int fd() const noexcept { return fd_; }
  void ask() const {
    const int size = static_cast<int>(kRequest.size());
    const auto sent = ssl_ != nullptr ? SSL_write(ssl_, kRequest.data(), size)
                                      : ::write(fd_, kRequest.data(), kRequest.size());
    expect(sent == size, "a short write");
  }
  /// Reads a whole response: what `body_bytes` says comes after its head.
  void hear(std::size_t body_bytes) const {
    std::array<char, 8192> buffer;
    std::size_t size = 0;
    for (;;) {
      const auto count = ssl_ != nullptr ? SSL_read(ssl_, buffer.data() + size,
                                                    static_cast<int>(buffer.size() - size))
                                         : ::read(fd_, buffer.data() + size, buffer.size() - size);
      expect(count > 0, "a server has ended");
      size += static_cast<std::size_t>(count);
      const std::string_view text(buffer.data(), size);
      const std::size_t head = text.find("\r\n\r\n");
      if (head == std::string_view::npos || size < head + 4 + body_bytes) continue;
      expect(text.starts_with("HTTP/1.1 200") && size == head + 4 + body_bytes, "a wrong response");
      return;
    }
  }

 private:
  int fd_;
  SSL* ssl_;
};

using ContextPtr = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;
ContextPtr make_context() {
  return {SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
}

/// CPU time of the server for a request.
double requests(Peer peer, Service service, std::size_t connections, std::size_t body_bytes) {
  constexpr std::size_t kRequests = 60'000;
  const ServerProcess::OnOneCore on_one_core;
  const ServerProcess server(peer, service);
  const ContextPtr context = make_context();
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connection> clients;
  clients.reserve(connections);
  for (std::size_t i = 0; i < connections; ++i) {
    const Connection& client = clients.emplace_back(
        server.port(), service == Service::https_hello ? context.get() : nullptr);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    expect(::epoll_ctl(epoll, EPOLL_CTL_ADD, client.fd(), &event) == 0, "epoll_ctl failed");
    client.ask();
  }
  std::array<epoll_event, 1024> events;
  const auto go = [&](std::size_t left) {
    while (left > 0) {
      const int count = ::epoll_wait(epoll, events.data(), events.size(), -1);
      for (int i = 0; i < count && left > 0; ++i, --left) {
        const Connection& client = clients[events[static_cast<std::size_t>(i)].data.u64];
        client.hear(body_bytes);
        client.ask();
      }
    }
  };
  go(kRequests / 10);
  const double before = server.cpu_ns();
  go(kRequests);
  const double spent = server.cpu_ns() - before;
  ::close(epoll);
  return spent / kRequests;
}

template <std::size_t Connections>
double hello(Peer peer) {
  return requests(peer, Service::http_hello, Connections, kHelloBody.size());
}
double file(Peer peer) {
  return requests(peer, Service::http_file, 64, kFileBytes);
}
double secure_hello(Peer peer) {
  return requests(peer, Service::https_hello, 64, kHelloBody.size());
}

/// CPU time of the server for a handshake in full: the client keeps no sessions.
double handshakes(Peer peer) {
  constexpr std::size_t kHandshakes = 1'000;
  const ServerProcess::OnOneCore on_one_core;
  const ServerProcess server(peer, Service::https_hello);
  const ContextPtr context = make_context();
  const auto go = [&](std::size_t count) {
    for (; count > 0; --count) const Connection one(server.port(), context.get());
  };
  go(kHandshakes / 10);
  const double before = server.cpu_ns();
  go(kHandshakes);
  return (server.cpu_ns() - before) / kHandshakes;
}

Row row(std::string name, Peer peer, std::string unit, double goal, double (*measure)(Peer)) {
  return {.group = "http",
          .name = std::move(name),
          .peer = peer == Peer::asio ? "Asio and llhttp" : "bare epoll and llhttp",
          .unit = std::move(unit),
          .goal = goal,
          .ours = [measure] { return measure(Peer::rondo); },
          .theirs = [measure, peer] { return measure(peer); }};
}

}  // namespace

std::vector<Row> http_rows() {
  const std::string per_request = "CPU ns/request";
  return {
      row("hello, 64 connections", Peer::asio, per_request, 1.3, hello<64>),
      row("hello, 64 connections", Peer::bare_epoll, per_request, 0.9, hello<64>),
      row("hello, 1,000 connections", Peer::asio, per_request, 1.3, hello<1000>),
      row("hello, 1,000 connections", Peer::bare_epoll, per_request, 0.9, hello<1000>),
      row("a file of 1 KiB, 64 connections", Peer::asio, per_request, 1.3, file),
      row("hello by HTTPS, 64 connections", Peer::asio, per_request, 1.2, secure_hello),
      row("handshake of TLS 1.3", Peer::asio, "CPU ns/handshake", 1.0, handshakes),
  };
}

}  // namespace rondo::bench
