#include "runtime/tls/tls_certificates.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/crypto/certificates/x509.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "tls/root_store.h"

namespace rondo {

using v8::Local;
using v8::Value;

namespace {

bool is_issuer(X509* issuer, X509* certificate) {
  return X509_check_issued(issuer, certificate) == X509_V_OK;
}

}  // namespace

v8::MaybeLocal<Value> certificate_object(Environment& environment, X509* certificate) {
  if (certificate == nullptr) return v8::Undefined(environment.isolate()).As<Value>();
  Local<v8::Object> made;
  if (!crypto::to_legacy_object(environment, certificate).ToLocal(&made)) return {};
  return made.As<Value>();
}

v8::MaybeLocal<Value> peer_certificate_object(Environment& environment, SSL* ssl, bool detailed) {
  X509* certificate = SSL_get0_peer_certificate(ssl);
  if (certificate == nullptr || !detailed) return certificate_object(environment, certificate);

  // Those that the peer has sent, and what our own store has beyond them.
  std::vector<X509*> others;
  STACK_OF(X509)* const chain = SSL_get_peer_cert_chain(ssl);
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    X509* const one = sk_X509_value(chain, i);
    if (X509_cmp(one, certificate) != 0) others.push_back(one);
  }
  Local<v8::Object> result;
  if (!crypto::to_legacy_object(environment, certificate).ToLocal(&result)) return {};
  Local<v8::Object> last = result;
  const auto add = [&](X509* issuer) {
    Local<v8::Object> made;
    if (!crypto::to_legacy_object(environment, issuer).ToLocal(&made)) return false;
    set_value(environment, last, "issuerCertificate", made);
    last = made;
    certificate = issuer;
    return true;
  };
  for (;;) {
    const auto found =
        std::ranges::find_if(others, [&](X509* one) { return is_issuer(one, certificate); });
    if (found == others.end()) break;
    X509* const issuer = *found;
    others.erase(found);
    if (!add(issuer)) return {};
  }
  tls::Certificates kept;  // those of the store that we go through
  while (!is_issuer(certificate, certificate)) {
    X509_STORE* const store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl));
    tls::CertificatePtr issuer = tls::find_issuer(store, certificate);
    // One that may not sign certificates is found again as its own issuer.
    if (issuer == nullptr || X509_cmp(issuer.get(), certificate) == 0) break;
    kept.push_back(std::move(issuer));
    if (!add(kept.back().get())) return {};
  }
  // The root is its own issuer.
  if (is_issuer(certificate, certificate)) {
    set_value(environment, last, "issuerCertificate", last);
  }
  ERR_clear_error();
  return result.As<Value>();
}

v8::MaybeLocal<Value> certificate_handle(Environment& environment, X509* certificate) {
  if (certificate == nullptr) return v8::Undefined(environment.isolate()).As<Value>();
  Local<v8::Object> made;
  if (!crypto::NativeCertificate::make(environment, crypto::share(certificate)).ToLocal(&made)) {
    return {};
  }
  return made.As<Value>();
}

v8::MaybeLocal<Value> peer_certificate_handle(Environment& environment, const SSL* ssl) {
  X509* const certificate = SSL_get0_peer_certificate(ssl);
  if (certificate == nullptr) return v8::Undefined(environment.isolate()).As<Value>();
  // A client's list begins with the certificate itself, a server's does not.
  STACK_OF(X509)* const chain = SSL_get_peer_cert_chain(ssl);
  const int first = SSL_is_server(ssl) != 0 ? 0 : 1;
  Local<v8::Object> issuer;
  for (int i = sk_X509_num(chain) - 1; i >= first; --i) {
    if (!crypto::NativeCertificate::make(environment, crypto::share(sk_X509_value(chain, i)),
                                         issuer)
             .ToLocal(&issuer)) {
      return {};
    }
  }
  Local<v8::Object> made;
  if (!crypto::NativeCertificate::make(environment, crypto::share(certificate), issuer)
           .ToLocal(&made)) {
    return {};
  }
  return made.As<Value>();
}

}  // namespace rondo
