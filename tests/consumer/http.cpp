#include <cstdio>
#include <string>

#include <rondo/http.h>
#include <rondo/rondo.h>

namespace {

rondo::Async<> ask(rondo::Loop& loop, rondo::http::Server& server) {
  rondo::http::Client client(loop);
  auto response = co_await client.get("http://" + server.address().to_string());
  if (response) {
    if (const auto text = co_await response->read_all()) std::puts(text->c_str());
  }
  server.close();
}

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::http::Server server(loop);
  server.on_request([](rondo::http::Request, rondo::http::Response response) {
    response.send("the theme returns");
  });
  if (!server.listen(rondo::SocketAddress::loopback(0))) return 1;
  rondo::spawn(loop, ask(loop, server));
  loop.run();
}
