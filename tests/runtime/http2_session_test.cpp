// Connections of HTTP/2 out of bytes (src/http2): two sessions that talk to each other, limits, and
// what arrives damaged.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http2/session.h"

namespace rondo::http2 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMost = 1U << 20;

nghttp2_nv field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), 0};
}

std::vector<nghttp2_nv> get(std::string_view path) {
  return {field(":method", "GET"), field(":scheme", "http"), field(":path", path),
          field(":authority", "a")};
}

std::string text_of(nghttp2_rcbuf* buffer) {
  const nghttp2_vec bytes = nghttp2_rcbuf_get_buf(buffer);
  return {reinterpret_cast<const char*>(bytes.base), bytes.len};
}

std::vector<Piece> pieces(std::string text) {
  std::vector<Piece> list;
  list.emplace_back(std::move(text));
  return list;
}

void feed(Session& session, std::string_view bytes) {
  session.receive(std::as_bytes(std::span(bytes)));
}

std::string gather(Session& session) {
  std::string out;
  session.gather(out, kMost);
  return out;
}

/// What has happened, a string each; heads with their first value that is not a pseudo field.
std::vector<std::string> events_of(Session& session) {
  std::vector<std::string> told;
  while (session.has_events()) {
    const Event event = session.take_event();
    const std::string stream = " " + std::to_string(event.stream);
    switch (event.kind) {
      case EventKind::head: {
        std::string line = "head" + stream;
        for (const Fields::Field& each : event.fields.list()) {
          if (text_of(each.name) == ":path" || text_of(each.name) == ":status") {
            line += " " + text_of(each.value);
          }
        }
        told.push_back(line);
        break;
      }
      case EventKind::data:
        told.push_back("data" + stream + " " +
                       std::string(event.memory.data.get(), event.memory.size));
        break;
      case EventKind::end:
        told.push_back("end" + stream);
        break;
      case EventKind::closed:
        told.push_back("closed" + stream + " " + std::to_string(event.number));
        break;
      case EventKind::wants_trailers:
        told.push_back("wants trailers" + stream);
        break;
      case EventKind::error:
        told.push_back("error " + std::to_string(event.number));
        break;
      default:
        break;
    }
  }
  return told;
}

class Http2Session : public testing::Test {
 protected:
  // Each side begins with its settings.
  Http2Session() {
    client_.settings({});
    server_.settings({});
  }

  /// Lets both talk until neither has anything to say.
  void exchange() {
    for (;;) {
      const std::string to_server = gather(client_);
      const std::string to_client = gather(server_);
      client_.sent();
      server_.sent();
      if (to_server.empty() && to_client.empty()) return;
      feed(server_, to_server);
      feed(client_, to_client);
    }
  }

  Session client_{Side::client, {}};
  Session server_{Side::server, {}};
};

TEST_F(Http2Session, CarriesARequestAndItsResponse) {
  const std::int32_t id = client_.request(get("/x"), Body::none);
  ASSERT_EQ(id, 1);
  exchange();
  EXPECT_THAT(events_of(server_), ElementsAre("head 1 /x"));
  const nghttp2_nv status[] = {field(":status", "200")};
  EXPECT_EQ(server_.respond(id, status, Body::data), 0);
  EXPECT_TRUE(server_.write(id, pieces("hello ")));
  EXPECT_TRUE(server_.write(id, pieces("world")));
  server_.end(id);
  client_.set_reading(id, true);
  exchange();
  EXPECT_THAT(events_of(server_), ElementsAre("closed 1 0"));
  EXPECT_THAT(events_of(client_),
              ElementsAre("head 1 200", "data 1 hello world", "end 1", "closed 1 0"));
}

TEST_F(Http2Session, AsksForTrailersWhenAllDataHasGone) {
  const std::int32_t id = client_.request(get("/"), Body::data_and_trailers);
  client_.write(id, pieces("body"));
  client_.end(id);
  exchange();
  EXPECT_THAT(events_of(client_), ElementsAre("wants trailers 1"));
  const nghttp2_nv trailers[] = {field("x-end", "1")};
  EXPECT_EQ(client_.send_trailers(id, trailers), 0);
  exchange();
  EXPECT_THAT(events_of(server_), ElementsAre("head 1 /", "data 1 body", "head 1"));
}

TEST_F(Http2Session, TellsOfAWriteWhenItIsSentAndNotBefore) {
  const std::int32_t id = client_.request(get("/"), Body::data);
  client_.write(id, pieces("body"));
  EXPECT_FALSE(gather(client_).empty());
  EXPECT_THAT(client_.sent(), ElementsAre(id));
  EXPECT_THAT(client_.sent(), IsEmpty());
}

TEST_F(Http2Session, StopsAtTheWindowOfAReaderThatDoesNotRead) {
  const std::int32_t id = client_.request(get("/"), Body::data);
  client_.write(id, pieces(std::string(200'000, 'x')));
  exchange();
  std::size_t received = 0;
  const auto count = [&] {
    while (server_.has_events()) {
      const Event event = server_.take_event();
      if (event.kind == EventKind::data) received += event.memory.size;
    }
  };
  count();
  EXPECT_EQ(received, 65'535U);
  server_.set_reading(id, true);
  for (int i = 0; i < 10; ++i) {
    exchange();
    count();
  }
  EXPECT_EQ(received, 200'000U);
}

TEST_F(Http2Session, RefusesStreamsAboveItsMemory) {
  Options options;
  options.max_memory = 0;
  options.max_rejected_streams = 2;
  Session server(Side::server, options);
  for (int i = 0; i < 5; ++i) client_.request(get("/"), Body::none);
  feed(server, gather(client_));
  EXPECT_THAT(events_of(server), ElementsAre("error -902"));
}

TEST_F(Http2Session, ForgetsAStreamInTheMiddle) {
  const std::int32_t id = client_.request(get("/"), Body::data);
  client_.write(id, pieces("some"));
  exchange();
  events_of(server_);
  server_.reset(id, NGHTTP2_CANCEL);
  server_.forget(id);
  client_.write(id, pieces("more"));
  exchange();
  EXPECT_THAT(events_of(server_), IsEmpty());
  EXPECT_THAT(events_of(client_), ElementsAre("closed 1 8"));
}

/// What a client says in a typical connection.
std::string conversation() {
  Session client(Side::client, {});
  const nghttp2_settings_entry entries[] = {{4, 100'000}, {3, 10}};
  client.settings(entries);
  for (int i = 0; i < 6; ++i) {
    const std::int32_t id = client.request(get(i % 2 == 0 ? "/a" : "/b"), Body::data_and_trailers);
    client.write(id, pieces(std::string(static_cast<std::size_t>(i) * 300, 'b')));
    client.end(id);
  }
  const std::uint8_t payload[8] = {};
  client.ping(payload);
  std::string bytes = gather(client);
  client.reset(3, NGHTTP2_CANCEL);
  client.goaway(0, 0, {});
  return bytes + gather(client);
}

/// A server that answers everything and forgets streams at any moment.
void serve(Session& server, std::mt19937& random) {
  while (server.has_events()) {
    const Event event = server.take_event();
    switch (event.kind) {
      case EventKind::head: {
        const nghttp2_nv status[] = {field(":status", "200")};
        server.respond(event.stream, status,
                       random() % 2 == 0 ? Body::data : Body::data_and_trailers);
        server.set_reading(event.stream, random() % 2 == 0);
        server.write(event.stream, pieces(std::string(random() % 5000, 'r')));
        if (random() % 3 != 0) server.end(event.stream);
        break;
      }
      case EventKind::wants_trailers:
        server.send_trailers(event.stream, {});
        break;
      case EventKind::closed:
        server.forget(event.stream);
        break;
      case EventKind::data:
        if (random() % 4 == 0) server.reset(event.stream, NGHTTP2_CANCEL);
        if (random() % 8 == 0) server.forget(event.stream);
        break;
      default:
        break;
    }
  }
  gather(server);
  server.sent();
}

TEST(Http2Damage, IsSurvivedWhereverItIs) {
  constexpr int kRounds = 1000;
  const std::string good = conversation();
  std::mt19937 random(1);
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = good;
    const std::size_t damages = random() % 6;
    for (std::size_t i = 0; i < damages; ++i) {
      constexpr std::size_t kPreface = 24;
      const std::size_t at = kPreface + random() % (bytes.size() - kPreface);
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 9);
          break;
        default:
          bytes.insert(at, bytes, at, random() % 40);
          break;
      }
    }
    Session server(Side::server, {});
    server.settings({});
    std::string_view rest = bytes;
    while (!rest.empty()) {
      const std::size_t size = std::min<std::size_t>(rest.size(), 1 + random() % 700);
      feed(server, rest.substr(0, size));
      serve(server, random);
      rest.remove_prefix(size);
    }
  }
}

}  // namespace
}  // namespace rondo::http2
