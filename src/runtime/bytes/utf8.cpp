#include "runtime/bytes/utf8.h"

#include <array>
#include <memory>

#include "runtime/bytes/engine_simdutf.h"

namespace rondo {
namespace {

const char* characters_of(Bytes bytes) noexcept {
  return reinterpret_cast<const char*>(bytes.data());
}

// The string of valid UTF-8 beyond ASCII: with characters of 8 bits, if that is enough, as V8 does.
// Empty for what is not valid.
v8::MaybeLocal<v8::String> decode_valid_utf8(v8::Isolate* isolate, Bytes bytes) {
  constexpr std::size_t kSmall = 4096;
  std::array<char16_t, kSmall> small;
  std::unique_ptr<char16_t[]> large;
  char16_t* wide = small.data();
  const auto make_room = [&](std::size_t units) {
    if (units <= small.size()) return;
    large = std::make_unique_for_overwrite<char16_t[]>(units);
    wide = large.get();
  };

  make_room(bytes.size() / 2 + 1);
  char* narrow = reinterpret_cast<char*>(wide);
  std::size_t length = simdutf::convert_utf8_to_latin1(characters_of(bytes), bytes.size(), narrow);
  if (length != 0) {
    return v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(narrow),
                                      v8::NewStringType::kNormal, static_cast<int>(length));
  }
  if (!is_utf8(bytes)) return {};
  make_room(simdutf::utf16_length_from_utf8(characters_of(bytes), bytes.size()));
  length = simdutf::convert_utf8_to_utf16le(characters_of(bytes), bytes.size(), wide);
  if (length > static_cast<std::size_t>(v8::String::kMaxLength)) return {};
  return v8::String::NewFromTwoByte(isolate, reinterpret_cast<const std::uint16_t*>(wide),
                                    v8::NewStringType::kNormal, static_cast<int>(length));
}

}  // namespace

bool is_ascii(Bytes bytes) noexcept {
  return simdutf::validate_ascii(characters_of(bytes), bytes.size());
}

bool is_utf8(Bytes bytes) noexcept {
  return simdutf::validate_utf8(characters_of(bytes), bytes.size());
}

v8::MaybeLocal<v8::String> decode_utf8(v8::Isolate* isolate, Bytes bytes) {
  if (bytes.empty()) return v8::String::Empty(isolate);
  if (bytes.size() > static_cast<std::size_t>(v8::String::kMaxLength) * 3) return {};
  const int length = static_cast<int>(bytes.size());
  if (is_ascii(bytes)) {
    return v8::String::NewFromOneByte(isolate, bytes.data(), v8::NewStringType::kNormal, length);
  }
  v8::Local<v8::String> valid;
  if (decode_valid_utf8(isolate, bytes).ToLocal(&valid)) return valid;
  return v8::String::NewFromUtf8(isolate, characters_of(bytes), v8::NewStringType::kNormal, length);
}

}  // namespace rondo
