// An eventfd that one thread rings to wake another out of the kernel.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "io/descriptor.h"

namespace rondo {

class WakeEvent {
 public:
  WakeEvent() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (!fd_) throw std::system_error(errno, std::system_category(), "eventfd");
  }

  int fd() const noexcept { return fd_.get(); }

  /// Each signal wakes a thread that waits for an edge, which never has to read the counter. Should
  /// it run full after 2^64 rings, the write fails and is of no use either way.
  void ring() noexcept {
    const std::uint64_t one = 1;
    while (::write(fd_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
    }
  }

 private:
  Descriptor fd_;
};

}  // namespace rondo
