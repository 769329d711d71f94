// TCP sockets and servers. Beyond socket_handle.h, a TCP has:
//
//   bind(address, port)                        where to connect from; a status
//   reserve(address, port, ipv6Only, reusePort)   binds at once, for connect() or listenBound()
//   connect(request, address, port)            request.oncomplete(status, handle, request, true,
//   true); a status listen(address, port, backlog, ipv6Only, reusePort)   a status listenOn(fd,
//   backlog)                      takes over a bound socket; a status open(fd) takes over a
//   connected socket; a status getsockname(out), getpeername(out)         a status; fill in {
//   address, family, port } setNoDelay(on), setKeepAlive(on, seconds, interval, count)   a status
//   setTypeOfService(value), getTypeOfService()   a status; the value or a status
//   reset(done)                                closes so that the peer sees an error
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "rondo/net.h"

#include "io/descriptor.h"
#include "io/net/socket_calls.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/streams/socket_handle.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

std::string to_text(const Arguments& args, int index) {
  const v8::String::Utf8Value text(args.GetIsolate(), args[index]);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

std::int32_t int_at(const Arguments& args, int index) {
  return args[index]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

Expected<SocketAddress> address_at(const Arguments& args, int index) {
  return SocketAddress::ip(to_text(args, index),
                           static_cast<std::uint16_t>(int_at(args, index + 1)));
}

class Tcp final : public SocketHandle<TcpSocket, TcpServer> {
 public:
  using SocketHandle::SocketHandle;

  static void make(const Arguments& args) {
    if (args.IsConstructCall()) new Tcp(Environment::of(args.GetIsolate()), args.This());
  }

  /// The socket is made by connect(). Here one is bound to see whether that works.
  static void bind(const Arguments& args) {
    const auto address = address_at(args, 0);
    const std::int32_t status = address ? try_bind(*address) : -EINVAL;
    if (status == 0) of(args)->local_ = *address;
    args.GetReturnValue().Set(status);
  }

  static void reserve(const Arguments& args) {
    const auto address = address_at(args, 0);
    auto fd = address ? bind_now(*address, args[2]->IsTrue(), args[3]->IsTrue())
                      : std::unexpected(address.error());
    args.GetReturnValue().Set(fd ? 0 : -fd.error().value());
    if (fd) of(args)->keep_bound(*std::move(fd));
  }

  static void connect(const Arguments& args) {
    const auto address = address_at(args, 1);
    args.GetReturnValue().Set(address ? 0 : -EINVAL);
    if (!address) return;
    Tcp* self = of(args);
    if (self->bound() && local_address_of(self->bound().get()).family() != address->family()) {
      args.GetReturnValue().Set(-EAFNOSUPPORT);
      return;
    }
    ConnectOptions options;
    options.local = self->local_;
    options.tcp = kOptions;
    Descriptor
        same;  // reports the address that the kernel chooses, also if connecting fails immediately
    if (self->bound()) {
      same = Descriptor(::fcntl(self->bound().get(), F_DUPFD_CLOEXEC, 0));
      options.bound_socket = self->bound().release();
    }
    self->SocketHandle::connect(TcpSocket::connect(*address, options), args[0]);
    if (same) self->local_ = local_address_of(same.get());
  }

  static void listen_bound(const Arguments& args) {
    ListenOptions options;
    options.backlog = int_at(args, 0);
    options.accepted = kOptions;
    args.GetReturnValue().Set(of(args)->listen_on_bound(options));
  }

  static void listen(const Arguments& args) {
    const auto address = address_at(args, 0);
    ListenOptions options;
    options.backlog = int_at(args, 2);
    options.ipv6_only = args[3]->IsTrue();
    options.reuse_port = args[4]->IsTrue();
    options.accepted = kOptions;
    args.GetReturnValue().Set(address ? of(args)->SocketHandle::listen(*address, options)
                                      : -EINVAL);
  }

  static void listen_on(const Arguments& args) {
    ListenOptions options;
    options.backlog = int_at(args, 1);
    options.accepted = kOptions;
    args.GetReturnValue().Set(of(args)->SocketHandle::listen(int_at(args, 0), options));
  }

  static void open(const Arguments& args) {
    Tcp* self = of(args);
    auto socket = TcpSocket::adopt(self->environment().loop(), int_at(args, 0), kOptions);
    args.GetReturnValue().Set(socket ? 0 : -socket.error().value());
    if (socket) self->take(*std::move(socket));
  }

  static void get_sock_name(const Arguments& args) {
    Tcp* self = of(args);
    if (self->server()) {
      describe(args, self->server()->address());
    } else if (self->bound()) {
      describe(args, local_address_of(self->bound().get()));
    } else {
      describe(args, self->socket() ? self->socket().local_address() : self->local_);
    }
  }

  static void get_peer_name(const Arguments& args) {
    Tcp* self = of(args);
    describe(args, self->socket() ? self->socket().peer_address() : SocketAddress());
  }

  static void set_no_delay(const Arguments& args) {
    args.GetReturnValue().Set(
        of(args)->set_option(IPPROTO_TCP, TCP_NODELAY, args[0]->IsTrue() ? 1 : 0));
  }

  static void set_keep_alive(const Arguments& args) {
    Tcp* self = of(args);
    const bool on = args[0]->IsTrue();
    std::int32_t status = self->set_option(SOL_SOCKET, SO_KEEPALIVE, on ? 1 : 0);
    const int seconds = int_at(args, 1);
    if (status == 0 && on && seconds > 0) {
      // Unless the program says so, given up after ten probes, one a second, as with Node.
      const int interval = args[2]->IsNumber() && int_at(args, 2) > 0 ? int_at(args, 2) : 1;
      const int count = args[3]->IsNumber() && int_at(args, 3) > 0 ? int_at(args, 3) : 10;
      status = self->set_option(IPPROTO_TCP, TCP_KEEPIDLE, seconds);
      if (status == 0) status = self->set_option(IPPROTO_TCP, TCP_KEEPINTVL, interval);
      if (status == 0) status = self->set_option(IPPROTO_TCP, TCP_KEEPCNT, count);
    }
    args.GetReturnValue().Set(status);
  }

  /// A socket of IPv6 may carry IPv4: then the option of the other family is the one that counts.
  static void set_type_of_service(const Arguments& args) {
    Tcp* self = of(args);
    const int value = int_at(args, 0);
    const std::int32_t v4 = self->set_option(IPPROTO_IP, IP_TOS, value);
    const std::int32_t v6 = self->set_option(IPPROTO_IPV6, IPV6_TCLASS, value);
    args.GetReturnValue().Set(v4 == 0 || v6 == 0 ? 0 : v4);
  }

  static void get_type_of_service(const Arguments& args) {
    Tcp* self = of(args);
    const bool is_v6 =
        self->socket() && self->socket().local_address().family() == SocketAddress::Family::ipv6;
    int value = 0;
    socklen_t size = sizeof value;
    const int status =
        is_v6 ? ::getsockopt(self->descriptor(), IPPROTO_IPV6, IPV6_TCLASS, &value, &size)
              : ::getsockopt(self->descriptor(), IPPROTO_IP, IP_TOS, &value, &size);
    args.GetReturnValue().Set(status == 0 ? value : -errno);
  }

  /// Closing comes next: what is left to do here is to make that abrupt for the peer.
  static void reset(const Arguments& args) {
    Tcp* self = of(args);
    if (!self->socket()) {
      args.GetReturnValue().Set(-ENOTCONN);
      return;
    }
    self->socket().reset();
    args.GetReturnValue().Set(0);
  }

 private:
  /// lib/ decides when our side ends, and write() of JavaScript has no limit.
  static constexpr TcpOptions kOptions{
      .stream = {.allow_half_open = true, .max_buffered = SIZE_MAX}};

  static std::int32_t try_bind(const SocketAddress& address) {
    const Descriptor fd(::socket(address.native()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;  // as connect() sets it
    const bool bound = fd &&
                       ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
                       ::bind(fd.get(), address.native(), address.native_size()) == 0;
    return bound ? 0 : -errno;
  }

  static Expected<Descriptor> bind_now(const SocketAddress& address, bool ipv6_only,
                                       bool reuse_port) {
    auto fd = open_socket(address, SOCK_STREAM);
    if (!fd) return fd;
    std::error_code error = rondo::set_option(fd->get(), SOL_SOCKET, SO_REUSEADDR, 1);
    if (!error && reuse_port) error = rondo::set_option(fd->get(), SOL_SOCKET, SO_REUSEPORT, 1);
    if (!error && address.family() == SocketAddress::Family::ipv6) {
      error = rondo::set_option(fd->get(), IPPROTO_IPV6, IPV6_V6ONLY, ipv6_only ? 1 : 0);
    }
    if (!error) error = bind_socket(fd->get(), address);
    if (error) return std::unexpected(error);
    return fd;
  }

  static Tcp* of(const Arguments& args) { return from<Tcp>(args.This()); }

  std::int32_t set_option(int level, int name, int value) {
    const int fd = descriptor();
    if (fd < 0) return -EBADF;
    return ::setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : -errno;
  }

  SocketAddress local_;
};

constexpr Method kMethods[] = {
    {"bind", Tcp::bind},
    {"reserve", Tcp::reserve},
    {"listenBound", Tcp::listen_bound},
    {"connect", Tcp::connect},
    {"connect6", Tcp::connect},
    {"listen", Tcp::listen},
    {"listenOn", Tcp::listen_on},
    {"accept", Tcp::accept},
    {"open", Tcp::open},
    {"getsockname", Tcp::get_sock_name},
    {"getpeername", Tcp::get_peer_name},
    {"setNoDelay", Tcp::set_no_delay},
    {"setKeepAlive", Tcp::set_keep_alive},
    {"setTypeOfService", Tcp::set_type_of_service},
    {"getTypeOfService", Tcp::get_type_of_service},
    {"reset", Tcp::reset},
};

void extend(Environment& environment, Local<v8::Object> target) {
  const auto made = StreamHandle::make_class(environment, "TCP", Tcp::make);
  add_methods(environment, made, kMethods);
  set_value(environment, target, "TCP",
            made->GetFunction(environment.isolate()->GetCurrentContext()).ToLocalChecked());
}

constexpr v8::FunctionCallback kReferences[] = {Tcp::reserve,
                                                Tcp::listen_bound,
                                                Tcp::make,
                                                Tcp::bind,
                                                Tcp::connect,
                                                Tcp::listen,
                                                Tcp::listen_on,
                                                Tcp::accept,
                                                Tcp::open,
                                                Tcp::get_sock_name,
                                                Tcp::get_peer_name,
                                                Tcp::set_no_delay,
                                                Tcp::set_keep_alive,
                                                Tcp::set_type_of_service,
                                                Tcp::get_type_of_service,
                                                Tcp::reset};

}  // namespace

extern const Binding binding_tcp;
const Binding binding_tcp{"tcp", {}, extend, kReferences};

}  // namespace rondo
