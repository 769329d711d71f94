// Buffers that the kernel takes from a ring when there is something to put into them: a thousand
// sockets that wait for data need no memory for it.
//
// The kernel takes them in turn, so that all that were offered are written to before long. That is
// memory, and cache misses where it was not used for a while: so few are offered at first, and
// more when they were too few.
#pragma once

#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo {

class BufferRing {
 public:
  /// Registers `count` (a power of two) buffers as the group `group` of a ring. Throws
  /// std::system_error when the kernel refuses.
  BufferRing(int ring_fd, std::uint16_t group, std::uint32_t count, std::uint32_t buffer_bytes);
  /// The ring itself must be gone, or have nothing in progress.
  ~BufferRing();
  BufferRing(const BufferRing&) = delete;
  BufferRing& operator=(const BufferRing&) = delete;

  std::uint16_t group() const noexcept { return group_; }
  std::uint32_t buffer_bytes() const noexcept { return buffer_bytes_; }

  std::span<std::byte> buffer(std::uint16_t id) const noexcept {
    return {buffers_ + std::size_t{id} * buffer_bytes_, buffer_bytes_};
  }
  /// The kernel may fill it again.
  void give_back(std::uint16_t id) noexcept;
  /// A receive has failed with ENOBUFS. (Of those that come at once, the later ones may find enough
  /// by now: it is only a fourth more.)
  void offer_more() noexcept;

  /// The buffer that a completion with IORING_CQE_F_BUFFER names.
  static std::uint16_t id_of(std::uint32_t flags) noexcept {
    return static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT);
  }

 private:
  void offer(std::uint32_t more) noexcept;

  void* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  io_uring_buf* ring_ = nullptr;
  std::byte* buffers_ = nullptr;
  std::uint32_t count_;
  std::uint32_t offered_ = 0;  // so far; a buffer is in the ring, in the kernel or with a reader
  std::uint32_t buffer_bytes_;
  std::uint16_t group_;
  std::uint16_t tail_ = 0;
};

}  // namespace rondo
