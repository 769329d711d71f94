// The two rings shared with the kernel, and the three system calls of io_uring. Knows nothing
// of loops: entries go in, entries come out.
#pragma once

#include <linux/io_uring.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "io/descriptor.h"

namespace rondo {

class UringRing {
 public:
  /// Throws std::system_error when the kernel refuses; the text names the call that failed.
  /// The ring is born disabled: the thread that enable()s it is the only one that may enter().
  /// `may_defer`: the descriptor of the ring is not waited for.
  UringRing(unsigned entries, bool may_defer);
  ~UringRing();
  UringRing(const UringRing&) = delete;
  UringRing& operator=(const UringRing&) = delete;

  void enable();
  bool enabled() const noexcept { return enabled_; }

  /// A zeroed entry to fill in, which goes to the kernel with the next enter(); null when the
  /// ring is full.
  io_uring_sqe* next_entry() noexcept;
  bool has_unsubmitted() const noexcept { return sq_tail_ != submitted_; }

  /// Submits everything and, if `wait`, waits until a completion is there or the time is up.
  /// Returns 0 or a negative errno (-ETIME and -EINTR are not errors).
  int enter(bool wait, std::optional<std::chrono::nanoseconds> timeout);

  /// Whether entering the kernel may bring completions that are not in the ring yet. Sometimes it
  /// says so for no reason, until the kernel has real work again.
  bool kernel_has_work() const noexcept;

  /// The oldest completion, or null; consume() makes room for another.
  const io_uring_cqe* peek() noexcept;
  void consume() noexcept;
  bool has_completions() const noexcept;

  int fd() const noexcept { return fd_.get(); }

 private:
  struct Mapping {
    void* address = nullptr;
    std::size_t size = 0;
  };
  Mapping map(std::size_t size, std::uint64_t offset);
  void unmap() noexcept;

  Descriptor fd_;
  bool enabled_ = false;
  Mapping rings_;
  Mapping entries_;

  unsigned* sq_head_ = nullptr;  // written by the kernel
  unsigned* sq_shared_tail_ = nullptr;
  unsigned* sq_flags_ = nullptr;  // written by the kernel
  unsigned sq_mask_ = 0;
  unsigned sq_size_ = 0;
  unsigned sq_tail_ = 0;  // ours; ahead of the shared one until enter()
  unsigned submitted_ = 0;
  bool defers_ = false;  // DEFER_TASKRUN

  unsigned* cq_shared_head_ = nullptr;
  unsigned* cq_tail_ = nullptr;  // written by the kernel
  io_uring_cqe* cqes_ = nullptr;
  unsigned cq_mask_ = 0;
  unsigned cq_head_ = 0;
};

}  // namespace rondo
