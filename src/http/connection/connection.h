// A stream that speaks HTTP: what a server's and a client's connection have in common. Bytes go
// through the parser as they arrive; bodies wait here until they are read.
//
// One message at a time: while the exchange that a message belongs to is not over, parsing stops at
// the message's end, and what follows is kept (input_) with the stream paused. So pipelining needs
// no queue, and a peer that sends ahead fills the kernel's buffers, not ours.
//
// Lifetime: counted references, held by the owner (a server, a pool) while the stream is open, and
// by every handle of a message. When the stream is gone, break_off() detaches the connection: it
// stays in memory for the handles, which find that their message is over.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "rondo/any_stream.h"
#include "rondo/http/message.h"
#include "rondo/loop.h"

#include "http/connection/head_scanner.h"
#include "http/message_parser.h"
#include "io/counted_ref.h"

namespace rondo::http {

class Connection : protected MessageEvents {
 public:
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

  Loop& loop() const noexcept { return loop_; }
  /// The number of the exchange in progress, 0 between two of them and when the connection is gone.
  std::uint64_t message() const noexcept { return message_; }
  bool open() const noexcept { return open_; }
  /// Why a message is over.
  std::error_code error_of(std::uint64_t message) const noexcept {
    return message == closed_message_ && closed_error_ ? closed_error_ : errno_code(EPIPE);
  }
  const AnyStream& stream() const noexcept { return stream_; }

  /// Handles of messages may outlive the loop: they find that their message is over.
  void loop_gone() noexcept;

  // ---- Operations on bodies --------------------------------------------------------------------

  void begin_read(ReadBodyOp& read);
  void forget_read(ReadBodyOp& read) noexcept {
    if (reader_ == &read) reader_ = nullptr;
  }
  void cancel_read(ReadBodyOp& read) noexcept;
  void begin_write(WriteBodyOp& write);
  void forget_write(WriteBodyOp& write) noexcept {
    if (writer_ == &write) writer_ = nullptr;
  }
  void cancel_write(WriteBodyOp& write) noexcept;

 protected:
  Connection(Loop& loop, AnyStream stream);
  virtual ~Connection() = default;

  /// Begins to listen to the stream.
  void start(MessageKind kind, Limits limits);

  // ---- What the two kinds decide ---------------------------------------------------------------

  virtual Expected<Flow> write_body(std::string_view piece) = 0;
  /// Whoever handles the message wants its body.
  virtual void body_wanted() {}
  virtual void bad_message(const Parsed& parsed) = 0;
  /// The peer has ended its side. `complete`: the message in progress, if any, is whole.
  virtual void peer_ended() = 0;
  /// The stream is gone. Called once, unless it was released.
  virtual void stream_closed(std::error_code error) = 0;
  /// The parser stopped at the end of a message, or at another protocol: input_ has what follows.
  virtual void message_stopped() {}
  /// Whether there is a message that is whole, and can be read though the stream is gone.
  virtual bool has_unread_message() const noexcept { return false; }
  /// Whoever reads the body has been given its end.
  virtual void body_read() {}

  // ---- For them --------------------------------------------------------------------------------

  /// Parses, and hands on what came of it.
  void feed(std::string_view bytes);
  /// The stream has ended: true if that completes the message in progress.
  bool finish_parsing();
  void open_message() noexcept;
  /// The handles of the message are invalid from now on; a waiting read of its body fails with
  /// `error`.
  void close_message(std::error_code error) noexcept;
  /// Goes on with what follows the message, after the parser was stopped at its end.
  void parse_on();
  /// Detaches from the stream and destroys it; operations that wait get `error`.
  void break_off(std::error_code error) noexcept;
  /// Gives the stream away, without a callback of ours left on it.
  AnyStream let_go() noexcept;
  /// Reads no more messages: what still arrives is dropped.
  void stop_parsing() noexcept;
  /// The error of reads of the body when the message is closed, which must follow.
  void fail_body(std::error_code error) noexcept;

  /// Whether the peer has taken nothing of what was written for so long. Looked at now and then.
  bool output_stuck(std::int64_t now_ms, std::chrono::milliseconds limit);
  /// To the stream, noting whether it is full.
  Expected<Flow> write_out(std::string_view bytes);
  void set_full() noexcept { full_ = true; }

  Next store_body(std::span<const char> bytes);
  void body_complete() noexcept { body_complete_ = true; }
  bool has_body_complete() const noexcept { return body_complete_; }
  void discard_body() noexcept;
  bool reading_body() const noexcept { return reader_ != nullptr; }
  bool stopped() const noexcept { return stopped_; }

  MessageParser parser_{*this};
  AnyStream stream_;
  std::string input_;  // arrived after the message in progress
  std::uint64_t max_body_ = 0;
  std::uint64_t body_bytes_ = 0;    // of the message in progress
  std::int64_t last_input_ms_ = 0;  // the loop's time when something arrived last
  bool ended_by_peer_ = false;

 private:
  void arrived(std::span<const std::byte> bytes);
  void deliver_body();
  void update_flow();
  void drained();

  Loop& loop_;
  HeadScanner head_;  // of requests
  std::uint32_t references_ = 0;
  std::uint64_t message_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t closed_message_ = 0;  // the last one that is over
  std::error_code closed_error_;
  std::string body_;
  std::error_code body_error_;
  std::size_t stuck_bytes_ = 0;  // buffered when output_stuck() looked last
  std::int64_t stuck_since_ms_ = 0;
  ReadBodyOp* reader_ = nullptr;
  WriteBodyOp* writer_ = nullptr;
  bool open_ = true;
  bool stopped_ = false;   // the parser waits at the end of a message
  bool dropping_ = false;  // nothing of what arrives is looked at
  bool paused_ = false;
  bool body_complete_ = false;
  bool discarding_ = false;
  bool full_ = false;        // the stream returned `wait`: on_drain() follows
  bool parsing_on_ = false;  // parse_on() will run
};

}  // namespace rondo::http
