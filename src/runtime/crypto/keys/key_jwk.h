// Keys as JSON Web Keys (RFC 7517, 7518, 8037; AKP for the post-quantum ones).
#pragma once

#include <v8.h>

#include "runtime/crypto/keys/key_data.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

// Nothing, with an exception under way, for what is wrong.

KeyData import_secret_jwk(const Environment& environment, v8::Local<v8::Object> jwk);
/// A public key, or a private one if the JWK has its private part.
KeyData import_jwk(const Environment& environment, v8::Local<v8::Object> jwk);
/// Adds the members to `target`. False with an exception under way.
bool export_jwk(Environment& environment, const KeyData& key, v8::Local<v8::Object> target,
                bool allow_rsa_pss);

}  // namespace rondo::crypto
