// What readers of HTTP requests share: pieces of a request's head.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace rondo::lens {

inline char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Neither the characters that end a line nor others that are not shown.
inline bool is_printable(std::string_view text) noexcept {
  return std::ranges::all_of(
      text, [](char c) { return c == '\t' || (c >= ' ' && c != '\x7f') || c < 0; });
}

inline std::string_view trim(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// What is before `end`, which is removed with it.
inline std::string_view take_until(std::string_view& text, std::string_view end) noexcept {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + end.size()));
  return part;
}

}  // namespace rondo::lens
