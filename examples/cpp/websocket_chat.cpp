// A chat: each message is sent to all other clients.
//
//     websocket_chat 8000      and, in the console of a browser: new
//     WebSocket('ws://localhost:8000/')
//
// Without arguments three clients of its own talk for a moment.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>

#include "rondo/http.h"
#include "rondo/rondo.h"
#include "rondo/websocket.h"

namespace http = rondo::http;
using namespace std::chrono_literals;

namespace {

// A client that does not read, and for which this much waits, is disconnected.
constexpr std::size_t kMostWaiting = 1U << 20;

class Room {
 public:
  void enter(rondo::WebSocket socket) {
    const auto place = guests_.insert(guests_.end(), socket);
    socket.on_message([this, place](rondo::WebSocketMessage& message) {
      for (auto& guest : guests_) {
        if (guest == *place) continue;
        if (guest.buffered() > kMostWaiting) {
          guest.destroy();
        } else {
          guest.send(message);
        }
      }
    });
    socket.on_close([this, place] { guests_.erase(place); });
  }
  std::size_t size() const { return guests_.size(); }

 private:
  std::list<rondo::WebSocket> guests_;
};

rondo::Async<rondo::WebSocket> join(http::Client& client, std::string url) {
  auto socket = co_await rondo::WebSocket::connect(client, url);
  if (!socket) {
    std::fprintf(stderr, "%s: %s\n", url.c_str(), socket.error().message().c_str());
    std::exit(1);
  }
  co_return *std::move(socket);
}

rondo::Async<> talk(rondo::Loop& loop, http::Server& server, Room& room) {
  http::Client client(loop);
  const std::string url = "ws://" + server.address().to_string() + "/";
  rondo::WebSocket ann = co_await join(client, url);
  rondo::WebSocket bob = co_await join(client, url);
  rondo::WebSocket cid = co_await join(client, url);
  ann.send("hello, says Ann");
  for (rondo::WebSocket* one : {&bob, &cid}) {
    const auto heard = co_await one->read();
    if (!heard) std::exit(1);
    std::printf("heard: %s\n", heard->data.c_str());
  }
  ann.close();
  bob.close();
  cid.close();
  while (room.size() != 0) co_await rondo::sleep_for(1ms);
  server.close();
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  Room room;
  http::Server server(loop);
  server.on_request([&room](http::Request request, http::Response response) {
    if (auto socket = rondo::WebSocket::accept(request, std::move(response))) {
      room.enter(*std::move(socket));
    }
  });
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (const auto bound = server.listen(rondo::SocketAddress::loopback(port)); !bound) {
    std::fprintf(stderr, "listen: %s\n", bound.error().message().c_str());
    return 1;
  }
  std::printf("ws://%s/\n", server.address().to_string().c_str());
  if (argc < 2) rondo::spawn(loop, talk(loop, server, room));
  loop.run();
}
