#include "runtime/crypto/keys/key_handle.h"

#include <openssl/crypto.h>

#include <optional>
#include <string_view>
#include <utility>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_detail.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/keys/key_jwk.h"
#include "runtime/crypto/keys/pkey_types.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/signatures/signature.h"
#include "runtime/crypto/state.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"

namespace rondo::crypto {
namespace {

using v8::Local;

using Self = This<KeyObjectHandle>;
using Result = v8::MaybeLocal<v8::Value>;

void construct(Environment& environment, Local<v8::Object> object) {
  new KeyObjectHandle(environment, object);
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

std::uint32_t get_key_type(Self self) {
  return static_cast<std::uint32_t>(self->data().type());
}

std::size_t get_symmetric_key_size(Self self) {
  return self->data().secret().size();
}

std::optional<std::string_view> get_asymmetric_key_type(Self self) {
  const EVP_PKEY* key = self->data().pkey();
  const PkeyKind* kind = key == nullptr ? nullptr : kind_of(key);
  if (kind == nullptr) return std::nullopt;
  return kind->name;
}

/// keyDetail(target) -> target
Result key_detail(Self self, Local<v8::Object> target) {
  if (!add_key_detail(self->environment(), self->data(), target)) return {};
  return target;
}

bool check_ec_key_data(Self self) {
  const ErrorScope scope;
  const KeyData& data = self->data();
  const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, data.pkey(), nullptr));
  const int result = data.type() == KeyType::private_key ? EVP_PKEY_private_check(context.get())
                                                         : EVP_PKEY_public_check(context.get());
  return result == 1;
}

std::optional<bool> equals(Self self, KeyObjectHandle& other) {
  const ErrorScope scope;
  const KeyData& a = self->data();
  const KeyData& b = other.data();
  if (a.type() == KeyType::secret) {
    const ByteView left = a.secret();
    const ByteView right = b.secret();
    return left.size() == right.size() &&
           CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
  }
  const int result = EVP_PKEY_eq(a.pkey(), b.pkey());
  if (result != -2) return result == 1;
  throw_error(self->environment(), "ERR_CRYPTO_UNSUPPORTED_OPERATION",
              "Unsupported crypto operation");
  return std::nullopt;
}

// ---- Export -------------------------------------------------------------------------------------

/// export(), export(format, encoding), export(format, encoding, cipher, passphrase)
void export_key(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const KeyData& data = KeyObjectHandle::of(args).data();
  Result result;
  if (data.type() == KeyType::secret) {
    result = make_bytes(environment, data.secret());
  } else if (data.type() == KeyType::public_key) {
    result = write_public(environment, data, read_public_output(args, 0));
  } else if (const std::optional<KeyOutput> output = read_private_output(args, 0)) {
    result = write_private(environment, data, *output);
  }
  Local<v8::Value> value;
  if (result.ToLocal(&value)) args.GetReturnValue().Set(value);
}

/// exportJwk(target, allow RSA-PSS) -> target
Result export_jwk_members(Self self, Local<v8::Object> target, bool allows_pss) {
  if (!export_jwk(self->environment(), self->data(), target, allows_pss)) return {};
  return target;
}

/// Throws if it is not as asked for whether the key is one of EC.
void require_ec(Self self, bool wanted) {
  if ((EVP_PKEY_is_a(self->data().pkey(), "EC") == 1) == wanted) return;
  throw_error(self->environment(), "ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS",
              "The selected key encoding is incompatible with the key type");
  throw PendingException();
}

Result raw_public_key(Self self) {
  require_ec(self, false);
  return export_raw_public(self->environment(), self->data().pkey(), POINT_CONVERSION_UNCOMPRESSED);
}

Result raw_private_key(Self self) {
  require_ec(self, false);
  return export_raw_private(self->environment(), self->data().pkey());
}

Result raw_seed(Self self) {
  return export_seed(self->environment(), self->data().pkey());
}

Result export_ec_public_raw(Self self, point_conversion_form_t form) {
  require_ec(self, true);
  return export_raw_public(self->environment(), self->data().pkey(), form);
}

Result export_ec_private_raw(Self self) {
  require_ec(self, true);
  return export_raw_private(self->environment(), self->data().pkey());
}

constexpr Method kMethods[] = {
    {"init", init},
    method<get_key_type>("getKeyType"),
    method<get_symmetric_key_size>("getSymmetricKeySize"),
    method<get_asymmetric_key_type>("getAsymmetricKeyType"),
    method<check_ec_key_data>("checkEcKeyData"),
    {"export", export_key},
    method<export_jwk_members>("exportJwk"),
    method<raw_public_key>("rawPublicKey"),
    method<raw_private_key>("rawPrivateKey"),
    method<raw_seed>("rawSeed"),
    method<export_ec_public_raw>("exportECPublicRaw"),
    method<export_ec_private_raw>("exportECPrivateRaw"),
    method<key_detail>("keyDetail"),
    method<equals>("equals"),
};

struct Constant {
  const char* name;
  int value;
};

template <class Enumeration>
constexpr Constant constant(const char* name, Enumeration value) {
  return {name, static_cast<int>(value)};
}

// Raw, PKCS#8, SPKI and JWK of Web Crypto, which only Node's own files know; then formats,
// encodings, types, and the forms of signatures.
constexpr Constant kConstants[] = {
    {"kWebCryptoKeyFormatRaw", 0},
    {"kWebCryptoKeyFormatPKCS8", 1},
    {"kWebCryptoKeyFormatSPKI", 2},
    {"kWebCryptoKeyFormatJWK", 3},
    constant("kKeyFormatDER", KeyFormat::der),
    constant("kKeyFormatPEM", KeyFormat::pem),
    constant("kKeyFormatJWK", KeyFormat::jwk),
    constant("kKeyFormatRawPublic", KeyFormat::raw_public),
    constant("kKeyFormatRawPrivate", KeyFormat::raw_private),
    constant("kKeyFormatRawSeed", KeyFormat::raw_seed),
    constant("kKeyFormatStore", KeyFormat::store),
    constant("kKeyEncodingPKCS1", KeyEncoding::pkcs1),
    constant("kKeyEncodingPKCS8", KeyEncoding::pkcs8),
    constant("kKeyEncodingSPKI", KeyEncoding::spki),
    constant("kKeyEncodingSEC1", KeyEncoding::sec1),
    constant("kKeyTypeSecret", KeyType::secret),
    constant("kKeyTypePublic", KeyType::public_key),
    constant("kKeyTypePrivate", KeyType::private_key),
    constant("kSigEncDER", SignatureForm::der),
    constant("kSigEncP1363", SignatureForm::p1363),
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
      make_class(environment, {"KeyObjectHandle", constructor<construct>(), kMethods});
  State::of(environment).key_handle.Reset(isolate, shape);
  set_value(environment, target, "KeyObjectHandle",
            shape->GetFunction(environment.context()).ToLocalChecked());
  for (const Constant& constant : kConstants) {
    set_value(environment, target, constant.name, constant.value);
  }
}

}  // namespace rondo::crypto
