// Serves the files of a folder over HTTP, as far as `GET` goes.
//
//     static_file_server . 8000      and, elsewhere: curl http://localhost:8000/README.md
//
// Without arguments it serves the folder of this program and asks itself for one file.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMostHeadBytes = 8192;

std::string head(std::string_view status, std::size_t size) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(size) +
         "\r\nConnection: close\r\n\r\n";
}

/// The file a request asks for, within the folder; empty if it asks for anything else.
std::string target(std::string_view request, const std::string& folder) {
  if (!request.starts_with("GET /") || request.size() > kMostHeadBytes) return {};
  const std::string_view path = request.substr(4, request.find_first_of(" \r", 4) - 4);
  if ((std::string(path) + '/').find("/../") != std::string::npos) return {};
  return folder + std::string(path == "/" ? "/index.html" : path);
}

rondo::Async<rondo::Expected<>> answer(rondo::TcpSocket socket, std::string folder) {
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos && request.size() <= kMostHeadBytes) {
    const auto part = co_await socket.read();
    if (!part) co_return std::unexpected(part.error());
    if (part->empty()) co_return rondo::Expected<>();
    request += *part;
  }
  const std::string path = target(request, folder);
  if (path.empty()) co_return co_await socket.write_all(head("400 Bad Request", 0));
  const auto file = co_await rondo::fs::read_file(path);
  if (!file) co_return co_await socket.write_all(head("404 Not Found", 0));
  if (auto taken = socket.write(head("200 OK", file->size())); !taken) {
    co_return std::unexpected(taken.error());
  }
  co_return co_await socket.write_all(*file);  // sent together with the head, and not copied
}

rondo::Async<rondo::Expected<>> converse(rondo::TcpSocket socket, std::string folder) {
  if (auto sent = co_await answer(socket, std::move(folder)); !sent) co_return sent;
  // To close while something of theirs is unread would reset the connection, answer and all.
  socket.end();
  auto rest = co_await socket.read();
  while (rest && !rest->empty()) rest = co_await socket.read();
  co_return rondo::Expected<>();
}

/// A client may take half a minute, and what goes wrong with it is its own affair.
rondo::Async<> serve(rondo::TcpSocket socket, std::string folder) {
  const auto done = co_await rondo::with_timeout(30s, converse(std::move(socket), folder));
  if (!done) std::fprintf(stderr, "a client: %s\n", done.error().message().c_str());
}

rondo::Async<> ask(rondo::TcpServer server, std::string name) {
  auto socket = co_await rondo::TcpSocket::connect(server.address());
  if (!socket) std::exit(1);
  const std::string request = "GET /" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  co_await socket->write_all(request);
  std::string response;
  auto part = co_await socket->read();
  for (; part && !part->empty(); part = co_await socket->read()) response += *part;
  std::printf("%s -> %s (%zu bytes)\n", name.c_str(),
              response.substr(0, response.find('\r')).c_str(), response.size());
  server.close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string self = argv[0];
  const std::string folder = argc > 1 ? argv[1] : self.substr(0, self.rfind('/'));
  const auto port = static_cast<std::uint16_t>(argc > 2 ? std::atoi(argv[2]) : 0);

  rondo::Loop loop;
  rondo::TcpServer server(loop);
  server.on_connection(
      [&](rondo::TcpSocket socket) { rondo::spawn(loop, serve(std::move(socket), folder)); });
  const auto bound = server.listen(rondo::SocketAddress::loopback(port));
  if (!bound) {
    std::fprintf(stderr, "listen: %s\n", bound.error().message().c_str());
    return 1;
  }
  std::printf("http://%s/ serves %s\n", server.address().to_string().c_str(), folder.c_str());
  if (argc < 2) rondo::spawn(loop, ask(server, self.substr(self.rfind('/') + 1)));
  loop.run();
}
