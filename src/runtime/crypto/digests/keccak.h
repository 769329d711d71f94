// What is built on Keccak beyond SHA-3: cSHAKE and KMAC (NIST SP 800-185), for lengths in bits,
// TurboSHAKE and KangarooTwelve (RFC 9861). OpenSSL has the first two for whole bytes only, and
// only under the name of KMAC; of the others it has nothing.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/crypto/bytes.h"

namespace rondo::crypto {

enum class Strength : std::uint8_t { bits128, bits256 };

/// A string of bits, the last byte of which may be used from its most significant bit on only.
struct BitString {
  ByteView bytes;
  std::uint64_t bits;

  static BitString of(ByteView bytes) { return {bytes, bytes.size() * 8}; }
};

/// Fills `out` with `bits` bits; it has as many bytes as they take. False if OpenSSL refuses.
bool cshake(Strength strength, ByteView function_name, ByteView customization, ByteView data,
            std::span<std::uint8_t> out, std::uint64_t bits);
bool kmac(Strength strength, BitString key, ByteView customization, ByteView data,
          std::span<std::uint8_t> out, std::uint64_t bits);

void turbo_shake(Strength strength, ByteView data, std::uint8_t domain,
                 std::span<std::uint8_t> out);
void kangaroo_twelve(Strength strength, ByteView data, ByteView customization,
                     std::span<std::uint8_t> out);

}  // namespace rondo::crypto
