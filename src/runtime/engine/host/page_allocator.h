// Where V8's heap gets its memory from. V8's own allocator asks the kernel four times for each page
// of the heap (256 KiB), at a random address; a heap begins with 85 of them. This one takes a block
// of 32 at once, which is writable from the beginning: memory that nobody has touched costs
// nothing.
#pragma once

#include <v8-platform.h>

#include <bitset>
#include <cstddef>
#include <mutex>

namespace rondo {

class PageAllocator final : public v8::PageAllocator {
 public:
  std::size_t AllocatePageSize() override { return kSystemPage; }
  std::size_t CommitPageSize() override { return kSystemPage; }
  /// The kernel chooses addresses, at random as well.
  void SetRandomMmapSeed(std::int64_t /*seed*/) override {}
  void* GetRandomMmapAddr() override { return nullptr; }

  void* AllocatePages(void* hint, std::size_t length, std::size_t alignment,
                      Permission permission) override;
  bool FreePages(void* address, std::size_t length) override;
  bool ReleasePages(void* address, std::size_t length, std::size_t new_length) override;
  bool SetPermissions(void* address, std::size_t length, Permission permission) override;
  bool RecommitPages(void* address, std::size_t length, Permission permission) override;
  bool DiscardSystemPages(void* address, std::size_t length) override;
  bool DecommitPages(void* address, std::size_t length) override;

 private:
  static constexpr std::size_t kSystemPage = 4096;
  static constexpr std::size_t kHeapPage = 256 * 1024;
  static constexpr std::size_t kHeapPagesOfBlock = 32;

  char* take_heap_page();
  /// Whether this is a page of the block that is as it was handed out. From now on it is not.
  bool end_freshness(const char* address);

  std::mutex mutex_;  // V8 has several threads. Guards all below
  char* block_ = nullptr;
  std::size_t used_ = kHeapPagesOfBlock;
  std::bitset<kHeapPagesOfBlock> fresh_;
};

}  // namespace rondo
