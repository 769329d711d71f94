// A whole server of HTTP: whatever a client sends before it ends its side, the server answers no
// more requests than its handler was called for, and lets the connection go.
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/http.h"
#include "rondo/rondo.h"

namespace {

using namespace rondo;

class Served {
 public:
  Served() {
    server_.on_request([this](http::Request request, http::Response response) -> Async<> {
      ++requests_;
      if (request.target() == "/stream") {
        for (auto part = co_await request.read(); part && !part->empty();
             part = co_await request.read()) {
          if (!co_await response.write_all(std::string(part->size(), 'x'))) co_return;
        }
        response.end();
        co_return;
      }
      const auto body = co_await request.read_all();
      if (body) response.send(std::to_string(body->size()));
    });
  }

  void hear(std::string_view bytes) {
    auto pair = UnixSocket::pair(loop_, {.stream = {.allow_half_open = true}});
    if (!pair) std::abort();
    const Expected<int> client = pair->second.release();
    if (!client) std::abort();
    requests_ = 0;
    server_.serve(AnyStream(std::move(pair->first)));
    if (::send(*client, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
        !bytes.empty()) {
      std::abort();
    }
    ::shutdown(*client, SHUT_WR);
    std::string answer;
    for (int turns = 0; server_.connections() != 0; ++turns) {
      if (turns == 100'000) std::abort();  // it hangs
      loop_.run_nowait();
      receive(*client, answer);
    }
    receive(*client, answer);
    ::close(*client);
    std::size_t answers = 0;
    for (std::size_t at = 0; (at = answer.find("HTTP/1.1 2", at)) != std::string::npos; ++at) {
      ++answers;
    }
    if (answers > requests_) std::abort();
  }

 private:
  static void receive(int fd, std::string& answer) {
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT)) > 0) {
      answer.append(buffer, static_cast<std::size_t>(count));
    }
  }

  Loop loop_;
  http::Server server_{loop_, {.max_head_bytes = 4096, .max_body_bytes = 1U << 16}};
  std::size_t requests_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > (1U << 16)) return 0;
  static Served served;
  served.hear({reinterpret_cast<const char*>(data), size});
  return 0;
}
