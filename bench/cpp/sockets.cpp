// TCP on loopback. The servers run in processes of their own (server_process.h); what counts is
// their CPU time, because the client in this process is the limit.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/version.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <uv.h>

#include "rows.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

constexpr std::size_t kMessageBytes = 64;

class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    expect(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
               ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) == 0,
           "a client cannot connect");
  }
  Client(Client&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Client& operator=(Client&&) = delete;
  ~Client() {
    if (fd_ < 0) return;
    // With a reset: no port is left waiting.
    const linger hard{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    ::close(fd_);
  }

  int fd() const noexcept { return fd_; }
  void send_message() const {
    static const std::string kMessage(kMessageBytes, 'm');
    expect(::write(fd_, kMessage.data(), kMessageBytes) == ssize_t{kMessageBytes}, "a short write");
  }
  void receive_message() const {
    std::array<char, kMessageBytes + 1> buffer;
    expect(::read(fd_, buffer.data(), buffer.size()) == ssize_t{kMessageBytes},
           "not the echo of one message");
  }
  /// The number of bytes, zero at the end.
  std::size_t receive(std::vector<char>& buffer) const {
    const ssize_t size = ::read(fd_, buffer.data(), buffer.size());
    expect(size >= 0, "a client cannot read");
    return static_cast<std::size_t>(size);
  }

 private:
  int fd_;
};

/// Every connection has one message in progress, always.
class EchoClients {
 public:
  EchoClients(std::uint16_t port, std::size_t connections)
      : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    clients_.reserve(connections);
    for (std::size_t i = 0; i < connections; ++i) {
      const Client& client = clients_.emplace_back(port);
      epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
      expect(::epoll_ctl(epoll_, EPOLL_CTL_ADD, client.fd(), &event) == 0, "epoll_ctl failed");
      client.send_message();
    }
  }
  EchoClients(const EchoClients&) = delete;
  EchoClients& operator=(const EchoClients&) = delete;
  ~EchoClients() { ::close(epoll_); }

  void go(std::size_t round_trips) {
    std::array<epoll_event, 1024> events;
    while (round_trips > 0) {
      const int count = ::epoll_wait(epoll_, events.data(), events.size(), -1);
      for (int i = 0; i < count && round_trips > 0; ++i, --round_trips) {
        const Client& client = clients_[events[static_cast<std::size_t>(i)].data.u64];
        client.receive_message();
        client.send_message();
      }
    }
  }

 private:
  int epoll_;
  std::vector<Client> clients_;
};

template <std::size_t Connections>
double echo(Peer peer) {
  constexpr std::size_t kRoundTrips = 100'000;
  const ServerProcess::OnOneCore on_one_core;
  const ServerProcess server(peer, Service::echo);
  EchoClients clients(server.port(), Connections);
  clients.go(kRoundTrips / 10);
  const double before = server.cpu_ns();
  clients.go(kRoundTrips);
  return (server.cpu_ns() - before) / kRoundTrips;
}

/// By the clock: how many round trips the server and this client get through together, with as many
/// loops as the service says.
double echo_on_loops(Service service) {
  constexpr std::size_t kRoundTrips = 50'000;
  const ServerProcess server(Peer::rondo, service);
  EchoClients clients(server.port(), 64);
  clients.go(kRoundTrips / 10);
  Stopwatch watch;
  watch.start();
  clients.go(kRoundTrips);
  watch.stop();
  return watch.ns_per(kRoundTrips);
}

/// Memory of a server that has served a connection and waits for the next.
double idle_memory(Peer peer) {
  const ServerProcess server(peer, Service::echo);
  EchoClients(server.port(), 1).go(100);
  return server.private_kib();
}

double write_blocks(Peer peer) {
  constexpr std::size_t kBlocks = 2000;
  const ServerProcess server(peer, Service::write_blocks);
  const Client client(server.port());
  std::vector<char> buffer(kBlockBytes);
  const auto read = [&](std::size_t bytes) {
    for (std::size_t size = 0; bytes > 0; bytes -= std::min(bytes, size)) {
      size = client.receive(buffer);
      expect(size > 0, "a server has ended");
    }
  };
  read(100 * kBlockBytes);
  const double before = server.cpu_ns();
  read(kBlocks * kBlockBytes);
  return (server.cpu_ns() - before) / kBlocks;
}

/// Calls `spent`, which returns nanoseconds, before and after.
template <class Spent>
double accept_and_close(const ServerProcess& server, Spent&& spent) {
  constexpr std::size_t kConnections = 20'000;
  constexpr std::size_t kAtOnce = 50;
  std::vector<char> buffer(16);
  const auto go = [&](std::size_t connections) {
    for (std::size_t done = 0; done < connections; done += kAtOnce) {
      std::vector<Client> clients;
      clients.reserve(kAtOnce);
      for (std::size_t i = 0; i < kAtOnce; ++i) clients.emplace_back(server.port());
      for (const Client& client : clients) expect(client.receive(buffer) == 0, "no end");
    }
  };
  go(kConnections / 10);
  const double before = spent();
  go(kConnections);
  return (spent() - before) / kConnections;
}

double accept_and_close_cpu(Peer peer) {
  const ServerProcess::OnOneCore on_one_core;
  const ServerProcess server(peer, Service::close);
  return accept_and_close(server, [&] { return server.cpu_ns(); });
}

double accept_and_close_wall(Peer peer) {
  const ServerProcess server(peer, Service::close);
  return accept_and_close(server, [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(now).count();
  });
}

std::string name_of(Peer peer) {
  switch (peer) {
    case Peer::rondo:
      return "rondo";
    case Peer::libuv:
      return std::string("libuv ") + uv_version_string();
    case Peer::tuned_libuv:
      return "tuned libuv";
    case Peer::asio:
      return "Asio " + std::to_string(ASIO_VERSION / 100000) + '.' +
             std::to_string(ASIO_VERSION / 100 % 1000) + '.' + std::to_string(ASIO_VERSION % 100);
    case Peer::bare_epoll:
      return "bare epoll";
  }
  return "";
}

Row row(std::string name, Peer peer, std::string unit, std::optional<double> goal,
        double (*measure)(Peer)) {
  return {.group = "sockets",
          .name = std::move(name),
          .peer = name_of(peer),
          .unit = std::move(unit),
          .goal = goal,
          .ours = [measure] { return measure(Peer::rondo); },
          .theirs = [measure, peer] { return measure(peer); }};
}

/// What more loops bring, and what more loops than cores cost.
Row loops_row(std::string name, Service service, std::string peer, Service other,
              std::optional<double> goal) {
  return {.group = "sockets",
          .name = std::move(name),
          .peer = std::move(peer),
          .unit = "ns/trip",
          .goal = goal,
          .ours = [service] { return echo_on_loops(service); },
          .theirs = [other] { return echo_on_loops(other); }};
}

}  // namespace

std::vector<Row> socket_rows() {
  const std::string few = "echo of 64 bytes, 64 connections";
  const std::string many = "echo of 64 bytes, 1,000 connections";
  const std::string trip = "CPU ns/trip";
  return {
      row(few, Peer::libuv, trip, 1.2, echo<64>),
      row(few, Peer::tuned_libuv, trip, 1.2, echo<64>),
      row(few, Peer::asio, trip, 1.2, echo<64>),
      row(few, Peer::bare_epoll, trip, 0.9, echo<64>),
      row(many, Peer::libuv, trip, 1.2, echo<1000>),
      row(many, Peer::tuned_libuv, trip, 1.2, echo<1000>),
      loops_row("echo on 2 loops", Service::echo_2_loops, "one loop", Service::echo, std::nullopt),
      loops_row("echo on 4 loops", Service::echo_4_loops, "2 loops", Service::echo_2_loops, 0.9),
      loops_row("echo on 8 loops", Service::echo_8_loops, "2 loops", Service::echo_2_loops, 0.9),
      row("memory of an idle echo server", Peer::asio, "KiB", 1.0, idle_memory),
      row("1 MiB writes, one connection", Peer::libuv, "CPU ns/MiB", 1.1, write_blocks),
      row("accept and close", Peer::libuv, "CPU ns/conn", 1.2, accept_and_close_cpu),
      row("accept and close, by the clock", Peer::libuv, "ns/conn", std::nullopt,
          accept_and_close_wall),
  };
}

}  // namespace rondo::bench
