#include "runtime/buffer_allocator.h"

#include <cstdlib>

namespace rondo {

void* BufferAllocator::counted(void* data, std::size_t length) noexcept {
  if (data != nullptr) {
    bytes_.fetch_add(length, std::memory_order_relaxed);
    uses_.fetch_add(1, std::memory_order_relaxed);
  }
  return data;
}

void BufferAllocator::end_use() noexcept {
  if (uses_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void* BufferAllocator::Allocate(std::size_t length) {
  return counted(std::calloc(length, 1), length);
}

void* BufferAllocator::AllocateUninitialized(std::size_t length) {
  return counted(std::malloc(length), length);
}

void BufferAllocator::Free(void* data, std::size_t length) {
  if (data == nullptr) return;
  std::free(data);
  bytes_.fetch_sub(length, std::memory_order_relaxed);
  end_use();
}

}  // namespace rondo
