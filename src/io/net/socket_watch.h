// Readiness of a descriptor that belongs to a socket: the backend may keep the watch for a while
// after the socket has released it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

/// Notified of what its descriptor is ready for.
class Watcher {
 public:
  virtual void ready(std::uint32_t events) = 0;

 protected:
  ~Watcher() = default;
};

class SocketWatch {
 public:
  explicit SocketWatch(Watcher& watcher) noexcept : watcher_(watcher) {}
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;
  ~SocketWatch() { forget(); }

  /// Watches for exactly these events; none ends it.
  std::error_code want(LoopCore& core, int fd, std::uint32_t events) {
    if (events == wanted()) return {};
    if (events == 0) {
      stop(core);
      return {};
    }
    if (watch_ == nullptr) watch_ = std::make_shared<Inner>(watcher_);
    watch_->fd = fd;
    watch_->events = events;
    return core.backend().watch(*watch_);
  }

  void stop(LoopCore& core) noexcept {
    if (watch_ == nullptr) return;
    core.backend().unwatch(*watch_);
    forget();
  }

  /// Also, the kernel has released the descriptor when this returns.
  void stop_now(LoopCore& core) noexcept {
    if (watch_ == nullptr) return;
    core.backend().unwatch_now(*watch_);
    forget();
  }

  /// The backend is gone.
  void forget() noexcept {
    if (watch_ == nullptr) return;
    watch_->watcher = nullptr;
    watch_ = nullptr;
  }

  std::uint32_t wanted() const noexcept {
    return watch_ != nullptr && watch_->wanted ? watch_->events : 0;
  }

 private:
  struct Inner final : Watch {
    explicit Inner(Watcher& to_report) noexcept : watcher(&to_report) {}
    void complete(std::int32_t result, std::uint32_t /*flags*/) override {
      if (watcher == nullptr || !wanted) return;
      constexpr std::uint32_t kError = 0x8;  // POLLERR: not to be watched at all
      watcher->ready(result < 0 ? kError : static_cast<std::uint32_t>(result));
    }
    Watcher* watcher;
  };

  Watcher& watcher_;
  std::shared_ptr<Inner> watch_;
};

}  // namespace rondo
