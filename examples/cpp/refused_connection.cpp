// The guide's scene of the pending phase: a refused connection is not reported immediately but
// in the next iteration of the loop, among the deferred results.
#include <cstdio>
#include <string>

#include "rondo/rondo.h"

int main() {
  rondo::Loop loop;

  // A port at which a socket listened a moment ago.
  rondo::TcpServer server(loop);
  if (!server.listen(rondo::SocketAddress::loopback(0))) return 1;
  const rondo::SocketAddress nobody = server.address();
  server.close();

  loop.set_immediate([&] {
    std::puts("connecting ...");
    rondo::TcpSocket::connect(nobody).then(loop, [&](rondo::Expected<rondo::TcpSocket> socket) {
      const std::string name(socket ? "connected" : rondo::error_name(socket.error()));
      const std::string phase(to_string(loop.phase()));
      std::printf("%s, told in the %s phase\n", name.c_str(), phase.c_str());
    });
    std::puts("... and connect() has returned");
  });
  loop.run();
}
