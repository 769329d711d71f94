// SignJob: a signature at once. Its arguments are
//   mode, kSignJobModeSign or kSignJobModeVerify, the five of the key, data, digest, salt length,
//   padding, form of the signature, context string, signature.
#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include <climits>
#include <string>

#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/job.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/parts.h"
#include "runtime/crypto/signatures/signature.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

class SignTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "SIGNREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<SignTask>();
    if (!task->read(args, mode)) return nullptr;
    return task;
  }

  bool work(Failure& failure) override {
    if (!context_string_.empty() && !signs_at_once(key_.pkey())) {
      failure.set("Context parameter is unsupported", "ERR_CRYPTO_OPERATION_FAILED");
      return false;
    }
    const MdCtxPtr context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* options = nullptr;
    if (!start(context.get(), &options) || !apply_rsa_options(key_.pkey(), options, rsa_options_)) {
      return false;
    }
    if (verifies_) {
      is_valid_ = EVP_DigestVerify(context.get(), signature_.data(), signature_.size(),
                                   data_.data(), data_.size()) == 1 &&
                  !has_small_order_point(key_.pkey(), signature_);
      return true;
    }
    return sign(context.get());
  }

  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    if (verifies_) return v8::Boolean::New(environment.isolate(), is_valid_);
    Local<v8::ArrayBuffer> buffer;
    if (!make_array_buffer(environment, out_).ToLocal(&buffer)) return {};
    return buffer;
  }

 private:
  enum Argument : int {
    kMode = 1,
    kKey = 2,
    kData = kKey + kKeyArguments,
    kDigest,
    kSaltLength,
    kPadding,
    kForm,
    kContext,
    kSignature
  };

  bool read(const Arguments& args, JobMode mode) {
    v8::Isolate* isolate = args.GetIsolate();
    const Environment& environment = Environment::of(isolate);
    verifies_ = args[kMode].As<v8::Uint32>()->Value() == 1;
    key_ = verifies_ ? read_public_or_private_key(args, kKey) : read_private_key(args, kKey);
    if (!key_) return false;
    data_ = ByteSource(isolate, args[kData], lifetime_for(mode));
    if (data_.size() > INT_MAX) return throw_too_big(environment, "data is too big");
    if (args[kDigest]->IsString()) {
      const std::string name = to_text(isolate, args[kDigest]);
      digest_ = find_digest(name);
      if (digest_ == nullptr) {
        throw_type_error(environment, "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
        return false;
      }
    }
    rsa_options_ = {int_of(args[kPadding]), int_of(args[kSaltLength])};
    is_p1363_ = has_two_numbers(key_.pkey()) &&
                int_of(args[kForm]) == static_cast<int>(SignatureForm::p1363);
    if (!args[kContext]->IsUndefined()) {
      context_string_ = ByteSource(isolate, args[kContext], lifetime_for(mode));
      if (context_string_.size() > kMostContext) {
        return throw_too_big(environment, "context string must be at most 255 bytes");
      }
    }
    return !verifies_ || read_signature(args, mode);
  }

  bool read_signature(const Arguments& args, JobMode mode) {
    v8::Isolate* isolate = args.GetIsolate();
    const ByteSource given(isolate, args[kSignature], lifetime_for(mode));
    if (given.size() > INT_MAX) {
      return throw_too_big(Environment::of(isolate), "signature is too big");
    }
    // What has the wrong length is no signature.
    signature_ = is_p1363_ ? to_der(key_.pkey(), given).value_or(SecretBytes()) : copy_of(given);
    return true;
  }

  static bool throw_too_big(const Environment& environment, std::string_view message) {
    throw_range_error(environment, "ERR_OUT_OF_RANGE", message);
    return false;
  }

  bool start(EVP_MD_CTX* context, EVP_PKEY_CTX** options) {
    OSSL_PARAM params[3];
    OSSL_PARAM* next = params;
    // Ed25519 has contexts in a variant of its own.
    char instance[] = "Ed25519ctx";
    if (!context_string_.empty()) {
      if (EVP_PKEY_is_a(key_.pkey(), "ED25519") == 1) {
        *next++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_INSTANCE, instance, 0);
      }
      *next++ = OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_CONTEXT_STRING,
                                                  const_cast<std::uint8_t*>(context_string_.data()),
                                                  context_string_.size());
    }
    *next = OSSL_PARAM_construct_end();
    const char* name = digest_ == nullptr ? nullptr : EVP_MD_get0_name(digest_.get());
    const auto init = verifies_ ? EVP_DigestVerifyInit_ex : EVP_DigestSignInit_ex;
    return init(context, options, name, nullptr, nullptr, key_.pkey(), params) == 1;
  }

  bool sign(EVP_MD_CTX* context) {
    std::size_t size = 0;
    if (EVP_DigestSign(context, nullptr, &size, data_.data(), data_.size()) != 1) return false;
    out_.resize(size);
    if (EVP_DigestSign(context, out_.data(), &size, data_.data(), data_.size()) != 1) return false;
    out_.resize(size);
    if (is_p1363_) out_ = to_p1363(key_.pkey(), out_);
    return true;
  }

  static constexpr std::size_t kMostContext = 255;

  bool verifies_ = false;
  KeyData key_;
  ByteSource data_;
  MdPtr digest_;
  RsaOptions rsa_options_;
  bool is_p1363_ = false;
  ByteSource context_string_;
  SecretBytes signature_;
  SecretBytes out_;
  bool is_valid_ = false;
};

}  // namespace

void add_sign_job(Environment& environment, Local<v8::Object> target) {
  add_job<SignTask>(environment, target, "SignJob");
  set_value(environment, target, "kSignJobModeSign", 0.0);
  set_value(environment, target, "kSignJobModeVerify", 1.0);
  set_value(environment, target, "RSA_PKCS1_PSS_PADDING", RSA_PKCS1_PSS_PADDING);
}

}  // namespace rondo::crypto
