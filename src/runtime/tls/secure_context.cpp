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
  static SecureContext* of(const Arguments& args) {
    return Wrapped::from<SecureContext>(args.This());
  }
  /// Throws for one that was not initialised, or is closed.
  static tls::Context* context_of(const Arguments& args) {
    tls::Context* const context = of(args)->context_.get();
    if (context == nullptr) {
      const Environment& environment = Environment::of(args.GetIsolate());
      environment.throw_(environment.error("ERR_TLS_INVALID_CONTEXT", "SecureContext is closed"));
    }
    return context;
  }
  static void fail(const Arguments& args, const char* message = nullptr) {
    crypto::throw_openssl_error(Environment::of(args.GetIsolate()), message);
    ERR_clear_error();
  }
  static void throw_error(const Arguments& args, std::string_view code, std::string_view message) {
    crypto::throw_error(Environment::of(args.GetIsolate()), code, message);
    ERR_clear_error();
  }

  static void make(const Arguments& args) {
    new SecureContext(Environment::of(args.GetIsolate()), args.This());
    args.This()->SetAlignedPointerInInternalField(kTagField, const_cast<int*>(&kTag),
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

  static void init(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    Method method;
    method.versions = {args[1].As<v8::Int32>()->Value(), args[2].As<v8::Int32>()->Value()};
    if (method.versions.max == 0) method.versions.max = TLS1_3_VERSION;
    if (args[0]->IsString()) {
      const std::string name = to_text(isolate, args[0]);
      const Environment& environment = Environment::of(isolate);
      for (const std::string_view old : {"SSLv2", "SSLv3"}) {
        if (!name.starts_with(old) || name.starts_with("SSLv23")) continue;
        environment.throw_(environment.type_error("ERR_TLS_INVALID_PROTOCOL_METHOD",
                                                  std::string(old) + " methods disabled"));
        return;
      }
      if (!parse_method(name, method)) {
        environment.throw_(
            environment.type_error("ERR_TLS_INVALID_PROTOCOL_METHOD", "Unknown method: " + name));
        return;
      }
    }
    SecureContext* const self = of(args);
    self->context_ = tls::Context::make(method.role, method.versions);
    if (self->context_ == nullptr) return fail(args, "SSL_CTX_new");
    self->context_->user_data = self;
  }

  static void close(const Arguments& args) { of(args)->context_.reset(); }

  // ---- Who we are -------------------------------------------------------------------------------

  static void set_key(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Text pem(args.GetIsolate(), args[0]);
    std::optional<std::string_view> passphrase;
    const Text text(args.GetIsolate(), args[1]->IsString() ? args[1] : args[0]);
    if (args[1]->IsString()) passphrase = text.view();
    if (!context->use_key(pem.view(), passphrase)) fail(args, "PEM_read_bio_PrivateKey");
  }

  static void set_cert(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Text pem(args.GetIsolate(), args[0]);
    if (!context->use_certificate_chain(pem.view())) fail(args, "SSL_CTX_use_certificate_chain");
    ERR_clear_error();
  }

  static void load_pkcs12(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Text der(args.GetIsolate(), args[0]);
    const auto passphrase = bytes_of(args[1]);
    std::string text(reinterpret_cast<const char*>(passphrase.data()), passphrase.size());
    const auto result = context->use_pkcs12(der.view(), text);
    OPENSSL_cleanse(text.data(), text.size());
    switch (result) {
      case tls::Context::Pkcs12::ok:
        break;
      case tls::Context::Pkcs12::no_key:
        return throw_error(args, "ERR_CRYPTO_OPERATION_FAILED",
                           "Unable to load private key from PFX data");
      case tls::Context::Pkcs12::no_certificate:
        return throw_error(args, "ERR_CRYPTO_OPERATION_FAILED",
                           "Unable to load certificate from PFX data");
      case tls::Context::Pkcs12::failed:
        return fail_pkcs12(args);
    }
    ERR_clear_error();
  }

  static void fail_pkcs12(const Arguments& args) {
    const unsigned long error = ERR_get_error();
    if (ERR_GET_REASON(error) == ERR_R_UNSUPPORTED) {
      return throw_error(args, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "Unsupported PKCS12 PFX data");
    }
    const char* const reason = ERR_reason_error_string(error);
    const Environment& environment = Environment::of(args.GetIsolate());
    environment.throw_(
        v8::Exception::Error(environment.text(reason != nullptr ? reason : "Unknown error")));
    ERR_clear_error();
  }

  static void return_certificate(const Arguments& args, X509* certificate) {
    if (certificate == nullptr) {
      args.GetReturnValue().SetNull();
      return;
    }
    std::vector<unsigned char> der(static_cast<std::size_t>(i2d_X509(certificate, nullptr)));
    unsigned char* out = der.data();
    i2d_X509(certificate, &out);
    Local<v8::Object> buffer;
    if (make_buffer(Environment::of(args.GetIsolate()), as_bytes(der)).ToLocal(&buffer)) {
      args.GetReturnValue().Set(buffer);
    }
  }
  static void get_certificate(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      return_certificate(args, context->certificate());
    }
  }
  static void get_issuer(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) return_certificate(args, context->issuer());
  }

  // ---- Whom we trust ----------------------------------------------------------------------------

  static void add_ca_cert(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Text pem(args.GetIsolate(), args[0]);
    context->add_authority(pem.view(), RootStore::current());
  }

  static void add_crl(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Text pem(args.GetIsolate(), args[0]);
    if (!context->add_revocations(pem.view(), RootStore::current())) {
      throw_error(args, "ERR_CRYPTO_OPERATION_FAILED", "Failed to parse CRL");
    }
  }

  static void add_root_certs(const Arguments& args) {
    if (tls::Context* context = context_of(args)) context->trust_roots(RootStore::current());
  }

  static void set_allow_partial_trust_chain(const Arguments& args) {
    if (tls::Context* context = context_of(args)) {
      context->trust_partial_chains(RootStore::current());
    }
  }

  // ---- How --------------------------------------------------------------------------------------

  static void set_cipher_suites(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context != nullptr && !context->set_cipher_suites(to_text(args.GetIsolate(), args[0]))) {
      fail(args, "Failed to set ciphers");
    }
  }

  static void set_ciphers(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context != nullptr && !context->set_ciphers(to_text(args.GetIsolate(), args[0]))) {
      fail(args, "Failed to set ciphers");
    }
  }

  static void set_sigalgs(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context != nullptr &&
        !context->set_signature_algorithms(to_text(args.GetIsolate(), args[0]))) {
      fail(args);
    }
  }

  static void set_ecdh_curve(const Arguments& args) {
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const std::string list = to_text(args.GetIsolate(), args[0]);
    if (list != "auto" && !context->set_groups(list)) {
      throw_error(args, "ERR_CRYPTO_OPERATION_FAILED", "Failed to set ECDH curve");
    }
  }

  static void set_dh_param(const Arguments& args) {
    constexpr int kLeast = 1024;
    constexpr int kSafe = 2048;
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    if (args[0]->IsTrue()) {
      context->set_dh_auto();
      return;
    }
    const Text pem(args.GetIsolate(), args[0]);
    bool failed = false;
    const int bits = context->set_dh_parameters(pem.view(), kLeast, failed);
    if (bits == 0) return;  // not parameters: as if there were none
    const Environment& environment = Environment::of(args.GetIsolate());
    if (bits < kLeast) {
      environment.throw_(
          environment.type_error("ERR_INVALID_ARG_VALUE", "DH parameter is less than 1024 bits"));
    } else if (failed) {
      throw_error(args, "ERR_CRYPTO_OPERATION_FAILED", "Error setting temp DH parameter");
    } else if (bits < kSafe) {
      args.GetReturnValue().Set(environment.text("DH parameter is less than 2048 bits"));
    }
  }

  static void set_min_proto(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      SSL_CTX_set_min_proto_version(context->get(), args[0].As<v8::Int32>()->Value());
    }
  }
  static void set_max_proto(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      SSL_CTX_set_max_proto_version(context->get(), args[0].As<v8::Int32>()->Value());
    }
  }
  static void get_min_proto(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      const long version = SSL_CTX_get_min_proto_version(context->get());
      args.GetReturnValue().Set(static_cast<std::uint32_t>(version));
    }
  }
  static void get_max_proto(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      const long version = SSL_CTX_get_max_proto_version(context->get());
      args.GetReturnValue().Set(static_cast<std::uint32_t>(version));
    }
  }

  static void set_options(const Arguments& args) {
    const tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Local<v8::Context> inside = args.GetIsolate()->GetCurrentContext();
    SSL_CTX_set_options(context->get(),
                        static_cast<std::uint64_t>(args[0]->IntegerValue(inside).FromMaybe(0)));
  }

  /// (length | first << 8 | second << 16 | third << 24)
  static void set_certificate_compression(const Arguments& args) {
    constexpr std::uint32_t kMost = 3;
    tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const Environment& environment = Environment::of(args.GetIsolate());
    const long newest = SSL_CTX_get_max_proto_version(context->get());
    if (newest != 0 && newest < TLS1_3_VERSION) {
      environment.throw_(environment.type_error(
          "ERR_INVALID_ARG_VALUE",
          "certificateCompression requires a TLS protocol range that includes TLSv1.3"));
      return;
    }
    const std::uint32_t packed = args[0].As<v8::Uint32>()->Value();
    std::vector<int> algorithms;
    for (std::uint32_t i = 1; i <= std::min(packed & 0xff, kMost); ++i) {
      algorithms.push_back(static_cast<int>((packed >> (8 * i)) & 0xff));
    }
    if (!context->set_certificate_compression(algorithms)) {
      throw_error(args, "ERR_CRYPTO_OPERATION_FAILED",
                  "Failed to set certificate compression preference");
    }
  }

  // ---- Sessions ---------------------------------------------------------------------------------

  static void set_session_id_context(const Arguments& args) {
    const tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    const std::string id = to_text(args.GetIsolate(), args[0]);
    if (SSL_CTX_set_session_id_context(context->get(),
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
    const Environment& environment = Environment::of(args.GetIsolate());
    environment.throw_(v8::Exception::TypeError(environment.text(lines)));
  }

  static void set_session_timeout(const Arguments& args) {
    if (const tls::Context* context = context_of(args)) {
      SSL_CTX_set_timeout(context->get(), args[0].As<v8::Int32>()->Value());
    }
  }

  static void get_ticket_keys(const Arguments& args) {
    const tls::Context* const context = context_of(args);
    if (context == nullptr) return;
    Local<v8::Object> buffer;
    if (make_buffer(Environment::of(args.GetIsolate()),
                    std::as_bytes(std::span(context->ticket_keys())))
            .ToLocal(&buffer)) {
      args.GetReturnValue().Set(buffer);
    }
  }

  static void set_ticket_keys(const Arguments& args) {
    tls::Context* const context = context_of(args);
    const auto keys = bytes_of(args[0]);
    if (context == nullptr || keys.size() != std::tuple_size_v<tls::Context::TicketKeys>) return;
    context->set_ticket_keys(std::span<const std::uint8_t, 48>(keys));
    args.GetReturnValue().Set(true);
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

void return_list(const Arguments& args, const tls::Certificates& certificates) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<Value>> list;
  list.reserve(certificates.size());
  for (const tls::CertificatePtr& one : certificates) {
    list.push_back(environment.text(pem_of(one.get())));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), list.data(), list.size()));
}

/// As Node's executable writes them: lines of another length than OpenSSL's, and no newline at the
/// end.
void get_bundled(const Arguments& args) {
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<Value>> list;
  std::string_view rest = tls::kBundledRoots;
  for (std::size_t end = rest.find(kEnd); end != std::string_view::npos; end = rest.find(kEnd)) {
    const std::size_t size = end + kEnd.size();
    list.push_back(environment.text(rest.substr(0, size)));
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), list.data(), list.size()));
}
void get_system(const Arguments& args) {
  return_list(args, tls::system_certificates());
}
void get_extra(const Arguments& args) {
  return_list(args, tls::extra_certificates());
}
void get_user(const Arguments& args) {
  return_list(args, RootStore::current().replacement());
}

void reset_root_cert_store(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const Environment& environment = Environment::of(isolate);
  const auto list = args[0].As<v8::Array>();
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

/// (openssl, system, file): options of the command line, before the first context.
void configure_roots(const Arguments& args) {
  RootStore::current().set_sources({.openssl = args[0]->IsTrue(), .system = args[1]->IsTrue()});
  if (args[2]->IsString()) tls::use_extra_certificates(to_text(args.GetIsolate(), args[2]));
}

/// (ip): written as the system writes it. Undefined for what is not an address.
void canonicalize_ip(const Arguments& args) {
  const std::string text = to_text(args.GetIsolate(), args[0]);
  unsigned char bytes[sizeof(in6_addr)];
  char out[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET, AF_INET6}) {
    if (::inet_pton(family, text.c_str(), bytes) != 1) continue;
    ::inet_ntop(family, bytes, out, sizeof out);
    args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(out));
    return;
  }
}

void get_compression_algorithms(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<Value>> names;
  if (BIO_f_zlib() != nullptr) names.push_back(environment.text("zlib"));
  if (BIO_f_brotli() != nullptr) names.push_back(environment.text("brotli"));
  if (BIO_f_zstd() != nullptr) names.push_back(environment.text("zstd"));
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

/// (text): what separates the sessions of this program from others': half of its SHA-1, as
/// hexadecimal digits. Here, so that a server needs no more of node:crypto.
void session_id_context_of(const Arguments& args) {
  constexpr std::size_t kBytes = 16;
  const std::string text = to_text(args.GetIsolate(), args[0]);
  unsigned char digest[EVP_MAX_MD_SIZE];
  EVP_Digest(text.data(), text.size(), digest, nullptr, EVP_sha1(), nullptr);
  std::string hex;
  for (std::size_t i = 0; i < kBytes; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(hex));
}

/// They are read when they are first needed.
void start_loading(const Arguments& /*args*/) {}

constexpr Method kMethods[] = {
    {"init", SecureContextMethods::init},
    {"close", SecureContextMethods::close},
    {"setKey", SecureContextMethods::set_key},
    {"setCert", SecureContextMethods::set_cert},
    {"loadPKCS12", SecureContextMethods::load_pkcs12},
    {"getCertificate", SecureContextMethods::get_certificate},
    {"getIssuer", SecureContextMethods::get_issuer},
    {"addCACert", SecureContextMethods::add_ca_cert},
    {"addCRL", SecureContextMethods::add_crl},
    {"addRootCerts", SecureContextMethods::add_root_certs},
    {"setAllowPartialTrustChain", SecureContextMethods::set_allow_partial_trust_chain},
    {"setCipherSuites", SecureContextMethods::set_cipher_suites},
    {"setCiphers", SecureContextMethods::set_ciphers},
    {"setSigalgs", SecureContextMethods::set_sigalgs},
    {"setECDHCurve", SecureContextMethods::set_ecdh_curve},
    {"setDHParam", SecureContextMethods::set_dh_param},
    {"setMinProto", SecureContextMethods::set_min_proto},
    {"setMaxProto", SecureContextMethods::set_max_proto},
    {"getMinProto", SecureContextMethods::get_min_proto},
    {"getMaxProto", SecureContextMethods::get_max_proto},
    {"setOptions", SecureContextMethods::set_options},
    {"setCertificateCompression", SecureContextMethods::set_certificate_compression},
    {"setSessionIdContext", SecureContextMethods::set_session_id_context},
    {"setSessionTimeout", SecureContextMethods::set_session_timeout},
    {"getTicketKeys", SecureContextMethods::get_ticket_keys},
    {"setTicketKeys", SecureContextMethods::set_ticket_keys},
};

constexpr Method kFunctions[] = {
    {"getBundledRootCertificates", get_bundled},
    {"getSystemCACertificates", get_system},
    {"getExtraCACertificates", get_extra},
    {"getUserRootCertificates", get_user},
    {"resetRootCertStore", reset_root_cert_store},
    {"configureRootCertificates", configure_roots},
    {"canonicalizeIP", canonicalize_ip},
    {"getCertificateCompressionAlgorithms", get_compression_algorithms},
    {"sessionIdContextOf", session_id_context_of},
    {"startLoadingCertificatesOffThread", start_loading},
};

}  // namespace

void crypto::add_secure_context(Environment& environment, Local<v8::Object> target) {
  set_class(environment, target,
            {.name = "SecureContext",
             .construct = SecureContextMethods::make,
             .methods = kMethods,
             .fields = 2});
  for (const Method& method : kFunctions) set_method(environment, target, method);
}

}  // namespace rondo
