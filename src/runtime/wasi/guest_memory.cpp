#include "runtime/wasi/guest_memory.h"

#include <algorithm>
#include <climits>

namespace rondo::wasi {

Errno GuestMemory::buffers(std::uint32_t list, std::uint32_t count,
                           std::vector<struct ::iovec>& result) const {
  if (!has(list, std::uint64_t{count} * kIovecSize)) return Errno::overflow;
  count = std::min<std::uint32_t>(count, IOV_MAX);
  result.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t entry = list + i * kIovecSize;
    const auto start = get<std::uint32_t>(entry);
    const auto size = get<std::uint32_t>(entry + 4);
    if (!has(start, size)) return Errno::overflow;
    result.push_back({bytes_.data() + start, size});
  }
  return Errno::success;
}

}  // namespace rondo::wasi
