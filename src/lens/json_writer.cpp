#include "lens/json_writer.h"

#include <cstdint>

namespace rondo::lens {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// How many bytes the character at the front has; 0 if it is not UTF-8.
std::size_t length_of_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    // Neither longer than needed nor half of a surrogate pair.
    if (first == 0xe0 && byte(1) < 0xa0) return 0;
    if (first == 0xed && byte(1) > 0x9f) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (first == 0xf0 && byte(1) < 0x90) return 0;
    if (first == 0xf4 && byte(1) > 0x8f) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto code = static_cast<std::uint8_t>(c);
  out += "\\u00";
  out += kDigits[code >> 4];
  out += kDigits[code & 15];
}

bool needs_escape(char c) noexcept {
  return static_cast<std::uint8_t>(c) < 0x20 || c == '"' || c == '\\' || c == '<' || c == '\x7f';
}

}  // namespace

bool append_json_string(std::string& out, std::string_view text) {
  bool is_utf8 = true;
  out += '"';
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    if (length == 0) {
      is_utf8 = false;
      out += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    if (length == 1 && needs_escape(text.front())) {
      append_escape(out, text.front());
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += '"';
  return is_utf8;
}

}  // namespace rondo::lens
