// Hmac, and the MACs of Web Crypto: HmacJob, KmacJob.
//
// HMAC is computed by OpenSSL's older interface: it takes a digest that was fetched before, where
// EVP_MAC fetches it by name for each key.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/digests/keccak.h"
#include "runtime/crypto/input.h"
#include "runtime/crypto/parts.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

using HmacCtxPtr = OpenSslPtr<HMAC_CTX, HMAC_CTX_free>;

/// Null if OpenSSL refuses.
HmacCtxPtr begin_hmac(const EVP_MD* digest, const ByteSource& key) {
  HmacCtxPtr context(HMAC_CTX_new());
  if (context &&
      HMAC_Init_ex(context.get(), key.data(), static_cast<int>(key.size()), digest, nullptr) != 1) {
    context.reset();
  }
  return context;
}

class Hmac final : public Wrapped {
 public:
  using Wrapped::Wrapped;

  static void make(Environment& environment, Local<v8::Object> object) {
    new Hmac(environment, object);
  }

  void init(const std::string& name, Local<v8::Value> key_value) {
    const ErrorScope scope;
    const MdPtr digest = find_digest(name);
    if (!digest) {
      throw_type_error(environment(), "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
      return;
    }
    const ByteSource key(environment().isolate(), key_value, ByteSource::Lifetime::borrow);
    context_ = begin_hmac(digest.get(), key);
    if (!context_) throw_openssl_error(environment());
  }

  std::optional<bool> update(Local<v8::Value> data, Local<v8::Value> encoding) {
    const Input input(environment().isolate(), data, encoding);
    if (!input.fits(environment())) return std::nullopt;
    return context_ != nullptr &&
           HMAC_Update(context_.get(), input.get().data(), input.get().size()) == 1;
  }

  /// Once; empty after that.
  v8::MaybeLocal<v8::Value> digest(Local<v8::Value> encoding) {
    const ErrorScope scope;
    std::uint8_t mac[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (const HmacCtxPtr context = std::move(context_)) {
      if (HMAC_Final(context.get(), mac, &size) != 1) {
        throw_openssl_error(environment(), "Failed to finalize HMAC");
        return {};
      }
    }
    return encode(environment(), {mac, size}, encoding);
  }

 private:
  HmacCtxPtr context_;
};

enum class MacMode : std::uint8_t { sign, verify };

/// What is signed is given out; what is verified is compared with the signature.
class MacTask : public JobTask {
 public:
  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    if (mode_ == MacMode::sign) {
      Local<v8::ArrayBuffer> buffer;
      if (!make_array_buffer(environment, out_).ToLocal(&buffer)) return {};
      return buffer;
    }
    const bool same = !out_.empty() && out_.size() == signature_.size() &&
                      CRYPTO_memcmp(out_.data(), signature_.data(), out_.size()) == 0;
    return v8::Boolean::New(environment.isolate(), same);
  }

 protected:
  MacMode mode_ = MacMode::sign;
  ByteSource key_;
  ByteSource data_;
  ByteSource signature_;
  SecretBytes out_;
};

class HmacTask final : public MacTask {
 public:
  static constexpr const char* kProvider = "SIGNREQUEST";

  /// (mode, sign or verify, digest, key, data, signature)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<HmacTask>();
    task->mode_ = static_cast<MacMode>(uint32_at(args, 1));
    const std::string digest = text_at(args, 2);
    task->digest_ = find_digest(digest);
    if (!task->digest_) return invalid_digest(args, digest);
    if (!read_bytes(args, 3, mode, task->key_, "key is too big") ||
        !read_bytes(args, 4, mode, task->data_, "data is too big") ||
        !read_bytes(args, 5, mode, task->signature_, "signature is too big")) {
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    const HmacCtxPtr context = begin_hmac(digest_.get(), key_);
    if (!context || HMAC_Update(context.get(), data_.data(), data_.size()) != 1) return false;
    out_.resize(HMAC_size(context.get()));
    return HMAC_Final(context.get(), out_.data(), nullptr) == 1;
  }

 private:
  MdPtr digest_;
};

class KmacTask final : public MacTask {
 public:
  static constexpr const char* kProvider = "SIGNREQUEST";

  /// (mode, sign or verify, key, name, customization, bits of the key, bits wanted, data,
  /// signature)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<KmacTask>();
    task->mode_ = static_cast<MacMode>(uint32_at(args, 1));
    task->strength_ = text_at(args, 3) == "KMAC128" ? Strength::bits128 : Strength::bits256;
    task->key_bits_ = static_cast<std::uint64_t>(args[5].As<v8::Number>()->Value());
    task->bits_ = uint32_at(args, 6);
    if (!read_bytes(args, 2, mode, task->key_, "key is too big") ||
        !read_bytes(args, 4, mode, task->customization_, "customization is too big") ||
        !read_bytes(args, 7, mode, task->data_, "data is too big") ||
        !read_bytes(args, 8, mode, task->signature_, "signature is too big")) {
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    // The limits of OpenSSL's own KMAC.
    constexpr std::size_t kMostKey = 512;
    constexpr std::size_t kMostCustomization = 512;
    constexpr std::size_t kMostOutput = 0xffffff / 8;
    const std::uint64_t key_bytes = (key_bits_ + 7) / 8;
    const std::uint64_t length = (std::uint64_t{bits_} + 7) / 8;
    if (key_.size() > kMostKey || key_bytes > key_.size() ||
        customization_.size() > kMostCustomization || length > kMostOutput) {
      return false;
    }
    out_.resize(length);
    const BitString key{key_.view().first(key_bytes), key_bits_};
    return kmac(strength_, key, customization_, data_, out_, bits_);
  }

 private:
  Strength strength_{};
  std::uint64_t key_bits_ = 0;
  std::uint32_t bits_ = 0;
  ByteSource customization_;
};

}  // namespace

void add_hmac(Environment& environment, Local<v8::Object> target) {
  static constexpr Method kMethods[] = {method<&Hmac::init>("init"),
                                        method<&Hmac::update>("update"),
                                        method<&Hmac::digest>("digest")};
  set_class(environment, target, {"Hmac", constructor<Hmac::make>(), kMethods});
  add_job<HmacTask>(environment, target, "HmacJob");
  add_job<KmacTask>(environment, target, "KmacJob");
}

}  // namespace rondo::crypto
