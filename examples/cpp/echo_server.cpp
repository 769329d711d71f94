// An echo server. With a port it serves for ever; without one it talks to itself once and ends.
//
//     echo_server 7000        and, elsewhere: nc localhost 7000
#include <cstdio>
#include <cstdlib>
#include <string>

#include "rondo/rondo.h"

namespace {

rondo::Async<> say_hello(rondo::TcpServer server) {
  auto socket = co_await rondo::TcpSocket::connect(server.address());
  if (!socket) {
    std::fprintf(stderr, "connect: %s\n", socket.error().message().c_str());
    std::exit(1);
  }
  co_await socket->write_all("hello, rondo\n");
  const auto answer = co_await socket->read();
  std::printf("the echo of \"hello, rondo\": %s", answer ? answer->c_str() : "none\n");
  server.close();
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::TcpServer server(loop);

  server.on_connection([](rondo::TcpSocket socket) {
    // The callback holds the socket, and so keeps it open until the other side is done.
    socket.on_data([socket](auto bytes) mutable {
      // A peer that sends but never reads gets no more from us until it does.
      const auto flow = socket.write(bytes);
      if (flow && *flow == rondo::Flow::wait) socket.pause();
    });
    socket.on_drain([socket]() mutable { socket.resume(); });
  });

  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (const auto bound = server.listen(rondo::SocketAddress::loopback(port)); !bound) {
    std::fprintf(stderr, "listen: %s\n", bound.error().message().c_str());
    return 1;
  }
  std::printf("listening on %s\n", server.address().to_string().c_str());
  if (argc < 2) rondo::spawn(loop, say_hello(server));
  loop.run();
}
