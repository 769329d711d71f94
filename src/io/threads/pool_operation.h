// An operation that a thread of the pool carries out, for whatever can only block.
#pragma once

#include <cerrno>
#include <cstdint>

#include "io/io_context.h"

namespace rondo {

class PoolOperation : public Operation, private PoolJob {
 public:
  /// Queues it; complete() comes in the poll phase. EAGAIN when the queue is full, ENOMEM when
  /// no thread can be had: then complete() does not come.
  [[nodiscard]] std::error_code start(LoopCore& core) {
    core_ = &core;
    if (const std::error_code error = IoContext::of(core).pool().submit(*this)) return error;
    core.begin_request();
    core.begin_work();
    return {};
  }

  /// If it has not begun it never will: complete() comes with -ECANCELED. True in that case.
  bool cancel() noexcept { return IoContext::of(*core_).pool().cancel(*this); }

 protected:
  ~PoolOperation() = default;

  /// The blocking work, on a thread of the pool. Returns a count or a negative errno. Touches
  /// nothing but what the operation owns.
  virtual std::int32_t perform_blocking() noexcept = 0;
  /// Back on the loop's thread, in the poll phase.
  virtual void performed(std::int32_t result) = 0;

 private:
  void perform() noexcept final { result_ = perform_blocking(); }
  void finished(bool performed) noexcept final {
    core_->complete_from_thread(*this, performed ? result_ : -ECANCELED);
  }
  void complete(std::int32_t result, std::uint32_t /*flags*/) final {
    core_->end_request();
    core_->end_work();
    performed(result);
  }

  LoopCore* core_ = nullptr;
  std::int32_t result_ = 0;
};

}  // namespace rondo
