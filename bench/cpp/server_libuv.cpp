#include <netinet/in.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include <uv.h>

#include "harness.h"
#include "server_process.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

Service service_of_all = Service::echo;
bool tuned = false;

struct Connection {
  uv_tcp_t tcp{};
  uv_write_t writing{};

  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp); }
  void close() {
    auto* handle = reinterpret_cast<uv_handle_t*>(&tcp);
    if (uv_is_closing(handle) != 0) return;
    uv_close(handle, [](uv_handle_t* closed) { delete static_cast<Connection*>(closed->data); });
  }
};

struct Write {
  uv_write_t request;
  char* bytes;
};

/// Takes over bytes from malloc().
void write(uv_stream_t* stream, char* bytes, std::size_t size) {
  auto* write = static_cast<Write*>(std::malloc(sizeof(Write)));
  write->bytes = bytes;
  write->request.data = write;
  const uv_buf_t buffer = uv_buf_init(bytes, static_cast<unsigned>(size));
  uv_write(&write->request, stream, &buffer, 1, [](uv_write_t* request, int) {
    auto* done = static_cast<Write*>(request->data);
    std::free(done->bytes);
    std::free(done);
  });
}

// ---- As the guide shows it ----------------------------------------------------------------------

void allocate(uv_handle_t*, std::size_t suggested, uv_buf_t* buffer) {
  *buffer =
      uv_buf_init(static_cast<char*>(std::malloc(suggested)), static_cast<unsigned>(suggested));
}

void echo(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  if (size > 0) return write(stream, buffer->base, static_cast<std::size_t>(size));
  std::free(buffer->base);
  if (size < 0) static_cast<Connection*>(stream->data)->close();
}

// ---- Tuned --------------------------------------------------------------------------------------

void lend(uv_handle_t*, std::size_t, uv_buf_t* buffer) {
  // What is read is written on before the next read: one buffer serves all connections.
  static std::array<char, 65536> bytes;
  *buffer = uv_buf_init(bytes.data(), bytes.size());
}

void tuned_echo(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  auto& connection = *static_cast<Connection*>(stream->data);
  if (size < 0) return connection.close();
  if (size == 0) return;
  const uv_buf_t answer = uv_buf_init(buffer->base, static_cast<unsigned>(size));
  const int written = uv_try_write(stream, &answer, 1);
  if (written == size) return;
  if (written < 0 && written != UV_EAGAIN) return connection.close();
  const std::size_t gone = written < 0 ? 0 : static_cast<std::size_t>(written);
  const std::size_t rest = static_cast<std::size_t>(size) - gone;
  auto* copy = static_cast<char*>(std::malloc(rest));
  std::memcpy(copy, buffer->base + gone, rest);
  write(stream, copy, rest);
}

// ---- Both ---------------------------------------------------------------------------------------

void write_block(Connection& connection) {
  static std::string block(kBlockBytes, 'x');
  const uv_buf_t buffer = uv_buf_init(block.data(), kBlockBytes);
  connection.writing.data = &connection;
  uv_write(&connection.writing, connection.stream(), &buffer, 1,
           [](uv_write_t* request, int error) {
             auto& again = *static_cast<Connection*>(request->data);
             error == 0 ? write_block(again) : again.close();
           });
}

void accept(uv_stream_t* server, int error) {
  expect(error == 0, "libuv: accept failed");
  auto* connection = new Connection;
  uv_tcp_init(server->loop, &connection->tcp);
  connection->tcp.data = connection;
  expect(uv_accept(server, connection->stream()) == 0, "libuv: no connection to accept");
  switch (service_of_all) {
    case Service::echo:
      uv_read_start(connection->stream(), tuned ? lend : allocate, tuned ? tuned_echo : echo);
      break;
    case Service::write_blocks:
      write_block(*connection);
      break;
    case Service::close:
      connection->close();
      break;
    default:
      expect(false, "of another server");
  }
}

}  // namespace

void serve_with_libuv(Service service) {
  service_of_all = service;
  UvLoop loop;
  uv_tcp_t server;
  uv_tcp_init(loop.get(), &server);
  sockaddr_in address{};
  uv_ip4_addr("127.0.0.1", 0, &address);
  auto* native = reinterpret_cast<sockaddr*>(&address);
  expect(uv_tcp_bind(&server, native, 0) == 0, "libuv: cannot bind");
  expect(uv_listen(reinterpret_cast<uv_stream_t*>(&server), 511, accept) == 0,
         "libuv: cannot listen");
  int size = sizeof(address);
  uv_tcp_getsockname(&server, native, &size);
  say_port(ntohs(address.sin_port));
  uv_run(loop.get(), UV_RUN_DEFAULT);
}

void serve_with_tuned_libuv(Service service) {
  tuned = true;
  serve_with_libuv(service);
}

}  // namespace rondo::bench
