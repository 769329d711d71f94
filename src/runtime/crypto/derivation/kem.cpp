// Key encapsulation: ML-KEM, RSA (RSASVE), and Diffie-Hellman on curves (DHKEM).
#include <openssl/core_names.h>

#include <climits>

#include "runtime/crypto/job.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// The operation that must be set for a type of key; null for none.
const char* operation_for(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "RSA") == 1) return OSSL_KEM_PARAM_OPERATION_RSASVE;
  for (const char* type : {"EC", "X25519", "X448"}) {
    if (EVP_PKEY_is_a(key, type) == 1) return OSSL_KEM_PARAM_OPERATION_DHKEM;
  }
  return nullptr;
}

PkeyCtxPtr start(EVP_PKEY* key, int (*init)(EVP_PKEY_CTX* context, const OSSL_PARAM params[])) {
  PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (context == nullptr || init(context.get(), nullptr) <= 0) return nullptr;
  const char* operation = operation_for(key);
  if (operation != nullptr && EVP_PKEY_CTX_set_kem_op(context.get(), operation) <= 0)
    return nullptr;
  return context;
}

/// KEMEncapsulateJob(mode, five arguments of the key) -> [shared key, ciphertext], for Web Crypto
/// { sharedKey, ciphertext }
class EncapsulateTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<EncapsulateTask>();
    task->is_web_ = mode == JobMode::web_crypto;
    task->key_ = read_public_or_private_key(args, 1);
    if (!task->key_) return nullptr;
    return task;
  }

  bool work(Failure& failure) override {
    if (encapsulate()) return true;
    failure.set("Encapsulation failed", "ERR_CRYPTO_OPERATION_FAILED");
    return false;
  }

  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    return is_web_ ? web_result(environment) : plain_result(environment);
  }

 private:
  bool encapsulate() {
    const PkeyCtxPtr context = start(key_.pkey(), EVP_PKEY_encapsulate_init);
    std::size_t ciphertext_size = 0;
    std::size_t key_size = 0;
    if (context == nullptr ||
        EVP_PKEY_encapsulate(context.get(), nullptr, &ciphertext_size, nullptr, &key_size) <= 0) {
      return false;
    }
    ciphertext_.resize(ciphertext_size);
    shared_key_.resize(key_size);
    if (EVP_PKEY_encapsulate(context.get(), ciphertext_.data(), &ciphertext_size,
                             shared_key_.data(), &key_size) <= 0) {
      return false;
    }
    ciphertext_.resize(ciphertext_size);
    shared_key_.resize(key_size);
    return true;
  }

  v8::MaybeLocal<v8::Value> plain_result(Environment& environment) {
    Local<v8::Value> pair[2];
    if (!make_bytes(environment, shared_key_).ToLocal(&pair[0]) ||
        !make_bytes(environment, ciphertext_).ToLocal(&pair[1])) {
      return {};
    }
    return v8::Array::New(environment.isolate(), pair, std::size(pair));
  }

  v8::MaybeLocal<v8::Value> web_result(Environment& environment) {
    const Local<v8::Context> context = environment.context();
    const Local<v8::Object> pair = v8::Object::New(environment.isolate());
    Local<v8::ArrayBuffer> shared_key;
    Local<v8::ArrayBuffer> ciphertext;
    if (!make_array_buffer(environment, shared_key_).ToLocal(&shared_key) ||
        !make_array_buffer(environment, ciphertext_).ToLocal(&ciphertext) ||
        pair->CreateDataProperty(context, environment.name("sharedKey"), shared_key).IsNothing() ||
        pair->CreateDataProperty(context, environment.name("ciphertext"), ciphertext).IsNothing()) {
      return {};
    }
    return pair;
  }

  bool is_web_ = false;
  KeyData key_;
  SecretBytes ciphertext_;
  SecretBytes shared_key_;
};

/// KEMDecapsulateJob(mode, five arguments of the key, ciphertext) -> shared key
class DecapsulateTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<DecapsulateTask>();
    task->key_ = read_private_key(args, 1);
    if (!task->key_) return nullptr;
    task->ciphertext_ = ByteSource(args.GetIsolate(), args[1 + kKeyArguments], lifetime_for(mode));
    if (task->ciphertext_.size() > INT_MAX) {
      throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE",
                        "ciphertext is too big");
      return nullptr;
    }
    return task;
  }

  bool work(Failure& failure) override {
    if (decapsulate()) return true;
    failure.set("Decapsulation failed", "ERR_CRYPTO_OPERATION_FAILED");
    return false;
  }

  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    return make_bytes(environment, shared_key_);
  }

 private:
  bool decapsulate() {
    const PkeyCtxPtr context = start(key_.pkey(), EVP_PKEY_decapsulate_init);
    std::size_t size = 0;
    if (context == nullptr || EVP_PKEY_decapsulate(context.get(), nullptr, &size,
                                                   ciphertext_.data(), ciphertext_.size()) <= 0) {
      return false;
    }
    shared_key_.resize(size);
    if (EVP_PKEY_decapsulate(context.get(), shared_key_.data(), &size, ciphertext_.data(),
                             ciphertext_.size()) <= 0) {
      return false;
    }
    shared_key_.resize(size);
    return true;
  }

  KeyData key_;
  ByteSource ciphertext_;
  SecretBytes shared_key_;
};

}  // namespace

void add_kem(Environment& environment, Local<v8::Object> target) {
  add_job<EncapsulateTask>(environment, target, "KEMEncapsulateJob");
  add_job<DecapsulateTask>(environment, target, "KEMDecapsulateJob");
  set_value(environment, target, "kKEMEncapsulate", 0.0);
  set_value(environment, target, "kKEMDecapsulate", 1.0);
}

}  // namespace rondo::crypto
