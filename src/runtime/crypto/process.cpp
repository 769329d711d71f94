// What concerns OpenSSL as a whole: FIPS, the secure heap, the security level.
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

#include <atomic>

#include "runtime/crypto/errors.h"
#include "runtime/crypto/init.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {
namespace {

using v8::Local;

// ---- FIPS ---------------------------------------------------------------------------------------

// Goes up with each change, so that lib/ knows when its lists of algorithms are out of date.
constinit std::atomic<std::uint32_t> fips_generation{0};

bool is_fips_enabled() {
  return EVP_default_properties_is_fips_enabled(nullptr) == 1;
}

void get_fips_crypto(const Arguments& args) {
  args.GetReturnValue().Set(is_fips_enabled() ? 1 : 0);
}

void test_fips_crypto(const Arguments& args) {
  const ErrorScope scope;
  args.GetReturnValue().Set(has_fips_provider() ? 1 : 0);
}

void set_fips_crypto(const Arguments& args) {
  const bool enable = args[0]->BooleanValue(args.GetIsolate());
  if (enable == is_fips_enabled()) return;
  const ErrorScope scope;
  // Whether there is such a provider shows when something is asked of it.
  if (!set_fips(enable)) {
    Failure failure;
    failure.capture();
    const Environment& environment = Environment::of(args.GetIsolate());
    return environment.throw_(failure.to_error(environment));
  }
  ++fips_generation;
}

void get_fips_crypto_generation(const Arguments& args) {
  args.GetReturnValue().Set(fips_generation.load());
}

// ---- The rest -----------------------------------------------------------------------------------

/// Engines are gone from OpenSSL's future and ours: none is known.
void set_engine(const Arguments& args) {
  args.GetReturnValue().Set(false);
}

/// secureHeapUsed() -> bytes, as a BigInt
void secure_heap_used(const Arguments& args) {
  const std::size_t used = CRYPTO_secure_malloc_initialized() == 1 ? CRYPTO_secure_used() : 0;
  args.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(args.GetIsolate(), used));
}

/// secureBuffer(size) -> a Uint8Array on the secure heap, if there is one
void secure_buffer(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::size_t size = args[0].As<v8::Uint32>()->Value();
  void* memory = OPENSSL_secure_zalloc(size == 0 ? 1 : size);
  if (memory == nullptr) {
    return throw_error(Environment::of(isolate), "ERR_OPERATION_FAILED", "Allocation failed");
  }
  std::unique_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
      memory, size,
      [](void* data, std::size_t length, void*) { OPENSSL_secure_clear_free(data, length); },
      nullptr);
  const auto buffer = v8::ArrayBuffer::New(isolate, std::move(store));
  args.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, size));
}

void get_security_level(const Arguments& args) {
  const ErrorScope scope;
  const OpenSslPtr<SSL_CTX, SSL_CTX_free> context(SSL_CTX_new(TLS_method()));
  if (context == nullptr) {
    return throw_openssl_error(Environment::of(args.GetIsolate()), "getOpenSSLSecLevel");
  }
  args.GetReturnValue().Set(SSL_CTX_get_security_level(context.get()));
}

constexpr Method kMethods[] = {
    {"getFipsCrypto", get_fips_crypto},
    {"setFipsCrypto", set_fips_crypto},
    {"testFipsCrypto", test_fips_crypto},
    {"getFipsCryptoGeneration", get_fips_crypto_generation},
    {"setEngine", set_engine},
    {"secureHeapUsed", secure_heap_used},
    {"secureBuffer", secure_buffer},
    {"getOpenSSLSecLevelCrypto", get_security_level},
};

}  // namespace

void add_process(Environment& environment, Local<v8::Object> target) {
  for (const Method& method : kMethods) set_method(environment, target, method);
}

}  // namespace rondo::crypto
