#include "runtime/crypto/init.h"

#include <openssl/conf.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include <mutex>

namespace rondo::crypto {
namespace {

/// PKCS#8 of ML-KEM and ML-DSA keys has the seed alone where there is one.
int prefer_seeds(OSSL_PROVIDER* provider, void* /*unused*/) {
  OSSL_PROVIDER_add_conf_parameter(provider, "ml-kem.output_formats", "seed-only,priv-only");
  OSSL_PROVIDER_add_conf_parameter(provider, "ml-dsa.output_formats", "seed-only,priv-only");
  return 1;
}

void start() {
  // The configuration is read by this: the file of OPENSSL_CONF, or the built-in place.
  OPENSSL_INIT_SETTINGS* settings = OPENSSL_INIT_new();
  OPENSSL_INIT_set_config_appname(settings, "nodejs_conf");
  OPENSSL_init_ssl(0, settings);
  OPENSSL_INIT_free(settings);
  OSSL_PROVIDER_do_all(nullptr, prefer_seeds, nullptr);
}

}  // namespace

void initialise_openssl() {
  static std::once_flag once;
  std::call_once(once, start);
}

}  // namespace rondo::crypto
