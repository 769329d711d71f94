// Conversions of text by simdutf, which the engine carries for V8 and whose header the engine's
// package lacks. make_engine checks that the engine exports them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simdutf {

// The names and numbers are simdutf's.
enum base64_options : std::uint64_t {
  base64_default = 0,
  base64_url = 1,  // without padding
  base64_default_or_url = 8,
};
enum last_chunk_handling_options : std::uint64_t {
  loose = 0,  // with padding or without
};
enum error_code : int { SUCCESS = 0 };
struct result {
  error_code error;
  std::size_t count;
};

bool validate_ascii(const char* bytes, std::size_t length) noexcept;
bool validate_utf8(const char* bytes, std::size_t length) noexcept;

std::size_t utf8_length_from_latin1(const char* text, std::size_t length) noexcept;
std::size_t utf16_length_from_utf8(const char* text, std::size_t length) noexcept;

/// These give how much they wrote; those that read UTF-8 or UTF-16 give 0 for text that is not
/// valid, or that the other form cannot express.
std::size_t convert_latin1_to_utf8(const char* text, std::size_t length, char* out) noexcept;
std::size_t convert_utf8_to_latin1(const char* text, std::size_t length, char* out) noexcept;
std::size_t convert_utf8_to_utf16le(const char* text, std::size_t length, char16_t* out) noexcept;
std::size_t convert_utf16le_to_utf8(const char16_t* text, std::size_t length, char* out) noexcept;

std::size_t binary_to_base64(const char* bytes, std::size_t length, char* out,
                             base64_options options) noexcept;
/// `out_length`: the room, then what was written. Fails at a character that is not base64.
result base64_to_binary_safe(const char* text, std::size_t length, char* out,
                             std::size_t& out_length, base64_options options,
                             last_chunk_handling_options last_chunk,
                             bool decode_up_to_bad_char) noexcept;
result base64_to_binary_safe(const char16_t* text, std::size_t length, char* out,
                             std::size_t& out_length, base64_options options,
                             last_chunk_handling_options last_chunk,
                             bool decode_up_to_bad_char) noexcept;

}  // namespace simdutf
