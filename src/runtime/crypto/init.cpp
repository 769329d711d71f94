#include "runtime/crypto/init.h"

#include <openssl/conf.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include <cstdio>
#include <mutex>
#include <utility>

namespace rondo::crypto {
namespace {

OpenSslOptions options;

/// PKCS#8 of ML-KEM and ML-DSA keys has the seed alone where there is one.
int prefer_seeds(OSSL_PROVIDER* provider, void* /*unused*/) {
  OSSL_PROVIDER_add_conf_parameter(provider, "ml-kem.output_formats", "seed-only,priv-only");
  OSSL_PROVIDER_add_conf_parameter(provider, "ml-dsa.output_formats", "seed-only,priv-only");
  return 1;
}

void start_secure_heap() {
  if (options.secure_heap == 0) return;
  switch (CRYPTO_secure_malloc_init(options.secure_heap, options.secure_heap_min)) {
    case 0:
      std::fputs("Unable to initialize openssl secure heap.\n", stderr);
      break;
    case 2:  // it works, but may be swapped out
      std::fputs("Unable to memory map openssl secure heap.\n", stderr);
      break;
    default:
      break;
  }
}

void start() {
  // The configuration is read by this: the file of OPENSSL_CONF, or the built-in place.
  OPENSSL_INIT_SETTINGS* settings = OPENSSL_INIT_new();
  if (!options.config.empty()) {
    OPENSSL_INIT_set_config_filename(settings, options.config.c_str());
  }
  OPENSSL_INIT_set_config_appname(settings, options.shared_config ? "openssl_conf" : "nodejs_conf");
  OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, settings);
  if (options.legacy_provider && OSSL_PROVIDER_load(nullptr, "legacy") == nullptr) {
    std::fputs("Unable to load legacy provider.\n", stderr);
  }
  OPENSSL_init_ssl(0, settings);
  OPENSSL_INIT_free(settings);
  start_secure_heap();
  OSSL_PROVIDER_do_all(nullptr, prefer_seeds, nullptr);
}

}  // namespace

void set_openssl_options(OpenSslOptions given) {
  options = std::move(given);
}

bool has_fips_provider() {
  if (OSSL_PROVIDER_available(nullptr, "fips") != 1) return false;
  OSSL_PROVIDER* provider = OSSL_PROVIDER_load(nullptr, "fips");
  if (provider == nullptr) return false;
  const bool works = OSSL_PROVIDER_self_test(provider) == 1;
  OSSL_PROVIDER_unload(provider);
  return works;
}

bool set_fips(bool enabled) {
  return EVP_default_properties_enable_fips(nullptr, enabled ? 1 : 0) == 1;
}

void initialise_openssl() {
  static std::once_flag once;
  std::call_once(once, start);
}

}  // namespace rondo::crypto
