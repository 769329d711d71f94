// An HTTP/1.1 server.
//
//     rondo::http::Server server(loop);
//     server.on_request([](rondo::http::Request request, rondo::http::Response response) {
//       response.header("Content-Type", "text/plain").send("hello");
//     });
//     auto bound = server.listen(rondo::SocketAddress::loopback(8000));
//
// A handler may also be a coroutine, and read and write bodies piece by piece:
//
//     server.on_request([](http::Request request, http::Response response) -> rondo::Async<> {
//       for (auto part = co_await request.read(); part && !part->empty();
//            part = co_await request.read()) {
//         if (!co_await response.write_all(*part)) co_return;
//       }
//       response.end();
//     });
//
// Requests of one connection are handled one after the other, pipelined ones too; what follows the
// one being handled waits in the kernel. A Request and a Response are handles: copy them, keep
// them, answer later. When the last Response handle of a request is dropped without an answer, the
// server answers 500. When the connection breaks, whatever its handler awaits is ECANCELED.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rondo/any_stream.h"
#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/error.h"
#include "rondo/fs.h"
#include "rondo/http/message.h"
#include "rondo/net.h"

namespace rondo::http {

struct ServerOptions {
  // ---- What a peer may send. Beyond it the server answers 431, 413, or closes.
  std::size_t max_head_bytes = 16U << 10;  // of the first line and the header lines
  std::size_t max_header_lines = 100;
  std::uint64_t max_body_bytes = 16U << 20;  // Request::set_max_body() allows more, or less
  std::size_t max_connections = 10'000;      // more wait in the backlog
  std::size_t max_requests = SIZE_MAX;       // of one connection; the last answer says so

  // ---- How long it may take. They are looked at a few times per timeout, not to the millisecond.
  std::chrono::milliseconds header_timeout{10'000};    // from the first byte to the end of the head
  std::chrono::milliseconds request_timeout{300'000};  // to the end of the body
  std::chrono::milliseconds keep_alive_timeout{5'000};  // between two requests
  std::chrono::milliseconds idle_timeout{60'000};       // without progress in a body, in or out
  std::chrono::milliseconds close_timeout{10'000};      // after close(), for what is in flight
};

class ServerState;

/// A stream that HTTP has released, and what the peer has sent after its last message.
struct Upgraded {
  AnyStream stream;
  std::string first_bytes;
};

/// What was asked. Views are good until the response is complete.
class Request {
 public:
  Request() = default;

  std::string_view method() const;
  std::string_view target() const;  // as it came: "/path?query"
  std::string_view path() const;    // up to the '?'
  std::string_view query() const;   // after it; empty if there is none
  int minor_version() const;        // of HTTP/1.x
  Headers headers() const;
  std::optional<std::string_view> header(std::string_view name) const {
    return headers().get(name);
  }
  SocketAddress peer_address() const;

  /// Gives what has arrived of the body; empty at its end. Sends 100 Continue if the peer waits for
  /// that. Error::body_too_large, Error::timed_out and Error::bad_message when the server has
  /// refused the request for that reason; Error::incomplete or the error of the stream when it has
  /// broken.
  [[nodiscard]] ReadBodyOp read() { return ReadBodyOp(message_); }
  /// The whole body.
  [[nodiscard]] Async<Expected<std::string>> read_all();
  /// Overrides ServerOptions::max_body_bytes for this request.
  void set_max_body(std::uint64_t bytes);

  /// The loop of the server; null when the request is over.
  Loop* loop() const;
  /// Asked to stop when the connection breaks. A coroutine that handles requests has it already.
  std::stop_token stop_token() const;

 private:
  friend class ServerConnection;
  friend class Response;
  explicit Request(detail::MessageRef message) noexcept : message_(std::move(message)) {}
  ServerConnection* connection() const noexcept;
  detail::MessageRef message_;
};

/// The answer. What it returns may be ignored: when the connection breaks, the handler is stopped.
class Response {
 public:
  Response() = default;
  Response(const Response& other) noexcept;
  Response(Response&& other) noexcept = default;
  Response& operator=(Response other) noexcept {
    std::swap(message_, other.message_);
    return *this;
  }
  ~Response();

  /// 200 unless set. Between 200 and 599: Misuse (ERR_HTTP_INVALID_STATUS_CODE).
  Response& status(int status);
  /// Adds a header line; see HeaderLines::add() for what is refused. Content-Length, Date and
  /// Connection are the server's affair, but may be set. After the head is sent: Misuse
  /// (ERR_HTTP_HEADERS_SENT).
  Response& header(std::string_view name, std::string_view value);

  /// Sends head and body in one piece, and completes the response. EPIPE when it is complete
  /// already, or the connection has broken. ENOBUFS for more than a stream holds (64 MB, see
  /// StreamOptions::max_buffered), which breaks it: write_all() sends any amount.
  Expected<> send(std::string_view body = {});
  /// Takes a large body over without a copy.
  template <std::same_as<std::string> String>
  Expected<> send(String&& body) {
    return send_owned(std::forward<String>(body));
  }

  /// Sends a piece of the body, the head before the first one: in chunks, or as it is if a
  /// Content-Length was set. EMSGSIZE for more than that. After Flow::wait, await drained() or use
  /// write_all().
  Expected<Flow> write(std::string_view piece);
  /// Writes, and waits until there is room for more. `piece` has to stay until it is written. When
  /// it is stopped in that wait, it gives its result: the piece was accepted, and is sent.
  [[nodiscard]] WriteBodyOp write_all(std::string_view piece) { return {message_, piece}; }
  /// Waits until what was written has gone.
  [[nodiscard]] WriteBodyOp drained() { return {message_, {}}; }
  /// Completes a response that was written in pieces.
  Expected<> end();

  /// Sends a regular file, with its Content-Type unless one was set: in one piece with the head
  /// when it is small, else as fast as the peer reads. ENOENT, EACCES, EISDIR ...: nothing was
  /// sent, and the response is still to be made. `head_sent()` says which.
  [[nodiscard]] Async<Expected<>> send_file(fs::Path path);

  bool head_sent() const;
  /// Whether header() has added a line with this name.
  bool has_header(std::string_view name) const;

  /// Lets go of the connection, after a request with the method CONNECT or a header Upgrade: sends
  /// the head of the response (101 unless set), and what follows is the caller's. EPIPE as for
  /// send().
  [[nodiscard]] Expected<Upgraded> upgrade();

 private:
  friend class ServerConnection;
  explicit Response(detail::MessageRef message) noexcept;
  Expected<> send_owned(std::string body);
  ServerConnection* connection() const noexcept;
  detail::MessageRef message_;
};

class Server {
 public:
  explicit Server(Loop& loop, ServerOptions options = {});
  Server(Server&&) noexcept = default;
  Server& operator=(Server&&) noexcept = default;
  /// Destroys what is open, as destroy() does.
  ~Server();

  /// Called for each request, in the poll phase, when its head has arrived. What it captures stays
  /// for as long as the server, coroutines included.
  template <class Handler>
    requires std::invocable<std::decay_t<Handler>&, Request, Response>
  void on_request(Handler&& handler) {
    using Result = std::invoke_result_t<std::decay_t<Handler>&, Request, Response>;
    if constexpr (std::is_void_v<Result>) {
      set_handler(std::forward<Handler>(handler));
    } else {
      static_assert(rondo::detail::IsSpawnable<Result>,
                    "a handler returns void, Async<> or Async<Expected<>>");
      set_handler([&loop = loop(), handler = std::forward<Handler>(handler)](
                      Request request, Response response) mutable {
        std::stop_token stop = request.stop_token();
        spawn(loop, handler(std::move(request), std::move(response)), stop);
      });
    }
  }

  /// Errors as TcpServer::listen(). May be called again for another address.
  [[nodiscard]] Expected<> listen(const SocketAddress& address, ListenOptions options = {});
  /// Speaks HTTP on a stream that was accepted elsewhere: a TlsSocket, a UnixSocket. A TcpSocket
  /// should have been accepted with StreamOptions::allow_half_open, or clients that end their side
  /// after the request get no answer.
  void serve(AnyStream stream);

  /// Of the first listen(), with the port that the kernel chose.
  SocketAddress address() const;
  std::size_t connections() const;
  std::uint64_t requests() const;  // ever

  /// Listens no more, closes connections that wait for a request, and the others when they have
  /// been answered, at the latest after close_timeout. Then calls `done`, in the close phase.
  void close(Callback<> done = nullptr);
  /// Closes everything at once.
  void destroy();

 private:
  void set_handler(Callback<void(Request, Response)> handler);
  Loop& loop() const noexcept;

  struct Deleter {
    void operator()(ServerState* state) const noexcept;
  };
  std::unique_ptr<ServerState, Deleter> state_;
};

}  // namespace rondo::http
