// What most tests of the loop need: a loop on a virtual clock, and a record of what ran.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo::test {

using Trace = std::vector<std::string>;

/// A loop whose time moves only when it would sleep or when a test says so: nothing here waits.
class LoopTest : public ::testing::Test {
 protected:
  /// A callback that writes its name down.
  auto log(std::string name) {
    return [this, name = std::move(name)] { trace.push_back(name); };
  }
  /// A callback that writes down its name and the loop's time.
  auto log_time(std::string name) {
    return [this, name = std::move(name)] {
      trace.push_back(name + "@" + std::to_string(loop.now().count()));
    };
  }
  /// A callback that writes down its name and the phase it runs in.
  auto log_phase(std::string name) {
    return [this, name = std::move(name)] {
      trace.push_back(name + ":" + std::string(to_string(loop.phase())));
    };
  }

  VirtualClock clock;
  Trace trace;
  Loop loop{{.clock = &clock}};
};

/// A descriptor that is readable when rung and always writable: the smallest piece of I/O.
class Bell {
 public:
  explicit Bell(std::uint64_t rings = 0)
      : fd_(::eventfd(static_cast<unsigned>(rings), EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (fd_ < 0) ADD_FAILURE() << "eventfd: no descriptor";
  }
  Bell(Bell&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Bell& operator=(Bell&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }
  void ring() const {
    const std::uint64_t one = 1;
    if (::write(fd_, &one, sizeof(one)) != sizeof(one)) ADD_FAILURE() << "eventfd: write";
  }
  /// Makes it unreadable. False if it was not readable.
  bool silence() const {
    std::uint64_t count = 0;
    return ::read(fd_, &count, sizeof(count)) == sizeof(count);
  }

 private:
  int fd_;
};

}  // namespace rondo::test
