// The parts of certificates as text. Names that could be taken for something else are written as
// JSON strings.
#pragma once

#include <openssl/x509v3.h>

#include <optional>
#include <string>

namespace rondo::crypto {

/// "DNS:example.org, IP Address:1.2.3.4"; nothing if there is no such extension, or a broken one.
std::optional<std::string> subject_alt_name_of(const X509* certificate);
/// "OCSP - URI:http://...", a line each.
std::optional<std::string> info_access_of(const X509* certificate);
/// "CN=example.org" and so on, a line each.
std::optional<std::string> text_of_name(const X509_NAME* name);
/// "Nov 16 18:42:21 2018 GMT"
std::string text_of_time(const ASN1_TIME* time);
/// "AB:CD:..."
std::optional<std::string> fingerprint_of(const X509* certificate, const EVP_MD* digest);
/// In upper-case hexadecimal.
std::optional<std::string> serial_number_of(const X509* certificate);

}  // namespace rondo::crypto
