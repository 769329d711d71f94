// Where V8's heap gets its memory from. V8's own allocator asks the kernel four times for each page
// of the heap (256 KiB), at a random address; a heap begins with 33 of them. This one takes a block
// of 64 at once, which is writable from the beginning: memory that was never touched costs
// nothing.
//
// Where the kernel allows it (transparent_hugepage is "madvise" or "always"), the heap is made of
// huge pages: 512 page faults of a growing heap become one, which costs as much as 25 of them. The
// price is memory that is there and not used, 2 MiB at the most.
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
  static constexpr std::size_t kHugePage = 2 * 1024 * 1024;
  static constexpr std::size_t kHeapPagesOfBlock = 64;
  static constexpr std::size_t kSmallPagesOfFirstBlock = 2 * kHugePage / kHeapPage;
  static constexpr std::size_t kHeapPagesOfFirstBlock =
      kHeapPagesOfBlock - kSmallPagesOfFirstBlock + 10;

  char* take_heap_page();
  /// The page that is handed out after `index` others.
  static char* first_block_page(char* block, std::size_t index);
  /// Whether this is a page of the block that is as it was handed out. From now on it is not.
  bool end_freshness(const char* address);

  std::mutex mutex_;  // V8 has several threads. Guards all below
  char* block_ = nullptr;
  std::size_t used_ = kHeapPagesOfBlock;
  bool is_first_block_ = false;
  std::bitset<kHeapPagesOfBlock> fresh_;
};

}  // namespace rondo
