#include "http/connection/connection.h"

#include <cerrno>
#include <utility>

namespace rondo::http {

namespace {

// More of a body than this waits in the kernel until it is read.
constexpr std::size_t kMostBodyHeld = 64U << 10;

}  // namespace

// ---- Handles ------------------------------------------------------------------------------------

namespace detail {

MessageRef::MessageRef(Connection* connection, std::uint64_t message) noexcept
    : connection_(connection), message_(message) {
  if (connection_ != nullptr) connection_->retain();
}
MessageRef::~MessageRef() {
  if (connection_ != nullptr) connection_->release();
}
Connection* MessageRef::connection() const noexcept {
  return connection_ != nullptr && connection_->message() == message_ ? connection_ : nullptr;
}

}  // namespace detail

ReadBodyOp::~ReadBodyOp() {
  if (waiting_) message_.any_connection()->forget_read(*this);
}
void ReadBodyOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (Connection* connection = message_.connection()) {
    connection->begin_read(*this);
    return;
  }
  const Connection* const over = message_.any_connection();
  error_ = over != nullptr ? over->error_of(message_.number()) : errno_code(EPIPE);
  context.loop->defer([waiter] { waiter(); });
}
void ReadBodyOp::cancel() noexcept {
  if (waiting_) message_.any_connection()->cancel_read(*this);
}

WriteBodyOp::~WriteBodyOp() {
  if (waiting_) message_.any_connection()->forget_write(*this);
}
void WriteBodyOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (Connection* connection = message_.connection()) {
    connection->begin_write(*this);
    return;
  }
  error_ = errno_code(EPIPE);
  context.loop->defer([waiter] { waiter(); });
}
void WriteBodyOp::cancel() noexcept {
  if (waiting_) message_.any_connection()->cancel_write(*this);
}

// ---- The stream ---------------------------------------------------------------------------------

Connection::Connection(Loop& loop, AnyStream stream) : stream_(std::move(stream)), loop_(loop) {}

void Connection::start(MessageKind kind, Limits limits) {
  parser_.begin(kind, limits);
  last_input_ms_ = loop_.now().count();
  // The stream's callbacks name this object without a reference: break_off() and let_go() remove
  // them before the owner releases it.
  stream_.on_data([this](std::span<const std::byte> bytes) { arrived(bytes); });
  stream_.on_end([this] {
    const Ref<Connection> keep(this);
    ended_by_peer_ = true;
    peer_ended();
  });
  stream_.on_drain([this] { drained(); });
  stream_.on_close([this] {
    const std::error_code error = stream_.error();
    break_off(error ? error : errno_code(ECANCELED));
  });
}

AnyStream Connection::let_go() noexcept {
  open_ = false;
  stream_.on_data(nullptr);
  stream_.on_end(nullptr);
  stream_.on_drain(nullptr);
  stream_.on_close(nullptr);
  if (std::exchange(paused_, false)) stream_.resume();
  return std::exchange(stream_, {});
}

void Connection::loop_gone() noexcept {
  const Ref<Connection> keep(this);
  // Those who wait go with the loop, and are not reported to.
  if (writer_ != nullptr) std::exchange(writer_, nullptr)->waiting_ = false;
  if (reader_ != nullptr) std::exchange(reader_, nullptr)->waiting_ = false;
  if (open_) let_go().destroy();
  close_message(errno_code(EPIPE));
}

void Connection::break_off(std::error_code error) noexcept {
  const Ref<Connection> keep(this);
  const bool was_open = open_;
  if (was_open) let_go().destroy();
  // First: a waiting read of the body fails with the reason, not only with an end.
  if (!has_unread_message()) close_message(error);
  if (was_open) stream_closed(error);
}

void Connection::arrived(std::span<const std::byte> bytes) {
  const Ref<Connection> keep(this);
  if (dropping_) return;
  last_input_ms_ = loop_.now().count();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (stopped_) {
    input_ += text;
    update_flow();
  } else {
    feed(text);
  }
}

void Connection::stop_parsing() noexcept {
  dropping_ = true;
  input_.clear();
  body_.clear();
  parser_.silence();
  update_flow();
}

/// The kernel holds what we have no use for yet.
void Connection::update_flow() {
  if (!open_) return;
  const bool wanted =
      dropping_ || (input_.empty() && (discarding_ || body_.size() < kMostBodyHeld));
  if (wanted == !paused_) return;
  paused_ = !wanted;
  paused_ ? stream_.pause() : stream_.resume();
}

// ---- Messages -----------------------------------------------------------------------------------

void Connection::feed(std::string_view bytes) {
  const Ref<Connection> keep(this);
  while (!bytes.empty() && open_ && !dropping_ && !stopped_) {
    std::size_t part = bytes.size();
    if (parser_.kind() == MessageKind::request && !head_.complete()) {
      part = head_.scan(bytes);
      if (head_.bad()) {
        bad_message({.bytes = 0, .error = llhttp_user, .code = "HPE_STRICT", .reason = {}});
        break;
      }
    }
    const Parsed parsed = parser_.execute(bytes.substr(0, part));
    if (!open_ || dropping_) return;
    bytes.remove_prefix(parsed.bytes);
    if (parsed.error == llhttp_paused) {  // at the end of a message
      head_.reset();
      if (message_ == 0) {
        parser_.resume();
        continue;
      }
      stopped_ = true;
      input_.append(bytes);
      message_stopped();
      break;
    }
    if (parsed.error != llhttp_ok) {
      bad_message(parsed);
      break;
    }
    if (parser_.upgraded()) {
      stopped_ = true;
      input_.append(bytes);
      message_stopped();
      break;
    }
  }
  if (!open_) return;
  deliver_body();
  update_flow();
}

bool Connection::finish_parsing() {
  const Parsed parsed = parser_.finish();
  const bool is_whole = parsed.error == llhttp_ok || parsed.error == llhttp_paused;
  if (is_whole && body_complete_) deliver_body();
  return is_whole && body_complete_;
}

void Connection::parse_on() {
  if (!std::exchange(stopped_, false) || !open_) return;
  parser_.resume();
  if (input_.empty()) {
    update_flow();
    return;
  }
  // Not now: the caller is a handler that has just answered, and would find the next one inside.
  stopped_ = true;
  if (std::exchange(parsing_on_, true)) return;
  loop_.defer([self = Ref<Connection>(this)] {
    self->parsing_on_ = false;
    self->stopped_ = false;
    if (!self->open_) return;
    const std::string bytes = std::exchange(self->input_, {});
    self->feed(bytes);
  });
}

void Connection::open_message() noexcept {
  message_ = ++messages_;
  body_.clear();
  body_bytes_ = 0;
  body_error_ = {};
  body_complete_ = false;
  discarding_ = false;
}

void Connection::close_message(std::error_code error) noexcept {
  if (message_ != 0) {
    closed_message_ = std::exchange(message_, 0);
    closed_error_ = body_error_ ? body_error_ : error;
  }
  if (writer_ != nullptr) {
    WriteBodyOp& write = *std::exchange(writer_, nullptr);
    write.waiting_ = false;
    write.error_ = error;
    loop_.defer([waiter = write.waiter_] { waiter(); });
  }
  if (reader_ != nullptr) {
    ReadBodyOp& read = *std::exchange(reader_, nullptr);
    read.waiting_ = false;
    read.error_ = body_error_ ? body_error_ : error;
    loop_.defer([waiter = read.waiter_] { waiter(); });
  }
}

// ---- Bodies -------------------------------------------------------------------------------------

Next Connection::store_body(std::span<const char> bytes) {
  if (discarding_) return Next::go_on;
  body_.append(bytes.data(), bytes.size());
  return Next::go_on;
}

void Connection::discard_body() noexcept {
  discarding_ = true;
  body_.clear();
  update_flow();
}

void Connection::fail_body(std::error_code error) noexcept {
  if (!body_error_) body_error_ = error;
  body_.clear();
}

/// In a callback of the stream.
void Connection::deliver_body() {
  if (reader_ == nullptr) return;
  if (body_.empty() && !body_complete_) return;
  ReadBodyOp& read = *std::exchange(reader_, nullptr);
  read.waiting_ = false;
  read.text_ = std::exchange(body_, {});
  if (read.text_.empty()) body_read();
  update_flow();
  read.waiter_();
}

void Connection::begin_read(ReadBodyOp& read) {
  if (reader_ != nullptr) {
    read.error_ = errno_code(EALREADY);
  } else if (body_error_) {
    read.error_ = body_error_;
  } else if (!body_.empty() || body_complete_) {
    read.text_ = std::exchange(body_, {});
    if (read.text_.empty()) body_read();
    update_flow();
  } else {
    read.waiting_ = true;
    reader_ = &read;
    body_wanted();
    return;
  }
  loop_.defer([waiter = read.waiter_] { waiter(); });
}

void Connection::cancel_read(ReadBodyOp& read) noexcept {
  if (reader_ != &read) return;
  reader_ = nullptr;
  read.waiting_ = false;
  read.error_ = errno_code(ECANCELED);
  loop_.defer([waiter = read.waiter_] { waiter(); });
}

bool Connection::output_stuck(std::int64_t now_ms, std::chrono::milliseconds limit) {
  const std::size_t buffered = stream_.buffered();
  if (buffered == 0 || buffered != stuck_bytes_) {
    stuck_bytes_ = buffered;
    stuck_since_ms_ = now_ms;
  }
  return now_ms - stuck_since_ms_ > limit.count();
}

Expected<Flow> Connection::write_out(std::string_view bytes) {
  const Expected<Flow> flow = stream_.write(bytes);
  if (flow && *flow == Flow::wait) full_ = true;
  return flow;
}

void Connection::begin_write(WriteBodyOp& write) {
  const Expected<Flow> written = writer_ != nullptr ? std::unexpected(errno_code(EALREADY))
                                 : write.bytes_.empty()
                                     ? Expected<Flow>(full_ ? Flow::wait : Flow::go_on)
                                     : write_body(write.bytes_);
  if (written && *written == Flow::wait && open_) {
    write.waiting_ = true;
    writer_ = &write;
    return;
  }
  if (!written) write.error_ = written.error();
  loop_.defer([waiter = write.waiter_] { waiter(); });
}

void Connection::cancel_write(WriteBodyOp& write) noexcept {
  if (writer_ != &write) return;
  writer_ = nullptr;
  write.waiting_ = false;
  // The piece was accepted, and is sent: only the wait for room can be taken back.
  if (write.bytes_.empty() || !open_) write.error_ = errno_code(ECANCELED);
  loop_.defer([waiter = write.waiter_] { waiter(); });
}

void Connection::drained() {
  full_ = false;
  if (writer_ == nullptr) return;
  WriteBodyOp& write = *std::exchange(writer_, nullptr);
  write.waiting_ = false;
  write.waiter_();
}

}  // namespace rondo::http
