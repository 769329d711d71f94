// What signing by a stream and at once have in common.
#pragma once

#include <v8.h>

#include <optional>
#include <string>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

/// How a signature of DSA and ECDSA is written. The numbers are kSigEncDER and kSigEncP1363.
enum class SignatureForm : std::uint8_t { der, p1363 };

struct RsaOptions {
  std::optional<int> padding;
  std::optional<int> salt_length;
};

bool is_rsa(const EVP_PKEY* key);
/// DSA and ECDSA: signatures are two numbers.
bool has_two_numbers(const EVP_PKEY* key);
/// Keys that sign a message as a whole: EdDSA, ML-DSA, SLH-DSA.
bool signs_at_once(const EVP_PKEY* key);

/// Without effect for other keys. False if OpenSSL refuses them.
bool apply_rsa_options(const EVP_PKEY* key, EVP_PKEY_CTX* context, const RsaOptions& options);

/// Both as long as the order of the group; as it is if that cannot be done.
SecretBytes to_p1363(const EVP_PKEY* key, ByteView der);
/// Nothing if the length is wrong.
std::optional<SecretBytes> to_der(const EVP_PKEY* key, ByteView p1363);

/// A signature or public key of EdDSA with a point of small order, which would verify for any
/// message.
bool has_small_order_point(const EVP_PKEY* key, ByteView signature);

std::optional<int> int_of(v8::Local<v8::Value> value);

}  // namespace rondo::crypto
