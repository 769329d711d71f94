#pragma once

#include <v8.h>

#include "runtime/crypto/keys/key_data.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

/// Adds what asymmetricKeyDetails shows to `target`. False, perhaps with an exception under way.
bool add_key_detail(Environment& environment, const KeyData& key, v8::Local<v8::Object> target);

}  // namespace rondo::crypto
