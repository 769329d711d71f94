// System calls on sockets, with errors as values.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "rondo/net.h"

#include "io/descriptor.h"

namespace rondo {

inline Expected<Descriptor> open_socket(const SocketAddress& address, int type) {
  Descriptor fd(::socket(address.native()->sa_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return std::unexpected(errno_code(errno));
  return fd;
}

inline std::error_code set_option(int fd, int level, int name, int value) noexcept {
  if (::setsockopt(fd, level, name, &value, sizeof(value)) != 0) return errno_code(errno);
  return {};
}

inline std::error_code bind_socket(int fd, const SocketAddress& address) noexcept {
  if (::bind(fd, address.native(), address.native_size()) != 0) return errno_code(errno);
  return {};
}

SocketAddress local_address_of(int fd) noexcept;
SocketAddress peer_address_of(int fd) noexcept;

/// Sets what differs from the kernel's defaults.
std::error_code apply(int fd, const TcpOptions& options) noexcept;
std::error_code set_keep_alive(int fd, std::optional<std::chrono::seconds> after) noexcept;

}  // namespace rondo
