#include "rondo/websocket.h"

#include <chrono>
#include <exception>
#include <span>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_fixture.h"
#include "http/websocket/frames.h"
#include "http/websocket/handshake.h"

namespace rondo::http_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using websocket::Opcode;

// ---- Frames, without a connection ---------------------------------------------------------------

struct Heard final : websocket::FrameEvents {
  std::vector<std::string> events;
  void message_arrived(bool is_text, std::string& data) override {
    events.push_back((is_text ? "text " : "binary ") + data);
  }
  void ping_arrived(std::string_view data) override {
    events.push_back("ping " + std::string(data));
  }
  void pong_arrived(std::string_view data) override {
    events.push_back("pong " + std::string(data));
  }
  void close_arrived(int code, std::string_view reason) override {
    events.push_back("close " + std::to_string(code) + ' ' + std::string(reason));
  }
};

/// Bytes of a frame, as a client or as a server sends it.
std::string frame(int first, std::string_view payload, bool masked = false) {
  std::string made;
  const std::uint8_t mask[4] = {1, 2, 3, 4};
  websocket::append_frame(made, static_cast<Opcode>(first & 0xf), payload, false,
                          masked ? mask : nullptr);
  made[0] = static_cast<char>(first);
  return made;
}

constexpr int kFin = 0x80;

struct Rule {
  const char* name;
  std::string bytes;  // of a server
  int code;           // that it is closed with; 0: it is fine
  std::vector<std::string> events;
};
void PrintTo(const Rule& rule, std::ostream* out) {
  *out << rule.name;
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

const Rule kRules[] = {
    {"Text", frame(kFin | 1, "hello"), 0, {"text hello"}},
    {"Binary", frame(kFin | 2, "\xff"), 0, {"binary \xff"}},
    {"Empty", frame(kFin | 1, ""), 0, {"text "}},
    {"MediumLength",
     frame(kFin | 2, std::string(126, 'x')),
     0,
     {"binary " + std::string(126, 'x')}},
    {"LongLength",
     frame(kFin | 2, std::string(65'536, 'x')),
     0,
     {"binary " + std::string(65'536, 'x')}},
    {"Fragments", frame(1, "a") + frame(0, "b") + frame(kFin | 0, "c"), 0, {"text abc"}},
    {"AControlFrameBetweenFragments",
     frame(1, "a") + frame(kFin | 9, "p") + frame(kFin | 0, "b"),
     0,
     {"ping p", "text ab"}},
    {"Pong", frame(kFin | 10, "p"), 0, {"pong p"}},
    {"CloseWithoutACode", frame(kFin | 8, ""), 0, {"close 1005 "}},
    {"CloseWithACode", frame(kFin | 8, bytes({3, 232}) + "bye"), 0, {"close 1000 bye"}},
    {"CloseWithACodeOfOnesOwn", frame(kFin | 8, bytes({0x0f, 0xa0})), 0, {"close 4000 "}},
    {"ACharacterAcrossFragments",
     frame(1, "\xe2\x82") + frame(kFin | 0, "\xac"),
     0,
     {"text \xe2\x82\xac"}},

    {"AReservedBit", frame(kFin | 0x20 | 1, "x"), 1002, {}},
    {"CompressedWithoutAgreement", frame(kFin | 0x40 | 1, "x"), 1002, {}},
    {"AReservedOpcode", frame(kFin | 3, "x"), 1002, {}},
    {"AReservedControlOpcode", frame(kFin | 11, "x"), 1002, {}},
    {"AMaskFromAServer", frame(kFin | 1, "x", true), 1002, {}},
    {"AFragmentedPing", frame(9, "x"), 1002, {}},
    {"APingThatIsTooLong", frame(kFin | 9, std::string(126, 'x')), 1002, {}},
    {"AContinuationOfNothing", frame(kFin | 0, "x"), 1002, {}},
    {"AMessageInsideAnother", frame(1, "a") + frame(kFin | 1, "b"), 1002, {}},
    {"ALengthThatCouldBeShorter", bytes({kFin | 2, 126, 0, 5}) + "xxxxx", 1002, {}},
    {"ALongLengthThatCouldBeShorter",
     bytes({kFin | 2, 127, 0, 0, 0, 0, 0, 0, 0, 5}) + "xxxxx",
     1002,
     {}},
    {"ANegativeLength", bytes({kFin | 2, 127, 0x80, 0, 0, 0, 0, 1, 0, 0}), 1002, {}},
    {"TooMuch", bytes({kFin | 2, 127, 0, 0, 0, 0, 0, 16, 0, 1}), 1009, {}},
    {"TooMuchInFragments",
     frame(2, std::string(600'000, 'x')) + frame(0, std::string(600'000, 'x')),
     1009,
     {}},
    {"ACloseOfOneByte", frame(kFin | 8, "x"), 1002, {}},
    {"ACodeThatIsReserved", frame(kFin | 8, bytes({3, 237})), 1002, {}},  // 1005
    {"ACodeThatIsNone", frame(kFin | 8, bytes({0, 99})), 1002, {}},
    {"AReasonThatIsNotUtf8", frame(kFin | 8, bytes({3, 232, 0xff})), 1007, {}},
    {"TextThatIsNotUtf8", frame(kFin | 1, "\xff"), 1007, {}},
    {"ASurrogate", frame(kFin | 1, "\xed\xa0\x80"), 1007, {}},
    {"AnOverlongCharacter", frame(kFin | 1, "\xc0\x80"), 1007, {}},
    {"ACharacterThatDoesNotExist", frame(kFin | 1, "\xf4\x90\x80\x80"), 1007, {}},
    {"ACharacterThatIsCutOff", frame(kFin | 1, "\xe2\x82"), 1007, {}},
    {"NotUtf8BeforeTheEnd", frame(1, "\xff"), 1007, {}},
};

class WebSocketRule : public testing::TestWithParam<Rule> {};

TEST_P(WebSocketRule, IsFollowed) {
  const Rule& rule = GetParam();
  Heard heard;
  websocket::FrameReader whole(heard, false, 1U << 20);
  const std::size_t read = whole.feed(rule.bytes);
  EXPECT_EQ(whole.broken(), rule.code);
  EXPECT_EQ(heard.events, rule.events);
  if (rule.code == 0) {
    EXPECT_EQ(read, rule.bytes.size());
  }
  if (rule.bytes.size() > 1000) return;
  // And byte for byte.
  Heard pieces;
  websocket::FrameReader reader(pieces, false, 1U << 20);
  for (const char byte : rule.bytes) {
    if (reader.broken() == 0) reader.feed({&byte, 1});
  }
  EXPECT_EQ(reader.broken(), rule.code);
  EXPECT_EQ(pieces.events, rule.events);
}

INSTANTIATE_TEST_SUITE_P(Rfc6455, WebSocketRule, testing::ValuesIn(kRules),
                         [](const auto& one) { return one.param.name; });

TEST(WebSocketFrames, OfClientsAreMasked) {
  Heard heard;
  websocket::FrameReader reader(heard, true, 1U << 20);
  const std::string text = pattern(1000);
  std::string hex;
  for (const char c : text) hex += "0123456789abcdef"[c & 15];
  EXPECT_EQ(reader.feed(frame(kFin | 1, hex, true)), hex.size() + 8);
  for (const char byte : frame(kFin | 1, hex, true)) reader.feed({&byte, 1});
  EXPECT_THAT(heard.events, testing::ElementsAre("text " + hex, "text " + hex));
  reader.feed(frame(kFin | 1, "x"));
  EXPECT_EQ(reader.broken(), 1002);
}

TEST(WebSocketFrames, CloseWithTheCodesOfTheRfcOnly) {
  for (int code = 0; code < 6000; ++code) {
    Heard heard;
    websocket::FrameReader reader(heard, false, 1U << 20);
    reader.feed(frame(kFin | 8, bytes({code >> 8, code & 0xff})));
    const bool allowed = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                         (code >= 3000 && code <= 4999);
    EXPECT_EQ(reader.broken(), allowed ? 0 : 1002) << code;
    EXPECT_EQ(heard.events.size(), allowed ? 1U : 0U) << code;
  }
}

TEST(WebSocketFrames, AreCompressedWhereThatIsAllowed) {
  constexpr int kRsv1 = 0x40;
  const std::string hello = bytes({0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00});
  const auto read = [](const std::string& sent) {
    Heard heard;
    websocket::FrameReader reader(heard, false, 1000);
    reader.enable_deflate(true);
    reader.feed(sent);
    const std::string events = testing::PrintToString(heard.events);
    return reader.broken() == 0 ? events : std::to_string(reader.broken());
  };
  EXPECT_EQ(read(frame(kFin | kRsv1 | 1, hello)), "{ \"text Hello\" }");
  EXPECT_EQ(read(frame(kRsv1 | 1, hello.substr(0, 3)) + frame(kFin | 9, "p") +
                 frame(kFin | 0, hello.substr(3))),
            "{ \"ping p\", \"text Hello\" }");
  EXPECT_EQ(read(frame(kFin | 1, "plain")), "{ \"text plain\" }");
  EXPECT_EQ(read(frame(kFin | kRsv1 | 9, "x")), "1002");
  EXPECT_EQ(read(frame(kFin | kRsv1 | 8, "")), "1002");
  EXPECT_EQ(read(frame(1, "a") + frame(kFin | kRsv1 | 0, "b")), "1002");
  EXPECT_EQ(read(frame(kFin | kRsv1 | 1, "\xff\xff\xff")), "1007");
  websocket::Deflater deflater(15);
  std::string compressed;
  ASSERT_TRUE(deflater.deflate(std::string(1'000'000, 'x'), compressed));
  ASSERT_LT(compressed.size(), 1000U);  // it is a bomb
  EXPECT_EQ(read(frame(kFin | kRsv1 | 2, compressed)), "1009");
  compressed.clear();
  ASSERT_TRUE(deflater.deflate("\xc3", compressed));
  EXPECT_EQ(read(frame(kFin | kRsv1 | 1, compressed)), "1007");
}

TEST(WebSocketFrames, MayBeCompressed) {
  websocket::Deflater deflater(15);
  for (const std::string& text :
       {std::string(), std::string("hello"), std::string(100'000, 'x'), pattern(100'000)}) {
    std::string compressed;
    ASSERT_TRUE(deflater.deflate(text, compressed));
    websocket::Inflater inflater(false);
    std::string back;
    EXPECT_EQ(inflater.inflate(compressed, back, 100'000), websocket::Inflater::Result::ok);
    EXPECT_EQ(back, text);
    back.clear();
    if (text.size() == 100'000) {
      EXPECT_EQ(inflater.inflate(compressed, back, 99'999), websocket::Inflater::Result::too_large);
    }
  }
  websocket::Inflater inflater(false);
  std::string back;
  EXPECT_EQ(inflater.inflate("\xff\xff\xff", back, 100), websocket::Inflater::Result::invalid);
  // RFC 7692, 7.2.3.2: the second message refers to the first.
  websocket::Inflater keeping(true);
  back.clear();
  EXPECT_EQ(keeping.inflate(bytes({0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00}), back, 100),
            websocket::Inflater::Result::ok);
  EXPECT_EQ(keeping.inflate(bytes({0xf2, 0x00, 0x11, 0x00, 0x00}), back, 100),
            websocket::Inflater::Result::ok);
  EXPECT_EQ(back, "HelloHello");
  // 7.2.3.4: a block with the bit of the last one.
  back.clear();
  websocket::Inflater last(false);
  EXPECT_EQ(last.inflate(bytes({0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00}), back, 100),
            websocket::Inflater::Result::ok);
  EXPECT_EQ(back, "Hello");
}

TEST(WebSocketHandshake, HasTheKeyOfTheRfc) {
  EXPECT_EQ(websocket::accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_TRUE(websocket::is_key(websocket::random_key()));
  EXPECT_NE(websocket::random_key(), websocket::random_key());
  EXPECT_FALSE(websocket::is_key("short"));
}

TEST(WebSocketHandshake, TakesTheFirstOfferItCan) {
  const auto answer = [](const std::string& offers) {
    const auto made =
        websocket::answer_offers(http::Headers("Sec-WebSocket-Extensions\n" + offers + "\n"));
    return made ? made->answer : "none";
  };
  const std::string plain =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";
  EXPECT_EQ(answer("permessage-deflate"), plain);
  EXPECT_EQ(answer("x-other, permessage-deflate; client_max_window_bits"), plain);
  EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=\"10\""),
            plain + "; server_max_window_bits=10");
  EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=8, permessage-deflate"), plain);
  EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=16"), "none");
  EXPECT_EQ(answer("permessage-deflate; server_max_window_bits"), "none");
  EXPECT_EQ(answer("permessage-deflate; unknown"), "none");
  EXPECT_EQ(answer("permessage-deflate; server_no_context_takeover; server_no_context_takeover"),
            "none");
  EXPECT_EQ(answer("x-webkit-deflate-frame"), "none");
}

// ---- Connections --------------------------------------------------------------------------------

class WebSocketTest : public HttpTest {
 protected:
  /// A server that hands its sockets to the test.
  SocketAddress serve_sockets(WebSocketOptions options = {}) {
    return serve([this, options](http::Request request, http::Response response) {
      auto socket = WebSocket::accept(request, std::move(response), options);
      if (socket) sockets.push_back(*std::move(socket));
    });
  }
  template <class Body>
  void run(Body&& body) {
    bool done = false;
    spawn(loop, [&]() -> Async<> {
      co_await body();
      done = true;
    });
    run_until([&] { return done; });
  }
  std::pair<WebSocket, WebSocket> pair(WebSocketOptions options = {}) {
    const SocketAddress address = serve_sockets(options);
    WebSocket client;
    run([&]() -> Async<> {
      auto made = co_await WebSocket::connect(requests, "ws://" + address.to_string(), options);
      CO_REQUIRE(made);
      client = *made;
    });
    run_until([&] { return !sockets.empty(); });
    WebSocket other = std::move(sockets.back());
    sockets.pop_back();
    return {std::move(client), std::move(other)};
  }
  /// The handshake of a peer that the test plays itself, and what it sends then; `early`: together.
  Peer raw_client(const SocketAddress& address, std::string_view more = {}, bool early = false) {
    Peer peer(address);
    peer.send(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
        std::string(early ? more : std::string_view()));
    EXPECT_THAT(
        receive(peer,
                [](const std::string& text) { return text.find("\r\n\r\n") != std::string::npos; }),
        HasSubstr("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    run_until([&] { return !sockets.empty(); });
    if (!early) peer.send(more);
    return peer;
  }

  http::Client requests{loop};
  std::vector<WebSocket> sockets;
};

TEST_F(WebSocketTest, Talks) {
  auto [client, other] = pair();
  EXPECT_TRUE(client.deflates());
  run([&]() -> Async<> {
    client.send("hello");
    auto message = co_await other.read();
    CO_REQUIRE(message);
    EXPECT_TRUE(message->is_text);
    EXPECT_EQ(message->data, "hello");
    other.send_binary(std::as_bytes(std::span(std::string_view("\xff\x00", 2))));
    message = co_await client.read();
    CO_REQUIRE(message);
    EXPECT_FALSE(message->is_text);
    EXPECT_EQ(message->data, std::string("\xff\x00", 2));
    client.close(4001, "done");
    EXPECT_EQ((co_await other.read()).error(), WebSocketError::closed);
    EXPECT_EQ(other.close_code(), 4001);
    EXPECT_EQ(other.close_reason(), "done");
    EXPECT_EQ((co_await client.read()).error(), WebSocketError::closed);
    EXPECT_EQ(client.close_code(), 4001);
  });
  EXPECT_EQ(client.send("x").error(), errno_code(EPIPE));
}

TEST_F(WebSocketTest, MovesMuchBothWays) {
  auto [client, other] = pair();
  const std::string text(3'000'000, 'x');
  const std::string binary = pattern(3'000'000);
  other.on_message([&](WebSocketMessage& message) { other.send(message); });
  run([&]() -> Async<> {
    client.send(text);
    EXPECT_TRUE(co_await client.drained());
    client.send_binary(std::as_bytes(std::span(binary)));
    EXPECT_EQ((co_await client.read())->data, text);
    EXPECT_EQ((co_await client.read())->data, binary);
  });
}

TEST_F(WebSocketTest, KeepsOrderWhenNobodyReads) {
  auto [client, other] = pair();
  for (int i = 0; i < 200; ++i) client.send(std::to_string(i));
  for (int i = 0; i < 30; ++i) loop.run_once();
  run([&]() -> Async<> {
    for (int i = 0; i < 200; ++i) EXPECT_EQ((co_await other.read())->data, std::to_string(i));
  });
}

TEST_F(WebSocketTest, AnswersPings) {
  const SocketAddress address = serve_sockets();
  const Peer peer = raw_client(address, frame(kFin | 9, "are you there", true));
  EXPECT_EQ(receive(peer, [](const std::string& text) { return text.size() == 15; }),
            frame(kFin | 10, "are you there"));
}

// RFC 6455, 5.5.3: of several pings that wait for an answer, the last one has it.
TEST_F(WebSocketTest, AnswersAPingWhenThereIsRoomAgain) {
  const SocketAddress address = serve_sockets({.deflate = false});
  const Peer peer = raw_client(address);
  const std::string large(24U << 20, 'x');  // more than the kernel takes
  EXPECT_TRUE(sockets[0].send(large));
  loop.run_once();
  ASSERT_GT(sockets[0].buffered(), 1U << 20);  // the peer does not read
  peer.send(frame(kFin | 9, "first", true) + frame(kFin | 9, "second", true) +
            frame(kFin | 1, "now", true));
  run([&]() -> Async<> { EXPECT_EQ((co_await sockets[0].read())->data, "now"); });
  const std::string expected = frame(kFin | 1, large) + frame(kFin | 10, "second");
  const std::string text = receive(
      peer, [&](const std::string& received) { return received.size() >= expected.size(); });
  EXPECT_EQ(text.size(), expected.size());
  EXPECT_TRUE(text.ends_with(frame(kFin | 10, "second")));
}

TEST_F(WebSocketTest, ReadsWhatCameWithTheHandshake) {
  const SocketAddress address = serve_sockets();
  const Peer peer = raw_client(address, frame(kFin | 1, "early", true), true);
  run([&]() -> Async<> { EXPECT_EQ((co_await sockets[0].read())->data, "early"); });
}

TEST_F(WebSocketTest, AThrowingCallbackLosesNothing) {
  const SocketAddress address = serve_sockets();
  int thrown = 0;
  std::string got;
  loop.on_uncaught([&](std::exception_ptr) { ++thrown; });
  // The first ones wait for the callback, the last ones come when it is there.
  const Peer peer =
      raw_client(address, frame(kFin | 1, "a", true) + frame(kFin | 1, "b", true), true);
  sockets[0].on_message([&](WebSocketMessage& message) {
    got += message.data;
    throw std::runtime_error("message");
  });
  sockets[0].on_close([] { throw std::runtime_error("close"); });
  run_until([&] { return got == "ab"; });
  peer.send(frame(kFin | 1, "c", true) + frame(kFin | 1, "d", true) +
            frame(kFin | 8, bytes({3, 232}), true));
  run_until([&] { return sockets[0].closed(); });
  EXPECT_EQ(got, "abcd");
  run_until([&] { return thrown == 5; });
}

TEST_F(WebSocketTest, ACallbackThatComesLateIsCalledInOrder) {
  const SocketAddress address = serve_sockets();
  const Peer peer = raw_client(address, frame(kFin | 1, "a", true), true);
  for (int i = 0; i < 5; ++i) loop.run_nowait();  // it waits in the socket
  peer.send(frame(kFin | 1, "b", true));
  std::this_thread::sleep_for(5ms);
  std::string got;
  // After the phase in which those who wait would be reported, before the one that brings the next.
  Hook prepare = loop.on_prepare([&] {
    prepare.clear();
    sockets[0].on_message([&](WebSocketMessage& message) { got += message.data; });
  });
  run_until([&] { return got.size() == 2; });
  EXPECT_EQ(got, "ab");
}

TEST_F(WebSocketTest, ClosesOnABrokenRule) {
  const SocketAddress address = serve_sockets();
  const Peer peer = raw_client(address, frame(kFin | 1, "not masked"));
  run([&]() -> Async<> {
    EXPECT_EQ((co_await sockets[0].read()).error(), WebSocketError::protocol);
  });
  EXPECT_EQ(receive_to_end(peer), frame(kFin | 8, bytes({3, 234})));
}

TEST_F(WebSocketTest, AnswersAClose) {
  const SocketAddress address = serve_sockets();
  const Peer peer = raw_client(address, frame(kFin | 8, bytes({3, 233}) + "leaving", true));
  run([&]() -> Async<> {
    EXPECT_EQ((co_await sockets[0].read()).error(), WebSocketError::closed);
  });
  EXPECT_EQ(sockets[0].close_code(), 1001);
  EXPECT_EQ(receive_to_end(peer), frame(kFin | 8, bytes({3, 233})));
}

TEST_F(WebSocketTest, TellsAnEndWithoutAClose) {
  const SocketAddress address = serve_sockets();
  Peer peer = raw_client(address, frame(1, "half a message", true));
  peer.close();
  run([&]() -> Async<> {
    EXPECT_EQ((co_await sockets[0].read()).error(), WebSocketError::broken);
  });
  EXPECT_EQ(sockets[0].close_code(), 1006);
}

TEST_F(WebSocketTest, GivesUpOnAPeerThatIsSilent) {
  const SocketAddress address = serve_sockets({.ping_interval = 20ms});
  const Peer peer = raw_client(address);
  run([&]() -> Async<> {
    EXPECT_EQ((co_await sockets[0].read()).error(), WebSocketError::timed_out);
  });
  EXPECT_EQ(receive_to_end(peer), frame(kFin | 9, ""));
}

TEST_F(WebSocketTest, DoesNotWaitForEverForACloseToBeAnswered) {
  const SocketAddress address = serve_sockets({.close_timeout = 20ms});
  const Peer peer = raw_client(address);
  sockets[0].close();
  run([&]() -> Async<> {
    EXPECT_EQ((co_await sockets[0].read()).error(), WebSocketError::broken);
  });
}

TEST_F(WebSocketTest, ClosesWhenItsHandlesAreGone) {
  auto [client, other] = pair();
  client.send("last");
  client = {};
  run([&]() -> Async<> {
    EXPECT_EQ((co_await other.read())->data, "last");
    EXPECT_EQ((co_await other.read()).error(), WebSocketError::closed);
  });
  EXPECT_EQ(other.close_code(), 1001);
}

TEST_F(WebSocketTest, GoesWithItsLoop) {
  auto [client, other] = pair();
  client.on_message([kept = client](WebSocketMessage&) {});
  client.send("x");
}

TEST_F(WebSocketTest, RefusesOtherRequests) {
  const SocketAddress address = serve_sockets();
  EXPECT_EQ(status_of(ask(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")), "400");
  EXPECT_THAT(
      ask(address,
          "GET / HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n"
          "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"),
      StartsWith("HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\n"));
  const auto plain = serve([](http::Request, http::Response response) { response.send("no"); });
  run([&]() -> Async<> {
    EXPECT_EQ((co_await WebSocket::connect(requests, "ws://" + plain.to_string())).error(),
              http::Error::handshake_failed);
    EXPECT_EQ((co_await WebSocket::connect(requests, "wss://" + plain.to_string())).error(),
              http::Error::unsupported);
  });
}

TEST_F(WebSocketTest, IsCancelledWhereverItWaits) {
  const SocketAddress address = serve_sockets();
  for (int turns = 0; turns < 20; ++turns) {
    std::stop_source stop;
    std::error_code error;
    bool done = false;
    spawn(
        loop,
        [&]() -> Async<> {
          auto socket = co_await WebSocket::connect(requests, "ws://" + address.to_string());
          if (!socket) {
            error = socket.error();
          } else if (const auto message = co_await socket->read(); !message) {
            error = message.error();
          }
          done = true;
        },
        stop.get_token());
    for (int i = 0; i < turns; ++i) loop.run_once();
    stop.request_stop();
    run_until([&] { return done; });
    EXPECT_EQ(error, errno_code(ECANCELED)) << turns;
  }
}

TEST_F(WebSocketTest, ChecksWhatItIsGiven) {
  auto [client, other] = pair();
  EXPECT_THROW(client.close(1005), Misuse);
  EXPECT_THROW(client.close(1000, std::string(124, 'x')), Misuse);
  EXPECT_EQ(client.ping(std::string(126, 'x')).error(), errno_code(EMSGSIZE));
  EXPECT_TRUE(client.ping("x"));
}

}  // namespace
}  // namespace rondo::http_test
