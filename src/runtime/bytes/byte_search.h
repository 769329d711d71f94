// Finding bytes in bytes, from either end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rondo {

/// Where to begin: at `position` and after it, or there and before it.
enum class Direction : std::uint8_t { forwards, backwards };

/// The position of a match; the needle is not empty. With `step` 2 only even positions count: the
/// units of UTF-16.
std::optional<std::size_t> find_bytes(std::span<const std::uint8_t> haystack,
                                      std::span<const std::uint8_t> needle, std::size_t position,
                                      Direction direction, std::size_t step = 1) noexcept;

}  // namespace rondo
