// The numbers and bytes inside OpenSSL's asymmetric keys, by the names of its parameters.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"

namespace rondo::crypto {

/// Null or nothing if the key does not have it.
BnPtr number_of(const EVP_PKEY* key, const char* name);
std::optional<SecretBytes> octets_of(const EVP_PKEY* key, const char* name);
std::optional<std::string> text_of(const EVP_PKEY* key, const char* name);

BnPtr to_number(ByteView big_endian);
/// Big-endian, with zeros before it up to `size`; 0: as many bytes as the number takes.
SecretBytes to_bytes(const BIGNUM* number, std::size_t size = 0);

struct NumberParam {
  const char* name;
  const BIGNUM* value;
};
struct BytesParam {
  const char* name;
  ByteView value;
};

/// A key of these parts; null if OpenSSL refuses them.
PkeyPtr key_from_parts(const char* type, int selection, const char* group,
                       std::initializer_list<NumberParam> numbers,
                       std::initializer_list<BytesParam> bytes = {});

// ---- Raw keys: Edwards and Montgomery curves, post-quantum ----

PkeyPtr key_from_raw_public(const char* type, ByteView bytes);
PkeyPtr key_from_raw_private(const char* type, ByteView bytes);
PkeyPtr key_from_seed(const char* type, ByteView seed);
std::optional<SecretBytes> raw_public_of(const EVP_PKEY* key);
std::optional<SecretBytes> raw_private_of(const EVP_PKEY* key);
std::optional<SecretBytes> seed_of(const EVP_PKEY* key);

// ---- Elliptic curves ----

/// By NIST's or OpenSSL's name; NID_undef for what is not a curve.
int curve_by_name(const std::string& name);
/// NID_undef for a curve without a name.
int curve_of(const EVP_PKEY* key);
EcGroupPtr group_of(const EVP_PKEY* key);
/// The public point; null if there is none.
EcPointPtr point_of(const EVP_PKEY* key, const EC_GROUP* group);
SecretBytes encode_point(const EC_GROUP* group, const EC_POINT* point,
                         point_conversion_form_t form);
/// A key on a named curve. `private_number` may be null.
PkeyPtr key_from_point(int curve, const EC_GROUP* group, const EC_POINT* point,
                       const BIGNUM* private_number);
/// 0 < number < order.
bool is_in_range(const EC_GROUP* group, const BIGNUM* private_number);
std::size_t order_size(const EC_GROUP* group);

}  // namespace rondo::crypto
