// Encryption and decryption with RSA keys: publicEncrypt() and its kin, and the job of Web Crypto.
#include <openssl/err.h>
#include <openssl/rsa.h>

#include <climits>
#include <string>

#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/job.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

struct RsaParams {
  int padding = RSA_PKCS1_OAEP_PADDING;
  const EVP_MD* oaep_digest = nullptr;
  const EVP_MD* mgf1_digest = nullptr;
  ByteView label;
};

struct RsaOperation {
  int (*init)(EVP_PKEY_CTX* context);
  int (*run)(EVP_PKEY_CTX* context, unsigned char* out, std::size_t* out_size,
             const unsigned char* in, std::size_t in_size);
};

// With the private key, encryption is a signature without a digest.
constexpr RsaOperation kEncrypt{EVP_PKEY_encrypt_init, EVP_PKEY_encrypt};
constexpr RsaOperation kDecrypt{EVP_PKEY_decrypt_init, EVP_PKEY_decrypt};
constexpr RsaOperation kSign{EVP_PKEY_sign_init, EVP_PKEY_sign};
constexpr RsaOperation kRecover{EVP_PKEY_verify_recover_init, EVP_PKEY_verify_recover};

bool set_label(EVP_PKEY_CTX* context, ByteView label) {
  if (label.empty()) return true;
  void* copy = OPENSSL_memdup(label.data(), label.size());
  if (copy != nullptr &&
      EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, static_cast<int>(label.size())) > 0) {
    return true;
  }
  OPENSSL_free(copy);
  return false;
}

/// Nothing if OpenSSL refuses; its queue says why.
std::optional<SecretBytes> run(const RsaOperation& operation, EVP_PKEY* key,
                               const RsaParams& params, ByteView in) {
  const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (context == nullptr || operation.init(context.get()) <= 0 ||
      EVP_PKEY_CTX_set_rsa_padding(context.get(), params.padding) <= 0 ||
      (params.oaep_digest != nullptr &&
       EVP_PKEY_CTX_set_rsa_oaep_md(context.get(), params.oaep_digest) <= 0) ||
      (params.mgf1_digest != nullptr &&
       EVP_PKEY_CTX_set_rsa_mgf1_md(context.get(), params.mgf1_digest) <= 0) ||
      !set_label(context.get(), params.label)) {
    return std::nullopt;
  }
  std::size_t size = 0;
  if (operation.run(context.get(), nullptr, &size, in.data(), in.size()) <= 0) return std::nullopt;
  SecretBytes out(size);
  if (operation.run(context.get(), out.data(), &size, in.data(), in.size()) <= 0) {
    return std::nullopt;
  }
  out.resize(size);
  return out;
}

// ---- Functions ----------------------------------------------------------------------------------

/// Null, with an exception under way, for a name that is not a digest. Undefined is no error.
bool digest_at(const Arguments& args, int at, MdPtr& digest) {
  if (!args[at]->IsString()) return true;
  digest = find_digest(to_text(args.GetIsolate(), args[at]));
  if (digest != nullptr) return true;
  throw_error(Environment::of(args.GetIsolate()), "ERR_OSSL_EVP_INVALID_DIGEST",
              "Invalid digest used");
  return false;
}

/// PKCS#1 v1.5 with the private key: safe only where OpenSSL answers wrong input with random bytes.
bool check_implicit_rejection(const Environment& environment, EVP_PKEY* key) {
  const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (context == nullptr || EVP_PKEY_decrypt_init(context.get()) <= 0) {
    throw_openssl_error(environment);
    return false;
  }
  if (EVP_PKEY_CTX_ctrl_str(context.get(), "rsa_pkcs1_implicit_rejection", "1") > 0) return true;
  throw_type_error(environment, "ERR_INVALID_ARG_VALUE",
                   "RSA_PKCS1_PADDING is no longer supported for private decryption");
  return false;
}

/// (five arguments of the key, bytes, padding, OAEP digest, OAEP label, MGF1 digest) -> Buffer
template <const RsaOperation& operation, bool is_private>
void cipher(const Arguments& args) {
  const ErrorScope scope;
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const KeyData key = is_private ? read_any_key(args, 0) : read_public_or_private_key(args, 0);
  if (!key) return;
  const ByteSource bytes(isolate, args[kKeyArguments], ByteSource::Lifetime::borrow);
  if (bytes.size() > INT_MAX) {
    return throw_range_error(environment, "ERR_OUT_OF_RANGE", "buffer is too long");
  }
  RsaParams params;
  std::uint32_t padding = 0;
  if (!args[kKeyArguments + 1]->Uint32Value(environment.context()).To(&padding)) return;
  params.padding = static_cast<int>(padding);
  const bool is_risky = &operation == &kDecrypt && is_private && padding == RSA_PKCS1_PADDING;
  if (is_risky && !check_implicit_rejection(environment, key.pkey())) return;
  MdPtr oaep_digest;
  MdPtr mgf1_digest;
  if (!digest_at(args, kKeyArguments + 2, oaep_digest) ||
      !digest_at(args, kKeyArguments + 4, mgf1_digest)) {
    return;
  }
  params.oaep_digest = oaep_digest.get();
  params.mgf1_digest = mgf1_digest.get();
  const ByteSource label(isolate, args[kKeyArguments + 3], ByteSource::Lifetime::borrow);
  if (label.size() > INT_MAX) {
    return throw_range_error(environment, "ERR_OUT_OF_RANGE", "oaepLabel is too big");
  }
  params.label = label;
  const std::optional<SecretBytes> out = run(operation, key.pkey(), params, bytes);
  if (!out) return throw_openssl_error(environment);
  Local<v8::Value> result;
  if (make_bytes(environment, *out).ToLocal(&result)) args.GetReturnValue().Set(result);
}

constexpr Method kMethods[] = {
    {"publicEncrypt", cipher<kEncrypt, false>},
    {"privateDecrypt", cipher<kDecrypt, true>},
    {"privateEncrypt", cipher<kSign, true>},
    {"publicDecrypt", cipher<kRecover, false>},
};

// ---- RSA-OAEP of Web Crypto ---------------------------------------------------------------------

/// RSACipherJob(mode, encrypt or decrypt, handle, data, variant, digest, label)
class RsaCipherTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "CIPHERREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    v8::Isolate* isolate = args.GetIsolate();
    const Environment& environment = Environment::of(isolate);
    auto task = std::make_unique<RsaCipherTask>();
    task->decrypts_ = args[1].As<v8::Uint32>()->Value() == 1;
    task->key_ = KeyObjectHandle::from_value(isolate, args[2])->data();
    task->data_ = ByteSource(isolate, args[3], lifetime_for(mode));
    if (task->data_.size() > INT_MAX) {
      throw_range_error(environment, "ERR_OUT_OF_RANGE", "data is too large");
      return nullptr;
    }
    const std::string digest = to_text(isolate, args[5]);
    task->digest_ = find_digest(digest);
    if (task->digest_ == nullptr) {
      throw_type_error(environment, "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + digest);
      return nullptr;
    }
    if (is_bytes(args[6])) task->label_ = ByteSource(isolate, args[6], ByteSource::Lifetime::copy);
    if (task->label_.size() > INT_MAX) {
      throw_range_error(environment, "ERR_OUT_OF_RANGE", "label is too big");
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    const RsaParams params{RSA_PKCS1_OAEP_PADDING, digest_.get(), nullptr, label_};
    std::optional<SecretBytes> out =
        run(decrypts_ ? kDecrypt : kEncrypt, key_.pkey(), params, data_);
    if (!out) return false;
    out_ = std::move(*out);
    return true;
  }

  std::string_view failure_message() const override { return "Cipher job failed"; }
  std::string_view failure_code() const override { return {}; }

 private:
  bool decrypts_ = false;
  KeyData key_;
  ByteSource data_;
  MdPtr digest_;
  ByteSource label_;
};

}  // namespace

void add_rsa_cipher(Environment& environment, Local<v8::Object> target) {
  for (const Method& method : kMethods) set_method(environment, target, method);
  add_job<RsaCipherTask>(environment, target, "RSACipherJob");
}

}  // namespace rondo::crypto
