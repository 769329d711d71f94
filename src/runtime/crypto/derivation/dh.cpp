// DiffieHellman and DiffieHellmanGroup: keys for a prime of one's own or of a named group; and
// diffieHellman(), for keys of all kinds that can agree.
//
// OpenSSL's newer interface has no way to tell what is wrong with a prime (verifyError) or to take
// a private key without its public one, so this is written on the older one.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include <openssl/dh.h>
#include <openssl/dherr.h>
#include <openssl/err.h>

#include <algorithm>
#include <climits>
#include <string>
#include <utility>

#include "runtime/crypto/derivation/dh_groups.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/job.h"
#include "runtime/crypto/keys/key_input.h"
#include "runtime/crypto/keys/pkey_params.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;
using DhPtr = OpenSslPtr<DH, DH_free>;

void throw_invalid_generator(const Environment& environment) {
  ERR_raise(ERR_LIB_DH, DH_R_BAD_GENERATOR);
  throw_openssl_error(environment, "Invalid generator");
}

class DiffieHellman final : public Wrapped {
 public:
  DiffieHellman(Environment& environment, Local<v8::Object> object, DhPtr dh)
      : Wrapped(environment, object), dh_(std::move(dh)) {
    int codes = 0;
    const ErrorScope scope;
    if (DH_check(dh_.get(), &codes) != 1) codes = 0;
    set_value(environment, object, "verifyError", codes);
  }

  static DiffieHellman& of(const Arguments& args) {
    return *Wrapped::from<DiffieHellman>(args.This());
  }

  /// new DiffieHellman(bits or prime, generator)
  static void construct(const Arguments& args) {
    const ErrorScope scope;
    Environment& environment = Environment::of(args.GetIsolate());
    DhPtr dh = args[0]->IsInt32() ? generate(args) : from_prime(args);
    if (dh != nullptr) new DiffieHellman(environment, args.This(), std::move(dh));
  }

  /// new DiffieHellmanGroup(name)
  static void construct_group(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    if (!args[0]->IsString()) {
      return throw_type_error(environment, "ERR_INVALID_ARG_TYPE", "Group name must be a string");
    }
    BnPtr prime = prime_of_group(to_text(args.GetIsolate(), args[0]));
    if (prime == nullptr) {
      return throw_error(environment, "ERR_CRYPTO_UNKNOWN_DH_GROUP", "Unknown DH group");
    }
    BnPtr generator(BN_new());
    BN_set_word(generator.get(), kGroupGenerator);
    new DiffieHellman(environment, args.This(), make(std::move(prime), std::move(generator)));
  }

  static void generate_keys(const Arguments& args) {
    const ErrorScope scope;
    DH* dh = of(args).dh_.get();
    if (DH_generate_key(dh) != 1) {
      return throw_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_OPERATION_FAILED",
                         "Key generation failed");
    }
    give(args, DH_get0_pub_key(dh), "");
  }

  static void compute_secret(const Arguments& args) {
    const ErrorScope scope;
    Environment& environment = Environment::of(args.GetIsolate());
    DH* dh = of(args).dh_.get();
    BnPtr key = number_at(args, "secret is too big");
    if (key == nullptr || !check_public_key(environment, dh, key.get())) return;
    SecretBytes secret(static_cast<std::size_t>(DH_size(dh)));
    const int size = DH_compute_key(secret.data(), key.get(), dh);
    if (size < 0) {
      return throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED",
                         "Failed to compute shared secret");
    }
    // As long as the prime: zeros come first.
    std::rotate(secret.begin(), secret.begin() + size, secret.end());
    std::fill_n(secret.begin(), secret.size() - static_cast<std::size_t>(size), std::uint8_t{0});
    Local<v8::Value> result;
    if (make_bytes(environment, secret).ToLocal(&result)) args.GetReturnValue().Set(result);
  }

  static void get_prime(const Arguments& args) {
    give(args, DH_get0_p(of(args).dh_.get()), "p is null");
  }
  static void get_generator(const Arguments& args) {
    give(args, DH_get0_g(of(args).dh_.get()), "g is null");
  }
  static void get_public_key(const Arguments& args) {
    give(args, DH_get0_pub_key(of(args).dh_.get()),
         "No public key - did you forget to generate one?");
  }
  static void get_private_key(const Arguments& args) {
    give(args, DH_get0_priv_key(of(args).dh_.get()),
         "No private key - did you forget to generate one?");
  }

  static void set_public_key(const Arguments& args) {
    if (BnPtr key = number_at(args, "buf is too big")) {
      DH_set0_key(of(args).dh_.get(), key.release(), nullptr);
    }
  }
  static void set_private_key(const Arguments& args) {
    if (BnPtr key = number_at(args, "buf is too big")) {
      DH_set0_key(of(args).dh_.get(), nullptr, key.release());
    }
  }

 private:
  static DhPtr make(BnPtr prime, BnPtr generator) {
    DhPtr dh(DH_new());
    if (dh == nullptr || DH_set0_pqg(dh.get(), prime.get(), nullptr, generator.get()) != 1) {
      return nullptr;
    }
    static_cast<void>(prime.release());
    static_cast<void>(generator.release());
    return dh;
  }

  static DhPtr refuse(const Environment& environment) {
    throw_type_error(environment, "ERR_INVALID_ARG_VALUE", "Invalid DH parameters");
    return nullptr;
  }

  /// A prime of so many bits.
  static DhPtr generate(const Arguments& args) {
    const Environment& environment = Environment::of(args.GetIsolate());
    const int bits = args[0].As<v8::Int32>()->Value();
    if (bits < 2) {
      ERR_raise(ERR_LIB_DH, DH_R_MODULUS_TOO_SMALL);
      throw_openssl_error(environment, "Invalid prime length");
      return nullptr;
    }
    if (!args[1]->IsInt32()) {
      throw_type_error(environment, "ERR_INVALID_ARG_TYPE", "Second argument must be an int32");
      return nullptr;
    }
    const int generator = args[1].As<v8::Int32>()->Value();
    if (generator < 2) {
      throw_invalid_generator(environment);
      return nullptr;
    }
    DhPtr dh(DH_new());
    if (DH_generate_parameters_ex(dh.get(), bits, generator, nullptr) != 1) {
      return refuse(environment);
    }
    return dh;
  }

  static DhPtr from_prime(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    const Environment& environment = Environment::of(isolate);
    BnPtr prime = number_at(args, "prime is too big");
    if (prime == nullptr) return nullptr;
    BnPtr generator(BN_new());
    if (args[1]->IsInt32()) {
      const int word = args[1].As<v8::Int32>()->Value();
      BN_set_word(generator.get(), word < 0 ? 0 : static_cast<BN_ULONG>(word));
    } else {
      const ByteSource bytes(isolate, args[1], ByteSource::Lifetime::borrow);
      if (bytes.size() > INT_MAX) {
        throw_range_error(environment, "ERR_OUT_OF_RANGE", "generator is too big");
        return nullptr;
      }
      generator = to_number(bytes);
    }
    constexpr int kLeastChecked = 512;
    const bool is_too_large =
        BN_num_bits(prime.get()) >= kLeastChecked && BN_cmp(generator.get(), prime.get()) >= 0;
    if (BN_is_zero(generator.get()) || BN_is_one(generator.get()) || is_too_large) {
      throw_invalid_generator(environment);
      return nullptr;
    }
    DhPtr dh = make(std::move(prime), std::move(generator));
    return dh == nullptr ? refuse(environment) : std::move(dh);
  }

  /// The first argument; null with an exception under way if it is too long.
  static BnPtr number_at(const Arguments& args, const char* too_big) {
    const ByteSource bytes(args.GetIsolate(), args[0], ByteSource::Lifetime::borrow);
    if (bytes.size() <= INT_MAX) return to_number(bytes);
    throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE", too_big);
    return nullptr;
  }

  static bool check_public_key(const Environment& environment, const DH* dh, const BIGNUM* key) {
    int codes = 0;
    const char* keytype = "ERR_CRYPTO_INVALID_KEYTYPE";
    const char* keylen = "ERR_CRYPTO_INVALID_KEYLEN";
    if (DH_check_pub_key(dh, key, &codes) != 1) {
      throw_range_error(environment, keytype, "Unspecified validation error");
    } else if ((codes & DH_CHECK_PUBKEY_TOO_SMALL) != 0) {
      throw_range_error(environment, keylen, "Supplied key is too small");
    } else if ((codes & DH_CHECK_PUBKEY_TOO_LARGE) != 0) {
      throw_range_error(environment, keylen, "Supplied key is too large");
    } else if (codes != 0) {
      throw_range_error(environment, keytype, "Supplied key is invalid");
    } else {
      return true;
    }
    return false;
  }

  static void give(const Arguments& args, const BIGNUM* number, const char* missing) {
    Environment& environment = Environment::of(args.GetIsolate());
    // A zero has no bytes, which counts as no number.
    if (number == nullptr || BN_is_zero(number)) {
      return throw_error(environment, "ERR_CRYPTO_INVALID_STATE", missing);
    }
    Local<v8::Value> result;
    if (make_bytes(environment, to_bytes(number)).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }

  DhPtr dh_;
};

constexpr Method kMethods[] = {
    {"generateKeys", DiffieHellman::generate_keys},
    {"computeSecret", DiffieHellman::compute_secret},
    {"getPrime", DiffieHellman::get_prime},
    {"getGenerator", DiffieHellman::get_generator},
    {"getPublicKey", DiffieHellman::get_public_key},
    {"getPrivateKey", DiffieHellman::get_private_key},
    {"setPublicKey", DiffieHellman::set_public_key},
    {"setPrivateKey", DiffieHellman::set_private_key},
};

// ---- diffieHellman() ----------------------------------------------------------------------------

/// DHBitsJob(mode, five arguments of the public key, five of the private one)
class AgreementTask final : public BytesTask {
 public:
  static constexpr const char* kProvider = "DERIVEBITSREQUEST";

  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode /*mode*/) {
    auto task = std::make_unique<AgreementTask>();
    task->public_ = read_public_or_private_key(args, 1);
    if (!task->public_) return nullptr;
    task->private_ = read_private_key(args, 1 + kKeyArguments);
    if (!task->private_) return nullptr;
    return task;
  }

  bool work(Failure& /*failure*/) override {
    const PkeyCtxPtr context(EVP_PKEY_CTX_new_from_pkey(nullptr, private_.pkey(), nullptr));
    std::size_t size = 0;
    if (context == nullptr || EVP_PKEY_derive_init(context.get()) <= 0 ||
        (EVP_PKEY_is_a(private_.pkey(), "DH") == 1 &&
         EVP_PKEY_CTX_set_dh_pad(context.get(), 1) <= 0) ||
        EVP_PKEY_derive_set_peer(context.get(), public_.pkey()) <= 0 ||
        EVP_PKEY_derive(context.get(), nullptr, &size) <= 0) {
      return false;
    }
    out_.resize(size);
    if (EVP_PKEY_derive(context.get(), out_.data(), &size) <= 0) return false;
    out_.resize(size);
    return true;
  }

 private:
  KeyData public_;
  KeyData private_;
};

}  // namespace

void add_dh(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target, {"DiffieHellman", DiffieHellman::construct, kMethods});
  set_class(environment, target, {"DiffieHellmanGroup", DiffieHellman::construct_group, kMethods});
  add_job<AgreementTask>(environment, target, "DHBitsJob");
}

}  // namespace rondo::crypto
