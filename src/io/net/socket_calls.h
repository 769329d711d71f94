// System calls on sockets, with errors as values.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <span>
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

/// Sends without waiting; `message` may have an address or control data. The number of bytes, or
/// -1 and errno, which is never EINTR.
inline ssize_t send_pieces(int fd, std::span<const iovec> pieces, msghdr message = {}) noexcept {
  constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
  // Of one piece alone, send() has less to copy into the kernel.
  const bool plain =
      pieces.size() == 1 && message.msg_name == nullptr && message.msg_control == nullptr;
  ssize_t count = 0;
  do {
    count = plain ? ::send(fd, pieces[0].iov_base, pieces[0].iov_len, kFlags)
                  : ::sendmsg(fd, &message, kFlags);
  } while (count < 0 && errno == EINTR);
  return count;
}

SocketAddress local_address_of(int fd) noexcept;
SocketAddress peer_address_of(int fd) noexcept;

/// Sets what differs from the kernel's defaults.
std::error_code apply(int fd, const TcpOptions& options) noexcept;
std::error_code set_keep_alive(int fd, std::optional<std::chrono::seconds> after) noexcept;

}  // namespace rondo
