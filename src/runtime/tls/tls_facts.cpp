#include "runtime/tls/tls_facts.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/crypto/errors.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/views.h"
#include "runtime/tls/tls_certificates.h"
#include "runtime/tls/tls_stream.h"
#include "runtime/tls/verify_codes.h"

namespace rondo {

using v8::Local;
using v8::Value;

struct TlsFacts {
  static TlsStream* of(const Arguments& args) { return Wrapped::from<TlsStream>(args.This()); }
  static SSL* ssl_of(const Arguments& args) {
    const TlsStream* self = of(args);
    return self->destroyed_ ? nullptr : self->session_->ssl();
  }
  static Environment& environment_of(const Arguments& args) {
    return Environment::of(args.GetIsolate());
  }

  static void return_bytes(const Arguments& args, std::span<const std::uint8_t> bytes) {
    Local<v8::Object> buffer;
    if (make_buffer(environment_of(args), std::as_bytes(bytes)).ToLocal(&buffer)) {
      args.GetReturnValue().Set(buffer);
    }
  }
  static void return_text(const Arguments& args, std::string_view text) {
    args.GetReturnValue().Set(environment_of(args).text(text));
  }
  /// An object of these properties; a null text is undefined.
  static Local<v8::Object> make_object(
      Environment& environment, std::initializer_list<std::pair<const char*, const char*>> parts) {
    const auto made = v8::Object::New(environment.isolate());
    for (const auto& [name, text] : parts) {
      const Local<Value> value = text != nullptr ? environment.text(text).As<Value>()
                                                 : v8::Undefined(environment.isolate()).As<Value>();
      set_value(environment, made, name, value);
    }
    return made;
  }

  // ---- What was agreed on -----------------------------------------------------------------------

  static void get_servername(const Arguments& args) {
    const TlsStream* self = of(args);
    if (self->destroyed_) return;
    const std::string_view name = self->session_->server_name();
    if (name.empty()) {
      args.GetReturnValue().Set(false);
    } else {
      return_text(args, name);
    }
  }

  static void get_alpn_negotiated_protocol(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl, &name, &size);
    if (size == 0) {
      args.GetReturnValue().Set(false);
      return;
    }
    Local<v8::String> text;
    if (v8::String::NewFromOneByte(args.GetIsolate(), name, v8::NewStringType::kNormal,
                                   static_cast<int>(size))
            .ToLocal(&text)) {
      args.GetReturnValue().Set(text);
    }
  }

  static void get_protocol(const Arguments& args) {
    if (const SSL* ssl = ssl_of(args)) return_text(args, SSL_get_version(ssl));
  }

  static void get_cipher(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    const SSL_CIPHER* const cipher = ssl != nullptr ? SSL_get_current_cipher(ssl) : nullptr;
    if (cipher == nullptr) return;
    args.GetReturnValue().Set(
        make_object(environment_of(args), {{"name", SSL_CIPHER_get_name(cipher)},
                                           {"standardName", SSL_CIPHER_standard_name(cipher)},
                                           {"version", SSL_CIPHER_get_version(cipher)}}));
  }

  static void get_ephemeral_key_info(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    if (SSL_is_server(ssl) != 0) {
      args.GetReturnValue().SetNull();
      return;
    }
    Environment& environment = environment_of(args);
    EVP_PKEY* found = nullptr;
    SSL_get_peer_tmp_key(ssl, &found);
    const tls::KeyPtr key(found);
    const int type = key != nullptr ? EVP_PKEY_get_id(key.get()) : EVP_PKEY_NONE;
    const char* name = nullptr;
    char group[64];
    if (type == EVP_PKEY_X25519 || type == EVP_PKEY_X448) {
      name = OBJ_nid2sn(type);
    } else if (type == EVP_PKEY_EC) {
      std::size_t size = 0;
      if (EVP_PKEY_get_group_name(key.get(), group, sizeof group, &size) == 1) name = group;
    }
    const auto result = v8::Object::New(environment.isolate());
    const Local<Value> undefined = v8::Undefined(environment.isolate());
    const auto set = [&](const char* property, Local<Value> value) {
      set_value(environment, result, property, value);
    };
    if (type == EVP_PKEY_DH || name != nullptr) {
      set("type", environment.text(type == EVP_PKEY_DH ? "DH" : "ECDH"));
      set("name", name != nullptr ? environment.text(name).As<Value>() : undefined);
      set("size", v8::Integer::New(environment.isolate(), EVP_PKEY_get_bits(key.get())));
    } else if (const char* negotiated = SSL_get0_group_name(ssl)) {
      set("type", environment.text("TLSGroup"));
      set("name", environment.text(negotiated));
      set("size", undefined);
    }
    args.GetReturnValue().Set(result);
    ERR_clear_error();
  }

  static void get_shared_sigalgs(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    const Environment& environment = environment_of(args);
    const int count = SSL_get_shared_sigalgs(ssl, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
    std::vector<Local<Value>> list;
    for (int i = 0; i < count; ++i) {
      int signature = 0;
      int digest = 0;
      SSL_get_shared_sigalgs(ssl, i, &signature, &digest, nullptr, nullptr, nullptr);
      list.push_back(environment.text(signature_name(signature) + "+" + short_name(digest)));
    }
    args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), list.data(), list.size()));
  }

  static std::string short_name(int number) {
    const char* const name = OBJ_nid2sn(number);
    return name != nullptr ? name : "UNDEF";
  }
  static std::string signature_name(int number) {
    switch (number) {
      case EVP_PKEY_RSA:
        return "RSA";
      case EVP_PKEY_RSA_PSS:
        return "RSA-PSS";
      case EVP_PKEY_DSA:
        return "DSA";
      case EVP_PKEY_EC:
        return "ECDSA";
      case NID_ED25519:
        return "Ed25519";
      case NID_ED448:
        return "Ed448";
      default:
        return short_name(number);
    }
  }

  // ---- Sessions and secrets ---------------------------------------------------------------------

  static void get_session(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    const SSL_SESSION* const session = ssl != nullptr ? SSL_get_session(ssl) : nullptr;
    if (session == nullptr) return;
    const int size = i2d_SSL_SESSION(session, nullptr);
    if (size <= 0) return;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::uint8_t* out = bytes.data();
    i2d_SSL_SESSION(session, &out);
    return_bytes(args, bytes);
  }

  static void get_tls_ticket(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    const SSL_SESSION* const session = ssl != nullptr ? SSL_get_session(ssl) : nullptr;
    if (session == nullptr) return;
    const unsigned char* ticket = nullptr;
    std::size_t size = 0;
    SSL_SESSION_get0_ticket(session, &ticket, &size);
    if (ticket != nullptr) return_bytes(args, {ticket, size});
  }

  static void is_session_reused(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    args.GetReturnValue().Set(ssl != nullptr && SSL_session_reused(ssl) == 1);
  }

  using GetFinished = std::size_t (*)(const SSL*, void*, std::size_t);
  static void return_finished(const Arguments& args, GetFinished get) {
    const SSL* const ssl = ssl_of(args);
    std::uint8_t bytes[EVP_MAX_MD_SIZE];
    const std::size_t size = ssl != nullptr ? get(ssl, bytes, sizeof bytes) : 0;
    if (size > 0) return_bytes(args, {bytes, std::min(size, sizeof bytes)});
  }
  static void get_finished(const Arguments& args) { return_finished(args, SSL_get_finished); }
  static void get_peer_finished(const Arguments& args) {
    return_finished(args, SSL_get_peer_finished);
  }

  static void export_keying_material(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    std::vector<std::uint8_t> out(args[0].As<v8::Uint32>()->Value());
    const v8::String::Utf8Value label(args.GetIsolate(), args[1]);
    const bool with_context = !args[2]->IsUndefined();
    const auto context = bytes_of(args[2]);
    ERR_clear_error();
    if (SSL_export_keying_material(ssl, out.data(), out.size(), *label,
                                   static_cast<std::size_t>(label.length()), context.data(),
                                   context.size(), with_context ? 1 : 0) != 1) {
      crypto::throw_openssl_error(environment_of(args), "SSL_export_keying_material");
      return;
    }
    return_bytes(args, out);
  }

  // ---- Certificates -----------------------------------------------------------------------------

  /// An Error with the code of what is wrong with the certificate of the peer, or null.
  static void verify_error(const Arguments& args) {
    const TlsStream* self = of(args);
    const long result =
        self->destroyed_ ? X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT : self->session_->verify_result();
    if (result == X509_V_OK) {
      args.GetReturnValue().SetNull();
      return;
    }
    Environment& environment = self->environment();
    const bool local_root_may_help =
        result == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE ||
        result == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
        (result == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT && !args[0]->IsTrue());
    std::string message = X509_verify_cert_error_string(result);
    if (local_root_may_help) {
      message += "; if the root CA is installed locally, try running Node.js with --use-system-ca";
    }
    const auto error = v8::Exception::Error(environment.text(message)).As<v8::Object>();
    set_value(environment, error, "code", environment.text(verify_code(result)));
    args.GetReturnValue().Set(error);
  }

  static void has_peer_certificate(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    args.GetReturnValue().Set(ssl != nullptr && SSL_get0_peer_certificate(ssl) != nullptr);
  }

  static void get_peer_certificate(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    Local<Value> result;
    if (ssl != nullptr &&
        peer_certificate_object(environment_of(args), ssl, args[0]->IsTrue()).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }
  static void get_certificate(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    Local<Value> result;
    if (ssl != nullptr &&
        certificate_object(environment_of(args), SSL_get_certificate(ssl)).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }
  static void get_peer_x509_certificate(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    Local<Value> result;
    if (ssl != nullptr && peer_certificate_handle(environment_of(args), ssl).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }
  static void get_x509_certificate(const Arguments& args) {
    const SSL* const ssl = ssl_of(args);
    Local<Value> result;
    if (ssl != nullptr &&
        certificate_handle(environment_of(args), SSL_get_certificate(ssl)).ToLocal(&result)) {
      args.GetReturnValue().Set(result);
    }
  }
};

namespace {

constexpr Method kMethods[] = {
    {"getServername", TlsFacts::get_servername},
    {"getALPNNegotiatedProtocol", TlsFacts::get_alpn_negotiated_protocol},
    {"getProtocol", TlsFacts::get_protocol},
    {"getCipher", TlsFacts::get_cipher},
    {"getEphemeralKeyInfo", TlsFacts::get_ephemeral_key_info},
    {"getSharedSigalgs", TlsFacts::get_shared_sigalgs},
    {"getSession", TlsFacts::get_session},
    {"getTLSTicket", TlsFacts::get_tls_ticket},
    {"isSessionReused", TlsFacts::is_session_reused},
    {"getFinished", TlsFacts::get_finished},
    {"getPeerFinished", TlsFacts::get_peer_finished},
    {"exportKeyingMaterial", TlsFacts::export_keying_material},
    {"verifyError", TlsFacts::verify_error},
    {"hasPeerCertificate", TlsFacts::has_peer_certificate},
    {"getPeerCertificate", TlsFacts::get_peer_certificate},
    {"getCertificate", TlsFacts::get_certificate},
    {"getPeerX509Certificate", TlsFacts::get_peer_x509_certificate},
    {"getX509Certificate", TlsFacts::get_x509_certificate},
};

}  // namespace

std::span<const Method> tls_fact_methods() {
  return kMethods;
}

}  // namespace rondo
