// ECDH: keys of one elliptic curve, and what two parties can compute of theirs.
#include <openssl/objects.h>

#include <climits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

void throw_failed(const Environment& environment, std::string_view message) {
  throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", message);
}

/// Null for bytes that are not a point of the curve.
EcPointPtr to_point(const EC_GROUP* group, ByteView bytes) {
  EcPointPtr point(EC_POINT_new(group));
  if (EC_POINT_oct2point(group, point.get(), bytes.data(), bytes.size(), nullptr) != 1) {
    return nullptr;
  }
  return point;
}

bool check_size(const Environment& environment, ByteView bytes, const char* message) {
  if (bytes.size() <= INT_MAX) return true;
  throw_range_error(environment, "ERR_OUT_OF_RANGE", message);
  return false;
}

using Answer = v8::MaybeLocal<v8::Value>;

class Ecdh final : public Wrapped {
 public:
  Ecdh(Environment& environment, Local<v8::Object> object, int curve, EcGroupPtr group)
      : Wrapped(environment, object), curve_(curve), group_(std::move(group)) {}

  static void make(Environment& environment, Local<v8::Object> object, const std::string& name) {
    const ErrorScope scope;
    const int curve = OBJ_sn2nid(name.c_str());
    if (curve == NID_undef) {
      return throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    }
    EcGroupPtr group(EC_GROUP_new_by_curve_name(curve));
    if (group == nullptr)
      return throw_failed(environment, "Failed to create key using named curve");
    new Ecdh(environment, object, curve, std::move(group));
  }

  void generate_keys() {
    const ErrorScope scope;
    const PkeyPtr key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", OBJ_nid2sn(curve_)));
    EcPointPtr point = key == nullptr ? nullptr : point_of(key.get(), group_.get());
    BnPtr number = key == nullptr ? nullptr : number_of(key.get(), "priv");
    if (point == nullptr || number == nullptr) {
      return throw_failed(environment(), "Failed to generate key");
    }
    point_ = std::move(point);
    number_ = std::move(number);
  }

  /// (bytes of the other's point) -> Buffer, or a string for what is not a point
  Answer compute_secret(std::span<std::uint8_t> bytes) {
    const ErrorScope scope;
    if (!is_pair_valid()) {
      throw_range_error(environment(), "ERR_CRYPTO_INVALID_KEYPAIR", "Invalid key pair");
      return {};
    }
    if (!check_size(environment(), bytes, "buffer is too big")) return {};
    const EcPointPtr other = to_point(group_.get(), bytes);
    if (other == nullptr) return environment().name("ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY");
    const std::optional<SecretBytes> secret = agree_with(other.get());
    if (secret) return make_bytes(environment(), *secret);
    throw_failed(environment(), "Failed to compute ECDH key");
    return {};
  }

  Answer get_public_key(point_conversion_form_t form) {
    const ErrorScope scope;
    if (point_ != nullptr) {
      return make_bytes(environment(), encode_point(group_.get(), point_.get(), form));
    }
    throw_failed(environment(), "Failed to get ECDH public key");
    return {};
  }

  Answer get_private_key() {
    if (number_ != nullptr) return make_bytes(environment(), to_bytes(number_.get()));
    throw_failed(environment(), "Failed to get ECDH private key");
    return {};
  }

  /// Computes the public key too.
  void set_private_key(std::span<std::uint8_t> bytes) {
    const ErrorScope scope;
    if (!check_size(environment(), bytes, "key is too big")) return;
    BnPtr number = to_number(bytes);
    if (!is_in_range(group_.get(), number.get())) {
      return throw_range_error(environment(), "ERR_CRYPTO_INVALID_KEYTYPE",
                               "Private key is not valid for specified curve.");
    }
    EcPointPtr point = point_for(number.get());
    if (point == nullptr) return throw_failed(environment(), "Failed to generate ECDH public key");
    number_ = std::move(number);
    point_ = std::move(point);
  }

  void set_public_key(std::span<std::uint8_t> bytes) {
    const ErrorScope scope;
    if (!check_size(environment(), bytes, "buffer is too big")) return;
    EcPointPtr point = to_point(group_.get(), bytes);
    if (point == nullptr) {
      return throw_failed(environment(), "Failed to convert Buffer to EC_POINT");
    }
    point_ = std::move(point);
  }

 private:
  EcPointPtr point_for(const BIGNUM* number) const {
    EcPointPtr point(EC_POINT_new(group_.get()));
    if (EC_POINT_mul(group_.get(), point.get(), number, nullptr, nullptr, nullptr) != 1) {
      return nullptr;
    }
    return point;
  }

  /// A public key at least, and the private one, if there is one, goes with it.
  bool is_pair_valid() const {
    if (point_ == nullptr || EC_POINT_is_at_infinity(group_.get(), point_.get()) == 1) return false;
    if (number_ == nullptr) return true;
    const EcPointPtr own = point_for(number_.get());
    return own != nullptr && EC_POINT_cmp(group_.get(), own.get(), point_.get(), nullptr) == 0;
  }

  std::optional<SecretBytes> agree_with(const EC_POINT* other) const {
    if (number_ == nullptr) return std::nullopt;
    const PkeyPtr own = key_from_point(curve_, group_.get(), point_.get(), number_.get());
    const PkeyPtr peer = key_from_point(curve_, group_.get(), other, nullptr);
    if (own == nullptr || peer == nullptr) return std::nullopt;
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, own.get(), nullptr));
    std::size_t size = 0;
    if (context == nullptr || EVP_PKEY_derive_init(context.get()) <= 0 ||
        EVP_PKEY_derive_set_peer_ex(context.get(), peer.get(), 0) <= 0 ||
        EVP_PKEY_derive(context.get(), nullptr, &size) <= 0) {
      return std::nullopt;
    }
    SecretBytes secret(size);
    if (EVP_PKEY_derive(context.get(), secret.data(), &size) <= 0) return std::nullopt;
    secret.resize(size);
    return secret;
  }

  int curve_;
  EcGroupPtr group_;
  EcPointPtr point_;
  BnPtr number_;
};

/// (bytes, curve, form) -> the same point in another form
Answer convert_key(Environment& environment, std::span<std::uint8_t> bytes, const std::string& name,
                   point_conversion_form_t form) {
  const ErrorScope scope;
  if (!check_size(environment, bytes, "key is too big")) return {};
  if (bytes.empty()) return v8::String::Empty(environment.isolate());
  const int curve = OBJ_sn2nid(name.c_str());
  if (curve == NID_undef) {
    throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    return {};
  }
  const EcGroupPtr group(EC_GROUP_new_by_curve_name(curve));
  const EcPointPtr point = group == nullptr ? nullptr : to_point(group.get(), bytes);
  if (point != nullptr)
    return make_bytes(environment, encode_point(group.get(), point.get(), form));
  throw_failed(environment, group == nullptr ? "Failed to get EC_GROUP"
                                             : "Failed to convert Buffer to EC_POINT");
  return {};
}

/// getCurves() -> names
std::vector<Local<v8::Value>> get_curves(Environment& environment) {
  std::vector<EC_builtin_curve> curves(EC_get_builtin_curves(nullptr, 0));
  EC_get_builtin_curves(curves.data(), curves.size());
  std::vector<Local<v8::Value>> names;
  for (const EC_builtin_curve& curve : curves) {
    names.push_back(environment.text(OBJ_nid2sn(curve.nid)));
  }
  return names;
}

constexpr Method kMethods[] = {
    method<&Ecdh::generate_keys>("generateKeys"),  method<&Ecdh::compute_secret>("computeSecret"),
    method<&Ecdh::get_public_key>("getPublicKey"), method<&Ecdh::get_private_key>("getPrivateKey"),
    method<&Ecdh::set_public_key>("setPublicKey"), method<&Ecdh::set_private_key>("setPrivateKey"),
};

}  // namespace

void add_ecdh(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target, {"ECDH", constructor<Ecdh::make>(), kMethods});
  set_method(environment, target, method<convert_key>("ECDHConvertKey"));
  set_method(environment, target, method<get_curves>("getCurves"));
}

}  // namespace rondo::crypto
