#include "runtime/bytes/buffer_allocator.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace rondo {

namespace {

// Two pieces of 64 KiB that the C library gives one after the other are 16 bytes apart modulo 4096.
// Copying between them takes 15 times as long as it should on AMD's Zen 3: `rep movsb`, which
// memmove() uses, is slow for such distances. Multiples of 64 are not affected.
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kAlignedFrom = 4096;

/// What `allocate` returns for a piece of `length` bytes, aligned if the piece is large. The word
/// before an aligned piece is the address of the memory.
template <typename Allocate>
void* allocate_with(Allocate allocate, std::size_t length) noexcept {
  if (length < kAlignedFrom) return allocate(length);
  if (length > std::numeric_limits<std::size_t>::max() - kAlignment) return nullptr;
  void* memory = allocate(length + kAlignment);
  if (memory == nullptr) return nullptr;
  static_assert(alignof(std::max_align_t) >= sizeof(void*));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto** data = reinterpret_cast<void**>((address / kAlignment + 1) * kAlignment);
  data[-1] = memory;
  return data;
}

}  // namespace

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
  return counted(allocate_with([](std::size_t size) { return std::calloc(size, 1); }, length),
                 length);
}

void* BufferAllocator::AllocateUninitialized(std::size_t length) {
  return counted(allocate_with([](std::size_t size) { return std::malloc(size); }, length), length);
}

void BufferAllocator::Free(void* data, std::size_t length) {
  if (data == nullptr) return;
  std::free(length < kAlignedFrom ? data : static_cast<void**>(data)[-1]);
  bytes_.fetch_sub(length, std::memory_order_relaxed);
  end_use();
}

}  // namespace rondo
