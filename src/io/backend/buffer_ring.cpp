#include "io/backend/buffer_ring.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace rondo {

namespace {

// Two sockets with 64 KiB each find room at once.
constexpr std::uint32_t kFirst = 32;

}  // namespace

BufferRing::BufferRing(int ring_fd, std::uint16_t group, std::uint32_t count,
                       std::uint32_t buffer_bytes)
    : count_(count), buffer_bytes_(buffer_bytes), group_(group) {
  // The ring comes first, on a page of its own; pages of buffers exist once they are used.
  constexpr std::size_t kPage = 4096;
  const std::size_t ring_bytes = (count * sizeof(io_uring_buf) + kPage - 1) / kPage * kPage;
  memory_bytes_ = ring_bytes + std::size_t{count} * buffer_bytes;
  memory_ =
      ::mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    throw std::system_error(errno, std::system_category(), "mmap of receive buffers");
  }
  ring_ = static_cast<io_uring_buf*>(memory_);
  buffers_ = static_cast<std::byte*>(memory_) + ring_bytes;

  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(ring_);
  registration.ring_entries = count;
  registration.bgid = group;
  if (::syscall(__NR_io_uring_register, ring_fd, IORING_REGISTER_PBUF_RING, &registration, 1) < 0) {
    const int error = errno;
    ::munmap(memory_, memory_bytes_);
    throw std::system_error(error, std::system_category(), "io_uring_register of buffers");
  }
  offer(kFirst);
}

void BufferRing::offer(std::uint32_t more) noexcept {
  const std::uint32_t end = std::min(offered_ + more, count_);
  for (; offered_ < end; ++offered_) give_back(static_cast<std::uint16_t>(offered_));
}

void BufferRing::offer_more() noexcept {
  offer(std::max(offered_ / 4, kFirst / 4));
}

BufferRing::~BufferRing() {
  ::munmap(memory_, memory_bytes_);
}

void BufferRing::give_back(std::uint16_t id) noexcept {
  io_uring_buf& entry = ring_[tail_ & (count_ - 1)];
  entry.addr = reinterpret_cast<std::uintptr_t>(buffer(id).data());
  entry.len = buffer_bytes_;
  entry.bid = id;
  // The tail that the kernel reads is in a field of the first entry that is otherwise unused.
  std::atomic_ref(ring_[0].resv).store(++tail_, std::memory_order_release);
}

}  // namespace rondo
