#include "http/websocket/handshake.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace rondo::websocket {

namespace {

using http::same_name;

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::string_view kExtension = "permessage-deflate";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// FIPS 180-4. It protects nothing here: it shows that the server has read the key.
std::array<std::uint8_t, 20> sha1(std::string text) {
  std::array<std::uint32_t, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 64; ++i) {
      w.at(i / 4) = w.at(i / 4) << 8 | static_cast<std::uint8_t>(text[block + i]);
    }
    for (std::size_t i = 16; i < 80; ++i) {
      w.at(i) = std::rotl(w.at(i - 3) ^ w.at(i - 8) ^ w.at(i - 14) ^ w.at(i - 16), 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                              : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                              : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                       : (b ^ c ^ d) + 0xca62c1d6;
      const std::uint32_t next = std::rotl(a, 5) + f + e + w.at(i);
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }
  std::array<std::uint8_t, 20> digest{};
  for (std::size_t i = 0; i < 20; ++i) {
    digest.at(i) = static_cast<std::uint8_t>(state.at(i / 4) >> (24 - 8 * (i % 4)));
  }
  return digest;
}

template <std::size_t Size>
std::string base64(const std::array<std::uint8_t, Size>& bytes) {
  std::string text;
  for (std::size_t i = 0; i < Size; i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < Size ? bytes.at(i + k) : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > Size ? '=' : kAlphabet[group >> (18 - 6 * k) & 63U];
    }
  }
  return text;
}

std::string_view trim(std::string_view text) noexcept {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

/// Calls `use` with each part between separators; ends when that returns false, and returns it.
template <class Use>
bool for_each_part(std::string_view list, char separator, Use use) {
  for (;;) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (!use(trim(list.substr(0, end)))) return false;
    if (end == list.size()) return true;
    list.remove_prefix(end + 1);
  }
}

struct Parameter {
  std::string_view name;
  std::optional<std::string_view> value;
};

Parameter parameter_of(std::string_view text) noexcept {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, std::nullopt};
  std::string_view value = trim(text.substr(equals + 1));
  if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
    value = value.substr(1, value.size() - 2);
  }
  return {trim(text.substr(0, equals)), value};
}

/// 8 to 15, nothing else.
std::optional<int> window_bits_of(std::optional<std::string_view> value) noexcept {
  if (!value) return std::nullopt;
  int bits = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), bits);
  if (error != std::errc() || end != value->data() + value->size() || bits < 8 || bits > 15) {
    return std::nullopt;
  }
  return bits;
}

/// One offer, or the answer to one. False: not ours, or it makes no sense.
struct Extension {
  bool server_no_takeover = false;
  bool client_no_takeover = false;
  std::optional<int> server_bits;
  bool has_client_bits = false;

  bool read(std::string_view text, bool is_answer) {
    bool is_first = true;
    return for_each_part(text, ';', [&](std::string_view part) {
      if (std::exchange(is_first, false)) return same_name(part, kExtension);
      const auto [name, value] = parameter_of(part);
      if (same_name(name, "server_no_context_takeover")) {
        return !value && !std::exchange(server_no_takeover, true);
      }
      if (same_name(name, "client_no_context_takeover")) {
        return !value && !std::exchange(client_no_takeover, true);
      }
      if (same_name(name, "server_max_window_bits")) {
        const bool is_again = server_bits.has_value();
        server_bits = window_bits_of(value);
        return !is_again && server_bits.has_value();
      }
      if (same_name(name, "client_max_window_bits")) {
        // Without a value the server may choose one.
        const bool is_valid = value ? window_bits_of(value).has_value() : !is_answer;
        return !std::exchange(has_client_bits, true) && is_valid;
      }
      return false;
    });
  }
};

}  // namespace

std::string accept_key(std::string_view key) {
  return base64(sha1(std::string(key) + std::string(kGuid)));
}

std::string random_key() {
  std::array<std::uint8_t, 16> bytes;
  fill_random(bytes.data(), bytes.size());
  return base64(bytes);
}

bool is_key(std::string_view text) noexcept {
  return text.size() == 24 && text.ends_with("==") &&
         std::ranges::all_of(text.substr(0, 22),
                             [](char c) { return kAlphabet.find(c) != std::string_view::npos; });
}

void fill_random(std::uint8_t* bytes, std::size_t size) {
  thread_local std::array<std::uint8_t, 1024> pool;
  thread_local std::size_t used = pool.size();
  if (used + size > pool.size()) {
    // The kernel gives up to 256 bytes at once, whatever happens; more may be cut short.
    for (std::size_t at = 0; at < pool.size(); at += 256) {
      if (::getrandom(pool.data() + at, 256, 0) != 256) {
        std::fputs("rondo: the kernel gives no random bytes\n", stderr);
        std::abort();
      }
    }
    used = 0;
  }
  std::memcpy(bytes, pool.data() + used, size);
  used += size;
}

std::optional<DeflateAnswer> answer_offers(const http::Headers& headers) {
  std::optional<DeflateAnswer> answer;
  for (const auto& [name, value] : headers) {
    if (!same_name(name, "sec-websocket-extensions")) continue;
    for_each_part(value, ',', [&](std::string_view offer) {
      Extension offered;
      if (!offered.read(offer, false)) return true;
      // zlib cannot make a window of 8 bits.
      if (offered.server_bits == 8) return true;
      answer.emplace();
      // Neither side keeps its window between messages: it would cost both a good deal of memory.
      answer->answer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
      answer->terms.peer_keeps_window = false;
      if (offered.server_bits) {
        answer->terms.our_window_bits = *offered.server_bits;
        answer->answer += "; server_max_window_bits=" + std::to_string(*offered.server_bits);
      }
      return false;
    });
    if (answer) break;
  }
  return answer;
}

bool read_answer(const http::Headers& headers, std::optional<DeflateTerms>& terms) {
  for (const auto& [name, value] : headers) {
    if (!same_name(name, "sec-websocket-extensions")) continue;
    Extension answered;
    if (terms || !answered.read(value, true) || answered.has_client_bits) return false;
    terms = DeflateTerms{.peer_keeps_window = !answered.server_no_takeover};
  }
  return true;
}

}  // namespace rondo::websocket
