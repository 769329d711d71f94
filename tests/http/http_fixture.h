// What the tests of HTTP share: a server, and raw peers that send whatever bytes a test likes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/http.h"
#include "rondo/rondo.h"

#include "io/net_fixture.h"

// ASSERT_TRUE for a coroutine.
#define CO_REQUIRE(result)                   \
  do {                                       \
    EXPECT_TRUE(result) << (result).error(); \
    if (!(result)) co_return;                \
  } while (false)

namespace rondo::http_test {

using namespace std::chrono_literals;
using net_test::Peer;

class HttpTest : public net_test::NetTest {
 protected:
  /// Listens with a handler and gives the address.
  template <class Handler>
  SocketAddress serve(Handler&& handler, http::ServerOptions options = {}) {
    server.emplace(loop, options);
    server->on_request(std::forward<Handler>(handler));
    EXPECT_TRUE(server->listen(SocketAddress::loopback(0)));
    return server->address();
  }

  /// What the peer receives until `enough` says so, or until the end.
  std::string receive(const Peer& peer, const std::function<bool(const std::string&)>& enough) {
    std::string text;
    bool ended = false;
    run_until([&] {
      while (!ended && peer.readable()) {
        const std::string part = peer.receive();
        ended = part.empty();
        text += part;
      }
      return ended || enough(text);
    });
    return text;
  }
  std::string receive_to_end(const Peer& peer) {
    return receive(peer, [](const std::string&) { return false; });
  }
  /// A whole response with Content-Length.
  std::string receive_response(const Peer& peer) {
    return receive(peer, [](const std::string& text) {
      const std::size_t head = text.find("\r\n\r\n");
      if (head == std::string::npos) return false;
      const std::size_t length = text.find("Content-Length: ");
      if (length > head) return true;
      return text.size() >= head + 4 + std::stoul(text.substr(length + 16));
    });
  }
  /// Sends raw bytes on a new connection and gives all that comes back until the server closes.
  std::string ask(const SocketAddress& address, std::string_view request) {
    const Peer peer(address);
    peer.send(request);
    return receive_to_end(peer);
  }

  std::optional<http::Server> server;
};

inline std::string status_of(const std::string& response) {
  return response.size() < 12 ? response : response.substr(9, 3);
}
inline std::string body_of(const std::string& response) {
  const std::size_t head = response.find("\r\n\r\n");
  return head == std::string::npos ? std::string() : response.substr(head + 4);
}
inline std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace rondo::http_test
