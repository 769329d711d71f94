// A certificate as an object of its parts: what tls.TLSSocket.getPeerCertificate() gives.
#include <openssl/core_names.h>
#include <openssl/objects.h>

#include <string>
#include <utility>

#include "runtime/crypto/certificates/x509.h"
#include "runtime/crypto/certificates/x509_text.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_codec.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

Local<v8::Value> to_value(const Environment& environment, const std::optional<std::string>& text) {
  if (!text) return v8::Undefined(environment.isolate());
  return environment.text(*text);
}

/// Of several values under one name an array. What is undefined is left out.
bool add(const Environment& environment, Local<v8::Object> target, Local<v8::String> name,
         Local<v8::Value> value) {
  if (value->IsUndefined()) return true;
  const Local<v8::Context> context = environment.context();
  Local<v8::Value> before;
  if (!target->Get(context, name).ToLocal(&before)) return false;
  if (before->IsArray()) {
    const auto list = before.As<v8::Array>();
    return list->Set(context, list->Length(), value).FromMaybe(false);
  }
  if (!before->IsUndefined()) {
    Local<v8::Value> both[] = {before, value};
    value = v8::Array::New(environment.isolate(), both, std::size(both));
  }
  return target->Set(context, name, value).FromMaybe(false);
}

std::string name_of(const ASN1_OBJECT* object) {
  const int nid = OBJ_obj2nid(object);
  if (nid != NID_undef) return OBJ_nid2sn(nid);
  char text[80];
  OBJ_obj2txt(text, sizeof text, object, 0);
  return text;
}

/// { CN: 'example.org', OU: ['a', 'b'] }
v8::MaybeLocal<v8::Value> name_object(const Environment& environment, const X509_NAME* name) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Object> result = v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    unsigned char* text = nullptr;
    const int length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
    if (length < 0) continue;
    const std::string value(reinterpret_cast<char*>(text), static_cast<std::size_t>(length));
    OPENSSL_free(text);
    if (!add(environment, result, environment.text(name_of(X509_NAME_ENTRY_get_object(entry))),
             environment.text(value))) {
      return {};
    }
  }
  return result;
}

std::string hex_of(const BIGNUM* number) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  BN_print(bio.get(), number);
  return std::string(text_of_bytes(contents_of(bio.get())));
}

/// What depends on the type of the key.
struct KeyParts {
  Local<v8::Value> modulus;
  Local<v8::Value> exponent;
  Local<v8::Value> pubkey;
  Local<v8::Value> bits;
  Local<v8::Value> asn1_curve;
  Local<v8::Value> nist_curve;
};

bool add_rsa(Environment& environment, const EVP_PKEY* key, KeyParts& parts) {
  const BnPtr n = number_of(key, OSSL_PKEY_PARAM_RSA_N);
  const BnPtr e = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  if (n == nullptr || e == nullptr || size < 0) return true;
  parts.modulus = environment.text(hex_of(n.get()));
  parts.exponent = environment.text("0x" + hex_of(e.get()));
  parts.bits = v8::Integer::New(environment.isolate(), BN_num_bits(n.get()));
  const bool made =
      make_bytes(environment, {der, static_cast<std::size_t>(size)}).ToLocal(&parts.pubkey);
  OPENSSL_free(der);
  return made;
}

bool add_ec(Environment& environment, const EVP_PKEY* key, KeyParts& parts) {
  const EcGroupPtr group = group_of(key);
  const std::optional<SecretBytes> point = octets_of(key, OSSL_PKEY_PARAM_PUB_KEY);
  if (group == nullptr || !point) return true;
  parts.bits = v8::Integer::New(environment.isolate(), EC_GROUP_order_bits(group.get()));
  const int curve = curve_of(key);
  if (curve != NID_undef) {
    parts.asn1_curve = environment.text(OBJ_nid2sn(curve));
    const char* nist = EC_curve_nid2nist(curve);
    if (nist != nullptr) parts.nist_curve = environment.text(nist);
  }
  return make_bytes(environment, *point).ToLocal(&parts.pubkey);
}

bool read_key(Environment& environment, X509* certificate, KeyParts& parts) {
  const Local<v8::Value> undefined = v8::Undefined(environment.isolate());
  parts = {undefined, undefined, undefined, undefined, undefined, undefined};
  const EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr) return true;
  if (EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1) {
    return add_rsa(environment, key, parts);
  }
  return EVP_PKEY_is_a(key, "EC") != 1 || add_ec(environment, key, parts);
}

using ObjectsPtr = OpenSslPtr<EXTENDED_KEY_USAGE, EXTENDED_KEY_USAGE_free>;

}  // namespace

Local<v8::Value> usages_of(const Environment& environment, const X509* certificate) {
  const ObjectsPtr list(static_cast<EXTENDED_KEY_USAGE*>(
      X509_get_ext_d2i(certificate, NID_ext_key_usage, nullptr, nullptr)));
  if (list == nullptr) return v8::Undefined(environment.isolate());
  const Local<v8::Array> names = v8::Array::New(environment.isolate());
  for (int i = 0; i < sk_ASN1_OBJECT_num(list.get()); ++i) {
    char text[256];
    if (OBJ_obj2txt(text, sizeof text, sk_ASN1_OBJECT_value(list.get(), i), 1) < 0) continue;
    names->Set(environment.context(), names->Length(), environment.text(text)).FromMaybe(false);
  }
  return names;
}

v8::MaybeLocal<v8::Value> der_of(Environment& environment, X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size < 0) return v8::Undefined(environment.isolate());
  const v8::MaybeLocal<v8::Value> bytes =
      make_bytes(environment, {der, static_cast<std::size_t>(size)});
  OPENSSL_free(der);
  return bytes;
}

v8::MaybeLocal<v8::Object> to_legacy_object(Environment& environment, X509* certificate) {
  KeyParts key;
  Local<v8::Value> subject;
  Local<v8::Value> issuer;
  Local<v8::Value> raw;
  if (!read_key(environment, certificate, key) ||
      !name_object(environment, X509_get_subject_name(certificate)).ToLocal(&subject) ||
      !name_object(environment, X509_get_issuer_name(certificate)).ToLocal(&issuer) ||
      !der_of(environment, certificate).ToLocal(&raw)) {
    return {};
  }
  const auto text = [&](const std::optional<std::string>& value) {
    return to_value(environment, value);
  };
  const std::pair<std::string_view, Local<v8::Value>> members[] = {
      {"subject", subject},
      {"issuer", issuer},
      {"subjectaltname", text(subject_alt_name_of(certificate))},
      {"infoAccess", text(info_access_of(certificate))},
      {"ca", v8::Boolean::New(environment.isolate(), X509_check_ca(certificate) == 1)},
      {"modulus", key.modulus},
      {"exponent", key.exponent},
      {"pubkey", key.pubkey},
      {"bits", key.bits},
      {"valid_from", text(text_of_time(X509_get0_notBefore(certificate)))},
      {"valid_to", text(text_of_time(X509_get0_notAfter(certificate)))},
      {"fingerprint", text(fingerprint_of(certificate, EVP_sha1()))},
      {"fingerprint256", text(fingerprint_of(certificate, EVP_sha256()))},
      {"fingerprint512", text(fingerprint_of(certificate, EVP_sha512()))},
      {"ext_key_usage", usages_of(environment, certificate)},
      {"serialNumber", text(serial_number_of(certificate))},
      {"raw", raw},
      {"asn1Curve", key.asn1_curve},
      {"nistCurve", key.nist_curve},
  };
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Object> result = v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  // What the certificate does not have is there too, as undefined.
  for (const auto& [name, value] : members) {
    if (result->Set(environment.context(), environment.name(name), value).IsNothing()) return {};
  }
  return result;
}

}  // namespace rondo::crypto
