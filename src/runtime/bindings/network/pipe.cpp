// Unix sockets and servers (the class Pipe), and descriptors that were opened elsewhere (the class
// Descriptor; see descriptor_handle.h). Beyond socket_handle.h, a Pipe has:
//
//   reserve(path)             binds at once, for connect() or listenBound(); a status
//   connect(request, path)    request.oncomplete(status, handle, request, true, true); a status
//   listen(path, backlog)     a status
//   listenOn(fd, backlog)     takes over a bound socket; a status
//
// and new Descriptor(fd, blocking) has setBlocking(on), getsockname(out) and getpeername(out).
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "rondo/net.h"

#include "io/descriptor.h"
#include "io/net/socket_calls.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"
#include "runtime/streams/descriptor_handle.h"
#include "runtime/streams/socket_handle.h"

namespace rondo {
namespace {

using v8::Local;

Expected<SocketAddress> parse(const std::string& text) {
  auto path = SocketAddress::unix_path(text);
  // libuv's error for a path that is too long.
  if (!path && path.error() == errno_code(ENAMETOOLONG)) {
    return std::unexpected(errno_code(EINVAL));
  }
  return path;
}

class UnixPipe final : public SocketHandle<UnixSocket, UnixServer> {
 public:
  using SocketHandle::SocketHandle;
  ~UnixPipe() override { UnixPipe::tear_down(); }

  static void make(Environment& environment, Local<v8::Object> object) {
    new UnixPipe(environment, object);
  }

  std::int32_t connect(Local<v8::Value> request, const std::string& text) {
    const auto path = parse(text);
    if (!path) return -path.error().value();
    if (bound()) {
      connect_bound(*path, request);
    } else {
      SocketHandle::connect(UnixSocket::connect(*path, kOptions), request);
    }
    return 0;
  }

  std::int32_t reserve(const std::string& text) {
    const auto path = parse(text);
    auto fd = path ? bind_now(*path) : std::unexpected(path.error());
    if (!fd) return -fd.error().value();
    keep_bound(*std::move(fd));
    if (!path->path().starts_with('\0')) bound_path_ = path->path();
    return 0;
  }

  std::int32_t listen_bound(std::int32_t backlog) { return listen_on_bound(options_of(backlog)); }

  std::int32_t listen(const std::string& text, std::int32_t backlog) {
    const auto path = parse(text);
    return path ? SocketHandle::listen(*path, options_of(backlog)) : -path.error().value();
  }

  std::int32_t listen_on(std::int32_t fd, std::int32_t backlog) {
    return SocketHandle::listen(fd, options_of(backlog));
  }

 private:
  static constexpr UnixOptions kOptions{
      .stream = {.allow_half_open = true, .max_buffered = SIZE_MAX}};

  static UnixListenOptions options_of(std::int32_t backlog) {
    UnixListenOptions options;
    options.backlog = backlog;
    options.accepted = kOptions;
    return options;
  }

  static Expected<Descriptor> bind_now(const SocketAddress& path) {
    auto fd = open_socket(path, SOCK_STREAM);
    if (!fd) return fd;
    if (const std::error_code error = bind_socket(fd->get(), path)) return std::unexpected(error);
    return fd;
  }

  /// The kernel answers at once, if the backlog has room; lib/ is called back later.
  void connect_bound(const SocketAddress& path, Local<v8::Value> request) {
    const bool connected = ::connect(bound().get(), path.native(), path.native_size()) == 0;
    const int status = connected ? 0 : -errno;
    begin_connecting(request);
    run_soon(environment().loop(), [link = link(), status] {
      auto* self = static_cast<UnixPipe*>(link->handle);
      if (self == nullptr || self->closing()) return;  // close() reports it
      self->take_bound(status);
    });
  }

  void take_bound(std::int32_t status) {
    if (status == 0) {
      auto socket = UnixSocket::adopt(environment().loop(), bound().get(), kOptions);
      if (socket) {
        bound().release();
        take(*std::move(socket));
      } else {
        status = -socket.error().value();
      }
    }
    report_connected(status);
  }

  /// As in libuv, the name is removed with the socket that was bound to it.
  void tear_down() noexcept override {
    SocketHandle::tear_down();
    if (!bound_path_.empty()) ::unlink(std::exchange(bound_path_, {}).c_str());
  }

  std::string bound_path_;
};

void make_descriptor(Environment& environment, Local<v8::Object> object, Local<v8::Value> fd,
                     bool blocking) {
  if (!fd->IsInt32()) return;
  new DescriptorHandle(
      environment, object, fd.As<v8::Int32>()->Value(),
      blocking ? DescriptorHandle::Writes::blocking : DescriptorHandle::Writes::when_ready);
}

constexpr Method kPipeMethods[] = {
    method<&UnixPipe::reserve>("reserve"),    method<&UnixPipe::listen_bound>("listenBound"),
    method<&UnixPipe::connect>("connect"),    method<&UnixPipe::listen>("listen"),
    method<&UnixPipe::listen_on>("listenOn"), method<&UnixPipe::accept>("accept")};

constexpr Method kDescriptorMethods[] = {method<&DescriptorHandle::set_blocking>("setBlocking"),
                                         method<&DescriptorHandle::get_sock_name>("getsockname"),
                                         method<&DescriptorHandle::get_peer_name>("getpeername")};

constexpr ClassShape kClasses[] = {
    {.name = "Pipe",
     .construct = constructor<UnixPipe::make>(),
     .methods = kPipeMethods,
     .base = &StreamHandle::kBase},
    {.name = "Pipe",
     .construct = constructor<make_descriptor>(),
     .methods = kDescriptorMethods,
     .base = &StreamHandle::kBase,
     .property = "Descriptor"},
};

}  // namespace

extern const Binding binding_pipe;
const Binding binding_pipe{.name = "pipe", .classes = kClasses};

}  // namespace rondo
