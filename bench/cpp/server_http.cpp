#include "server_http.h"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness.h"
#include "server_process.h"

namespace rondo::bench {

std::string make_file() {
  const auto path =
      std::filesystem::temp_directory_path() / ("rondo_bench_file." + std::to_string(::getuid()));
  std::ofstream(path) << std::string(kFileBytes, 'f');
  return path.string();
}

namespace {

template <class Write>
std::string pem_of(Write write) {
  BIO* const bio = BIO_new(BIO_s_mem());
  expect(bio != nullptr && write(bio) == 1, "OpenSSL cannot write PEM");
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return pem;
}

}  // namespace

Identity make_identity() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const made = X509_new();
  X509_set_version(made, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
  X509_gmtime_adj(X509_getm_notBefore(made), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made), 24L * 3600);
  X509_set_pubkey(made, key);
  const unsigned char name[] = "localhost";
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC, name, -1, -1, 0);
  X509_set_issuer_name(made, X509_get_subject_name(made));
  expect(X509_sign(made, key, EVP_sha256()) != 0, "OpenSSL cannot sign");
  Identity identity{
      pem_of([&](BIO* to) { return PEM_write_bio_X509(to, made); }), pem_of([&](BIO* to) {
        return PEM_write_bio_PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr);
      })};
  X509_free(made);
  EVP_PKEY_free(key);
  return identity;
}

}  // namespace rondo::bench
