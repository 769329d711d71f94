// crypto.constants, in Node's order.
#include <openssl/crypto.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <openssl/engine.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>

#include <span>
#include <string_view>

#include "runtime/crypto/parts.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {
namespace {

using v8::Local;

struct Constant {
  std::string_view name;
  double value;
};

#define RONDO_CONSTANT(name) {#name, static_cast<double>(name)}

constexpr Constant kFirst[] = {
    RONDO_CONSTANT(OPENSSL_VERSION_NUMBER),
    RONDO_CONSTANT(SSL_OP_ALL),
    RONDO_CONSTANT(SSL_OP_ALLOW_NO_DHE_KEX),
    RONDO_CONSTANT(SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION),
    RONDO_CONSTANT(SSL_OP_CIPHER_SERVER_PREFERENCE),
    RONDO_CONSTANT(SSL_OP_CISCO_ANYCONNECT),
    RONDO_CONSTANT(SSL_OP_COOKIE_EXCHANGE),
    RONDO_CONSTANT(SSL_OP_CRYPTOPRO_TLSEXT_BUG),
    RONDO_CONSTANT(SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS),
    RONDO_CONSTANT(SSL_OP_LEGACY_SERVER_CONNECT),
    RONDO_CONSTANT(SSL_OP_NO_COMPRESSION),
    RONDO_CONSTANT(SSL_OP_NO_ENCRYPT_THEN_MAC),
    RONDO_CONSTANT(SSL_OP_NO_QUERY_MTU),
    RONDO_CONSTANT(SSL_OP_NO_RENEGOTIATION),
    RONDO_CONSTANT(SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION),
    RONDO_CONSTANT(SSL_OP_NO_SSLv2),
    RONDO_CONSTANT(SSL_OP_NO_SSLv3),
    RONDO_CONSTANT(SSL_OP_NO_TICKET),
    RONDO_CONSTANT(SSL_OP_NO_TLSv1),
    RONDO_CONSTANT(SSL_OP_NO_TLSv1_1),
    RONDO_CONSTANT(SSL_OP_NO_TLSv1_2),
    RONDO_CONSTANT(SSL_OP_NO_TLSv1_3),
    RONDO_CONSTANT(SSL_OP_PRIORITIZE_CHACHA),
    RONDO_CONSTANT(SSL_OP_TLS_ROLLBACK_BUG),
    RONDO_CONSTANT(ENGINE_METHOD_RSA),
    RONDO_CONSTANT(ENGINE_METHOD_DSA),
    RONDO_CONSTANT(ENGINE_METHOD_DH),
    RONDO_CONSTANT(ENGINE_METHOD_RAND),
    RONDO_CONSTANT(ENGINE_METHOD_EC),
    RONDO_CONSTANT(ENGINE_METHOD_CIPHERS),
    RONDO_CONSTANT(ENGINE_METHOD_DIGESTS),
    RONDO_CONSTANT(ENGINE_METHOD_PKEY_METHS),
    RONDO_CONSTANT(ENGINE_METHOD_PKEY_ASN1_METHS),
    RONDO_CONSTANT(ENGINE_METHOD_ALL),
    RONDO_CONSTANT(ENGINE_METHOD_NONE),
    RONDO_CONSTANT(DH_CHECK_P_NOT_SAFE_PRIME),
    RONDO_CONSTANT(DH_CHECK_P_NOT_PRIME),
    RONDO_CONSTANT(DH_UNABLE_TO_CHECK_GENERATOR),
    RONDO_CONSTANT(DH_NOT_SUITABLE_GENERATOR),
    RONDO_CONSTANT(RSA_PKCS1_PADDING),
    {"RSA_SSLV23_PADDING", 2},  // is gone from OpenSSL
    RONDO_CONSTANT(RSA_NO_PADDING),
    RONDO_CONSTANT(RSA_PKCS1_OAEP_PADDING),
    RONDO_CONSTANT(RSA_X931_PADDING),
    RONDO_CONSTANT(RSA_PKCS1_PSS_PADDING),
    RONDO_CONSTANT(RSA_PSS_SALTLEN_DIGEST),
    RONDO_CONSTANT(RSA_PSS_SALTLEN_MAX_SIGN),
    RONDO_CONSTANT(RSA_PSS_SALTLEN_AUTO),
};

constexpr std::string_view kDefaultCoreCipherList =
    "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:"
    "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:"
    "DHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA384:"
    "ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:"
    "!PSK:!SRP:!CAMELLIA";

constexpr Constant kLast[] = {
    RONDO_CONSTANT(TLS1_VERSION),
    RONDO_CONSTANT(TLS1_1_VERSION),
    RONDO_CONSTANT(TLS1_2_VERSION),
    RONDO_CONSTANT(TLS1_3_VERSION),
    RONDO_CONSTANT(POINT_CONVERSION_COMPRESSED),
    RONDO_CONSTANT(POINT_CONVERSION_UNCOMPRESSED),
    RONDO_CONSTANT(POINT_CONVERSION_HYBRID),
};

#undef RONDO_CONSTANT

void define(const Environment& environment, Local<v8::Object> target, std::string_view name,
            Local<v8::Value> value) {
  target
      ->DefineOwnProperty(environment.context(), environment.name(name), value,
                          static_cast<v8::PropertyAttribute>(v8::ReadOnly | v8::DontDelete))
      .Check();
}

void define_all(const Environment& environment, Local<v8::Object> target,
                std::span<const Constant> constants) {
  for (const Constant& constant : constants) {
    define(environment, target, constant.name,
           v8::Number::New(environment.isolate(), constant.value));
  }
}

}  // namespace

void add_constants(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Object> constants =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  define_all(environment, constants, kFirst);
  define(environment, constants, "defaultCoreCipherList", environment.text(kDefaultCoreCipherList));
  define_all(environment, constants, kLast);
  set_value(environment, target, "constants", constants);
}

}  // namespace rondo::crypto
