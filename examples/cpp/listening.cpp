// The guide's scene of a server: a port is bound by the time listen() returns, and still no
// listener can have missed the event, because it is emitted through the tick queue, when the
// program has had the time to attach its callback.
#include <cstdio>

#include "rondo/rondo.h"

int main() {
  rondo::Loop loop;
  rondo::TcpServer server(loop);

  const auto bound = server.listen(rondo::SocketAddress::loopback(0));
  if (!bound) return 1;
  std::puts("1. listen() has returned, and the port is bound");

  // Attached after the fact, and in time nevertheless.
  server.on_listening([&] {
    std::puts("3. listening");
    server.close();
  });
  loop.set_immediate([] { std::puts("4. an immediate comes after it"); });

  std::puts("2. the main program ends");
  loop.run();
}
