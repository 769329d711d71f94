#include "runtime/tls/secure_context.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/crypto/errors.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/text.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "tls/bundled_roots.h"
#include "tls/root_store.h"

namespace rondo {

using tls::RootStore;
using v8::Local;
using v8::Value;

namespace {

// In the second internal field of every SecureContext: distinguishes them from other objects of
// ours.
alignas(8) const int kTag = 0;
constexpr int kTagField = 1;

/// PEM or DER that JavaScript gives as a string or as bytes.
class Text {
 public:
  Text(v8::Isolate* isolate, Local<Value> value) {
    if (value->IsString()) {
      own_ = to_text(isolate, value);
      view_ = own_;
    } else {
      const auto bytes = bytes_of(value);
      view_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
  }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { OPENSSL_cleanse(own_.data(), own_.size()); }

  std::string_view view() const noexcept { return view_; }

 private:
  std::string own_;
  std::string_view view_;
};

std::span<const std::byte> as_bytes(const std::vector<unsigned char>& bytes) {
  return std::as_bytes(std::span(bytes));
}

}  // namespace

SecureContext* SecureContext::from_value(Environment& /*environment*/, Local<Value> value) {
  if (!value->IsObject()) return nullptr;
  const auto object = value.As<v8::Object>();
  if (object->InternalFieldCount() <= kTagField ||
      object->GetAlignedPointerFromInternalField(kTagField, v8::kEmbedderDataTypeTagDefault) !=
          &kTag) {
    return nullptr;
  }
  return from<SecureContext>(object);
}

struct SecureContextMethods {
  using Self = This<SecureContext>;

  /// Throws for one that was not initialised, or is closed.
  static tls::Context& context_of(Self self) {
    if (self->context_ == nullptr) {
      throw_value(self->environment().error("ERR_TLS_INVALID_CONTEXT", "SecureContext is closed"));
    }
    return *self->context_;
  }
  [[noreturn]] static void throw_value(Local<Value> error) {
    v8::Isolate::GetCurrent()->ThrowException(error);
    throw PendingException();
  }
  [[noreturn]] static void fail(Self self, const char* message = nullptr) {
    crypto::throw_openssl_error(self->environment(), message);
    ERR_clear_error();
    throw PendingException();
  }
  [[noreturn]] static void fail(Self self, std::string_view code, std::string_view message) {
    crypto::throw_error(self->environment(), code, message);
    ERR_clear_error();
    throw PendingException();
  }

  static void make(Environment& environment, Local<v8::Object> object) {
    new SecureContext(environment, object);
    object->SetAlignedPointerInInternalField(kTagField, const_cast<int*>(&kTag),
                                             v8::kEmbedderDataTypeTagDefault);
  }

  // ---- init(method, min, max) -------------------------------------------------------------------

  struct Method {
    tls::Context::Role role = tls::Context::Role::any;
    tls::Context::Versions versions;
  };

  /// "TLSv1_2_server_method" and similar; empty if there is none of this name.
  static bool parse_method(std::string name, Method& out) {
    constexpr std::string_view kEnd = "method";
    if (!name.ends_with(kEnd)) return false;
    name.resize(name.size() - kEnd.size());
    const auto take = [&name](std::string_view end) {
      if (!name.ends_with(end)) return false;
      name.resize(name.size() - end.size());
      return true;
    };
    if (take("_server_")) {
      out.role = tls::Context::Role::server;
    } else if (take("_client_")) {
      out.role = tls::Context::Role::client;
    } else if (!take("_")) {
      return false;
    }
    if (name == "SSLv23") {
      out.versions.max = TLS1_2_VERSION;
    } else if (name == "TLS") {
      out.versions = {0, TLS1_3_VERSION};
    } else if (name == "TLSv1") {
      out.versions = {TLS1_VERSION, TLS1_VERSION};
    } else if (name == "TLSv1_1") {
      out.versions = {TLS1_1_VERSION, TLS1_1_VERSION};
    } else if (name == "TLSv1_2") {
      out.versions = {TLS1_2_VERSION, TLS1_2_VERSION};
    } else {
      return false;
    }
    return true;
  }

  static void init(Self self, Local<Value> method_name, std::int32_t min, std::int32_t max) {
    const Environment& environment = self->environment();
    Method method;
    method.versions = {min, max == 0 ? TLS1_3_VERSION : max};
    if (method_name->IsString()) {
      const std::string name = to_text(environment.isolate(), method_name);
      for (const std::string_view old : {"SSLv2", "SSLv3"}) {
        if (!name.starts_with(old) || name.starts_with("SSLv23")) continue;
        throw_value(environment.type_error("ERR_TLS_INVALID_PROTOCOL_METHOD",
                                           std::string(old) + " methods disabled"));
      }
      if (!parse_method(name, method)) {
        throw_value(
            environment.type_error("ERR_TLS_INVALID_PROTOCOL_METHOD", "Unknown method: " + name));
      }
    }
    self->context_ = tls::Context::make(method.role, method.versions);
    if (self->context_ == nullptr) fail(self, "SSL_CTX_new");
    self->context_->user_data = self.get();
  }

  static void close(Self self) { self->context_.reset(); }

  // ---- Who we are -------------------------------------------------------------------------------

  static void set_key(Self self, const Text& pem, Local<Value> passphrase) {
    tls::Context& context = context_of(self);
    std::optional<Text> text;
    if (passphrase->IsString()) text.emplace(self->environment().isolate(), passphrase);
    if (!context.use_key(pem.view(), text ? std::optional(text->view()) : std::nullopt)) {
      fail(self, "PEM_read_bio_PrivateKey");
    }
  }

  static void set_cert(Self self, const Text& pem) {
    if (!context_of(self).use_certificate_chain(pem.view())) {
      fail(self, "SSL_CTX_use_certificate_chain");
    }
    ERR_clear_error();
  }

  static void load_pkcs12(Self self, const Text& der, std::span<std::uint8_t> passphrase) {
    tls::Context& context = context_of(self);
    std::string text(reinterpret_cast<const char*>(passphrase.data()), passphrase.size());
    const auto result = context.use_pkcs12(der.view(), text);
    OPENSSL_cleanse(text.data(), text.size());
    switch (result) {
      case tls::Context::Pkcs12::ok:
        break;
      case tls::Context::Pkcs12::no_key:
        fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Unable to load private key from PFX data");
      case tls::Context::Pkcs12::no_certificate:
        fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Unable to load certificate from PFX data");
      case tls::Context::Pkcs12::failed:
        fail_pkcs12(self);
    }
    ERR_clear_error();
  }

  [[noreturn]] static void fail_pkcs12(Self self) {
    const unsigned long error = ERR_get_error();
    if (ERR_GET_REASON(error) == ERR_R_UNSUPPORTED) {
      fail(self, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "Unsupported PKCS12 PFX data");
    }
    const char* const reason = ERR_reason_error_string(error);
    ERR_clear_error();
    throw_value(v8::Exception::Error(
        self->environment().text(reason != nullptr ? reason : "Unknown error")));
  }

  static v8::MaybeLocal<Value> to_buffer_or_null(Self self, X509* certificate) {
    if (certificate == nullptr) return v8::Null(self->environment().isolate());
    std::vector<unsigned char> der(static_cast<std::size_t>(i2d_X509(certificate, nullptr)));
    unsigned char* out = der.data();
    i2d_X509(certificate, &out);
    Local<v8::Object> buffer;
    if (!make_buffer(self->environment(), as_bytes(der)).ToLocal(&buffer)) return {};
    return buffer;
  }
  static v8::MaybeLocal<Value> get_certificate(Self self) {
    return to_buffer_or_null(self, context_of(self).certificate());
  }
  static v8::MaybeLocal<Value> get_issuer(Self self) {
    return to_buffer_or_null(self, context_of(self).issuer());
  }

  // ---- Whom we trust ----------------------------------------------------------------------------

  static void add_ca_cert(Self self, const Text& pem) {
    context_of(self).add_authority(pem.view(), RootStore::current());
  }

  static void add_crl(Self self, const Text& pem) {
    if (!context_of(self).add_revocations(pem.view(), RootStore::current())) {
      fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Failed to parse CRL");
    }
  }

  static void add_root_certs(Self self) { context_of(self).trust_roots(RootStore::current()); }

  static void set_allow_partial_trust_chain(Self self) {
    context_of(self).trust_partial_chains(RootStore::current());
  }

  // ---- How --------------------------------------------------------------------------------------

  static void set_cipher_suites(Self self, const std::string& names) {
    if (!context_of(self).set_cipher_suites(names)) fail(self, "Failed to set ciphers");
  }

  static void set_ciphers(Self self, const std::string& names) {
    if (!context_of(self).set_ciphers(names)) fail(self, "Failed to set ciphers");
  }

  static void set_sigalgs(Self self, const std::string& names) {
    if (!context_of(self).set_signature_algorithms(names)) fail(self);
  }

  static void set_ecdh_curve(Self self, const std::string& names) {
    tls::Context& context = context_of(self);
    if (names != "auto" && !context.set_groups(names)) {
      fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Failed to set ECDH curve");
    }
  }

  /// (PEM, or true to let OpenSSL choose): a warning, or undefined
  static std::optional<std::string_view> set_dh_param(Self self, Local<Value> parameters) {
    constexpr int kLeast = 1024;
    constexpr int kSafe = 2048;
    tls::Context& context = context_of(self);
    const Environment& environment = self->environment();
    if (parameters->IsTrue()) {
      context.set_dh_auto();
      return std::nullopt;
    }
    const Text pem(environment.isolate(), parameters);
    bool failed = false;
    const int bits = context.set_dh_parameters(pem.view(), kLeast, failed);
    if (bits == 0) return std::nullopt;  // not parameters: as if there were none
    if (bits < kLeast) {
      throw_value(
          environment.type_error("ERR_INVALID_ARG_VALUE", "DH parameter is less than 1024 bits"));
    }
    if (failed) fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Error setting temp DH parameter");
    if (bits >= kSafe) return std::nullopt;
    return "DH parameter is less than 2048 bits";
  }

  static void set_min_proto(Self self, std::int32_t version) {
    SSL_CTX_set_min_proto_version(context_of(self).get(), version);
  }
  static void set_max_proto(Self self, std::int32_t version) {
    SSL_CTX_set_max_proto_version(context_of(self).get(), version);
  }
  static std::uint32_t get_min_proto(Self self) {
    return static_cast<std::uint32_t>(SSL_CTX_get_min_proto_version(context_of(self).get()));
  }
  static std::uint32_t get_max_proto(Self self) {
    return static_cast<std::uint32_t>(SSL_CTX_get_max_proto_version(context_of(self).get()));
  }

  static void set_options(Self self, std::int64_t options) {
    SSL_CTX_set_options(context_of(self).get(), static_cast<std::uint64_t>(options));
  }

  /// `packed`: length | first << 8 | second << 16 | third << 24
  static void set_certificate_compression(Self self, std::uint32_t packed) {
    constexpr std::uint32_t kMost = 3;
    tls::Context& context = context_of(self);
    const long newest = SSL_CTX_get_max_proto_version(context.get());
    if (newest != 0 && newest < TLS1_3_VERSION) {
      throw_value(self->environment().type_error(
          "ERR_INVALID_ARG_VALUE",
          "certificateCompression requires a TLS protocol range that includes TLSv1.3"));
    }
    std::vector<int> algorithms;
    for (std::uint32_t i = 1; i <= std::min(packed & 0xff, kMost); ++i) {
      algorithms.push_back(static_cast<int>((packed >> (8 * i)) & 0xff));
    }
    if (!context.set_certificate_compression(algorithms)) {
      fail(self, "ERR_CRYPTO_OPERATION_FAILED", "Failed to set certificate compression preference");
    }
  }

  // ---- Sessions ---------------------------------------------------------------------------------

  static void set_session_id_context(Self self, const std::string& id) {
    if (SSL_CTX_set_session_id_context(context_of(self).get(),
                                       reinterpret_cast<const unsigned char*>(id.data()),
                                       static_cast<unsigned int>(id.size())) == 1) {
      return;
    }
    std::string lines;
    ERR_print_errors_cb(
        [](const char* line, std::size_t size, void* out) {
          static_cast<std::string*>(out)->append(line, size);
          return 1;
        },
        &lines);
    throw_value(v8::Exception::TypeError(self->environment().text(lines)));
  }

  static void set_session_timeout(Self self, std::int32_t seconds) {
    SSL_CTX_set_timeout(context_of(self).get(), seconds);
  }

  static v8::MaybeLocal<v8::Object> get_ticket_keys(Self self) {
    return make_buffer(self->environment(),
                       std::as_bytes(std::span(context_of(self).ticket_keys())));
  }

  /// True, or undefined if there are too few or too many bytes
  static std::optional<bool> set_ticket_keys(Self self, std::span<std::uint8_t> keys) {
    tls::Context& context = context_of(self);
    if (keys.size() != std::tuple_size_v<tls::Context::TicketKeys>) return std::nullopt;
    context.set_ticket_keys(std::span<const std::uint8_t, 48>(keys));
    return true;
  }
};

// ---- The certificates that are trusted ----------------------------------------------------------

namespace {

std::string pem_of(X509* certificate) {
  const tls::BioPtr bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_X509(bio.get(), certificate) != 1) return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

using List = std::vector<Local<Value>>;

List to_list(const Environment& environment, const tls::Certificates& certificates) {
  List list;
  list.reserve(certificates.size());
  for (const tls::CertificatePtr& one : certificates) {
    list.push_back(environment.text(pem_of(one.get())));
  }
  return list;
}

/// As Node's executable writes them: lines of another length than OpenSSL's, and no newline at the
/// end.
List get_bundled(Environment& environment) {
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
  List list;
  std::string_view rest = tls::kBundledRoots;
  for (std::size_t end = rest.find(kEnd); end != std::string_view::npos; end = rest.find(kEnd)) {
    const std::size_t size = end + kEnd.size();
    list.push_back(environment.text(rest.substr(0, size)));
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return list;
}
List get_system(Environment& environment) {
  return to_list(environment, tls::system_certificates());
}
List get_extra(Environment& environment) {
  return to_list(environment, tls::extra_certificates());
}
List get_user(Environment& environment) {
  return to_list(environment, RootStore::current().replacement());
}

void reset_root_cert_store(Environment& environment, Local<v8::Array> list) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  tls::Certificates certificates;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> item;
    if (!list->Get(context, i).ToLocal(&item)) return;
    const Text pem(isolate, item);
    if (const unsigned long error = tls::read_certificates(pem.view(), certificates); error != 0) {
      crypto::throw_openssl_error(environment, error, "Failed to parse certificate");
      return;
    }
  }
  if (list->Length() != 0 && certificates.empty()) {
    crypto::throw_error(environment, "ERR_CRYPTO_OPERATION_FAILED",
                        "No valid certificates found in the provided array");
    return;
  }
  RootStore::current().replace(std::move(certificates));
}

/// Options of the command line, before the first context.
void configure_roots(v8::Isolate* isolate, bool openssl, bool system, Local<Value> file) {
  RootStore::current().set_sources({.openssl = openssl, .system = system});
  if (file->IsString()) tls::use_extra_certificates(to_text(isolate, file));
}

/// (ip): written as the system writes it. Undefined for what is not an address.
std::optional<std::string> canonicalize_ip(const std::string& text) {
  unsigned char bytes[sizeof(in6_addr)];
  char out[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET, AF_INET6}) {
    if (::inet_pton(family, text.c_str(), bytes) != 1) continue;
    ::inet_ntop(family, bytes, out, sizeof out);
    return out;
  }
  return std::nullopt;
}

List get_compression_algorithms(Environment& environment) {
  List names;
  if (BIO_f_zlib() != nullptr) names.push_back(environment.text("zlib"));
  if (BIO_f_brotli() != nullptr) names.push_back(environment.text("brotli"));
  if (BIO_f_zstd() != nullptr) names.push_back(environment.text("zstd"));
  return names;
}

/// (text): what separates the sessions of this program from others': half of its SHA-1, as
/// hexadecimal digits. Here, so that a server needs no more of node:crypto.
std::string session_id_context_of(const std::string& text) {
  constexpr std::size_t kBytes = 16;
  unsigned char digest[EVP_MAX_MD_SIZE];
  EVP_Digest(text.data(), text.size(), digest, nullptr, EVP_sha1(), nullptr);
  std::string hex;
  for (std::size_t i = 0; i < kBytes; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

/// They are read when they are first needed.
void start_loading() {}

constexpr Method kMethods[] = {
    method<SecureContextMethods::init>("init"),
    method<SecureContextMethods::close>("close"),
    method<SecureContextMethods::set_key>("setKey"),
    method<SecureContextMethods::set_cert>("setCert"),
    method<SecureContextMethods::load_pkcs12>("loadPKCS12"),
    method<SecureContextMethods::get_certificate>("getCertificate"),
    method<SecureContextMethods::get_issuer>("getIssuer"),
    method<SecureContextMethods::add_ca_cert>("addCACert"),
    method<SecureContextMethods::add_crl>("addCRL"),
    method<SecureContextMethods::add_root_certs>("addRootCerts"),
    method<SecureContextMethods::set_allow_partial_trust_chain>("setAllowPartialTrustChain"),
    method<SecureContextMethods::set_cipher_suites>("setCipherSuites"),
    method<SecureContextMethods::set_ciphers>("setCiphers"),
    method<SecureContextMethods::set_sigalgs>("setSigalgs"),
    method<SecureContextMethods::set_ecdh_curve>("setECDHCurve"),
    method<SecureContextMethods::set_dh_param>("setDHParam"),
    method<SecureContextMethods::set_min_proto>("setMinProto"),
    method<SecureContextMethods::set_max_proto>("setMaxProto"),
    method<SecureContextMethods::get_min_proto>("getMinProto"),
    method<SecureContextMethods::get_max_proto>("getMaxProto"),
    method<SecureContextMethods::set_options>("setOptions"),
    method<SecureContextMethods::set_certificate_compression>("setCertificateCompression"),
    method<SecureContextMethods::set_session_id_context>("setSessionIdContext"),
    method<SecureContextMethods::set_session_timeout>("setSessionTimeout"),
    method<SecureContextMethods::get_ticket_keys>("getTicketKeys"),
    method<SecureContextMethods::set_ticket_keys>("setTicketKeys"),
};

constexpr Method kFunctions[] = {
    method<get_bundled>("getBundledRootCertificates"),
    method<get_system>("getSystemCACertificates"),
    method<get_extra>("getExtraCACertificates"),
    method<get_user>("getUserRootCertificates"),
    method<reset_root_cert_store>("resetRootCertStore"),
    method<configure_roots>("configureRootCertificates"),
    method<canonicalize_ip>("canonicalizeIP"),
    method<get_compression_algorithms>("getCertificateCompressionAlgorithms"),
    method<session_id_context_of>("sessionIdContextOf"),
    method<start_loading>("startLoadingCertificatesOffThread"),
};

}  // namespace

void crypto::add_secure_context(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target,
            {.name = "SecureContext",
             .construct = constructor<SecureContextMethods::make>(),
             .methods = kMethods,
             .fields = 2});
  for (const Method& method : kFunctions) set_method(environment, target, method);
}

}  // namespace rondo
