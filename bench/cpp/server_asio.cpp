#include <array>
#include <asio.hpp>
#include <memory>
#include <string>
#include <utility>

#include "harness.h"
#include "server_process.h"

namespace rondo::bench {

namespace {

using asio::ip::tcp;

class Echo : public std::enable_shared_from_this<Echo> {
 public:
  explicit Echo(tcp::socket socket) : socket_(std::move(socket)) {}

  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](std::error_code error, std::size_t size) {
                              if (!error) self->write(size);
                            });
  }

 private:
  void write(std::size_t size) {
    asio::async_write(socket_, asio::buffer(buffer_, size),
                      [self = shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  tcp::socket socket_;
  std::array<char, 4096> buffer_{};
};

class Blocks : public std::enable_shared_from_this<Blocks> {
 public:
  explicit Blocks(tcp::socket socket) : socket_(std::move(socket)) {}

  void write() {
    asio::async_write(socket_, asio::buffer(block_),
                      [self = shared_from_this()](std::error_code error, std::size_t) {
                        if (!error) self->write();
                      });
  }

 private:
  tcp::socket socket_;
  std::string block_ = std::string(kBlockBytes, 'x');
};

void accept(tcp::acceptor& acceptor, Service service) {
  acceptor.async_accept([&acceptor, service](std::error_code error, tcp::socket socket) {
    expect(!error, "Asio: accept failed");
    switch (service) {
      case Service::echo:
        std::make_shared<Echo>(std::move(socket))->read();
        break;
      case Service::write_blocks:
        std::make_shared<Blocks>(std::move(socket))->write();
        break;
      case Service::close:
        socket.close();
        break;
      default:
        expect(false, "of another server");
    }
    accept(acceptor, service);
  });
}

}  // namespace

void serve_with_asio(Service service) {
  asio::io_context context(1);  // one thread: no locks
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  accept(acceptor, service);
  say_port(acceptor.local_endpoint().port());
  context.run();
}

}  // namespace rondo::bench
