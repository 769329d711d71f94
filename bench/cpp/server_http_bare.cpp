// The least that an HTTP server can do: epoll, llhttp, one read and one write. What does not fit
// into a socket at once is beyond it, and so are errors.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <unordered_map>

#include "harness.h"
#include "server_http.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

struct BareConnection {
  int fd;
  RequestCounter parser;
};

void answer(std::unordered_map<int, BareConnection>& connections, BareConnection& connection) {
  static std::array<char, 65536> buffer;
  const ssize_t size = ::read(connection.fd, buffer.data(), buffer.size());
  if (size <= 0) {
    const int fd = connection.fd;
    connections.erase(fd);
    ::close(fd);
    return;
  }
  std::size_t left = connection.parser.feed(buffer.data(), static_cast<std::size_t>(size));
  for (; left > 0; --left) {
    expect(::write(connection.fd, kHello.data(), kHello.size()) == ssize_t{kHello.size()},
           "a short write");
  }
}

}  // namespace

void serve_http_with_bare_epoll(Service service) {
  expect(service == Service::http_hello, "the bare loop says hello only");
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* native = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  expect(::bind(listener, native, size) == 0 && ::listen(listener, 511) == 0 &&
             ::getsockname(listener, native, &size) == 0,
         "cannot listen");
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{.events = EPOLLIN, .data = {.ptr = nullptr}};
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  say_port(ntohs(address.sin_port));
  std::unordered_map<int, BareConnection> connections;
  std::array<epoll_event, 1024> events;
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      void* const which = events[static_cast<std::size_t>(i)].data.ptr;
      if (which != nullptr) {
        answer(connections, *static_cast<BareConnection*>(which));
        continue;
      }
      for (;;) {
        const int fd = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) break;
        BareConnection& made = connections[fd];
        made.fd = fd;
        epoll_event readable{.events = EPOLLIN, .data = {.ptr = &made}};
        expect(::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &readable) == 0, "epoll_ctl failed");
      }
    }
  }
}

}  // namespace rondo::bench
