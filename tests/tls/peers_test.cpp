// Other implementations as the other end: the command openssl, and curl.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/https.h"
#include "rondo/rondo.h"

#include "io/net_fixture.h"
#include "tls/certificates.h"

namespace rondo::tls_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class TlsPeers : public net_test::NetTest {
 protected:
  TlsPeers() {
    const Identity identity = authority.sign("DNS:localhost,IP:127.0.0.1");
    EXPECT_TRUE(server_context.use_certificate(identity.certificate, identity.key));
    EXPECT_TRUE(client_context.trust(authority.pem()));
    std::ofstream(folder.path / "ca.pem") << authority.pem();
    std::ofstream(folder.path / "cert.pem") << identity.certificate;
    std::ofstream(folder.path / "key.pem") << identity.key;
  }
  std::string file(const char* name) const { return (folder.path / name).string(); }
  template <class Body>
  void run(Body&& body) {
    bool done = false;
    spawn(loop, [&]() -> Async<> {
      co_await body();
      done = true;
    });
    run_until([&] { return done; });
  }
  /// What a command prints; its input is a line. Not a std::vector: g++ 12 cannot compile a braced
  /// list inside a co_await expression.
  template <class... Texts>
  Async<std::string> output_of(const Texts&... texts) {
    return output_of(RunOptions(texts...).with_input("hello\n"));
  }
  static Async<std::string> output_of(RunOptions options) {
    const auto result = co_await rondo::run(std::move(options));
    if (!result) co_return "cannot run: " + result.error().message();
    co_return result->out + result->err;
  }

  const Authority authority{"CN=Peers"};
  const net_test::TemporaryFolder folder;
  TlsContext server_context = TlsContext::server();
  TlsContext client_context = TlsContext::client();
};

TEST_F(TlsPeers, CurlTalksToAServer) {
  http::Server server(loop);
  server.on_request([](http::Request request, http::Response response) -> Async<> {
    const auto body = co_await request.read_all();
    response.send("got " + std::to_string(body ? body->size() : 0));
  });
  EXPECT_TRUE(server_context.set_protocols({"http/1.1"}));
  TlsServer listener = https::listener(loop, server_context, server);
  ASSERT_TRUE(listener.listen(SocketAddress::loopback(0)));
  const std::string url = "https://localhost:" + std::to_string(listener.address().port()) + "/";
  std::ofstream(folder.path / "body") << std::string(1'000'000, 'x');
  run([&]() -> Async<> {
    EXPECT_EQ(co_await output_of("curl", "-sS", "--cacert", file("ca.pem"), url, url,
                                 "--data-binary", "@" + file("body")),
              "got 1000000got 1000000");
    EXPECT_THAT(co_await output_of("curl", "-sS", url), HasSubstr("SSL certificate problem"));
  });
  EXPECT_EQ(server.requests(), 2U);
}

TEST_F(TlsPeers, OpensslClientTalksToAServer) {
  TlsServer listener(loop, server_context);
  listener.on_connection([&](TlsSocket socket) {
    spawn(loop, [](TlsSocket echo) -> Async<> {
      for (auto part = co_await echo.read(); part && !part->empty(); part = co_await echo.read()) {
        if (!co_await echo.write_all(*part)) co_return;
      }
    }(socket));
  });
  ASSERT_TRUE(listener.listen(SocketAddress::loopback(0)));
  const std::string address = "localhost:" + std::to_string(listener.address().port());
  run([&]() -> Async<> {
    for (const char* version : {"-tls1_2", "-tls1_3"}) {
      const std::string output =
          co_await output_of("openssl", "s_client", "-4", "-connect", address, "-CAfile",
                             file("ca.pem"), "-verify_return_error", version, "-brief");
      EXPECT_THAT(output, HasSubstr("Verification: OK")) << version;
    }
    EXPECT_THAT(
        co_await output_of("openssl", "s_client", "-4", "-connect", address, "-tls1_1", "-brief"),
        HasSubstr("alert"));
  });
}

TEST_F(TlsPeers, AClientTalksToOpensslServer) {
  // It chooses no port by itself: one that was free a moment ago will do.
  std::uint16_t port = 0;
  {
    TcpServer probe(loop);
    ASSERT_TRUE(probe.listen(SocketAddress::loopback(0)));
    port = probe.address().port();
    probe.close();
  }
  SpawnOptions options("openssl", "s_server", "-accept", "127.0.0.1:" + std::to_string(port),
                       "-cert", file("cert.pem"), "-key", file("key.pem"), "-www", "-quiet");
  options.kill_on_destroy = true;
  auto child = Process::spawn(loop, options);
  ASSERT_TRUE(child);
  http::Client client(loop);
  https::enable(client, client_context);
  run([&]() -> Async<> {
    Expected<http::ClientResponse> response = std::unexpected(errno_code(ECONNREFUSED));
    while (!response && response.error() == errno_code(ECONNREFUSED)) {
      co_await sleep_for(5ms);
      response = co_await client.get("https://127.0.0.1:" + std::to_string(port) + "/");
    }
    EXPECT_TRUE(response) << response.error();
    if (!response) co_return;
    const auto text = co_await response->read_all();
    EXPECT_TRUE(text) << text.error();
    EXPECT_THAT(text.value_or(""), HasSubstr("s_server"));
  });
}

TEST_F(TlsPeers, HttpsEndToEnd) {
  http::Server server(loop);
  server.on_request([](http::Request request, http::Response response) -> Async<> {
    if (request.method() == "GET") {
      response.send(std::string(500'000, 'y'));
      co_return;
    }
    for (auto part = co_await request.read(); part && !part->empty();
         part = co_await request.read()) {
      if (!co_await response.write_all(*part)) co_return;
    }
    response.end();
  });
  TlsServer listener = https::listener(loop, server_context, server);
  ASSERT_TRUE(listener.listen(SocketAddress::loopback(0)));
  const std::string url = "https://localhost:" + std::to_string(listener.address().port()) + "/";
  http::Client client(loop);
  https::enable(client, client_context);
  run([&]() -> Async<> {
    for (int i = 0; i < 3; ++i) {
      auto response = co_await client.post(url, std::string(300'000, 'x'));
      EXPECT_TRUE(response) << response.error();
      if (!response) co_return;
      EXPECT_EQ(co_await response->read_all(), std::string(300'000, 'x'));
      auto large = co_await client.get(url);
      EXPECT_EQ(co_await large->read_all(), std::string(500'000, 'y'));
    }
    http::Client strict(loop);
    https::enable(strict);
    EXPECT_EQ((co_await strict.get(url)).error(), TlsError::certificate_untrusted);
  });
  EXPECT_EQ(server.connections(), 1U);
}

}  // namespace
}  // namespace rondo::tls_test
