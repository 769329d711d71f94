#pragma once

#include <v8.h>

#include <cstdint>

#include "runtime/crypto/key_data.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

/// A CryptoKey of Web Crypto; `usages` is the mask of internal/crypto/util.js.
v8::MaybeLocal<v8::Value> make_crypto_key(Environment& environment, KeyData data,
                                          v8::Local<v8::Value> algorithm, std::uint32_t usages,
                                          bool extractable);

}  // namespace rondo::crypto
