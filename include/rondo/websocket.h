// WebSocket (RFC 6455) with permessage-deflate (RFC 7692), server and client. The target is
// rondo::http.
//
//     server.on_request([](http::Request request, http::Response response) -> rondo::Async<> {
//       auto socket = rondo::WebSocket::accept(request, response);
//       if (!socket) co_return;                          // not asked for; 400 or 426 was answered
//       for (auto message = co_await socket->read(); message; message = co_await socket->read()) {
//         socket->send(message->data);                   // an echo
//       }
//     });
//
//     auto socket = co_await rondo::WebSocket::connect(client, "ws://localhost:8000/chat");
//
// A handle, as sockets are: copies name the same connection. When the last one is dropped, the
// connection is closed with 1001. Pings are answered by themselves. A peer that breaks a rule of
// the protocol gets a close frame (1002, 1007, 1009) and the connection ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "rondo/any_stream.h"
#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/error.h"
#include "rondo/http/client.h"
#include "rondo/http/server.h"

namespace rondo {

enum class WebSocketError : std::uint8_t {
  closed = 1,  // by either side, with a close frame: see close_code()
  broken,      // the connection has ended without one
  protocol,    // the peer has broken a rule
  not_utf8,    // a text that is none
  too_large,   // a message above WebSocketOptions::max_message
  timed_out,   // no answer to a ping
};
const std::error_category& websocket_category() noexcept;
inline std::error_code make_error_code(WebSocketError error) noexcept {
  return {static_cast<int>(error), websocket_category()};
}

struct WebSocketOptions {
  std::size_t max_message = 16U << 20;  // after decompression
  /// Whether to compress, if both agree, and from which size on.
  bool deflate = true;
  std::size_t deflate_from = 1024;
  /// A ping after this much silence, and the end after as much again. 0: none.
  std::chrono::milliseconds ping_interval{30'000};
  /// How long the peer may take to answer a close frame.
  std::chrono::milliseconds close_timeout{5'000};
};

struct WebSocketMessage {
  bool is_text = true;
  std::string data;
};

class WebSocketState;

namespace detail {

class WebSocketRef {
 public:
  WebSocketRef() = default;
  explicit WebSocketRef(WebSocketState* state) noexcept;
  WebSocketRef(const WebSocketRef& other) noexcept : WebSocketRef(other.state_) {}
  WebSocketRef(WebSocketRef&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  WebSocketRef& operator=(WebSocketRef other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~WebSocketRef();
  WebSocketState* get() const noexcept { return state_; }

 private:
  WebSocketState* state_ = nullptr;
};

}  // namespace detail

/// Gives the next message. WebSocketError::closed at the end.
class [[nodiscard]] WebSocketReadOp : public Operable<WebSocketReadOp, WebSocketMessage> {
 public:
  explicit WebSocketReadOp(detail::WebSocketRef socket) noexcept : socket_(std::move(socket)) {}
  WebSocketReadOp(WebSocketReadOp&& other) noexcept : socket_(std::move(other.socket_)) {}
  WebSocketReadOp& operator=(WebSocketReadOp&&) = delete;
  ~WebSocketReadOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<WebSocketMessage> take_result() {
    if (error_) return std::unexpected(error_);
    return std::move(message_);
  }

 private:
  friend class WebSocketState;
  detail::WebSocketRef socket_;
  Waiter waiter_;
  WebSocketMessage message_;
  std::error_code error_;
  bool waiting_ = false;
};

/// Waits until there is room for more.
class [[nodiscard]] WebSocketDrainOp : public Operable<WebSocketDrainOp, void> {
 public:
  explicit WebSocketDrainOp(detail::WebSocketRef socket) noexcept : socket_(std::move(socket)) {}
  WebSocketDrainOp(WebSocketDrainOp&& other) noexcept : socket_(std::move(other.socket_)) {}
  WebSocketDrainOp& operator=(WebSocketDrainOp&&) = delete;
  ~WebSocketDrainOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class WebSocketState;
  detail::WebSocketRef socket_;
  Waiter waiter_;
  std::error_code error_;
  bool waiting_ = false;
};

class WebSocket {
 public:
  WebSocket() = default;

  /// Answers a request to open a WebSocket. If it is none, answers 400 or 426 and gives
  /// http::Error::handshake_failed. `protocol`: one of those that the client offers in
  /// Sec-WebSocket-Protocol.
  [[nodiscard]] static Expected<WebSocket> accept(const http::Request& request,
                                                  http::Response response,
                                                  WebSocketOptions options = {},
                                                  std::string_view protocol = {});
  /// "ws://..." or, with rondo/https.h, "wss://...". The errors of Client::send(), and
  /// http::Error::handshake_failed if the server does not agree.
  [[nodiscard]] static Async<Expected<WebSocket>> connect(http::Client& client,
                                                          http::ClientRequest request,
                                                          WebSocketOptions options = {});
  [[nodiscard]] static Async<Expected<WebSocket>> connect(http::Client& client,
                                                          std::string_view url,
                                                          WebSocketOptions options = {}) {
    return connect(client, http::ClientRequest("GET", url), options);
  }

  explicit operator bool() const noexcept { return state_.get() != nullptr; }

  // ---- Reading: by awaiting, or by callback

  /// One at a time (EALREADY), and not while on_message() is set (EBUSY). Messages that are not
  /// read wait in the kernel, except the first ones.
  [[nodiscard]] WebSocketReadOp read() { return WebSocketReadOp(state_); }
  /// Called for each message; it may take the data away.
  void on_message(Callback<void(WebSocketMessage&)> callback);

  // ---- Writing

  /// EPIPE when the connection is closing. After Flow::wait, await drained(). Text must be UTF-8.
  Expected<Flow> send(std::string_view text);
  Expected<Flow> send_binary(std::span<const std::byte> bytes);
  Expected<Flow> send(const WebSocketMessage& message);
  [[nodiscard]] WebSocketDrainOp drained() { return WebSocketDrainOp(state_); }
  /// At most 125 bytes (EMSGSIZE).
  Expected<> ping(std::string_view data = {});
  std::size_t buffered() const;

  // ---- Ending

  /// Sends a close frame, and closes when the peer has answered. 1000, or 3000 to 4999 for your own
  /// use; `reason` of at most 123 bytes: Misuse (ERR_INVALID_ARG_VALUE).
  void close(int code = 1000, std::string_view reason = {});
  void destroy();
  /// Called once, after everything else.
  void on_close(Callback<> callback);

  bool closed() const;
  /// Of the peer's close frame; 1005 if it had none, 1006 if the connection has broken, 0 before.
  int close_code() const;
  std::string close_reason() const;
  std::error_code error() const;

  /// Whether messages may be compressed.
  bool deflates() const;
  std::string protocol() const;
  SocketAddress peer_address() const;
  void ref();
  void unref();

  friend bool operator==(const WebSocket& a, const WebSocket& b) noexcept {
    return a.state_.get() == b.state_.get();
  }

 private:
  explicit WebSocket(detail::WebSocketRef state) noexcept : state_(std::move(state)) {}
  detail::WebSocketRef state_;
};

}  // namespace rondo

template <>
struct std::is_error_code_enum<rondo::WebSocketError> : std::true_type {};
