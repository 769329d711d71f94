// Jobs that make keys.
//
// The arguments of a pair's job are the mode, those of the type, and how to write the keys: two
// arguments for the public one and four for the private one (key_input.h); for Web Crypto an
// algorithm, the masks of usages of both, and whether the private one may be exported.
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include <climits>
#include <string>

#include "runtime/crypto/derivation/dh_groups.h"
#include "runtime/crypto/digests/digests.h"
#include "runtime/crypto/job.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/keys/native_keys.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {
namespace {

using v8::Local;

std::uint32_t number_at(const Arguments& args, int at) {
  return args[at]->IsUint32() ? args[at].As<v8::Uint32>()->Value() : 0;
}

class KeyTask : public JobTask {
 public:
  std::string_view failure_message() const override { return "Key generation job failed"; }
  std::string_view failure_code() const override { return {}; }
};

// ---- Secret keys --------------------------------------------------------------------------------

/// SecretKeyGenJob(mode, bits), for Web Crypto (mode, bits, algorithm, usages, extractable)
class SecretKeyTask final : public KeyTask {
 public:
  static constexpr const char* kProvider = "KEYGENREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<SecretKeyTask>();
    task->bits_ = number_at(args, 1);
    task->is_web_ = mode == JobMode::web_crypto;
    if (task->is_web_) {
      args.This()->SetInternalField(kJobKeeps, args[2]);
      task->usages_ = number_at(args, 3);
      task->extractable_ = args[4]->IsTrue();
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    // Web Crypto has keys of any number of bits: the bits that are too many are zero.
    if (!make_room(bytes_, is_web_ ? (bits_ + 7) / 8 : bits_ / 8)) return false;
    if (RAND_bytes(bytes_.data(), static_cast<int>(bytes_.size())) != 1) return false;
    if (is_web_ && bits_ % 8 != 0) {
      bytes_.back() = static_cast<std::uint8_t>(bytes_.back() & 0xff << (8 - bits_ % 8));
    }
    return true;
  }

  v8::MaybeLocal<v8::Value> result_of(Environment& environment, Local<v8::Object> job) override {
    KeyData data = KeyData::of_secret(std::move(bytes_));
    if (is_web_) {
      return make_crypto_key(environment, std::move(data),
                             job->GetInternalField(kJobKeeps).As<v8::Value>(), usages_,
                             extractable_);
    }
    Local<v8::Object> handle;
    if (!KeyObjectHandle::make(environment, std::move(data)).ToLocal(&handle)) return {};
    return handle;
  }

 private:
  std::size_t bits_ = 0;
  bool is_web_ = false;
  std::uint32_t usages_ = 0;
  bool extractable_ = false;
  SecretBytes bytes_;
};

// ---- Pairs --------------------------------------------------------------------------------------

class PairTask : public KeyTask {
 public:
  static constexpr const char* kProvider = "KEYPAIRGENREQUEST";

  bool work(Failure& /*failure*/) final {
    const PkeyCtxPtr context = prepare();
    EVP_PKEY* key = nullptr;
    if (context == nullptr || EVP_PKEY_keygen(context.get(), &key) != 1) return false;
    key_ = KeyData::of_pkey(KeyType::private_key, PkeyPtr(key));
    return true;
  }

  v8::MaybeLocal<v8::Value> result_of(Environment& environment, Local<v8::Object> job) final {
    return is_web_ ? web_result(environment, job) : plain_result(environment);
  }

 protected:
  /// A context that is ready to generate.
  virtual PkeyCtxPtr prepare() = 0;

  /// The arguments that all have. False with an exception under way.
  bool read_output(const Arguments& args, JobMode mode, int at) {
    is_web_ = mode == JobMode::web_crypto;
    if (is_web_) {
      args.This()->SetInternalField(kJobKeeps, args[at]);
      public_usages_ = number_at(args, at + 1);
      private_usages_ = number_at(args, at + 2);
      extractable_ = args[at + 3]->IsTrue();
      return true;
    }
    public_output_ = read_public_output(args, at);
    std::optional<KeyOutput> output = read_private_output(args, at + KeyOutput::kPublicArguments);
    if (!output) return false;
    private_output_ = std::move(*output);
    return true;
  }

  static PkeyCtxPtr context_for(const char* type) {
    PkeyCtxPtr context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    if (context == nullptr || EVP_PKEY_keygen_init(context.get()) != 1) return nullptr;
    return context;
  }

  /// For keys with these parameters.
  static PkeyCtxPtr context_for(EVP_PKEY* parameters) {
    if (parameters == nullptr) return nullptr;
    PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, parameters, nullptr));
    if (context == nullptr || EVP_PKEY_keygen_init(context.get()) != 1) return nullptr;
    return context;
  }

 private:
  /// -> [public, private]
  v8::MaybeLocal<v8::Value> plain_result(Environment& environment) {
    Local<v8::Value> pair[2];
    if (!write_public(environment, key_, public_output_).ToLocal(&pair[0]) ||
        !write_private(environment, key_, private_output_).ToLocal(&pair[1])) {
      return {};
    }
    return v8::Array::New(environment.isolate(), pair, std::size(pair));
  }

  /// -> { publicKey, privateKey }
  v8::MaybeLocal<v8::Value> web_result(Environment& environment, Local<v8::Object> job) {
    const auto algorithm = job->GetInternalField(kJobKeeps).As<v8::Value>();
    const Local<v8::Object> pair = v8::Object::New(environment.isolate());
    Local<v8::Value> public_key;
    Local<v8::Value> private_key;
    if (!make_crypto_key(environment, key_.as(KeyType::public_key), algorithm, public_usages_, true)
             .ToLocal(&public_key) ||
        !make_crypto_key(environment, key_, algorithm, private_usages_, extractable_)
             .ToLocal(&private_key)) {
      return {};
    }
    const Local<v8::Context> context = environment.context();
    if (pair->CreateDataProperty(context, environment.name("publicKey"), public_key).IsNothing() ||
        pair->CreateDataProperty(context, environment.name("privateKey"), private_key)
            .IsNothing()) {
      return {};
    }
    return pair;
  }

  bool is_web_ = false;
  KeyOutput public_output_;
  KeyOutput private_output_;
  std::uint32_t public_usages_ = 0;
  std::uint32_t private_usages_ = 0;
  bool extractable_ = false;
  KeyData key_;
};

/// Null for the name of no digest, with an exception under way.
MdPtr digest_at(const Arguments& args, int at, const char* message) {
  const std::string name = to_text(args.GetIsolate(), args[at]);
  MdPtr digest = find_digest(name);
  if (digest == nullptr) {
    throw_type_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_DIGEST",
                     message + name);
  }
  return digest;
}

/// (mode, variant, modulus bits, exponent, [digest, MGF1 digest, salt length for RSA-PSS], ...)
class RsaTask final : public PairTask {
 public:
  static constexpr int kVariantPss = 1;

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<RsaTask>();
    task->is_pss_ = number_at(args, 1) == kVariantPss;
    task->bits_ = number_at(args, 2);
    task->exponent_ = number_at(args, 3);
    if (task->is_pss_ && !task->read_pss(args, 4)) return nullptr;
    if (!task->read_output(args, mode, task->is_pss_ ? 7 : 4)) return nullptr;
    return task;
  }

 private:
  bool read_pss(const Arguments& args, int at) {
    if (!args[at]->IsUndefined()) {
      digest_ = digest_at(args, at, "Invalid digest: ");
      if (digest_ == nullptr) return false;
    }
    if (!args[at + 1]->IsUndefined()) {
      mgf1_digest_ = digest_at(args, at + 1, "Invalid MGF1 digest: ");
      if (mgf1_digest_ == nullptr) return false;
    }
    if (!args[at + 2]->IsUndefined()) salt_length_ = args[at + 2].As<v8::Int32>()->Value();
    if (args[at + 2]->IsUndefined() || salt_length_ >= 0) return true;
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE",
                      "salt length is out of range");
    return false;
  }

  PkeyCtxPtr prepare() override {
    PkeyCtxPtr context = context_for(is_pss_ ? "RSA-PSS" : "RSA");
    if (context == nullptr ||
        EVP_PKEY_CTX_set_rsa_keygen_bits(context.get(), static_cast<int>(bits_)) <= 0) {
      return nullptr;
    }
    constexpr std::uint32_t kUsualExponent = 0x10001;
    if (exponent_ != kUsualExponent) {
      const BnPtr exponent(BN_new());
      BN_set_word(exponent.get(), exponent_);
      if (EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context.get(), exponent.get()) <= 0) return nullptr;
    }
    return !is_pss_ || set_pss(context.get()) ? std::move(context) : nullptr;
  }

  /// MGF1's digest and the length of the salt are those of the digest unless they are given.
  bool set_pss(EVP_PKEY_CTX* context) const {
    const EVP_MD* digest = digest_.get();
    const EVP_MD* mgf1 = mgf1_digest_ != nullptr ? mgf1_digest_.get() : digest;
    const int salt = salt_length_ < 0 && digest != nullptr
                         ? static_cast<int>(default_length(digest))
                         : salt_length_;
    return (digest == nullptr || EVP_PKEY_CTX_set_rsa_pss_keygen_md(context, digest) > 0) &&
           (mgf1 == nullptr || EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(context, mgf1) > 0) &&
           (salt < 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(context, salt) > 0);
  }

  bool is_pss_ = false;
  std::uint32_t bits_ = 0;
  std::uint32_t exponent_ = 0;
  MdPtr digest_;
  MdPtr mgf1_digest_;
  int salt_length_ = -1;
};

/// (mode, modulus bits, divisor bits or -1, ...)
class DsaTask final : public PairTask {
 public:
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<DsaTask>();
    task->modulus_bits_ = number_at(args, 1);
    task->divisor_bits_ = args[2].As<v8::Int32>()->Value();
    if (!task->read_output(args, mode, 3)) return nullptr;
    return task;
  }

 private:
  PkeyCtxPtr prepare() override {
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_name(nullptr, "DSA", nullptr));
    EVP_PKEY* parameters = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_dsa_paramgen_bits(context.get(), static_cast<int>(modulus_bits_)) <= 0 ||
        (divisor_bits_ != -1 &&
         EVP_PKEY_CTX_set_dsa_paramgen_q_bits(context.get(), divisor_bits_) <= 0) ||
        EVP_PKEY_paramgen(context.get(), &parameters) != 1) {
      return nullptr;
    }
    return context_for(PkeyPtr(parameters).get());
  }

  std::uint32_t modulus_bits_ = 0;
  int divisor_bits_ = -1;
};

/// (mode, curve, encoding of the parameters, ...)
class EcTask final : public PairTask {
 public:
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    const Environment& environment = Environment::of(args.GetIsolate());
    auto task = std::make_unique<EcTask>();
    task->curve_ = curve_by_name(to_text(args.GetIsolate(), args[1]));
    if (task->curve_ == NID_undef) {
      throw_type_error(environment, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
      return nullptr;
    }
    if (args[2]->IsInt32()) task->is_explicit_ = args[2].As<v8::Int32>()->Value() == 0;
    if (!task->read_output(args, mode, 3)) return nullptr;
    return task;
  }

 private:
  PkeyCtxPtr prepare() override {
    // Names that stand for a type of key of their own.
    if (const char* own = own_type()) return context_for(own);
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
    EVP_PKEY* parameters = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context.get(), curve_) <= 0 ||
        EVP_PKEY_CTX_set_ec_param_enc(context.get(), is_explicit_ ? OPENSSL_EC_EXPLICIT_CURVE
                                                                  : OPENSSL_EC_NAMED_CURVE) <= 0 ||
        EVP_PKEY_paramgen(context.get(), &parameters) != 1) {
      return nullptr;
    }
    return context_for(PkeyPtr(parameters).get());
  }

  const char* own_type() const {
    switch (curve_) {
      case NID_ED25519:
        return "ED25519";
      case NID_ED448:
        return "ED448";
      case NID_X25519:
        return "X25519";
      case NID_X448:
        return "X448";
      default:
        return nullptr;
    }
  }

  int curve_ = NID_undef;
  bool is_explicit_ = false;
};

/// (mode, name of a group, ...) or (mode, prime or its size in bits, generator, ...)
class DhTask final : public PairTask {
 public:
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<DhTask>();
    const int read = task->read_prime(args);
    if (read == 0 || !task->read_output(args, mode, 1 + read)) return nullptr;
    return task;
  }

 private:
  /// The number of arguments it took; 0 with an exception under way.
  int read_prime(const Arguments& args) {
    const Environment& environment = Environment::of(args.GetIsolate());
    if (args[1]->IsString()) {
      prime_ = prime_of_group(to_text(args.GetIsolate(), args[1]));
      generator_ = static_cast<int>(kGroupGenerator);
      if (prime_ != nullptr) return 1;
      throw_error(environment, "ERR_CRYPTO_UNKNOWN_DH_GROUP", "Unknown DH group");
      return 0;
    }
    generator_ = args[2].As<v8::Int32>()->Value();
    if (args[1]->IsInt32()) {
      bits_ = args[1].As<v8::Int32>()->Value();
      return 2;
    }
    const ByteSource bytes(args.GetIsolate(), args[1], ByteSource::Lifetime::borrow);
    if (bytes.size() > INT_MAX) {
      throw_range_error(environment, "ERR_OUT_OF_RANGE", "prime is too big");
      return 0;
    }
    prime_ = to_number(bytes);
    return 2;
  }

  PkeyCtxPtr prepare() override {
    if (prime_ != nullptr) {
      const BnPtr generator(BN_new());
      BN_set_word(generator.get(), static_cast<BN_ULONG>(generator_));
      return context_for(key_from_parts("DH", EVP_PKEY_KEY_PARAMETERS, nullptr,
                                        {{OSSL_PKEY_PARAM_FFC_P, prime_.get()},
                                         {OSSL_PKEY_PARAM_FFC_G, generator.get()}})
                             .get());
    }
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr));
    EVP_PKEY* parameters = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_dh_paramgen_prime_len(context.get(), bits_) <= 0 ||
        EVP_PKEY_CTX_set_dh_paramgen_generator(context.get(), generator_) <= 0 ||
        EVP_PKEY_paramgen(context.get(), &parameters) != 1) {
      return nullptr;
    }
    return context_for(PkeyPtr(parameters).get());
  }

  BnPtr prime_;
  int bits_ = 0;
  int generator_ = 0;
};

/// (mode, name of the type, ...)
class NamedTask final : public PairTask {
 public:
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode) {
    auto task = std::make_unique<NamedTask>();
    task->type_ = to_text(args.GetIsolate(), args[1]);
    if (!task->read_output(args, mode, 2)) return nullptr;
    return task;
  }

 private:
  PkeyCtxPtr prepare() override { return context_for(type_.c_str()); }

  std::string type_;
};

}  // namespace

void add_keygen(Environment& environment, Local<v8::Object> target) {
  add_job<SecretKeyTask>(environment, target, "SecretKeyGenJob");
  add_job<RsaTask>(environment, target, "RsaKeyPairGenJob");
  add_job<DsaTask>(environment, target, "DsaKeyPairGenJob");
  add_job<EcTask>(environment, target, "EcKeyPairGenJob");
  add_job<DhTask>(environment, target, "DhKeyPairGenJob");
  add_job<NamedTask>(environment, target, "NamedKeyPairGenJob");
  set_value(environment, target, "OPENSSL_EC_NAMED_CURVE", OPENSSL_EC_NAMED_CURVE);
  set_value(environment, target, "OPENSSL_EC_EXPLICIT_CURVE", OPENSSL_EC_EXPLICIT_CURVE);
  set_value(environment, target, "kKeyVariantRSA_SSA_PKCS1_v1_5", 0.0);
  set_value(environment, target, "kKeyVariantRSA_PSS", 1.0);
  set_value(environment, target, "kKeyVariantRSA_OAEP", 2.0);
}

}  // namespace rondo::crypto
