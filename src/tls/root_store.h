// The certificates that are trusted unless a program says otherwise: Mozilla's, which the engine
// carries and the build takes from there; those of the system; those of a file that the user names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tls/pointers.h"

namespace rondo::tls {

using Certificates = std::vector<CertificatePtr>;

/// Read once for the process.
const Certificates& bundled_certificates();
const Certificates& system_certificates();
/// Those of the file that use_extra_certificates() was given. Says on standard error if that cannot
/// be read.
const Certificates& extra_certificates();
void use_extra_certificates(std::string file);
bool has_extra_certificates();

/// All certificates of a PEM text are added; 0, or the first error.
unsigned long read_certificates(std::string_view pem, Certificates& into);

/// Null if there is none in the store.
CertificatePtr find_issuer(X509_STORE* store, X509* certificate);

/// What the contexts of a thread trust by default.
class RootStore {
 public:
  struct Sources {
    bool openssl = false;  // what OpenSSL is configured to use, instead of Mozilla's
    bool system = false;   // beside Mozilla's
  };

  static RootStore& current();

  void set_sources(Sources sources) noexcept { sources_ = sources; }
  /// Replaces all others.
  void replace(Certificates certificates);
  bool replaced() const noexcept { return replaced_; }
  const Certificates& replacement() const noexcept { return replacement_; }

  /// Made when first asked for.
  X509_STORE* shared();
  bool is_shared(const X509_STORE* store) const noexcept {
    return store != nullptr && store == shared_.get();
  }
  /// Owned by the caller.
  X509_STORE* make_copy() const;

 private:
  StorePtr shared_;
  Certificates replacement_;
  Sources sources_;
  bool replaced_ = false;
};

}  // namespace rondo::tls
