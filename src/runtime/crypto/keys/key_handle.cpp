#include "runtime/crypto/keys/key_handle.h"

#include <openssl/crypto.h>

#include <utility>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_detail.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/keys/key_jwk.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/state.h"
#include "runtime/glue/class_shape.h"

namespace rondo::crypto {
namespace {

using v8::Local;

void construct(const Arguments& args) {
  new KeyObjectHandle(Environment::of(args.GetIsolate()), args.This());
}

// ---- Import -------------------------------------------------------------------------------------

bool has_format(const Arguments& args, KeyFormat format) {
  return args[2]->IsInt32() && static_cast<KeyFormat>(args[2].As<v8::Int32>()->Value()) == format;
}

bool is_raw_format(const Arguments& args) {
  return has_format(args, KeyFormat::raw_public) || has_format(args, KeyFormat::raw_private) ||
         has_format(args, KeyFormat::raw_seed);
}

/// init(kKeyTypeSecret, bytes), init(kKeyTypeSecret, jwk, kKeyFormatJWK, ...)
KeyData make_secret(const Arguments& args) {
  if (has_format(args, KeyFormat::jwk)) {
    return import_secret_jwk(Environment::of(args.GetIsolate()), args[1].As<v8::Object>());
  }
  return KeyData::of_secret(copy_of(bytes_of(args[1])));
}

/// init(kKeyTypePublic or kKeyTypePrivate, the five arguments of a key)
KeyData make_asymmetric(const Arguments& args, KeyType type) {
  constexpr int kAt = 1;
  KeyData data;
  if (is_raw_format(args)) {
    data = read_raw_key(args, kAt);
  } else if (has_format(args, KeyFormat::jwk)) {
    const ErrorScope scope;
    const Environment& environment = Environment::of(args.GetIsolate());
    data = import_jwk(environment, args[1].As<v8::Object>());
    if (data && type == KeyType::private_key && data.type() == KeyType::public_key) {
      throw_type_error(environment, "ERR_CRYPTO_INVALID_JWK",
                       "JWK does not contain private key material");
      return {};
    }
  } else if (type == KeyType::public_key) {
    data = read_public_or_private_key(args, kAt);
  } else {
    data = read_private_key(args, kAt);
  }
  return type == KeyType::public_key && data ? data.as(type) : data;
}

void init(const Arguments& args) {
  const auto type = static_cast<KeyType>(args[0].As<v8::Uint32>()->Value());
  KeyData data = type == KeyType::secret ? make_secret(args) : make_asymmetric(args, type);
  if (!data) return;
  if (has_format(args, KeyFormat::jwk)) {
    args.GetReturnValue().Set(static_cast<std::uint32_t>(data.type()));
  }
  KeyObjectHandle::of(args).set_data(std::move(data));
}

// ---- What kind of key ---------------------------------------------------------------------------

void get_key_type(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<std::uint32_t>(KeyObjectHandle::of(args).data().type()));
}

void get_symmetric_key_size(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(KeyObjectHandle::of(args).data().secret().size()));
}

void get_asymmetric_key_type(const Arguments& args) {
  const EVP_PKEY* key = KeyObjectHandle::of(args).data().pkey();
  const PkeyKind* kind = key == nullptr ? nullptr : kind_of(key);
  if (kind == nullptr) return;
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).name(kind->name));
}

/// keyDetail(target) -> target
void key_detail(const Arguments& args) {
  if (add_key_detail(Environment::of(args.GetIsolate()), KeyObjectHandle::of(args).data(),
                     args[0].As<v8::Object>())) {
    args.GetReturnValue().Set(args[0]);
  }
}

void check_ec_key_data(const Arguments& args) {
  const ErrorScope scope;
  const KeyData& data = KeyObjectHandle::of(args).data();
  const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, data.pkey(), nullptr));
  const int result = data.type() == KeyType::private_key ? EVP_PKEY_private_check(context.get())
                                                         : EVP_PKEY_public_check(context.get());
  args.GetReturnValue().Set(result == 1);
}

void equals(const Arguments& args) {
  const ErrorScope scope;
  const KeyData& a = KeyObjectHandle::of(args).data();
  const KeyData& b = KeyObjectHandle::from_value(args.GetIsolate(), args[0])->data();
  if (a.type() == KeyType::secret) {
    const ByteView left = a.secret();
    const ByteView right = b.secret();
    return args.GetReturnValue().Set(left.size() == right.size() &&
                                     CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0);
  }
  const int result = EVP_PKEY_eq(a.pkey(), b.pkey());
  if (result == -2) {
    return throw_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_UNSUPPORTED_OPERATION",
                       "Unsupported crypto operation");
  }
  args.GetReturnValue().Set(result == 1);
}

// ---- Export -------------------------------------------------------------------------------------

void set_result(const Arguments& args, v8::MaybeLocal<v8::Value> result) {
  Local<v8::Value> value;
  if (result.ToLocal(&value)) args.GetReturnValue().Set(value);
}

/// export(), export(format, encoding), export(format, encoding, cipher, passphrase)
void export_key(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const KeyData& data = KeyObjectHandle::of(args).data();
  if (data.type() == KeyType::secret) {
    return set_result(args, make_bytes(environment, data.secret()));
  }
  if (data.type() == KeyType::public_key) {
    return set_result(args, write_public(environment, data, read_public_output(args, 0)));
  }
  if (const std::optional<KeyOutput> output = read_private_output(args, 0)) {
    set_result(args, write_private(environment, data, *output));
  }
}

/// exportJwk(target, allow RSA-PSS) -> target
void export_jwk_members(const Arguments& args) {
  if (export_jwk(Environment::of(args.GetIsolate()), KeyObjectHandle::of(args).data(),
                 args[0].As<v8::Object>(), args[1]->IsTrue())) {
    args.GetReturnValue().Set(args[0]);
  }
}

void throw_incompatible(const Arguments& args) {
  throw_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS",
              "The selected key encoding is incompatible with the key type");
}

bool is_ec(const Arguments& args) {
  return EVP_PKEY_is_a(KeyObjectHandle::of(args).data().pkey(), "EC") == 1;
}

/// rawPublicKey(): not of EC keys.
void raw_public_key(const Arguments& args) {
  if (is_ec(args)) return throw_incompatible(args);
  set_result(args, export_raw_public(Environment::of(args.GetIsolate()),
                                     KeyObjectHandle::of(args).data().pkey(),
                                     POINT_CONVERSION_UNCOMPRESSED));
}

void raw_private_key(const Arguments& args) {
  if (is_ec(args)) return throw_incompatible(args);
  set_result(args, export_raw_private(Environment::of(args.GetIsolate()),
                                      KeyObjectHandle::of(args).data().pkey()));
}

void raw_seed(const Arguments& args) {
  set_result(args, export_seed(Environment::of(args.GetIsolate()),
                               KeyObjectHandle::of(args).data().pkey()));
}

/// exportECPublicRaw(form)
void export_ec_public_raw(const Arguments& args) {
  if (!is_ec(args)) return throw_incompatible(args);
  const auto form = static_cast<point_conversion_form_t>(args[0].As<v8::Int32>()->Value());
  set_result(args, export_raw_public(Environment::of(args.GetIsolate()),
                                     KeyObjectHandle::of(args).data().pkey(), form));
}

void export_ec_private_raw(const Arguments& args) {
  if (!is_ec(args)) return throw_incompatible(args);
  set_result(args, export_raw_private(Environment::of(args.GetIsolate()),
                                      KeyObjectHandle::of(args).data().pkey()));
}

constexpr Method kMethods[] = {
    {"init", init},
    {"getKeyType", get_key_type},
    {"getSymmetricKeySize", get_symmetric_key_size},
    {"getAsymmetricKeyType", get_asymmetric_key_type},
    {"checkEcKeyData", check_ec_key_data},
    {"export", export_key},
    {"exportJwk", export_jwk_members},
    {"rawPublicKey", raw_public_key},
    {"rawPrivateKey", raw_private_key},
    {"rawSeed", raw_seed},
    {"exportECPublicRaw", export_ec_public_raw},
    {"exportECPrivateRaw", export_ec_private_raw},
    {"keyDetail", key_detail},
    {"equals", equals},
};

struct Constant {
  const char* name;
  double value;
};

// Raw, PKCS#8, SPKI and JWK of Web Crypto; then formats, encodings, types, and the forms of
// signatures.
constexpr Constant kConstants[] = {
    {"kWebCryptoKeyFormatRaw", 0},
    {"kWebCryptoKeyFormatPKCS8", 1},
    {"kWebCryptoKeyFormatSPKI", 2},
    {"kWebCryptoKeyFormatJWK", 3},
    {"kKeyFormatDER", 0},
    {"kKeyFormatPEM", 1},
    {"kKeyFormatJWK", 2},
    {"kKeyFormatRawPublic", 3},
    {"kKeyFormatRawPrivate", 4},
    {"kKeyFormatRawSeed", 5},
    {"kKeyFormatStore", 6},
    {"kKeyEncodingPKCS1", 0},
    {"kKeyEncodingPKCS8", 1},
    {"kKeyEncodingSPKI", 2},
    {"kKeyEncodingSEC1", 3},
    {"kKeyTypeSecret", 0},
    {"kKeyTypePublic", 1},
    {"kKeyTypePrivate", 2},
    {"kSigEncDER", 0},
    {"kSigEncP1363", 1},
};

}  // namespace

v8::MaybeLocal<v8::Object> KeyObjectHandle::make(Environment& environment, KeyData data) {
  Local<v8::Function> constructor;
  Local<v8::Object> object;
  if (!State::of(environment)
           .key_handle.Get(environment.isolate())
           ->GetFunction(environment.context())
           .ToLocal(&constructor) ||
      !constructor->NewInstance(environment.context()).ToLocal(&object)) {
    return {};
  }
  Wrapped::from<KeyObjectHandle>(object)->set_data(std::move(data));
  return object;
}

KeyObjectHandle* KeyObjectHandle::from_value(v8::Isolate* isolate, Local<v8::Value> value) {
  State& state = State::of(Environment::of(isolate));
  return state.key_handle.Get(isolate)->HasInstance(value) ? Wrapped::from<KeyObjectHandle>(value)
                                                           : nullptr;
}

void add_key_handle(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::FunctionTemplate> shape =
      make_class(environment, {"KeyObjectHandle", construct, kMethods});
  State::of(environment).key_handle.Reset(isolate, shape);
  set_value(environment, target, "KeyObjectHandle",
            shape->GetFunction(environment.context()).ToLocalChecked());
  for (const Constant& constant : kConstants) {
    set_value(environment, target, constant.name, constant.value);
  }
}

}  // namespace rondo::crypto
