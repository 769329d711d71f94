// The questions and events of a session, passed to JavaScript.
#include <algorithm>
#include <cstring>
#include <ctime>

#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/views.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {

using tls::Answer;
using v8::Local;
using v8::Value;

namespace {

/// Everything that a function needs which OpenSSL calls and which makes values of V8.
class Inside {
 public:
  explicit Inside(Environment& environment)
      : scope_(environment.isolate()), context_(environment.context()) {}

 private:
  v8::HandleScope scope_;
  v8::Context::Scope context_;
};

Local<Value> buffer_of(Environment& environment, std::span<const std::uint8_t> bytes) {
  Local<v8::Object> made;
  if (!make_buffer(environment, std::as_bytes(bytes)).ToLocal(&made)) {
    return v8::Undefined(environment.isolate());
  }
  return made;
}

// Larger sessions cannot be kept: Node has the same limit.
constexpr int kMostSession = 10 * 1024;

}  // namespace

void TlsStream::handshake_started() {
  const Inside inside(environment());
  const auto now = static_cast<double>(environment().loop().now().count()) -
                   static_cast<double>(environment().start_ms());
  report("onhandshakestart", {v8::Number::New(environment().isolate(), now)});
}

void TlsStream::handshake_done() {
  const Inside inside(environment());
  established_ = true;
  report("onhandshakedone", {});
}

void TlsStream::key_logged(std::string_view line) {
  const Inside inside(environment());
  std::string with_end(line);
  with_end += '\n';
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(with_end.data());
  report("onkeylog", {buffer_of(environment(), {bytes, with_end.size()})});
}

void TlsStream::session_made(SSL_SESSION* session) {
  if (!session_events_) return;
  const Inside inside(environment());
  const int size = i2d_SSL_SESSION(session, nullptr);
  if (size <= 0 || size > kMostSession) return;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  std::uint8_t* out = bytes.data();
  i2d_SSL_SESSION(session, &out);
  unsigned int id_size = 0;
  const unsigned char* const id = SSL_SESSION_get_id(session, &id_size);
  if (session_->side() == tls::Side::server) awaits_new_session_ = true;
  report("onnewsession",
         {buffer_of(environment(), {id, id_size}), buffer_of(environment(), bytes)});
}

// ---- Servers ------------------------------------------------------------------------------------

Answer TlsStream::hello_arrived(SSL* ssl) {
  if (destroyed_) return Answer::fail;
  if (hello_ == Step::running) return Answer::wait;
  if (hello_ != Step::armed) return Answer::go_on;
  hello_ = Step::running;
  const Inside inside(environment());
  v8::Isolate* isolate = environment().isolate();
  const unsigned char* id = nullptr;
  const std::size_t id_size = SSL_client_hello_get0_session_id(ssl, &id);
  const unsigned char* extension = nullptr;
  std::size_t extension_size = 0;
  const bool has_ticket = SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_session_ticket, &extension,
                                                    &extension_size) == 1 &&
                          extension_size > 0;
  const auto hello = v8::Object::New(isolate);
  set_value(environment(), hello, "sessionId", buffer_of(environment(), {id, id_size}));
  set_value(environment(), hello, "servername", environment().text(session_->server_name()));
  set_value(environment(), hello, "tlsTicket", v8::Boolean::New(isolate, has_ticket));
  report("onclienthello", {hello});
  if (destroyed_) return Answer::fail;
  return hello_ == Step::running ? Answer::wait : Answer::go_on;
}

Answer TlsStream::certificate_wanted(SSL* ssl) {
  if (destroyed_) return Answer::fail;
  if (certificate_ == Step::running) return Answer::wait;
  if (certificate_ != Step::armed) return Answer::go_on;
  certificate_ = Step::running;
  const Inside inside(environment());
  const bool wants_ocsp = SSL_get_tlsext_status_type(ssl) == TLSEXT_STATUSTYPE_ocsp;
  const auto info = v8::Object::New(environment().isolate());
  set_value(environment(), info, "servername", environment().text(session_->server_name()));
  set_value(environment(), info, "OCSPRequest",
            v8::Boolean::New(environment().isolate(), wants_ocsp));
  report("oncertcb", {info});
  if (destroyed_) return Answer::fail;
  return certificate_ == Step::running ? Answer::wait : Answer::go_on;
}

void TlsStream::name_asked(SSL* /*ssl*/, std::string_view name) {
  const Inside inside(environment());
  report("onservername", {environment().text(name)});
}

std::optional<tls::SessionEvents::Chosen> TlsStream::choose_protocol(
    std::span<const std::uint8_t> offered) {
  if (!chooses_protocol_) return std::nullopt;
  const Inside inside(environment());
  Local<Value> result;
  if (!report("ALPNCallback", {buffer_of(environment(), offered)}).ToLocal(&result) ||
      !result->IsNumber()) {
    return Chosen{.refused = true};
  }
  return Chosen{.offset = static_cast<std::size_t>(result.As<v8::Number>()->Value())};
}

std::size_t TlsStream::key_of(const char* identity, std::span<std::uint8_t> key) {
  const Inside inside(environment());
  v8::Isolate* isolate = environment().isolate();
  const Local<v8::String> text = environment().text(identity);
  // An identity that is not UTF-8 could be mistaken for another one.
  const v8::String::Utf8Value again(isolate, text);
  if (std::strcmp(*again, identity) != 0) return 0;
  Local<Value> result;
  if (!report("onpskexchange",
              {text, v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(key.size()))})
           .ToLocal(&result)) {
    return 0;
  }
  const auto bytes = bytes_of(result);
  if (bytes.size() > key.size()) return 0;
  std::ranges::copy(bytes, key.begin());
  return bytes.size();
}

// ---- Clients ------------------------------------------------------------------------------------

void TlsStream::ocsp_arrived(std::span<const std::uint8_t> response, bool present) {
  const Inside inside(environment());
  report("onocspresponse", {present ? buffer_of(environment(), response)
                                    : v8::Null(environment().isolate()).As<Value>()});
}

std::size_t TlsStream::key_for(const char* hint, std::span<char> identity,
                               std::span<std::uint8_t> key) {
  const Inside inside(environment());
  v8::Isolate* isolate = environment().isolate();
  const auto number = [&](std::size_t value) {
    return v8::Integer::NewFromUnsigned(isolate, static_cast<std::uint32_t>(value));
  };
  Local<Value> text = v8::Null(isolate);
  if (hint != nullptr) text = environment().text(hint);
  Local<Value> result;
  if (!report("onpskexchange", {text, number(key.size()), number(identity.size())})
           .ToLocal(&result) ||
      !result->IsObject()) {
    return 0;
  }
  const auto answer = result.As<v8::Object>();
  Local<Value> psk;
  Local<Value> name;
  if (!answer->Get(environment().context(), environment().name("psk")).ToLocal(&psk) ||
      !answer->Get(environment().context(), environment().name("identity")).ToLocal(&name)) {
    return 0;
  }
  const auto bytes = bytes_of(psk);
  const v8::String::Utf8Value name_text(isolate, name);
  const auto name_size = static_cast<std::size_t>(name_text.length());
  if (bytes.empty() || bytes.size() > key.size() || name_size > identity.size()) return 0;
  std::memcpy(identity.data(), *name_text, name_size);
  // OpenSSL has cleared the memory, and its own room is a byte larger.
  std::ranges::copy(bytes, key.begin());
  return bytes.size();
}

}  // namespace rondo
