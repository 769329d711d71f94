// Certificates for the tests of TLS, made when they are needed: an authority, and what it signs.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <string>

#include <gtest/gtest.h>

#include "tls/pointers.h"

namespace rondo::tls_test {

struct Identity {
  std::string certificate;  // PEM
  std::string key;
};

template <class Write>
std::string pem_of(Write write) {
  const tls::BioPtr bio(BIO_new(BIO_s_mem()));
  EXPECT_EQ(write(bio.get()), 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

/// Signs certificates. Two authorities of the same name are not the same.
class Authority {
 public:
  explicit Authority(std::string name = "CN=Test Authority")
      : key_(EVP_EC_gen("P-256")), certificate_(make(name, key_.get(), {}, 0, kYear, true)) {}

  std::string pem() const {
    return pem_of([&](BIO* to) { return PEM_write_bio_X509(to, certificate_.get()); });
  }

  /// `names`: "DNS:localhost,IP:127.0.0.1". From `begin` to `end`, in seconds from now.
  Identity sign(const std::string& names, long begin = -kDay, long end = kYear) const {
    const tls::KeyPtr key(EVP_EC_gen("P-256"));
    const tls::CertificatePtr made = make("CN=" + names, key.get(), names, begin, end, false);
    return {pem_of([&](BIO* to) { return PEM_write_bio_X509(to, made.get()); }),
            pem_of([&](BIO* to) {
              return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
            })};
  }

  static constexpr long kDay = 24L * 60 * 60;
  static constexpr long kYear = 365 * kDay;

 private:
  tls::CertificatePtr make(const std::string& name, EVP_PKEY* key, const std::string& names,
                           long begin, long end, bool is_authority) const {
    static long serial = 1;
    tls::CertificatePtr made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), begin);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), end);
    X509_set_pubkey(made.get(), key);
    X509_NAME* const subject = X509_get_subject_name(made.get());
    const std::string common = name.substr(3);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(common.data()),
                               static_cast<int>(common.size()), -1, 0);
    X509_set_issuer_name(made.get(),
                         is_authority ? subject : X509_get_subject_name(certificate_.get()));
    add(made.get(), NID_basic_constraints, is_authority ? "critical,CA:TRUE" : "CA:FALSE");
    if (!names.empty()) add(made.get(), NID_subject_alt_name, names);
    EXPECT_NE(X509_sign(made.get(), key_.get(), EVP_sha256()), 0);
    return made;
  }
  static void add(X509* to, int kind, const std::string& value) {
    X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    ASSERT_NE(made, nullptr) << value;
    X509_add_ext(to, made, -1);
    X509_EXTENSION_free(made);
  }

  tls::KeyPtr key_;
  tls::CertificatePtr certificate_;
};

}  // namespace rondo::tls_test
