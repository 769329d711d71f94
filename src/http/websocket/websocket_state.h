// One WebSocket on a stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/loop.h"
#include "rondo/operation.h"
#include "rondo/websocket.h"

#include "core/containers/fifo.h"
#include "http/websocket/deflate.h"
#include "http/websocket/frames.h"
#include "http/websocket/handshake.h"
#include "io/counted_ref.h"
#include "io/repeated_callback.h"

namespace rondo {

class WebSocketState final : private LoopOwned, private websocket::FrameEvents {
 public:
  WebSocketState(Loop& loop, http::Upgraded upgraded, bool is_server,
                 const WebSocketOptions& options, std::optional<websocket::DeflateTerms> deflate,
                 std::string protocol);

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  // Those of users: without any, the socket is closed.
  void retain_handle() noexcept {
    retain();
    ++handles_;
  }
  void release_handle() noexcept;

  void begin_read(WebSocketReadOp& read, const AsyncContext& context);
  void forget_read(WebSocketReadOp& read) noexcept {
    if (read_ == &read) read_ = nullptr;
  }
  void cancel_read(WebSocketReadOp& read) noexcept;
  void begin_drain(WebSocketDrainOp& drain, const AsyncContext& context);
  void forget_drain(WebSocketDrainOp& drain) noexcept {
    if (drain_ == &drain) drain_ = nullptr;
  }
  void cancel_drain(WebSocketDrainOp& drain) noexcept;
  void on_message(Callback<void(WebSocketMessage&)> callback);
  void on_close(Callback<> callback) {
    if (!closed_) close_.set(std::move(callback));
  }

  Expected<Flow> send(websocket::Opcode opcode, std::string_view data);
  Expected<> ping(std::string_view data);
  void close(int code, std::string_view reason);
  void destroy() { tear_down(WebSocketError::broken); }

  AnyStream& stream() noexcept { return stream_; }
  bool closed() const noexcept { return closed_; }
  int close_code() const noexcept { return close_code_; }
  const std::string& close_reason() const noexcept { return close_reason_; }
  std::error_code error() const noexcept { return error_; }
  bool deflates() const noexcept { return deflate_.has_value(); }
  const std::string& protocol() const noexcept { return protocol_; }

 private:
  ~WebSocketState() override = default;
  void loop_ends() noexcept override;

  // ---- FrameEvents -----------------------------------------------------------------------------
  void message_arrived(bool is_text, std::string& data) override;
  void ping_arrived(std::string_view data) override;
  void pong_arrived(std::string_view /*data*/) override {}
  void close_arrived(int code, std::string_view reason) override;

  void arrived(std::string_view bytes);
  void feed(std::string_view bytes);
  void feed_held_soon();
  void update_flow();
  void drained();
  Expected<Flow> send_frame(websocket::Opcode opcode, std::string_view payload, bool compressed);
  void send_close(int code, std::string_view reason);
  void check_time();
  void wake_later(WebSocketReadOp& read, std::error_code error);
  void tear_down(std::error_code error);
  void let_go() noexcept;
  void report_close();

  Loop& loop_;
  AnyStream stream_;
  WebSocketOptions options_;
  websocket::FrameReader reader_;
  std::optional<websocket::DeflateTerms> deflate_;
  std::optional<websocket::Deflater> deflater_;  // when the first message is compressed
  std::string protocol_;
  std::string held_;  // arrived, and not read while messages wait
  Fifo<WebSocketMessage> waiting_;
  std::string scratch_;
  std::string compressed_;
  std::string close_reason_;
  std::optional<std::string> late_ping_;  // not answered yet
  std::error_code error_;
  Listener<void(WebSocketMessage&)> message_;
  Listener<> close_;
  WebSocketReadOp* read_ = nullptr;
  WebSocketDrainOp* drain_ = nullptr;
  Ref<WebSocketState> self_held_;  // no handle is left, and it is not closed yet
  Timer timer_;
  std::int64_t last_input_ms_ = 0;
  std::int64_t closing_since_ms_ = 0;
  std::uint32_t references_ = 0;
  std::uint32_t handles_ = 0;
  int close_code_ = 0;
  bool is_server_;
  bool pinged_ = false;  // since something arrived last
  bool sent_close_ = false;
  bool got_close_ = false;
  bool full_ = false;  // the stream has said wait
  bool paused_ = false;
  bool feeding_ = false;
  bool feed_queued_ = false;
  bool closing_ = false;  // the stream is gone
  bool closed_ = false;   // and everyone knows
};

}  // namespace rondo
