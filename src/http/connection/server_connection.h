// One connection of a server: requests in, responses out.
//
// An exchange is over when the request has been read to its end and the response is complete,
// whichever comes last. The response is built in the server's scratch buffer, head and body
// together, and handed to the stream in one write.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "rondo/http/server.h"

#include "http/connection/connection.h"

namespace rondo::http {

class ServerState;

class ServerConnection final : public Connection {
 public:
  ServerConnection(ServerState& server, Loop& loop, AnyStream stream);

  // ---- The request -----------------------------------------------------------------------------

  std::string_view method() const noexcept { return method_; }
  std::string_view target() const noexcept { return target_; }
  std::string_view lines() const noexcept { return lines_; }
  int minor_version() const noexcept { return minor_version_; }
  bool is_head_request() const noexcept { return is_head_request_; }
  std::uint64_t max_body() const noexcept { return max_body_; }
  void set_max_body(std::uint64_t bytes) noexcept { max_body_ = bytes; }
  std::stop_token stop_token();

  // ---- The response ----------------------------------------------------------------------------

  void retain_response() noexcept { ++response_handles_; }
  void release_response(std::uint64_t message);
  void set_status(int status);
  void add_header(std::string_view name, std::string_view value);
  bool has_header(std::string_view name) const noexcept { return out_lines_.has(name); }
  bool head_sent() const noexcept { return state_ != State::no_head; }
  Expected<> send(std::string_view body);
  Expected<> send_owned(std::string body);
  Expected<Flow> write(std::string_view piece);
  Expected<> end();
  Expected<Upgraded> upgrade();

  // ---- For the server --------------------------------------------------------------------------

  /// Ends the connection as soon as it is idle.
  void close_when_idle();
  void destroy() noexcept { break_off(errno_code(ECANCELED)); }
  /// Looks whether the peer has been too slow.
  void check_time(std::int64_t now_ms);
  void server_gone() noexcept { server_ = nullptr; }
  bool in_list() const noexcept { return server_ != nullptr; }

  ServerConnection* next = nullptr;  // in the server's list
  ServerConnection* prev = nullptr;

 private:
  enum class State : std::uint8_t {
    no_head,  // of the response
    chunked,
    counted,   // by Content-Length
    to_end,    // of the connection: HTTP/1.0
    bodyless,  // HEAD, 204, 304: what is written is dropped
    done,
  };

  ~ServerConnection() override = default;

  // ---- MessageEvents ---------------------------------------------------------------------------
  void message_begins() override;
  Next head_complete(const Head& head) override;
  Next body(std::span<const char> bytes) override;
  Next message_complete(std::string_view trailers, std::size_t trailer_count) override;

  // ---- Connection ------------------------------------------------------------------------------
  Expected<Flow> write_body(std::string_view piece) override { return write(piece); }
  void body_wanted() override;
  void bad_message(const Parsed& parsed) override;
  void peer_ended() override;
  void stream_closed(std::error_code error) override;
  void message_stopped() override;

  /// A status to refuse the request with, 0 if there is no reason to.
  int examine(const Head& head);
  void call_handler();
  void refuse(int status);
  void refuse_head(int status);
  bool begin_head(std::string& out, std::optional<std::uint64_t> length);
  void response_complete();
  void exchange_over();
  void hang_up();
  void request_stop() noexcept;

  ServerState* server_;
  std::string target_;
  std::string lines_;
  std::string_view method_;
  HeaderLines out_lines_;
  std::optional<std::uint64_t> out_length_;  // that the handler has set
  std::uint64_t out_left_ = 0;               // of it
  std::optional<std::stop_source> stop_;
  std::uint64_t served_ = 0;
  std::int64_t since_ms_ = 0;  // when the request began, or the wait for it
  std::uint32_t response_handles_ = 0;
  std::uint16_t status_ = 200;
  std::uint8_t minor_version_ = 1;
  State state_ = State::done;
  bool head_begun_ = false;  // bytes of a request have arrived, not yet its whole head
  bool request_done_ = true;
  bool keep_alive_ = true;
  bool closing_ = false;     // no further request
  bool hanging_up_ = false;  // our side has ended; waits for the peer's end
  bool is_head_request_ = false;
  bool wants_upgrade_ = false;
  bool call_at_end_ = false;  // of the request
  bool awaits_continue_ = false;
  bool has_date_ = false;
  bool has_connection_ = false;
};

}  // namespace rondo::http
