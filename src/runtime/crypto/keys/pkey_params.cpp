#include "runtime/crypto/keys/pkey_params.h"

#include <openssl/core_names.h>
#include <openssl/objects.h>

namespace rondo::crypto {

// ---- Parts --------------------------------------------------------------------------------------

BnPtr number_of(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  EVP_PKEY_get_bn_param(key, name, &number);
  return BnPtr(number);
}

std::optional<SecretBytes> octets_of(const EVP_PKEY* key, const char* name) {
  std::size_t size = 0;
  if (EVP_PKEY_get_octet_string_param(key, name, nullptr, 0, &size) != 1) return std::nullopt;
  SecretBytes bytes(size);
  if (EVP_PKEY_get_octet_string_param(key, name, bytes.data(), size, &size) != 1) {
    return std::nullopt;
  }
  bytes.resize(size);
  return bytes;
}

std::optional<std::string> text_of(const EVP_PKEY* key, const char* name) {
  char text[80];
  std::size_t length = 0;
  if (EVP_PKEY_get_utf8_string_param(key, name, text, sizeof text, &length) != 1) {
    return std::nullopt;
  }
  return std::string(text, length);
}

BnPtr to_number(ByteView big_endian) {
  return BnPtr(BN_bin2bn(big_endian.data(), static_cast<int>(big_endian.size()), nullptr));
}

SecretBytes to_bytes(const BIGNUM* number, std::size_t size) {
  if (size == 0) size = static_cast<std::size_t>(BN_num_bytes(number));
  SecretBytes bytes(size);
  if (BN_bn2binpad(number, bytes.data(), static_cast<int>(size)) < 0) bytes.clear();
  return bytes;
}

PkeyPtr key_from_parts(const char* type, int selection, const char* group,
                       std::initializer_list<NumberParam> numbers,
                       std::initializer_list<BytesParam> bytes) {
  const ParamBuilderPtr builder(OSSL_PARAM_BLD_new());
  if (group != nullptr) {
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
  }
  for (const NumberParam& part : numbers) {
    if (part.value != nullptr) OSSL_PARAM_BLD_push_BN(builder.get(), part.name, part.value);
  }
  for (const BytesParam& part : bytes) {
    OSSL_PARAM_BLD_push_octet_string(builder.get(), part.name, part.value.data(),
                                     part.value.size());
  }
  const ParamsPtr params(OSSL_PARAM_BLD_to_param(builder.get()));
  const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (params == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, selection, params.get()) != 1) {
    return nullptr;
  }
  return PkeyPtr(key);
}

// ---- Raw keys -----------------------------------------------------------------------------------

PkeyPtr key_from_raw_public(const char* type, ByteView bytes) {
  return PkeyPtr(
      EVP_PKEY_new_raw_public_key_ex(nullptr, type, nullptr, bytes.data(), bytes.size()));
}

PkeyPtr key_from_raw_private(const char* type, ByteView bytes) {
  return PkeyPtr(
      EVP_PKEY_new_raw_private_key_ex(nullptr, type, nullptr, bytes.data(), bytes.size()));
}

PkeyPtr key_from_seed(const char* type, ByteView seed) {
  return key_from_parts(type, EVP_PKEY_KEYPAIR, nullptr, {}, {{OSSL_PKEY_PARAM_ML_DSA_SEED, seed}});
}

namespace {

using GetRaw = int(const EVP_PKEY* key, unsigned char* bytes, std::size_t* size);

std::optional<SecretBytes> get_raw(const EVP_PKEY* key, GetRaw* get) {
  std::size_t size = 0;
  if (get(key, nullptr, &size) != 1) return std::nullopt;
  SecretBytes bytes(size);
  if (get(key, bytes.data(), &size) != 1) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::optional<SecretBytes> raw_public_of(const EVP_PKEY* key) {
  return get_raw(key, EVP_PKEY_get_raw_public_key);
}

std::optional<SecretBytes> raw_private_of(const EVP_PKEY* key) {
  return get_raw(key, EVP_PKEY_get_raw_private_key);
}

std::optional<SecretBytes> seed_of(const EVP_PKEY* key) {
  return octets_of(key, OSSL_PKEY_PARAM_ML_DSA_SEED);
}

// ---- Elliptic curves ----------------------------------------------------------------------------

int curve_by_name(const std::string& name) {
  const int nid = EC_curve_nist2nid(name.c_str());
  return nid != NID_undef ? nid : OBJ_sn2nid(name.c_str());
}

int curve_of(const EVP_PKEY* key) {
  const std::optional<std::string> name = text_of(key, OSSL_PKEY_PARAM_GROUP_NAME);
  return name ? curve_by_name(*name) : NID_undef;
}

EcGroupPtr group_of(const EVP_PKEY* key) {
  if (const int curve = curve_of(key); curve != NID_undef) {
    return EcGroupPtr(EC_GROUP_new_by_curve_name(curve));
  }
  OSSL_PARAM* params = nullptr;
  if (EVP_PKEY_todata(key, EVP_PKEY_KEY_PARAMETERS, &params) != 1) return nullptr;
  const ParamsPtr owner(params);
  return EcGroupPtr(EC_GROUP_new_from_params(params, nullptr, nullptr));
}

EcPointPtr point_of(const EVP_PKEY* key, const EC_GROUP* group) {
  const std::optional<SecretBytes> bytes = octets_of(key, OSSL_PKEY_PARAM_PUB_KEY);
  if (!bytes) return nullptr;
  EcPointPtr point(EC_POINT_new(group));
  if (EC_POINT_oct2point(group, point.get(), bytes->data(), bytes->size(), nullptr) != 1) {
    return nullptr;
  }
  return point;
}

SecretBytes encode_point(const EC_GROUP* group, const EC_POINT* point,
                         point_conversion_form_t form) {
  SecretBytes bytes(EC_POINT_point2oct(group, point, form, nullptr, 0, nullptr));
  bytes.resize(EC_POINT_point2oct(group, point, form, bytes.data(), bytes.size(), nullptr));
  return bytes;
}

PkeyPtr key_from_point(int curve, const EC_GROUP* group, const EC_POINT* point,
                       const BIGNUM* private_number) {
  const SecretBytes bytes = encode_point(group, point, POINT_CONVERSION_UNCOMPRESSED);
  return key_from_parts("EC", private_number == nullptr ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR,
                        OBJ_nid2sn(curve), {{OSSL_PKEY_PARAM_PRIV_KEY, private_number}},
                        {{OSSL_PKEY_PARAM_PUB_KEY, bytes}});
}

bool is_in_range(const EC_GROUP* group, const BIGNUM* private_number) {
  return !BN_is_zero(private_number) && !BN_is_negative(private_number) &&
         BN_cmp(private_number, EC_GROUP_get0_order(group)) < 0;
}

std::size_t order_size(const EC_GROUP* group) {
  return static_cast<std::size_t>((EC_GROUP_order_bits(group) + 7) / 8);
}

}  // namespace rondo::crypto
