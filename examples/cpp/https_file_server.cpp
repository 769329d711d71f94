// Serves the files of a folder over HTTPS.
//
//     https_file_server . 8443 chain.pem key.pem      and, elsewhere: curl
//     https://localhost:8443/README.md
//
// Without arguments it serves its own folder, with a certificate that `openssl` makes, and asks
// itself for a file.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "rondo/https.h"
#include "rondo/rondo.h"

namespace http = rondo::http;

namespace {

/// Whether the path stays inside of the folder.
bool is_inside(std::string_view path) {
  return path.starts_with('/') && (std::string(path) + '/').find("/../") == std::string::npos &&
         path.find("%") == std::string_view::npos;
}

rondo::Async<> answer(http::Request request, http::Response response, std::string folder) {
  if (request.method() != "GET" && request.method() != "HEAD") {
    response.status(405).header("Allow", "GET, HEAD").send();
    co_return;
  }
  if (!is_inside(request.path())) {
    response.status(400).send("not a path of mine\n");
    co_return;
  }
  std::string path = folder + std::string(request.path());
  if (path.ends_with('/')) path += "index.html";
  const auto sent = co_await response.send_file(path);
  if (!sent && !response.head_sent()) {
    response.status(sent.error().value() == ENOENT ? 404 : 403).send("no such file\n");
  }
}

/// A certificate that signs itself, as long as there is no other.
rondo::Async<bool> make_certificate(std::string chain, std::string key) {
  const auto made = co_await rondo::run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                        "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
                                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                                        "-keyout", key, "-out", chain);
  co_return made && made->status.success();
}

rondo::Async<rondo::Expected<>> load(rondo::TlsContext context, std::string chain_file,
                                     std::string key_file) {
  const auto chain = co_await rondo::fs::read_file(chain_file);
  if (!chain) co_return std::unexpected(chain.error());
  const auto key = co_await rondo::fs::read_file(key_file);
  if (!key) co_return std::unexpected(key.error());
  co_return context.use_certificate(*chain, *key);
}

/// The other side, which trusts this certificate only.
rondo::Async<> ask(rondo::Loop& loop, std::string url, std::string chain_file) {
  const auto chain = co_await rondo::fs::read_file(chain_file);
  rondo::TlsContext trusting = rondo::TlsContext::client();
  if (!chain || !trusting.trust(*chain)) std::exit(1);
  http::Client client(loop);
  rondo::https::enable(client, trusting);
  auto response = co_await client.get(url);
  if (!response) {
    std::fprintf(stderr, "%s: %s\n", url.c_str(), response.error().message().c_str());
    std::exit(1);
  }
  const auto body = co_await response->read_all();
  std::printf("%s -> %d (%zu bytes)\n", url.c_str(), response->status(), body ? body->size() : 0);
  if (response->status() != 200) std::exit(1);
}

rondo::Async<> run(rondo::Loop& loop, int argc, char** argv) {
  const std::string self = argv[0];
  const bool is_demo = argc < 5;
  const std::string folder = is_demo ? self.substr(0, self.rfind('/')) : argv[1];
  const std::string mark = "." + std::to_string(::getpid()) + ".pem";
  const std::string chain_file = is_demo ? folder + "/chain" + mark : argv[3];
  const std::string key_file = is_demo ? folder + "/key" + mark : argv[4];
  if (is_demo && !co_await make_certificate(chain_file, key_file)) std::exit(1);

  rondo::TlsContext context = rondo::TlsContext::server();
  if (const auto loaded = co_await load(context, chain_file, key_file); !loaded) {
    std::fprintf(stderr, "certificate: %s\n", loaded.error().message().c_str());
    std::exit(1);
  }
  http::Server server(loop);
  server.on_request([folder](http::Request request, http::Response response) {
    return answer(std::move(request), std::move(response), folder);
  });
  rondo::TlsServer listener = rondo::https::listener(loop, context, server);
  const auto port = static_cast<std::uint16_t>(is_demo ? 0 : std::atoi(argv[2]));
  if (const auto bound = listener.listen(rondo::SocketAddress::loopback(port)); !bound) {
    std::fprintf(stderr, "listen: %s\n", bound.error().message().c_str());
    std::exit(1);
  }
  const std::string url = "https://localhost:" + std::to_string(listener.address().port());
  std::printf("%s serves %s\n", url.c_str(), folder.c_str());
  if (!is_demo) {
    while (co_await rondo::sleep_for(std::chrono::hours(1))) {
    }
  }
  co_await ask(loop, url + "/chain" + mark, chain_file);
  ::unlink(chain_file.c_str());
  ::unlink(key_file.c_str());
  listener.close();
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::spawn(loop, run(loop, argc, argv));
  loop.run();
}
