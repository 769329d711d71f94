// Bytes as text of a small alphabet: base64, base64url and hexadecimal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo {

enum class Base64 : std::uint8_t { standard, url };

/// The url form has no padding.
std::size_t base64_encoded_length(std::size_t bytes, Base64 form) noexcept;
/// `out` has room for base64_encoded_length().
void base64_encode(std::span<const std::uint8_t> bytes, Base64 form, std::uint8_t* out) noexcept;

/// Takes both alphabets, skips what is in neither and stops at a '='. Of wider characters the
/// low eight bits count, as in Node. Gives how many bytes there were, or fitted.
template <class Character>
std::size_t base64_decode(std::span<const Character> text, std::span<std::uint8_t> out) noexcept;

/// `out` has room for two characters for every byte.
void hex_encode(std::span<const std::uint8_t> bytes, std::uint8_t* out) noexcept;

/// Stops at the first pair that is not one of digits.
template <class Character>
std::size_t hex_decode(std::span<const Character> text, std::span<std::uint8_t> out) noexcept;

extern template std::size_t base64_decode(std::span<const std::uint8_t>,
                                          std::span<std::uint8_t>) noexcept;
extern template std::size_t base64_decode(std::span<const std::uint16_t>,
                                          std::span<std::uint8_t>) noexcept;
extern template std::size_t hex_decode(std::span<const std::uint8_t>,
                                       std::span<std::uint8_t>) noexcept;
extern template std::size_t hex_decode(std::span<const std::uint16_t>,
                                       std::span<std::uint8_t>) noexcept;

}  // namespace rondo
