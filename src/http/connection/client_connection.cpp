#include "http/connection/client_connection.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "http/connection/client_state.h"

namespace rondo::http {

namespace {

void append_number(std::string& out, std::uint64_t number, int base = 10) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number, base);
  out.append(digits.begin(), end);
}

}  // namespace

// ---- Waiting for a head -------------------------------------------------------------------------

HeadOp::~HeadOp() {
  if (waiting_) static_cast<ClientConnection*>(message_.any_connection())->forget_head(*this);
}
void HeadOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (auto* const connection = static_cast<ClientConnection*>(message_.connection())) {
    connection->begin_head(*this);
    return;
  }
  error_ = errno_code(EPIPE);
  context.loop->defer([waiter] { waiter(); });
}
void HeadOp::cancel() noexcept {
  if (waiting_) static_cast<ClientConnection*>(message_.any_connection())->cancel_head(*this);
}

void ClientConnection::begin_head(HeadOp& op) {
  if (head_ != nullptr || head_op_ != nullptr) {
    if (head_op_ != nullptr) op.error_ = errno_code(EALREADY);
    loop().defer([waiter = op.waiter_] { waiter(); });
    return;
  }
  op.waiting_ = true;
  head_op_ = &op;
}

void ClientConnection::cancel_head(HeadOp& op) noexcept {
  if (head_op_ == &op) wake_head(errno_code(ECANCELED));
}

void ClientConnection::wake_head(std::error_code error) noexcept {
  if (head_op_ == nullptr) return;
  HeadOp& op = *std::exchange(head_op_, nullptr);
  op.waiting_ = false;
  op.error_ = error;
  loop().defer([waiter = op.waiter_] { waiter(); });
}

// ---- The request --------------------------------------------------------------------------------

ClientConnection::ClientConnection(Ref<ClientState> client, Loop& loop, AnyStream stream,
                                   std::string origin)
    : Connection(loop, std::move(stream)), client_(std::move(client)), origin_(std::move(origin)) {
  start(MessageKind::response, {.head_bytes = client_->options().max_head_bytes});
  // A redundant server may announce hundreds of links: bytes are limit enough for a client.
  max_body_ = client_->options().max_body_bytes;
}

/// Open only if the coroutine that had it was destroyed in the middle, with its loop.
ClientConnection::~ClientConnection() {
  if (!open()) return;
  let_go().destroy();
  client_->forget(*this);
}

std::chrono::milliseconds ClientConnection::response_timeout() const noexcept {
  return client_->options().response_timeout;
}

Expected<> ClientConnection::begin(const ClientRequest& request) {
  open_message();
  stream_.ref();
  heard_ = false;
  head_ = nullptr;
  interim_ = upgraded_ = response_done_ = false;
  is_head_request_ = request.method_ == "HEAD";
  is_connect_ = request.method_ == "CONNECT";
  last_input_ms_ = loop().now().count();

  std::string out;
  out.reserve(256 + request.headers_.text().size());
  out += request.method_;
  out += ' ';
  out += request.url_->target;
  out += " HTTP/1.1\r\n";
  if (!request.headers_.has("host")) {
    const bool is_v6 = request.url_->host.find(':') != std::string::npos;
    out += is_v6 ? "Host: [" : "Host: ";
    out += request.url_->host;
    if (is_v6) out += ']';
    if (request.url_->port != 0) {
      out += ':';
      append_number(out, request.url_->port);
    }
    out += "\r\n";
  }
  out += request.headers_.text();
  sending_ = Sending::nothing;
  if (request.streams_) {
    if (request.length_) {
      out += "Content-Length: ";
      append_number(out, *request.length_);
      out += "\r\n";
      out_left_ = *request.length_;
      sending_ = Sending::counted;
    } else {
      out += "Transfer-Encoding: chunked\r\n";
      sending_ = Sending::chunked;
    }
  } else if (request.body_) {
    out += "Content-Length: ";
    append_number(out, request.body_->size());
    out += "\r\n";
  }
  out += "\r\n";
  if (request.body_) out += *request.body_;
  const Expected<Flow> sent = write_out(out);
  if (!sent) return std::unexpected(sent.error());
  return {};
}

Expected<Flow> ClientConnection::write_body(std::string_view piece) {
  if (sending_ == Sending::nothing) return std::unexpected(errno_code(EPIPE));
  if (sending_ == Sending::counted) {
    if (piece.size() > out_left_) return std::unexpected(errno_code(EMSGSIZE));
    out_left_ -= piece.size();
    return write_out(piece);
  }
  if (piece.empty()) return Flow::go_on;
  std::string size;
  append_number(size, piece.size(), 16);
  size += "\r\n";
  Expected<Flow> flow = write_out(size);
  if (flow) flow = write_out(piece);
  if (flow) flow = write_out("\r\n");
  return flow;
}

Expected<> ClientConnection::end_body() {
  const Sending how = std::exchange(sending_, Sending::nothing);
  if (how == Sending::chunked) {
    if (const auto sent = write_out("0\r\n\r\n"); !sent) return std::unexpected(sent.error());
  }
  if (how == Sending::counted && out_left_ != 0) return std::unexpected(errno_code(EMSGSIZE));
  return {};
}

// ---- The response -------------------------------------------------------------------------------

Next ClientConnection::head_complete(const Head& head) {
  if (message() == 0) return Next::go_on;  // no request is waiting: message_complete() ends it
  interim_ = head.status < 200 && head.status != 101;
  if (interim_) return Next::go_on;
  keep_alive_ = head.keep_alive;
  head_ = std::make_shared<ClientResponse::Head>();
  head_->status = head.status;
  head_->lines.assign(head.lines);
  upgraded_ = (head.upgrade && head.status == 101) || (is_connect_ && head.status / 100 == 2);
  wake_head({});
  if (upgraded_) return Next::upgrade;
  if (head.status == 101) {  // to what?
    keep_alive_ = false;
    return Next::no_body;
  }
  return is_head_request_ ? Next::no_body : Next::go_on;
}

Next ClientConnection::body(std::span<const char> bytes) {
  if (message() == 0) return Next::go_on;
  body_bytes_ += bytes.size();
  if (body_bytes_ > max_body_) {
    fail_body(Error::body_too_large);
    break_off(Error::body_too_large);
    return Next::go_on;
  }
  return store_body(bytes);
}

Next ClientConnection::message_complete(std::string_view /*trailers*/, std::size_t /*count*/) {
  if (upgraded_ || std::exchange(interim_, false)) return Next::go_on;
  if (message() == 0) {
    break_off(Error::bad_message);
    return Next::pause;
  }
  response_done_ = true;
  body_complete();
  return Next::pause;
}

/// The response is there, not yet read.
void ClientConnection::message_stopped() {
  if (!input_.empty() && !upgraded_) keep_alive_ = false;  // more than was asked for
}

/// Whoever reads the body has seen its end.
void ClientConnection::body_read() {
  if (response_done_) exchange_over();
}

void ClientConnection::exchange_over() {
  if (message() == 0) return;
  const Ref<Connection> keep(this);
  response_done_ = false;
  if (!open()) {
    close_message(errno_code(EPIPE));
    return;
  }
  // A server that answers before it has read everything will not understand the next request.
  if (!keep_alive_ || sending_ != Sending::nothing || ended_by_peer_) {
    break_off(errno_code(EPIPE));
    return;
  }
  close_message(errno_code(EPIPE));
  parse_on();
  stream_.unref();
  last_input_ms_ = loop().now().count();
  client_->now_idle(*this);
}

void ClientConnection::bad_message(const Parsed& parsed) {
  const Error error =
      parsed.code == "HPE_HEADER_OVERFLOW" ? Error::head_too_large : Error::bad_message;
  fail_body(error);
  break_off(error);
}

void ClientConnection::peer_ended() {
  if (message() == 0) {
    break_off(errno_code(EPIPE));
    return;
  }
  if (upgraded_ || response_done_) return;
  // The end of the connection may be the end of the body.
  const Ref<Connection> keep(this);
  if (head_ != nullptr && finish_parsing()) {
    keep_alive_ = false;
    return;
  }
  if (!open()) return;
  fail_body(Error::incomplete);
  break_off(heard_ ? make_error_code(Error::incomplete) : errno_code(ECONNRESET));
}

void ClientConnection::stream_closed(std::error_code error) {
  const Ref<ClientState> keep(client_);
  wake_head(error ? error : errno_code(ECONNRESET));
  client_->remove(*this);
}

void ClientConnection::check_time(std::int64_t now_ms) {
  const auto over = [&](std::chrono::milliseconds limit) {
    return now_ms - last_input_ms_ > limit.count();
  };
  const std::chrono::milliseconds idle_timeout = client_->options().idle_timeout;
  const bool is_stuck = output_stuck(now_ms, idle_timeout);
  if (message() == 0) {
    if (over(client_->options().keep_alive_timeout)) break_off(errno_code(ECANCELED));
  } else if (is_stuck || (reading_body() && over(idle_timeout))) {
    fail_body(Error::timed_out);
    break_off(Error::timed_out);
  }
}

ClientResponse ClientConnection::response() {
  return {reference(), head_};
}

void ClientConnection::release_response(std::uint64_t message) noexcept {
  if (--response_handles_ != 0 || message == 0 || message != this->message()) return;
  if (response_done_) {
    exchange_over();
  } else {
    break_off(errno_code(ECANCELED));
  }
}

Expected<Upgraded> ClientConnection::upgrade() {
  if (!upgraded_ || !open()) return std::unexpected(make_error_code(Error::handshake_failed));
  const Ref<Connection> keep(this);
  Upgraded upgraded{let_go(), std::exchange(input_, {})};
  client_->remove(*this);
  close_message(errno_code(EPIPE));
  return upgraded;
}

}  // namespace rondo::http
