#include "tls/socket/tls_state.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include "io/uncaught.h"

namespace rondo {

namespace {

// The largest record, which is also the most that one read gives.
constexpr std::size_t kRecordBytes = 16U << 10;
// What write() may hold for a peer that does not read, as StreamOptions::max_buffered.
constexpr std::size_t kMostBuffered = 64U << 20;
constexpr std::size_t kHighWater = 64U << 10;
// How much of a long write is encrypted at a time.
constexpr std::size_t kWritePiece = 256U << 10;
// Output below this is copied by the stream, which gathers it with what comes next.
constexpr std::size_t kCopiedOutput = 2048;

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

/// What OpenSSL has found out counts: tls::Session accepts every certificate.
int believe_openssl(int is_ok, X509_STORE_CTX* /*store*/) {
  return is_ok;
}

TlsError error_of_verification(long result) {
  switch (result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return TlsError::certificate_expired;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return TlsError::certificate_not_yet_valid;
    case X509_V_ERR_CERT_REVOKED:
      return TlsError::certificate_revoked;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return TlsError::host_mismatch;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_UNTRUSTED:
      return TlsError::certificate_untrusted;
    default:
      return TlsError::certificate_invalid;
  }
}

TlsError error_of_reason(int reason) {
  switch (reason) {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return TlsError::certificate_missing;
    case SSL_R_NO_APPLICATION_PROTOCOL:
    case SSL_AD_REASON_OFFSET + SSL_AD_NO_APPLICATION_PROTOCOL:
      return TlsError::no_application_protocol;
    default:
      return reason >= SSL_AD_REASON_OFFSET ? TlsError::alert : TlsError::protocol;
  }
}

/// Memory to decrypt into, which the connections of a thread share. While one delivers from it,
/// another may have to decrypt: the stream below may be a TlsSocket, and give what it delivers.
/// That one has memory of its own.
class Scratch {
 public:
  Scratch() : taken_(std::exchange(in_use, true)) {
    if (taken_) own_ = std::make_unique_for_overwrite<std::byte[]>(kRecordBytes);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (!taken_) in_use = false;
  }
  std::span<std::byte> bytes() const noexcept {
    return {taken_ ? own_.get() : shared.data(), kRecordBytes};
  }

 private:
  static thread_local bool in_use;
  static thread_local std::array<std::byte, kRecordBytes> shared;
  bool taken_;
  std::unique_ptr<std::byte[]> own_;
};

thread_local bool Scratch::in_use = false;
thread_local std::array<std::byte, kRecordBytes> Scratch::shared;

}  // namespace

// ---- Life ---------------------------------------------------------------------------------------

TlsState::TlsState(Loop& loop, AnyStream below, const TlsContext& context, std::string host)
    : LoopOwned(loop),
      loop_(loop),
      below_(std::move(below)),
      context_(context.state_),
      host_(std::move(host)) {}

detail::TlsRef TlsState::make(Loop& loop, AnyStream below, const TlsContext& context,
                              tls::Side side, std::string host) {
  const bool is_client = side == tls::Side::client;
  if (is_client && host.empty() && context.state_->verify != TlsVerify::none) {
    throw Misuse("ERR_INVALID_ARG_VALUE",
                 "a host is needed, which the certificate of the server has to be for");
  }
  detail::TlsRef made(new TlsState(loop, std::move(below), context, std::move(host)));
  made.get()->start(side);
  return made;
}

void TlsState::start(tls::Side side) {
  context_->prepare_trust();
  session_.emplace(context_->context(), side, static_cast<tls::SessionEvents&>(*this));
  SSL* const native = ssl();
  if (!context_->protocols.empty()) session_->set_protocols(context_->protocols);
  int mode = SSL_VERIFY_NONE;
  if (context_->verify != TlsVerify::none) {
    mode = SSL_VERIFY_PEER;
    if (context_->verify == TlsVerify::required) mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  }
  SSL_set_verify(native, mode, mode == SSL_VERIFY_NONE ? nullptr : believe_openssl);
  if (side == tls::Side::client) {
    if (is_address(host_)) {
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(native), host_.c_str());
    } else if (!host_.empty()) {
      SSL_set_hostflags(native, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
      SSL_set1_host(native, host_.c_str());
      SSL_ctrl(native, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host_.data());
    }
    peer_ = host_ + ':' + std::to_string(below_.peer_address().port());
    if (const tls::SessionPtr kept = context_->take_session(peer_)) {
      SSL_set_session(native, kept.get());
    }
  }
  // These name this object without a reference: let_go_below() removes them.
  below_.on_data([this](std::span<const std::byte> bytes) { arrived(bytes); });
  below_.on_end([this] { below_has_ended(); });
  below_.on_drain([this] { drained(); });
  below_.on_close([this] {
    const Ref<TlsState> keep(this);
    const std::error_code error = below_.error();
    tear_down(error ? error : make_error_code(TlsError::truncated), Below::destroy);
  });
  if (side == tls::Side::client) pump_soon();
}

TlsState::~TlsState() {
  if (closing_ || core() == nullptr) return;
  // Nobody has a handle any more. What was written is still sent, and the end.
  closing_ = true;
  if (secure_ && !ended_) {
    session_->close_notify();
    static_cast<void>(send_output());
  }
  let_go_below(Below::finish);
}

void TlsState::loop_ends() noexcept {
  const Ref<TlsState> keep(this);
  leave();
  closing_ = closed_ = true;
  let_go_below(Below::destroy);
  if (read_ != nullptr) std::exchange(read_, nullptr)->waiting_ = false;
  if (write_ != nullptr) std::exchange(write_, nullptr)->waiting_ = false;
  if (handshake_ != nullptr) std::exchange(handshake_, nullptr)->waiting_ = false;
  data_.set(nullptr);
  end_.set(nullptr);
  drain_.set(nullptr);
  failed_.set(nullptr);
  close_.set(nullptr);
}

void TlsState::let_go_below(Below how) noexcept {
  AnyStream below = std::exchange(below_, {});
  below.on_data(nullptr);
  below.on_end(nullptr);
  below.on_drain(nullptr);
  below.on_close(nullptr);
  how == Below::destroy ? below.destroy() : below.end();
}

// ---- Events of the session ----------------------------------------------------------------------

void TlsState::key_logged(std::string_view line) {
  if (!context_->key_log) return;
  call_and_continue(loop_, [&] { context_->key_log(line); });  // OpenSSL's frames are in between
}

void TlsState::session_made(SSL_SESSION* session) {
  if (!context_->is_server) context_->keep_session(peer_, session);
}

tls::Answer TlsState::certificate_wanted(SSL* /*ssl*/) {
  TlsContextState* const of_host = context_->find_host(session_->server_name());
  if (of_host == nullptr) return tls::Answer::go_on;
  return session_->use_certificate_of(of_host->context()) ? tls::Answer::go_on : tls::Answer::fail;
}

// ---- Reading ------------------------------------------------------------------------------------

void TlsState::arrived(std::span<const std::byte> bytes) {
  const Ref<TlsState> keep(this);
  session_->feed(bytes);
  pump();
  session_->unfeed();
  update_flow();
}

void TlsState::below_has_ended() {
  const Ref<TlsState> keep(this);
  below_ended_ = true;
  pump();
}

/// Continues the handshake, then decrypts while a callback or a read waits for data.
void TlsState::pump() {
  if (std::exchange(pumping_, true)) return;
  const Finally then([this] { pumping_ = false; });
  ERR_clear_error();
  if (!closing_ && !secure_ && !shake_hands()) return;
  const Scratch scratch;
  while (wants_data() && !at_end_) {
    const bool in_place = read_ != nullptr && !read_->into_text_;
    const std::span<std::byte> buffer = in_place ? read_->buffer_ : scratch.bytes();
    const auto [status, size] = session_->read(buffer);
    static_cast<void>(send_output());  // answers to the peer's requests for new keys
    switch (status) {
      case tls::Session::Status::done:
        deliver(buffer.first(size));
        break;
      case tls::Session::Status::wait:
        if (!below_ended_) return;
        tear_down(TlsError::truncated, Below::destroy);
        return;
      case tls::Session::Status::closed:
        at_end_ = true;
        break;
      case tls::Session::Status::failed:
        fail_by_openssl();
        return;
    }
  }
  if (at_end_ && wants_data()) arrived_end();
}

/// False if it continues, or has failed.
bool TlsState::shake_hands() {
  const int result = SSL_do_handshake(ssl());
  if (!send_output()) return false;
  if (result != 1) {
    const int error = SSL_get_error(ssl(), result);
    if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL) {
      fail_by_openssl();
    } else if (below_ended_) {
      tear_down(TlsError::truncated, Below::destroy);
    }
    return false;
  }
  secure_ = true;
  if (!pending_.empty()) {
    const std::string pending = std::exchange(pending_, {});
    if (!encrypt(std::as_bytes(std::span(pending)))) return false;
  }
  if (ended_) send_end();
  if (handshake_ != nullptr) {
    TlsHandshakeOp& op = *std::exchange(handshake_, nullptr);
    op.waiting_ = false;
    call_and_continue(loop_, [&] { op.waiter_(); });
  }
  if (!closing_) drained();  // writers have waited for this
  return !closing_;
}

void TlsState::deliver(std::span<const std::byte> bytes) {
  // What is decrypted next is not to wait until the peer sends more.
  if (read_ == nullptr) {
    call_and_continue(loop_, [&] { data_(bytes); });
    return;
  }
  detail::TlsReadBase& read = *std::exchange(read_, nullptr);
  read.waiting_ = false;
  read.count_ = bytes.size();
  if (read.into_text_) {
    read.text_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  call_and_continue(loop_, [&] { read.waiter_(); });
}

void TlsState::arrived_end() {
  end_reported_ = true;
  if (read_ == nullptr) {
    call_and_continue(loop_, [&] { end_(); });
  } else {
    detail::TlsReadBase& read = *std::exchange(read_, nullptr);
    read.waiting_ = false;
    call_and_continue(loop_, [&] { read.waiter_(); });
  }
  end();
  finish_if_ended();
}

void TlsState::pump_soon() {
  if (std::exchange(pump_queued_, true) || closing_) return;
  loop_.defer([self = Ref<TlsState>(this)] {
    self->pump_queued_ = false;
    if (self->closing_) return;
    self->pump();
    self->update_flow();
  });
}

void TlsState::update_flow() {
  if (closing_) return;
  const bool wanted = !secure_ || wants_data() || at_end_;
  if (wanted != below_paused_) return;
  below_paused_ = !wanted;
  below_paused_ ? below_.pause() : below_.resume();
}

void TlsState::on_data(Callback<void(std::span<const std::byte>)> callback) {
  listen(data_, std::move(callback));
  resume();
}
void TlsState::pause() {
  paused_ = true;
  if (!pumping_) update_flow();
}
void TlsState::resume() {
  paused_ = false;
  if (closing_ || pumping_ || !wants_data()) return;
  pump_soon();
  update_flow();
}

void TlsState::wake_later(detail::TlsOpBase& op, std::error_code error) {
  op.waiting_ = false;
  op.error_ = error;
  loop_.defer([waiter = op.waiter_] { waiter(); });
}

void TlsState::begin_read(detail::TlsReadBase& read, const AsyncContext& context) {
  check_same_loop(*context.loop);
  const int error = closing_                                   ? EBADF
                    : read_ != nullptr                         ? EALREADY
                    : data_                                    ? EBUSY
                    : !read.into_text_ && read.buffer_.empty() ? EINVAL
                                                               : 0;
  if (error != 0) {
    wake_later(read, error == EBADF && error_ ? error_ : errno_code(error));
    return;
  }
  if (end_reported_) {
    wake_later(read, {});
    return;
  }
  read.waiting_ = true;
  read_ = &read;
  if (pumping_) return;
  pump_soon();
  update_flow();
}

void TlsState::cancel_read(detail::TlsReadBase& read) noexcept {
  if (read_ != &read) return;
  read_ = nullptr;
  wake_later(read, errno_code(ECANCELED));
}

// ---- Writing ------------------------------------------------------------------------------------

Expected<Flow> TlsState::write(std::span<const std::byte> bytes) {
  if (ended_ || closing_) return std::unexpected(errno_code(EPIPE));
  if (bytes.size() > kMostBuffered || buffered() > kMostBuffered - bytes.size()) {
    return std::unexpected(errno_code(ENOBUFS));
  }
  if (!secure_) {
    pending_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return pending_.size() < kHighWater ? Flow::go_on : Flow::wait;
  }
  if (bytes.empty()) return Flow::go_on;
  return encrypt(bytes);
}

Expected<Flow> TlsState::encrypt(std::span<const std::byte> bytes) {
  ERR_clear_error();
  if (session_->write(bytes) != tls::Session::Status::done) {
    fail_by_openssl();
    return std::unexpected(errno_code(EPIPE));
  }
  return send_output();
}

Expected<Flow> TlsState::send_output() {
  std::string& output = session_->output();
  if (output.empty()) return Flow::go_on;
  Expected<Flow> sent;
  if (output.size() < kCopiedOutput) {
    sent = below_.write(std::string_view(output));
  } else {
    sent = below_.write(std::move(output));
  }
  output.clear();
  if (!sent) tear_down(sent.error(), Below::destroy);
  return sent;
}

void TlsState::begin_write(TlsWriteOp& write, const AsyncContext& context) {
  check_same_loop(*context.loop);
  if (ended_ || closing_ || write_ != nullptr) {
    wake_later(write, errno_code(ended_ || closing_ ? EPIPE : EALREADY));
    return;
  }
  if (secure_ && write_on(write)) {
    wake_later(write, write.error_);
    return;
  }
  write.waiting_ = true;
  write_ = &write;
}

/// Writes in pieces until the stream is full. Whether it is done.
bool TlsState::write_on(TlsWriteOp& write) {
  while (!write.bytes_.empty()) {
    const std::size_t size = std::min(write.bytes_.size(), kWritePiece);
    const Expected<Flow> flow = encrypt(write.bytes_.first(size));
    if (!flow) {
      write.error_ = flow.error();
      return true;
    }
    write.bytes_ = write.bytes_.subspan(size);
    write.begun_ = true;
    if (*flow == Flow::wait) return false;
  }
  return true;
}

void TlsState::drained() {
  const Ref<TlsState> keep(this);
  if (write_ == nullptr) {
    if (secure_) drain_();
    return;
  }
  TlsWriteOp& write = *write_;
  if (!secure_ || !write_on(write)) return;
  if (write_ != &write) return;  // it has failed, and that was reported
  write_ = nullptr;
  write.waiting_ = false;
  write.waiter_();
}

void TlsState::cancel_write(TlsWriteOp& write) noexcept {
  if (write_ != &write) return;
  write_ = nullptr;
  // All of it is on its way, and cannot be taken back.
  if (write.begun_ && write.bytes_.empty()) return wake_later(write, {});
  if (write.begun_) ended_ = true;  // nothing can follow the part that has gone
  wake_later(write, errno_code(ECANCELED));
}

// ---- The handshake ------------------------------------------------------------------------------

void TlsState::begin_handshake(TlsHandshakeOp& op, const AsyncContext& context) {
  check_same_loop(*context.loop);
  if (secure_ || closing_ || handshake_ != nullptr) {
    wake_later(op, secure_     ? std::error_code()
                   : !closing_ ? errno_code(EALREADY)
                   : error_    ? error_
                               : errno_code(ECANCELED));
    return;
  }
  op.waiting_ = true;
  handshake_ = &op;
}

void TlsState::cancel_handshake(TlsHandshakeOp& op) noexcept {
  if (handshake_ != &op) return;
  handshake_ = nullptr;
  wake_later(op, errno_code(ECANCELED));
}

// ---- Ending -------------------------------------------------------------------------------------

void TlsState::end() {
  if (ended_ || closing_) return;
  ended_ = true;
  if (!secure_) return;  // follows the handshake
  send_end();
  finish_if_ended();
}

void TlsState::send_end() {
  session_->close_notify();
  if (send_output()) below_.end();
}

/// Both sides have ended: nothing more is to be read below.
void TlsState::finish_if_ended() {
  if (closing_ || !end_reported_ || !ended_) return;
  closing_ = true;
  let_go_below(Below::finish);
  loop_.next_tick([self = Ref<TlsState>(this)] { self->report_close(); });
}

void TlsState::fail_by_openssl() {
  const unsigned long queued = ERR_peek_last_error();
  const long verified = SSL_get_verify_result(ssl());
  const bool is_certificate =
      ERR_GET_REASON(queued) == SSL_R_CERTIFICATE_VERIFY_FAILED && verified != X509_V_OK;
  const TlsError error =
      is_certificate ? error_of_verification(verified) : error_of_reason(ERR_GET_REASON(queued));
  if (is_certificate) {
    error_text_ = X509_verify_cert_error_string(verified);
  } else if (const char* const reason = ERR_reason_error_string(queued)) {
    error_text_ = reason;
  }
  ERR_clear_error();
  if (closing_) return;
  if (!session_->output().empty()) static_cast<void>(send_output());  // the alert
  tear_down(error, Below::finish);
}

void TlsState::tear_down(std::error_code error, Below how) {
  if (closing_) return;
  closing_ = true;
  error_ = error;
  if (core() == nullptr) return;
  let_go_below(how);
  loop_.queue_close([self = Ref<TlsState>(this)] { self->report_close(); });
}

/// Every waiting operation is reported, and the close callback comes last.
void TlsState::report_close() {
  if (std::exchange(closed_, true)) return;
  const std::error_code reason = error_ ? error_ : errno_code(ECANCELED);
  const auto report = [&](detail::TlsOpBase* op) {
    if (op == nullptr) return;
    op->waiting_ = false;
    op->error_ = reason;
    call_and_continue(loop_, [&] { op->waiter_(); });
  };
  report(std::exchange(handshake_, nullptr));
  report(std::exchange(write_, nullptr));
  report(std::exchange(read_, nullptr));
  if (error_) call_and_continue(loop_, [&] { failed_(error_); });
  call_and_continue(loop_, [&] { close_(); });
  data_.set(nullptr);
  end_.set(nullptr);
  drain_.set(nullptr);
  failed_.set(nullptr);
  close_.set(nullptr);
}

}  // namespace rondo
