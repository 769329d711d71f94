// A chat over plain TCP, line by line: the first line is one's name, what follows is for all
// others.
//
//     chat_server 7000         and, in other terminals: nc localhost 7000
//
// Without arguments two clients of its own talk for a moment.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <utility>

#include <rondo/rondo.h>

namespace {

// A client that does not read, and for which this much waits, is disconnected.
constexpr std::size_t kMostWaiting = 1U << 20;

class Room {
 public:
  /// From the first line of a guest to the last.
  rondo::Async<> serve(rondo::TcpSocket socket) {
    rondo::BufferedReader lines(socket);
    auto name = co_await lines.read_line(80);
    if (!name) co_return;  // gone, or a name that is too long
    const std::string who(*name);
    const auto place = guests_.insert(guests_.end(), socket);
    say(socket, "* " + who + " has come\n");
    while (true) {
      auto line = co_await lines.read_line(4096);
      if (!line) break;
      say(socket, who + ": " + std::string(*line) + "\n");
    }
    guests_.erase(place);
    say(socket, "* " + who + " has left\n");
  }

 private:
  void say(const rondo::TcpSocket& from, const std::string& text) {
    for (rondo::TcpSocket& guest : guests_) {
      if (guest == from) continue;
      if (guest.buffered() > kMostWaiting || !guest.write(text)) guest.destroy();
    }
  }

  std::list<rondo::TcpSocket> guests_;
};

rondo::Async<rondo::TcpSocket> join(rondo::SocketAddress address, std::string name) {
  auto socket = co_await rondo::TcpSocket::connect(address);
  if (!socket || !co_await socket->write_all(name + "\n")) {
    std::fputs("no connection\n", stderr);
    std::exit(1);
  }
  co_return *std::move(socket);
}

rondo::Async<> talk(rondo::SocketAddress address, rondo::TcpServer& server) {
  rondo::TcpSocket ann = co_await join(address, "ann");
  rondo::BufferedReader heard(ann);
  rondo::TcpSocket bob = co_await join(address, "bob");
  for (const char* text : {"* bob has come", "bob: hello", "* bob has left"}) {
    auto line = co_await rondo::with_timeout(std::chrono::seconds(10), heard.read_line());
    if (!line || *line != text) {
      std::fprintf(stderr, "expected: %s\n", text);
      std::exit(1);
    }
    std::puts(text);
    if (*line == "* bob has come") (void)bob.write("hello\n");
    if (*line == "bob: hello") bob.end();
  }
  server.close();
  ann.end();
}

}  // namespace

int main(int argc, char** argv) {
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  rondo::Loop loop;
  Room room;
  rondo::TcpServer server(loop);
  server.on_connection(
      [&](rondo::TcpSocket socket) { spawn(loop, room.serve(std::move(socket))); });
  if (!server.listen(rondo::SocketAddress::loopback(port))) {
    std::fputs("cannot listen\n", stderr);
    return 1;
  }
  std::printf("listening on %s\n", server.address().to_string().c_str());
  if (argc == 1) spawn(loop, talk(server.address(), server));
  loop.run();
}
