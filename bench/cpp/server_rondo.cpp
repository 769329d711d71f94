#include <cstdlib>
#include <string>

#include "rondo/async.h"
#include "rondo/loop.h"
#include "rondo/loop_group.h"
#include "rondo/net.h"

#include "harness.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

Async<> write_blocks(TcpSocket socket) {
  const std::string block(kBlockBytes, 'x');
  while (co_await socket.write_all(block)) {
  }
}

}  // namespace

namespace {

[[noreturn]] void echo_on(std::size_t count) {
  LoopGroup loops(count);
  const auto address = loops.serve(SocketAddress::loopback(0), [](TcpSocket socket) {
    socket.on_data([socket](auto bytes) mutable { static_cast<void>(socket.write(bytes)); });
  });
  expect(address.has_value(), "cannot listen");
  say_port(address->port());
  loops.join();
  std::exit(1);
}

}  // namespace

void serve_with_rondo(Service service) {
  if (service == Service::echo_2_loops) echo_on(2);
  if (service == Service::echo_4_loops) echo_on(4);
  if (service == Service::echo_8_loops) echo_on(8);
  Loop loop;
  TcpServer server(loop);
  server.on_connection([&loop, service](TcpSocket socket) {
    switch (service) {
      case Service::echo:
        socket.on_data([socket](auto bytes) mutable { static_cast<void>(socket.write(bytes)); });
        break;
      case Service::write_blocks:
        spawn(loop, write_blocks(std::move(socket)));
        break;
      case Service::close:
        socket.destroy();
        break;
      default:
        expect(false, "of another server");
    }
  });
  expect(server.listen(SocketAddress::loopback(0)).has_value(), "cannot listen");
  say_port(server.address().port());
  loop.run();
}

}  // namespace rondo::bench
