// What requests and responses of HTTP/1.1 have in common: header lines, statuses, bodies that
// arrive piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "rondo/async.h"
#include "rondo/error.h"

namespace rondo::http {

// ---- Errors -------------------------------------------------------------------------------------

/// What the peer did wrong, beside the errors of the socket.
enum class Error : std::uint8_t {
  bad_message = 1,  // it cannot be read as HTTP
  head_too_large,
  body_too_large,
  incomplete,        // the connection ended in the middle of a message
  timed_out,         // the peer was too slow: see the options
  unsupported,       // "ftp://...", or an https URL without tls::connector()
  handshake_failed,  // of a WebSocket: the other side does not speak it
};
const std::error_category& error_category() noexcept;
inline std::error_code make_error_code(Error error) noexcept {
  return {static_cast<int>(error), error_category()};
}

// ---- Header lines -------------------------------------------------------------------------------

/// The header lines of a message, in the order of their arrival. A view: good for as long as the
/// request or response that it came from.
class Headers {
 public:
  struct Line {
    std::string_view name;  // as the peer wrote it
    std::string_view value;
  };

  class Iterator {
   public:
    using value_type = Line;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const Line*;
    using reference = const Line&;

    Iterator() = default;
    explicit Iterator(std::string_view rest) noexcept : rest_(rest) { read(); }
    const Line& operator*() const noexcept { return line_; }
    const Line* operator->() const noexcept { return &line_; }
    Iterator& operator++() noexcept {
      read();
      return *this;
    }
    void operator++(int) noexcept { read(); }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.done_ == b.done_ && (a.done_ || a.rest_.data() == b.rest_.data());
    }

   private:
    void read() noexcept;
    std::string_view rest_;
    Line line_;
    bool done_ = true;
  };

  Headers() = default;
  /// Alternating names and values, each followed by '\n'.
  explicit Headers(std::string_view lines) noexcept : lines_(lines) {}

  Iterator begin() const noexcept { return Iterator(lines_); }
  Iterator end() const noexcept { return {}; }
  bool empty() const noexcept { return lines_.empty(); }

  /// The value of the first line with this name, in whatever case; nothing if there is none.
  std::optional<std::string_view> get(std::string_view name) const noexcept;
  /// Whether one of the lines with this name has `token` in its list: "Connection: a, b".
  bool has_token(std::string_view name, std::string_view token) const noexcept;

 private:
  std::string_view lines_;
};

/// Header lines to be sent.
class HeaderLines {
 public:
  /// Throws Misuse (ERR_INVALID_HTTP_TOKEN, ERR_INVALID_CHAR) for a name that is none and a value
  /// with a line break or a NUL: nothing of a user's input can become a line of its own.
  HeaderLines& add(std::string_view name, std::string_view value);
  bool has(std::string_view name) const noexcept;
  void clear() noexcept { text_.clear(); }
  /// "Name: value\r\n", as they are sent.
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

/// Whether a text can be a method or the name of a header line (RFC 9110, 5.6.2).
bool is_token(std::string_view text) noexcept;

/// Whether two names are the same except for their case.
bool same_name(std::string_view a, std::string_view b) noexcept;

/// "Not Found" for 404; empty for a number without a phrase.
std::string_view phrase_of(int status) noexcept;

/// "text/html; charset=utf-8" for "index.html"; "application/octet-stream" for what is not known.
std::string_view content_type_of(std::string_view path) noexcept;

// ---- Bodies -------------------------------------------------------------------------------------

class Connection;
class ServerConnection;
class ClientConnection;

namespace detail {

/// A counted reference to a connection, and to one of the messages on it.
class MessageRef {
 public:
  MessageRef() = default;
  MessageRef(Connection* connection, std::uint64_t message) noexcept;
  MessageRef(const MessageRef& other) noexcept : MessageRef(other.connection_, other.message_) {}
  MessageRef(MessageRef&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)), message_(other.message_) {}
  MessageRef& operator=(MessageRef other) noexcept {
    std::swap(connection_, other.connection_);
    std::swap(message_, other.message_);
    return *this;
  }
  ~MessageRef();

  /// Null when the message is over, or its connection.
  Connection* connection() const noexcept;
  /// Also when it is over.
  Connection* any_connection() const noexcept { return connection_; }
  std::uint64_t number() const noexcept { return message_; }

 private:
  Connection* connection_ = nullptr;
  std::uint64_t message_ = 0;
};

}  // namespace detail

/// Gives what has arrived of a body; empty at its end.
class [[nodiscard]] ReadBodyOp : public Operable<ReadBodyOp, std::string> {
 public:
  explicit ReadBodyOp(detail::MessageRef message) noexcept : message_(std::move(message)) {}
  ReadBodyOp(ReadBodyOp&& other) noexcept : message_(std::move(other.message_)) {}
  ReadBodyOp& operator=(ReadBodyOp&&) = delete;
  ~ReadBodyOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<std::string> take_result() {
    if (error_) return std::unexpected(error_);
    return std::move(text_);
  }

 private:
  friend class Connection;
  detail::MessageRef message_;
  Waiter waiter_;
  std::string text_;
  std::error_code error_;
  bool waiting_ = false;
};

/// Writes, and is complete when there is room for more.
class [[nodiscard]] WriteBodyOp : public Operable<WriteBodyOp, void> {
 public:
  WriteBodyOp(detail::MessageRef message, std::string_view bytes) noexcept
      : message_(std::move(message)), bytes_(bytes) {}
  WriteBodyOp(WriteBodyOp&& other) noexcept
      : message_(std::move(other.message_)), bytes_(other.bytes_) {}
  WriteBodyOp& operator=(WriteBodyOp&&) = delete;
  ~WriteBodyOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class Connection;
  detail::MessageRef message_;
  std::string_view bytes_;
  Waiter waiter_;
  std::error_code error_;
  bool waiting_ = false;
};

}  // namespace rondo::http

template <>
struct std::is_error_code_enum<rondo::http::Error> : std::true_type {};
