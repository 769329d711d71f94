// Frames of WebSocket from bytes and to bytes (RFC 6455, 5). No I/O.
//
// The reader takes bytes as they arrive and reports whole messages. It holds one message at most,
// of limited size; a rule that is broken ends it for good, with the code to close with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/websocket/deflate.h"
#include "http/websocket/utf8.h"

namespace rondo::websocket {

enum class Opcode : std::uint8_t {
  continuation = 0,
  text = 1,
  binary = 2,
  close = 8,
  ping = 9,
  pong = 10,
};

// Codes of close frames (RFC 6455, 7.4.1).
constexpr int kNormal = 1000;
constexpr int kGoingAway = 1001;
constexpr int kProtocolError = 1002;
constexpr int kNoCode = 1005;
constexpr int kAbnormal = 1006;
constexpr int kNotUtf8 = 1007;
constexpr int kTooLarge = 1009;

/// Whether a peer may send this code.
bool is_code(int code) noexcept;

class FrameEvents {
 public:
  /// A whole message; its bytes may be taken away.
  virtual void message_arrived(bool is_text, std::string& data) = 0;
  virtual void ping_arrived(std::string_view data) = 0;
  virtual void pong_arrived(std::string_view data) = 0;
  /// `code` is kNoCode if there was none.
  virtual void close_arrived(int code, std::string_view reason) = 0;

 protected:
  ~FrameEvents() = default;
};

class FrameReader {
 public:
  /// Servers get masked frames, and only such.
  FrameReader(FrameEvents& events, bool is_server, std::size_t max_message) noexcept
      : events_(events), max_message_(max_message), is_server_(is_server) {}

  /// Messages may be compressed from now on.
  void enable_deflate(bool keeps_window) { inflater_.emplace(keeps_window); }

  /// Gives how many of the bytes were read: all, unless stop() was called or a rule was broken.
  std::size_t feed(std::string_view bytes);
  /// In an event: feed() returns after it.
  void stop() noexcept { stopped_ = true; }

  /// 0, or the code to close with.
  int broken() const noexcept { return broken_; }

 private:
  enum class Part : std::uint8_t { head, payload };

  std::size_t read_head(std::string_view bytes);
  bool check_head(std::uint8_t first, std::uint8_t second);
  bool check_length();
  std::size_t read_payload(std::string_view bytes);
  bool take(std::string_view piece);
  void frame_complete();
  void control_complete();
  void message_complete();
  bool fail(int code) noexcept {
    broken_ = code;
    return false;
  }
  bool is_control() const noexcept { return (static_cast<int>(opcode_) & 8) != 0; }

  FrameEvents& events_;
  std::optional<Inflater> inflater_;
  std::size_t max_message_;
  std::string head_;     // of the current frame, until it is complete
  std::string control_;  // payload of a control frame
  std::string message_;
  std::uint64_t left_ = 0;    // of the payload
  std::uint64_t length_ = 0;  // of the payload
  std::uint32_t mask_at_ = 0;
  std::uint8_t mask_[4] = {};
  Utf8Check utf8_;
  Part part_ = Part::head;
  Opcode opcode_ = Opcode::continuation;  // of the frame
  Opcode kind_ = Opcode::continuation;    // of the message in progress; continuation: none
  bool is_last_ = false;
  bool is_compressed_ = false;
  bool is_server_;
  bool stopped_ = false;
  int broken_ = 0;
};

/// Appends a frame. `mask`: of a client's frame, four random bytes; null for a server's.
void append_frame(std::string& to, Opcode opcode, std::string_view payload, bool compressed,
                  const std::uint8_t* mask);

}  // namespace rondo::websocket
