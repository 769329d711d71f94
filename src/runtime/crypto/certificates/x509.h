// Certificates: the class below X509Certificate.
#pragma once

#include <v8.h>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/openssl_ptr.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/cloneable.h"

namespace rondo::crypto {

class NativeCertificate final : public Cloneable {
 public:
  // The internal field that holds the certificate of the issuer, if it came along.
  enum Field : int { kWrapped, kIssuer, kFieldCount };

  NativeCertificate(Environment& environment, v8::Local<v8::Object> object, X509Ptr certificate);

  /// An object that lib/ can make an X509Certificate of. `issuer` is another one, or empty.
  static v8::MaybeLocal<v8::Object> make(Environment& environment, X509Ptr certificate,
                                         v8::Local<v8::Object> issuer = {});
  /// Null for what is not a certificate.
  static NativeCertificate* from_value(v8::Isolate* isolate, v8::Local<v8::Value> value);
  static NativeCertificate& of(const Arguments& args) {
    return *Wrapped::from<NativeCertificate>(args.This());
  }

  X509* get() const noexcept { return certificate_.get(); }

  std::shared_ptr<const CloneData> share() const override;

 private:
  X509Ptr certificate_;
};

/// PEM or DER; null with an exception under way.
X509Ptr parse_certificate(const Environment& environment, ByteView bytes);

/// Undefined if it cannot be encoded.
v8::MaybeLocal<v8::Value> der_of(Environment& environment, X509* certificate);
/// The numbers of the extended key usages; undefined if the certificate does not say.
v8::Local<v8::Value> usages_of(const Environment& environment, const X509* certificate);

/// The object that tls.TLSSocket.getPeerCertificate() makes its result of.
v8::MaybeLocal<v8::Object> to_legacy_object(Environment& environment, X509* certificate);

}  // namespace rondo::crypto
