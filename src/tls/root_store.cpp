#include "tls/root_store.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "tls/bundled_roots.h"
#include "tls/context.h"

namespace rondo::tls {

namespace {

std::string extra_file;  // set before threads begin

int no_passphrase(char* /*into*/, int /*room*/, int /*writes*/, void* /*unused*/) {
  return 0;
}

unsigned long read_all(BIO* bio, Certificates& into) {
  for (;;) {
    CertificatePtr next(PEM_read_bio_X509(bio, nullptr, no_passphrase, nullptr));
    if (next == nullptr) break;
    into.push_back(std::move(next));
  }
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  // There is no further certificate: the end of the text.
  const bool at_end =
      ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  return at_end ? 0 : error;
}

unsigned long read_file(const std::string& file, Certificates& into) {
  const BioPtr bio(BIO_new_file(file.c_str(), "r"));
  if (bio == nullptr) {
    const unsigned long error = ERR_peek_error();  // the first is the system's: why
    ERR_clear_error();
    return error;
  }
  return read_all(bio.get(), into);
}

std::string from_environment(const char* name, const char* otherwise) {
  const char* const value = ::secure_getenv(name);
  return value != nullptr ? value : otherwise;
}

void read_folder(const std::string& folder, Certificates& into) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) read_file(entry.path().string(), into);
  }
  if (error) {
    std::fprintf(stderr, "Cannot open directory %s to load OpenSSL certificates.\n",
                 folder.c_str());
  }
}

void add_all(X509_STORE* store, const Certificates& certificates) {
  for (const CertificatePtr& one : certificates) X509_STORE_add_cert(store, one.get());
}

}  // namespace

unsigned long read_certificates(std::string_view pem, Certificates& into) {
  const BioPtr bio = reader_of(pem);
  return bio != nullptr ? read_all(bio.get(), into) : ERR_R_MALLOC_FAILURE;
}

const Certificates& bundled_certificates() {
  static const Certificates all = [] {
    Certificates made;
    read_certificates(kBundledRoots, made);
    return made;
  }();
  return all;
}

const Certificates& system_certificates() {
  static const Certificates all = [] {
    Certificates made;
    const std::string file =
        from_environment(X509_get_default_cert_file_env(), X509_get_default_cert_file());
    const std::string folder =
        from_environment(X509_get_default_cert_dir_env(), X509_get_default_cert_dir());
    if (!file.empty()) read_file(file, made);
    if (!folder.empty()) read_folder(folder, made);
    return made;
  }();
  return all;
}

const Certificates& extra_certificates() {
  static const Certificates all = [] {
    Certificates made;
    if (extra_file.empty()) return made;
    if (const unsigned long error = read_file(extra_file, made); error != 0) {
      char text[256];
      ERR_error_string_n(error, text, sizeof text);
      std::fprintf(stderr, "Warning: Ignoring extra certs from `%s`, load failed: %s\n",
                   extra_file.c_str(), text);
    }
    return made;
  }();
  return all;
}

void use_extra_certificates(std::string file) {
  extra_file = std::move(file);
}

bool has_extra_certificates() {
  return !extra_file.empty();
}

CertificatePtr find_issuer(X509_STORE* store, X509* certificate) {
  struct Freed {
    void operator()(X509_STORE_CTX* search) const { X509_STORE_CTX_free(search); }
  };
  const std::unique_ptr<X509_STORE_CTX, Freed> search(X509_STORE_CTX_new());
  X509* issuer = nullptr;
  if (search == nullptr || X509_STORE_CTX_init(search.get(), store, nullptr, nullptr) != 1 ||
      X509_STORE_CTX_get1_issuer(&issuer, search.get(), certificate) != 1) {
    return nullptr;
  }
  return CertificatePtr(issuer);
}

// ---- RootStore ----------------------------------------------------------------------------------

RootStore& RootStore::current() {
  thread_local const auto store = std::make_unique<RootStore>();
  return *store;
}

void RootStore::replace(Certificates certificates) {
  // Each once, in the order of OpenSSL's comparison.
  std::ranges::sort(certificates, [](const CertificatePtr& a, const CertificatePtr& b) {
    return X509_cmp(a.get(), b.get()) < 0;
  });
  const auto [first, last] =
      std::ranges::unique(certificates, [](const CertificatePtr& a, const CertificatePtr& b) {
        return X509_cmp(a.get(), b.get()) == 0;
      });
  certificates.erase(first, last);
  replacement_ = std::move(certificates);
  replaced_ = true;
  shared_.reset();
}

X509_STORE* RootStore::shared() {
  if (shared_ == nullptr) shared_.reset(make_copy());
  return shared_.get();
}

X509_STORE* RootStore::make_copy() const {
  X509_STORE* const store = X509_STORE_new();
  if (store == nullptr) throw std::bad_alloc();
  if (replaced_) {
    add_all(store, replacement_);
    return store;
  }
  if (sources_.openssl) {
    X509_STORE_set_default_paths(store);
  } else {
    add_all(store, bundled_certificates());
    if (sources_.system) add_all(store, system_certificates());
  }
  add_all(store, extra_certificates());
  ERR_clear_error();
  return store;
}

}  // namespace rondo::tls
