#include "runtime/crypto/keys/key_input.h"

#include <openssl/err.h>

#include <climits>
#include <string>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/keys/key_jwk.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

std::optional<KeyFormat> format_at(const Arguments& args, int at) {
  if (!args[at]->IsInt32()) return std::nullopt;
  return static_cast<KeyFormat>(args[at].As<v8::Int32>()->Value());
}

KeyEncoding encoding_at(const Arguments& args, int at) {
  if (!args[at]->IsInt32()) return KeyEncoding::pkcs1;
  return static_cast<KeyEncoding>(args[at].As<v8::Int32>()->Value());
}

/// False, with an exception under way, if it is too long for OpenSSL.
bool passphrase_at(const Arguments& args, int at, std::optional<ByteView>& passphrase) {
  if (!is_bytes(args[at])) return true;
  passphrase = bytes_of(args[at]);
  if (passphrase->size() <= INT_MAX) return true;
  throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE",
                    "passphrase is too big");
  return false;
}

KeyData read_store(const Arguments& args, int at) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const Local<v8::Object> store = args[at].As<v8::Object>();
  Local<v8::Value> uri;
  Local<v8::Value> properties;
  std::optional<ByteView> passphrase;
  if (!store->Get(environment.context(), environment.name("uri")).ToLocal(&uri) ||
      !store->Get(environment.context(), environment.name("properties")).ToLocal(&properties) ||
      !passphrase_at(args, at + 3, passphrase)) {
    return {};
  }
  std::optional<std::string> wanted;
  if (properties->IsString()) wanted = to_text(isolate, properties);
  PkeyPtr key = load_private_key(environment, to_text(isolate, uri), wanted, passphrase);
  if (key == nullptr) return {};
  return KeyData::of_pkey(KeyType::private_key, std::move(key));
}

bool is_raw(std::optional<KeyFormat> format) {
  return format == KeyFormat::raw_public || format == KeyFormat::raw_private ||
         format == KeyFormat::raw_seed;
}

/// A handle that is passed on, or an object of a format.
bool is_object(const Arguments& args, int at) {
  return args[at]->IsObject() && !is_bytes(args[at]);
}

KeyData key_of_handle(const Arguments& args, int at) {
  const KeyObjectHandle* handle = KeyObjectHandle::from_value(args.GetIsolate(), args[at]);
  return handle == nullptr ? KeyData() : handle->data();
}

struct EncodedKey {
  ByteView bytes;
  KeyFormat format;
  KeyEncoding encoding;
  std::optional<ByteView> passphrase;
};

std::optional<EncodedKey> encoded_at(const Arguments& args, int at) {
  EncodedKey key{bytes_of(args[at]), format_at(args, at + 1).value_or(KeyFormat::pem),
                 encoding_at(args, at + 2), std::nullopt};
  if (key.bytes.size() > INT_MAX) {
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE", "keyData is too big");
    return std::nullopt;
  }
  if (!passphrase_at(args, at + 3, key.passphrase)) return std::nullopt;
  return key;
}

}  // namespace

KeyData read_private_key(const Arguments& args, int at) {
  const ErrorScope scope;
  const Environment& environment = Environment::of(args.GetIsolate());
  const std::optional<KeyFormat> format = format_at(args, at + 1);
  if (is_object(args, at)) {
    if (format == KeyFormat::store) return read_store(args, at);
    if (format == KeyFormat::jwk) return import_jwk(environment, args[at].As<v8::Object>());
    return key_of_handle(args, at);
  }
  if (format == KeyFormat::raw_private || format == KeyFormat::raw_seed) {
    return read_raw_key(args, at);
  }
  const std::optional<EncodedKey> encoded = encoded_at(args, at);
  if (!encoded) return {};
  PkeyPtr key = parse_private_key(environment, encoded->bytes, encoded->format, encoded->encoding,
                                  encoded->passphrase);
  if (key == nullptr) return {};
  return KeyData::of_pkey(KeyType::private_key, std::move(key));
}

KeyData read_public_or_private_key(const Arguments& args, int at) {
  const ErrorScope scope;
  const Environment& environment = Environment::of(args.GetIsolate());
  const std::optional<KeyFormat> format = format_at(args, at + 1);
  if (is_object(args, at)) {
    if (format == KeyFormat::jwk) return import_jwk(environment, args[at].As<v8::Object>());
    if (format != KeyFormat::store) return key_of_handle(args, at);
    throw_type_error(environment, "ERR_INVALID_ARG_VALUE",
                     "URLs for OpenSSL STORE loaders are only accepted for private keys");
    return {};
  }
  if (is_raw(format)) return read_raw_key(args, at);
  const std::optional<EncodedKey> encoded = encoded_at(args, at);
  if (!encoded) return {};
  return parse_any_key(environment, encoded->bytes, encoded->format, encoded->encoding,
                       encoded->passphrase);
}

KeyData read_any_key(const Arguments& args, int at) {
  const bool is_store = is_object(args, at) && format_at(args, at + 1) == KeyFormat::store;
  return is_store ? read_private_key(args, at) : read_public_or_private_key(args, at);
}

// ---- Output -------------------------------------------------------------------------------------

KeyOutput read_public_output(const Arguments& args, int at) {
  KeyOutput output;
  output.is_handle = args[at]->IsUndefined();
  if (output.is_handle) return output;
  output.format = format_at(args, at).value_or(KeyFormat::pem);
  if (!is_raw(output.format)) {
    output.encoding = encoding_at(args, at + 1);
  } else if (args[at + 1]->IsInt32()) {
    output.point_form = static_cast<point_conversion_form_t>(args[at + 1].As<v8::Int32>()->Value());
  }
  return output;
}

std::optional<KeyOutput> read_private_output(const Arguments& args, int at) {
  const Environment& environment = Environment::of(args.GetIsolate());
  KeyOutput output = read_public_output(args, at);
  if (output.is_handle || is_raw(output.format)) return output;
  if (args[at + 2]->IsString()) {
    const ErrorScope scope;
    output.cipher.reset(
        EVP_CIPHER_fetch(nullptr, to_text(args.GetIsolate(), args[at + 2]).c_str(), nullptr));
    if (output.cipher == nullptr) {
      throw_error(environment, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
      return std::nullopt;
    }
  }
  std::optional<ByteView> passphrase;
  if (!passphrase_at(args, at + 3, passphrase)) return std::nullopt;
  if (passphrase) output.passphrase = copy_of(*passphrase);
  return output;
}

namespace {

v8::MaybeLocal<v8::Value> handle_or_jwk(Environment& environment, const KeyData& key,
                                        const KeyOutput& output) {
  if (output.is_handle) {
    Local<v8::Object> handle;
    if (!KeyObjectHandle::make(environment, key).ToLocal(&handle)) return {};
    return handle;
  }
  const Local<v8::Object> jwk = v8::Object::New(environment.isolate());
  if (!export_jwk(environment, key, jwk, false)) return {};
  return jwk;
}

}  // namespace

v8::MaybeLocal<v8::Value> write_public(Environment& environment, const KeyData& key,
                                       const KeyOutput& output) {
  if (output.is_handle || output.format == KeyFormat::jwk) {
    return handle_or_jwk(environment, key.as(KeyType::public_key), output);
  }
  if (output.format == KeyFormat::raw_public) {
    return export_raw_public(environment, key.pkey(), output.point_form);
  }
  return write_public_key(environment, key.pkey(), output.format, output.encoding);
}

v8::MaybeLocal<v8::Value> write_private(Environment& environment, const KeyData& key,
                                        const KeyOutput& output) {
  if (output.is_handle || output.format == KeyFormat::jwk) {
    return handle_or_jwk(environment, key.as(KeyType::private_key), output);
  }
  if (output.format == KeyFormat::raw_private) return export_raw_private(environment, key.pkey());
  if (output.format == KeyFormat::raw_seed) return export_seed(environment, key.pkey());
  return write_private_key(environment, key.pkey(), output.format, output.encoding,
                           output.cipher.get(), output.passphrase);
}

}  // namespace rondo::crypto
