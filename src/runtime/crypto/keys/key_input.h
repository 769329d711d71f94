// Keys among the arguments of functions: how internal/crypto/keys.js passes them.
//
// A key is five arguments: data (bytes, a JWK, a KeyObjectHandle or { uri, properties }), the
// number of its format, the number of its encoding or the name of its type, a passphrase, and the
// name of a curve. How a key is to be written is two arguments (format and encoding) for a public
// key, four (and cipher and passphrase) for a private one; all undefined for a KeyObjectHandle.
#pragma once

#include <optional>

#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/keys/key_data.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {

constexpr int kKeyArguments = 5;

// Nothing, with an exception under way, for what is no such key.

KeyData read_private_key(const Arguments& args, int at);
KeyData read_public_or_private_key(const Arguments& args, int at);
/// The same, and a private key of a store too.
KeyData read_any_key(const Arguments& args, int at);
/// An import in a raw format.
KeyData read_raw_key(const Arguments& args, int at);

/// How to write a key.
struct KeyOutput {
  bool is_handle = true;
  KeyFormat format = KeyFormat::pem;
  KeyEncoding encoding = KeyEncoding::pkcs1;
  point_conversion_form_t point_form = POINT_CONVERSION_UNCOMPRESSED;
  CipherPtr cipher;
  SecretBytes passphrase;

  static constexpr int kPublicArguments = 2;
  static constexpr int kPrivateArguments = 4;
};

KeyOutput read_public_output(const Arguments& args, int at);
/// Nothing, with an exception under way, if the cipher is unknown.
std::optional<KeyOutput> read_private_output(const Arguments& args, int at);

v8::MaybeLocal<v8::Value> write_public(Environment& environment, const KeyData& key,
                                       const KeyOutput& output);
v8::MaybeLocal<v8::Value> write_private(Environment& environment, const KeyData& key,
                                        const KeyOutput& output);

/// Raw keys as Buffers: of a key that does not have such a form, an exception.
v8::MaybeLocal<v8::Value> export_raw_public(Environment& environment, const EVP_PKEY* key,
                                            point_conversion_form_t form);
v8::MaybeLocal<v8::Value> export_raw_private(Environment& environment, const EVP_PKEY* key);
v8::MaybeLocal<v8::Value> export_seed(Environment& environment, const EVP_PKEY* key);

}  // namespace rondo::crypto
