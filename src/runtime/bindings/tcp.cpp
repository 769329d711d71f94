// TCP sockets and servers. Beyond socket_handle.h, a TCP has:
//
//   bind(address, port)                        where to connect from
//   connect(address, port, done)               done(status)
//   listen(address, port, backlog, ipv6Only)   a status
//   open(fd)                                   takes over a connected socket
//   getsockname(out), getpeername(out)         a status; fill in { address, family, port }
//   setNoDelay(on), setKeepAlive(on, seconds)
//   reset(done)                                closes so that the peer sees an error
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "rondo/net.h"

#include "runtime/binding.h"
#include "runtime/environment.h"
#include "runtime/socket_handle.h"

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

  static void bind(const Arguments& args) {
    const auto address = address_at(args, 0);
    if (address) of(args)->local_ = *address;
    args.GetReturnValue().Set(address ? 0 : -EINVAL);
  }

  static void connect(const Arguments& args) {
    const auto address = address_at(args, 0);
    args.GetReturnValue().Set(address ? 0 : -EINVAL);
    if (!address) return;
    Tcp* self = of(args);
    ConnectOptions options;
    options.local = self->local_;
    options.tcp = kOptions;
    self->SocketHandle::connect(TcpSocket::connect(*address, options), args[2]);
  }

  static void listen(const Arguments& args) {
    const auto address = address_at(args, 0);
    ListenOptions options;
    options.backlog = int_at(args, 2);
    options.ipv6_only = args[3]->IsTrue();
    options.accepted = kOptions;
    args.GetReturnValue().Set(address ? of(args)->SocketHandle::listen(*address, options)
                                      : -EINVAL);
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
      self->describe(args, self->server()->address());
    } else {
      self->describe(args, self->socket() ? self->socket().local_address() : SocketAddress());
    }
  }

  static void get_peer_name(const Arguments& args) {
    Tcp* self = of(args);
    self->describe(args, self->socket() ? self->socket().peer_address() : SocketAddress());
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
      status = self->set_option(IPPROTO_TCP, TCP_KEEPIDLE, seconds);
      // Given up after ten probes, one a second, as with Node.
      if (status == 0) status = self->set_option(IPPROTO_TCP, TCP_KEEPINTVL, 1);
      if (status == 0) status = self->set_option(IPPROTO_TCP, TCP_KEEPCNT, 10);
    }
    args.GetReturnValue().Set(status);
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
  /// lib/ decides when our side ends.
  static constexpr TcpOptions kOptions{.stream = {.allow_half_open = true}};

  static Tcp* of(const Arguments& args) { return from<Tcp>(args.This()); }

  std::int32_t set_option(int level, int name, int value) {
    const int fd = descriptor();
    if (fd < 0) return -EBADF;
    return ::setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : -errno;
  }

  void describe(const Arguments& args, const SocketAddress& address) {
    if (address.family() == SocketAddress::Family::none || !args[0]->IsObject()) {
      args.GetReturnValue().Set(-ENOTCONN);
      return;
    }
    const auto out = args[0].As<v8::Object>();
    const bool is_v6 = address.family() == SocketAddress::Family::ipv6;
    set_value(environment(), out, "address", environment().text(address.ip()));
    set_value(environment(), out, "family", environment().text(is_v6 ? "IPv6" : "IPv4"));
    set_value(environment(), out, "port", address.port());
    args.GetReturnValue().Set(0);
  }

  SocketAddress local_;
};

constexpr Method kMethods[] = {
    {"bind", Tcp::bind},
    {"connect", Tcp::connect},
    {"listen", Tcp::listen},
    {"accept", Tcp::accept},
    {"open", Tcp::open},
    {"getsockname", Tcp::get_sock_name},
    {"getpeername", Tcp::get_peer_name},
    {"setNoDelay", Tcp::set_no_delay},
    {"setKeepAlive", Tcp::set_keep_alive},
    {"reset", Tcp::reset},
};

void extend(Environment& environment, Local<v8::Object> target) {
  const auto made = StreamHandle::make_class(environment, "TCP", Tcp::make);
  for (const Method& method : kMethods) StreamHandle::add_method(environment, made, method);
  set_value(environment, target, "TCP",
            made->GetFunction(environment.isolate()->GetCurrentContext()).ToLocalChecked());
}

constexpr v8::FunctionCallback kReferences[] = {
    Tcp::make,         Tcp::bind,           Tcp::connect,       Tcp::listen,
    Tcp::accept,       Tcp::open,           Tcp::get_sock_name, Tcp::get_peer_name,
    Tcp::set_no_delay, Tcp::set_keep_alive, Tcp::reset};

}  // namespace

extern const Binding binding_tcp;
const Binding binding_tcp{"tcp", {}, extend, kReferences};

}  // namespace rondo
