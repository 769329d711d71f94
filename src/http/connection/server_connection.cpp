#include "http/connection/server_connection.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "http/connection/server_state.h"

namespace rondo::http {

namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
// A body from this size on is handed to the stream by itself, and not copied into one piece with
// its head: the kernel gathers the two.
constexpr std::size_t kCopiedBody = 16U << 10;
// How long a peer may take to notice that we have ended the connection.
constexpr std::int64_t kHangUpMs = 2000;

void append_number(std::string& out, std::uint64_t number, int base = 10) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number, base);
  out.append(digits.begin(), end);
}

void append_status_line(std::string& out, int status) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
    return;
  }
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::uint64_t>(status));
  out += ' ';
  out += phrase_of(status);
  out += "\r\n";
}

bool has_no_body(int status) {
  return status == 204 || status == 304 || status < 200;
}

}  // namespace

ServerConnection::ServerConnection(ServerState& server, Loop& loop, AnyStream stream)
    : Connection(loop, std::move(stream)), server_(&server) {
  since_ms_ = loop.now().count();
  start(MessageKind::request, {.head_bytes = server.options().max_head_bytes,
                               .head_strings = 2 * server.options().max_header_lines});
}

// ---- The request --------------------------------------------------------------------------------

void ServerConnection::message_begins() {
  head_begun_ = true;
  since_ms_ = last_input_ms_;
}

int ServerConnection::examine(const Head& head) {
  int hosts = 0;
  std::uint64_t length = 0;
  for (const auto& [name, value] : Headers(head.lines)) {
    switch (name.size()) {
      case 4:
        if (same_name(name, "host")) ++hosts;
        break;
      case 6:
        if (same_name(name, "expect")) {
          if (!same_name(value, "100-continue")) return 417;
          awaits_continue_ = minor_version_ >= 1;
        }
        break;
      case 14:
        if (same_name(name, "content-length")) {
          std::from_chars(value.data(), value.data() + value.size(), length);
        }
        break;
      default:
        break;
    }
  }
  if (head.major != 1) return 505;
  if (hosts != 1 && (minor_version_ >= 1 || hosts > 1)) return 400;
  // RFC 9112, 6.1: a request with both may be an attempt to smuggle another one.
  if (head.chunked && minor_version_ == 0) return 400;
  if (length > max_body_) return 413;
  return 0;
}

Next ServerConnection::head_complete(const Head& head) {
  const Ref<Connection> keep(this);
  head_begun_ = false;
  method_ = llhttp_method_name(static_cast<LlhttpMethod>(head.method));
  target_.assign(head.text);
  lines_.assign(head.lines);
  minor_version_ = head.minor;
  keep_alive_ = head.keep_alive;
  wants_upgrade_ = head.upgrade;
  parser_.decline_upgrade();
  is_head_request_ = method_ == "HEAD";
  request_done_ = false;
  awaits_continue_ = false;
  max_body_ = server_->options().max_body_bytes;
  out_lines_.clear();
  out_length_.reset();
  has_date_ = has_connection_ = false;
  status_ = 200;
  state_ = State::no_head;
  ++served_;
  if (served_ >= server_->options().max_requests || server_->closing()) keep_alive_ = false;
  open_message();
  if (const int status = examine(head); status != 0) {
    refuse(status);
    return Next::go_on;
  }
  if (!head.has_body) awaits_continue_ = false;
  // What follows a request without a body may be of another protocol: the handler is called when it
  // is known where that begins.
  call_at_end_ = wants_upgrade_ && !head.has_body;
  if (!call_at_end_) call_handler();
  return Next::go_on;
}

void ServerConnection::message_stopped() {
  if (std::exchange(call_at_end_, false)) call_handler();
}

void ServerConnection::call_handler() {
  const detail::MessageRef message(this, this->message());
  server_->handle(Request(message), Response(message));
}

Next ServerConnection::body(std::span<const char> bytes) {
  body_bytes_ += bytes.size();
  if (hanging_up_ || !open()) return Next::go_on;
  if (body_bytes_ > max_body_) {
    const Ref<Connection> keep(this);
    fail_body(Error::body_too_large);
    if (state_ == State::no_head) {
      refuse(413);
    } else if (state_ != State::done) {
      break_off(Error::body_too_large);
    } else {
      hang_up();
    }
    return Next::go_on;
  }
  awaits_continue_ = false;
  return store_body(bytes);
}

Next ServerConnection::message_complete(std::string_view /*trailers*/, std::size_t /*count*/) {
  request_done_ = true;
  body_complete();
  if (state_ == State::done && !hanging_up_) exchange_over();
  return Next::pause;
}

void ServerConnection::body_wanted() {
  if (!std::exchange(awaits_continue_, false) || state_ != State::no_head) return;
  if (!write_out(kContinue)) break_off(errno_code(EPIPE));
}

std::stop_token ServerConnection::stop_token() {
  if (!stop_) stop_.emplace();
  return stop_->get_token();
}

void ServerConnection::request_stop() noexcept {
  // By value: a callback may drop the last handle of this connection.
  if (!stop_) return;
  std::stop_source stop = *std::move(stop_);
  stop_.reset();
  stop.request_stop();
}

// ---- When the peer does something wrong ---------------------------------------------------------

void ServerConnection::bad_message(const Parsed& parsed) {
  if (message() == 0) {
    refuse_head(parsed.code == "HPE_HEADER_OVERFLOW"   ? 431
                : parsed.code == "HPE_INVALID_VERSION" ? 505
                                                       : 400);
    return;
  }
  fail_body(Error::bad_message);
  if (message() == 0 || !open()) return;
  state_ == State::no_head ? refuse(400) : break_off(Error::bad_message);
}

/// Refuses a request whose head has not been read to its end.
void ServerConnection::refuse_head(int status) {
  request_done_ = true;
  head_begun_ = false;
  is_head_request_ = false;
  awaits_continue_ = false;
  minor_version_ = 1;
  has_date_ = has_connection_ = false;
  state_ = State::no_head;
  open_message();
  refuse(status);
}

/// Answers without asking the handler, and ends the connection.
void ServerConnection::refuse(int status) {
  const Ref<Connection> keep(this);
  keep_alive_ = false;
  status_ = static_cast<std::uint16_t>(status);
  out_lines_.clear();
  out_length_.reset();
  send({});
  if (open() && !hanging_up_) hang_up();
}

void ServerConnection::peer_ended() {
  if (hanging_up_) return;  // the stream closes by itself
  if (message() == 0) {
    if (head_begun_) {
      break_off(Error::incomplete);
    } else {
      hang_up();
    }
  } else if (!request_done_) {
    fail_body(Error::incomplete);
    if (open()) break_off(Error::incomplete);
  } else {
    keep_alive_ = false;
    // A transport that has no half-open connections has ended our side too.
    if (!stream_.writable()) break_off(errno_code(EPIPE));
  }
}

void ServerConnection::stream_closed(std::error_code /*error*/) {
  request_stop();
  if (server_ != nullptr) server_->remove(*this);
}

void ServerConnection::check_time(std::int64_t now_ms) {
  const ServerOptions& options = server_->options();
  const auto over = [now_ms](std::int64_t since_ms, std::chrono::milliseconds limit) {
    return now_ms - since_ms > limit.count();
  };
  if (output_stuck(now_ms, options.idle_timeout)) {
    destroy();
    return;
  }
  if (hanging_up_) {
    if (stream_.buffered() == 0 && now_ms - since_ms_ > kHangUpMs) destroy();
  } else if (message() == 0) {
    if (head_begun_ || served_ == 0) {
      if (!over(since_ms_, options.header_timeout)) return;
      if (head_begun_) {
        refuse_head(408);
      } else {
        destroy();
      }
    } else if (over(since_ms_, options.keep_alive_timeout)) {
      hang_up();
    }
  } else if (!request_done_) {
    const bool stalled = reading_body() && over(last_input_ms_, options.idle_timeout);
    if (!stalled && !over(since_ms_, options.request_timeout)) return;
    const Ref<Connection> keep(this);
    fail_body(Error::timed_out);
    if (message() != 0 && state_ == State::no_head) {
      refuse(408);
    } else {
      destroy();
    }
  }
}

// ---- The response -------------------------------------------------------------------------------

void ServerConnection::release_response(std::uint64_t message) {
  if (--response_handles_ != 0 || message != this->message() || message == 0) return;
  if (state_ == State::done || !open()) return;
  if (state_ == State::no_head) {
    out_lines_.clear();
    out_length_.reset();
    status_ = 500;
    send({});
  } else {
    break_off(errno_code(EPIPE));  // the peer sees that the body is not whole
  }
}

void ServerConnection::set_status(int status) {
  if (state_ != State::no_head) throw Misuse("ERR_HTTP_HEADERS_SENT", "the head has been sent");
  if (status < 200 || status > 599) {
    throw Misuse("ERR_HTTP_INVALID_STATUS_CODE",
                 "the status must be between 200 and 599, got " + std::to_string(status));
  }
  status_ = static_cast<std::uint16_t>(status);
}

void ServerConnection::add_header(std::string_view name, std::string_view value) {
  if (state_ != State::no_head) throw Misuse("ERR_HTTP_HEADERS_SENT", "the head has been sent");
  if (same_name(name, "transfer-encoding")) {
    throw Misuse("ERR_HTTP_INVALID_HEADER_VALUE", "the server chooses the transfer encoding");
  }
  if (same_name(name, "content-length")) {
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error != std::errc() || end != value.data() + value.size()) {
      throw Misuse("ERR_HTTP_INVALID_HEADER_VALUE", "Content-Length must be a number");
    }
    out_length_ = length;
    return;
  }
  out_lines_.add(name, value);
  if (same_name(name, "date")) has_date_ = true;
  if (same_name(name, "connection")) {
    has_connection_ = true;
    if (same_name(value, "close")) keep_alive_ = false;
  }
}

/// Appends the head. `length`: of the body, if it is known. Returns whether a body goes out.
bool ServerConnection::begin_head(std::string& out, std::optional<std::uint64_t> length) {
  append_status_line(out, status_);
  out += out_lines_.text();
  if (!has_date_) out += server_->date_line();
  // A body that the peer still wants to be asked for may come or not: nothing can follow.
  if (awaits_continue_ || closing_ || server_->closing()) keep_alive_ = false;
  const bool bodyless = is_head_request_ || has_no_body(status_);
  if (status_ == 204 || status_ < 200) {
    state_ = State::bodyless;
  } else if (length) {
    out += "Content-Length: ";
    append_number(out, *length);
    out += "\r\n";
    out_left_ = *length;
    state_ = bodyless ? State::bodyless : State::counted;
  } else if (minor_version_ >= 1) {
    out += "Transfer-Encoding: chunked\r\n";
    state_ = bodyless ? State::bodyless : State::chunked;
  } else {
    keep_alive_ = false;
    state_ = bodyless ? State::bodyless : State::to_end;
  }
  if (!has_connection_) {
    if (!keep_alive_) {
      out += "Connection: close\r\n";
    } else if (minor_version_ == 0) {
      out += "Connection: keep-alive\r\n";
    }
  }
  out += "\r\n";
  return !bodyless;
}

Expected<> ServerConnection::send(std::string_view body) {
  if (state_ != State::no_head || !open()) return std::unexpected(errno_code(EPIPE));
  const Ref<Connection> keep(this);
  std::string& out = server_->scratch();
  const bool has_body =
      begin_head(out, is_head_request_ && out_length_ ? out_length_ : body.size());
  Expected<Flow> sent;
  if (!has_body) {
    sent = write_out(out);
  } else if (body.size() < kCopiedBody) {
    out += body;
    sent = write_out(out);
  } else {
    sent = write_out(out);
    if (sent) sent = write_out(body);
  }
  if (!sent) {
    break_off(sent.error());
    return std::unexpected(sent.error());
  }
  response_complete();
  return {};
}

Expected<> ServerConnection::send_owned(std::string body) {
  if (body.size() < kCopiedBody || is_head_request_) return send(body);
  if (state_ != State::no_head || !open()) return std::unexpected(errno_code(EPIPE));
  const Ref<Connection> keep(this);
  std::string& out = server_->scratch();
  const bool has_body = begin_head(out, body.size());
  Expected<Flow> sent = write_out(out);
  if (sent && has_body) {
    sent = stream_.write(std::move(body));
    if (sent && *sent == Flow::wait) set_full();
  }
  if (!sent) {
    break_off(sent.error());
    return std::unexpected(sent.error());
  }
  response_complete();
  return {};
}

Expected<Flow> ServerConnection::write(std::string_view piece) {
  if (state_ == State::done || !open()) return std::unexpected(errno_code(EPIPE));
  const Ref<Connection> keep(this);
  std::string& out = server_->scratch();
  if (state_ == State::no_head) begin_head(out, out_length_);
  const bool small = piece.size() < kCopiedBody;
  switch (state_) {
    case State::chunked:
      if (piece.empty()) break;
      append_number(out, piece.size(), 16);
      out += "\r\n";
      break;
    case State::counted:
      if (piece.size() > out_left_) {
        if (!out.empty()) static_cast<void>(write_out(out));
        return std::unexpected(errno_code(EMSGSIZE));
      }
      out_left_ -= piece.size();
      break;
    case State::bodyless:
      piece = {};
      break;
    default:
      break;
  }
  const bool framed = state_ == State::chunked && !piece.empty();
  Expected<Flow> flow = Flow::go_on;
  if (small) {
    out += piece;
    if (framed) out += "\r\n";
    if (!out.empty()) flow = write_out(out);
  } else {
    if (!out.empty()) flow = write_out(out);
    if (flow) flow = write_out(piece);
    if (flow && framed) flow = write_out("\r\n");
  }
  if (!flow) break_off(flow.error());
  return flow;
}

Expected<> ServerConnection::end() {
  if (state_ == State::done || !open()) return std::unexpected(errno_code(EPIPE));
  if (state_ == State::no_head && !out_length_) return send({});
  const Ref<Connection> keep(this);
  if (state_ == State::no_head) {
    if (const auto begun = write({}); !begun) return std::unexpected(begun.error());
  }
  if (state_ == State::counted && out_left_ != 0) {
    break_off(errno_code(EMSGSIZE));  // less than was promised: the peer must not take it for whole
    return std::unexpected(errno_code(EMSGSIZE));
  }
  if (state_ == State::chunked) {
    if (const auto sent = write_out("0\r\n\r\n"); !sent) {
      break_off(sent.error());
      return std::unexpected(sent.error());
    }
  }
  response_complete();
  return {};
}

Expected<Upgraded> ServerConnection::upgrade() {
  if (state_ != State::no_head || !open()) return std::unexpected(errno_code(EPIPE));
  if (!wants_upgrade_ || !request_done_)
    return std::unexpected(make_error_code(Error::handshake_failed));
  const Ref<Connection> keep(this);
  std::string& out = server_->scratch();
  append_status_line(out, method_ == "CONNECT" ? 200 : 101);
  out += out_lines_.text();
  out += "\r\n";
  if (const auto sent = write_out(out); !sent) {
    break_off(sent.error());
    return std::unexpected(sent.error());
  }
  state_ = State::done;
  Upgraded upgraded{let_go(), std::exchange(input_, {})};
  request_stop();
  if (server_ != nullptr) server_->remove(*this);
  close_message(errno_code(EPIPE));
  return upgraded;
}

void ServerConnection::response_complete() {
  state_ = State::done;
  // As an event of the parser, the end of the request is still to come.
  if (!request_done_) {
    if (!keep_alive_) {
      hang_up();
    } else {
      discard_body();
    }
    return;
  }
  if (!parser_.executing()) exchange_over();
}

void ServerConnection::exchange_over() {
  close_message(errno_code(EPIPE));
  since_ms_ = last_input_ms_ = loop().now().count();
  if (!keep_alive_ || closing_ || ended_by_peer_) {
    hang_up();
  } else {
    parse_on();
  }
}

/// Ends our side, and waits for the peer to end its own: to close while bytes of its are unread
/// would reset the connection, and with it the response.
void ServerConnection::hang_up() {
  if (hanging_up_ || !open()) return;
  const Ref<Connection> keep(this);
  hanging_up_ = true;
  since_ms_ = loop().now().count();
  stop_parsing();
  close_message(errno_code(EPIPE));
  stream_.end();
}

void ServerConnection::close_when_idle() {
  closing_ = true;
  if (message() == 0 && !head_begun_) hang_up();
}

}  // namespace rondo::http
