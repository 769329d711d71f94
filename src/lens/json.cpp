#include "lens/json.h"

namespace rondo::lens {

Json& Json::value(std::string_view text) {
  separate();
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char kFirstPrintable = 0x20;
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < kFirstPrintable) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      text_ += "\\u00";
      text_ += kDigits[byte >> 4U];
      text_ += kDigits[byte & 15U];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

}  // namespace rondo::lens
