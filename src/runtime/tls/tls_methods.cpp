// What JavaScript can do with a TLS connection. What it can ask is in tls_facts.cpp.
#include <openssl/err.h>

#include <cstdio>
#include <string>

#include "runtime/crypto/errors.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/text.h"
#include "runtime/glue/views.h"
#include "runtime/tls/secure_context.h"
#include "runtime/tls/tls_facts.h"
#include "runtime/tls/tls_stream.h"
#include "tls/context.h"

namespace rondo {

using v8::Local;
using v8::Value;

struct TlsMethods {
  static TlsStream* of(const Arguments& args) { return Wrapped::from<TlsStream>(args.This()); }
  /// Null if the session was destroyed.
  static SSL* ssl_of(const Arguments& args) {
    const TlsStream* self = of(args);
    return self->destroyed_ ? nullptr : self->session_->ssl();
  }
  static void throw_type_error(const Arguments& args, const char* message) {
    const Environment& environment = Environment::of(args.GetIsolate());
    environment.throw_(v8::Exception::TypeError(environment.text(message)));
  }

  /// new TLSWrap(handle, context, isServer, hasActiveWrite)
  static void make(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    auto* const lower = args.IsConstructCall() ? Wrapped::from<StreamHandle>(args[0]) : nullptr;
    const SecureContext* const context = SecureContext::from_value(environment, args[1]);
    if (lower == nullptr || context == nullptr || context->context() == nullptr) {
      environment.throw_(
          environment.type_error("ERR_TLS_INVALID_CONTEXT", "context must be a SecureContext"));
      return;
    }
    const bool is_server = args[2]->IsTrue();
    if (is_server) context->context()->enable_server_events();
    new TlsStream(environment, args.This(), *lower, context->context(),
                  is_server ? tls::Side::server : tls::Side::client, args[3]->IsTrue());
  }

  // ---- Bytes ------------------------------------------------------------------------------------

  /// What a stream below had read before we came.
  static void receive(const Arguments& args) {
    TlsStream* self = of(args);
    const CalledFromJs from_js;
    const auto bytes = bytes_of(args[0]);
    self->consume(std::as_bytes(bytes));
  }

  static void start(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->destroyed_) return;
    const CalledFromJs from_js;
    self->decrypt();  // begins the handshake
    self->flush();
  }

  static void destroy_ssl(const Arguments& args) { of(args)->destroy(); }

  static void writes_issued_by_prev_listener_done(const Arguments& args) {
    TlsStream* self = of(args);
    const CalledFromJs from_js;
    self->lower_is_writing_ = false;
    self->flush();
  }

  // ---- Steps of the handshake -------------------------------------------------------------------

  static void enable_session_callbacks(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->destroyed_) return;
    self->session_events_ = true;
    if (self->session_->side() == tls::Side::server && self->hello_ == TlsStream::Step::off) {
      self->hello_ = TlsStream::Step::armed;
    }
  }

  static void client_hello_done(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->hello_ != TlsStream::Step::running) return;
    self->hello_ = TlsStream::Step::done;
    go_on(self);
  }

  /// Goes on where the handshake waited for JavaScript.
  static void go_on(TlsStream* self) {
    if (self->destroyed_) return;
    const CalledFromJs from_js;
    self->cycle();
  }

  static void load_session(const Arguments& args) {
    const auto bytes = bytes_of(args[0]);
    if (bytes.empty()) return;
    const unsigned char* data = bytes.data();
    of(args)->next_session_.reset(d2i_SSL_SESSION(nullptr, &data, static_cast<long>(bytes.size())));
    ERR_clear_error();
  }

  static void new_session_done(const Arguments& args) {
    TlsStream* self = of(args);
    self->awaits_new_session_ = false;
    go_on(self);
  }

  static void enable_cert_cb(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->certificate_ == TlsStream::Step::off) self->certificate_ = TlsStream::Step::armed;
  }

  static void cert_cb_done(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->destroyed_ || self->certificate_ != TlsStream::Step::running) return;
    Environment& environment = self->environment();
    Local<Value> value;
    if (!self->object()
             ->Get(environment.context(), environment.name("sni_context"))
             .ToLocal(&value)) {
      return;
    }
    if (const SecureContext* other = SecureContext::from_value(environment, value)) {
      if (!use(self, *other)) {
        crypto::throw_openssl_error(environment, "CertCbDone");
        return;
      }
    } else if (value->IsObject()) {
      const CalledFromJs from_js;
      self->report("onerror", {v8::Exception::TypeError(environment.text("Invalid SNI context"))});
      return;
    }
    self->certificate_ = TlsStream::Step::done;
    go_on(self);
  }

  /// False with errors in OpenSSL's queue. A context without a certificate changes nothing.
  static bool use(TlsStream* self, const SecureContext& other) {
    if (other.context() == nullptr) return true;
    self->other_context_ = other.context();
    ERR_clear_error();
    if (!self->session_->use_certificate_of(*other.context())) {
      return SSL_CTX_get0_certificate(other.context()->get()) == nullptr;
    }
    if (!self->session_->trust_as(*other.context())) return false;
    other.context()->apply_compression(self->session_->ssl());
    return true;
  }

  static void set_key_cert(const Arguments& args) {
    TlsStream* self = of(args);
    if (self->destroyed_ || self->session_->side() == tls::Side::client) return;
    const SecureContext* const other = SecureContext::from_value(self->environment(), args[0]);
    if (other == nullptr) {
      throw_type_error(args, "Must give a SecureContext as first argument");
    } else if (!use(self, *other)) {
      crypto::throw_openssl_error(self->environment(), "SetKeyCert");
    }
  }

  // ---- Settings ---------------------------------------------------------------------------------

  static void enable_alpn_cb(const Arguments& args) { of(args)->chooses_protocol_ = true; }

  static void set_alpn_protocols(const Arguments& args) {
    TlsStream* self = of(args);
    if (!args[0]->IsArrayBufferView()) {
      throw_type_error(args, "Must give a Buffer as first argument");
    } else if (!self->destroyed_) {
      self->session_->set_protocols(bytes_of(args[0]));
    }
  }

  static void enable_keylog_callback(const Arguments& args) {
    const TlsStream* self = of(args);
    if (self->context_ != nullptr) self->context_->enable_key_log();
  }

  static void enable_trace(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
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

  static void set_servername(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    std::string name = to_text(args.GetIsolate(), args[0]);
    SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }

  static void set_session(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    const Environment& environment = Environment::of(args.GetIsolate());
    if (ssl == nullptr) return;
    if (!args[0]->IsArrayBufferView()) {
      environment.throw_(
          environment.type_error("ERR_INVALID_ARG_TYPE", "Session must be a buffer"));
      return;
    }
    const auto bytes = bytes_of(args[0]);
    const unsigned char* data = bytes.data();
    const tls::SessionPtr session(d2i_SSL_SESSION(nullptr, &data, static_cast<long>(bytes.size())));
    if (session != nullptr && SSL_set_session(ssl, session.get()) != 1) {
      environment.throw_(v8::Exception::Error(environment.text("SSL_set_session error")));
    }
    ERR_clear_error();
  }

  static void set_verify_mode(const Arguments& args) {
    const TlsStream* self = of(args);
    if (!self->destroyed_) self->session_->set_verification(args[0]->IsTrue(), args[1]->IsTrue());
  }

  static void set_ocsp_response(const Arguments& args) {
    const Environment& environment = Environment::of(args.GetIsolate());
    if (!args[0]->IsArrayBufferView()) {
      environment.throw_(
          environment.type_error("ERR_INVALID_ARG_TYPE", "OCSP response must be a buffer"));
      return;
    }
    const auto bytes = bytes_of(args[0]);
    of(args)->ocsp_response_.assign(bytes.begin(), bytes.end());
  }

  static void request_ocsp(const Arguments& args) {
    if (SSL* ssl = ssl_of(args)) SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
  }

  static void enable_psk_callback(const Arguments& args) {
    const TlsStream* self = of(args);
    if (!self->destroyed_) self->session_->enable_pre_shared_keys();
  }

  static void set_psk_identity_hint(const Arguments& args) {
    TlsStream* self = of(args);
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr ||
        SSL_use_psk_identity_hint(ssl, to_text(args.GetIsolate(), args[0]).c_str()) == 1)
      return;
    ERR_clear_error();
    const Environment& environment = self->environment();
    const CalledFromJs from_js;
    self->report("onerror", {environment.error("ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED",
                                               "Failed to set PSK identity hint")});
  }

  static void renegotiate(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    ERR_clear_error();
    if (SSL_renegotiate(ssl) != 1) {
      crypto::throw_openssl_error(Environment::of(args.GetIsolate()));
      ERR_clear_error();
    }
  }

  static void set_max_send_fragment(const Arguments& args) {
    SSL* const ssl = ssl_of(args);
    if (ssl == nullptr) return;
    const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
    const long result = SSL_set_max_send_fragment(ssl, args[0]->Int32Value(context).FromMaybe(0));
    args.GetReturnValue().Set(static_cast<std::int32_t>(result));
    ERR_clear_error();
  }
};

namespace {

constexpr Method kMethods[] = {
    {"receive", TlsMethods::receive},
    {"start", TlsMethods::start},
    {"destroySSL", TlsMethods::destroy_ssl},
    {"writesIssuedByPrevListenerDone", TlsMethods::writes_issued_by_prev_listener_done},
    {"enableSessionCallbacks", TlsMethods::enable_session_callbacks},
    {"clientHelloDone", TlsMethods::client_hello_done},
    {"loadSession", TlsMethods::load_session},
    {"newSessionDone", TlsMethods::new_session_done},
    {"enableCertCb", TlsMethods::enable_cert_cb},
    {"certCbDone", TlsMethods::cert_cb_done},
    {"setKeyCert", TlsMethods::set_key_cert},
    {"enableALPNCb", TlsMethods::enable_alpn_cb},
    {"setALPNProtocols", TlsMethods::set_alpn_protocols},
    {"enableKeylogCallback", TlsMethods::enable_keylog_callback},
    {"enableTrace", TlsMethods::enable_trace},
    {"setServername", TlsMethods::set_servername},
    {"setSession", TlsMethods::set_session},
    {"setVerifyMode", TlsMethods::set_verify_mode},
    {"setOCSPResponse", TlsMethods::set_ocsp_response},
    {"requestOCSP", TlsMethods::request_ocsp},
    {"enablePskCallback", TlsMethods::enable_psk_callback},
    {"setPskIdentityHint", TlsMethods::set_psk_identity_hint},
    {"renegotiate", TlsMethods::renegotiate},
    {"setMaxSendFragment", TlsMethods::set_max_send_fragment},
};

}  // namespace

void TlsStream::add(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto shape = make_class(environment, "TLSWrap", TlsMethods::make);
  add_methods(environment, shape, kMethods);
  add_methods(environment, shape, tls_fact_methods());
  const Local<v8::Context> context = isolate->GetCurrentContext();
  set_value(environment, target, "TLSWrap", shape->GetFunction(context).ToLocalChecked());
}

}  // namespace rondo
