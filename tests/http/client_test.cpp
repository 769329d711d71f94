#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_fixture.h"

namespace rondo::http_test {
namespace {

using http::Client;
using http::ClientRequest;
using http::Request;
using http::Response;

class HttpClient : public HttpTest {
 protected:
  /// Runs a coroutine to its end.
  template <class Body>
  void run(Body&& body) {
    bool done = false;
    spawn(loop, [&]() -> Async<> {
      co_await body();
      done = true;
    });
    run_until([&] { return done; });
  }
  std::string url(const SocketAddress& address, std::string_view path = "/") {
    return "http://" + address.to_string() + std::string(path);
  }
  /// A listener whose peers the test plays itself.
  TcpServer raw = listening_server();
  std::string raw_url() { return url(raw.address()); }
};

TEST_F(HttpClient, Asks) {
  const auto address = serve([](Request request, Response response) {
    response.header("X-Host", *request.header("host"))
        .send("hello " + std::string(request.target()));
  });
  Client client(loop);
  run([&]() -> Async<> {
    auto response = co_await client.get(url(address, "/a?b#c"));
    CO_REQUIRE(response);
    EXPECT_EQ(response->status(), 200);
    EXPECT_EQ(response->header("x-host"), address.to_string());
    EXPECT_EQ(co_await response->read_all(), "hello /a?b");
  });
}

TEST_F(HttpClient, KeepsConnections) {
  const auto address = serve([](Request, Response response) { response.send("x"); });
  Client client(loop);
  run([&]() -> Async<> {
    for (int i = 0; i < 3; ++i) {
      auto response = co_await client.get(url(address));
      CO_REQUIRE(response);
      EXPECT_EQ(co_await response->read_all(), "x");
      EXPECT_EQ(client.idle_connections(), 1U);
    }
  });
  EXPECT_EQ(server->connections(), 1U);
}

TEST_F(HttpClient, SendsABody) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    const auto body = co_await request.read_all();
    response.send(body ? std::string(request.method()) + *body : "error");
  });
  Client client(loop);
  run([&]() -> Async<> {
    auto response = co_await client.post(url(address), std::string(300'000, 'x'));
    CO_REQUIRE(response);
    EXPECT_EQ(co_await response->read_all(), "POST" + std::string(300'000, 'x'));
  });
}

TEST_F(HttpClient, StreamsBothWays) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    for (auto part = co_await request.read(); part && !part->empty();
         part = co_await request.read()) {
      if (!co_await response.write_all(*part)) co_return;
    }
    response.end();
  });
  Client client(loop);
  run([&]() -> Async<> {
    auto upload = co_await client.upload(ClientRequest("PUT", url(address)));
    CO_REQUIRE(upload);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(co_await upload->write_all("0123456789"));
    auto response = co_await upload->finish();
    CO_REQUIRE(response);
    const auto body = co_await response->read_all();
    EXPECT_EQ(body->size(), 1000U);
  });
}

TEST_F(HttpClient, ClosesAnUploadThatIsDropped) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    if (co_await request.read_all()) response.send("x");
  });
  Client client(loop);
  run([&]() -> Async<> {
    auto upload = co_await client.upload(ClientRequest("PUT", url(address)));
    EXPECT_TRUE(co_await upload->write_all("0123456789"));
    co_await sleep_for(2ms);
  });
  run_until([&] { return server->connections() == 0; });
}

TEST_F(HttpClient, EndsAnUploadThatNobodyReads) {
  Client client(loop, {.idle_timeout = 50ms});
  run([&]() -> Async<> {
    auto upload = co_await client.upload(ClientRequest("PUT", raw_url()));
    CO_REQUIRE(upload);
    while (accepted.empty()) co_await sleep_for(1ms);
    accepted[0].pause();
    const std::string piece(1U << 20, 'x');
    Expected<> written;
    while (written) written = co_await upload->write_all(piece);
    EXPECT_EQ(written.error(), http::Error::timed_out);
    EXPECT_FALSE(co_await upload->finish());
  });
}

TEST_F(HttpClient, RefusesAMethodThatCouldHaveBeenSmuggledIn) {
  EXPECT_THROW(ClientRequest("GET / HTTP/1.1\r\nHost: evil\r\n\r\nGET", raw_url()), Misuse);
  EXPECT_THROW(ClientRequest("GET /", raw_url(), "body"), Misuse);
  EXPECT_THROW(ClientRequest("", raw_url()), Misuse);
}

TEST_F(HttpClient, AConnectorMayBeReplacedWhileItConnects) {
  const auto address = serve([](Request, Response response) { response.send("x"); });
  Client client(loop);
  const std::string marker = "captures of a coroutine that are still in use";
  client.set_connector("http", 80,
                       [marker, address](std::string, std::uint16_t) -> Async<Expected<AnyStream>> {
                         co_await sleep_for(5ms);
                         EXPECT_EQ(marker.size(), 45U);
                         auto socket = co_await TcpSocket::connect(address);
                         if (!socket) co_return std::unexpected(socket.error());
                         co_return AnyStream(*std::move(socket));
                       });
  loop.set_timeout(1ms, [&] {
    client.set_connector("http", 80, [](std::string, std::uint16_t) -> Async<Expected<AnyStream>> {
      co_return std::unexpected(errno_code(ECONNREFUSED));
    });
  });
  EXPECT_THROW(client.set_connector("other", 80, nullptr), Misuse);
  run([&]() -> Async<> {
    auto response = co_await client.get("http://elsewhere/");
    CO_REQUIRE(response);
    EXPECT_EQ(co_await response->read_all(), "x");
  });
}

TEST_F(HttpClient, ReadsABodyThatEndsWithTheConnection) {
  Client client(loop);
  run([&]() -> Async<> {
    spawn(loop, [&]() -> Async<> {
      while (accepted.empty()) co_await sleep_for(1ms);
      co_await accepted[0].read();
      accepted[0].write("HTTP/1.1 200 OK\r\n\r\nall of ");
      co_await sleep_for(2ms);
      accepted[0].end("it");
    });
    auto response = co_await client.get(raw_url());
    CO_REQUIRE(response);
    EXPECT_EQ(co_await response->read_all(), "all of it");
    EXPECT_EQ(client.idle_connections(), 0U);
  });
}

TEST_F(HttpClient, SkipsInterimResponses) {
  Client client(loop);
  run([&]() -> Async<> {
    spawn(loop, [&]() -> Async<> {
      while (accepted.empty()) co_await sleep_for(1ms);
      co_await accepted[0].read();
      accepted[0].write(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
          "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n");
    });
    auto response = co_await client.get(raw_url());
    CO_REQUIRE(response);
    EXPECT_EQ(response->status(), 204);
    EXPECT_EQ(response->header("x"), "y");
    EXPECT_EQ(co_await response->read_all(), "");
    EXPECT_EQ(client.idle_connections(), 1U);
  });
}

TEST_F(HttpClient, DoesNotWaitForABodyAfterHead) {
  const auto address = serve([](Request, Response response) { response.send("hello"); });
  Client client(loop);
  run([&]() -> Async<> {
    auto response = co_await client.send(ClientRequest("HEAD", url(address)));
    CO_REQUIRE(response);
    EXPECT_EQ(response->header("content-length"), "5");
    EXPECT_EQ(co_await response->read_all(), "");
  });
}

TEST_F(HttpClient, AsksAgainOnANewConnection) {
  const auto address =
      serve([](Request, Response response) { response.send("x"); }, {.keep_alive_timeout = 20ms});
  Client client(loop);
  run([&]() -> Async<> {
    for (int i = 0; i < 3; ++i) {
      auto response = co_await client.get(url(address));
      CO_REQUIRE(response);
      EXPECT_EQ(co_await response->read_all(), "x");
      // The server ends connections around this time: some of them during a request.
      co_await sleep_for(std::chrono::milliseconds(18 + 6 * i));
    }
  });
}

TEST_F(HttpClient, KeepsAResponseWhoseConnectionHasEnded) {
  Client client(loop);
  run([&]() -> Async<> {
    spawn(loop, [&]() -> Async<> {
      while (accepted.empty()) co_await sleep_for(1ms);
      co_await accepted[0].read();
      accepted[0].end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
    });
    auto response = co_await client.get(raw_url());
    CO_REQUIRE(response);
    co_await sleep_for(20ms);
    accepted[0].destroy();
    co_await sleep_for(20ms);
    EXPECT_EQ(co_await response->read_all(), "ab");
    EXPECT_EQ(client.idle_connections(), 0U);
  });
}

TEST_F(HttpClient, TellsWhatWentWrong) {
  Client client(loop, {.response_timeout = 400ms, .max_head_bytes = 1000, .max_body_bytes = 100});
  const auto answer = [&](std::string_view text, bool ends) -> Async<std::error_code> {
    const std::size_t before = accepted.size();
    spawn(loop, [&]() -> Async<> {
      while (accepted.size() == before) co_await sleep_for(1ms);
      TcpSocket socket = accepted.back();
      co_await socket.read();
      socket.write(text);
      if (ends) socket.end();
      if (!ends) co_await sleep_for(600ms);
    });
    auto response = co_await client.get(raw_url());
    if (!response) co_return response.error();
    const auto body = co_await response->read_all();
    co_return body ? std::error_code() : body.error();
  };
  run([&]() -> Async<> {
    EXPECT_EQ(co_await answer("", true), errno_code(ECONNRESET));
    EXPECT_EQ(co_await answer("", false), http::Error::timed_out);
    EXPECT_EQ(co_await answer("SSH-2.0\r\n", true), http::Error::bad_message);
    EXPECT_EQ(co_await answer("HTTP/1.1 200 OK\r\nA: ", true), http::Error::incomplete);
    EXPECT_EQ(co_await answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", true),
              http::Error::incomplete);
    EXPECT_EQ(
        co_await answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", true),
        http::Error::bad_message);
    EXPECT_EQ(co_await answer("HTTP/1.1 200 OK\r\nA: " + std::string(2000, 'x') + "\r\n\r\n", true),
              http::Error::head_too_large);
    EXPECT_EQ(co_await answer("HTTP/1.1 200 OK\r\n\r\n" + std::string(2000, 'x'), true),
              http::Error::body_too_large);
    for (const char* bad : {"", "localhost", "ftp://x/", "http://", "http://a b/", "http://x:0/",
                            "http://x:99999/", "http://u@x/", "http://x/\r\nY: z", "https://x/"}) {
      EXPECT_EQ((co_await client.get(bad)).error(), http::Error::unsupported) << bad;
    }
    const DeadPort dead;
    EXPECT_EQ((co_await client.get(url(dead.address))).error(), errno_code(ECONNREFUSED));
  });
}

TEST_F(HttpClient, IsCancelledWhereverItWaits) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    if (!co_await request.read_all()) co_return;
    if (!co_await sleep_for(2ms)) co_return;
    if (!co_await response.write_all("a")) co_return;
    if (!co_await sleep_for(2ms)) co_return;
    response.end();
  });
  Client client(loop);
  for (int turns = 0; turns < 40; ++turns) {
    std::stop_source stop;
    bool done = false;
    bool cancelled = false;
    spawn(
        loop,
        [&]() -> Async<> {
          auto response = co_await client.post(url(address), "body");
          if (response) {
            const auto body = co_await response->read_all();
            cancelled = !body && body.error() == errno_code(ECANCELED);
          } else {
            cancelled = response.error() == errno_code(ECANCELED);
          }
          done = true;
        },
        stop.get_token());
    for (int i = 0; i < turns && !done; ++i) loop.run_once();
    const bool in_time = !done;
    stop.request_stop();
    run_until([&] { return done; });
    EXPECT_EQ(cancelled, in_time) << turns;
  }
  client.close_idle();
  run_until([&] { return server->connections() == 0; });
}

TEST_F(HttpClient, MayGoBeforeItsResponses) {
  const auto address = serve([](Request, Response response) { response.send("x"); });
  run([&]() -> Async<> {
    std::optional<Client> client(std::in_place, loop);
    auto response = co_await client->get(url(address));
    CO_REQUIRE(response);
    client.reset();
    EXPECT_EQ(co_await response->read_all(), "x");
  });
  run_until([&] { return server->connections() == 0; });
}

TEST_F(HttpClient, LeavesTheLoopWhenIdle) {
  const auto address = serve([this](Request, Response response) {
    response.send("x");
    server->close();
  });
  Client client(loop);
  spawn(loop, [&]() -> Async<> {
    auto response = co_await client.get(url(address));
    CO_REQUIRE(response);
    co_await response->read_all();
  });
  raw.close();
  loop.run();
}

TEST(HttpUrl, IsTakenApart) {
  const auto url = http::Url::parse("HTTP://[::1]:8080?q#f");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "http");
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->port, 8080);
  EXPECT_EQ(url->target, "/?q");
}

}  // namespace
}  // namespace rondo::http_test
