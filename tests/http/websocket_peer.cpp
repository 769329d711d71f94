// The C++ side of websocket_ws.mjs, where npm's ws is the other end.
//
//   websocket_peer serve         echoes what comes, until a socket is closed with 4000
//   websocket_peer connect URL   sends messages to an echo, and closes
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/http.h"
#include "rondo/rondo.h"
#include "rondo/websocket.h"

namespace {

using namespace rondo;

Async<> echo(WebSocket socket, http::Server& server) {
  while (const auto message = co_await socket.read()) {
    socket.send(*message);
    if (const auto room = co_await socket.drained(); !room) break;
  }
  std::printf("closed by the client: %d %s\n", socket.close_code(), socket.close_reason().c_str());
  if (socket.close_code() == 4000) server.close();
}

int serve() {
  Loop loop;
  http::Server server(loop);
  server.on_request([&](http::Request request, http::Response response) {
    auto socket = WebSocket::accept(request, std::move(response));
    if (socket) spawn(loop, echo(*std::move(socket), server));
  });
  if (!server.listen(SocketAddress::loopback(0))) return 1;
  std::printf("%s\n", server.address().to_string().c_str());
  std::fflush(stdout);
  loop.run();
  return 0;
}

/// What a message is: of a long one, its size.
std::string shown(const WebSocketMessage& message) {
  const std::string kind = message.is_text ? "text " : "binary ";
  return kind +
         (message.data.size() < 40 ? message.data : std::to_string(message.data.size()) + " bytes");
}

Async<Expected<>> talk(Loop& loop, std::string url) {
  http::Client client(loop);
  auto socket = co_await WebSocket::connect(client, url);
  if (!socket) co_return std::unexpected(socket.error());
  std::printf("deflates: %s\n", socket->deflates() ? "yes" : "no");
  const std::string large(300'000, 'x');
  socket->send("hello");
  socket->send(large);
  socket->send_binary(std::as_bytes(std::span(std::string_view("\0\xff", 2))));
  if (auto pinged = socket->ping("p"); !pinged) co_return pinged;
  for (int i = 0; i < 3; ++i) {
    const auto message = co_await socket->read();
    if (!message) co_return std::unexpected(message.error());
    const bool same = message->data.size() != large.size() || message->data == large;
    const std::string text = message->data.size() == 2 ? "binary of two" : shown(*message);
    std::printf("%s%s\n", text.c_str(), same ? "" : ", altered");
  }
  const auto last = co_await socket->read();  // the server closes
  std::printf("%s: %d %s\n", error_name(last.error()).data(), socket->close_code(),
              socket->close_reason().c_str());
  co_return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "serve") return serve();
  if (argc != 3) return 2;
  Loop loop;
  const auto result = block_on(loop, talk(loop, argv[2]));
  if (!result) std::printf("failed: %s\n", result.error().message().c_str());
  return result ? 0 : 1;
}
