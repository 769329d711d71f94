#pragma once

#include <v8.h>

#include <cstdint>

#include "runtime/crypto/keys/key_data.h"
#include "runtime/glue/binding.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

/// A CryptoKey of Web Crypto; `usages` is the mask of internal/crypto/util.js.
v8::MaybeLocal<v8::Value> make_crypto_key(Environment& environment, KeyData data,
                                          v8::Local<v8::Value> algorithm, std::uint32_t usages,
                                          bool extractable);

/// Calls the first argument, a function that is given the class of `shape` and returns an array of
/// classes derived from it; gives that array, and returns it to JavaScript.
v8::MaybeLocal<v8::Array> define_classes(const Arguments& args,
                                         v8::Local<v8::FunctionTemplate> shape);

/// Sees to it that lib/ has defined the classes. False with an exception under way.
bool load_crypto_classes(Environment& environment);

}  // namespace rondo::crypto
