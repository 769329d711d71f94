// write(2) without SIGPIPE.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <span>

namespace rondo {

/// Keeps SIGPIPE from this thread while something is written, and takes away the one that this
/// raised. One that was pending before stays.
class NoSigpipe {
 public:
  NoSigpipe() noexcept {
    sigset_t pending;
    sigemptyset(&pending);
    ::sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    if (was_pending_) return;  // it is blocked, then, and one more makes no difference
    sigset_t only = sigpipe();
    ::pthread_sigmask(SIG_BLOCK, &only, &before_);
  }
  ~NoSigpipe() {
    if (was_pending_) return;
    const int saved_errno = errno;
    if (raised_) {
      const sigset_t only = sigpipe();
      const timespec now{};
      while (::sigtimedwait(&only, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved_errno;
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

  void raised() noexcept { raised_ = true; }

 private:
  static sigset_t sigpipe() noexcept {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGPIPE);
    return only;
  }

  bool was_pending_ = false;
  bool raised_ = false;
  sigset_t before_{};
};

/// Like write(2) without SIGPIPE: on a socket by the flag, on anything else by the signal mask.
inline ssize_t quiet_write(int fd, std::span<const std::byte> data, bool is_socket) noexcept {
  if (is_socket) return ::send(fd, data.data(), data.size(), MSG_NOSIGNAL);
  NoSigpipe no_sigpipe;
  const ssize_t count = ::write(fd, data.data(), data.size());
  if (count < 0 && errno == EPIPE) no_sigpipe.raised();
  return count;
}

}  // namespace rondo
