#include "runtime/bytes/byte_search.h"

#include <string.h>

#include <algorithm>

namespace rondo {
namespace {

using Bytes = std::span<const std::uint8_t>;

// memchr() is much faster than memmem(), unless the first byte occurs often without a match.
constexpr int kPatience = 8;

const std::uint8_t* first_match(Bytes haystack, Bytes needle) noexcept {
  const std::uint8_t* at = haystack.data();
  const std::uint8_t* const end = at + (haystack.size() - needle.size()) + 1;
  for (int tries = 0; tries < kPatience; ++tries) {
    at = static_cast<const std::uint8_t*>(
        ::memchr(at, needle[0], static_cast<std::size_t>(end - at)));
    if (at == nullptr || ::memcmp(at, needle.data(), needle.size()) == 0) return at;
    if (++at == end) return nullptr;
  }
  const auto left = static_cast<std::size_t>(haystack.data() + haystack.size() - at);
  return static_cast<const std::uint8_t*>(::memmem(at, left, needle.data(), needle.size()));
}

std::optional<std::size_t> first(Bytes haystack, Bytes needle, std::size_t position,
                                 std::size_t step) noexcept {
  while (position + needle.size() <= haystack.size()) {
    const std::uint8_t* found = first_match(haystack.subspan(position), needle);
    if (found == nullptr) return std::nullopt;
    position = static_cast<std::size_t>(found - haystack.data());
    if (position % step == 0) return position;
    ++position;
  }
  return std::nullopt;
}

std::optional<std::size_t> last(Bytes haystack, Bytes needle, std::size_t position,
                                std::size_t step) noexcept {
  position = std::min(position, haystack.size() - needle.size());
  while (true) {
    const void* found = ::memrchr(haystack.data(), needle[0], position + 1);
    if (found == nullptr) return std::nullopt;
    position = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - haystack.data());
    if (position % step == 0 &&
        ::memcmp(haystack.data() + position, needle.data(), needle.size()) == 0) {
      return position;
    }
    if (position == 0) return std::nullopt;
    --position;
  }
}

}  // namespace

std::optional<std::size_t> find_bytes(Bytes haystack, Bytes needle, std::size_t position,
                                      Direction direction, std::size_t step) noexcept {
  if (needle.size() > haystack.size()) return std::nullopt;
  position -= position % step;
  return direction == Direction::forwards ? first(haystack, needle, position, step)
                                          : last(haystack, needle, position, step);
}

}  // namespace rondo
