#include "runtime/crypto/derivation/dh_groups.h"

#include <string>

namespace rondo::crypto {
namespace {

struct Group {
  const char* name;
  BIGNUM* (*prime)(BIGNUM* out);
};

// RFC 2409 and RFC 3526.
constexpr Group kGroups[] = {
    {"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
    {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
    {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
    {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192},
};

}  // namespace

BnPtr prime_of_group(std::string_view name) {
  const std::string wanted(name);
  for (const Group& group : kGroups) {
    if (OPENSSL_strcasecmp(wanted.c_str(), group.name) == 0) return BnPtr(group.prime(nullptr));
  }
  return nullptr;
}

}  // namespace rondo::crypto
