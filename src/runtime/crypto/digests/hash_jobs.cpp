// Digests of Web Crypto: HashJob, CShakeJob, TurboShakeJob, KangarooTwelveJob.
#include <openssl/evp.h>

#include <memory>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/digests/keccak.h"
#include "runtime/crypto/parts.h"

namespace rondo::crypto {
namespace {

constexpr std::size_t kMostCustomization = 512;  // bytes; OpenSSL's limit for KMAC

class HashTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "HASHREQUEST";

  /// (mode, digest, data, length in bits)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<HashTask>();
    const std::string digest = text_at(args, 1);
    task->digest_ = find_digest(digest);
    if (!task->digest_) return invalid_digest(args, digest);
    if (!read_bytes(args, 2, mode, task->data_, "data is too big")) return nullptr;
    const auto usual = static_cast<std::size_t>(std::max(EVP_MD_get_size(task->digest_.get()), 0));
    task->length_ = args[3]->IsUint32() ? uint32_at(args, 3) / 8 : usual;
    if (task->length_ != usual && !is_xof(task->digest_.get())) {
      throw_type_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_DIGEST",
                       "Digest method not supported");
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    if (length_ == 0) return true;
    if (!make_room(out_, length_)) return false;
    const MdCtxPtr context(EVP_MD_CTX_new());
    if (!context || EVP_DigestInit_ex2(context.get(), digest_.get(), nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), data_.data(), data_.size()) != 1) {
      return false;
    }
    return is_xof(digest_.get()) ? EVP_DigestFinalXOF(context.get(), out_.data(), length_) == 1
                                 : EVP_DigestFinal_ex(context.get(), out_.data(), nullptr) == 1;
  }

 private:
  MdPtr digest_;
  ByteSource data_;
  std::size_t length_ = 0;
};

Strength strength_at(const Arguments& args, int index) {
  return text_at(args, index).ends_with("128") ? Strength::bits128 : Strength::bits256;
}

class CShakeTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "HASHREQUEST";

  /// (mode, name, data, function name, customization, length in bits)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<CShakeTask>();
    task->strength_ = strength_at(args, 1);
    if (!read_bytes(args, 2, mode, task->data_, "data is too big") ||
        !read_bytes(args, 3, mode, task->function_name_, "functionName is too big") ||
        !read_bytes(args, 4, mode, task->customization_, "customization is too big")) {
      return nullptr;
    }
    task->bits_ = uint32_at(args, 5);
    return task;
  }

  bool work(Failure& /*failure*/) override {
    if (customization_.size() > kMostCustomization) return false;
    if (!make_room(out_, (bits_ + 7) / 8)) return false;
    return cshake(strength_, function_name_, customization_, data_, out_, bits_);
  }

 private:
  Strength strength_{};
  ByteSource data_;
  ByteSource function_name_;
  ByteSource customization_;
  std::uint64_t bits_ = 0;
};

class TurboShakeTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  /// (mode, name, domain separation, length, data)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<TurboShakeTask>();
    task->strength_ = strength_at(args, 1);
    task->domain_ = static_cast<std::uint8_t>(uint32_at(args, 2));
    task->length_ = uint32_at(args, 3);
    return read_bytes(args, 4, mode, task->data_, "data is too big") ? std::move(task) : nullptr;
  }

  bool work(Failure& /*failure*/) override {
    if (!make_room(out_, length_)) return false;
    turbo_shake(strength_, data_, domain_, out_);
    return true;
  }

 private:
  Strength strength_{};
  std::uint8_t domain_ = 0;
  std::size_t length_ = 0;
  ByteSource data_;
};

class KangarooTwelveTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  /// (mode, name, customization, length, data)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<KangarooTwelveTask>();
    task->strength_ = strength_at(args, 1);
    task->length_ = uint32_at(args, 3);
    if (!read_bytes(args, 2, mode, task->customization_, "customization is too big") ||
        !read_bytes(args, 4, mode, task->data_, "data is too big")) {
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    if (!make_room(out_, length_)) return false;
    kangaroo_twelve(strength_, data_, customization_, out_);
    return true;
  }

 private:
  Strength strength_{};
  ByteSource customization_;
  std::size_t length_ = 0;
  ByteSource data_;
};

}  // namespace

void add_hash_jobs(Environment& environment, v8::Local<v8::Object> target) {
  add_job<HashTask>(environment, target, "HashJob");
  add_job<CShakeTask>(environment, target, "CShakeJob");
  add_job<TurboShakeTask>(environment, target, "TurboShakeJob");
  add_job<KangarooTwelveTask>(environment, target, "KangarooTwelveJob");
}

}  // namespace rondo::crypto
