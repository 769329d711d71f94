// The types of asymmetric keys, by Node's names and by OpenSSL's.
#pragma once

#include <openssl/evp.h>

#include <span>
#include <string_view>

namespace rondo::crypto {

enum class PkeyFamily : unsigned char {
  rsa,
  dsa,
  dh,
  ec,
  edwards,
  montgomery,
  ml_dsa,
  ml_kem,
  slh_dsa
};

struct PkeyKind {
  std::string_view name;     // Node's: "ed25519", "ml-dsa-44"
  const char* openssl_name;  // "ED25519", "ML-DSA-44"
  std::string_view
      jwk_name;  // "Ed25519" (crv), "ML-DSA-44" (alg); empty if it has a kty of its own
  PkeyFamily family;
};

std::span<const PkeyKind> all_pkey_kinds();

/// Null for a type that Node has no name for.
const PkeyKind* kind_of(const EVP_PKEY* key);
const PkeyKind* find_kind(std::string_view name);

}  // namespace rondo::crypto
