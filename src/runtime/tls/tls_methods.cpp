// What JavaScript can do with a TLS connection. What it can ask is in tls_facts.cpp.
#include <openssl/err.h>

#include <cstdio>
#include <optional>
#include <string>

#include "runtime/crypto/errors.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/tls/secure_context.h"
#include "runtime/tls/tls_facts.h"
#include "runtime/tls/tls_stream.h"
#include "tls/context.h"

namespace rondo {

using v8::Local;
using v8::Value;

struct TlsMethods {
  using Self = This<TlsStream>;

  /// Null if the session was destroyed.
  static SSL* ssl_of(Self self) { return self->destroyed_ ? nullptr : self->session_->ssl(); }
  static void throw_type_error(Self self, const char* message) {
    const Environment& environment = self->environment();
    environment.throw_(v8::Exception::TypeError(environment.text(message)));
  }

  static void make(Environment& environment, Local<v8::Object> object, Local<Value> handle,
                   Local<Value> context_value, bool is_server, bool has_active_write) {
    auto* const lower = Wrapped::from<StreamHandle>(handle);
    const SecureContext* const context = SecureContext::from_value(environment, context_value);
    if (lower == nullptr || context == nullptr || context->context() == nullptr) {
      environment.throw_(
          environment.type_error("ERR_TLS_INVALID_CONTEXT", "context must be a SecureContext"));
      return;
    }
    if (is_server) context->context()->enable_server_events();
    new TlsStream(environment, object, *lower, context->context(),
                  is_server ? tls::Side::server : tls::Side::client, has_active_write);
  }

  // ---- Bytes ------------------------------------------------------------------------------------

  /// What a stream below had read before we came.
  static void receive(Self self, std::span<std::uint8_t> bytes) {
    const CalledFromJs from_js;
    self->consume(std::as_bytes(bytes));
  }

  static void start(Self self) {
    if (self->destroyed_) return;
    const CalledFromJs from_js;
    self->decrypt();  // begins the handshake
    self->flush();
  }

  static void destroy_ssl(Self self) { self->destroy(); }

  static void writes_issued_by_prev_listener_done(Self self) {
    const CalledFromJs from_js;
    self->lower_is_writing_ = false;
    self->flush();
  }

  // ---- Steps of the handshake -------------------------------------------------------------------

  static void enable_session_callbacks(Self self) {
    if (self->destroyed_) return;
    self->session_events_ = true;
    if (self->session_->side() == tls::Side::server && self->hello_ == TlsStream::Step::off) {
      self->hello_ = TlsStream::Step::armed;
    }
  }

  static void client_hello_done(Self self) {
    if (self->hello_ != TlsStream::Step::running) return;
    self->hello_ = TlsStream::Step::done;
    go_on(*self);
  }

  /// Goes on where the handshake waited for JavaScript.
  static void go_on(TlsStream& self) {
    if (self.destroyed_) return;
    const CalledFromJs from_js;
    self.cycle();
  }

  static void load_session(Self self, std::span<std::uint8_t> bytes) {
    if (bytes.empty()) return;
    const unsigned char* data = bytes.data();
    self->next_session_.reset(d2i_SSL_SESSION(nullptr, &data, static_cast<long>(bytes.size())));
    ERR_clear_error();
  }

  static void new_session_done(Self self) {
    self->awaits_new_session_ = false;
    go_on(*self);
  }

  static void enable_cert_cb(Self self) {
    if (self->certificate_ == TlsStream::Step::off) self->certificate_ = TlsStream::Step::armed;
  }

  static void cert_cb_done(Self self) {
    if (self->destroyed_ || self->certificate_ != TlsStream::Step::running) return;
    Environment& environment = self->environment();
    Local<Value> value;
    if (!self->object()
             ->Get(environment.context(), environment.name("sni_context"))
             .ToLocal(&value)) {
      return;
    }
    if (const SecureContext* other = SecureContext::from_value(environment, value)) {
      if (!use(*self, *other)) {
        crypto::throw_openssl_error(environment, "CertCbDone");
        return;
      }
    } else if (value->IsObject()) {
      const CalledFromJs from_js;
      self->report("onerror", {v8::Exception::TypeError(environment.text("Invalid SNI context"))});
      return;
    }
    self->certificate_ = TlsStream::Step::done;
    go_on(*self);
  }

  /// False with errors in OpenSSL's queue. A context without a certificate changes nothing.
  static bool use(TlsStream& self, const SecureContext& other) {
    if (other.context() == nullptr) return true;
    self.other_context_ = other.context();
    ERR_clear_error();
    if (!self.session_->use_certificate_of(*other.context())) {
      return SSL_CTX_get0_certificate(other.context()->get()) == nullptr;
    }
    if (!self.session_->trust_as(*other.context())) return false;
    other.context()->apply_compression(self.session_->ssl());
    return true;
  }

  static void set_key_cert(Self self, Local<Value> context) {
    if (self->destroyed_ || self->session_->side() == tls::Side::client) return;
    const SecureContext* const other = SecureContext::from_value(self->environment(), context);
    if (other == nullptr) {
      throw_type_error(self, "Must give a SecureContext as first argument");
    } else if (!use(*self, *other)) {
      crypto::throw_openssl_error(self->environment(), "SetKeyCert");
    }
  }

  // ---- Settings ---------------------------------------------------------------------------------

  static void enable_alpn_cb(Self self) { self->chooses_protocol_ = true; }

  static void set_alpn_protocols(Self self, Local<Value> protocols) {
    if (!protocols->IsArrayBufferView()) {
      throw_type_error(self, "Must give a Buffer as first argument");
    } else if (!self->destroyed_) {
      self->session_->set_protocols(bytes_of(protocols));
    }
  }

  static void enable_keylog_callback(Self self) {
    if (self->context_ != nullptr) self->context_->enable_key_log();
  }

  static void enable_trace(Self self) {
    SSL* const ssl = ssl_of(self);
    if (ssl == nullptr) return;
    // One for the process: it has no state but the descriptor.
    static BIO* const out = BIO_new_fp(stderr, BIO_NOCLOSE | BIO_FP_TEXT);
    SSL_set_msg_callback(ssl, [](int writes, int version, int type, const void* bytes,
                                 std::size_t size, SSL* of, void* arg) {
      // Errors of standard error are not the connection's.
      ERR_set_mark();
      SSL_trace(writes, version, type, bytes, size, of, arg);
      ERR_pop_to_mark();
    });
    SSL_ctrl(ssl, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, out);
  }

  static void set_servername(Self self, std::string name) {
    SSL* const ssl = ssl_of(self);
    if (ssl == nullptr) return;
    SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }

  static void set_session(Self self, Local<Value> buffer) {
    SSL* const ssl = ssl_of(self);
    const Environment& environment = self->environment();
    if (ssl == nullptr) return;
    if (!buffer->IsArrayBufferView()) {
      environment.throw_(
          environment.type_error("ERR_INVALID_ARG_TYPE", "Session must be a buffer"));
      return;
    }
    const auto bytes = bytes_of(buffer);
    const unsigned char* data = bytes.data();
    const tls::SessionPtr session(d2i_SSL_SESSION(nullptr, &data, static_cast<long>(bytes.size())));
    if (session != nullptr && SSL_set_session(ssl, session.get()) != 1) {
      environment.throw_(v8::Exception::Error(environment.text("SSL_set_session error")));
    }
    ERR_clear_error();
  }

  static void set_verify_mode(Self self, bool requests, bool rejects) {
    if (!self->destroyed_) self->session_->set_verification(requests, rejects);
  }

  static void set_ocsp_response(Self self, Local<Value> response) {
    const Environment& environment = self->environment();
    if (!response->IsArrayBufferView()) {
      environment.throw_(
          environment.type_error("ERR_INVALID_ARG_TYPE", "OCSP response must be a buffer"));
      return;
    }
    const auto bytes = bytes_of(response);
    self->ocsp_response_.assign(bytes.begin(), bytes.end());
  }

  static void request_ocsp(Self self) {
    if (SSL* ssl = ssl_of(self)) SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
  }

  static void enable_psk_callback(Self self) {
    if (!self->destroyed_) self->session_->enable_pre_shared_keys();
  }

  static void set_psk_identity_hint(Self self, const std::string& hint) {
    SSL* const ssl = ssl_of(self);
    if (ssl == nullptr || SSL_use_psk_identity_hint(ssl, hint.c_str()) == 1) return;
    ERR_clear_error();
    const Environment& environment = self->environment();
    const CalledFromJs from_js;
    self->report("onerror", {environment.error("ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED",
                                               "Failed to set PSK identity hint")});
  }

  static void renegotiate(Self self) {
    SSL* const ssl = ssl_of(self);
    if (ssl == nullptr) return;
    ERR_clear_error();
    if (SSL_renegotiate(ssl) != 1) {
      crypto::throw_openssl_error(self->environment());
      ERR_clear_error();
    }
  }

  static std::optional<std::int32_t> set_max_send_fragment(Self self, std::int32_t size) {
    SSL* const ssl = ssl_of(self);
    if (ssl == nullptr) return std::nullopt;
    const long result = SSL_set_max_send_fragment(ssl, size);
    ERR_clear_error();
    return static_cast<std::int32_t>(result);
  }
};

namespace {

constexpr Method kMethods[] = {
    method<TlsMethods::receive>("receive"),
    method<TlsMethods::start>("start"),
    method<TlsMethods::destroy_ssl>("destroySSL"),
    method<TlsMethods::writes_issued_by_prev_listener_done>("writesIssuedByPrevListenerDone"),
    method<TlsMethods::enable_session_callbacks>("enableSessionCallbacks"),
    method<TlsMethods::client_hello_done>("clientHelloDone"),
    method<TlsMethods::load_session>("loadSession"),
    method<TlsMethods::new_session_done>("newSessionDone"),
    method<TlsMethods::enable_cert_cb>("enableCertCb"),
    method<TlsMethods::cert_cb_done>("certCbDone"),
    method<TlsMethods::set_key_cert>("setKeyCert"),
    method<TlsMethods::enable_alpn_cb>("enableALPNCb"),
    method<TlsMethods::set_alpn_protocols>("setALPNProtocols"),
    method<TlsMethods::enable_keylog_callback>("enableKeylogCallback"),
    method<TlsMethods::enable_trace>("enableTrace"),
    method<TlsMethods::set_servername>("setServername"),
    method<TlsMethods::set_session>("setSession"),
    method<TlsMethods::set_verify_mode>("setVerifyMode"),
    method<TlsMethods::set_ocsp_response>("setOCSPResponse"),
    method<TlsMethods::request_ocsp>("requestOCSP"),
    method<TlsMethods::enable_psk_callback>("enablePskCallback"),
    method<TlsMethods::set_psk_identity_hint>("setPskIdentityHint"),
    method<TlsMethods::renegotiate>("renegotiate"),
    method<TlsMethods::set_max_send_fragment>("setMaxSendFragment"),
};

}  // namespace

void TlsStream::add(Environment& environment, Local<v8::Object> target) {
  static constexpr ClassShape kShape{.name = "TLSWrap",
                                     .construct = constructor<TlsMethods::make>(),
                                     .methods = kMethods,
                                     .base = &StreamHandle::kBase};
  const Local<v8::FunctionTemplate> made = rondo::make_class(environment, kShape);
  add_methods(environment, made, tls_fact_methods());
  set_value(environment, target, kShape.name,
            made->GetFunction(environment.context()).ToLocalChecked());
}

}  // namespace rondo
