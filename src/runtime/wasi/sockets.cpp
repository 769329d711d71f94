// The calls on sockets. A program has one only if a standard stream is one.
#include <sys/socket.h>

#include <cerrno>

#include "runtime/wasi/wasi.h"

namespace rondo::wasi {

Errno Wasi::sock_accept(const GuestMemory& memory, u32 fd, u32 flags, u32 result) {
  if (!memory.has(result, sizeof(u32))) return Errno::overflow;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::sock_accept, found);
      error != Errno::success) {
    return error;
  }
  const int options = SOCK_CLOEXEC | ((flags & fd_flag::nonblock) != 0 ? SOCK_NONBLOCK : 0);
  OwnedFd accepted(::accept4(found->fd, nullptr, nullptr, options));
  if (!accepted.valid()) return from_errno(errno);
  Descriptor made{.fd = accepted.get(),
                  .type = FileType::socket_stream,
                  .rights = most_rights(accepted.get(), FileType::socket_stream)};
  made.owned = std::move(accepted);
  memory.put<u32>(result, descriptors_.add(std::move(made)));
  return Errno::success;
}

Errno Wasi::sock_recv(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 flags, u32 size,
                      u32 result_flags) {
  constexpr u32 kPeek = 1;
  constexpr u32 kWaitAll = 2;
  constexpr std::uint16_t kTruncated = 1;
  if (!memory.has(result_flags, sizeof(std::uint16_t))) return Errno::overflow;
  if ((flags & ~(kPeek | kWaitAll)) != 0) return Errno::inval;
  int options = 0;
  if ((flags & kPeek) != 0) options |= MSG_PEEK;
  if ((flags & kWaitAll) != 0) options |= MSG_WAITALL;
  std::uint16_t found_flags = 0;
  const Errno error =
      transfer(memory, fd, right::fd_read, list, count, size, [&](int socket, const auto& buffers) {
        auto copy = buffers;
        struct ::msghdr message{};
        message.msg_iov = copy.data();
        message.msg_iovlen = copy.size();
        const ssize_t received = ::recvmsg(socket, &message, options);
        if ((message.msg_flags & MSG_TRUNC) != 0) found_flags = kTruncated;
        return received;
      });
  if (error == Errno::success) memory.put(result_flags, found_flags);
  return error;
}

Errno Wasi::sock_send(const GuestMemory& memory, u32 fd, u32 list, u32 count, u32 flags, u32 size) {
  if (flags != 0) return Errno::inval;
  return transfer(memory, fd, right::fd_write, list, count, size,
                  [](int socket, const auto& buffers) {
                    auto copy = buffers;
                    struct ::msghdr message{};
                    message.msg_iov = copy.data();
                    message.msg_iovlen = copy.size();
                    return ::sendmsg(socket, &message, MSG_NOSIGNAL);
                  });
}

Errno Wasi::sock_shutdown(const GuestMemory& /*memory*/, u32 fd, u32 how) {
  constexpr int kHow[] = {SHUT_RD, SHUT_WR, SHUT_RDWR};  // by WASI's bits, less one
  if (how == 0 || how > std::size(kHow)) return Errno::inval;
  Descriptor* found = nullptr;
  if (const Errno error = descriptors_.get(fd, right::sock_shutdown, found);
      error != Errno::success) {
    return error;
  }
  return ::shutdown(found->fd, kHow[how - 1]) == 0 ? Errno::success : from_errno(errno);
}

}  // namespace rondo::wasi
