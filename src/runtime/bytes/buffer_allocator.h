// The memory of ArrayBuffers, and how much of it there is: V8 frees some of it on threads of its
// own, and what the kernel still reads or fills is freed after the isolate has gone.
#pragma once

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <memory>

namespace rondo {

class BufferAllocator final : public v8::ArrayBuffer::Allocator {
 public:
  /// The owner lets it go; it stays until all its memory has come back.
  struct Release {
    void operator()(BufferAllocator* allocator) const noexcept { allocator->end_use(); }
  };
  using Owner = std::unique_ptr<BufferAllocator, Release>;

  static Owner make() { return Owner(new BufferAllocator); }

  void* Allocate(std::size_t length) override;
  void* AllocateUninitialized(std::size_t length) override;
  void Free(void* data, std::size_t length) override;

  std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

 private:
  BufferAllocator() = default;
  ~BufferAllocator() override = default;

  void end_use() noexcept;
  void* counted(void* data, std::size_t length) noexcept;

  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> uses_ = 1;  // pieces of memory, and one for the owner
};

}  // namespace rondo
