// A reverse proxy: passes every request on to another server, and the answer back, while they
// arrive.
//
//     http_proxy 8080 http://localhost:8000      and, elsewhere: curl http://localhost:8080/
//
// Without arguments it proxies a server of its own, and sends requests through itself.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "rondo/http.h"
#include "rondo/rondo.h"

namespace http = rondo::http;

namespace {

/// Header lines that are about one connection, not about the message (RFC 9110, 7.6.1).
bool is_for_one_hop(std::string_view name) {
  for (const char* one : {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization",
                          "te", "trailer", "transfer-encoding", "upgrade", "host", "expect"}) {
    if (http::same_name(name, one)) return true;
  }
  return false;
}

rondo::Async<rondo::Expected<http::ClientResponse>> pass_on(http::Client& client,
                                                            http::Request request,
                                                            std::string origin) {
  const std::string url = origin + std::string(request.target());
  http::ClientRequest onward(std::string(request.method()), url);
  bool has_body = false;
  for (const auto& [name, value] : request.headers()) {
    has_body |=
        http::same_name(name, "content-length") || http::same_name(name, "transfer-encoding");
    if (!is_for_one_hop(name)) onward.header(name, value);
  }
  onward.header("X-Forwarded-For", request.peer_address().ip());
  if (!has_body) co_return co_await client.send(std::move(onward));
  auto upload = co_await client.upload(std::move(onward));
  if (!upload) co_return std::unexpected(upload.error());
  for (;;) {
    const auto part = co_await request.read();
    if (!part) co_return std::unexpected(part.error());
    if (part->empty()) break;
    // A server that has answered already need not read the rest.
    if (!co_await upload->write_all(*part)) break;
  }
  co_return co_await upload->finish();
}

rondo::Async<> proxy(http::Client& client, http::Request request, http::Response response,
                     std::string origin) {
  auto answer = co_await pass_on(client, request, origin);
  if (!answer) {
    response.status(502).send(answer.error().message() + '\n');
    co_return;
  }
  response.status(answer->status());
  for (const auto& [name, value] : answer->headers()) {
    if (!is_for_one_hop(name)) response.header(name, value);
  }
  for (;;) {
    const auto part = co_await answer->read();
    if (!part) co_return;  // the client sees that the answer is not whole
    if (part->empty()) break;
    if (!co_await response.write_all(*part)) co_return;
  }
  response.end();
}

rondo::Async<> ask(http::Client& client, http::Server& origin, http::Server& front) {
  const std::string url = "http://" + front.address().to_string();
  auto response = co_await client.post(url + "/shout", "hello");
  if (!response) std::exit(1);
  const auto text = co_await response->read_all();
  std::printf("%s\n", text ? text->c_str() : text.error().message().c_str());
  if (!text || *text != "HELLO") std::exit(1);
  client.close_idle();
  front.close();
  origin.close();
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  http::Client client(loop);
  http::Server origin(loop);
  http::Server front(loop);
  std::string to = argc > 2 ? argv[2] : "";
  if (to.empty()) {
    origin.on_request([](http::Request request, http::Response response) -> rondo::Async<> {
      auto body = co_await request.read_all();
      if (!body) co_return;
      for (char& c : *body) c = static_cast<char>(std::toupper(c));
      response.send(*body);
    });
    if (!origin.listen(rondo::SocketAddress::loopback(0))) return 1;
    to = "http://" + origin.address().to_string();
  }
  front.on_request([&client, &to](http::Request request, http::Response response) {
    return proxy(client, std::move(request), std::move(response), to);
  });
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (const auto bound = front.listen(rondo::SocketAddress::loopback(port)); !bound) {
    std::fprintf(stderr, "listen: %s\n", bound.error().message().c_str());
    return 1;
  }
  std::printf("http://%s/ -> %s\n", front.address().to_string().c_str(), to.c_str());
  if (argc < 2) rondo::spawn(loop, ask(client, origin, front));
  loop.run();
}
