#include "runtime/bytes/base_codecs.h"

#include <algorithm>
#include <array>
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

namespace {

/// Sixteen bytes, which the compiler computes with at once. On any machine: the operations of such
/// vectors are the language's.
using Vector = std::uint8_t __attribute__((vector_size(16)));

Vector load(const void* from) noexcept {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

}  // namespace

void hex_encode(std::span<const std::uint8_t> bytes, std::uint8_t* out) noexcept {
  const auto digits = [](Vector values) {
    return values + '0' + (static_cast<Vector>(values > 9) & ('a' - '0' - 10));
  };
  while (bytes.size() >= sizeof(Vector)) {
    const Vector vector = load(bytes.data());
    const Vector high = digits(vector >> 4);
    const Vector low = digits(vector & 15);
    const Vector pairs[] = {
        __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
        __builtin_shufflevector(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                31)};
    std::memcpy(out, pairs, sizeof pairs);
    out += sizeof pairs;
    bytes = bytes.subspan(sizeof(Vector));
  }
  for (const std::uint8_t byte : bytes) {
    out = std::copy_n(kHexPairs[byte].begin(), 2, out);
  }
}

namespace {

/// What the digits stand for. `wrong` gets bits for what is none.
Vector hex_values(Vector characters, Vector& wrong) noexcept {
  const Vector digits = characters - '0';
  const Vector letters = (characters | 0x20) - 'a';
  const auto are_digits = static_cast<Vector>(digits < 10);
  const auto are_letters = static_cast<Vector>(letters < 6);
  wrong |= ~(are_digits | are_letters);
  return (digits & are_digits) | ((letters + 10) & are_letters);
}

bool is_zero(Vector vector) noexcept {
  std::uint64_t halves[2];
  std::memcpy(halves, &vector, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

/// As many pairs as come in blocks without an error; how many those were.
std::size_t hex_decode_blocks(const std::uint8_t* text, std::size_t pairs,
                              std::uint8_t* out) noexcept {
  constexpr std::size_t kBlock = sizeof(Vector);
  std::size_t done = 0;
  for (; pairs - done >= kBlock; done += kBlock) {
    Vector wrong{};
    const Vector first = hex_values(load(text + 2 * done), wrong);
    const Vector second = hex_values(load(text + 2 * done + kBlock), wrong);
    if (!is_zero(wrong)) break;
    const Vector high = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                                20, 22, 24, 26, 28, 30);
    const Vector low = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                               23, 25, 27, 29, 31);
    const Vector bytes = high << 4 | low;
    std::memcpy(out + done, &bytes, kBlock);
  }
  return done;
}

}  // namespace

template <class Character>
std::size_t hex_decode(std::span<const Character> text, std::span<std::uint8_t> out) noexcept {
  const std::size_t pairs = std::min(text.size() / 2, out.size());
  // Of a wide character only the low byte counts, as in Node.
  const auto four_bits = [](Character character) {
    return static_cast<unsigned>(kFourBits[static_cast<std::uint8_t>(character)]);
  };
  std::size_t i = 0;
  if constexpr (sizeof(Character) == 1) i = hex_decode_blocks(text.data(), pairs, out.data());
  for (; i < pairs; ++i) {
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
