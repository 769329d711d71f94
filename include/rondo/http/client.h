// An HTTP/1.1 client.
//
//     rondo::http::Client client(loop);
//     auto response = co_await client.get("http://localhost:8000/");
//     if (!response) co_return;                       // ECONNREFUSED, http::Error::timed_out, ...
//     auto text = co_await response->read_all();
//
// Connections are kept open for the next request to the same host. A request on one that the server
// has closed meanwhile is sent again on a new one, if it can be repeated. Redirects are answers
// like any other. For https see rondo/https.h.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/any_stream.h"
#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/error.h"
#include "rondo/http/message.h"
#include "rondo/http/server.h"
#include "rondo/net.h"

namespace rondo::http {

struct ClientOptions {
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds response_timeout{60'000};  // from the request to the head of the answer
  std::chrono::milliseconds idle_timeout{60'000};      // without progress in a body, in or out
  std::chrono::milliseconds keep_alive_timeout{4'000};  // how long an idle connection is kept
  std::size_t max_idle = 16;                            // of them, for each host
  std::size_t max_head_bytes = 64U << 10;
  std::uint64_t max_body_bytes = 64U << 20;
};

/// An absolute URL in its parts.
struct Url {
  std::string scheme;      // in lower case
  std::string host;        // without the brackets of an IPv6 address
  std::uint16_t port = 0;  // 0: that of the scheme
  std::string target;      // "/path?query"

  /// Error::unsupported if it is none, has a user's name in it, or a character that must be
  /// encoded.
  [[nodiscard]] static Expected<Url> parse(std::string_view text);
};

/// What to ask for.
class ClientRequest {
 public:
  /// Throws Misuse (ERR_INVALID_HTTP_TOKEN) for a method that cannot be one: "GET / HTTP/1.1\r\n".
  ClientRequest(std::string method, std::string_view url);
  ClientRequest(std::string method, std::string_view url, std::string body);

  /// Throws Misuse as HeaderLines::add() does. Host is set if it is left out.
  ClientRequest& header(std::string_view name, std::string_view value);

 private:
  friend class Client;
  friend class ClientState;
  friend class ClientConnection;
  std::string method_;
  Expected<Url> url_;
  HeaderLines headers_;
  std::optional<std::uint64_t> length_;  // of a body that is streamed
  std::optional<std::string> body_;
  bool streams_ = false;
};

/// The answer. A handle; when the last copy is dropped before the end of the body, the connection
/// is closed.
class ClientResponse {
 public:
  ClientResponse() = default;
  ClientResponse(const ClientResponse& other);
  ClientResponse(ClientResponse&& other) noexcept = default;
  ClientResponse& operator=(ClientResponse other) noexcept {
    std::swap(message_, other.message_);
    std::swap(head_, other.head_);
    return *this;
  }
  ~ClientResponse();

  int status() const noexcept { return head_ == nullptr ? 0 : head_->status; }
  Headers headers() const noexcept { return head_ == nullptr ? Headers() : Headers(head_->lines); }
  std::optional<std::string_view> header(std::string_view name) const {
    return headers().get(name);
  }

  /// Gives what has arrived of the body; empty at its end. Error::incomplete,
  /// Error::body_too_large, Error::timed_out, or the error of the stream.
  [[nodiscard]] ReadBodyOp read() { return ReadBodyOp(message_); }
  [[nodiscard]] Async<Expected<std::string>> read_all();

  /// After 101, or a CONNECT that was accepted: the stream. Otherwise Error::handshake_failed.
  [[nodiscard]] Expected<Upgraded> upgrade();

 private:
  friend class ClientConnection;
  friend class ClientUpload;
  struct Head {
    int status = 0;
    std::string lines;
  };
  ClientResponse(detail::MessageRef message, std::shared_ptr<const Head> head);

  detail::MessageRef message_;
  std::shared_ptr<const Head> head_;
};

/// A request whose body is sent in pieces. Dropped before finish(), it closes the connection.
class ClientUpload {
 public:
  ClientUpload() = default;

  /// As Response::write_all(): in chunks, or as it is if a Content-Length was set.
  [[nodiscard]] WriteBodyOp write_all(std::string_view piece) {
    return {exchange_.message_, piece};
  }
  /// Ends the body, and waits for the answer. The server may have answered before.
  [[nodiscard]] Async<Expected<ClientResponse>> finish();

 private:
  friend class ClientState;
  explicit ClientUpload(ClientResponse exchange) noexcept : exchange_(std::move(exchange)) {}
  ClientResponse exchange_;  // without a head yet
};

class ClientState;

class Client {
 public:
  /// How a connection to a host is made.
  using Connector = Callback<Async<Expected<AnyStream>>(std::string host, std::uint16_t port)>;

  explicit Client(Loop& loop, ClientOptions options = {});
  Client(Client&&) noexcept = default;
  Client& operator=(Client&&) noexcept = default;
  /// Closes idle connections. Requests in progress continue.
  ~Client();

  /// Gives the answer when its head has arrived; the body is read from it. Errors are those of
  /// dns::lookup_all() and TcpSocket::connect(), Error, and ECANCELED.
  [[nodiscard]] Async<Expected<ClientResponse>> send(ClientRequest request);
  [[nodiscard]] Async<Expected<ClientResponse>> get(std::string_view url) {
    return send(ClientRequest("GET", url));
  }
  [[nodiscard]] Async<Expected<ClientResponse>> post(std::string_view url, std::string body) {
    return send(ClientRequest("POST", url, std::move(body)));
  }
  /// Sends the head, for a body in pieces.
  [[nodiscard]] Async<Expected<ClientUpload>> upload(ClientRequest request);

  /// For URLs of another scheme ("https", "ws"), or instead of the one for "http": through a Unix
  /// socket, a proxy. It stays while it connects, the captures of a coroutine included.
  void set_connector(std::string scheme, std::uint16_t default_port, Connector connector);

  std::size_t idle_connections() const;
  void close_idle();

 private:
  struct Release {
    void operator()(ClientState* state) const noexcept;
  };
  std::unique_ptr<ClientState, Release> state_;
};

}  // namespace rondo::http
