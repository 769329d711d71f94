// Whether bytes that arrive piece by piece are UTF-8 (RFC 3629).
#pragma once

#include <cstdint>
#include <string_view>

namespace rondo::websocket {

class Utf8Check {
 public:
  /// False as soon as it cannot become valid any more.
  bool feed(std::string_view bytes) noexcept {
    for (const char c : bytes) {
      const auto byte = static_cast<std::uint8_t>(c);
      if (left_ == 0) {
        if (byte < 0x80) continue;
        if (!begin(byte)) return false;
      } else {
        if (byte < low_ || byte > high_) return false;
        low_ = 0x80;
        high_ = 0xbf;
        --left_;
      }
    }
    return true;
  }
  /// Whether it may end here.
  bool complete() const noexcept { return left_ == 0; }
  void reset() noexcept { *this = {}; }

 private:
  bool begin(std::uint8_t byte) noexcept {
    low_ = 0x80;
    high_ = 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) {
      left_ = 1;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      left_ = 2;
      if (byte == 0xe0) low_ = 0xa0;   // no longer form than needed
      if (byte == 0xed) high_ = 0x9f;  // no surrogates
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      left_ = 3;
      if (byte == 0xf0) low_ = 0x90;
      if (byte == 0xf4) high_ = 0x8f;  // up to U+10FFFF
    } else {
      return false;
    }
    return true;
  }

  std::uint8_t left_ = 0;  // bytes of the current character
  std::uint8_t low_ = 0x80;
  std::uint8_t high_ = 0xbf;
};

}  // namespace rondo::websocket
