// PBKDF2Job, ScryptJob, HKDFJob, Argon2Job.
#include <openssl/err.h>

#include <memory>

#include "runtime/crypto/arguments.h"
#include "runtime/crypto/derivation/derive.h"
#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/parts.h"

namespace rondo::crypto {
namespace {

/// What OpenSSL said goes below what failed.
bool fail(Failure& failure, const char* message) {
  failure.capture();
  failure.set(message);
  return false;
}

class Pbkdf2Task final : public BytesTask {
 public:
  static constexpr const char* kProvider = "PBKDF2REQUEST";

  /// (mode, password, salt, iterations, length, digest)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<Pbkdf2Task>();
    if (!read_bytes(args, 1, mode, task->password_, "pass is too large") ||
        !read_bytes(args, 2, mode, task->salt_, "salt is too large")) {
      return nullptr;
    }
    task->iterations_ = int32_at(args, 3);
    task->length_ = static_cast<std::size_t>(int32_at(args, 4));
    const std::string digest = text_at(args, 5);
    task->digest_ = find_digest(digest);
    if (!task->digest_) return invalid_digest(args, digest);
    return task;
  }

  bool work(Failure& failure) override {
    return (make_room(out_, length_) &&
            pbkdf2(digest_.get(), password_, salt_, iterations_, out_)) ||
           fail(failure, "PBKDF2 derivation failed");
  }

 private:
  ByteSource password_;
  ByteSource salt_;
  int iterations_ = 0;
  std::size_t length_ = 0;
  MdPtr digest_;
};

class ScryptTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "SCRYPTREQUEST";

  /// (mode, password, salt, N, r, p, maxmem, length)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<ScryptTask>();
    if (!read_bytes(args, 1, mode, task->password_, "pass is too large") ||
        !read_bytes(args, 2, mode, task->salt_, "salt is too large")) {
      return nullptr;
    }
    task->cost_ = {uint32_at(args, 3), uint32_at(args, 4), uint32_at(args, 5),
                   static_cast<std::uint64_t>(args[6].As<v8::Number>()->Value())};
    task->length_ = static_cast<std::size_t>(int32_at(args, 7));
    if (scrypt_accepts(task->cost_)) return task;
    std::string message = "Invalid scrypt params";
    if (const unsigned long error = ERR_peek_last_error(); error != 0) {
      char reason[256];
      ERR_error_string_n(error, reason, sizeof reason);
      message += std::string(": ") + reason;
    }
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_SCRYPT_PARAMS",
                      message);
    return nullptr;
  }

  bool work(Failure& failure) override {
    return (make_room(out_, length_) && scrypt(password_, salt_, cost_, out_)) ||
           fail(failure, "scrypt derivation failed");
  }

 private:
  ByteSource password_;
  ByteSource salt_;
  ScryptCost cost_{};
  std::size_t length_ = 0;
};

class HkdfTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  /// (mode, digest, key, salt, info, length)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<HkdfTask>();
    const std::string digest = text_at(args, 1);
    task->digest_ = find_digest(digest);
    if (!task->digest_) return invalid_digest(args, digest);
    if (!read_bytes(args, 2, mode, task->key_, "key is too big") ||
        !read_bytes(args, 3, mode, task->salt_, "salt is too big") ||
        !read_bytes(args, 4, mode, task->info_, "info is too big")) {
      return nullptr;
    }
    task->length_ = uint32_at(args, 5);
    if (task->length_ <= hkdf_limit(task->digest_.get())) return task;
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_KEYLEN",
                      "Invalid key length");
    return nullptr;
  }

  bool work(Failure& failure) override {
    return (make_room(out_, length_) && hkdf(digest_.get(), key_, salt_, info_, out_)) ||
           fail(failure, "HKDF derivation failed");
  }

 private:
  MdPtr digest_;
  ByteSource key_;
  ByteSource salt_;
  ByteSource info_;
  std::size_t length_ = 0;
};

class Argon2Task final : public BytesTask {
 public:
  static constexpr const char* kProvider = "ARGON2REQUEST";

  /// (mode, password, salt, lanes, length, memory, passes, secret, associated data, kind)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<Argon2Task>();
    if (!read_bytes(args, 1, mode, task->password_, "pass is too large") ||
        !read_bytes(args, 2, mode, task->salt_, "salt is too large") ||
        !read_bytes(args, 7, mode, task->secret_, "secret is too large") ||
        !read_bytes(args, 8, mode, task->associated_data_, "ad is too large")) {
      return nullptr;
    }
    task->options_ = {static_cast<Argon2Kind>(uint32_at(args, 9)),
                      uint32_at(args, 3),
                      uint32_at(args, 5),
                      uint32_at(args, 6),
                      {},
                      {}};
    task->length_ = uint32_at(args, 4);
    return task;
  }

  bool work(Failure& failure) override {
    options_.secret = secret_;
    options_.associated_data = associated_data_;
    return (make_room(out_, length_) && argon2(password_, salt_, options_, out_)) ||
           fail(failure, "Argon2 derivation failed");
  }

 private:
  ByteSource password_;
  ByteSource salt_;
  ByteSource secret_;
  ByteSource associated_data_;
  Argon2Options options_{};
  std::size_t length_ = 0;
};

}  // namespace

void add_derivation(Environment& environment, v8::Local<v8::Object> target) {
  add_job<Pbkdf2Task>(environment, target, "PBKDF2Job");
  add_job<ScryptTask>(environment, target, "ScryptJob");
  add_job<HkdfTask>(environment, target, "HKDFJob");
  add_job<Argon2Task>(environment, target, "Argon2Job");
  set_value(environment, target, "kTypeArgon2d", static_cast<double>(Argon2Kind::d));
  set_value(environment, target, "kTypeArgon2i", static_cast<double>(Argon2Kind::i));
  set_value(environment, target, "kTypeArgon2id", static_cast<double>(Argon2Kind::id));
}

}  // namespace rondo::crypto
