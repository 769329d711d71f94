// Certificates of a connection as JavaScript sees them.
#pragma once

#include <openssl/ssl.h>
#include <v8.h>

namespace rondo {

class Environment;

/// The object that getPeerCertificate() returns: subject, issuer, fingerprints and so on.
/// Undefined for a null certificate.
v8::MaybeLocal<v8::Value> certificate_object(Environment& environment, X509* certificate);
/// That of the peer; with the whole chain in `issuerCertificate`s if `detailed`.
v8::MaybeLocal<v8::Value> peer_certificate_object(Environment& environment, SSL* ssl,
                                                  bool detailed);
/// What crypto.X509Certificate is made of. Undefined for a null certificate.
v8::MaybeLocal<v8::Value> certificate_handle(Environment& environment, X509* certificate);
/// The same for the certificate of the peer, with the issuers that the peer has sent.
v8::MaybeLocal<v8::Value> peer_certificate_handle(Environment& environment, const SSL* ssl);

}  // namespace rondo
