// One connection of the server for debuggers: requests first, then the frames of a WebSocket. It
// reads and writes as far as the socket allows, and never waits for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/websocket/frames.h"
#include "io/descriptor.h"

namespace rondo {

class DebugClient final : private websocket::FrameEvents {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  static constexpr std::size_t kMostRequest = 16 * 1024;
  static constexpr std::size_t kMostMessage = std::size_t{64} << 20U;

  DebugClient(Descriptor socket, std::uint32_t number, Moment now) noexcept;
  DebugClient(const DebugClient&) = delete;
  DebugClient& operator=(const DebugClient&) = delete;

  /// Of its session.
  std::uint32_t number() const noexcept { return number_; }
  int descriptor() const noexcept { return socket_.get(); }
  bool is_open() const noexcept { return static_cast<bool>(socket_); }
  void close() noexcept { socket_ = Descriptor(); }
  /// The address of this end, as the client sees it.
  std::string local_host() const;

  /// The events for poll(2).
  short events(bool may_read) const noexcept;
  void receive(Moment now);
  /// Sends more of what waits, and returns how much of that was payload.
  std::size_t flush(Moment now);

  // ---- Requests -------------------------------------------------------------------------------

  /// What has come and is no request yet; empty once it is a WebSocket.
  std::string_view received() const noexcept { return input_; }
  void consume(std::size_t size) { input_.erase(0, size); }
  void answer(std::string_view text, Moment now);
  /// It is a WebSocket from now on; what came after the request are frames.
  void begin_session(std::string_view answer, Moment now);

  // ---- The session ----------------------------------------------------------------------------

  bool is_session() const noexcept { return reader_.has_value(); }
  /// Messages that have come since the last time.
  std::vector<std::string> take_messages() noexcept;
  void send(std::string_view message, Moment now);
  /// Bytes of messages that have not been sent.
  std::size_t payload_left() const noexcept { return payload_left_; }

  /// Nothing else is sent: a frame that closes a session, and the end.
  void finish(Moment now);
  bool is_leaving() const noexcept { return finishes_; }
  /// When it times out. `is_full`: others wait for this client to take something.
  Moment deadline(bool is_full) const noexcept;

 private:
  void message_arrived(bool is_text, std::string& data) override;
  void ping_arrived(std::string_view data) override;
  void pong_arrived(std::string_view /*data*/) override {}
  void close_arrived(int code, std::string_view reason) override;

  bool has_output() const noexcept { return sent_ < output_.size(); }
  void read_frames(std::string_view bytes, Moment now);

  Descriptor socket_;
  std::uint32_t number_;
  std::optional<websocket::FrameReader> reader_;
  bool finishes_ = false;
  bool is_shut_ = false;  // our direction
  Moment began_;          // the request, or what ends it
  Moment progressed_;     // when something was last sent, or was added to nothing
  std::string input_;
  std::vector<std::string> messages_;
  std::string output_;
  std::size_t sent_ = 0;
  std::size_t payload_left_ = 0;
};

}  // namespace rondo
