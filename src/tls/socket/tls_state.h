// One TLS connection on a stream: moves bytes between the stream below, the session
// (tls/session.h), and the program that reads and writes above.
//
// Ciphertext that arrives is fed to the session where the stream has it, without a copy; plaintext
// is decrypted straight into the buffer of the read. What is written is encrypted at once into
// one buffer, which the stream takes over.
//
// Reading stops without a reader: what has arrived stays encrypted, and the stream below
// is paused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/loop.h"
#include "rondo/operation.h"
#include "rondo/tls.h"

#include "io/counted_ref.h"
#include "io/repeated_callback.h"
#include "tls/session.h"
#include "tls/socket/context_state.h"

namespace rondo {

class TlsState final : private LoopOwned, private tls::SessionEvents {
 public:
  static detail::TlsRef make(Loop& loop, AnyStream below, const TlsContext& context, tls::Side side,
                             std::string host);

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

  // ---- What the public face calls --------------------------------------------------------------

  template <class Signature>
  void listen(Listener<Signature>& listener, Callback<Signature> callback) {
    if (!closed_) listener.set(std::move(callback));
  }
  void on_data(Callback<void(std::span<const std::byte>)> callback);
  void on_end(Callback<> callback) { listen(end_, std::move(callback)); }
  void on_drain(Callback<> callback) { listen(drain_, std::move(callback)); }
  void on_error(Callback<void(std::error_code)> callback) { listen(failed_, std::move(callback)); }
  void on_close(Callback<> callback) { listen(close_, std::move(callback)); }
  void pause();
  void resume();
  Expected<Flow> write(std::span<const std::byte> bytes);
  void end();
  void destroy() { tear_down({}, Below::destroy); }

  void begin_read(detail::TlsReadBase& read, const AsyncContext& context);
  void forget_read(detail::TlsReadBase& read) noexcept {
    if (read_ == &read) read_ = nullptr;
  }
  void cancel_read(detail::TlsReadBase& read) noexcept;
  void begin_write(TlsWriteOp& write, const AsyncContext& context);
  void forget_write(TlsWriteOp& write) noexcept {
    if (write_ == &write) write_ = nullptr;
  }
  void cancel_write(TlsWriteOp& write) noexcept;
  void begin_handshake(TlsHandshakeOp& op, const AsyncContext& context);
  void forget_handshake(TlsHandshakeOp& op) noexcept {
    if (handshake_ == &op) handshake_ = nullptr;
  }
  void cancel_handshake(TlsHandshakeOp& op) noexcept;

  AnyStream& below() noexcept { return below_; }
  std::size_t buffered() const noexcept { return below_.buffered() + pending_.size(); }
  std::error_code error() const noexcept { return error_; }
  const std::string& error_text() const noexcept { return error_text_; }
  bool readable() const noexcept { return !at_end_ && !closing_; }
  bool writable() const noexcept { return !ended_ && !closing_; }
  bool closed() const noexcept { return closed_; }
  bool secure() const noexcept { return secure_; }
  SSL* ssl() const noexcept { return session_->ssl(); }
  std::string_view server_name() const { return session_->server_name(); }

 private:
  enum class Below : std::uint8_t {
    destroy,  // at once
    finish,   // sends what it has, the last alert above all
  };

  TlsState(Loop& loop, AnyStream below, const TlsContext& context, std::string host);
  ~TlsState() override;
  void start(tls::Side side);
  void loop_ends() noexcept override;

  // ---- SessionEvents ---------------------------------------------------------------------------
  void key_logged(std::string_view line) override;
  void session_made(SSL_SESSION* session) override;
  tls::Answer certificate_wanted(SSL* ssl) override;

  bool wants_data() const noexcept {
    return !closing_ && !end_reported_ && (read_ != nullptr || (data_ && !paused_));
  }
  void arrived(std::span<const std::byte> bytes);
  void below_has_ended();
  void pump();
  void pump_soon();
  bool shake_hands();
  void deliver(std::span<const std::byte> bytes);
  void arrived_end();
  void update_flow();
  Expected<Flow> encrypt(std::span<const std::byte> bytes);
  Expected<Flow> send_output();
  void send_end();
  void drained();
  bool write_on(TlsWriteOp& write);
  void wake_later(detail::TlsOpBase& op, std::error_code error);
  void fail_by_openssl();
  void tear_down(std::error_code error, Below how);
  void let_go_below(Below how) noexcept;
  void finish_if_ended();
  void report_close();

  Loop& loop_;
  AnyStream below_;
  std::shared_ptr<TlsContextState> context_;
  std::string host_;
  std::string peer_;  // by which sessions are kept
  std::optional<tls::Session> session_;
  std::string pending_;  // written before the handshake is over
  std::error_code error_;
  std::string error_text_;
  std::uint32_t references_ = 0;

  detail::TlsReadBase* read_ = nullptr;
  TlsWriteOp* write_ = nullptr;
  TlsHandshakeOp* handshake_ = nullptr;
  Listener<void(std::span<const std::byte>)> data_;
  Listener<> end_;
  Listener<> drain_;
  Listener<void(std::error_code)> failed_;
  Listener<> close_;

  bool secure_ = false;  // the handshake is over
  bool paused_ = false;
  bool below_paused_ = false;
  bool below_ended_ = false;
  bool at_end_ = false;        // close_notify has come
  bool end_reported_ = false;  // and the reader knows
  bool ended_ = false;         // end() was called
  bool closing_ = false;
  bool closed_ = false;
  bool pumping_ = false;
  bool pump_queued_ = false;
};

}  // namespace rondo
