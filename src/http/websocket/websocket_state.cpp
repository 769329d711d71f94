#include "http/websocket/websocket_state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "io/uncaught.h"

namespace rondo {

using websocket::Opcode;

namespace {

// How many messages are read ahead of the program.
constexpr std::size_t kMostWaiting = 16;

}  // namespace

WebSocketState::WebSocketState(Loop& loop, http::Upgraded upgraded, bool is_server,
                               const WebSocketOptions& options,
                               std::optional<websocket::DeflateTerms> deflate, std::string protocol)
    : LoopOwned(loop),
      loop_(loop),
      stream_(std::move(upgraded.stream)),
      options_(options),
      reader_(*this, is_server, options.max_message),
      deflate_(deflate),
      protocol_(std::move(protocol)),
      held_(std::move(upgraded.first_bytes)),
      is_server_(is_server) {
  if (deflate_) reader_.enable_deflate(deflate_->peer_keeps_window);
  last_input_ms_ = loop_.now().count();
  // These name this object without a reference: let_go() removes them.
  stream_.on_data([this](std::span<const std::byte> bytes) {
    arrived({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
  stream_.on_end([this] {
    const Ref<WebSocketState> keep(this);
    tear_down(got_close_ ? WebSocketError::closed : WebSocketError::broken);
  });
  stream_.on_drain([this] { drained(); });
  stream_.on_close([this] {
    const Ref<WebSocketState> keep(this);
    const std::error_code error = stream_.error();
    tear_down(got_close_ ? make_error_code(WebSocketError::closed)
              : error    ? error
                         : make_error_code(WebSocketError::broken));
  });
  if (!held_.empty()) feed_held_soon();
  const auto interval = options.ping_interval.count() > 0
                            ? std::min(options.ping_interval, options.close_timeout)
                            : options.close_timeout;
  timer_ = loop_.set_interval(
      std::clamp(interval / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(5000)),
      [this] { check_time(); });
  timer_.unref();
}

/// Closed politely when no handle is left, and kept until that is done.
void WebSocketState::release_handle() noexcept {
  if (--handles_ == 0 && !closing_ && core() != nullptr) {
    message_.set(nullptr);
    waiting_.clear();
    close(websocket::kGoingAway, {});
    update_flow();
    if (!closing_) self_held_ = Ref(this);  // until the end, for the callbacks of the stream
  }
  release();
}

void WebSocketState::loop_ends() noexcept {
  const Ref<WebSocketState> keep(this);
  leave();
  closing_ = closed_ = true;
  let_go();
  self_held_ = {};
  if (read_ != nullptr) std::exchange(read_, nullptr)->waiting_ = false;
  if (drain_ != nullptr) std::exchange(drain_, nullptr)->waiting_ = false;
  message_.set(nullptr);
  close_.set(nullptr);
}

void WebSocketState::let_go() noexcept {
  stream_.on_data(nullptr);
  stream_.on_end(nullptr);
  stream_.on_drain(nullptr);
  stream_.on_close(nullptr);
}

// ---- Reading ------------------------------------------------------------------------------------

void WebSocketState::arrived(std::string_view bytes) {
  const Ref<WebSocketState> keep(this);
  last_input_ms_ = loop_.now().count();
  pinged_ = false;
  if (!held_.empty()) {
    held_ += bytes;
  } else {
    feed(bytes);
  }
  update_flow();
}

void WebSocketState::feed(std::string_view bytes) {
  if (feeding_ || got_close_) return;
  feeding_ = true;
  const Finally then([this] { feeding_ = false; });
  const std::size_t read = reader_.feed(bytes);
  if (closing_) return;
  if (const int code = reader_.broken(); code != 0) {
    send_close(code, {});
    stream_.end();
    const WebSocketError error = code == websocket::kNotUtf8    ? WebSocketError::not_utf8
                                 : code == websocket::kTooLarge ? WebSocketError::too_large
                                                                : WebSocketError::protocol;
    close_code_ = websocket::kAbnormal;
    tear_down(error);
    return;
  }
  if (read < bytes.size() && !got_close_) held_.append(bytes.substr(read));
}

void WebSocketState::feed_held_soon() {
  if (std::exchange(feed_queued_, true)) return;
  loop_.defer([self = Ref<WebSocketState>(this)] {
    self->feed_queued_ = false;
    if (self->closing_) return;
    const std::string bytes = std::exchange(self->held_, {});
    self->feed(bytes);
    self->update_flow();
  });
}

void WebSocketState::message_arrived(bool is_text, std::string& data) {
  if (sent_close_ && handles_ == 0) return;  // there is no reader
  WebSocketMessage message{is_text, std::move(data)};
  if (read_ != nullptr) {
    WebSocketReadOp& read = *std::exchange(read_, nullptr);
    read.waiting_ = false;
    read.message_ = std::move(message);
    call_and_continue(loop_, [&] { read.waiter_(); });
  } else if (message_ && waiting_.empty()) {
    call_and_continue(loop_, [&] { message_(message); });
    data = std::move(message.data);  // its memory, for the next one
  } else {
    waiting_.push_back(std::move(message));
    if (waiting_.size() >= kMostWaiting) reader_.stop();
  }
  if (closing_) reader_.stop();
}

void WebSocketState::ping_arrived(std::string_view data) {
  if (sent_close_ || closing_) return;
  if (full_) {
    // A peer that sends pings and does not read must not fill our memory: the last one is answered
    // when there is room, which is enough (RFC 6455, 5.5.3).
    late_ping_.emplace(data);
    return;
  }
  static_cast<void>(send_frame(Opcode::pong, data, false));
}

void WebSocketState::close_arrived(int code, std::string_view reason) {
  got_close_ = true;
  close_code_ = code;
  close_reason_ = reason;
  reader_.stop();
  if (!sent_close_) send_close(code == websocket::kNoCode ? 0 : code, {});
  if (closing_) return;
  // The server ends the connection first (RFC 6455, 7.1.1), so that its port is free again.
  if (is_server_) {
    stream_.end();
    tear_down(WebSocketError::closed);
  }
}

/// Messages that are not read wait in the kernel.
void WebSocketState::update_flow() {
  if (closing_) return;
  const bool wanted = held_.empty() && waiting_.size() < kMostWaiting;
  if (wanted != paused_) return;
  paused_ = !wanted;
  paused_ ? stream_.pause() : stream_.resume();
}

void WebSocketState::on_message(Callback<void(WebSocketMessage&)> callback) {
  if (closed_) return;
  message_.set(std::move(callback));
  if (!message_ || waiting_.empty()) return;
  loop_.defer([self = Ref<WebSocketState>(this)] {
    while (!self->waiting_.empty() && self->message_ && !self->closing_) {
      WebSocketMessage message = std::move(self->waiting_.front());
      self->waiting_.pop_front();
      call_and_continue(self->loop_, [&] { self->message_(message); });
    }
    if (!self->held_.empty()) self->feed_held_soon();
    self->update_flow();
  });
}

void WebSocketState::wake_later(WebSocketReadOp& read, std::error_code error) {
  read.waiting_ = false;
  read.error_ = error;
  loop_.defer([waiter = read.waiter_] { waiter(); });
}

void WebSocketState::begin_read(WebSocketReadOp& read, const AsyncContext& context) {
  check_same_loop(*context.loop);
  if (!waiting_.empty()) {
    read.message_ = std::move(waiting_.front());
    waiting_.pop_front();
    wake_later(read, {});
    if (!held_.empty()) feed_held_soon();
    update_flow();
  } else if (closing_) {
    wake_later(read, error_);
  } else if (read_ != nullptr || message_) {
    wake_later(read, errno_code(read_ != nullptr ? EALREADY : EBUSY));
  } else {
    read.waiting_ = true;
    read_ = &read;
  }
}

void WebSocketState::cancel_read(WebSocketReadOp& read) noexcept {
  if (read_ != &read) return;
  read_ = nullptr;
  wake_later(read, errno_code(ECANCELED));
}

// ---- Writing ------------------------------------------------------------------------------------

Expected<Flow> WebSocketState::send(Opcode opcode, std::string_view data) {
  if (sent_close_ || closing_) return std::unexpected(errno_code(EPIPE));
  const bool compresses = deflate_ && data.size() >= options_.deflate_from;
  if (compresses) {
    if (!deflater_) deflater_.emplace(deflate_->our_window_bits);
    compressed_.clear();
    if (deflater_->deflate(data, compressed_)) return send_frame(opcode, compressed_, true);
  }
  return send_frame(opcode, data, false);
}

Expected<Flow> WebSocketState::send_frame(Opcode opcode, std::string_view payload,
                                          bool compressed) {
  std::array<std::uint8_t, 4> mask;
  if (!is_server_) websocket::fill_random(mask.data(), mask.size());
  scratch_.clear();
  websocket::append_frame(scratch_, opcode, payload, compressed,
                          is_server_ ? nullptr : mask.data());
  const Expected<Flow> sent = stream_.write(std::string_view(scratch_));
  if (sent && *sent == Flow::wait) full_ = true;
  return sent;
}

Expected<> WebSocketState::ping(std::string_view data) {
  if (sent_close_ || closing_) return std::unexpected(errno_code(EPIPE));
  if (data.size() > 125) return std::unexpected(errno_code(EMSGSIZE));
  if (const auto sent = send_frame(Opcode::ping, data, false); !sent) {
    return std::unexpected(sent.error());
  }
  return {};
}

void WebSocketState::begin_drain(WebSocketDrainOp& drain, const AsyncContext& context) {
  check_same_loop(*context.loop);
  if (full_ && !closing_ && drain_ == nullptr) {
    drain.waiting_ = true;
    drain_ = &drain;
    return;
  }
  if (closing_) drain.error_ = errno_code(EPIPE);
  if (!closing_ && drain_ != nullptr) drain.error_ = errno_code(EALREADY);
  loop_.defer([waiter = drain.waiter_] { waiter(); });
}

void WebSocketState::cancel_drain(WebSocketDrainOp& drain) noexcept {
  if (drain_ != &drain) return;
  drain_ = nullptr;
  drain.waiting_ = false;
  drain.error_ = errno_code(ECANCELED);
  loop_.defer([waiter = drain.waiter_] { waiter(); });
}

void WebSocketState::drained() {
  full_ = false;
  if (const auto ping = std::exchange(late_ping_, std::nullopt)) ping_arrived(*ping);
  if (drain_ == nullptr) return;
  WebSocketDrainOp& drain = *std::exchange(drain_, nullptr);
  drain.waiting_ = false;
  drain.waiter_();
}

// ---- Ending -------------------------------------------------------------------------------------

void WebSocketState::send_close(int code, std::string_view reason) {
  if (std::exchange(sent_close_, true)) return;
  closing_since_ms_ = loop_.now().count();
  std::string payload;
  if (code != 0) {
    payload += static_cast<char>(code >> 8);
    payload += static_cast<char>(code);
    payload += reason;
  }
  static_cast<void>(send_frame(Opcode::close, payload, false));
}

void WebSocketState::close(int code, std::string_view reason) {
  if (sent_close_ || closing_) return;
  send_close(code, reason);
}

void WebSocketState::check_time() {
  const Ref<WebSocketState> keep(this);
  loop_.update_now();
  const std::int64_t now_ms = loop_.now().count();
  if (sent_close_) {
    if (now_ms - closing_since_ms_ > options_.close_timeout.count()) {
      tear_down(got_close_ ? WebSocketError::closed : WebSocketError::broken);
    }
    return;
  }
  const std::int64_t interval_ms = options_.ping_interval.count();
  const std::int64_t silent_ms = now_ms - last_input_ms_;
  if (interval_ms <= 0 || paused_ || silent_ms <= interval_ms) return;
  if (!pinged_) {
    pinged_ = true;
    static_cast<void>(send_frame(Opcode::ping, {}, false));
  } else if (silent_ms > 2 * interval_ms) {
    tear_down(WebSocketError::timed_out);
  }
}

void WebSocketState::tear_down(std::error_code error) {
  if (std::exchange(closing_, true) || core() == nullptr) return;
  error_ = error;
  if (close_code_ == 0) close_code_ = websocket::kAbnormal;
  timer_.clear();
  let_go();
  // What was written, a close frame above all, is still sent; then the stream closes.
  AnyStream stream = std::exchange(stream_, {});
  if (error == WebSocketError::broken || error == WebSocketError::timed_out) {
    stream.destroy();
  } else {
    stream.end();
  }
  loop_.queue_close([self = Ref<WebSocketState>(this)] { self->report_close(); });
}

void WebSocketState::report_close() {
  if (std::exchange(closed_, true)) return;
  self_held_ = {};
  if (drain_ != nullptr) {
    WebSocketDrainOp& drain = *std::exchange(drain_, nullptr);
    drain.waiting_ = false;
    drain.error_ = errno_code(EPIPE);
    call_and_continue(loop_, [&] { drain.waiter_(); });
  }
  if (read_ != nullptr) {
    WebSocketReadOp& read = *std::exchange(read_, nullptr);
    read.waiting_ = false;
    read.error_ = error_;
    call_and_continue(loop_, [&] { read.waiter_(); });
  }
  call_and_continue(loop_, [&] { close_(); });
  message_.set(nullptr);
  close_.set(nullptr);
}

}  // namespace rondo
