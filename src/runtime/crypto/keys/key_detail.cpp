// KeyObjectHandle.keyDetail(): what asymmetricKeyDetails shows.
#include "runtime/crypto/keys/key_detail.h"

#include <openssl/core_names.h>
#include <openssl/objects.h>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

bool set(const Environment& environment, Local<v8::Object> target, std::string_view name,
         Local<v8::Value> value) {
  return target->Set(environment.context(), environment.name(name), value).FromMaybe(false);
}

bool set_number(const Environment& environment, Local<v8::Object> target, std::string_view name,
                double value) {
  return set(environment, target, name, v8::Number::New(environment.isolate(), value));
}

/// "sha256" for OpenSSL's "SHA2-256"; SHA-1 is the default.
std::string digest_name(const std::optional<std::string>& name) {
  if (!name) return "sha1";
  const MdPtr digest(EVP_MD_fetch(nullptr, name->c_str(), nullptr));
  const char* known = digest == nullptr ? nullptr : OBJ_nid2ln(EVP_MD_get_type(digest.get()));
  return known == nullptr ? *name : known;
}

/// A key without restrictions has no parameters; one with restrictions has a salt length at least.
bool add_pss(const Environment& environment, const EVP_PKEY* key, Local<v8::Object> target) {
  int salt_length = 0;
  if (EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, &salt_length) != 1) return true;
  const std::string digest = digest_name(text_of(key, OSSL_PKEY_PARAM_RSA_DIGEST));
  const std::string mgf1 = digest_name(text_of(key, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST));
  return set(environment, target, "hashAlgorithm", environment.text(digest)) &&
         set(environment, target, "mgf1HashAlgorithm", environment.text(mgf1)) &&
         set_number(environment, target, "saltLength", salt_length);
}

bool add_rsa(Environment& environment, const EVP_PKEY* key, Local<v8::Object> target) {
  const BnPtr n = number_of(key, OSSL_PKEY_PARAM_RSA_N);
  const BnPtr e = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  Local<v8::ArrayBuffer> exponent;
  return n != nullptr && e != nullptr &&
         set_number(environment, target, "modulusLength", BN_num_bits(n.get())) &&
         make_array_buffer(environment, to_bytes(e.get())).ToLocal(&exponent) &&
         set(environment, target, "publicExponent", exponent) &&
         (EVP_PKEY_is_a(key, "RSA-PSS") != 1 || add_pss(environment, key, target));
}

bool add_dsa(const Environment& environment, const EVP_PKEY* key, Local<v8::Object> target) {
  const BnPtr p = number_of(key, OSSL_PKEY_PARAM_FFC_P);
  const BnPtr q = number_of(key, OSSL_PKEY_PARAM_FFC_Q);
  return p != nullptr && q != nullptr &&
         set_number(environment, target, "modulusLength", BN_num_bits(p.get())) &&
         set_number(environment, target, "divisorLength", BN_num_bits(q.get()));
}

bool add_ec(const Environment& environment, const EVP_PKEY* key, Local<v8::Object> target) {
  const int curve = curve_of(key);
  return curve == NID_undef ||
         set(environment, target, "namedCurve", environment.text(OBJ_nid2sn(curve)));
}

}  // namespace

bool add_key_detail(Environment& environment, const KeyData& key, Local<v8::Object> target) {
  const ErrorScope scope;
  if (key.type() == KeyType::secret) {
    return set_number(environment, target, "length", static_cast<double>(key.secret().size() * 8));
  }
  const PkeyKind* kind = kind_of(key.pkey());
  if (kind != nullptr) {
    if (kind->family == PkeyFamily::rsa) return add_rsa(environment, key.pkey(), target);
    if (kind->family == PkeyFamily::dsa) return add_dsa(environment, key.pkey(), target);
    if (kind->family == PkeyFamily::ec) return add_ec(environment, key.pkey(), target);
    if (kind->family == PkeyFamily::dh) return true;
  }
  throw_range_error(environment, "ERR_CRYPTO_INVALID_KEYTYPE", "Invalid key type");
  return false;
}

}  // namespace rondo::crypto
