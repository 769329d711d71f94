#include <cstdio>

#include <rondo/rondo.h>
#include <rondo/tls.h>

namespace {

// A server that does not speak TLS.
rondo::Async<> ask(rondo::TcpServer& server) {
  const auto socket = co_await rondo::TlsSocket::connect("127.0.0.1", server.address().port(),
                                                         rondo::TlsContext::client());
  if (!socket && socket.error() == rondo::TlsError::protocol) std::puts("the theme returns");
  server.close();
}

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  server.on_connection([](rondo::TcpSocket socket) {
    if (!socket.end("220 mail.example.org ESMTP\r\n")) socket.destroy();
  });
  if (!server.listen(rondo::SocketAddress::loopback(0))) return 1;
  rondo::spawn(loop, ask(server));
  loop.run();
}
