// Unix sockets and servers (the class Pipe), and descriptors that were opened elsewhere (the class
// Descriptor; see descriptor_handle.h). Beyond socket_handle.h, a Pipe has:
//
//   reserve(path)             binds at once, for connect() or listenBound(); a status
//   connect(request, path)    request.oncomplete(status, handle, request, true, true); a status
//   listen(path, backlog)     a status
//   listenOn(fd, backlog)     takes over a bound socket; a status
//
// and new Descriptor(fd, blocking) has setBlocking(on), getsockname(out) and getpeername(out). The
// functions of StreamHandle are known to V8 through this binding.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "rondo/net.h"

#include "io/descriptor.h"
#include "io/net/socket_calls.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/streams/descriptor_handle.h"
#include "runtime/streams/socket_handle.h"

namespace rondo {
namespace {

using v8::Local;

Expected<SocketAddress> path_at(const Arguments& args, int index) {
  const v8::String::Utf8Value text(args.GetIsolate(), args[index]);
  if (*text == nullptr) return std::unexpected(errno_code(EINVAL));
  auto path = SocketAddress::unix_path({*text, static_cast<std::size_t>(text.length())});
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

  static void make(const Arguments& args) {
    if (args.IsConstructCall()) new UnixPipe(Environment::of(args.GetIsolate()), args.This());
  }

  static void connect(const Arguments& args) {
    const auto path = path_at(args, 1);
    args.GetReturnValue().Set(path ? 0 : -path.error().value());
    if (!path) return;
    UnixPipe* self = of(args);
    if (self->bound()) {
      self->connect_bound(*path, args[0]);
    } else {
      self->SocketHandle::connect(UnixSocket::connect(*path, kOptions), args[0]);
    }
  }

  static void reserve(const Arguments& args) {
    const auto path = path_at(args, 0);
    auto fd = path ? bind_now(*path) : std::unexpected(path.error());
    args.GetReturnValue().Set(fd ? 0 : -fd.error().value());
    if (!fd) return;
    UnixPipe* self = of(args);
    self->keep_bound(*std::move(fd));
    if (!path->path().starts_with('\0')) self->bound_path_ = path->path();
  }

  static void listen_bound(const Arguments& args) {
    UnixListenOptions options;
    options.backlog = args[0]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
    options.accepted = kOptions;
    args.GetReturnValue().Set(of(args)->listen_on_bound(options));
  }

  static void listen(const Arguments& args) {
    const auto path = path_at(args, 0);
    UnixListenOptions options;
    options.backlog = args[1]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
    options.accepted = kOptions;
    args.GetReturnValue().Set(path ? of(args)->SocketHandle::listen(*path, options)
                                   : -path.error().value());
  }

  static void listen_on(const Arguments& args) {
    const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
    UnixListenOptions options;
    options.backlog = args[1]->Int32Value(context).FromMaybe(0);
    options.accepted = kOptions;
    args.GetReturnValue().Set(
        of(args)->SocketHandle::listen(args[0]->Int32Value(context).FromMaybe(-1), options));
  }

 private:
  static constexpr UnixOptions kOptions{
      .stream = {.allow_half_open = true, .max_buffered = SIZE_MAX}};

  static UnixPipe* of(const Arguments& args) { return from<UnixPipe>(args.This()); }

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

void make_descriptor(const Arguments& args) {
  if (!args.IsConstructCall() || !args[0]->IsInt32()) return;
  new DescriptorHandle(Environment::of(args.GetIsolate()), args.This(),
                       args[0].As<v8::Int32>()->Value(),
                       args[1]->IsTrue() ? DescriptorHandle::Writes::blocking
                                         : DescriptorHandle::Writes::when_ready);
}

constexpr Method kPipeMethods[] = {
    {"reserve", UnixPipe::reserve},    {"listenBound", UnixPipe::listen_bound},
    {"connect", UnixPipe::connect},    {"listen", UnixPipe::listen},
    {"listenOn", UnixPipe::listen_on}, {"accept", UnixPipe::accept}};

constexpr Method kDescriptorMethods[] = {{"setBlocking", DescriptorHandle::set_blocking},
                                         {"getsockname", DescriptorHandle::get_sock_name},
                                         {"getpeername", DescriptorHandle::get_peer_name}};

void extend(Environment& environment, Local<v8::Object> target) {
  const Local<v8::Context> context = environment.isolate()->GetCurrentContext();
  const auto pipe = StreamHandle::make_class(environment, "Pipe", UnixPipe::make);
  add_methods(environment, pipe, kPipeMethods);
  set_value(environment, target, "Pipe", pipe->GetFunction(context).ToLocalChecked());

  const auto descriptor = StreamHandle::make_class(environment, "Pipe", make_descriptor);
  add_methods(environment, descriptor, kDescriptorMethods);
  set_value(environment, target, "Descriptor", descriptor->GetFunction(context).ToLocalChecked());
}

std::vector<v8::FunctionCallback> all_references() {
  const auto shared = StreamHandle::references();
  std::vector<v8::FunctionCallback> all(shared.begin(), shared.end());
  all.insert(all.end(), {UnixPipe::make, UnixPipe::reserve, UnixPipe::listen_bound,
                         UnixPipe::connect, UnixPipe::listen, UnixPipe::listen_on, UnixPipe::accept,
                         make_descriptor, DescriptorHandle::set_blocking,
                         DescriptorHandle::get_sock_name, DescriptorHandle::get_peer_name});
  return all;
}

const std::vector<v8::FunctionCallback> kReferences = all_references();

}  // namespace

extern const Binding binding_pipe;
const Binding binding_pipe{"pipe", {}, extend, kReferences};

}  // namespace rondo
