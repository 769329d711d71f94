// Content for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rondo {

/// Bytes that differ from one another in a way that a lost, repeated or misplaced piece does not
/// survive: a row of random ones, again and again, of a length that no size of a buffer divides.
inline std::string pattern(std::size_t size) {
  constexpr std::size_t kRow = 65'537;
  std::string text(std::min(size, kRow), '\0');
  std::uint32_t state = 1;
  for (char& c : text) {
    state = state * 1664525U + 1013904223U;
    c = static_cast<char>(state >> 24);
  }
  text.reserve(size);
  while (text.size() < size) text.append(text, 0, std::min(kRow, size - text.size()));
  return text;
}

}  // namespace rondo
