// What a peer may send to confuse a server: where one request ends and the next begins must not be
// a matter of opinion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_fixture.h"

namespace rondo::http_test {
namespace {

struct Hostile {
  const char* name;
  const char* bytes;
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

class HostileRequest : public HttpTest, public testing::WithParamInterface<Hostile> {};

// Each is followed by "GET /smuggled", which must never be answered.
TEST_P(HostileRequest, IsRefused) {
  int handled = 0;
  bool smuggled = false;
  const auto address = serve([&](http::Request request, http::Response response) -> Async<> {
    ++handled;
    if (request.target() == "/smuggled") smuggled = true;
    if (!co_await request.read_all()) co_return;
    response.send("x");
  });
  const std::string answer =
      ask(address, std::string(GetParam().bytes) +
                       "GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_FALSE(smuggled) << answer;
  EXPECT_THAT(status_of(answer), testing::AnyOf("400", "505", "417", "431")) << answer;
  EXPECT_LE(handled, 1);
}

constexpr Hostile kHostile[] = {
    {"BothLengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: "
     "chunked\r\n\r\n0\r\n\r\n"},
    {"BothLengthsTheOtherWay",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: "
     "5\r\n\r\n0\r\n\r\n"},
    {"TwoLengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n"},
    {"TheSameLengthTwice",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"},
    {"AListOfLengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 0\r\n\r\n"},
    {"ANegativeLength", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"},
    {"ASignedLength", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +0\r\n\r\n"},
    {"AHexLength", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x0\r\n\r\n"},
    {"AnEnormousLength",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n"},
    {"ALengthWithASpaceInside", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0 0\r\n\r\n"},
    {"AnEmptyLength", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n"},
    {"ALineThatIsFolded", "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n"},
    {"ALineThatIsFoldedByATab", "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n\tb\r\n\r\n"},
    {"AFirstLineThatBeginsWithASpace", "GET / HTTP/1.1\r\n Host: x\r\n\r\n"},
    {"ASpaceBeforeTheColon", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 0\r\n\r\n"},
    {"ASpaceInAName", "GET / HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n"},
    {"NoColon", "GET / HTTP/1.1\r\nHost: x\r\nABC\r\n\r\n"},
    {"NoName", "GET / HTTP/1.1\r\nHost: x\r\n: c\r\n\r\n"},
    {"ABareLineFeedAfterALine", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n"},
    {"ABareLineFeedAfterTheFirstLine", "GET / HTTP/1.1\nHost: x\r\n\r\n"},
    {"ABareLineFeedAtTheEnd", "GET / HTTP/1.1\r\nHost: x\r\n\n"},
    {"ABareCarriageReturnInAValue", "GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n"},
    {"ABareCarriageReturnInAName", "GET / HTTP/1.1\r\nHost: x\r\nA\rB: d\r\n\r\n"},
    {"AControlCharacterInAValue", "GET / HTTP/1.1\r\nHost: x\r\nA: b\x01\r\n\r\n"},
    {"AnotherEncoding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n"},
    {"AnEncodingAfterChunked",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
    {"AnEncodingWithAJunkCharacter",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \x0b"
     "chunked\r\n\r\n0\r\n\r\n"},
    {"AnEncodingThatIsAlmostChunked",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
    {"AnEncodingAndHttp10",
     "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {"AChunkSizeThatIsNone",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n\r\n"},
    {"AChunkSizeWithASign",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n"},
    {"AChunkSizeInHexNotation",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n"},
    {"AChunkSizeThatOverflows",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n"},
    {"AChunkSizeFollowedByASpace",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0 \r\n\r\n"},
    {"AChunkSizeFollowedByABareLineFeed",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n"},
    {"AChunkThatIsLonger",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"},
    {"AChunkWithoutItsEnd",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na0\r\n\r\n"},
    {"NoHost", "GET / HTTP/1.1\r\nA: b\r\n\r\n"},
    {"TwoHosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"},
    {"AnUnknownMethod", "SMUGGLE / HTTP/1.1\r\nHost: x\r\n\r\n"},
    {"ALowercaseMethod", "get / HTTP/1.1\r\nHost: x\r\n\r\n"},
    {"AnotherVersion", "GET / HTTP/3.7\r\nHost: x\r\n\r\n"},
    {"HttpOneTwo", "GET / HTTP/1.2\r\nHost: x\r\n\r\n"},
    {"NoVersion", "GET /\r\nHost: x\r\n\r\n"},
    {"TheOtherProtocol", "\x16\x03\x01\x02"},
    {"HttpTwo", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {"ASpaceInTheTarget", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"},
    {"ANulByteWouldEndIt", "GET /\x7f HTTP/1.1\r\nHost: x\r\n\r\n"},
};

INSTANTIATE_TEST_SUITE_P(Corpus, HostileRequest, testing::ValuesIn(kHostile),
                         [](const auto& one) { return one.param.name; });

class Hostiles : public HttpTest {};

TEST_F(Hostiles, CannotFloodTheServerWithRequestsNobodyAnswers) {
  std::vector<http::Response> kept;
  const auto address =
      serve([&](http::Request, http::Response response) { kept.push_back(response); });
  const Peer peer(address);
  ::fcntl(peer.fd(), F_SETFL, O_NONBLOCK);
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  std::size_t sent = 0;
  for (int quiet = 0; quiet < 50;) {
    const ssize_t count = ::send(peer.fd(), requests.data(), requests.size(), MSG_NOSIGNAL);
    quiet = count > 0 ? 0 : quiet + 1;
    if (count > 0) sent += static_cast<std::size_t>(count);
    loop.run_once();
  }
  EXPECT_EQ(kept.size(), 1U);
  EXPECT_LT(sent, 32U << 20);
}

TEST_F(Hostiles, MayEndAnywhere) {
  const std::string request =
      "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  const auto address = serve([&](http::Request asked, http::Response response) -> Async<> {
    if (const auto body = co_await asked.read_all()) response.send(*body);
  });
  for (std::size_t size = 0; size < request.size(); ++size) {
    const Peer peer(address);
    peer.send(request.substr(0, size));
    peer.shut();
    EXPECT_EQ(receive_to_end(peer), "") << size;
  }
  for (std::size_t size = 1; size < request.size(); ++size) {  // and in two pieces
    const Peer peer(address);
    peer.send(request.substr(0, size));
    loop.run_once();
    loop.run_once();
    peer.send(request.substr(size));
    EXPECT_EQ(body_of(receive_response(peer)), "abc") << size;
  }
}

TEST_F(Hostiles, MayResetAtAnyMoment) {
  const auto address = serve([&](http::Request asked, http::Response response) -> Async<> {
    const auto body = co_await asked.read_all();
    if (!body) co_return;
    if (!co_await response.write_all(*body)) co_return;
    if (!co_await sleep_for(1ms)) co_return;
    response.end();
  });
  for (int turns = 0; turns < 30; ++turns) {
    Peer peer(address);
    peer.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab");
    for (int i = 0; i < turns / 2; ++i) loop.run_once();
    ::send(peer.fd(), "c", 1, MSG_NOSIGNAL);
    for (int i = 0; i < turns / 2; ++i) loop.run_once();
    peer.reset();
  }
  run_until([&] { return server->connections() == 0; });
}

}  // namespace
}  // namespace rondo::http_test
