// The encodings of Buffer, between V8's strings and bytes.
#pragma once

#include <v8.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/bytes/utf8.h"

namespace rondo {

class Environment;

/// The numbers are Node's; lib/ has them from here.
enum class Encoding : std::uint8_t {
  ascii = 0,
  utf8 = 1,
  base64 = 2,
  utf16le = 3,
  latin1 = 4,
  hex = 5,
  base64url = 7,
};

/// By any of its names, in lower case.
std::optional<Encoding> find_encoding(std::string_view name) noexcept;

/// Room enough for every string of this length.
std::size_t most_bytes(std::size_t string_length, Encoding encoding) noexcept;

/// How many bytes the string takes in UTF-8.
std::size_t utf8_length(v8::Isolate* isolate, v8::Local<v8::String> text);

/// Writes as many whole characters as fit; gives the number of bytes.
std::size_t write_string(v8::Isolate* isolate, v8::Local<v8::String> text, Encoding encoding,
                         std::span<std::uint8_t> out);
/// The same for a string of 8-bit characters.
std::size_t write_characters(Bytes characters, Encoding encoding, std::span<std::uint8_t> out);
std::vector<std::uint8_t> encode_string(v8::Isolate* isolate, v8::Local<v8::String> text,
                                        Encoding encoding);

/// Throws ERR_STRING_TOO_LONG.
v8::MaybeLocal<v8::String> decode_bytes(Environment& environment, Bytes bytes, Encoding encoding);

}  // namespace rondo
