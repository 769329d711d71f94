// Names that the kernel had in its cache a moment ago. It still has them: it drops what was not
// asked for in a long time, and only when it needs the memory. So a system call on such a name will
// not wait, although it has no RESOLVE_CACHED.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string_view>

namespace rondo::detail {

class CachedNames {
 public:
  /// `flags`: how the name is resolved. O_NOFOLLOW makes it another one.
  bool contains(std::string_view path, int flags) const noexcept {
    const std::size_t key = key_of(path, flags);
    const Entry& entry = entries_[key % kEntries];
    return entry.key == key && now_ms() - entry.noted_ms < kMomentMs;
  }
  /// Takes the entry of another name.
  void add(std::string_view path, int flags) noexcept {
    const std::size_t key = key_of(path, flags);
    entries_[key % kEntries] = {key, now_ms()};
  }

 private:
  static constexpr std::size_t kEntries = 128;
  static constexpr std::int64_t kMomentMs = 20;

  struct Entry {
    std::size_t key = 0;
    std::int64_t noted_ms = -kMomentMs;
  };

  static std::size_t key_of(std::string_view path, int flags) noexcept {
    return std::hash<std::string_view>()(path) + static_cast<std::size_t>(flags);
  }
  static std::int64_t now_ms() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  }

  std::array<Entry, kEntries> entries_;
};

}  // namespace rondo::detail
