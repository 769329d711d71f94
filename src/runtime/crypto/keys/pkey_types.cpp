#include "runtime/crypto/keys/pkey_types.h"

#include <v8.h>

#include <algorithm>
#include <vector>

#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {
namespace {

using F = PkeyFamily;

// The most frequent ones first: a key is asked for each of its names in turn.
constexpr PkeyKind kKinds[] = {
    {"rsa", "RSA", "", F::rsa},
    {"ec", "EC", "", F::ec},
    {"ed25519", "ED25519", "Ed25519", F::edwards},
    {"x25519", "X25519", "X25519", F::montgomery},
    {"rsa-pss", "RSA-PSS", "", F::rsa},
    {"ed448", "ED448", "Ed448", F::edwards},
    {"x448", "X448", "X448", F::montgomery},
    {"dsa", "DSA", "", F::dsa},
    {"dh", "DH", "", F::dh},
    {"dh", "DHX", "", F::dh},
    {"ml-dsa-44", "ML-DSA-44", "ML-DSA-44", F::ml_dsa},
    {"ml-dsa-65", "ML-DSA-65", "ML-DSA-65", F::ml_dsa},
    {"ml-dsa-87", "ML-DSA-87", "ML-DSA-87", F::ml_dsa},
    {"ml-kem-512", "ML-KEM-512", "ML-KEM-512", F::ml_kem},
    {"ml-kem-768", "ML-KEM-768", "ML-KEM-768", F::ml_kem},
    {"ml-kem-1024", "ML-KEM-1024", "ML-KEM-1024", F::ml_kem},
    {"slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f", "SLH-DSA-SHA2-128f", F::slh_dsa},
    {"slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-128s", F::slh_dsa},
    {"slh-dsa-sha2-192f", "SLH-DSA-SHA2-192f", "SLH-DSA-SHA2-192f", F::slh_dsa},
    {"slh-dsa-sha2-192s", "SLH-DSA-SHA2-192s", "SLH-DSA-SHA2-192s", F::slh_dsa},
    {"slh-dsa-sha2-256f", "SLH-DSA-SHA2-256f", "SLH-DSA-SHA2-256f", F::slh_dsa},
    {"slh-dsa-sha2-256s", "SLH-DSA-SHA2-256s", "SLH-DSA-SHA2-256s", F::slh_dsa},
    {"slh-dsa-shake-128f", "SLH-DSA-SHAKE-128f", "SLH-DSA-SHAKE-128f", F::slh_dsa},
    {"slh-dsa-shake-128s", "SLH-DSA-SHAKE-128s", "SLH-DSA-SHAKE-128s", F::slh_dsa},
    {"slh-dsa-shake-192f", "SLH-DSA-SHAKE-192f", "SLH-DSA-SHAKE-192f", F::slh_dsa},
    {"slh-dsa-shake-192s", "SLH-DSA-SHAKE-192s", "SLH-DSA-SHAKE-192s", F::slh_dsa},
    {"slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f", "SLH-DSA-SHAKE-256f", F::slh_dsa},
    {"slh-dsa-shake-256s", "SLH-DSA-SHAKE-256s", "SLH-DSA-SHAKE-256s", F::slh_dsa},
};

/// getPqcKeyTypes() -> names of the post-quantum ones
void get_pqc_key_types(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<v8::Local<v8::Value>> names;
  for (const PkeyKind& kind : kKinds) {
    if (kind.family >= F::ml_dsa) names.push_back(environment.text(kind.openssl_name));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

}  // namespace

std::span<const PkeyKind> all_pkey_kinds() {
  return kKinds;
}

const PkeyKind* kind_of(const EVP_PKEY* key) {
  for (const PkeyKind& kind : kKinds) {
    if (EVP_PKEY_is_a(key, kind.openssl_name) == 1) return &kind;
  }
  return nullptr;
}

const PkeyKind* find_kind(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &PkeyKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

void add_pkey_types(Environment& environment, v8::Local<v8::Object> target) {
  set_method(environment, target, {"getPqcKeyTypes", get_pqc_key_types});
}

}  // namespace rondo::crypto
