// The load of the rows of servers that wrk has no mode for, and the server of the rows of clients:
// the same for all runtimes, in a process of its own, so that only the runtime's processor time is
// counted.
//
//   rondo_bench_load echo PORT CONNECTIONS BYTES    sends, waits for the same number of bytes,
//   sends again rondo_bench_load udp PORT SOCKETS BYTES         the same with datagrams
//   rondo_bench_load send PORT BYTES                sends so many bytes on one connection
//   rondo_bench_load idle PORT CONNECTIONS          one request on each connection, then nothing;
//   prints "ready" rondo_bench_load rate PORT CONNECTIONS RATE SECONDS
//                        so many requests a second; prints the 50, 99 and 99.9 percentile of the
//                        latency in microseconds, counted from when a request was due
//   rondo_bench_load serve                          prints its port, answers every GET request
//
// All but `rate` run until the other side closes, or standard input ends.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
constexpr std::string_view kResponse =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, world!";
constexpr std::string_view kEndOfHead = "\r\n\r\n";

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int connect_to(int port, int type = SOCK_STREAM) {
  const int fd = checked(::socket(AF_INET, type | SOCK_CLOEXEC, 0), "socket");
  const sockaddr_in address = loopback(port);
  checked(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "connect");
  const int on = 1;
  if (type == SOCK_STREAM) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return fd;
}

class Poll {
 public:
  void add(int fd, std::uint64_t data) const {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = data}};
    checked(::epoll_ctl(fd_, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
  }
  std::pair<const epoll_event*, int> wait(int timeout_ms) {
    const int count =
        ::epoll_wait(fd_, events_.data(), static_cast<int>(events_.size()), timeout_ms);
    return {events_.data(), errno == EINTR ? std::max(count, 0) : checked(count, "epoll_wait")};
  }

 private:
  int fd_ = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  std::array<epoll_event, 512> events_{};
};

/// Whether all of it went; false when the other side is gone.
bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

int echo(int port, int connections, std::size_t bytes, int type) {
  const std::string message(bytes, 'x');
  std::vector<std::pair<int, std::size_t>> sockets;
  Poll poll;
  for (int i = 0; i < connections; ++i) {
    sockets.emplace_back(connect_to(port, type), 0);
    poll.add(sockets.back().first, static_cast<std::uint64_t>(i));
    send_all(sockets.back().first, message);
  }
  std::string buffer(std::max<std::size_t>(bytes, 65536), '\0');
  for (;;) {
    // A datagram may be lost.
    const auto [events, count] = poll.wait(type == SOCK_DGRAM ? 200 : -1);
    if (count == 0) {
      for (const auto& [fd, received] : sockets) {
        if (!send_all(fd, message)) return 0;
      }
    }
    for (int i = 0; i < count; ++i) {
      auto& [fd, received] = sockets[events[i].data.u64];
      const ssize_t size = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size <= 0) return 0;
      received += static_cast<std::size_t>(size);
      if (received < bytes) continue;
      received -= bytes;
      if (!send_all(fd, message)) return 0;
    }
  }
}

int send_one_way(int port, std::size_t bytes) {
  const std::string chunk(65536, 'x');
  const int fd = connect_to(port);
  while (bytes > 0) {
    const std::size_t count = std::min(bytes, chunk.size());
    if (!send_all(fd, std::string_view(chunk).substr(0, count))) return 1;
    bytes -= count;
  }
  ::shutdown(fd, SHUT_WR);
  char byte = 0;
  while (::recv(fd, &byte, 1, 0) > 0) continue;
  return 0;
}

/// Reads one response. False when there is none.
bool answered(int fd) {
  std::array<char, 4096> buffer;
  return ::recv(fd, buffer.data(), buffer.size(), 0) > 0;
}

int stay_idle(int port, int connections) {
  for (int i = 0; i < connections; ++i) {
    const int fd = connect_to(port);
    if (!send_all(fd, kRequest) || !answered(fd)) return 1;
  }
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
  return 0;
}

int keep_rate(int port, int connections, double rate, double seconds) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  std::vector<int> fds;
  std::vector<Clock::time_point> due_of(static_cast<std::size_t>(connections));
  std::deque<std::size_t> free;
  Poll poll;
  for (int i = 0; i < connections; ++i) {
    fds.push_back(connect_to(port));
    poll.add(fds.back(), static_cast<std::uint64_t>(i));
    free.push_back(static_cast<std::size_t>(i));
  }
  std::vector<double> latencies;
  std::array<char, 16384> buffer;
  const auto start = Clock::now();
  const auto end = start + std::chrono::duration<double>(seconds);
  const std::chrono::duration<double> gap(1 / rate);
  std::uint64_t sent = 0;
  const auto due = [&] {
    return start + std::chrono::duration_cast<Clock::duration>(gap * static_cast<double>(sent));
  };
  for (auto now = start; now < end; now = Clock::now()) {
    for (; due() <= now && !free.empty(); ++sent) {
      const std::size_t i = free.front();
      free.pop_front();
      due_of[i] = due();
      if (!send_all(fds[i], kRequest)) return 1;
    }
    // It has a core to itself, and asks without waiting: a timer would be late.
    const auto [events, count] = poll.wait(0);
    for (int n = 0; n < count; ++n) {
      const std::size_t i = events[n].data.u64;
      if (::recv(fds[i], buffer.data(), buffer.size(), 0) <= 0) return 1;
      latencies.push_back(Microseconds(Clock::now() - due_of[i]).count());
      free.push_back(i);
    }
  }
  std::ranges::sort(latencies);
  const auto at = [&](double part) {
    return latencies.empty() ? 0.0
                             : latencies[static_cast<std::size_t>(
                                   part * static_cast<double>(latencies.size() - 1))];
  };
  std::printf("%.1f %.1f %.1f\n", at(0.5), at(0.99), at(0.999));
  return 0;
}

int serve() {
  constexpr std::uint64_t kListener = ~0ULL;
  const int listener = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in address = loopback(0);
  checked(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "bind");
  checked(::listen(listener, 511), "listen");
  socklen_t size = sizeof(address);
  checked(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);

  Poll poll;
  poll.add(listener, kListener);
  poll.add(STDIN_FILENO, STDIN_FILENO);
  std::vector<std::string> heads;  // what has arrived of one, by descriptor
  std::array<char, 65536> buffer;
  for (;;) {
    const auto [events, count] = poll.wait(-1);
    for (int i = 0; i < count; ++i) {
      const int fd = static_cast<int>(events[i].data.u64);
      if (fd == STDIN_FILENO) return 0;
      if (events[i].data.u64 == kListener) {
        const int made = checked(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC), "accept");
        const int on = 1;
        ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        heads.resize(std::max(heads.size(), static_cast<std::size_t>(made) + 1));
        heads[static_cast<std::size_t>(made)].clear();
        poll.add(made, static_cast<std::uint64_t>(made));
        continue;
      }
      const ssize_t received = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (received <= 0) {
        ::close(fd);
        continue;
      }
      std::string& head = heads[static_cast<std::size_t>(fd)];
      head.append(buffer.data(), static_cast<std::size_t>(received));
      std::string responses;
      for (std::size_t at = 0; (at = head.find(kEndOfHead)) != std::string::npos;) {
        head.erase(0, at + kEndOfHead.size());
        responses += kResponse;
      }
      send_all(fd, responses);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const auto number = [&](int index) { return index < argc ? std::atof(argv[index]) : 0; };
  const auto integer = [&](int index) { return static_cast<int>(number(index)); };
  const auto bytes = [&](int index) { return static_cast<std::size_t>(number(index)); };
  try {
    if (mode == "echo") return echo(integer(2), integer(3), bytes(4), SOCK_STREAM);
    if (mode == "udp") return echo(integer(2), integer(3), bytes(4), SOCK_DGRAM);
    if (mode == "send") return send_one_way(integer(2), bytes(3));
    if (mode == "idle") return stay_idle(integer(2), integer(3));
    if (mode == "rate") return keep_rate(integer(2), integer(3), number(4), number(5));
    if (mode == "serve") return serve();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load: %s\n", error.what());
    return 1;
  }
  std::fputs("load: no such mode\n", stderr);
  return 2;
}
