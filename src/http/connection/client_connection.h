// One connection of a client: a request out, a response in, and again if both agree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/http/client.h"

#include "http/connection/connection.h"

namespace rondo::http {

class ClientState;

/// Waits for the head of the response.
class HeadOp : public Operable<HeadOp, void> {
 public:
  explicit HeadOp(detail::MessageRef message) noexcept : message_(std::move(message)) {}
  HeadOp(HeadOp&& other) noexcept : message_(std::move(other.message_)) {}
  HeadOp& operator=(HeadOp&&) = delete;
  ~HeadOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class ClientConnection;
  detail::MessageRef message_;
  Waiter waiter_;
  std::error_code error_;
  bool waiting_ = false;
};

class ClientConnection final : public Connection {
 public:
  ClientConnection(Ref<ClientState> client, Loop& loop, AnyStream stream, std::string origin);

  const std::string& origin() const noexcept { return origin_; }
  /// Writes the head, and the body if that is known.
  Expected<> begin(const ClientRequest& request);
  Expected<> end_body();
  ClientResponse response();
  detail::MessageRef reference() noexcept { return {this, message()}; }
  std::chrono::milliseconds response_timeout() const noexcept;
  /// Whether the server has said anything since the request began.
  bool heard() const noexcept { return heard_; }
  bool idle() const noexcept { return open() && message() == 0; }
  std::int64_t idle_since_ms() const noexcept { return last_input_ms_; }
  void destroy(std::error_code error) noexcept { break_off(error); }
  void check_time(std::int64_t now_ms);

  void begin_head(HeadOp& op);
  void cancel_head(HeadOp& op) noexcept;
  void forget_head(HeadOp& op) noexcept {
    if (head_op_ == &op) head_op_ = nullptr;
  }

  void retain_response() noexcept { ++response_handles_; }
  void release_response(std::uint64_t message) noexcept;
  Expected<Upgraded> upgrade();

 private:
  enum class Sending : std::uint8_t { nothing, chunked, counted };

  ~ClientConnection() override;

  void message_begins() override { heard_ = true; }
  Next head_complete(const Head& head) override;
  Next body(std::span<const char> bytes) override;
  Next message_complete(std::string_view trailers, std::size_t trailer_count) override;

  Expected<Flow> write_body(std::string_view piece) override;
  void bad_message(const Parsed& parsed) override;
  void message_stopped() override;
  void body_read() override;
  bool has_unread_message() const noexcept override { return response_done_; }
  void peer_ended() override;
  void stream_closed(std::error_code error) override;

  void wake_head(std::error_code error) noexcept;
  void exchange_over();

  Ref<ClientState> client_;
  std::string origin_;
  std::shared_ptr<ClientResponse::Head> head_;  // that has arrived
  HeadOp* head_op_ = nullptr;
  std::uint64_t out_left_ = 0;
  std::uint32_t response_handles_ = 0;
  Sending sending_ = Sending::nothing;
  bool heard_ = false;
  bool is_head_request_ = false;
  bool is_connect_ = false;
  bool interim_ = false;  // a response before the response: 100, 103
  bool keep_alive_ = false;
  bool upgraded_ = false;
  bool response_done_ = false;
};

}  // namespace rondo::http
