#include "cli/link_tables.h"

#include <link.h>
#include <sys/mman.h>

#include <cstdint>

namespace rondo {

namespace {

int let_go(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    // The tables are in the first segment, which is only read; code and constants have their own.
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_flags != PF_R || segment.p_offset != 0) break;
    constexpr std::uintptr_t kPage = 4096;
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    const std::uintptr_t end = (begin + segment.p_filesz) & ~(kPage - 1);
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    break;
  }
  return 0;
}

}  // namespace

void let_go_of_link_tables() noexcept {
  ::dl_iterate_phdr(let_go, nullptr);
}

}  // namespace rondo
