// Random bytes and primes.
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <limits>
#include <memory>

#include "runtime/bytes/base_codecs.h"
#include "runtime/crypto/arguments.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/crypto/parts.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// OpenSSL counts with an int, but lib/ gives no more bytes than that either.
bool fill(std::span<std::uint8_t> out) {
  return RAND_bytes(out.data(), static_cast<int>(out.size())) == 1;
}

/// Fills memory of JavaScript's, which is kept alive meanwhile.
class RandomBytesTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "RANDOMBYTESREQUEST";

  /// (mode, buffer or view, offset, size)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode /*mode*/) {
    auto task = std::make_unique<RandomBytesTask>();
    const std::span<std::uint8_t> bytes = bytes_of(args[1]);
    const std::size_t offset = uint32_at(args, 2);
    const std::size_t size = uint32_at(args, 3);
    if (offset > bytes.size() || size > bytes.size() - offset) {
      throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE",
                        "buffer is too small");
      return nullptr;
    }
    task->place_ = bytes.subspan(offset, size);
    task->keep(args[1]);
    return task;
  }

  bool work(Failure& /*failure*/) override { return fill(place_); }
  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    return v8::Undefined(environment.isolate());
  }

 private:
  void keep(Local<v8::Value> value) {
    if (value->IsArrayBufferView()) {
      store_ = value.As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
    } else if (value->IsArrayBuffer()) {
      store_ = value.As<v8::ArrayBuffer>()->GetBackingStore();
    } else {
      store_ = value.As<v8::SharedArrayBuffer>()->GetBackingStore();
    }
  }

  std::shared_ptr<v8::BackingStore> store_;
  std::span<std::uint8_t> place_;
};

/// randomFillSync() without a job -> whether it was done.
bool fill_now(Environment& environment, std::span<std::uint8_t> bytes, std::uint32_t offset,
              std::uint32_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return false;
  if (fill(bytes.subspan(offset, size))) return true;
  throw_openssl_error(environment);
  throw PendingException();
}

/// makeUuids(count) -> that many random UUIDs of version 4 (RFC 9562) in one string.
Local<v8::String> make_uuids(Environment& environment, std::uint32_t count) {
  constexpr std::size_t kBytes = 16;
  constexpr std::size_t kDigits = 32;
  constexpr std::size_t kLength = kDigits + 4;
  SecretBytes bytes(count * kBytes);
  if (!fill(bytes)) {
    throw_openssl_error(environment);
    throw PendingException();
  }
  SecretBytes text(count * kLength);
  std::uint8_t* out = text.data();
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<std::uint8_t> id = std::span(bytes).subspan(i * kBytes, kBytes);
    id[6] = static_cast<std::uint8_t>((id[6] & 0x0f) | 0x40);
    id[8] = static_cast<std::uint8_t>((id[8] & 0x3f) | 0x80);
    std::uint8_t digits[kDigits];
    hex_encode(id, digits);
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      if (digit == 8 || digit == 12 || digit == 16 || digit == 20) *out++ = '-';
      *out++ = digits[digit];
    }
  }
  return v8::String::NewFromOneByte(environment.isolate(), text.data(), v8::NewStringType::kNormal,
                                    static_cast<int>(text.size()))
      .ToLocalChecked();
}

BnPtr number_of(Local<v8::Value> bytes) {
  const std::span<const std::uint8_t> view = bytes_of(bytes);
  return BnPtr(BN_bin2bn(view.data(), static_cast<int>(view.size()), nullptr));
}

class RandomPrimeTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "RANDOMPRIMEREQUEST";

  /// (mode, bits, safe, add, rem)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode /*mode*/) {
    const Environment& environment = Environment::of(args.GetIsolate());
    auto task = std::make_unique<RandomPrimeTask>();
    task->bits_ = static_cast<int>(uint32_at(args, 1));
    task->safe_ = args[2]->IsTrue();
    task->prime_.reset(BN_secure_new());
    if (!args[3]->IsUndefined()) task->add_ = number_of(args[3]);
    if (!args[4]->IsUndefined()) task->rem_ = number_of(args[4]);
    if (!task->prime_ || (!args[3]->IsUndefined() && !task->add_) ||
        (!args[4]->IsUndefined() && !task->rem_)) {
      throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED", "could not generate prime");
      return nullptr;
    }
    if (!task->add_) return task;
    // OpenSSL would look for a prime that there is not, without an end.
    if (BN_num_bits(task->add_.get()) > task->bits_) {
      throw_range_error(environment, "ERR_OUT_OF_RANGE", "invalid options.add");
      return nullptr;
    }
    if (task->rem_ && BN_cmp(task->add_.get(), task->rem_.get()) <= 0) {
      throw_range_error(environment, "ERR_OUT_OF_RANGE", "invalid options.rem");
      return nullptr;
    }
    return task;
  }

  bool work(Failure& /*failure*/) override {
    const BnCtxPtr context(BN_CTX_new());
    return context && BN_generate_prime_ex2(prime_.get(), bits_, safe_ ? 1 : 0, add_.get(),
                                            rem_.get(), nullptr, context.get()) == 1;
  }

  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    SecretBytes bytes(static_cast<std::size_t>(BN_num_bytes(prime_.get())));
    BN_bn2binpad(prime_.get(), bytes.data(), static_cast<int>(bytes.size()));
    Local<v8::ArrayBuffer> buffer;
    if (!make_array_buffer(environment, bytes).ToLocal(&buffer)) return {};
    return buffer;
  }

 private:
  int bits_ = 0;
  bool safe_ = false;
  BnPtr prime_;
  BnPtr add_;
  BnPtr rem_;
};

class CheckPrimeTask final : public JobTask {
 public:
  static constexpr const char* kProvider = "CHECKPRIMEREQUEST";

  /// (mode, candidate, checks)
  static std::unique_ptr<JobTask> make(const Arguments& args, JobMode /*mode*/) {
    auto task = std::make_unique<CheckPrimeTask>();
    task->candidate_ = number_of(args[1]);
    if (!task->candidate_) {
      throw_openssl_error(Environment::of(args.GetIsolate()), "BignumPointer");
      return nullptr;
    }
    task->checks_ = int32_at(args, 2);
    return task;
  }

  bool work(Failure& /*failure*/) override {
    const BnCtxPtr context(BN_CTX_new());
    if (!context) return false;
    // The number of checks was given up by OpenSSL 3's BN_check_prime(); its older function has it.
    const int answer = check(context.get());
    is_prime_ = answer == 1;
    return answer >= 0;
  }

  v8::MaybeLocal<v8::Value> result(Environment& environment) override {
    return v8::Boolean::New(environment.isolate(), is_prime_);
  }

 private:
  int check(BN_CTX* context) const;

  BnPtr candidate_;
  int checks_ = 0;
  bool is_prime_ = false;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
int CheckPrimeTask::check(BN_CTX* context) const {
  return BN_is_prime_ex(candidate_.get(), checks_, context, nullptr);
}
#pragma GCC diagnostic pop

/// timingSafeEqual(a, b), which is handed to programs as it is.
bool timing_safe_equal(Environment& environment, Local<v8::Value> a, Local<v8::Value> b) {
  const auto check = [&](Local<v8::Value> value, const char* name) {
    if (is_bytes(value)) return;
    throw_type_error(environment, "ERR_INVALID_ARG_TYPE",
                     std::string("The \"") + name +
                         "\" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or "
                         "DataView.");
    throw PendingException();
  };
  check(a, "buf1");
  check(b, "buf2");
  const ReadBytes first(a);
  const ReadBytes second(b);
  if (first.get().size() != second.get().size()) {
    throw_range_error(environment, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
                      "Input buffers must have the same byte length");
    throw PendingException();
  }
  return CRYPTO_memcmp(first.get().data(), second.get().data(), first.get().size()) == 0;
}

}  // namespace

void add_random(Environment& environment, Local<v8::Object> target) {
  add_job<RandomBytesTask>(environment, target, "RandomBytesJob");
  add_job<RandomPrimeTask>(environment, target, "RandomPrimeJob");
  add_job<CheckPrimeTask>(environment, target, "CheckPrimeJob");
  set_method(environment, target, method<fill_now>("fillRandom"));
  set_method(environment, target, method<make_uuids>("makeUuids"));
  // Node's has no name.
  set_value(
      environment, target, "timingSafeEqual",
      v8::Function::New(environment.context(), guarded(method<timing_safe_equal>("").callback), {},
                        0, v8::ConstructorBehavior::kThrow)
          .ToLocalChecked());
}

}  // namespace rondo::crypto
