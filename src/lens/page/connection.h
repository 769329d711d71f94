// One client of the lens's server. It reads requests and writes responses as far as the socket
// allows, and never waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::lens {

class Connection {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// The most that a request may have, and the most that a client may leave unread of a stream.
  static constexpr std::size_t kMostRequest = 8192;
  static constexpr std::size_t kMostBacklog = std::size_t{64} * 1024;

  Connection(int descriptor, Moment now) noexcept;
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }
  void close() noexcept;

  /// Reads what is available, up to a limit.
  void receive(Moment now);
  /// The events for poll(2).
  short events() const noexcept;
  std::string_view received() const noexcept { return input_; }
  void consume(std::size_t size) { input_.erase(0, size); }

  /// Appends it to what waits to be sent, and sends what the socket accepts.
  void send(std::string_view text, Moment now);
  /// Sends more of what waits.
  void flush(Moment now);
  bool has_output() const noexcept { return sent_ < output_.size(); }
  std::size_t backlog() const noexcept { return output_.size() - sent_; }

  /// Nothing else is sent. The connection closes when the client has, or times out: closed
  /// at once, with something unread, it would take the last answer with it.
  void finish() noexcept;
  bool is_leaving() const noexcept { return finishes_; }
  /// Closes it if the client has ended and got everything.
  void close_if_done() noexcept;

  /// From then on it only listens to events.
  void start_stream() noexcept { streams_ = true; }
  bool is_stream() const noexcept { return streams_; }
  std::uint64_t lists_seen = 0;  // of the stream
  bool is_trusted = false;       // has shown the token

  /// When it times out.
  Moment deadline() const noexcept;

 private:
  int descriptor_;
  bool finishes_ = false;
  bool is_shut_ = false;   // our direction
  bool is_ended_ = false;  // the client's direction
  bool streams_ = false;
  Moment request_began_;  // its first byte, or the end of the one before
  Moment progressed_;     // when something was last sent, or was added to nothing
  std::string input_;
  std::string output_;
  std::size_t sent_ = 0;
};

}  // namespace rondo::lens
