#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_fixture.h"

namespace rondo::http_test {
namespace {

using http::Request;
using http::Response;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kGet = "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view kLastGet = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

class HttpServer : public HttpTest {};

TEST_F(HttpServer, AnswersWithHeadAndBodyInOnePiece) {
  const auto address = serve([](Request request, Response response) {
    EXPECT_EQ(request.method(), "GET");
    EXPECT_EQ(request.target(), "/a?b=c");
    EXPECT_EQ(request.path(), "/a");
    EXPECT_EQ(request.query(), "b=c");
    EXPECT_EQ(request.header("HOST"), "x");
    EXPECT_EQ(request.header("absent"), std::nullopt);
    response.header("X-Y", "z").send("hello");
  });
  const Peer peer(address);
  peer.send(kGet);
  run_until([&] { return peer.readable(); });
  const std::string answer = peer.receive();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nX-Y: z\r\nDate: "));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Length: 5\r\n\r\nhello"));
}

TEST_F(HttpServer, KeepsTheConnectionForTheNextRequest) {
  const auto address = serve([](Request, Response response) { response.send("hello"); });
  const Peer peer(address);
  for (int i = 0; i < 3; ++i) {
    peer.send(kGet);
    EXPECT_EQ(body_of(receive_response(peer)), "hello");
  }
  EXPECT_EQ(server->requests(), 3U);
  EXPECT_EQ(server->connections(), 1U);
}

TEST_F(HttpServer, AnswersPipelinedRequestsInOrder) {
  const auto address = serve([this](Request request, Response response) -> Async<> {
    const std::string target(request.target());
    if (target == "/1") co_await sleep_for(5ms);
    response.send(target);
  });
  const std::string answers =
      ask(address,
          "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
          "GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(count_of(answers, "HTTP/1.1 200 OK"), 3U);
  EXPECT_LT(answers.find("/1"), answers.find("/2"));
  EXPECT_LT(answers.find("/2"), answers.find("/3"));
  run_until([&] { return server->connections() == 0; });
}

TEST_F(HttpServer, AnswersAThousandPipelinedRequests) {
  const auto address = serve([](Request, Response response) { response.send("x"); });
  std::string requests;
  for (int i = 0; i < 999; ++i) requests += kGet;
  requests += kLastGet;
  EXPECT_EQ(count_of(ask(address, requests), "HTTP/1.1 200"), 1000U);
}

TEST_F(HttpServer, ClosesWhenAskedTo) {
  const auto address = serve([](Request, Response response) { response.send("bye"); });
  const std::string answer = ask(address, kLastGet);
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(body_of(answer), "bye");
}

TEST_F(HttpServer, SpeaksHttp10) {
  const auto address = serve([](Request, Response response) {
    response.write("in ");
    response.write("pieces");
    response.end();
  });
  EXPECT_EQ(body_of(ask(address, "GET / HTTP/1.0\r\n\r\n")), "in pieces");
}

TEST_F(HttpServer, SendsNoBodyForHead) {
  const auto address = serve([](Request, Response response) { response.send("hello"); });
  const std::string answer =
      ask(address, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_EQ(body_of(answer), "");
}

TEST_F(HttpServer, SendsNoBodyWithAStatusThatHasNone) {
  const auto address = serve([](Request, Response response) { response.status(204).send("x"); });
  const std::string answer = ask(address, kLastGet);
  EXPECT_EQ(status_of(answer), "204");
  EXPECT_THAT(answer, Not(HasSubstr("Content-Length")));
  EXPECT_EQ(body_of(answer), "");
}

TEST_F(HttpServer, StreamsChunks) {
  const auto address = serve([](Request, Response response) -> Async<> {
    EXPECT_TRUE(co_await response.write_all("first"));
    co_await sleep_for(2ms);
    EXPECT_TRUE(co_await response.write_all("second"));
    response.end();
  });
  EXPECT_THAT(ask(address, kLastGet),
              HasSubstr("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        "5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n"));
}

TEST_F(HttpServer, StreamsWithAContentLength) {
  const auto address = serve([](Request, Response response) {
    response.header("Content-Length", "4");
    response.write("ab");
    response.write("cd");
    EXPECT_EQ(response.write("e").error(), errno_code(EMSGSIZE));
    response.end();
  });
  EXPECT_EQ(body_of(ask(address, kLastGet)), "abcd");
}

TEST_F(HttpServer, BreaksOffAResponseThatIsShorterThanPromised) {
  const auto address = serve([](Request, Response response) {
    response.header("Content-Length", "10");
    response.write("abc");
    EXPECT_FALSE(response.end());
  });
  EXPECT_EQ(body_of(ask(address, kGet)).substr(0, 10).size() < 10, true);
}

TEST_F(HttpServer, ReadsABodyWithALength) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    const auto body = co_await request.read_all();
    response.send(body ? "got " + *body : "error");
  });
  const Peer peer(address);
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
  for (int i = 0; i < 5; ++i) loop.run_once();
  peer.send("56789");
  EXPECT_EQ(body_of(receive_response(peer)), "got 0123456789");
}

TEST_F(HttpServer, ReadsAChunkedBody) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    const auto body = co_await request.read_all();
    response.send(body ? *body : "error");
  });
  EXPECT_EQ(
      body_of(ask(address,
                  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                  "Connection: close\r\n\r\n3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nTrailer: t\r\n\r\n")),
      "abcde");
}

TEST_F(HttpServer, ReadsAMillionSmallChunks) {
  std::size_t total = 0;
  const auto address = serve(
      [&](Request request, Response response) -> Async<> {
        for (;;) {
          const auto part = co_await request.read();
          if (!part || part->empty()) break;
          total += part->size();
        }
        response.send("done");
      },
      {.max_body_bytes = 2'000'000});
  Peer peer(address);
  std::string chunks;
  for (int i = 0; i < 10'000; ++i) chunks += "1\r\nx\r\n";
  peer.make_room();
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (std::size_t i = 0; i < 100; ++i) {
    peer.send(chunks);
    run_until([&] { return total >= (i + 1) * 10'000U; });
  }
  peer.send("0\r\n\r\n");
  EXPECT_EQ(body_of(receive_response(peer)), "done");
  EXPECT_EQ(total, 1'000'000U);
}

TEST_F(HttpServer, LeavesABodyThatIsNotReadInTheKernel) {
  std::optional<Request> kept;
  std::optional<Response> answer;
  const auto address = serve(
      [&](Request request, Response response) {
        kept = request;
        answer = response;
      },
      {.max_body_bytes = 1U << 30});
  Peer peer(address);
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  run_until([&] { return kept.has_value(); });
  ::fcntl(peer.fd(), F_SETFL, O_NONBLOCK);
  const std::string block(1U << 16, 'x');
  std::size_t sent = 0;
  for (int quiet = 0; quiet < 50;) {
    const ssize_t count = ::send(peer.fd(), block.data(), block.size(), MSG_NOSIGNAL);
    quiet = count > 0 ? 0 : quiet + 1;
    if (count > 0) sent += static_cast<std::size_t>(count);
    loop.run_once();
  }
  EXPECT_LT(sent, 32U << 20);  // what the kernel's buffers hold
}

TEST_F(HttpServer, Continues) {
  const auto address = serve([](Request request, Response response) -> Async<> {
    co_await sleep_for(1ms);
    const auto body = co_await request.read_all();
    response.send(body ? *body : "error");
  });
  const Peer peer(address);
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(receive(peer, [](const std::string& text) { return text.ends_with("\r\n\r\n"); }),
            "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("abc");
  EXPECT_EQ(body_of(receive_response(peer)), "abc");
}

TEST_F(HttpServer, ClosesWhenItDoesNotContinue) {
  const auto address = serve([](Request, Response response) { response.status(403).send("no"); });
  const std::string answer = ask(
      address, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(status_of(answer), "403");
  EXPECT_THAT(answer, HasSubstr("Connection: close"));
}

TEST_F(HttpServer, RefusesOtherExpectations) {
  const auto address = serve([](Request, Response response) { response.send("x"); });
  EXPECT_EQ(status_of(ask(address, "GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n")), "417");
}

TEST_F(HttpServer, AnswersWith500WhenTheHandlerForgets) {
  const auto address = serve([](Request, Response) {});
  EXPECT_EQ(status_of(ask(address, kLastGet)), "500");
}

TEST_F(HttpServer, ReportsWhatAHandlerThrows) {
  int thrown = 0;
  loop.on_uncaught([&](std::exception_ptr) { ++thrown; });
  const auto address = serve([](Request request, Response) {
    if (request.target() == "/a?b=c") throw std::runtime_error("handler");
  });
  const Peer peer(address);
  peer.send(kGet);
  EXPECT_EQ(status_of(receive_response(peer)), "500");
  EXPECT_EQ(thrown, 1);
}

TEST_F(HttpServer, RefusesLinesThatAUserCouldHaveSmuggledIn) {
  const auto address = serve([](Request, Response response) {
    EXPECT_THROW(response.header("X", "a\r\nSet-Cookie: b"), Misuse);
    EXPECT_THROW(response.header("X: y\r\n", "a"), Misuse);
    EXPECT_THROW(response.header("Transfer-Encoding", "chunked"), Misuse);
    EXPECT_THROW(response.status(99), Misuse);
    response.send("x");
  });
  EXPECT_EQ(status_of(ask(address, kLastGet)), "200");
}

TEST_F(HttpServer, AnswersAPeerThatHasEndedItsSide) {
  const auto address = serve([](Request, Response response) -> Async<> {
    co_await sleep_for(5ms);
    response.send("late");
  });
  const Peer peer(address);
  peer.send(kGet);
  peer.shut();
  EXPECT_EQ(body_of(receive_to_end(peer)), "late");
}

TEST_F(HttpServer, StopsAHandlerWhoseClientHasGone) {
  bool cancelled = false;
  const auto address = serve([&](Request, Response response) -> Async<> {
    const auto slept = co_await sleep_for(1h);
    cancelled = !slept && slept.error() == errno_code(ECANCELED);
    EXPECT_FALSE(response.send("x"));
  });
  Peer peer(address);
  peer.send(kGet);
  run_until([&] { return server->requests() == 1; });
  peer.reset();
  run_until([&] { return cancelled; });
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServer, TellsAReaderThatTheBodyIsIncomplete) {
  std::error_code error;
  const auto address = serve([&](Request request, Response) -> Async<> {
    const auto body = co_await request.read_all();
    error = body ? std::error_code() : body.error();
  });
  const Peer peer(address);
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
  peer.shut();
  run_until([&] { return static_cast<bool>(error); });
  EXPECT_EQ(error, http::Error::incomplete);
}

TEST_F(HttpServer, LimitsBodies) {
  std::error_code error;
  const auto address = serve(
      [&](Request request, Response response) -> Async<> {
        const auto body = co_await request.read_all();
        error = body ? std::error_code() : body.error();
        response.status(400).send("x");
      },
      {.max_body_bytes = 100});
  EXPECT_EQ(status_of(ask(address, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n")),
            "413");
  EXPECT_FALSE(error);
  std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 11; ++i) chunked += "a\r\n0123456789\r\n";
  EXPECT_EQ(status_of(ask(address, chunked)), "413");
  run_until([&] { return static_cast<bool>(error); });
}

TEST_F(HttpServer, LimitsHeads) {
  const auto address = serve([](Request, Response response) { response.send("x"); },
                             {.max_head_bytes = 1000, .max_header_lines = 10});
  EXPECT_EQ(status_of(ask(
                address, "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(2000, 'y') + "\r\n\r\n")),
            "431");
  std::string many = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 20; ++i) many += "A: b\r\n";
  EXPECT_EQ(status_of(ask(address, many + "\r\n")), "431");
}

TEST_F(HttpServer, LimitsConnections) {
  const auto address =
      serve([](Request, Response response) { response.send("x"); }, {.max_connections = 2});
  Peer first(address);
  const Peer second(address);
  const Peer third(address);
  for (const Peer* peer : {static_cast<const Peer*>(&first), &second, &third}) peer->send(kGet);
  receive_response(first);
  receive_response(second);
  for (int i = 0; i < 20; ++i) loop.run_once();
  EXPECT_FALSE(third.readable());
  first.close();
  EXPECT_EQ(status_of(receive_response(third)), "200");
}

TEST_F(HttpServer, LimitsRequestsOfAConnection) {
  const auto address =
      serve([](Request, Response response) { response.send("x"); }, {.max_requests = 2});
  const Peer peer(address);
  peer.send(kGet);
  EXPECT_THAT(receive_response(peer), Not(HasSubstr("Connection: close")));
  peer.send(kGet);
  EXPECT_THAT(receive_to_end(peer), HasSubstr("Connection: close"));
}

// ---- Time ---------------------------------------------------------------------------------------

TEST_F(HttpServer, EndsAConnectionThatSendsNoRequest) {
  const auto address = serve([](Request, Response response) { response.send("x"); },
                             {.header_timeout = 40ms, .keep_alive_timeout = 40ms});
  EXPECT_EQ(ask(address, ""), "");
  EXPECT_EQ(status_of(ask(address, "GET / HT")), "408");
  const Peer idle(address);
  idle.send(kGet);
  EXPECT_EQ(status_of(receive_to_end(idle)), "200");
}

TEST_F(HttpServer, EndsARequestThatDripsIn) {
  const auto address =
      serve([](Request, Response response) { response.send("x"); }, {.header_timeout = 60ms});
  const Peer peer(address);
  peer.send("GET / HTTP/1.1\r\nHost: x\r\n");
  std::string answer;
  run_until([&] {
    ::usleep(2000);
    ::send(peer.fd(), "X: y\r\n", 6, MSG_NOSIGNAL);  // slowloris
    if (peer.readable()) answer += peer.receive();
    return !answer.empty();
  });
  EXPECT_EQ(status_of(answer), "408");
}

TEST_F(HttpServer, EndsABodyThatDoesNotCome) {
  std::error_code error;
  const auto address = serve(
      [&](Request request, Response) -> Async<> {
        const auto body = co_await request.read_all();
        error = body.error();
      },
      {.idle_timeout = 40ms});
  const std::string answer =
      ask(address, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0");
  EXPECT_EQ(error, http::Error::timed_out);
  EXPECT_EQ(status_of(answer), "408");
}

TEST_F(HttpServer, EndsAPeerThatDoesNotRead) {
  const auto address =
      serve([](Request, Response response) { response.send(std::string(32U << 20, 'x')); },
            {.idle_timeout = 60ms});
  const Peer peer(address);
  peer.send(kGet);
  run_until([&] { return server->connections() == 1; });
  run_until([&] { return server->connections() == 0; });
}

// ---- Closing ------------------------------------------------------------------------------------

TEST_F(HttpServer, ClosesGracefully) {
  bool closed = false;
  std::optional<Response> kept;
  const auto address = serve([&](Request, Response response) { kept = std::move(response); });
  Peer idle(address);
  Peer busy(address);
  busy.send(kGet);
  run_until([&] { return kept && server->connections() == 2; });
  server->close([&] { closed = true; });
  EXPECT_EQ(receive_to_end(idle), "");
  idle.close();
  EXPECT_FALSE(closed);
  kept->send("finished");
  kept.reset();
  const std::string answer = receive_to_end(busy);
  EXPECT_EQ(body_of(answer), "finished");
  EXPECT_THAT(answer, HasSubstr("Connection: close"));
  busy.close();
  run_until([&] { return closed; });
}

TEST_F(HttpServer, ClosesInTheEndWhoeverIsInFlight) {
  bool closed = false;
  std::optional<Response> kept;
  const auto address = serve([&](Request, Response response) { kept = std::move(response); },
                             {.keep_alive_timeout = 50ms, .close_timeout = 50ms});
  const Peer peer(address);
  peer.send(kGet);
  run_until([&] { return kept.has_value(); });
  server->close([&] { closed = true; });
  run_until([&] { return closed; });
  EXPECT_FALSE(kept->send("x"));
}

TEST_F(HttpServer, MayGoAwayInsideItsHandler) {
  const auto address = serve([&](Request, Response response) {
    response.send("x");
    server->destroy();
  });
  const Peer peer(address);
  peer.send(kGet);
  receive_to_end(peer);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServer, LeavesHandlesBehind) {
  std::optional<Response> kept;
  std::optional<Request> request;
  const auto address = serve([&](Request asked, Response response) {
    request = asked;
    kept = response;
  });
  const Peer peer(address);
  peer.send(kGet);
  run_until([&] { return kept.has_value(); });
  server.reset();
  EXPECT_EQ(request->target(), "");
  EXPECT_FALSE(kept->send("x"));
  kept.reset();
}

// ---- Upgrades -----------------------------------------------------------------------------------

TEST_F(HttpServer, HandsTheStreamOver) {
  std::optional<http::Upgraded> upgraded;
  const auto address = serve([&](Request, Response response) -> Async<> {
    co_await sleep_for(1ms);
    auto stream = response.header("Upgrade", "echo").header("Connection", "Upgrade").upgrade();
    if (stream) upgraded = *std::move(stream);
  });
  const Peer peer(address);
  peer.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nfirst");
  run_until([&] { return upgraded.has_value(); });
  EXPECT_EQ(upgraded->first_bytes, "first");
  upgraded->stream.on_data([&](auto bytes) { upgraded->stream.write(bytes); });
  EXPECT_THAT(receive(peer, [](const std::string& text) { return text.ends_with("\r\n\r\n"); }),
              StartsWith("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n"));
  peer.send("hello");
  EXPECT_EQ(receive(peer, [](const std::string& text) { return text.size() == 5; }), "hello");
  upgraded->stream.destroy();
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServer, NeedNotUpgrade) {
  const auto address = serve([](Request, Response response) { response.send("plain"); });
  const std::string answers =
      ask(address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n" +
                       std::string(kLastGet));
  EXPECT_EQ(count_of(answers, "plain"), 2U);
}

// ---- Files --------------------------------------------------------------------------------------

TEST_F(HttpServer, SendsFiles) {
  const net_test::TemporaryFolder folder;
  const std::string large = pattern(700'000);
  std::ofstream(folder.path / "small.html") << "<p>";
  std::ofstream(folder.path / "large.bin") << large;
  const auto address = serve([&](Request request, Response response) -> Async<> {
    const auto sent = co_await response.send_file(folder.path / request.path().substr(1));
    if (!sent && !response.head_sent()) response.status(404).send(error_name(sent.error()));
  });
  const auto get = [&](const std::string& name) {
    return ask(address, "GET /" + name + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  };
  const std::string small = get("small.html");
  EXPECT_THAT(small, HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
  EXPECT_EQ(body_of(small), "<p>");
  EXPECT_EQ(body_of(get("large.bin")), large);
  EXPECT_EQ(body_of(get("none")), "ENOENT");
}

TEST_F(HttpServer, AFileThatCannotBeSentLeavesTheResponseAsItWas) {
  const net_test::TemporaryFolder folder;
  const auto address = serve([&](Request request, Response response) -> Async<> {
    const auto sent = co_await response.send_file(folder.path / request.path().substr(1));
    if (sent) co_return;
    EXPECT_FALSE(response.has_header("Content-Type"));
    response.status(404).header("Content-Type", "text/plain").send("none");
  });
  const std::string answer =
      ask(address, "GET /none.png HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain\r\n"));
  EXPECT_THAT(answer, Not(HasSubstr("image/png")));
}

TEST_F(HttpServer, ReadsNoLargeFileForHead) {
  const net_test::TemporaryFolder folder;
  const auto path = folder.path / "enormous.bin";
  std::ofstream(path) << "x";
  std::filesystem::resize_file(path, 1ULL << 40);  // sparse
  const auto address = serve([&](Request, Response response) -> Async<> {
    EXPECT_TRUE(co_await response.send_file(path));
  });
  const std::string answer =
      ask(address, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 1099511627776\r\n"));
  EXPECT_EQ(body_of(answer), "");
}

}  // namespace
}  // namespace rondo::http_test
