// A TLS connection for lib/: a stream handle (see stream_handle.h) above another one. Ciphertext
// goes between the two in C++; JavaScript sees plaintext, and is asked where the handshake needs an
// answer:
//
//   onhandshakestart(ms), onhandshakedone()
//   onerror(error)                  the connection is broken; an alert to the peer has been written
//   onkeylog(line)                  after enableKeylogCallback()
//   onnewsession(id, session)       after enableSessionCallbacks(); servers: newSessionDone() goes
//   on onclienthello({ sessionId, servername, tlsTicket })   likewise; clientHelloDone() continues
//   oncertcb({ servername, OCSPRequest })    after enableCertCb(); certCbDone() continues
//   ALPNCallback(protocols) -> offset        after enableALPNCb()
//   onocspresponse(response)
//   onpskexchange(...)              after enablePskCallback()
//
// Writes are reported later even if the kernel took them immediately, because that is when programs
// written for Node expect it: before the immediates that wait.
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/containers/fifo.h"
#include "runtime/glue/binding.h"
#include "runtime/streams/stream_handle.h"
#include "tls/session.h"

namespace rondo {

namespace tls {
class Context;
}

class TlsStream final : public StreamHandle, private StreamConsumer, public tls::SessionEvents {
 public:
  ~TlsStream() override;

  /// Adds the class TLSWrap.
  static void add(Environment& environment, v8::Local<v8::Object> target);

 private:
  friend struct TlsMethods;
  friend struct TlsFacts;

  TlsStream(Environment& environment, v8::Local<v8::Object> object, StreamHandle& lower,
            std::shared_ptr<tls::Context> context, tls::Side side, bool lower_is_writing);

  // ---- As a stream ------------------------------------------------------------------------------

  std::int32_t start_reading() override;
  void stop_reading() override;
  std::int32_t write(std::span<iovec> pieces, v8::Local<v8::Value> done) override;
  std::int32_t write_from_consumer(std::span<iovec> pieces) override;
  /// All, or nothing if something waits already.
  std::int64_t write_now(std::span<const iovec> pieces) override;
  void write_later(std::string /*bytes*/) override {}
  bool drains() const override { return true; }
  std::size_t queued() const override;
  std::int32_t shut_down() override;
  void tear_down() noexcept override { destroy(); }
  int descriptor() const override { return lower() != nullptr ? lower()->fd() : -1; }
  void keep_alive(bool /*on*/) override {}  // the stream below does

  // ---- Of the stream below ----------------------------------------------------------------------

  void consume(std::span<const std::byte> bytes) override;
  void consume_end(std::int32_t status) override;
  void consumer_written(std::int32_t status) override;
  void stream_gone() override {}  // lower() is null from then on

  // ---- Of the session ---------------------------------------------------------------------------

  void handshake_started() override;
  void handshake_done() override;
  void key_logged(std::string_view line) override;
  void session_made(SSL_SESSION* session) override;
  tls::Answer hello_arrived(SSL* ssl) override;
  SSL_SESSION* find_session() override { return next_session_.release(); }
  tls::Answer certificate_wanted(SSL* ssl) override;
  void name_asked(SSL* ssl, std::string_view name) override;
  std::optional<Chosen> choose_protocol(std::span<const std::uint8_t> offered) override;
  std::vector<std::uint8_t> ocsp_response() override { return std::move(ocsp_response_); }
  void ocsp_arrived(std::span<const std::uint8_t> response, bool present) override;
  std::size_t key_of(const char* identity, std::span<std::uint8_t> key) override;
  std::size_t key_for(const char* hint, std::span<char> identity,
                      std::span<std::uint8_t> key) override;

  // ---- The work ---------------------------------------------------------------------------------

  /// Reads, writes and sends until there is nothing left to do.
  void cycle();
  /// Encrypts, or keeps a copy for later. `keep` remembers the write, of so many bytes, when it can
  /// no longer fail.
  template <class Keep>
  std::int32_t encrypt(std::span<iovec> pieces, const Keep& keep);
  void encrypt_waiting();
  void decrypt();
  void flush();
  void fail_session();
  void complete_writes();
  void complete_writes_soon();
  void fail_writes(std::int32_t status, std::string_view reason = {});
  void fail_writes_soon(std::int32_t status);
  void throttle();
  /// Ends the session: what is in progress is cancelled. Later, if OpenSSL is on the stack.
  void destroy() noexcept;

  /// Calls the function of this name that lib/ has set, if there is one. Ticks and microtasks run
  /// after it unless JavaScript is on the stack.
  v8::MaybeLocal<v8::Value> report(const char* name,
                                   std::initializer_list<v8::Local<v8::Value>> arguments);
  void drain_between();

  /// What is held during a step that waits for JavaScript.
  enum class Step : std::uint8_t { off, armed, running, done };

  static constexpr std::uint64_t kNotEncrypted = UINT64_MAX;

  /// The stream below; null when that is gone. It may go first: once destroyed, nothing ties it to
  /// us.
  StreamHandle* lower() const noexcept { return lower_->handle; }

  std::shared_ptr<Link> lower_;
  std::shared_ptr<tls::Context> context_;
  std::shared_ptr<tls::Context> other_context_;  // of the name that the client asked for
  std::unique_ptr<tls::Session> session_;

  Fifo<std::string> plain_;      // what could not be encrypted yet
  Fifo<std::uint64_t> ends_;     // for each write, how much ciphertext has to be gone
  Fifo<std::size_t> in_flight_;  // sizes of the writes of the stream below
  std::uint64_t produced_ = 0;   // ciphertext handed to the stream below
  std::uint64_t sent_ = 0;

  tls::SessionPtr next_session_;
  std::vector<std::uint8_t> ocsp_response_;
  Step hello_ = Step::off;
  Step certificate_ = Step::off;
  unsigned cycles_ = 0;
  unsigned in_openssl_ = 0;
  bool session_events_ = false;
  bool chooses_protocol_ = false;
  bool awaits_new_session_ = false;  // output is held until newSessionDone()
  bool lower_is_writing_;            // what was written before us goes first
  bool end_waits_ = false;           // shutdown() was called while output was held
  bool established_ = false;
  bool ended_ = false;  // the peer sends nothing more
  bool throttled_ = false;
  bool reported_soon_ = false;
  bool wrote_inside_ = false;  // JavaScript that OpenSSL called has written
  bool destroyed_ = false;
};

/// How deep JavaScript is on the stack of this thread below us: see TlsStream::report().
class CalledFromJs {
 public:
  CalledFromJs() noexcept { ++depth_; }
  ~CalledFromJs() { --depth_; }
  CalledFromJs(const CalledFromJs&) = delete;
  CalledFromJs& operator=(const CalledFromJs&) = delete;
  static bool now() noexcept { return depth_ > 0; }

 private:
  static thread_local constinit int depth_;
};

}  // namespace rondo
