// Asymmetric keys as PEM and DER.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/keys/key_data.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

/// The numbers are Node's: kKeyFormatDER and so on.
enum class KeyFormat : std::uint8_t { der, pem, jwk, raw_public, raw_private, raw_seed, store };
/// kKeyEncodingPKCS1 and so on.
enum class KeyEncoding : std::uint8_t { pkcs1, pkcs8, spki, sec1 };

// Reading. Nothing with an exception under way for what is not a key.

PkeyPtr parse_private_key(const Environment& environment, ByteView bytes, KeyFormat format,
                          KeyEncoding encoding, const std::optional<ByteView>& passphrase);
/// A public key, or a private one, which a public key can be made of. Certificates will do.
KeyData parse_any_key(const Environment& environment, ByteView bytes, KeyFormat format,
                      KeyEncoding encoding, const std::optional<ByteView>& passphrase);
/// Through a loader of OpenSSL's for URIs: files, and what providers add.
PkeyPtr load_private_key(const Environment& environment, const std::string& uri,
                         const std::optional<std::string>& properties,
                         const std::optional<ByteView>& passphrase);

// Writing. A null cipher: without encryption.

v8::MaybeLocal<v8::Value> write_public_key(Environment& environment, const EVP_PKEY* key,
                                           KeyFormat format, KeyEncoding encoding);
v8::MaybeLocal<v8::Value> write_private_key(Environment& environment, const EVP_PKEY* key,
                                            KeyFormat format, KeyEncoding encoding,
                                            const EVP_CIPHER* cipher, ByteView passphrase);

/// The bytes of a BIO in memory.
ByteView contents_of(BIO* bio);
BioPtr memory_bio(ByteView bytes);

}  // namespace rondo::crypto
