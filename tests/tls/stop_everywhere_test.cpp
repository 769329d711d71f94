// TLS, disturbed at every point where it may stand (tests/stop_everywhere.h).
#include "stop_everywhere.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/https.h"
#include "rondo/tls.h"

#include "pattern.h"
#include "tls/certificates.h"

namespace rondo::tls_test {
namespace {

using namespace std::chrono_literals;
using namespace stop_everywhere;

struct Contexts {
  Contexts() {
    static const Authority authority;
    static const Identity identity = authority.sign("DNS:localhost,IP:127.0.0.1");
    EXPECT_TRUE(server.use_certificate(identity.certificate, identity.key));
    EXPECT_TRUE(client.trust(authority.pem()));
  }
  TlsContext server = TlsContext::server();
  TlsContext client = TlsContext::client();
};

/// Two ends that are connected, or about to be.
struct Ends : Contexts {
  explicit Ends(Loop& loop) {
    auto made = UnixSocket::pair(loop);
    EXPECT_TRUE(made);
    near = AnyStream(made->first);
    far = AnyStream(made->second);
  }
  /// Shakes hands at both ends.
  void connect(Loop& loop) {
    ours = TlsSocket::start_client(loop, near, "localhost", client);
    theirs = TlsSocket::start_server(loop, far, server);
    while (!ours.secure() || !theirs.secure()) loop.run_once();
  }
  AnyStream near;
  AnyStream far;
  TlsSocket ours;
  TlsSocket theirs;
  std::string got;
};

Trial connect_over_a_stream(Loop& loop, bool as_server) {
  auto s = std::make_shared<Ends>(loop);
  if (as_server) {
    s->theirs = TlsSocket::start_client(loop, s->far, "localhost", s->client);
  } else {
    s->theirs = TlsSocket::start_server(loop, s->far, s->server);
  }
  s->theirs.on_error([](std::error_code) {});
  return {.body = [s, as_server]() -> Async<std::string> {
            if (as_server) {
              auto socket = co_await TlsSocket::accept(s->near, s->server);
              if (socket) s->ours = *socket;
              co_return name_of(socket);
            }
            auto socket = co_await TlsSocket::connect(s->near, "localhost", s->client);
            if (socket) s->ours = *socket;
            co_return name_of(socket);
          },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              s->theirs.on_data([](auto) {});  // who does not read does not hear of the end
              while (!s->theirs.closed()) co_await sleep_for(1ms);
              co_return;
            }
            EXPECT_TRUE(co_await s->ours.write_all("hello"));
            EXPECT_EQ(co_await s->theirs.read(), "hello");
            s->ours.destroy();
            s->theirs.destroy();
          }};
}

Trial connect_by_name(Loop& loop) {
  struct State : Contexts {
    explicit State(Loop& loop) : listener(loop, server) {
      listener.on_connection([this](TlsSocket socket) { accepted.push_back(std::move(socket)); });
      listener.on_handshake_error([](std::error_code, const SocketAddress&) {});
      EXPECT_TRUE(listener.listen(SocketAddress::loopback(0)));
    }
    TlsServer listener;
    std::vector<TlsSocket> accepted;
    TlsSocket ours;
  };
  auto s = std::make_shared<State>(loop);
  return {.body = [s]() -> Async<std::string> {
            auto socket =
                co_await TlsSocket::connect("localhost", s->listener.address().port(), s->client);
            if (socket) s->ours = *socket;
            co_return name_of(socket);
          },
          .after = [s](const std::string& said) -> Async<> {
            if (said == "ok") {
              while (s->accepted.empty()) co_await sleep_for(1ms);
              EXPECT_TRUE(co_await s->accepted[0].write_all("hello"));
              EXPECT_EQ(co_await s->ours.read(), "hello");
              s->ours.destroy();
            }
            for (TlsSocket& one : s->accepted) one.destroy();
            s->listener.close();
          }};
}

Trial wait_for_handshake(Loop& loop) {
  auto s = std::make_shared<Ends>(loop);
  s->ours = TlsSocket::start_client(loop, s->near, "localhost", s->client);
  s->theirs = TlsSocket::start_server(loop, s->far, s->server);
  return {.body = [s] { return outcome(s->ours.handshake()); },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_TRUE(co_await s->ours.handshake()) << "stopping the wait ends the handshake";
            }
            EXPECT_TRUE(co_await s->theirs.write_all("hello"));
            EXPECT_EQ(co_await s->ours.read(), "hello");
            s->ours.destroy();
            s->theirs.destroy();
          }};
}

Trial read(Loop& loop, bool into_buffer) {
  auto s = std::make_shared<Ends>(loop);
  s->connect(loop);
  spawn(loop, [](TlsSocket to) -> Async<> {
    const std::string text = pattern(60'000);
    co_await to.write_all(text);
    to.end();
  }(s->theirs));
  const auto read_all = [s, into_buffer] { return read_to_end(s->ours, s->got, into_buffer); };
  return {.body = read_all, .after = [s, read_all](const std::string& said) -> Async<> {
            if (said != "end") {
              EXPECT_EQ(co_await read_all(), "end");
            }
            EXPECT_TRUE(s->got == pattern(60'000)) << s->got.size();
            s->ours.destroy();
          }};
}

Trial write(Loop& loop) {
  struct State : Ends {
    using Ends::Ends;
    std::string text = pattern(200'000);
    bool ended = false;
  };
  auto s = std::make_shared<State>(loop);
  s->connect(loop);
  // The peer reads a piece now and then.
  s->theirs.on_data([weak = std::weak_ptr(s)](std::span<const std::byte> bytes) {
    if (const auto strong = weak.lock()) {
      strong->got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  });
  s->theirs.on_end([weak = std::weak_ptr(s)] {
    if (const auto strong = weak.lock()) strong->ended = true;
  });
  s->theirs.on_error([](std::error_code) {});
  return {.body = [s] { return outcome(s->ours.write_all(s->text)); },
          .after = [s](const std::string& said) -> Async<> {
            const auto tail = s->ours.write("tail");
            tail ? s->ours.end() : s->ours.destroy();
            while (!s->ended && !s->theirs.closed()) co_await sleep_for(1ms);
            if (said == "ok") {
              EXPECT_TRUE(tail);
              EXPECT_TRUE(s->got == s->text + "tail") << s->got.size();
            } else if (tail) {
              EXPECT_TRUE(s->got == "tail") << "a part has gone, and something has followed it";
            } else {
              EXPECT_EQ(tail.error(), errno_code(EPIPE));
              EXPECT_TRUE(s->got == s->text.substr(0, s->got.size())) << s->got.size();
            }
            s->ours.destroy();
            s->theirs.destroy();
          }};
}

const Case kCases[] = {
    {"connect", [](Loop& loop) { return connect_over_a_stream(loop, false); }},
    {"accept", [](Loop& loop) { return connect_over_a_stream(loop, true); }},
    {"connect_by_name", connect_by_name},
    {"handshake", wait_for_handshake},
    {"read", [](Loop& loop) { return read(loop, false); }},
    {"read_some", [](Loop& loop) { return read(loop, true); }},
    {"write_all", write},
};

class TlsStopEverywhere : public testing::TestWithParam<Case> {};

TEST_P(TlsStopEverywhere, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, TlsStopEverywhere, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo::tls_test
