#include <string>

#include "rondo/https.h"
#include "rondo/loop.h"

#include "harness.h"
#include "server_http.h"
#include "server_process.h"

namespace rondo::bench {

void serve_http_with_rondo(Service service) {
  Loop loop;
  http::Server server(loop);
  if (service == Service::http_file) {
    server.on_request([path = make_file()](http::Request, http::Response response) -> Async<> {
      expect((co_await response.send_file(path)).has_value(), "the file cannot be sent");
    });
  } else {
    server.on_request([](http::Request, http::Response response) { response.send(kHelloBody); });
  }
  if (service != Service::https_hello) {
    expect(server.listen(SocketAddress::loopback(0)).has_value(), "cannot listen");
    say_port(server.address().port());
    loop.run();
    return;
  }
  TlsContext context = TlsContext::server();
  const Identity identity = make_identity();
  expect(context.use_certificate(identity.certificate, identity.key).has_value(),
         "the certificate is not accepted");
  TlsServer listener = https::listener(loop, context, server);
  expect(listener.listen(SocketAddress::loopback(0)).has_value(), "cannot listen");
  say_port(listener.address().port());
  loop.run();
}

}  // namespace rondo::bench
