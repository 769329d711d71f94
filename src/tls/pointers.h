// Owners of OpenSSL's objects.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>

namespace rondo::tls {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* object) const noexcept {
    free(object);
  }
};

inline void free_certificates(STACK_OF(X509) * certificates) {
  sk_X509_pop_free(certificates, X509_free);
}

using BioPtr = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using CertificatePtr = std::unique_ptr<X509, Freed<X509_free>>;
using CertificatesPtr = std::unique_ptr<STACK_OF(X509), Freed<free_certificates>>;
using ContextPtr = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using CrlPtr = std::unique_ptr<X509_CRL, Freed<X509_CRL_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Pkcs12Ptr = std::unique_ptr<PKCS12, Freed<PKCS12_free>>;
using SessionPtr = std::unique_ptr<SSL_SESSION, Freed<SSL_SESSION_free>>;
using SslPtr = std::unique_ptr<SSL, Freed<SSL_free>>;
using StorePtr = std::unique_ptr<X509_STORE, Freed<X509_STORE_free>>;

}  // namespace rondo::tls
