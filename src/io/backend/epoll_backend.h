// The backend for where io_uring is missing or forbidden: readiness by epoll.
#pragma once

#include <sys/epoll.h>

#include <memory>
#include <vector>

#include "core/backend.h"
#include "io/backend/wake_event.h"
#include "io/descriptor.h"
#include "io/inherited.h"

namespace rondo {

class EpollBackend final : public Backend {
 public:
  /// Throws std::system_error where the kernel has no descriptor to give.
  EpollBackend();

  std::string_view name() const noexcept override { return "epoll"; }
  bool quiet() const noexcept override { return watched_ == 0; }
  std::size_t wait(std::optional<std::chrono::nanoseconds> timeout,
                   std::span<Completion> out) override;
  void wake() noexcept override { wake_.ring(); }
  void submit() override {}
  int descriptor() const noexcept override { return epoll_.get(); }
  std::error_code watch(Watch& watch) override;
  void unwatch(Watch& watch) noexcept override;
  void shut_down() noexcept override {}
  bool adopt() noexcept override { return !waited_; }

 private:
  int wait_for_events(std::optional<std::chrono::nanoseconds> timeout, int at_most) noexcept;

  ProcessMark process_;
  Descriptor epoll_;
  WakeEvent wake_;
  bool waited_ = false;
  std::size_t watched_ = 0;
  std::vector<epoll_event> events_;
  // Unwatched since the last wait(): the batch it returned may still mention them.
  std::vector<std::shared_ptr<Watch>> retired_;
  bool nanosecond_wait_ = true;  // epoll_pwait2: Linux 5.11
};

}  // namespace rondo
