// The backend on io_uring: one system call per iteration submits everything gathered and waits.
#pragma once

#include <memory>
#include <vector>

#include "core/backend.h"
#include "io/uring_ring.h"
#include "io/wake_event.h"

namespace rondo {

class UringBackend final : public Backend {
 public:
  /// Throws std::system_error when the kernel refuses io_uring.
  UringBackend();

  std::string_view name() const noexcept override { return "uring"; }
  bool quiet() const noexcept override;
  std::size_t wait(std::optional<std::chrono::nanoseconds> timeout,
                   std::span<Completion> out) override;
  void wake() noexcept override { wake_.ring(); }
  void submit() override;
  int descriptor() const noexcept override { return ring_.fd(); }
  std::error_code watch(Watch& watch) override;
  void unwatch(Watch& watch) noexcept override;
  bool adopt() noexcept override { return !ring_.enabled(); }

 private:
  void gather();
  io_uring_sqe* entry();
  bool arm_wake();
  bool arm(Watch& watch);
  bool cancel(Watch& watch);
  std::size_t collect(std::span<Completion> out);
  bool completed(Watch& watch, std::int32_t result);

  WakeEvent wake_;
  UringRing ring_;
  bool wake_armed_ = false;

  // Entries for the kernel are made in gather() only, when it is about to be entered. A watch
  // that was just reported is thus asked about again only after its callback has run; and
  // waiting here keeps those alive that the last batch mentions.
  std::vector<std::shared_ptr<Watch>> to_arm_;
  std::vector<std::shared_ptr<Watch>> to_cancel_;
  // Armed: the kernel will name them in a completion, wanted or not. Watch::slot_ is the place.
  std::vector<std::shared_ptr<Watch>> in_kernel_;
  std::vector<const Watch*> watcher_of_;  // by descriptor
};

}  // namespace rondo
