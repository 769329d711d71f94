// Owners of OpenSSL's objects. What holds secrets is wiped by OpenSSL when it is freed, except for
// numbers: BnPtr wipes them.
#pragma once

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace rondo::crypto {

template <auto free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const noexcept {
    free(object);
  }
};

template <class T, auto free>
using OpenSslPtr = std::unique_ptr<T, FreeWith<free>>;

using Asn1IntegerPtr = OpenSslPtr<ASN1_INTEGER, ASN1_INTEGER_free>;
using BioPtr = OpenSslPtr<BIO, BIO_free_all>;
using BnCtxPtr = OpenSslPtr<BN_CTX, BN_CTX_free>;
using BnPtr = OpenSslPtr<BIGNUM, BN_clear_free>;
using CipherCtxPtr = OpenSslPtr<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free>;
using CipherPtr = OpenSslPtr<EVP_CIPHER, EVP_CIPHER_free>;
using EcGroupPtr = OpenSslPtr<EC_GROUP, EC_GROUP_free>;
using EcPointPtr = OpenSslPtr<EC_POINT, EC_POINT_free>;
using EcdsaSigPtr = OpenSslPtr<ECDSA_SIG, ECDSA_SIG_free>;
using DsaSigPtr = OpenSslPtr<DSA_SIG, DSA_SIG_free>;
using GeneralNamesPtr = OpenSslPtr<GENERAL_NAMES, GENERAL_NAMES_free>;
using KdfCtxPtr = OpenSslPtr<EVP_KDF_CTX, EVP_KDF_CTX_free>;
using KdfPtr = OpenSslPtr<EVP_KDF, EVP_KDF_free>;
using MacCtxPtr = OpenSslPtr<EVP_MAC_CTX, EVP_MAC_CTX_free>;
using MacPtr = OpenSslPtr<EVP_MAC, EVP_MAC_free>;
using MdCtxPtr = OpenSslPtr<EVP_MD_CTX, EVP_MD_CTX_free>;
using MdPtr = OpenSslPtr<EVP_MD, EVP_MD_free>;
using NetscapeSpkiPtr = OpenSslPtr<NETSCAPE_SPKI, NETSCAPE_SPKI_free>;
using ParamBuilderPtr = OpenSslPtr<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using ParamsPtr = OpenSslPtr<OSSL_PARAM, OSSL_PARAM_free>;
using Pkcs12Ptr = OpenSslPtr<PKCS12, PKCS12_free>;
using Pkcs8Ptr = OpenSslPtr<PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free>;
using PkeyCtxPtr = OpenSslPtr<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using PkeyPtr = OpenSslPtr<EVP_PKEY, EVP_PKEY_free>;
using StoreCtxPtr = OpenSslPtr<OSSL_STORE_CTX, OSSL_STORE_close>;
using X509Ptr = OpenSslPtr<X509, X509_free>;
using X509PubkeyPtr = OpenSslPtr<X509_PUBKEY, X509_PUBKEY_free>;

/// A second owner of the same key.
inline PkeyPtr share(EVP_PKEY* key) {
  if (key != nullptr) EVP_PKEY_up_ref(key);
  return PkeyPtr(key);
}

inline X509Ptr share(X509* certificate) {
  if (certificate != nullptr) X509_up_ref(certificate);
  return X509Ptr(certificate);
}

}  // namespace rondo::crypto
