#include "runtime/engine/host/page_allocator.h"

#include <sys/mman.h>

#include <cstdint>

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

/// Maps more than is wanted, and gives back what is before and behind the aligned part.
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

std::size_t PageAllocator::begin_block(char* block) {
  ::madvise(block, kHeapPagesOfBlock * kHeapPage, MADV_HUGEPAGE);
  return 0;
}

/// A heap begins with seven pages that can only be read and are mostly holes; then the snapshot is
/// written to five pages, from the first byte on. What comes next is the young generation, of which
/// a small program uses little.
std::size_t PageAllocator::begin_first_block(char* block) {
  ::madvise(block, kHeapPagesOfBlock * kHeapPage, MADV_NOHUGEPAGE);
  ::madvise(block + kHugePage, kHugePage, MADV_HUGEPAGE);
  constexpr std::size_t kReadOnlyPages = 7;
  return kHugePage / kHeapPage - kReadOnlyPages;
}

char* PageAllocator::take_heap_page() {
  const std::lock_guard guard(mutex_);
  if (used_ == kHeapPagesOfBlock) {
    constexpr std::size_t kLength = kHeapPagesOfBlock * kHeapPage;
    char* block = map_aligned(nullptr, kLength, kHugePage, kSystemPage, PROT_READ | PROT_WRITE);
    if (block == nullptr) return nullptr;
    used_ = block_ == nullptr ? begin_first_block(block) : begin_block(block);
    block_ = block;
    fresh_.set();
  }
  return block_ + used_++ * kHeapPage;
}

bool PageAllocator::end_freshness(const char* address) {
  const std::lock_guard guard(mutex_);
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(block_);
  const std::size_t index = offset / kHeapPage;
  if (index >= used_ || block_ == nullptr || !fresh_.test(index)) return false;
  fresh_.reset(index);
  return true;
}

}  // namespace rondo
