#include "runtime/engine/host/page_allocator.h"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace rondo {

namespace {

int protection_of(v8::PageAllocator::Permission permission) {
  switch (permission) {
    case v8::PageAllocator::kNoAccess:
    case v8::PageAllocator::kNoAccessWillJitLater:
      return PROT_NONE;
    case v8::PageAllocator::kRead:
      return PROT_READ;
    case v8::PageAllocator::kReadWrite:
      return PROT_READ | PROT_WRITE;
    case v8::PageAllocator::kReadWriteExecute:
      return PROT_READ | PROT_WRITE | PROT_EXEC;
    case v8::PageAllocator::kReadExecute:
      return PROT_READ | PROT_EXEC;
  }
  return PROT_NONE;
}

/// nullptr if there is no memory.
char* map(void* hint, std::size_t length, int protection, int more_flags = 0) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* mapped = ::mmap(hint, length, protection, kFlags | more_flags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  // Nobody uses the heap in a child; a fork is faster without it.
  ::madvise(mapped, length, MADV_DONTFORK);
  return static_cast<char*>(mapped);
}

/// Maps more than is wanted, and unmaps what is before and after the aligned part.
char* map_aligned(void* hint, std::size_t length, std::size_t alignment, std::size_t system_page,
                  int protection) {
  const std::size_t more = alignment > system_page ? alignment - system_page : 0;
  char* mapped = map(hint, length + more, protection);
  if (mapped == nullptr || more == 0) return mapped;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) & (alignment - 1);
  if (before > 0) ::munmap(mapped, before);
  if (before < more) ::munmap(mapped + before + length, more - before);
  return mapped + before;
}

}  // namespace

void* PageAllocator::AllocatePages(void* hint, std::size_t length, std::size_t alignment,
                                   Permission permission) {
  if (length == kHeapPage && alignment == kHeapPage &&
      (permission == kReadWrite || permission == kNoAccess)) {
    return take_heap_page();
  }
  char* mapped = map_aligned(hint, length, alignment, kSystemPage, protection_of(permission));
  // A large object: an array of many elements, as a rule. V8 writes to all of it.
  if (mapped != nullptr && permission == kReadWrite && length >= kHugePage) {
    ::madvise(mapped, length, MADV_HUGEPAGE);
  }
  return mapped;
}

bool PageAllocator::FreePages(void* address, std::size_t length) {
  // The kernel may map something else there, with other permissions.
  end_freshness(static_cast<const char*>(address));
  return ::munmap(address, length) == 0;
}

bool PageAllocator::ReleasePages(void* address, std::size_t length, std::size_t new_length) {
  return ::munmap(static_cast<char*>(address) + new_length, length - new_length) == 0;
}

bool PageAllocator::SetPermissions(void* address, std::size_t length, Permission permission) {
  // What is fresh may be written to already.
  if (end_freshness(static_cast<const char*>(address)) && permission == kReadWrite) return true;
  if (::mprotect(address, length, protection_of(permission)) != 0) return false;
  return permission != kNoAccess || DiscardSystemPages(address, length);
}

bool PageAllocator::RecommitPages(void* address, std::size_t length, Permission permission) {
  return SetPermissions(address, length, permission);
}

bool PageAllocator::DiscardSystemPages(void* address, std::size_t length) {
  return ::madvise(address, length, MADV_DONTNEED) == 0;
}

bool PageAllocator::DecommitPages(void* address, std::size_t length) {
  end_freshness(static_cast<const char*>(address));
  // In one step: nothing is left of what was mapped there.
  return map(address, length, PROT_NONE, MAP_FIXED) == address;
}

/// A heap begins with seven pages that can only be read and are mostly holes; then the snapshot is
/// written to eight pages, from the first byte on: they are one huge page. A small program needs
/// two or three more, and little of each, so these are small pages, in the part of the block where
/// the first seven are. The other huge pages are for programs that need more, and what is left of
/// the small ones is not used.
char* PageAllocator::first_block_page(char* block, std::size_t index) {
  struct Run {
    std::size_t first;
    std::size_t count;
  };
  constexpr std::size_t kSmall = kSmallPagesOfFirstBlock;
  constexpr std::array<Run, 4> kRuns{{
      {.first = 0, .count = 7},                           // can only be read
      {.first = kSmall, .count = kHugePage / kHeapPage},  // the snapshot
      {.first = 7, .count = 3},
      {.first = kSmall + kHugePage / kHeapPage,
       .count = kHeapPagesOfBlock - kSmall - kHugePage / kHeapPage},
  }};
  static_assert(7 + 3 + kHeapPagesOfBlock - kSmall == kHeapPagesOfFirstBlock);
  for (const Run& run : kRuns) {
    if (index < run.count) return block + (run.first + index) * kHeapPage;
    index -= run.count;
  }
  std::abort();  // index is beyond the block
}

char* PageAllocator::take_heap_page() {
  const std::lock_guard guard(mutex_);
  if (used_ == (is_first_block_ ? kHeapPagesOfFirstBlock : kHeapPagesOfBlock)) {
    constexpr std::size_t kLength = kHeapPagesOfBlock * kHeapPage;
    char* block = map_aligned(nullptr, kLength, kHugePage, kSystemPage, PROT_READ | PROT_WRITE);
    if (block == nullptr) return nullptr;
    is_first_block_ = block_ == nullptr;
    const std::size_t without = is_first_block_ ? kSmallPagesOfFirstBlock * kHeapPage : 0;
    ::madvise(block, without, MADV_NOHUGEPAGE);
    ::madvise(block + without, kLength - without, MADV_HUGEPAGE);
    used_ = 0;
    block_ = block;
    fresh_.set();
  }
  const std::size_t index = used_++;
  return is_first_block_ ? first_block_page(block_, index) : block_ + index * kHeapPage;
}

bool PageAllocator::end_freshness(const char* address) {
  const std::lock_guard guard(mutex_);
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(block_);
  const std::size_t index = offset / kHeapPage;
  if (block_ == nullptr || index >= kHeapPagesOfBlock || !fresh_.test(index)) return false;
  fresh_.reset(index);
  return true;
}

}  // namespace rondo
