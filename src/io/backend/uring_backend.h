// The backend on io_uring: one system call per iteration submits everything gathered and waits.
#pragma once

#include <memory>
#include <vector>

#include "core/backend.h"
#include "io/backend/buffer_ring.h"
#include "io/backend/uring_ring.h"
#include "io/backend/wake_event.h"
#include "io/inherited.h"

namespace rondo {

/// An operation that the ring carries out.
class UringOperation : public Operation {
 public:
  /// Fills in the entry, all but user_data. What it points to stays until the operation is
  /// complete. Called when there is room in the ring, at once as a rule.
  virtual void prepare(io_uring_sqe& entry) noexcept = 0;

  /// The backend's: the kernel has not given its last answer yet.
  bool under_way = false;

 protected:
  ~UringOperation() = default;
};

class UringBackend final : public Backend {
 public:
  /// Throws std::system_error when the kernel refuses io_uring. Without a host,
  /// descriptor() is not waited for.
  explicit UringBackend(bool may_have_host = true);

  /// Starts an operation; its complete() is called in the poll phase, more than once for a
  /// multishot (IORING_CQE_F_MORE in the flags says that another will come).
  void start(UringOperation& operation);
  /// The same, and the kernel has it when this returns: it proceeds whatever the thread does next.
  void start_now(UringOperation& operation);
  /// Asks for an early end. The operation still completes, with -ECANCELED if that succeeded.
  void cancel(UringOperation& operation);
  /// The same, and the kernel has ended it when this returns, if it could be ended.
  void cancel_now(UringOperation& operation);

  /// Buffers for what is received, shared by all: many small ones, and a few large ones for
  /// sockets that receive much. Made when first asked for; null if the kernel refuses them.
  enum class Buffers : std::uint8_t { small, large };
  BufferRing* receive_buffers(Buffers size) noexcept;

  std::string_view name() const noexcept override { return "uring"; }
  bool quiet() const noexcept override;
  std::size_t wait(std::optional<std::chrono::nanoseconds> timeout,
                   std::span<Completion> out) override;
  void wake() noexcept override { wake_.ring(); }
  void submit() override;
  int descriptor() const noexcept override { return ring_.fd(); }
  std::error_code watch(Watch& watch) override;
  void unwatch(Watch& watch) noexcept override;
  void unwatch_now(Watch& watch) noexcept override;
  void shut_down() noexcept override;
  bool adopt() noexcept override { return !ring_.enabled(); }

 private:
  void gather();
  io_uring_sqe* entry();
  bool arm_wake();
  bool arm(Watch& watch);
  bool cancel(Watch& watch);
  bool submit(UringOperation& operation);
  bool cancel(std::uint64_t address);
  std::size_t collect(std::span<Completion> out);
  bool completed(Watch& watch, std::int32_t result);

  ProcessMark process_;
  WakeEvent wake_;
  // They outlive the ring, whose kernel side fills them.
  std::unique_ptr<BufferRing> small_buffers_;
  std::unique_ptr<BufferRing> large_buffers_;
  bool buffers_refused_ = false;
  UringRing ring_;
  bool wake_armed_ = false;

  std::size_t in_flight_ = 0;             // operations the kernel will answer for
  std::vector<UringOperation*> waiting_;  // found no room in the ring
  std::vector<std::uint64_t> to_cancel_by_address_;

  // Entries for watches are made in gather() only, when it is about to be entered. A watch
  // that was just reported is thus asked about again only after its callback has run; and
  // waiting here keeps those alive that the last batch mentions.
  std::vector<std::shared_ptr<Watch>> to_arm_;
  std::vector<std::shared_ptr<Watch>> to_cancel_;
  // Armed: the kernel will name them in a completion, wanted or not. Watch::backend_slot is the
  // place.
  std::vector<std::shared_ptr<Watch>> in_kernel_;
  std::vector<const Watch*> watcher_of_;  // by descriptor
};

/// The backend, if it is the one on io_uring, or null: operations that the ring can carry out ask
/// for it.
inline UringBackend* uring_of(Backend& backend) noexcept {
  return backend.kind() == BackendKind::uring ? static_cast<UringBackend*>(&backend) : nullptr;
}

}  // namespace rondo
