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

void give(const Arguments& args, ByteView bytes) {
  Local<v8::Value> result;
  if (make_bytes(Environment::of(args.GetIsolate()), bytes).ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  }
}

class Ecdh final : public Wrapped {
 public:
  Ecdh(Environment& environment, Local<v8::Object> object, int curve, EcGroupPtr group)
      : Wrapped(environment, object), curve_(curve), group_(std::move(group)) {}

  static Ecdh& of(const Arguments& args) { return *Wrapped::from<Ecdh>(args.This()); }

  /// new ECDH(curve)
  static void construct(const Arguments& args) {
    const ErrorScope scope;
    Environment& environment = Environment::of(args.GetIsolate());
    const int curve = OBJ_sn2nid(to_text(args.GetIsolate(), args[0]).c_str());
    if (curve == NID_undef) {
      return throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    }
    EcGroupPtr group(EC_GROUP_new_by_curve_name(curve));
    if (group == nullptr)
      return throw_failed(environment, "Failed to create key using named curve");
    new Ecdh(environment, args.This(), curve, std::move(group));
  }

  static void generate_keys(const Arguments& args) {
    const ErrorScope scope;
    Ecdh& self = of(args);
    const PkeyPtr key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", OBJ_nid2sn(self.curve_)));
    EcPointPtr point = key == nullptr ? nullptr : point_of(key.get(), self.group_.get());
    BnPtr number = key == nullptr ? nullptr : number_of(key.get(), "priv");
    if (point == nullptr || number == nullptr) {
      return throw_failed(self.environment(), "Failed to generate key");
    }
    self.point_ = std::move(point);
    self.number_ = std::move(number);
  }

  /// computeSecret(bytes of the other's point) -> Buffer, or a string for what is not a point
  static void compute_secret(const Arguments& args) {
    const ErrorScope scope;
    Ecdh& self = of(args);
    const Environment& environment = self.environment();
    if (!self.is_pair_valid()) {
      return throw_range_error(environment, "ERR_CRYPTO_INVALID_KEYPAIR", "Invalid key pair");
    }
    const ByteView bytes = bytes_of(args[0]);
    if (!check_size(environment, bytes, "buffer is too big")) return;
    const EcPointPtr other = to_point(self.group_.get(), bytes);
    if (other == nullptr) {
      return args.GetReturnValue().Set(environment.name("ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY"));
    }
    const std::optional<SecretBytes> secret = self.agree_with(other.get());
    if (!secret) return throw_failed(environment, "Failed to compute ECDH key");
    give(args, *secret);
  }

  /// getPublicKey(form)
  static void get_public_key(const Arguments& args) {
    const ErrorScope scope;
    const Ecdh& self = of(args);
    if (self.point_ == nullptr) {
      return throw_failed(self.environment(), "Failed to get ECDH public key");
    }
    const auto form = static_cast<point_conversion_form_t>(args[0].As<v8::Uint32>()->Value());
    give(args, encode_point(self.group_.get(), self.point_.get(), form));
  }

  static void get_private_key(const Arguments& args) {
    const Ecdh& self = of(args);
    if (self.number_ == nullptr) {
      return throw_failed(self.environment(), "Failed to get ECDH private key");
    }
    give(args, to_bytes(self.number_.get()));
  }

  /// Computes the public key too.
  static void set_private_key(const Arguments& args) {
    const ErrorScope scope;
    Ecdh& self = of(args);
    const Environment& environment = self.environment();
    const ByteView bytes = bytes_of(args[0]);
    if (!check_size(environment, bytes, "key is too big")) return;
    BnPtr number = to_number(bytes);
    if (!is_in_range(self.group_.get(), number.get())) {
      return throw_range_error(environment, "ERR_CRYPTO_INVALID_KEYTYPE",
                               "Private key is not valid for specified curve.");
    }
    EcPointPtr point = self.point_for(number.get());
    if (point == nullptr) return throw_failed(environment, "Failed to generate ECDH public key");
    self.number_ = std::move(number);
    self.point_ = std::move(point);
  }

  static void set_public_key(const Arguments& args) {
    const ErrorScope scope;
    Ecdh& self = of(args);
    const ByteView bytes = bytes_of(args[0]);
    if (!check_size(self.environment(), bytes, "buffer is too big")) return;
    EcPointPtr point = to_point(self.group_.get(), bytes);
    if (point == nullptr) {
      return throw_failed(self.environment(), "Failed to convert Buffer to EC_POINT");
    }
    self.point_ = std::move(point);
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

/// ECDHConvertKey(bytes, curve, form) -> the same point in another form
void convert_key(const Arguments& args) {
  const ErrorScope scope;
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const ByteView bytes = bytes_of(args[0]);
  if (!check_size(environment, bytes, "key is too big")) return;
  if (bytes.empty()) return args.GetReturnValue().SetEmptyString();
  const int curve = OBJ_sn2nid(to_text(isolate, args[1]).c_str());
  if (curve == NID_undef) {
    return throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
  }
  const EcGroupPtr group(EC_GROUP_new_by_curve_name(curve));
  if (group == nullptr) return throw_failed(environment, "Failed to get EC_GROUP");
  const EcPointPtr point = to_point(group.get(), bytes);
  if (point == nullptr) return throw_failed(environment, "Failed to convert Buffer to EC_POINT");
  const auto form = static_cast<point_conversion_form_t>(args[2].As<v8::Uint32>()->Value());
  give(args, encode_point(group.get(), point.get(), form));
}

/// getCurves() -> names
void get_curves(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<EC_builtin_curve> curves(EC_get_builtin_curves(nullptr, 0));
  EC_get_builtin_curves(curves.data(), curves.size());
  std::vector<Local<v8::Value>> names;
  for (const EC_builtin_curve& curve : curves) {
    names.push_back(environment.text(OBJ_nid2sn(curve.nid)));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

constexpr Method kMethods[] = {
    {"generateKeys", Ecdh::generate_keys},  {"computeSecret", Ecdh::compute_secret},
    {"getPublicKey", Ecdh::get_public_key}, {"getPrivateKey", Ecdh::get_private_key},
    {"setPublicKey", Ecdh::set_public_key}, {"setPrivateKey", Ecdh::set_private_key},
};

}  // namespace

void add_ecdh(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target, {"ECDH", Ecdh::construct, kMethods});
  set_method(environment, target, {"ECDHConvertKey", convert_key});
  set_method(environment, target, {"getCurves", get_curves});
}

}  // namespace rondo::crypto
