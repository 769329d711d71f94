// The public face of WebSockets: the handshake, and what handles answer.
#include "rondo/websocket.h"

#include <algorithm>
#include <utility>

#include "http/websocket/handshake.h"
#include "http/websocket/websocket_state.h"

namespace rondo {

namespace {

class Category final : public NamedCategory {
 public:
  const char* name() const noexcept override { return "websocket"; }
  std::string message(int number) const override {
    switch (static_cast<WebSocketError>(number)) {
      case WebSocketError::closed:
        return "the connection was closed";
      case WebSocketError::broken:
        return "the connection ended without a close frame";
      case WebSocketError::protocol:
        return "the peer has broken a rule of the protocol";
      case WebSocketError::not_utf8:
        return "a text message is not UTF-8";
      case WebSocketError::too_large:
        return "a message is larger than allowed";
      case WebSocketError::timed_out:
        return "the peer does not answer";
    }
    return "unknown error";
  }
  std::string_view error_name(int number) const noexcept override {
    switch (static_cast<WebSocketError>(number)) {
      case WebSocketError::closed:
        return "ERR_WEBSOCKET_CLOSED";
      case WebSocketError::broken:
        return "ERR_WEBSOCKET_BROKEN";
      case WebSocketError::protocol:
        return "ERR_WEBSOCKET_PROTOCOL";
      case WebSocketError::not_utf8:
        return "ERR_WEBSOCKET_NOT_UTF8";
      case WebSocketError::too_large:
        return "ERR_WEBSOCKET_TOO_LARGE";
      case WebSocketError::timed_out:
        return "ERR_WEBSOCKET_TIMED_OUT";
    }
    return {};
  }
};

std::unexpected<std::error_code> no_handshake() {
  return std::unexpected(make_error_code(http::Error::handshake_failed));
}
std::unexpected<std::error_code> no_socket() {
  return std::unexpected(errno_code(EBADF));
}

}  // namespace

const std::error_category& websocket_category() noexcept {
  static const Category category;
  return category;
}

namespace detail {

WebSocketRef::WebSocketRef(WebSocketState* state) noexcept : state_(state) {
  if (state_ != nullptr) state_->retain_handle();
}
WebSocketRef::~WebSocketRef() {
  if (state_ != nullptr) state_->release_handle();
}

}  // namespace detail

// ---- Operations ---------------------------------------------------------------------------------

WebSocketReadOp::~WebSocketReadOp() {
  if (waiting_) socket_.get()->forget_read(*this);
}
void WebSocketReadOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (socket_.get() != nullptr) {
    socket_.get()->begin_read(*this, context);
    return;
  }
  error_ = errno_code(EBADF);
  context.loop->defer([waiter] { waiter(); });
}
void WebSocketReadOp::cancel() noexcept {
  if (waiting_) socket_.get()->cancel_read(*this);
}

WebSocketDrainOp::~WebSocketDrainOp() {
  if (waiting_) socket_.get()->forget_drain(*this);
}
void WebSocketDrainOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (socket_.get() != nullptr) {
    socket_.get()->begin_drain(*this, context);
    return;
  }
  error_ = errno_code(EBADF);
  context.loop->defer([waiter] { waiter(); });
}
void WebSocketDrainOp::cancel() noexcept {
  if (waiting_) socket_.get()->cancel_drain(*this);
}

// ---- The handshake ------------------------------------------------------------------------------

Expected<WebSocket> WebSocket::accept(const http::Request& request, http::Response response,
                                      WebSocketOptions options, std::string_view protocol) {
  const http::Headers headers = request.headers();
  const auto key = headers.get("sec-websocket-key");
  if (request.method() != "GET" || !headers.has_token("upgrade", "websocket") ||
      !headers.has_token("connection", "upgrade") || !key || !websocket::is_key(*key)) {
    response.status(400).header("Connection", "close").send("a WebSocket is expected here\n");
    return no_handshake();
  }
  if (headers.get("sec-websocket-version") != "13") {
    response.status(426).header("Sec-WebSocket-Version", "13").send();
    return no_handshake();
  }
  Loop* const loop = request.loop();
  if (loop == nullptr) return std::unexpected(errno_code(EPIPE));
  response.header("Upgrade", "websocket").header("Connection", "Upgrade");
  response.header("Sec-WebSocket-Accept", websocket::accept_key(*key));
  if (!protocol.empty()) response.header("Sec-WebSocket-Protocol", protocol);
  std::optional<websocket::DeflateTerms> deflate;
  if (options.deflate) {
    if (const auto answer = websocket::answer_offers(headers)) {
      response.header("Sec-WebSocket-Extensions", answer->answer);
      deflate = answer->terms;
    }
  }
  auto upgraded = response.upgrade();
  if (!upgraded) return std::unexpected(upgraded.error());
  return WebSocket(detail::WebSocketRef(new WebSocketState(
      *loop, *std::move(upgraded), true, options, deflate, std::string(protocol))));
}

namespace {

Async<Expected<detail::WebSocketRef>> open(Async<Expected<http::ClientResponse>> asked,
                                           std::string key, WebSocketOptions options) {
  auto response = co_await std::move(asked);
  if (!response) co_return std::unexpected(response.error());
  const http::Headers headers = response->headers();
  std::optional<websocket::DeflateTerms> deflate;
  const bool agreed = response->status() == 101 && headers.has_token("upgrade", "websocket") &&
                      headers.has_token("connection", "upgrade") &&
                      headers.get("sec-websocket-accept") == websocket::accept_key(key) &&
                      websocket::read_answer(headers, deflate) && (options.deflate || !deflate);
  if (!agreed) co_return no_handshake();
  auto upgraded = response->upgrade();
  if (!upgraded) co_return std::unexpected(upgraded.error());
  Loop& loop = co_await current_loop();
  co_return detail::WebSocketRef(
      new WebSocketState(loop, *std::move(upgraded), false, options, deflate,
                         std::string(headers.get("sec-websocket-protocol").value_or(""))));
}

}  // namespace

Async<Expected<WebSocket>> WebSocket::connect(http::Client& client, http::ClientRequest request,
                                              WebSocketOptions options) {
  std::string key = websocket::random_key();
  request.header("Upgrade", "websocket")
      .header("Connection", "Upgrade")
      .header("Sec-WebSocket-Key", key)
      .header("Sec-WebSocket-Version", "13");
  if (options.deflate) request.header("Sec-WebSocket-Extensions", websocket::kDeflateOffer);
  auto state = co_await open(client.send(std::move(request)), std::move(key), options);
  if (!state) co_return std::unexpected(state.error());
  co_return WebSocket(*std::move(state));
}

// ---- The rest -----------------------------------------------------------------------------------

void WebSocket::on_message(Callback<void(WebSocketMessage&)> callback) {
  if (WebSocketState* const to = state_.get()) to->on_message(std::move(callback));
}
Expected<Flow> WebSocket::send(std::string_view text) {
  if (state_.get() == nullptr) return no_socket();
  return state_.get()->send(websocket::Opcode::text, text);
}
Expected<Flow> WebSocket::send_binary(std::span<const std::byte> bytes) {
  if (state_.get() == nullptr) return no_socket();
  return state_.get()->send(websocket::Opcode::binary,
                            {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}
Expected<Flow> WebSocket::send(const WebSocketMessage& message) {
  if (state_.get() == nullptr) return no_socket();
  return state_.get()->send(message.is_text ? websocket::Opcode::text : websocket::Opcode::binary,
                            message.data);
}
Expected<> WebSocket::ping(std::string_view data) {
  if (state_.get() == nullptr) return no_socket();
  return state_.get()->ping(data);
}
std::size_t WebSocket::buffered() const {
  return state_.get() == nullptr ? 0 : state_.get()->stream().buffered();
}
void WebSocket::close(int code, std::string_view reason) {
  if ((code != websocket::kNormal && code != websocket::kGoingAway &&
       (code < 3000 || code > 4999)) ||
      reason.size() > 123) {
    throw Misuse("ERR_INVALID_ARG_VALUE",
                 "close() takes 1000, 1001 or 3000 to 4999, and at most 123 bytes of a reason");
  }
  if (WebSocketState* const to = state_.get()) to->close(code, reason);
}
void WebSocket::destroy() {
  if (WebSocketState* const to = state_.get()) to->destroy();
}
void WebSocket::on_close(Callback<> callback) {
  if (WebSocketState* const to = state_.get()) to->on_close(std::move(callback));
}
bool WebSocket::closed() const {
  return state_.get() == nullptr || state_.get()->closed();
}
int WebSocket::close_code() const {
  return state_.get() == nullptr ? websocket::kAbnormal : state_.get()->close_code();
}
std::string WebSocket::close_reason() const {
  return state_.get() == nullptr ? std::string() : state_.get()->close_reason();
}
std::error_code WebSocket::error() const {
  return state_.get() == nullptr ? errno_code(EBADF) : state_.get()->error();
}
bool WebSocket::deflates() const {
  return state_.get() != nullptr && state_.get()->deflates();
}
std::string WebSocket::protocol() const {
  return state_.get() == nullptr ? std::string() : state_.get()->protocol();
}
SocketAddress WebSocket::peer_address() const {
  return state_.get() == nullptr ? SocketAddress() : state_.get()->stream().peer_address();
}
void WebSocket::ref() {
  if (WebSocketState* const to = state_.get()) to->stream().ref();
}
void WebSocket::unref() {
  if (WebSocketState* const to = state_.get()) to->stream().unref();
}

}  // namespace rondo
