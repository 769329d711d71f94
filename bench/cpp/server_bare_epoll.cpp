// The least that a server can do: no callbacks, no buffers, no errors worth the name. It only
// echoes and closes; what does not fit into a socket at once is beyond it.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "harness.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

void add(int epoll, int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
  expect(::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl failed");
}

void accept_all(int epoll, int listener, Service service) {
  for (;;) {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    service == Service::close ? static_cast<void>(::close(fd)) : add(epoll, fd);
  }
}

void echo(int fd) {
  static std::array<char, 65536> buffer;
  const ssize_t size = ::read(fd, buffer.data(), buffer.size());
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0 || ::write(fd, buffer.data(), static_cast<std::size_t>(size)) != size) ::close(fd);
}

}  // namespace

void serve_with_bare_epoll(Service service) {
  expect(service != Service::write_blocks, "the bare loop cannot wait for a slow reader");
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
  add(epoll, listener);
  say_port(ntohs(address.sin_port));
  std::array<epoll_event, 1024> events;
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      fd == listener ? accept_all(epoll, listener, service) : echo(fd);
    }
  }
}

}  // namespace rondo::bench
