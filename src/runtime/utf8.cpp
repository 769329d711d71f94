#include "runtime/utf8.h"

#include <cstring>

namespace rondo {
namespace {

// How many bytes at the beginning are ASCII: eight at a time, then one by one.
std::size_t ascii_prefix(Bytes bytes) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (at < bytes.size() && bytes[at] < 0x80) ++at;
  return at;
}

constexpr bool is_continuation(std::uint8_t byte) {
  return (byte & 0xc0) == 0x80;
}

// The length of the character of several bytes that begins here; 0 if it is none.
std::size_t character_length(Bytes bytes) noexcept {
  const std::uint8_t lead = bytes[0];
  const std::size_t length = lead < 0xc2   ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || bytes.size() < length) return 0;
  for (const std::uint8_t byte : bytes.subspan(1, length - 1)) {
    if (!is_continuation(byte)) return 0;
  }
  switch (lead) {
    case 0xe0:
      return bytes[1] >= 0xa0 ? length : 0;
    case 0xed:
      return bytes[1] < 0xa0 ? length : 0;
    case 0xf0:
      return bytes[1] >= 0x90 ? length : 0;
    case 0xf4:
      return bytes[1] < 0x90 ? length : 0;
    default:
      return length;
  }
}

}  // namespace

bool is_ascii(Bytes bytes) noexcept {
  return ascii_prefix(bytes) == bytes.size();
}

bool is_utf8(Bytes bytes) noexcept {
  while (true) {
    bytes = bytes.subspan(ascii_prefix(bytes));
    if (bytes.empty()) return true;
    const std::size_t length = character_length(bytes);
    if (length == 0) return false;
    bytes = bytes.subspan(length);
  }
}

v8::MaybeLocal<v8::String> decode_utf8(v8::Isolate* isolate, Bytes bytes) {
  if (bytes.empty()) return v8::String::Empty(isolate);
  if (bytes.size() > static_cast<std::size_t>(v8::String::kMaxLength) * 3) return {};
  const int length = static_cast<int>(bytes.size());
  if (is_ascii(bytes)) {
    return v8::String::NewFromOneByte(isolate, bytes.data(), v8::NewStringType::kNormal, length);
  }
  return v8::String::NewFromUtf8(isolate, reinterpret_cast<const char*>(bytes.data()),
                                 v8::NewStringType::kNormal, length);
}

}  // namespace rondo
