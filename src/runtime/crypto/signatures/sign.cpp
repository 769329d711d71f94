// Sign and Verify: signatures of what comes in pieces.
#include <openssl/err.h>

#include <climits>
#include <utility>

#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/signatures/signature.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// Throws OpenSSL's error, or one with `message` if it has none.
void throw_failure(const Environment& environment, const char* message) {
  if (const unsigned long error = ERR_get_error()) return throw_openssl_error(environment, error);
  throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", message);
}

/// The digest of what came so far. Both classes are one in C++.
class SignatureStream final : public Wrapped {
 public:
  using Wrapped::Wrapped;

  static void construct(const Arguments& args) {
    new SignatureStream(Environment::of(args.GetIsolate()), args.This());
  }
  static SignatureStream& of(const Arguments& args) {
    return *Wrapped::from<SignatureStream>(args.This());
  }

  /// init(name of the digest)
  static void init(const Arguments& args) {
    const ErrorScope scope;
    const Environment& environment = Environment::of(args.GetIsolate());
    const MdPtr digest = find_digest(to_text(args.GetIsolate(), args[0]));
    if (digest == nullptr) {
      return throw_type_error(environment, "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest");
    }
    MdCtxPtr context(EVP_MD_CTX_new());
    if (EVP_DigestInit_ex(context.get(), digest.get(), nullptr) != 1) {
      return throw_failure(environment, "EVP_SignInit_ex failed");
    }
    of(args).context_ = std::move(context);
  }

  /// update(data, encoding)
  static void update(const Arguments& args) {
    const ErrorScope scope;
    v8::Isolate* isolate = args.GetIsolate();
    const Environment& environment = Environment::of(isolate);
    const ByteSource bytes(isolate, args[0], ByteSource::Lifetime::borrow,
                           encoding_of(isolate, args[1], Encoding::utf8));
    if (bytes.size() > INT_MAX) {
      return throw_range_error(environment, "ERR_OUT_OF_RANGE", "data is too long");
    }
    SignatureStream& self = of(args);
    if (self.context_ == nullptr) return throw_not_initialised(environment);
    if (EVP_DigestUpdate(self.context_.get(), bytes.data(), bytes.size()) != 1) {
      throw_failure(environment, "EVP_SignUpdate failed");
    }
  }

  /// sign(five arguments of the key, padding, salt length, form) -> Buffer
  static void sign(const Arguments& args) {
    const ErrorScope scope;
    Environment& environment = Environment::of(args.GetIsolate());
    const KeyData key = read_private_key(args, 0);
    if (!key || !check_key(environment, key)) return;
    const RsaOptions options{int_of(args[kKeyArguments]), int_of(args[kKeyArguments + 1])};
    SignatureStream& self = of(args);
    if (self.context_ == nullptr) return throw_not_initialised(environment);
    std::optional<SecretBytes> signature = self.make_signature(key.pkey(), options);
    if (!signature) return throw_failure(environment, "PEM_read_bio_PrivateKey failed");
    if (is_p1363(args[kKeyArguments + 2])) signature = to_p1363(key.pkey(), *signature);
    Local<v8::Value> result;
    if (make_bytes(environment, *signature).ToLocal(&result)) args.GetReturnValue().Set(result);
  }

  /// verify(five arguments of the key, signature, padding, salt length, form) -> boolean
  static void verify(const Arguments& args) {
    const ErrorScope scope;
    const Environment& environment = Environment::of(args.GetIsolate());
    const KeyData key = read_public_or_private_key(args, 0);
    if (!key || !check_key(environment, key)) return;
    const ByteSource given(args.GetIsolate(), args[kKeyArguments], ByteSource::Lifetime::borrow);
    if (given.size() > INT_MAX) {
      return throw_range_error(environment, "ERR_OUT_OF_RANGE", "buffer is too big");
    }
    const RsaOptions options{int_of(args[kKeyArguments + 1]), int_of(args[kKeyArguments + 2])};
    std::optional<SecretBytes> converted;
    ByteView signature = given;
    if (is_p1363(args[kKeyArguments + 3])) {
      converted = to_der(key.pkey(), given);
      if (!converted) {
        return throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", "Malformed signature");
      }
      signature = *converted;
    }
    SignatureStream& self = of(args);
    if (self.context_ == nullptr) return throw_not_initialised(environment);
    const std::optional<bool> result = self.check_signature(key.pkey(), signature, options);
    if (!result) return throw_failure(environment, "PEM_read_bio_PUBKEY failed");
    args.GetReturnValue().Set(*result);
  }

 private:
  static void throw_not_initialised(const Environment& environment) {
    throw_error(environment, "ERR_CRYPTO_INVALID_STATE", "Not initialised");
  }

  static bool is_p1363(Local<v8::Value> form) {
    return int_of(form) == static_cast<int>(SignatureForm::p1363);
  }

  static bool check_key(const Environment& environment, const KeyData& key) {
    if (!signs_at_once(key.pkey())) return true;
    throw_error(environment, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "Unsupported crypto operation");
    return false;
  }

  /// The digest, which ends the stream.
  std::optional<SecretBytes> finish(const EVP_MD*& digest) {
    const MdCtxPtr context = std::exchange(context_, nullptr);
    digest = EVP_MD_CTX_get0_md(context.get());
    // SHAKE has no length of its own, so there is no room for its result.
    if (EVP_MD_get_size(digest) <= 0) {
      ERR_raise(ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE);
      return std::nullopt;
    }
    SecretBytes bytes(EVP_MAX_MD_SIZE);
    unsigned size = 0;
    if (EVP_DigestFinal_ex(context.get(), bytes.data(), &size) != 1) return std::nullopt;
    bytes.resize(size);
    return bytes;
  }

  std::optional<SecretBytes> make_signature(EVP_PKEY* key, const RsaOptions& options) {
    const EVP_MD* digest = nullptr;
    const std::optional<SecretBytes> hashed = finish(digest);
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
    if (!hashed || context == nullptr || EVP_PKEY_sign_init(context.get()) <= 0 ||
        !apply_rsa_options(key, context.get(), options) ||
        EVP_PKEY_CTX_set_signature_md(context.get(), digest) <= 0) {
      return std::nullopt;
    }
    std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_size(key));
    SecretBytes signature(size);
    if (EVP_PKEY_sign(context.get(), signature.data(), &size, hashed->data(), hashed->size()) <=
        0) {
      return std::nullopt;
    }
    signature.resize(size);
    return signature;
  }

  /// Nothing if this key cannot verify at all.
  std::optional<bool> check_signature(EVP_PKEY* key, ByteView signature,
                                      const RsaOptions& options) {
    const EVP_MD* digest = nullptr;
    const std::optional<SecretBytes> hashed = finish(digest);
    if (!hashed) return std::nullopt;
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
    if (context == nullptr) return false;
    const int started = EVP_PKEY_verify_init(context.get());
    if (started == -2) return std::nullopt;
    return started > 0 && apply_rsa_options(key, context.get(), options) &&
           EVP_PKEY_CTX_set_signature_md(context.get(), digest) > 0 &&
           EVP_PKEY_verify(context.get(), signature.data(), signature.size(), hashed->data(),
                           hashed->size()) == 1;
  }

  MdCtxPtr context_;
};

constexpr Method kSignMethods[] = {
    {"init", SignatureStream::init},
    {"update", SignatureStream::update},
    {"sign", SignatureStream::sign},
};
constexpr Method kVerifyMethods[] = {
    {"init", SignatureStream::init},
    {"update", SignatureStream::update},
    {"verify", SignatureStream::verify},
};

}  // namespace

void add_sign(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target, {"Sign", SignatureStream::construct, kSignMethods});
  set_class(environment, target, {"Verify", SignatureStream::construct, kVerifyMethods});
}

}  // namespace rondo::crypto
