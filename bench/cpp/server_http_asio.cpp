#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <asio.hpp>
#include <asio/ssl.hpp>
#include <memory>
#include <string>
#include <utility>

#include "harness.h"
#include "server_http.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

using asio::ip::tcp;

template <class Stream>
class HttpSession : public std::enable_shared_from_this<HttpSession<Stream>> {
 public:
  HttpSession(Stream stream, const std::string& file) : stream_(std::move(stream)), file_(file) {}

  Stream& stream() { return stream_; }
  void read() {
    stream_.async_read_some(asio::buffer(buffer_), [self = this->shared_from_this()](
                                                       std::error_code error, std::size_t size) {
      if (!error) self->handle(size);
    });
  }

 private:
  void handle(std::size_t size) {
    answer_.clear();
    for (std::size_t left = parser_.feed(buffer_.data(), size); left > 0; --left) {
      file_.empty() ? static_cast<void>(answer_ += kHello) : append_file();
    }
    if (answer_.empty()) return read();
    asio::async_write(stream_, asio::buffer(answer_),
                      [self = this->shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }
  void append_file() {
    const int fd = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info{};
    expect(::fstat(fd, &info) == 0, "the file is gone");
    const auto size = static_cast<std::size_t>(info.st_size);
    answer_ +=
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nDate: Wed, 18 Nov 2026 "
        "12:00:00 GMT\r\nContent-Length: ";
    answer_ += std::to_string(size);
    answer_ += "\r\n\r\n";
    const std::size_t before = answer_.size();
    answer_.resize(before + size);
    expect(::read(fd, answer_.data() + before, size) == info.st_size, "the file has changed");
    ::close(fd);
  }

  Stream stream_;
  const std::string& file_;
  RequestCounter parser_;
  std::string answer_;
  std::array<char, 4096> buffer_{};
};

void accept(tcp::acceptor& acceptor, const std::string& file) {
  acceptor.async_accept([&](std::error_code error, tcp::socket socket) {
    expect(!error, "Asio: accept failed");
    std::make_shared<HttpSession<tcp::socket>>(std::move(socket), file)->read();
    accept(acceptor, file);
  });
}

void accept_secure(tcp::acceptor& acceptor, asio::ssl::context& context) {
  acceptor.async_accept([&](std::error_code error, tcp::socket socket) {
    expect(!error, "Asio: accept failed");
    using Secure = asio::ssl::stream<tcp::socket>;
    static const std::string no_file;
    socket.set_option(tcp::no_delay(true));
    auto session =
        std::make_shared<HttpSession<Secure>>(Secure(std::move(socket), context), no_file);
    session->stream().async_handshake(asio::ssl::stream_base::server,
                                      [session](std::error_code failed) {
                                        if (!failed) session->read();
                                      });
    accept_secure(acceptor, context);
  });
}

}  // namespace

void serve_http_with_asio(Service service) {
  asio::io_context context(1);  // one thread: no locks
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  const std::string file = service == Service::http_file ? make_file() : std::string();
  asio::ssl::context secure(asio::ssl::context::tls_server);
  if (service == Service::https_hello) {
    const Identity identity = make_identity();
    secure.use_certificate_chain(asio::buffer(identity.certificate));
    secure.use_private_key(asio::buffer(identity.key), asio::ssl::context::pem);
    accept_secure(acceptor, secure);
  } else {
    accept(acceptor, file);
  }
  say_port(acceptor.local_endpoint().port());
  context.run();
}

}  // namespace rondo::bench
