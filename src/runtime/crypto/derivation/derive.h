// Keys from passwords and from other keys: PBKDF2, scrypt, HKDF, Argon2. Each fills `out`, and is
// false when OpenSSL refuses; the reason is then in OpenSSL's queue of errors of this thread.
// Nothing here knows of V8, so that all of it can run on a thread of the pool.
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/crypto/bytes.h"

namespace rondo::crypto {

/// PBKDF2 and HKDF derive a byte at least.
bool pbkdf2(const EVP_MD* digest, ByteView password, ByteView salt, int iterations,
            std::span<std::uint8_t> out);

struct ScryptCost {
  std::uint64_t n;
  std::uint64_t r;
  std::uint64_t p;
  std::uint64_t max_memory;  // bytes
};

/// Whether OpenSSL would derive a key with these.
bool scrypt_accepts(const ScryptCost& cost);
bool scrypt(ByteView password, ByteView salt, const ScryptCost& cost, std::span<std::uint8_t> out);

/// The most bytes that HKDF gives with this digest (RFC 5869: its counter is one byte).
std::size_t hkdf_limit(const EVP_MD* digest);
bool hkdf(const EVP_MD* digest, ByteView key, ByteView salt, ByteView info,
          std::span<std::uint8_t> out);

enum class Argon2Kind : std::uint8_t { d, i, id };

struct Argon2Options {
  Argon2Kind kind;
  std::uint32_t lanes;
  std::uint32_t memory_kib;
  std::uint32_t passes;
  ByteView secret;
  ByteView associated_data;
};

bool argon2(ByteView password, ByteView salt, const Argon2Options& options,
            std::span<std::uint8_t> out);

}  // namespace rondo::crypto
