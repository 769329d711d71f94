// Keys in raw form: the point and the number of an elliptic curve, the bytes of the newer kinds.
#include <openssl/core_names.h>
#include <openssl/objects.h>

#include <algorithm>
#include <string>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;
using F = PkeyFamily;

bool throw_incompatible(const Environment& environment) {
  throw_error(environment, "ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS",
              "The selected key encoding is incompatible with the key type");
  return false;
}

v8::MaybeLocal<v8::Value> refuse_export(const Environment& environment, std::string_view message) {
  throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", message);
  return {};
}

bool has_seed(F family) {
  return family == F::ml_dsa || family == F::ml_kem;
}
bool has_raw_private(F family) {
  return family == F::edwards || family == F::montgomery || family == F::slh_dsa;
}
bool has_raw_public(F family) {
  return has_seed(family) || has_raw_private(family);
}

// ---- Import -------------------------------------------------------------------------------------

/// The kind of this name in any case, as OpenSSL and Node have them.
const PkeyKind* find_raw_kind(std::string_view name) {
  const auto equal = [&](const PkeyKind& kind) {
    return has_raw_public(kind.family) &&
           OPENSSL_strcasecmp(std::string(name).c_str(), kind.openssl_name) == 0;
  };
  const auto kinds = all_pkey_kinds();
  const auto found = std::ranges::find_if(kinds, equal);
  return found == kinds.end() ? nullptr : &*found;
}

/// False, with an exception under way, for a format that this type of key does not have.
bool check_format(const Environment& environment, const std::string& name, const PkeyKind* kind,
                  KeyFormat format) {
  if (name == "ec" || (kind != nullptr && has_raw_private(kind->family))) {
    return format != KeyFormat::raw_seed || throw_incompatible(environment);
  }
  if (kind != nullptr) {
    return format != KeyFormat::raw_private || throw_incompatible(environment);
  }
  if (name == "rsa" || name == "rsa-pss" || name == "dsa" || name == "dh") {
    return throw_incompatible(environment);
  }
  throw_type_error(environment, "ERR_INVALID_ARG_VALUE", "Invalid asymmetricKeyType: " + name);
  return false;
}

PkeyPtr import_ec(ByteView bytes, KeyFormat format, int curve) {
  const EcGroupPtr group(EC_GROUP_new_by_curve_name(curve));
  if (group == nullptr) return nullptr;
  const EcPointPtr point(EC_POINT_new(group.get()));
  if (format == KeyFormat::raw_public) {
    if (EC_POINT_oct2point(group.get(), point.get(), bytes.data(), bytes.size(), nullptr) != 1 ||
        EC_POINT_is_at_infinity(group.get(), point.get()) == 1) {
      return nullptr;
    }
    return key_from_point(curve, group.get(), point.get(), nullptr);
  }
  const BnPtr number = to_number(bytes);
  if (bytes.size() != order_size(group.get()) || !is_in_range(group.get(), number.get()) ||
      EC_POINT_mul(group.get(), point.get(), number.get(), nullptr, nullptr, nullptr) != 1) {
    return nullptr;
  }
  return key_from_point(curve, group.get(), point.get(), number.get());
}

PkeyPtr import_raw(const PkeyKind& kind, ByteView bytes, KeyFormat format) {
  if (format == KeyFormat::raw_public) return key_from_raw_public(kind.openssl_name, bytes);
  if (format == KeyFormat::raw_seed) return key_from_seed(kind.openssl_name, bytes);
  return key_from_raw_private(kind.openssl_name, bytes);
}

}  // namespace

KeyData read_raw_key(const Arguments& args, int at) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const ByteSource bytes(isolate, args[at], ByteSource::Lifetime::borrow);
  const auto format = static_cast<KeyFormat>(args[at + 1].As<v8::Int32>()->Value());
  const std::string name = to_text(isolate, args[at + 2]);
  const PkeyKind* kind = find_raw_kind(name);
  if (!check_format(environment, name, kind, format)) return {};
  PkeyPtr key;
  if (name == "ec") {
    const int curve = curve_by_name(to_text(isolate, args[at + 4]));
    if (curve == NID_undef) {
      throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
      return {};
    }
    key = import_ec(bytes, format, curve);
  } else {
    key = import_raw(*kind, bytes, format);
  }
  if (key == nullptr) {
    throw_type_error(environment, "ERR_INVALID_ARG_VALUE", "Invalid key data");
    return {};
  }
  return KeyData::of_pkey(
      format == KeyFormat::raw_public ? KeyType::public_key : KeyType::private_key, std::move(key));
}

// ---- Export -------------------------------------------------------------------------------------

v8::MaybeLocal<v8::Value> export_raw_public(Environment& environment, const EVP_PKEY* key,
                                            point_conversion_form_t form) {
  const ErrorScope scope;
  const PkeyKind* kind = kind_of(key);
  if (kind != nullptr && kind->family == F::ec) {
    const EcGroupPtr group = group_of(key);
    const EcPointPtr point = group == nullptr ? nullptr : point_of(key, group.get());
    if (point == nullptr) return refuse_export(environment, "Failed to export EC public key");
    return make_bytes(environment, encode_point(group.get(), point.get(), form));
  }
  if (kind == nullptr || !has_raw_public(kind->family)) {
    throw_incompatible(environment);
    return {};
  }
  const std::optional<SecretBytes> bytes = raw_public_of(key);
  if (!bytes) return refuse_export(environment, "Failed to get raw public key");
  return make_bytes(environment, *bytes);
}

v8::MaybeLocal<v8::Value> export_raw_private(Environment& environment, const EVP_PKEY* key) {
  const ErrorScope scope;
  const PkeyKind* kind = kind_of(key);
  if (kind != nullptr && kind->family == F::ec) {
    const EcGroupPtr group = group_of(key);
    const BnPtr number = number_of(key, OSSL_PKEY_PARAM_PRIV_KEY);
    if (group == nullptr || number == nullptr) {
      return refuse_export(environment, "Failed to export EC private key");
    }
    return make_bytes(environment, to_bytes(number.get(), order_size(group.get())));
  }
  if (kind == nullptr || !has_raw_private(kind->family)) {
    throw_incompatible(environment);
    return {};
  }
  const std::optional<SecretBytes> bytes = raw_private_of(key);
  if (!bytes) return refuse_export(environment, "Failed to get raw private key");
  return make_bytes(environment, *bytes);
}

v8::MaybeLocal<v8::Value> export_seed(Environment& environment, const EVP_PKEY* key) {
  const ErrorScope scope;
  const PkeyKind* kind = kind_of(key);
  if (kind == nullptr || !has_seed(kind->family)) {
    throw_incompatible(environment);
    return {};
  }
  const std::optional<SecretBytes> bytes = seed_of(key);
  if (!bytes) return refuse_export(environment, "Failed to get raw seed");
  return make_bytes(environment, *bytes);
}

}  // namespace rondo::crypto
