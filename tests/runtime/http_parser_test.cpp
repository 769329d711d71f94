// HTTP/1 messages out of bytes (src/http), whole and in pieces of every size, and what is refused.
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/message_parser.h"

namespace rondo::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Writes down what happens, a string each.
class Recorder final : public MessageEvents {
 public:
  void message_begins() override { body_.clear(); }
  Next head_complete(const Head& head) override {
    std::string lines(head.lines);
    for (char& c : lines) {
      if (c == '\n') c = '|';
    }
    events.push_back("head " + std::string(head.text) + " " + lines +
                     std::to_string(head.line_count));
    return answer;
  }
  Next body(std::span<const char> bytes) override {
    body_.append(bytes.data(), bytes.size());
    return Next::go_on;
  }
  Next message_complete(std::string_view trailers, std::size_t trailer_count) override {
    events.push_back("end " + body_ + (trailer_count == 0 ? "" : " " + std::string(trailers)));
    return Next::go_on;
  }

  std::vector<std::string> events;
  Next answer = Next::go_on;

 private:
  std::string body_;
};

constexpr std::string_view kPost =
    "POST /a?b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n";
constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: y\r\n\r\n";

std::vector<std::string> events_of(std::string_view bytes, std::size_t piece) {
  Recorder recorder;
  MessageParser parser(recorder);
  parser.begin(MessageKind::request, {});
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, piece);
    EXPECT_EQ(parser.execute(part).error, 0);
    bytes.remove_prefix(part.size());
  }
  return recorder.events;
}

std::string refusal_of(std::string_view bytes, Limits limits = {}) {
  Recorder recorder;
  MessageParser parser(recorder);
  parser.begin(MessageKind::request, limits);
  return std::string(parser.execute(bytes).code);
}

TEST(MessageParserTest, PiecesOfAnySizeMakeTheSameMessages) {
  const std::string both = std::string(kPost) + std::string(kGet);
  const auto whole = events_of(both, both.size());
  EXPECT_THAT(whole, ElementsAre("head /a?b Host|x|Transfer-Encoding|chunked|2", "end abcde T\n1\n",
                                 "head / Host|y|1", "end "));
  for (std::size_t piece = 1; piece < both.size(); ++piece) {
    EXPECT_EQ(events_of(both, piece), whole) << "in pieces of " << piece;
  }
}

// llhttp writes into the struct that our header declares: bytes around it have to stay.
TEST(MessageParserTest, TheDeclaredStructIsAsLargeAsTheParser) {
  struct Guarded {
    std::array<unsigned char, 64> before;
    llhttp_t parser;
    std::array<unsigned char, 64> after;
  } guarded;
  std::memset(&guarded, 0xa5, sizeof(guarded));
  llhttp_settings_t settings{};
  llhttp_init(&guarded.parser, 1, &settings);
  EXPECT_EQ(llhttp_execute(&guarded.parser, kPost.data(), kPost.size()), 0);
  EXPECT_EQ(guarded.parser.http_major, 1);
  EXPECT_EQ(guarded.parser.http_minor, 1);
  EXPECT_EQ(guarded.parser.method, 3);  // POST
  EXPECT_EQ(guarded.parser.settings, &settings);
  EXPECT_THAT(guarded.before, testing::Each(0xa5));
  EXPECT_THAT(guarded.after, testing::Each(0xa5));
}

TEST(MessageParserTest, RefusesWhatSmugglersSend) {
  EXPECT_EQ(
      refusal_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
      "HPE_INVALID_TRANSFER_ENCODING");
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
            "HPE_UNEXPECTED_CONTENT_LENGTH");
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n"),
            "HPE_INVALID_CONTENT_LENGTH");
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nA : b\r\n\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refusal_of("\x16\x03\x01 hello"), "HPE_INVALID_METHOD");
}

TEST(MessageParserTest, LimitsTheHead) {
  const std::string large = "GET / HTTP/1.1\r\nA: " + std::string(2000, 'a') + "\r\n\r\n";
  EXPECT_EQ(refusal_of(large, {.head_bytes = 1000}), "HPE_HEADER_OVERFLOW");
  EXPECT_EQ(refusal_of(large, {.head_bytes = 4000}), "");
}

TEST(MessageParserTest, AnAnswerToHeadHasNoBody) {
  Recorder recorder;
  recorder.answer = Next::no_body;
  MessageParser parser(recorder);
  parser.begin(MessageKind::response, {});
  EXPECT_EQ(parser.execute(std::string_view("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")).error,
            0);
  EXPECT_THAT(recorder.events, ElementsAre("head OK Content-Length|5|1", "end "));
}

TEST(MessageParserTest, LeavesTheBytesOfAnotherProtocol) {
  Recorder recorder;
  MessageParser parser(recorder);
  parser.begin(MessageKind::request, {});
  const std::string head =
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";
  recorder.answer = Next::upgrade;
  const Parsed parsed = parser.execute(head + "\x81\x05");
  EXPECT_TRUE(parser.upgraded());
  EXPECT_EQ(parsed.bytes, head.size());
}

TEST(MessageParserTest, AMessageThatTheEndCutsOffIsAnError) {
  Recorder recorder;
  MessageParser parser(recorder);
  parser.begin(MessageKind::request, {});
  EXPECT_EQ(parser.execute(std::string_view("GET / HT")).error, 0);
  EXPECT_EQ(parser.finish().code, "HPE_INVALID_EOF_STATE");
  EXPECT_THAT(recorder.events, IsEmpty());
}

}  // namespace
}  // namespace rondo::http
