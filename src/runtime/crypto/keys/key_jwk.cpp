#include "runtime/crypto/keys/key_jwk.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include <algorithm>
#include <string>

#include "runtime/bytes/encodings.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

// ---- Members ------------------------------------------------------------------------------------

/// A member that is asked for once. A getter may throw, and then `ok` is false.
struct Member {
  Local<v8::Value> value;
  bool ok = false;

  bool is_text() const { return ok && value->IsString(); }
  bool is_absent() const { return ok && value->IsUndefined(); }
};

Member get(const Environment& environment, Local<v8::Object> jwk, std::string_view name) {
  Member member;
  member.ok = jwk->Get(environment.context(), environment.name(name)).ToLocal(&member.value);
  return member;
}

SecretBytes decode(const Environment& environment, const Member& member) {
  const ByteSource bytes(environment.isolate(), member.value, ByteSource::Lifetime::copy,
                         Encoding::base64);
  return copy_of(bytes);
}

BnPtr decode_number(const Environment& environment, const Member& member) {
  return to_number(decode(environment, member));
}

KeyData refuse(const Environment& environment, std::string_view message) {
  // An exception of a getter stays.
  if (!environment.isolate()->HasPendingException()) {
    throw_type_error(environment, "ERR_CRYPTO_INVALID_JWK", message);
  }
  return {};
}

bool define(const Environment& environment, Local<v8::Object> target, std::string_view name,
            Local<v8::Value> value) {
  return target->DefineOwnProperty(environment.context(), environment.name(name), value)
      .FromMaybe(false);
}

bool define_bytes(Environment& environment, Local<v8::Object> target, std::string_view name,
                  ByteView bytes) {
  Local<v8::String> text;
  return decode_bytes(environment, bytes, Encoding::base64url).ToLocal(&text) &&
         define(environment, target, name, text);
}

bool define_text(const Environment& environment, Local<v8::Object> target, std::string_view name,
                 std::string_view text) {
  return define(environment, target, name, environment.text(text));
}

bool fail_export(const Environment& environment, std::string_view message) {
  throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", message);
  return false;
}

bool are_equal(const std::optional<SecretBytes>& a, const SecretBytes& b) {
  return a && a->size() == b.size() && CRYPTO_memcmp(a->data(), b.data(), b.size()) == 0;
}

// ---- RSA ----------------------------------------------------------------------------------------

struct RsaPart {
  const char* jwk;
  const char* openssl;
};
constexpr RsaPart kRsaPrivate[] = {
    {"d", OSSL_PKEY_PARAM_RSA_D},          {"p", OSSL_PKEY_PARAM_RSA_FACTOR1},
    {"q", OSSL_PKEY_PARAM_RSA_FACTOR2},    {"dp", OSSL_PKEY_PARAM_RSA_EXPONENT1},
    {"dq", OSSL_PKEY_PARAM_RSA_EXPONENT2}, {"qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1},
};

bool is_product(const BIGNUM* n, const BIGNUM* p, const BIGNUM* q) {
  const BnCtxPtr context(BN_CTX_new());
  const BnPtr product(BN_new());
  return BN_mul(product.get(), p, q, context.get()) == 1 && BN_cmp(product.get(), n) == 0;
}

KeyData import_rsa(const Environment& environment, Local<v8::Object> jwk) {
  constexpr std::string_view kRefused = "Invalid JWK RSA key";
  const Member n_member = get(environment, jwk, "n");
  const Member e_member = get(environment, jwk, "e");
  const Member d_member = get(environment, jwk, "d");
  if (!n_member.is_text() || !e_member.is_text() ||
      (!d_member.is_absent() && !d_member.is_text())) {
    return refuse(environment, kRefused);
  }
  const BnPtr n = decode_number(environment, n_member);
  const BnPtr e = decode_number(environment, e_member);
  BnPtr parts[std::size(kRsaPrivate)];
  const bool is_private = d_member.is_text();
  if (is_private) {
    for (std::size_t i = 0; i < std::size(parts); ++i) {
      const Member member = i == 0 ? d_member : get(environment, jwk, kRsaPrivate[i].jwk);
      if (!member.is_text()) return refuse(environment, kRefused);
      parts[i] = decode_number(environment, member);
    }
    if (!is_product(n.get(), parts[1].get(), parts[2].get())) return refuse(environment, kRefused);
  }
  PkeyPtr key = key_from_parts("RSA", is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, nullptr,
                               {{OSSL_PKEY_PARAM_RSA_N, n.get()},
                                {OSSL_PKEY_PARAM_RSA_E, e.get()},
                                {kRsaPrivate[0].openssl, parts[0].get()},
                                {kRsaPrivate[1].openssl, parts[1].get()},
                                {kRsaPrivate[2].openssl, parts[2].get()},
                                {kRsaPrivate[3].openssl, parts[3].get()},
                                {kRsaPrivate[4].openssl, parts[4].get()},
                                {kRsaPrivate[5].openssl, parts[5].get()}});
  if (key == nullptr) return refuse(environment, kRefused);
  return KeyData::of_pkey(is_private ? KeyType::private_key : KeyType::public_key, std::move(key));
}

bool define_number(Environment& environment, Local<v8::Object> target, const char* name,
                   const BIGNUM* number) {
  return number != nullptr && define_bytes(environment, target, name, to_bytes(number));
}

bool export_rsa(Environment& environment, const KeyData& key, Local<v8::Object> target) {
  const EVP_PKEY* pkey = key.pkey();
  if (!define_text(environment, target, "kty", "RSA") ||
      !define_number(environment, target, "n", number_of(pkey, OSSL_PKEY_PARAM_RSA_N).get()) ||
      !define_number(environment, target, "e", number_of(pkey, OSSL_PKEY_PARAM_RSA_E).get())) {
    return false;
  }
  if (key.type() != KeyType::private_key) return true;
  return std::ranges::all_of(kRsaPrivate, [&](const RsaPart& part) {
    return define_number(environment, target, part.jwk, number_of(pkey, part.openssl).get()) ||
           fail_export(environment, "Failed to export RSA private key");
  });
}

// ---- EC -----------------------------------------------------------------------------------------

KeyData import_ec(const Environment& environment, Local<v8::Object> jwk) {
  constexpr std::string_view kRefused = "Invalid JWK EC key";
  const Member name = get(environment, jwk, "crv");
  if (!name.is_text()) return refuse(environment, kRefused);
  const int curve = curve_by_name(to_text(environment.isolate(), name.value));
  const EcGroupPtr group(curve == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(curve));
  if (curve == NID_undef) {
    throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    return {};
  }
  const Member x = get(environment, jwk, "x");
  const Member y = get(environment, jwk, "y");
  const Member d = get(environment, jwk, "d");
  if (group == nullptr || !x.is_text() || !y.is_text() || (!d.is_absent() && !d.is_text())) {
    return refuse(environment, kRefused);
  }
  // Fails for a point that is not on the curve.
  const EcPointPtr point(EC_POINT_new(group.get()));
  if (EC_POINT_set_affine_coordinates(group.get(), point.get(), decode_number(environment, x).get(),
                                      decode_number(environment, y).get(), nullptr) != 1) {
    return refuse(environment, kRefused);
  }
  BnPtr number;
  if (d.is_text()) {
    number = decode_number(environment, d);
    const EcPointPtr derived(EC_POINT_new(group.get()));
    if (!is_in_range(group.get(), number.get()) ||
        EC_POINT_mul(group.get(), derived.get(), number.get(), nullptr, nullptr, nullptr) != 1 ||
        EC_POINT_cmp(group.get(), derived.get(), point.get(), nullptr) != 0) {
      return refuse(environment, kRefused);
    }
  }
  PkeyPtr key = key_from_point(curve, group.get(), point.get(), number.get());
  if (key == nullptr) return refuse(environment, kRefused);
  return KeyData::of_pkey(number == nullptr ? KeyType::public_key : KeyType::private_key,
                          std::move(key));
}

const char* jwk_curve(int curve) {
  switch (curve) {
    case NID_X9_62_prime256v1:
      return "P-256";
    case NID_secp256k1:
      return "secp256k1";
    case NID_secp384r1:
      return "P-384";
    case NID_secp521r1:
      return "P-521";
    default:
      return nullptr;
  }
}

bool export_ec(Environment& environment, const KeyData& key, Local<v8::Object> target) {
  const EcGroupPtr group = group_of(key.pkey());
  const EcPointPtr point = group == nullptr ? nullptr : point_of(key.pkey(), group.get());
  if (point == nullptr) return false;
  const auto size = static_cast<std::size_t>((EC_GROUP_get_degree(group.get()) + 7) / 8);
  const BnPtr x(BN_new());
  const BnPtr y(BN_new());
  if (EC_POINT_get_affine_coordinates(group.get(), point.get(), x.get(), y.get(), nullptr) != 1) {
    throw_openssl_error(environment, "Failed to get elliptic-curve point coordinates");
    return false;
  }
  if (!define_text(environment, target, "kty", "EC") ||
      !define_bytes(environment, target, "x", to_bytes(x.get(), size)) ||
      !define_bytes(environment, target, "y", to_bytes(y.get(), size))) {
    return false;
  }
  const int curve = curve_of(key.pkey());
  const char* name = jwk_curve(curve);
  if (name == nullptr) {
    throw_error(environment, "ERR_CRYPTO_JWK_UNSUPPORTED_CURVE",
                std::string("Unsupported JWK EC curve: ") + OBJ_nid2sn(curve) + ".");
    return false;
  }
  if (!define_text(environment, target, "crv", name)) return false;
  if (key.type() != KeyType::private_key) return true;
  const BnPtr number = number_of(key.pkey(), OSSL_PKEY_PARAM_PRIV_KEY);
  return number != nullptr && define_bytes(environment, target, "d", to_bytes(number.get(), size));
}

// ---- OKP and AKP --------------------------------------------------------------------------------

const PkeyKind* find_jwk_kind(std::string_view name, bool is_post_quantum) {
  for (const PkeyKind& kind : all_pkey_kinds()) {
    if (kind.jwk_name == name && (kind.family >= PkeyFamily::ml_dsa) == is_post_quantum) {
      return &kind;
    }
  }
  return nullptr;
}

bool has_seed(const PkeyKind& kind) {
  return kind.family == PkeyFamily::ml_dsa || kind.family == PkeyFamily::ml_kem;
}

/// The private part makes the key; the public part has to go with it.
KeyData make_raw(const Environment& environment, const PkeyKind& kind, const Member& public_part,
                 const Member& private_part, std::string_view refused) {
  const SecretBytes public_bytes = decode(environment, public_part);
  if (!private_part.is_text()) {
    PkeyPtr key = key_from_raw_public(kind.openssl_name, public_bytes);
    if (key == nullptr) return refuse(environment, refused);
    return KeyData::of_pkey(KeyType::public_key, std::move(key));
  }
  const SecretBytes private_bytes = decode(environment, private_part);
  PkeyPtr key =
      (has_seed(kind) ? key_from_seed : key_from_raw_private)(kind.openssl_name, private_bytes);
  if (key == nullptr || !are_equal(raw_public_of(key.get()), public_bytes)) {
    return refuse(environment, refused);
  }
  return KeyData::of_pkey(KeyType::private_key, std::move(key));
}

KeyData import_okp(const Environment& environment, Local<v8::Object> jwk) {
  constexpr std::string_view kRefused = "Invalid JWK OKP key";
  const Member curve = get(environment, jwk, "crv");
  const Member x = get(environment, jwk, "x");
  const Member d = get(environment, jwk, "d");
  if (!curve.is_text() || !x.is_text() || (!d.is_absent() && !d.is_text())) {
    return refuse(environment, kRefused);
  }
  const PkeyKind* kind = find_jwk_kind(to_text(environment.isolate(), curve.value), false);
  if (kind == nullptr) return refuse(environment, kRefused);
  return make_raw(environment, *kind, x, d, kRefused);
}

bool export_okp(Environment& environment, const KeyData& key, const PkeyKind& kind,
                Local<v8::Object> target) {
  const std::optional<SecretBytes> x = raw_public_of(key.pkey());
  if (!x || !define_text(environment, target, "kty", "OKP") ||
      !define_text(environment, target, "crv", kind.jwk_name) ||
      !define_bytes(environment, target, "x", *x)) {
    return false;
  }
  if (key.type() != KeyType::private_key) return true;
  const std::optional<SecretBytes> d = raw_private_of(key.pkey());
  return d && define_bytes(environment, target, "d", *d);
}

KeyData import_akp(const Environment& environment, Local<v8::Object> jwk) {
  constexpr std::string_view kRefused = "Invalid JWK AKP key";
  const Member algorithm = get(environment, jwk, "alg");
  const Member public_part = get(environment, jwk, "pub");
  const Member private_part = get(environment, jwk, "priv");
  const PkeyKind* kind = algorithm.is_text()
                             ? find_jwk_kind(to_text(environment.isolate(), algorithm.value), true)
                             : nullptr;
  if (kind == nullptr) return refuse(environment, "Unsupported JWK AKP \"alg\"");
  if (!public_part.is_text() || (!private_part.is_absent() && !private_part.is_text())) {
    return refuse(environment, kRefused);
  }
  return make_raw(environment, *kind, public_part, private_part, kRefused);
}

bool export_akp(Environment& environment, const KeyData& key, const PkeyKind& kind,
                Local<v8::Object> target) {
  const bool is_private = key.type() == KeyType::private_key;
  std::optional<SecretBytes> private_bytes;
  if (is_private) {
    private_bytes = has_seed(kind) ? seed_of(key.pkey()) : raw_private_of(key.pkey());
    if (!private_bytes && has_seed(kind)) {
      return fail_export(environment, "key does not have an available seed");
    }
  }
  const std::optional<SecretBytes> public_bytes = raw_public_of(key.pkey());
  return public_bytes && define_text(environment, target, "kty", "AKP") &&
         define_text(environment, target, "alg", kind.jwk_name) &&
         define_bytes(environment, target, "pub", *public_bytes) &&
         (!is_private ||
          (private_bytes && define_bytes(environment, target, "priv", *private_bytes)));
}

bool export_any(Environment& environment, const KeyData& key, Local<v8::Object> target,
                bool allow_rsa_pss) {
  if (key.type() == KeyType::secret) {
    return define_text(environment, target, "kty", "oct") &&
           define_bytes(environment, target, "k", key.secret());
  }
  const PkeyKind* kind = kind_of(key.pkey());
  if (kind != nullptr) {
    const bool is_pss = kind->name == "rsa-pss";
    switch (kind->family) {
      case PkeyFamily::rsa:
        if (!is_pss || allow_rsa_pss) return export_rsa(environment, key, target);
        break;
      case PkeyFamily::ec:
        return export_ec(environment, key, target);
      case PkeyFamily::edwards:
      case PkeyFamily::montgomery:
        return export_okp(environment, key, *kind, target);
      case PkeyFamily::ml_dsa:
      case PkeyFamily::ml_kem:
      case PkeyFamily::slh_dsa:
        return export_akp(environment, key, *kind, target);
      case PkeyFamily::dsa:
      case PkeyFamily::dh:
        break;
    }
  }
  throw_error(environment, "ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE", "Unsupported JWK Key Type.");
  return false;
}

}  // namespace

KeyData import_secret_jwk(const Environment& environment, Local<v8::Object> jwk) {
  const Member k = get(environment, jwk, "k");
  if (!k.is_text()) return refuse(environment, "Invalid JWK secret key format");
  return KeyData::of_secret(decode(environment, k));
}

KeyData import_jwk(const Environment& environment, Local<v8::Object> jwk) {
  const Member type = get(environment, jwk, "kty");
  if (!type.is_text()) return refuse(environment, "Invalid JWK format");
  const std::string name = to_text(environment.isolate(), type.value);
  if (name == "RSA") return import_rsa(environment, jwk);
  if (name == "EC") return import_ec(environment, jwk);
  if (name == "OKP") return import_okp(environment, jwk);
  if (name == "AKP") return import_akp(environment, jwk);
  return refuse(environment, name + " is not a supported JWK key type");
}

bool export_jwk(Environment& environment, const KeyData& key, Local<v8::Object> target,
                bool allow_rsa_pss) {
  const ErrorScope scope;
  if (export_any(environment, key, target, allow_rsa_pss)) return true;
  if (!environment.isolate()->HasPendingException())
    fail_export(environment, "Failed to export JWK");
  return false;
}

}  // namespace rondo::crypto
