// TCP sockets and servers. Beyond socket_handle.h, a TCP has:
//
//   bind(address, port)                        where to connect from; a status
//   reserve(address, port, ipv6Only, reusePort)   binds at once, for connect() or listenBound()
//   reserveFrom(fd)                            takes over a socket that is bound already
//   connect(request, address, port)            request.oncomplete(status, handle, ...); a status
//   connect6(request, address, port)           the same
//   listen(address, port, backlog, ipv6Only, reusePort)   a status
//   listenOn(fd, backlog)                      takes over a bound socket; a status
//   open(fd)                                   takes over a connected socket; a status
//   getsockname(out), getpeername(out)         a status; fill in { address, family, port }
//   setNoDelay(on), setKeepAlive(on, seconds, interval, count)   a status
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
#include "runtime/glue/typed_method.h"
#include "runtime/streams/socket_handle.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

Expected<SocketAddress> parse(const std::string& host, std::int32_t port) {
  return SocketAddress::ip(host, static_cast<std::uint16_t>(port));
}

/// A number above 0, or `fallback`.
std::int32_t positive_or(Local<v8::Value> value, std::int32_t fallback) {
  if (!value->IsNumber()) return fallback;
  const Local<v8::Context> context = v8::Isolate::GetCurrent()->GetCurrentContext();
  const std::int32_t number = value->Int32Value(context).FromMaybe(0);
  return number > 0 ? number : fallback;
}

class Tcp final : public SocketHandle<TcpSocket, TcpServer> {
 public:
  using SocketHandle::SocketHandle;

  static void make(Environment& environment, Local<v8::Object> object) {
    new Tcp(environment, object);
  }

  /// The socket is made by connect(). Here one is bound to see whether that works.
  std::int32_t bind(const std::string& host, std::int32_t port) {
    const auto address = parse(host, port);
    const std::int32_t status = address ? try_bind(*address) : -EINVAL;
    if (status == 0) local_ = *address;
    return status;
  }

  std::int32_t reserve(const std::string& host, std::int32_t port, bool ipv6_only,
                       bool reuse_port) {
    const auto address = parse(host, port);
    auto fd =
        address ? bind_now(*address, ipv6_only, reuse_port) : std::unexpected(address.error());
    if (!fd) return -fd.error().value();
    keep_bound(*std::move(fd));
    return 0;
  }

  void reserve_from(std::int32_t fd) { keep_bound(Descriptor(fd)); }

  std::int32_t connect(Local<v8::Value> request, const std::string& host, std::int32_t port) {
    const auto address = parse(host, port);
    if (!address) return -EINVAL;
    if (bound() && local_address_of(bound().get()).family() != address->family()) {
      return -EAFNOSUPPORT;
    }
    ConnectOptions options;
    options.local = local_;
    options.tcp = kOptions;
    // Reports the address that the kernel chooses, also if connecting fails immediately.
    Descriptor same;
    if (bound()) {
      same = Descriptor(::fcntl(bound().get(), F_DUPFD_CLOEXEC, 0));
      options.bound_socket = bound().release();
    }
    SocketHandle::connect(TcpSocket::connect(*address, options), request);
    if (same) local_ = local_address_of(same.get());
    return 0;
  }

  std::int32_t listen_bound(std::int32_t backlog) { return listen_on_bound(options_of(backlog)); }

  std::int32_t listen(const std::string& host, std::int32_t port, std::int32_t backlog,
                      bool ipv6_only, bool reuse_port) {
    const auto address = parse(host, port);
    if (!address) return -EINVAL;
    ListenOptions options = options_of(backlog);
    options.ipv6_only = ipv6_only;
    options.reuse_port = reuse_port;
    return SocketHandle::listen(*address, options);
  }

  std::int32_t listen_on(std::int32_t fd, std::int32_t backlog) {
    return SocketHandle::listen(fd, options_of(backlog));
  }

  std::int32_t open(std::int32_t fd) {
    auto socket = TcpSocket::adopt(environment().loop(), fd, kOptions);
    if (!socket) return -socket.error().value();
    take(*std::move(socket));
    return 0;
  }

  std::int32_t get_sock_name(Local<v8::Value> out) {
    if (server()) return describe(environment(), out, server()->address());
    if (bound()) return describe(environment(), out, local_address_of(bound().get()));
    return describe(environment(), out, socket() ? socket().local_address() : local_);
  }

  std::int32_t get_peer_name(Local<v8::Value> out) {
    return describe(environment(), out, socket() ? socket().peer_address() : SocketAddress());
  }

  std::int32_t set_no_delay(bool on) { return set_option(IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0); }

  /// Unless the program says so, given up after ten probes, one a second, as with Node.
  std::int32_t set_keep_alive(bool on, std::int32_t seconds, Local<v8::Value> interval,
                              Local<v8::Value> count) {
    std::int32_t status = set_option(SOL_SOCKET, SO_KEEPALIVE, on ? 1 : 0);
    if (status != 0 || !on || seconds <= 0) return status;
    status = set_option(IPPROTO_TCP, TCP_KEEPIDLE, seconds);
    if (status == 0) status = set_option(IPPROTO_TCP, TCP_KEEPINTVL, positive_or(interval, 1));
    if (status == 0) status = set_option(IPPROTO_TCP, TCP_KEEPCNT, positive_or(count, 10));
    return status;
  }

  /// A socket of IPv6 may carry IPv4: then the option of the other family is the one that counts.
  std::int32_t set_type_of_service(std::int32_t value) {
    const std::int32_t v4 = set_option(IPPROTO_IP, IP_TOS, value);
    const std::int32_t v6 = set_option(IPPROTO_IPV6, IPV6_TCLASS, value);
    return v4 == 0 || v6 == 0 ? 0 : v4;
  }

  std::int32_t get_type_of_service() {
    const bool is_v6 = socket() && socket().local_address().family() == SocketAddress::Family::ipv6;
    int value = 0;
    socklen_t size = sizeof value;
    const int status = is_v6 ? ::getsockopt(descriptor(), IPPROTO_IPV6, IPV6_TCLASS, &value, &size)
                             : ::getsockopt(descriptor(), IPPROTO_IP, IP_TOS, &value, &size);
    return status == 0 ? value : -errno;
  }

  /// Closing comes next: what is left to do here is to make that abrupt for the peer.
  std::int32_t reset() {
    if (!socket()) return -ENOTCONN;
    socket().reset();
    return 0;
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

  static ListenOptions options_of(std::int32_t backlog) {
    ListenOptions options;
    options.backlog = backlog;
    options.accepted = kOptions;
    return options;
  }

  std::int32_t set_option(int level, int name, int value) {
    const int fd = descriptor();
    if (fd < 0) return -EBADF;
    return ::setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : -errno;
  }

  SocketAddress local_;
};

constexpr Method kMethods[] = {
    method<&Tcp::bind>("bind"),
    method<&Tcp::reserve>("reserve"),
    method<&Tcp::reserve_from>("reserveFrom"),
    method<&Tcp::listen_bound>("listenBound"),
    method<&Tcp::connect>("connect"),
    method<&Tcp::connect>("connect6"),
    method<&Tcp::listen>("listen"),
    method<&Tcp::listen_on>("listenOn"),
    method<&Tcp::accept>("accept"),
    method<&Tcp::open>("open"),
    method<&Tcp::get_sock_name>("getsockname"),
    method<&Tcp::get_peer_name>("getpeername"),
    method<&Tcp::set_no_delay>("setNoDelay"),
    method<&Tcp::set_keep_alive>("setKeepAlive"),
    method<&Tcp::set_type_of_service>("setTypeOfService"),
    method<&Tcp::get_type_of_service>("getTypeOfService"),
    method<&Tcp::reset>("reset"),
};

constexpr ClassShape kClasses[] = {{.name = "TCP",
                                    .construct = constructor<Tcp::make>(),
                                    .methods = kMethods,
                                    .base = &StreamHandle::kBase}};

}  // namespace

extern const Binding binding_tcp;
const Binding binding_tcp{.name = "tcp", .classes = kClasses};

}  // namespace rondo
