// HTTP/1 messages out of bytes, as they arrive: heads, bodies, trailers, one message after the
// other. No I/O and no JavaScript: node:http is built on it, and C++ servers can be.
//
//     struct Server : http::MessageEvents { ... };
//     http::MessageParser parser(server);
//     parser.begin(http::MessageKind::request, {});
//     const http::Parsed result = parser.execute(bytes);
//     if (result.error) ...                                  // of the peer's: answer 400, close
//     if (parser.upgraded()) rest = bytes.subspan(result.bytes);  // another protocol
//
// Head lines are collected in two buffers that are reused, so a connection that is kept alive
// allocates nothing for the next message. What a peer may send is limited: bytes and lines of a
// head, extensions of chunks. Bodies are handed on as they come, and never kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "http/llhttp.h"

namespace rondo::http::inline RONDO_LLHTTP_COPY {

enum class MessageKind : std::uint8_t { request = 1, response = 2 };

/// The first line and the header lines of a message. Good until the event is over.
struct Head {
  MessageKind kind;
  std::uint8_t method;  // llhttp's number; requests only
  std::uint8_t major;
  std::uint8_t minor;
  std::uint16_t status;  // responses only
  bool keep_alive;       // another message may follow
  bool upgrade;          // another protocol is asked for, or has been agreed on
  bool chunked;
  bool has_body;          // bytes of a body follow; of a request
  std::string_view text;  // the target of a request, the phrase of a response
  /// Names and values alternating, each followed by '\n', which neither can contain.
  std::string_view lines;
  std::size_t line_count;
};

struct Limits {
  std::size_t head_bytes = 16U << 10;
  /// Names and values counted separately; 0: no limit. Of requests.
  std::size_t head_strings = 2000;
};

/// Returned by the events below: whether to continue.
enum class Next : std::int8_t {
  stop = -1,  // an error that the listener knows of
  go_on = 0,
  no_body = 1,  // a head only: whatever it says, there is no body (the answer to HEAD)
  upgrade = 2,  // a head only: the same, and what follows is another protocol
  pause = 21,   // the end of a message only: no more events until resume()
};

class MessageEvents {
 public:
  virtual void message_begins() = 0;
  virtual Next head_complete(const Head& head) = 0;
  virtual Next body(std::span<const char> bytes) = 0;
  /// `trailers`: as Head::lines.
  virtual Next message_complete(std::string_view trailers, std::size_t trailer_count) = 0;

 protected:
  ~MessageEvents() = default;
};

struct Parsed {
  std::size_t bytes;  // that belong to HTTP: all, if there was no error and no upgrade
  int error;          // 0, or llhttp's number
  std::string_view code;
  std::string_view reason;
};

class MessageParser {
 public:
  explicit MessageParser(MessageEvents& events) noexcept : events_(events) {}
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;

  /// Starts again, with the first message of a connection. `lenient`: bits of kLenient....
  void begin(MessageKind kind, Limits limits, std::uint32_t lenient = 0) noexcept;

  Parsed execute(std::span<const char> bytes);
  /// The peer will send no more.
  Parsed finish();

  /// No more events; execute() fails until resume().
  void pause() noexcept { llhttp_pause(&parser_); }
  void resume() noexcept { llhttp_resume(&parser_); }
  /// No more events until begin(). May be called by an event.
  void silence() noexcept { silent_ = true; }

  /// In head_complete(): the upgrade is declined, and HTTP continues.
  void decline_upgrade() noexcept { parser_.upgrade = 0; }
  bool upgraded() const noexcept { return parser_.upgrade != 0; }
  bool executing() const noexcept { return executing_; }
  MessageKind kind() const noexcept { return static_cast<MessageKind>(parser_.type); }
  void set_limits(Limits limits) noexcept { limits_ = limits; }

 private:
  friend struct MessageParserCallbacks;

  int count_head_bytes(std::size_t bytes) noexcept;
  int start_line(std::string_view name);
  void end_line();
  int head_complete();
  int message_complete();
  int chunk_extension(std::size_t bytes) noexcept;
  Parsed outcome(int error, const char* begin, std::size_t size);
  int fail(const char* reason) noexcept;
  void clear_lines() noexcept;

  enum class Line : std::uint8_t { none, name, value };

  llhttp_t parser_{};
  MessageEvents& events_;
  Limits limits_;
  std::string text_;
  std::string lines_;
  std::size_t line_count_ = 0;
  std::size_t head_strings_ = 0;
  std::size_t head_bytes_ = 0;
  std::size_t extension_bytes_ = 0;
  std::size_t error_at_ = 0;  // counted from the first byte of the execute() that failed
  Line line_ = Line::none;
  bool silent_ = false;
  bool executing_ = false;
};

/// What to accept that the standard forbids, as Node numbers it.
enum Lenient : std::uint32_t {
  kLenientNone = 0,
  kLenientHeaders = 1U << 0,
  kLenientChunkedLength = 1U << 1,
  kLenientKeepAlive = 1U << 2,
  kLenientTransferEncoding = 1U << 3,
  kLenientVersion = 1U << 4,
  kLenientDataAfterClose = 1U << 5,
  kLenientOptionalLFAfterCR = 1U << 6,
  kLenientOptionalCRLFAfterChunk = 1U << 7,
  kLenientOptionalCRBeforeLF = 1U << 8,
  kLenientSpacesAfterChunkSize = 1U << 9,
  kLenientHeaderValueRelaxed = 1U << 10,
  kLenientAll = (1U << 10) - 1,
};

}  // namespace rondo::http::inline RONDO_LLHTTP_COPY
