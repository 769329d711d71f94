// The groups of Diffie-Hellman that have names: modp1 to modp18.
#pragma once

#include <string_view>

#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

constexpr unsigned long kGroupGenerator = 2;

/// The prime; null for an unknown name. Any case will do.
BnPtr prime_of_group(std::string_view name);

}  // namespace rondo::crypto
