#include "runtime/bytes/base_codecs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "runtime/bytes/engine_simdutf.h"

namespace rondo {
namespace {

constexpr std::string_view kStandardAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNone = 0xff;

constexpr std::array<std::uint8_t, 256> kSixBits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNone);
  for (const std::string_view alphabet : {kStandardAlphabet, kUrlAlphabet}) {
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
      table[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
  }
  return table;
}();

constexpr std::array<std::uint8_t, 256> kFourBits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNone);
  for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i) {
    table['a' + i] = static_cast<std::uint8_t>(10 + i);
    table['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return table;
}();

// Both digits of every byte: one look-up for two characters.
constexpr std::array<std::array<std::uint8_t, 2>, 256> kHexPairs = [] {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<std::array<std::uint8_t, 2>, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = {static_cast<std::uint8_t>(digits[i >> 4]),
                static_cast<std::uint8_t>(digits[i & 15])};
  }
  return table;
}();

}  // namespace

std::size_t base64_encoded_length(std::size_t bytes, Base64 form) noexcept {
  const std::size_t rest = bytes % 3;
  if (form == Base64::standard) return (bytes + 2) / 3 * 4;
  return bytes / 3 * 4 + (rest == 0 ? 0 : rest + 1);
}

void base64_encode(std::span<const std::uint8_t> bytes, Base64 form, std::uint8_t* out) noexcept {
  simdutf::binary_to_base64(
      reinterpret_cast<const char*>(bytes.data()), bytes.size(), reinterpret_cast<char*>(out),
      form == Base64::standard ? simdutf::base64_default : simdutf::base64_url);
}

template <class Character>
std::size_t base64_decode(std::span<const Character> text, std::span<std::uint8_t> out) noexcept {
  // Nearly all text is what it should be, and fits.
  using Unit = std::conditional_t<sizeof(Character) == 1, char, char16_t>;
  std::size_t written = out.size();
  const simdutf::result decoded = simdutf::base64_to_binary_safe(
      reinterpret_cast<const Unit*>(text.data()), text.size(), reinterpret_cast<char*>(out.data()),
      written, simdutf::base64_default_or_url, simdutf::loose, false);
  if (decoded.error == simdutf::SUCCESS) return written;

  const Character* from = text.data();
  const Character* const end = from + text.size();
  std::uint8_t* to = out.data();
  std::uint8_t* const limit = to + out.size();

  const auto six_bits = [](Character character) {
    return static_cast<unsigned>(kSixBits[static_cast<std::uint8_t>(character)]);
  };
  unsigned bits = 0;
  unsigned count = 0;
  for (; from < end && to < limit; ++from) {
    if (static_cast<std::uint8_t>(*from) == '=') break;
    const unsigned value = six_bits(*from);
    if (value == kNone) continue;
    bits = bits << 6 | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      *to++ = static_cast<std::uint8_t>(bits >> count);
    }
  }
  return static_cast<std::size_t>(to - out.data());
}

/// The eight digits of four bytes, in the order in which they lie in memory: all at once, each in
/// its byte of a word.
std::uint64_t hex_digits(std::uint32_t four_bytes) noexcept {
  std::uint64_t wide = four_bytes;  // each byte into two
  wide = (wide | wide << 16) & 0x0000ffff0000ffff;
  wide = (wide | wide << 8) & 0x00ff00ff00ff00ff;
  const std::uint64_t values = (wide >> 4 & 0x000f000f000f000f) | (wide & 0x000f000f000f000f) << 8;
  const std::uint64_t letters = (values + 0x0606060606060606) >> 4 & 0x0101010101010101;
  return values + 0x3030303030303030 + letters * ('a' - '0' - 10);
}

void hex_encode(std::span<const std::uint8_t> bytes, std::uint8_t* out) noexcept {
  static_assert(std::endian::native == std::endian::little);
  while (bytes.size() >= 4) {
    std::uint32_t four_bytes;
    std::memcpy(&four_bytes, bytes.data(), 4);
    const std::uint64_t digits = hex_digits(four_bytes);
    std::memcpy(out, &digits, 8);
    out += 8;
    bytes = bytes.subspan(4);
  }
  for (const std::uint8_t byte : bytes) {
    out = std::copy_n(kHexPairs[byte].begin(), 2, out);
  }
}

template <class Character>
std::size_t hex_decode(std::span<const Character> text, std::span<std::uint8_t> out) noexcept {
  const std::size_t pairs = std::min(text.size() / 2, out.size());
  // Of a wide character only the low byte counts, as in Node.
  const auto four_bits = [](Character character) {
    return static_cast<unsigned>(kFourBits[static_cast<std::uint8_t>(character)]);
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    const unsigned high = four_bits(text[2 * i]);
    const unsigned low = four_bits(text[2 * i + 1]);
    if (high == kNone || low == kNone) return i;
    out[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return pairs;
}

template std::size_t base64_decode(std::span<const std::uint8_t>, std::span<std::uint8_t>) noexcept;
template std::size_t base64_decode(std::span<const std::uint16_t>,
                                   std::span<std::uint8_t>) noexcept;
template std::size_t hex_decode(std::span<const std::uint8_t>, std::span<std::uint8_t>) noexcept;
template std::size_t hex_decode(std::span<const std::uint16_t>, std::span<std::uint8_t>) noexcept;

}  // namespace rondo
