// HTTP and WebSocket, client and server, disturbed at every point where they may stand
// (tests/stop_everywhere.h).
#include "stop_everywhere.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/http.h"
#include "rondo/websocket.h"

#include "http/http_fixture.h"
#include "pattern.h"

namespace rondo::http_test {
namespace {

using http::Client;
using http::ClientRequest;
using http::ClientResponse;
using http::ClientUpload;
using http::Request;
using http::Response;
using http::Server;
using namespace stop_everywhere;

constexpr std::size_t kParts = 4;
const std::string& part_of_body() {
  static const std::string part = pattern(40'000);
  return part;
}

/// A server that answers GET with a body in parts, and POST with the body that was sent; and its
/// client.
struct Both {
  explicit Both(Loop& loop) : server(loop), client(loop) {
    server.on_request([](Request request, Response response) -> Async<> {
      if (request.method() == "GET") {
        for (std::size_t i = 0; i < kParts; ++i) {
          const auto sent = co_await response.write_all(part_of_body());
          if (!sent) co_return;
          if (i % 2 == 0) co_await sleep_for(1ms);
        }
        response.end();
        co_return;
      }
      const auto body = co_await request.read_all();
      if (body) response.send(*body);
    });
    EXPECT_TRUE(server.listen(SocketAddress::loopback(0)));
    url = "http://" + server.address().to_string() + "/";
  }
  /// Everything still works, and nothing hangs about.
  Async<> works() {
    auto again = co_await client.post(url, "again");
    CO_REQUIRE(again);
    EXPECT_EQ(co_await again->read_all(), "again");
    again = std::unexpected(errno_code(EBADF));
    client.close_idle();
    while (server.connections() != 0) co_await sleep_for(1ms);
    server.destroy();
  }
  Server server;
  Client client;
  std::string url;
  std::string got;
};

std::string whole_body() {
  std::string text;
  for (std::size_t i = 0; i < kParts; ++i) text += part_of_body();
  return text;
}

Trial ask(Loop& loop) {
  auto s = std::make_shared<Both>(loop);
  return {.body = [s]() -> Async<std::string> {
            auto response = co_await s->client.get(s->url);
            if (!response) co_return name_of(response);
            const auto text = co_await response->read_all();
            if (text) {
              EXPECT_TRUE(*text == whole_body());
            }
            co_return name_of(text);
          },
          .after = [s](const std::string&) -> Async<> { co_await s->works(); }};
}

Trial read_response(Loop& loop) {
  struct State : Both {
    using Both::Both;
    std::optional<ClientResponse> response;
  };
  auto s = std::make_shared<State>(loop);
  const auto read = [s]() -> Async<std::string> {
    if (!s->response) {
      auto response = co_await s->client.get(s->url);
      if (!response) co_return name_of(response);
      s->response = *response;
    }
    for (;;) {
      const auto part = co_await s->response->read();
      if (!part) co_return name_of(part);
      if (part->empty()) co_return "end";
      s->got += *part;
    }
  };
  return {.body = read, .after = [s, read](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read(), "end");
            }
            EXPECT_TRUE(s->got == whole_body()) << s->got.size();
            s->response.reset();
            co_await s->works();
          }};
}

Trial upload(Loop& loop) {
  struct State : Both {
    using Both::Both;
    std::optional<ClientUpload> upload;
    std::size_t sent = 0;
  };
  auto s = std::make_shared<State>(loop);
  const auto send = [s]() -> Async<std::string> {
    if (!s->upload) {
      auto upload = co_await s->client.upload(ClientRequest("POST", s->url));
      if (!upload) co_return name_of(upload);
      s->upload = *upload;
    }
    // One that was cancelled has not gone, or it has and says so.
    while (s->sent < kParts) {
      const auto written = co_await s->upload->write_all(part_of_body());
      if (!written) co_return name_of(written);
      ++s->sent;
    }
    co_return "sent";
  };
  return {.body = send, .after = [s, send](const std::string& said) -> Async<> {
            if (said != "sent") {
              EXPECT_EQ(co_await send(), "sent");
            }
            auto response = co_await s->upload->finish();
            CO_REQUIRE(response);
            const auto text = co_await response->read_all();
            CO_REQUIRE(text);
            EXPECT_TRUE(*text == whole_body()) << text->size();
            response = std::unexpected(errno_code(EBADF));
            s->upload.reset();
            co_await s->works();
          }};
}

Trial finish_upload(Loop& loop) {
  auto s = std::make_shared<Both>(loop);
  return {.body = [s]() -> Async<std::string> {
            auto upload = co_await s->client.upload(ClientRequest("POST", s->url));
            if (!upload) co_return name_of(upload);
            if (const auto written = co_await upload->write_all("body"); !written)
              co_return name_of(written);
            auto response = co_await upload->finish();
            if (!response) co_return name_of(response);
            co_return name_of(co_await response->read_all());
          },
          .after = [s](const std::string&) -> Async<> { co_await s->works(); }};
}

/// The server's side: the handler hands its request over, and a raw peer is at the other end.
struct Handled {
  explicit Handled(Loop& loop, std::string_view bytes) : server(loop) {
    server.on_request([this](Request to, Response with) {
      request = std::move(to);
      response = std::move(with);
    });
    EXPECT_TRUE(server.listen(SocketAddress::loopback(0)));
    peer = Peer(server.address());
    const int few = 32 << 10;
    EXPECT_EQ(::setsockopt(peer.fd(), SOL_SOCKET, SO_RCVBUF, &few, sizeof(few)), 0);
    peer.send(bytes);
    while (!request) loop.run_once();
  }
  /// Takes what the peer has received.
  void drain() {
    if (ended || !peer.readable()) return;
    const std::string part = peer.receive(32U << 10);
    ended = part.empty();
    received += part;
  }
  Async<> drained() {
    while (!ended) co_await sleep_for(1ms);
  }
  Server server;
  Peer peer;
  std::optional<Request> request;
  std::optional<Response> response;
  std::string got;
  std::string received;
  std::size_t sent = 0;
  bool ended = false;
};

void drain_every_ms(Loop& loop, const std::shared_ptr<Handled>& state) {
  loop.set_interval(1ms,
                    [weak = std::weak_ptr(state)] {
                      if (const auto strong = weak.lock()) strong->drain();
                    })
      .unref();
}

Trial read_request(Loop& loop, bool chunked) {
  const std::string body = pattern(60'000);
  auto s = std::make_shared<Handled>(
      loop, std::string("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n") +
                (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: 60000\r\n\r\n"));
  loop.set_interval(1ms,
                    [weak = std::weak_ptr(s), body, chunked, at = std::size_t{0}]() mutable {
                      const auto strong = weak.lock();
                      if (!strong || at > body.size()) return;
                      const std::string part = body.substr(at, 20'000);
                      at += 20'000;
                      if (chunked) {
                        strong->peer.send(part.empty() ? "0\r\n\r\n" : "4e20\r\n" + part + "\r\n");
                      } else if (!part.empty()) {
                        strong->peer.send(part);
                      }
                    })
      .unref();
  const auto read = [s]() -> Async<std::string> {
    for (;;) {
      const auto part = co_await s->request->read();
      if (!part) co_return name_of(part);
      if (part->empty()) co_return "end";
      s->got += *part;
    }
  };
  return {.body = read, .after = [s, read](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read(), "end");
            }
            EXPECT_TRUE(s->got == pattern(60'000)) << s->got.size();
            s->response->send("done");
            while (!s->peer.readable()) co_await sleep_for(1ms);
            EXPECT_EQ(body_of(s->peer.receive()), "done");
            s->peer.close();
            while (s->server.connections() != 0) co_await sleep_for(1ms);
            s->server.destroy();
          }};
}

Trial write_response(Loop& loop) {
  auto s =
      std::make_shared<Handled>(loop, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  drain_every_ms(loop, s);
  s->response->header("Content-Length", std::to_string(whole_body().size()));
  const auto write = [s]() -> Async<std::string> {
    while (s->sent < kParts) {
      const auto written = co_await s->response->write_all(part_of_body());
      if (!written) co_return name_of(written);
      ++s->sent;
    }
    co_return name_of(co_await s->response->drained());
  };
  return {.body = write, .after = [s, write](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_EQ(co_await write(), "ok");
            }
            s->response->end();
            co_await s->drained();
            EXPECT_TRUE(body_of(s->received) == whole_body()) << s->received.size();
            s->server.destroy();
          }};
}

Trial send_a_file(Loop& loop, std::size_t size) {
  struct State : Handled {
    explicit State(Loop& on)
        : Handled(on, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") {}
    net_test::TemporaryFolder folder;
  };
  auto s = std::make_shared<State>(loop);
  drain_every_ms(loop, s);
  const std::string path = s->folder.path / "file";
  std::ofstream(path) << pattern(size);
  return {
      .body = [s, path] { return outcome(s->response->send_file(path)); },
      .after = [s, size](const std::string& said) -> Async<> {
        if (!s->response->head_sent() && said != "ok") {
          s->response->send("instead");  // nothing was sent, and the response is still to be made
          co_await s->drained();
          EXPECT_EQ(body_of(s->received), "instead");
        } else {
          s->response.reset();
          co_await s->drained();
          const std::string got = body_of(s->received);
          if (said == "ok") {
            EXPECT_EQ(got.size(), size);
          }
          EXPECT_TRUE(got == pattern(size).substr(0, got.size()));
        }
        s->server.destroy();
      }};
}

// ---- WebSocket ----------------------------------------------------------------------------------

struct Sockets {
  explicit Sockets(Loop& loop) : server(loop), client(loop) {
    server.on_request([this](Request request, Response response) {
      auto socket = WebSocket::accept(request, std::move(response));
      if (socket) theirs = *std::move(socket);
    });
    EXPECT_TRUE(server.listen(SocketAddress::loopback(0)));
    url = "ws://" + server.address().to_string() + "/";
  }
  void connect(Loop& loop) {
    bool done = false;
    spawn(loop, [&]() -> Async<> {
      auto socket = co_await WebSocket::connect(client, url);
      CO_REQUIRE(socket);
      ours = *socket;
      done = true;
    });
    while (!done || !theirs) loop.run_once();
  }
  Async<> close() {
    if (ours) ours.destroy();
    if (theirs) theirs.destroy();
    client.close_idle();
    server.destroy();
    co_return;
  }
  Server server;
  Client client;
  std::string url;
  WebSocket ours;
  WebSocket theirs;
  std::vector<std::string> got;
  int sent = 0;
};

Trial open_socket(Loop& loop) {
  auto s = std::make_shared<Sockets>(loop);
  return {.body = [s]() -> Async<std::string> {
            auto socket = co_await WebSocket::connect(s->client, s->url);
            if (socket) s->ours = *socket;
            co_return name_of(socket);
          },
          .after = [s](const std::string& said) -> Async<> {
            if (said == "ok") {
              while (!s->theirs) co_await sleep_for(1ms);
              s->theirs.send("hello");
              const auto message = co_await s->ours.read();
              CO_REQUIRE(message);
              EXPECT_EQ(message->data, "hello");
            } else if (s->theirs) {
              EXPECT_FALSE(co_await s->theirs.read());  // it was closed
            }
            co_await s->close();
          }};
}

Trial read_messages(Loop& loop) {
  auto s = std::make_shared<Sockets>(loop);
  s->connect(loop);
  loop.set_interval(1ms,
                    [weak = std::weak_ptr(s)] {
                      const auto strong = weak.lock();
                      if (!strong || strong->sent == 4) return;
                      strong->theirs.send(std::to_string(strong->sent++) + std::string(3000, 'x'));
                      if (strong->sent == 4) strong->theirs.close();
                    })
      .unref();
  const auto read = [s]() -> Async<std::string> {
    for (;;) {
      const auto message = co_await s->ours.read();
      if (!message && message.error() == WebSocketError::closed) co_return "end";
      if (!message) co_return name_of(message);
      s->got.push_back(message->data.substr(0, 1));
    }
  };
  return {.body = read, .after = [s, read](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read(), "end");
            }
            EXPECT_EQ(s->got, (std::vector<std::string>{"0", "1", "2", "3"}));
            co_await s->close();
          }};
}

Trial drain_messages(Loop& loop) {
  auto s = std::make_shared<Sockets>(loop);
  s->connect(loop);
  s->theirs.on_message([weak = std::weak_ptr(s)](WebSocketMessage& message) {
    if (const auto strong = weak.lock()) strong->got.push_back(message.data.substr(0, 1));
  });
  const auto send = [s]() -> Async<std::string> {
    const std::string text = pattern(70'000);
    while (s->sent < 3) {
      const std::string numbered = std::to_string(s->sent) + text;
      const auto sent = s->ours.send_binary(std::as_bytes(std::span(numbered)));
      if (!sent) co_return name_of(sent);
      ++s->sent;
      if (const auto drained = co_await s->ours.drained(); !drained) co_return name_of(drained);
    }
    co_return "end";
  };
  return {.body = send, .after = [s, send](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await send(), "end");
            }
            while (s->got.size() < 3) co_await sleep_for(1ms);
            EXPECT_EQ(s->got, (std::vector<std::string>{"0", "1", "2"}));
            co_await s->close();
          }};
}

const Case kCases[] = {
    {"ask", ask},
    {"read_response", read_response},
    {"upload", upload},
    {"finish_upload", finish_upload},
    {"read_request", [](Loop& loop) { return read_request(loop, false); }},
    {"read_chunked_request", [](Loop& loop) { return read_request(loop, true); }},
    {"write_response", write_response},
    {"send_small_file", [](Loop& loop) { return send_a_file(loop, 1000); }},
    {"send_file", [](Loop& loop) { return send_a_file(loop, 400'000); }},
    {"websocket_connect", open_socket},
    {"websocket_read", read_messages},
    {"websocket_drained", drain_messages},
};

class HttpStopEverywhere : public testing::TestWithParam<Case> {};

TEST_P(HttpStopEverywhere, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, HttpStopEverywhere, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo::http_test
