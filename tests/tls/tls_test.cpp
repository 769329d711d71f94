#include "rondo/tls.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/rondo.h"

#include "io/net_fixture.h"
#include "pattern.h"
#include "tls/certificates.h"

// ASSERT_TRUE for a coroutine.
#define CO_REQUIRE(result)                   \
  do {                                       \
    EXPECT_TRUE(result) << (result).error(); \
    if (!(result)) co_return;                \
  } while (false)

namespace rondo::tls_test {
namespace {

using namespace std::chrono_literals;
using net_test::Peer;

class TlsSocketTest : public net_test::NetTest {
 protected:
  TlsSocketTest() {
    static const Authority shared_authority;
    static const Identity shared_identity =
        shared_authority.sign("DNS:localhost,IP:127.0.0.1,DNS:*.example.org");
    authority = &shared_authority;
    identity = &shared_identity;
    EXPECT_TRUE(server_context.use_certificate(identity->certificate, identity->key));
    EXPECT_TRUE(client_context.trust(authority->pem()));
  }

  /// Listens; connections are put into `sockets`, failures into `failures`.
  SocketAddress listen() {
    server.emplace(loop, server_context);
    server->on_connection([this](TlsSocket socket) { sockets.push_back(std::move(socket)); });
    server->on_handshake_error(
        [this](std::error_code error, const SocketAddress&) { failures.push_back(error); });
    EXPECT_TRUE(server->listen(SocketAddress::loopback(0)));
    return server->address();
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
  /// What a client's connect() gives for a server of this identity.
  std::error_code verdict(const Identity& of_server, const std::string& host = "localhost") {
    server_context = TlsContext::server();
    EXPECT_TRUE(server_context.use_certificate(of_server.certificate, of_server.key));
    const SocketAddress address = listen();
    std::error_code error;
    run([&]() -> Async<> {
      auto plain = co_await TcpSocket::connect(address);
      CO_REQUIRE(plain);
      const auto socket = co_await TlsSocket::connect(AnyStream(*plain), host, client_context);
      if (!socket) error = socket.error();
    });
    return error;
  }
  Async<Expected<TlsSocket>> connect(SocketAddress address) {
    return TlsSocket::connect("127.0.0.1", address.port(), client_context);
  }
  /// A client, and the server's side of it.
  std::pair<TlsSocket, TlsSocket> pair() {
    const SocketAddress address = listen();
    TlsSocket client;
    run([&]() -> Async<> {
      auto made = co_await connect(address);
      CO_REQUIRE(made);
      client = *made;
    });
    run_until([&] { return !sockets.empty(); });
    TlsSocket other = std::move(sockets.back());
    sockets.pop_back();
    return {std::move(client), std::move(other)};
  }

  const Authority* authority;
  const Identity* identity;
  TlsContext server_context = TlsContext::server();
  TlsContext client_context = TlsContext::client();
  std::optional<TlsServer> server;
  std::vector<TlsSocket> sockets;
  std::vector<std::error_code> failures;
};

TEST_F(TlsSocketTest, Talks) {
  auto [client, other] = pair();
  EXPECT_TRUE(client.secure());
  EXPECT_EQ(client.version(), "TLSv1.3");
  EXPECT_THAT(client.cipher(), testing::StartsWith("TLS_"));
  EXPECT_THAT(client.peer_subject(), testing::HasSubstr("localhost"));
  EXPECT_EQ(client.peer_certificate(), identity->certificate);
  EXPECT_EQ(other.peer_certificate(), "");
  run([&]() -> Async<> {
    EXPECT_TRUE(co_await client.write_all("hello"));
    EXPECT_EQ(co_await other.read(), "hello");
    std::array<std::byte, 3> buffer;
    EXPECT_TRUE(co_await other.write_all("12345"));
    EXPECT_EQ(co_await client.read_some(buffer), 3U);
    EXPECT_EQ(co_await client.read_some(buffer), 2U);
    client.end();
    EXPECT_EQ(co_await other.read(), "");
    EXPECT_EQ(co_await client.read(), "");
  });
  run_until([&] { return client.closed() && other.closed(); });
  EXPECT_FALSE(client.error());
}

TEST_F(TlsSocketTest, MovesMuch) {
  auto [client, other] = pair();
  const std::string sent = pattern(20'000'000);
  std::string received;
  bool written = false;
  spawn(loop, [&]() -> Async<> {
    EXPECT_TRUE(co_await client.write_all(sent));
    written = true;
    client.end();
  });
  run([&]() -> Async<> {
    for (int i = 0; i < 20; ++i) co_await sleep_for(1ms);
    EXPECT_FALSE(written);  // there is no reader
    for (auto part = co_await other.read(); part && !part->empty(); part = co_await other.read()) {
      received += *part;
    }
  });
  EXPECT_EQ(received, sent);
}

TEST_F(TlsSocketTest, GivesDataToACallback) {
  auto [client, other] = pair();
  std::string received;
  bool ended = false;
  bool closed = false;
  other.on_data([&](std::span<const std::byte> bytes) { received += net_test::to_string(bytes); });
  other.on_end([&] { ended = true; });
  other.on_close([&] { closed = true; });
  EXPECT_TRUE(client.write("a"));
  EXPECT_TRUE(client.end("b"));
  run_until([&] { return closed; });
  EXPECT_EQ(received, "ab");
  EXPECT_TRUE(ended);
}

TEST_F(TlsSocketTest, PausesAndResumes) {
  auto [client, other] = pair();
  std::string received;
  other.on_data([&](std::span<const std::byte> bytes) {
    received += net_test::to_string(bytes);
    other.pause();
  });
  EXPECT_TRUE(client.write("a"));
  run_until([&] { return !received.empty(); });
  EXPECT_TRUE(client.write("b"));
  for (int i = 0; i < 20; ++i) loop.run_once();
  EXPECT_EQ(received, "a");
  other.resume();
  run_until([&] { return received == "ab"; });
}

TEST_F(TlsSocketTest, SendsWhatWasWrittenBeforeTheHandshake) {
  const SocketAddress address = listen();
  run([&]() -> Async<> {
    auto plain = co_await TcpSocket::connect(address);
    CO_REQUIRE(plain);
    TlsSocket socket =
        TlsSocket::start_client(loop, AnyStream(*plain), "localhost", client_context);
    EXPECT_FALSE(socket.secure());
    EXPECT_TRUE(socket.end("early"));
    while (sockets.empty()) co_await sleep_for(1ms);
    EXPECT_EQ(co_await sockets[0].read(), "early");
    EXPECT_EQ(co_await sockets[0].read(), "");
  });
}

TEST_F(TlsSocketTest, RunsInsideItself) {
  auto [client, other] = pair();
  run([&]() -> Async<> {
    TlsSocket inner_server = TlsSocket::start_server(loop, AnyStream(other), server_context);
    auto inner = co_await TlsSocket::connect(AnyStream(client), "localhost", client_context);
    CO_REQUIRE(inner);
    EXPECT_TRUE(co_await inner->write_all("onion"));
    EXPECT_EQ(co_await inner_server.read(), "onion");
  });
}

TEST_F(TlsSocketTest, MovesMuchInsideItself) {
  auto [client, other] = pair();
  run([&]() -> Async<> {
    TlsSocket inner_server = TlsSocket::start_server(loop, AnyStream(other), server_context);
    auto inner = co_await TlsSocket::connect(AnyStream(client), "localhost", client_context);
    CO_REQUIRE(inner);
    const std::string much = pattern(1U << 20);
    const auto read_all = [](TlsSocket from, std::size_t size) -> Async<std::string> {
      std::string text;
      while (text.size() < size) {
        const auto part = co_await from.read();
        if (!part || part->empty()) break;
        text += *part;
      }
      co_return text;
    };
    auto [sent, text] =
        co_await when_all(inner->write_all(much), read_all(inner_server, much.size()));
    EXPECT_TRUE(sent);
    EXPECT_TRUE(text == much);
  });
}

TEST_F(TlsSocketTest, AThrowingCallbackLosesNothing) {
  auto [client, other] = pair();
  int thrown = 0;
  std::string got;
  loop.on_uncaught([&](std::exception_ptr) { ++thrown; });
  other.on_data([&](std::span<const std::byte> bytes) {
    got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    throw std::runtime_error("data");
  });
  other.on_end([] { throw std::runtime_error("end"); });
  other.on_close([] { throw std::runtime_error("close"); });
  EXPECT_TRUE(client.write("a"));  // a record each, which arrive together
  EXPECT_TRUE(client.write("b"));
  EXPECT_TRUE(client.write("c"));
  run_until([&] { return got == "abc"; });
  client.end();
  run_until([&, &other = other] { return other.closed(); });
  run_until([&] { return thrown == 5; });
}

TEST_F(TlsSocketTest, AThrowingCallbackForAnErrorIsFollowedByTheClose) {
  auto [client, other] = pair();
  int thrown = 0;
  bool closed = false;
  loop.on_uncaught([&](std::exception_ptr) { ++thrown; });
  other.read().then(loop, [](const Expected<std::string>& read) {
    EXPECT_FALSE(read);
    throw std::runtime_error("read");
  });
  other.on_error([](std::error_code) { throw std::runtime_error("error"); });
  other.on_close([&] { closed = true; });
  client.destroy();  // without close_notify
  run_until([&] { return closed; });
  run_until([&] { return thrown == 2; });
}

// ---- Whom to trust ------------------------------------------------------------------------------

TEST_F(TlsSocketTest, AcceptsACertificateForTheHost) {
  EXPECT_EQ(verdict(*identity), std::error_code());
  EXPECT_EQ(verdict(*identity, "www.example.org"), std::error_code());
  EXPECT_EQ(verdict(*identity, "127.0.0.1"), std::error_code());
}

TEST_F(TlsSocketTest, RefusesACertificateForAnotherHost) {
  EXPECT_EQ(verdict(*identity, "example.com"), TlsError::host_mismatch);
  EXPECT_EQ(verdict(*identity, "a.b.example.org"), TlsError::host_mismatch);
  EXPECT_EQ(verdict(*identity, "127.0.0.2"), TlsError::host_mismatch);
  EXPECT_EQ(verdict(authority->sign("DNS:localhost.evil")), TlsError::host_mismatch);
}

TEST_F(TlsSocketTest, RefusesACertificateThatIsNotValidNow) {
  EXPECT_EQ(verdict(authority->sign("DNS:localhost", -2 * Authority::kDay, -Authority::kDay)),
            TlsError::certificate_expired);
  EXPECT_EQ(verdict(authority->sign("DNS:localhost", Authority::kDay, Authority::kYear)),
            TlsError::certificate_not_yet_valid);
}

TEST_F(TlsSocketTest, RefusesAnAuthorityThatIsNotTrusted) {
  EXPECT_EQ(verdict(Authority("CN=Other").sign("DNS:localhost")), TlsError::certificate_untrusted);
  client_context = TlsContext::client();  // with the system's roots
  EXPECT_EQ(verdict(*identity), TlsError::certificate_untrusted);
  client_context.verify(TlsVerify::none);
  EXPECT_EQ(verdict(*identity), std::error_code());
}

TEST_F(TlsSocketTest, NeedsAHost) {
  auto [mine, theirs] = *UnixSocket::pair(loop);
  EXPECT_THROW(
      static_cast<void>(TlsSocket::start_client(loop, AnyStream(mine), "", client_context)),
      Misuse);
}

TEST_F(TlsSocketTest, AsksForACertificateOfTheClient) {
  const Authority clients("CN=Clients");
  EXPECT_TRUE(server_context.trust(clients.pem()));
  server_context.verify(TlsVerify::required);
  client_context.set_versions(TlsVersion::tls12, TlsVersion::tls12);  // which reports immediately
  const SocketAddress address = listen();
  run([&]() -> Async<> { EXPECT_EQ((co_await connect(address)).error(), TlsError::alert); });
  run_until([&] { return failures.size() == 1; });
  EXPECT_EQ(failures[0], TlsError::certificate_missing);

  const Identity wrong = Authority("CN=Clients").sign("DNS:me");
  EXPECT_TRUE(client_context.use_certificate(wrong.certificate, wrong.key));
  run([&]() -> Async<> { EXPECT_EQ((co_await connect(address)).error(), TlsError::alert); });
  run_until([&] { return failures.size() == 2; });
  EXPECT_THAT(failures[1], testing::AnyOf(make_error_code(TlsError::certificate_untrusted),
                                          make_error_code(TlsError::certificate_invalid)));

  const Identity me = clients.sign("DNS:me");
  EXPECT_TRUE(client_context.use_certificate(me.certificate, me.key));
  run([&]() -> Async<> { EXPECT_TRUE(co_await connect(address)); });
  run_until([&] { return !sockets.empty(); });
  EXPECT_EQ(sockets[0].peer_certificate(), me.certificate);
}

TEST_F(TlsSocketTest, RefusesWhatIsNoCertificate) {
  TlsContext context = TlsContext::server();
  EXPECT_EQ(context.use_certificate("x", "y").error(), TlsError::bad_pem);
  EXPECT_EQ(context.use_certificate(identity->certificate, "").error(), TlsError::bad_pem);
  EXPECT_EQ(context.use_certificate(identity->certificate, authority->sign("DNS:x").key).error(),
            TlsError::bad_pem);
  EXPECT_EQ(context.trust("").error(), TlsError::bad_pem);
  EXPECT_EQ(context.set_cipher_suites("NONE").error(), TlsError::bad_option);
  EXPECT_EQ(context.set_protocols({""}).error(), TlsError::bad_option);
}

// ---- What is agreed on --------------------------------------------------------------------------

TEST_F(TlsSocketTest, AgreesOnAProtocol) {
  EXPECT_TRUE(server_context.set_protocols({"h2", "http/1.1"}));
  EXPECT_TRUE(client_context.set_protocols({"http/1.1", "h2"}));
  auto [client, other] = pair();
  EXPECT_EQ(client.protocol(), "h2");
  EXPECT_EQ(other.protocol(), "h2");
  EXPECT_TRUE(client_context.set_protocols({"spdy"}));
  run([&]() -> Async<> {
    EXPECT_EQ((co_await connect(server->address())).error(), TlsError::no_application_protocol);
  });
}

TEST_F(TlsSocketTest, ShowsTheCertificateOfTheHost) {
  const Identity of_host = authority->sign("DNS:other.org");
  TlsContext other_context = TlsContext::server();
  EXPECT_TRUE(other_context.use_certificate(of_host.certificate, of_host.key));
  server_context.add_host("other.org", other_context);
  const SocketAddress address = listen();
  run([&]() -> Async<> {
    auto plain = co_await TcpSocket::connect(address);
    CO_REQUIRE(plain);
    const auto socket = co_await TlsSocket::connect(AnyStream(*plain), "other.org", client_context);
    CO_REQUIRE(socket);
    EXPECT_EQ(socket->peer_certificate(), of_host.certificate);
  });
  run_until([&] { return !sockets.empty(); });
  EXPECT_EQ(sockets[0].server_name(), "other.org");
}

TEST_F(TlsSocketTest, ResumesSessions) {
  const SocketAddress address = listen();
  const auto reused = [&]() {
    bool result = false;
    sockets.clear();
    run([&]() -> Async<> {
      auto socket = co_await connect(address);
      CO_REQUIRE(socket);
      while (sockets.empty()) co_await sleep_for(1ms);
      EXPECT_TRUE(co_await sockets[0].write_all("x"));
      EXPECT_EQ(co_await socket->read(), "x");  // and, before it, the ticket
      result = socket->session_reused();
      EXPECT_EQ(sockets[0].session_reused(), result);
    });
    return result;
  };
  EXPECT_FALSE(reused());
  EXPECT_TRUE(reused());
  client_context.set_versions(TlsVersion::tls12, TlsVersion::tls12);
  EXPECT_FALSE(reused());
  EXPECT_TRUE(reused());
  client_context.keep_sessions(false);
  EXPECT_FALSE(reused());
}

TEST_F(TlsSocketTest, LogsKeys) {
  std::string log;
  client_context.on_key_log([&](std::string_view line) { log += line; });
  pair();
  EXPECT_THAT(log, testing::HasSubstr("CLIENT_TRAFFIC_SECRET_0"));
}

// ---- Bad peers ----------------------------------------------------------------------------------

TEST_F(TlsSocketTest, RefusesOtherProtocols) {
  const SocketAddress address = listen();
  for (const char* greeting :
       {"GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\x16\x03\x01\xff\xff\x01",
        "\x15\x03\x01\x02\x02\x28", "\x80\x2e\x01\x03\x01xxxxxxxxxxxxxxxxxx"}) {
    const std::size_t before = failures.size();
    const Peer peer(address);
    peer.send(std::string_view(greeting));
    peer.shut();
    run_until([&] { return failures.size() > before; });
  }
  EXPECT_EQ(failures[0], TlsError::protocol);
}

TEST_F(TlsSocketTest, GivesUpOnAPeerThatSaysNothing) {
  const SocketAddress address = listen();
  server->set_handshake_timeout(20ms);
  const Peer peer(address);
  run_until([&] { return !failures.empty(); });
  EXPECT_EQ(failures[0], TlsError::timed_out);
  EXPECT_EQ(peer.receive(), "");
}

TEST_F(TlsSocketTest, GivesUpOnAHandshakeThatDripsIn) {
  const SocketAddress address = listen();
  server->set_handshake_timeout(40ms);
  const Peer peer(address);
  std::string record = "\x16\x03\x01\x02";
  record += std::string(600, '\1');
  std::size_t sent = 0;
  Timer drips = loop.set_interval(1ms, [&] {
    ::send(peer.fd(), record.data() + sent % record.size(), 1, MSG_NOSIGNAL);
    ++sent;
  });
  run_until([&] { return !failures.empty(); });
  drips.clear();
  EXPECT_EQ(failures[0], TlsError::timed_out);
}

TEST_F(TlsSocketTest, RefusesWhatIsTooLong) {
  const SocketAddress address = listen();
  const auto failure_of = [&](const std::string& bytes) {
    failures.clear();
    const Peer peer(address);
    peer.send(bytes);
    run_until([&] { return !failures.empty(); });
    return failures[0];
  };
  using namespace std::string_literals;
  // A record of 18433 bytes, and a message of 16 MiB.
  EXPECT_EQ(failure_of("\x16\x03\x01\x48\x01"s + std::string(100, 'x')), TlsError::protocol);
  EXPECT_EQ(failure_of("\x16\x03\x01\x40\x00\x01\xff\xff\xff"s + std::string(16'380, 'x')),
            TlsError::protocol);
  EXPECT_EQ(failure_of("\x17\x03\x03\x00\x10"s + std::string(16, 'x')), TlsError::protocol);
}

/// A peer that is OpenSSL alone, driven byte by byte if need be.
class OpensslPeer {
 public:
  OpensslPeer(const SocketAddress& address, int version)
      : peer_(address),
        context_(SSL_CTX_new(TLS_client_method())),
        ssl_((SSL_CTX_set_max_proto_version(context_.get(), version), SSL_new(context_.get()))) {
    EXPECT_EQ(::fcntl(peer_.fd(), F_SETFL, O_NONBLOCK), 0);
    SSL_set_fd(ssl_.get(), peer_.fd());
    SSL_set_connect_state(ssl_.get());
  }
  SSL* ssl() const { return ssl_.get(); }
  const Peer& peer() const { return peer_; }
  /// 1: it is over; 0: it goes on; else it has failed.
  int shake_hands() const {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl());
    if (result == 1) return 1;
    return SSL_get_error(ssl(), result) == SSL_ERROR_WANT_READ ? 0 : -1;
  }

 private:
  Peer peer_;
  tls::ContextPtr context_;
  tls::SslPtr ssl_;
};

TEST_F(TlsSocketTest, RefusesToNegotiateAnew) {
  const SocketAddress address = listen();
  const OpensslPeer client(address, TLS1_2_VERSION);
  run_until([&] { return client.shake_hands() == 1 && !sockets.empty(); });
  std::string received;
  std::error_code error;
  bool over = false;
  spawn(loop, [&]() -> Async<> {
    for (;;) {
      const auto part = co_await sockets[0].read();
      if (!part) error = part.error();
      if (!part || part->empty()) break;
      received += *part;
    }
    over = true;
  });
  EXPECT_EQ(SSL_write(client.ssl(), "before", 6), 6);
  run_until([&] { return received == "before"; });
  ASSERT_EQ(SSL_renegotiate(client.ssl()), 1);
  int state = 0;
  run_until([&] { return (state = client.shake_hands()) != 0; });
  EXPECT_EQ(state, -1);
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_error()), SSL_R_NO_RENEGOTIATION);
  client.peer().shut();
  run_until([&] { return over; });
  EXPECT_EQ(received, "before");
}

TEST_F(TlsSocketTest, EndsAConnectionOfRecordsThatAreTooLong) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const SocketAddress address = listen();
    sockets.clear();
    const OpensslPeer client(address, version);
    run_until([&] { return client.shake_hands() == 1 && !sockets.empty(); });
    client.peer().send(std::string_view("\x17\x03\x03\x48\x01xxxxxxxx", 13));
    run([&]() -> Async<> { EXPECT_EQ((co_await sockets[0].read()).error(), TlsError::protocol); });
    EXPECT_TRUE(sockets[0].closed());
  }
}

/// Between client and server: passes bytes on, until a test cuts the connection.
class TlsTruncation : public TlsSocketTest {};

TEST_F(TlsTruncation, IsNoEnd) {
  const SocketAddress address = listen();
  run([&]() -> Async<> {
    auto plain = co_await TcpSocket::connect(address);
    CO_REQUIRE(plain);
    auto socket = co_await TlsSocket::connect(AnyStream(*plain), "localhost", client_context);
    CO_REQUIRE(socket);
    while (sockets.empty()) co_await sleep_for(1ms);
    EXPECT_TRUE(co_await socket->write_all("part"));
    co_await sleep_for(1ms);
    plain->end();  // below TLS, without close_notify
    EXPECT_EQ(co_await sockets[0].read(), "part");
    EXPECT_EQ((co_await sockets[0].read()).error(), TlsError::truncated);
  });
}

TEST_F(TlsTruncation, OfARecordIsNoEnd) {
  auto made = UnixSocket::pair(loop);
  auto [mine, theirs] = *made;
  auto relayed = UnixSocket::pair(loop);
  auto [far, near] = *relayed;
  std::size_t left = SIZE_MAX;
  near.on_data([&](std::span<const std::byte> bytes) { theirs.write(bytes); });
  theirs.on_data([&](std::span<const std::byte> bytes) {
    near.write(bytes.first(std::min(left, bytes.size())));
    if (left < bytes.size()) near.end();
  });
  run([&]() -> Async<> {
    TlsSocket other = TlsSocket::start_server(loop, AnyStream(far), server_context);
    auto socket = co_await TlsSocket::connect(AnyStream(mine), "localhost", client_context);
    CO_REQUIRE(socket);
    EXPECT_TRUE(co_await other.handshake());
    left = 20;
    EXPECT_TRUE(socket->write(std::string(100, 'x')));
    EXPECT_EQ((co_await other.read()).error(), TlsError::truncated);
  });
  near.destroy();
  theirs.destroy();
}

TEST_F(TlsTruncation, OfAlteredBytesIsAnError) {
  auto made = UnixSocket::pair(loop);
  auto [mine, theirs] = *made;
  auto relayed = UnixSocket::pair(loop);
  auto [far, near] = *relayed;
  bool alters = false;
  near.on_data([&](std::span<const std::byte> bytes) { theirs.write(bytes); });
  theirs.on_data([&](std::span<const std::byte> bytes) {
    std::string copy = net_test::to_string(bytes);
    if (alters) copy.back() = static_cast<char>(copy.back() ^ 1);
    near.write(std::move(copy));
  });
  run([&]() -> Async<> {
    TlsSocket other = TlsSocket::start_server(loop, AnyStream(far), server_context);
    auto socket = co_await TlsSocket::connect(AnyStream(mine), "localhost", client_context);
    CO_REQUIRE(socket);
    EXPECT_TRUE(co_await other.handshake());
    alters = true;
    EXPECT_TRUE(socket->write("secret"));
    EXPECT_EQ((co_await other.read()).error(), TlsError::protocol);
    EXPECT_NE(other.error_text(), "");
    alters = false;
    EXPECT_EQ((co_await socket->read()).error(), TlsError::alert);
  });
  near.destroy();
  theirs.destroy();
}

TEST_F(TlsTruncation, MayHappenAtAnyByteOfTheHandshake) {
  const SocketAddress address = listen();
  for (std::size_t most = 1; most < 4000; most += 97) {
    run([&]() -> Async<> {
      auto made = UnixSocket::pair(loop);
      auto [mine, theirs] = *made;
      auto plain = co_await TcpSocket::connect(address);
      CO_REQUIRE(plain);
      TcpSocket far = *plain;
      UnixSocket near = theirs;
      std::size_t left = most;
      far.on_data([&left, near](std::span<const std::byte> bytes) mutable {
        near.write(bytes.first(std::min(left, bytes.size())));
        if (left <= bytes.size()) near.end();
        left -= std::min(left, bytes.size());
      });
      near.on_data([far](std::span<const std::byte> bytes) mutable { far.write(bytes); });
      const auto socket = co_await TlsSocket::connect(AnyStream(mine), "localhost", client_context);
      EXPECT_TRUE(socket || socket.error() == TlsError::truncated) << socket.error();
      far.destroy();
      near.destroy();
    });
  }
}

// ---- Stopping -----------------------------------------------------------------------------------

TEST_F(TlsSocketTest, IsCancelledWhereverItWaits) {
  const SocketAddress address = listen();
  server->on_connection([&](TlsSocket socket) {
    spawn(loop, [](TlsSocket kept) -> Async<> {
      const auto asked = co_await kept.read();
      if (asked) co_await kept.write_all(*asked);
    }(socket));
  });
  for (int turns = 0; turns < 40; ++turns) {
    std::stop_source stop;
    bool done = false;
    bool cancelled = false;
    spawn(
        loop,
        [&]() -> Async<> {
          std::error_code error;
          auto socket = co_await connect(address);
          if (!socket) {
            error = socket.error();
          } else if (const auto written = co_await socket->write_all("x"); !written) {
            error = written.error();
          } else if (const auto read = co_await socket->read(); !read) {
            error = read.error();
          }
          cancelled = error == errno_code(ECANCELED);
          done = true;
        },
        stop.get_token());
    for (int i = 0; i < turns && !done; ++i) loop.run_once();
    const bool in_time = !done;
    stop.request_stop();
    run_until([&] { return done; });
    EXPECT_EQ(cancelled, in_time) << turns;
  }
}

TEST_F(TlsSocketTest, GoesWithItsLoop) {
  static_cast<void>(pair());
  TlsSocket kept;
  {
    Loop short_lived;
    auto made = UnixSocket::pair(short_lived);
    kept = TlsSocket::start_server(short_lived, AnyStream(made->first), server_context);
    kept.on_data([kept](auto) {});
    spawn(short_lived, [kept]() mutable -> Async<> { co_await kept.read(); });
    short_lived.run_nowait();
  }
  EXPECT_TRUE(kept.closed());
  EXPECT_FALSE(kept.write("x"));
}

TEST_F(TlsSocketTest, DropsQuietly) {
  auto [client, other] = pair();
  EXPECT_TRUE(client.write("last words"));
  client = {};
  run([&]() -> Async<> {
    EXPECT_EQ(co_await other.read(), "last words");
    EXPECT_EQ(co_await other.read(), "");
  });
}

}  // namespace
}  // namespace rondo::tls_test
