#include "runtime/crypto/digests/keccak.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {
namespace {

using In = ByteView;
using Out = std::span<std::uint8_t>;

/// How many bytes of input or output the sponge takes between two permutations.
std::size_t rate_of(Strength strength) {
  return strength == Strength::bits128 ? 168 : 136;
}

// ---- cSHAKE and KMAC ------------------------------------------------------------------------

/// A number as SP 800-185 writes it: its bytes, the most significant first, and how many those
/// are, before them (left) or after them (right).
class EncodedNumber {
 public:
  enum class Count { left, right };

  EncodedNumber(std::uint64_t value, Count where) {
    const std::size_t length = std::max<std::size_t>(1, (std::bit_width(value) + 7) / 8);
    std::size_t at = 0;
    if (where == Count::left) bytes_[at++] = static_cast<std::uint8_t>(length);
    for (std::size_t i = length; i-- > 0;) bytes_[at++] = static_cast<std::uint8_t>(value >> 8 * i);
    if (where == Count::right) bytes_[at++] = static_cast<std::uint8_t>(length);
    size_ = at;
  }
  In get() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::uint8_t, 9> bytes_;
  std::size_t size_;
};

/// Keccak with the padding of cSHAKE, which OpenSSL offers under the name of what it needs it for.
class CShake {
 public:
  explicit CShake(Strength strength) : rate_(rate_of(strength)) {
    const char* name = strength == Strength::bits128 ? "KECCAK-KMAC-128" : "KECCAK-KMAC-256";
    digest_.reset(EVP_MD_fetch(nullptr, name, nullptr));
    context_.reset(EVP_MD_CTX_new());
    good_ = digest_ && context_ && EVP_DigestInit_ex2(context_.get(), digest_.get(), nullptr) == 1;
  }

  void add(In bytes) {
    if (!bytes.empty())
      good_ = good_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    added_ += bytes.size();
  }
  void add_number(std::uint64_t value, EncodedNumber::Count where) {
    add(EncodedNumber(value, where).get());
  }

  /// bytepad(): strings, each with its length in bits before it, filled up to a whole block.
  void add_block(std::initializer_list<BitString> strings) {
    const std::size_t start = added_;
    add_number(rate_, EncodedNumber::Count::left);
    for (const BitString& string : strings) {
      add_number(string.bits, EncodedNumber::Count::left);
      add(string.bytes);
    }
    static constexpr std::array<std::uint8_t, 168> kZeros{};
    const std::size_t over = (added_ - start) % rate_;
    if (over != 0) add(In(kZeros).first(rate_ - over));
  }

  bool finish(Out out, std::uint64_t bits) {
    if (!good_ || EVP_DigestFinalXOF(context_.get(), out.data(), out.size()) != 1) return false;
    if (bits % 8 != 0) out.back() &= static_cast<std::uint8_t>(0xff << (8 - bits % 8));
    return true;
  }

 private:
  std::size_t rate_;
  std::size_t added_ = 0;
  MdPtr digest_;
  MdCtxPtr context_;
  bool good_;
};

// ---- Keccak-p[1600, 12] -----------------------------------------------------------------------

constexpr int kRounds = 12;

/// The last twelve constants of the 24 rounds that SHA-3 has.
constexpr std::uint64_t kRoundConstants[kRounds] = {
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/// Where rho and pi carry a lane: the lanes that follow one another from lane 1 on, and by how much
/// each is rotated on its way.
constexpr std::uint8_t kLanePath[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                        15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
constexpr std::uint8_t kLaneRotation[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                            27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};

using Lanes = std::array<std::uint64_t, 25>;

void permute(Lanes& lanes) {
  for (const std::uint64_t constant : kRoundConstants) {
    std::uint64_t parity[5];
    for (std::size_t x = 0; x < 5; ++x) {
      parity[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    }
    for (std::size_t x = 0; x < 5; ++x) {
      const std::uint64_t change = parity[(x + 4) % 5] ^ std::rotl(parity[(x + 1) % 5], 1);
      for (std::size_t y = 0; y < 25; y += 5) lanes[y + x] ^= change;
    }
    std::uint64_t carried = lanes[1];
    for (std::size_t i = 0; i < 24; ++i) {
      const std::uint64_t next = lanes[kLanePath[i]];
      lanes[kLanePath[i]] = std::rotl(carried, kLaneRotation[i]);
      carried = next;
    }
    for (std::size_t y = 0; y < 25; y += 5) {
      const std::uint64_t first = lanes[y];
      const std::uint64_t second = lanes[y + 1];
      for (std::size_t x = 0; x < 3; ++x) lanes[y + x] ^= ~lanes[y + x + 1] & lanes[y + x + 2];
      lanes[y + 3] ^= ~lanes[y + 4] & first;
      lanes[y + 4] ^= ~first & second;
    }
    lanes[0] ^= constant;
  }
}

class TurboShake {
 public:
  explicit TurboShake(Strength strength) : rate_(rate_of(strength)) {}
  ~TurboShake() { OPENSSL_cleanse(lanes_.data(), sizeof lanes_); }
  TurboShake(const TurboShake&) = delete;
  TurboShake& operator=(const TurboShake&) = delete;

  void absorb(In bytes) {
    // Whole lanes at once, where a lane begins.
    while (!bytes.empty()) {
      if (at_ % 8 == 0 && bytes.size() >= 8) {
        std::uint64_t lane;
        std::memcpy(&lane, bytes.data(), 8);
        lanes_[at_ / 8] ^= lane;
        advance(8);
        bytes = bytes.subspan(8);
      } else {
        mix(at_, bytes[0]);
        advance(1);
        bytes = bytes.subspan(1);
      }
    }
  }

  void squeeze(std::uint8_t domain, Out out) {
    mix(at_, domain);
    mix(rate_ - 1, 0x80);
    for (std::size_t done = 0; done < out.size(); done += rate_) {
      permute(lanes_);
      std::memcpy(out.data() + done, lanes_.data(), std::min(rate_, out.size() - done));
    }
  }

 private:
  void mix(std::size_t at, std::uint8_t byte) {
    lanes_[at / 8] ^= std::uint64_t{byte} << 8 * (at % 8);
  }
  void advance(std::size_t by) {
    at_ += by;
    if (at_ < rate_) return;
    permute(lanes_);
    at_ = 0;
  }

  // The lanes are little-endian in memory, as the machines are that we run on.
  static_assert(std::endian::native == std::endian::little);
  std::size_t rate_;
  std::size_t at_ = 0;
  Lanes lanes_{};
};

// ---- KangarooTwelve ---------------------------------------------------------------------------

constexpr std::size_t kLeaf = 8192;  // bytes

/// length_encode() of RFC 9861: as EncodedNumber with the count after it, but nothing for zero.
In kangaroo_length(std::uint64_t value, std::array<std::uint8_t, 9>& storage) {
  if (value == 0) {
    storage[0] = 0;
    return In(storage).first(1);
  }
  const EncodedNumber number(value, EncodedNumber::Count::right);
  std::ranges::copy(number.get(), storage.begin());
  return In(storage).first(number.get().size());
}

/// Hashes a string that comes in parts: the first leaf goes into the final node, the others
/// by their digests.
class Kangaroo {
 public:
  explicit Kangaroo(Strength strength, std::size_t total)
      : strength_(strength), single_(total <= kLeaf), final_(strength) {}

  void add(In bytes) {
    while (!bytes.empty()) {
      if (in_leaf_ == kLeaf) end_leaf();
      const In part = bytes.first(std::min(bytes.size(), kLeaf - in_leaf_));
      (leaf_ ? *leaf_ : final_).absorb(part);
      in_leaf_ += part.size();
      bytes = bytes.subspan(part.size());
    }
  }

  void finish(Out out) {
    if (single_) return final_.squeeze(0x07, out);
    end_leaf();
    std::array<std::uint8_t, 9> storage;
    final_.absorb(kangaroo_length(leaves_ - 1, storage));
    static constexpr std::uint8_t kEnd[] = {0xff, 0xff};
    final_.absorb(kEnd);
    final_.squeeze(0x06, out);
  }

 private:
  void end_leaf() {
    if (leaf_) {
      std::array<std::uint8_t, 64> digest;
      const Out part = Out(digest).first(strength_ == Strength::bits128 ? 32 : 64);
      leaf_->squeeze(0x0b, part);
      final_.absorb(part);
    } else {
      static constexpr std::uint8_t kFirst[] = {3, 0, 0, 0, 0, 0, 0, 0};
      final_.absorb(kFirst);
    }
    ++leaves_;
    leaf_ = std::make_unique<TurboShake>(strength_);
    in_leaf_ = 0;
  }

  Strength strength_;
  bool single_;
  TurboShake final_;
  std::unique_ptr<TurboShake> leaf_;  // null: the first
  std::size_t in_leaf_ = 0;
  std::uint64_t leaves_ = 0;  // ended
};

}  // namespace

bool cshake(Strength strength, In function_name, In customization, In data, Out out,
            std::uint64_t bits) {
  if (out.empty()) return true;
  CShake sponge(strength);
  sponge.add_block({BitString::of(function_name), BitString::of(customization)});
  sponge.add(data);
  return sponge.finish(out, bits);
}

bool kmac(Strength strength, BitString key, In customization, In data, Out out,
          std::uint64_t bits) {
  if (out.empty()) return true;
  CShake sponge(strength);
  sponge.add_block({BitString::of(bytes_of_text("KMAC")), BitString::of(customization)});
  sponge.add_block({key});
  sponge.add(data);
  sponge.add_number(bits, EncodedNumber::Count::right);
  return sponge.finish(out, bits);
}

void turbo_shake(Strength strength, In data, std::uint8_t domain, Out out) {
  TurboShake sponge(strength);
  sponge.absorb(data);
  sponge.squeeze(domain, out);
}

void kangaroo_twelve(Strength strength, In data, In customization, Out out) {
  std::array<std::uint8_t, 9> storage;
  const In length = kangaroo_length(customization.size(), storage);
  Kangaroo tree(strength, data.size() + customization.size() + length.size());
  tree.add(data);
  tree.add(customization);
  tree.add(length);
  tree.finish(out);
}

}  // namespace rondo::crypto
