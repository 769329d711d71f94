// UDP sockets for node:dgram. Functions return 0 or minus an errno unless they say otherwise.
//
//   bind(ip, port, flags), bind6(...)         flags: see `constants`
//   connect(ip, port), connect6(...), disconnect()
//   open(fd)                                  takes over a descriptor
//   send(list, port, ip, done), send6(...)    port 0: to the connected peer. Size + 1 if it was
//   sent
//                                             at once, 0 if it waits: then done(status, size)
//   recvStart(callback), recvStop()           callback(status, buffer, address, isIPv6, port)
//   bufferSize(size, isReceive)               the size (0 asks for it), or minus an errno
//   close(done), ref(), unref(), hasRef(), fd
//
// The options of a socket that is not bound yet cannot be set: there is no descriptor, EBADF.
// Joining a group binds it, as libuv does.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/udp.h"

#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/text.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;
using Family = SocketAddress::Family;

constexpr std::int32_t kIpv6Only = 1;
constexpr std::int32_t kReuseAddress = 4;
constexpr std::int32_t kReusePort = 8;

std::int32_t to_status(const Expected<>& result) {
  return result ? 0 : -result.error().value();
}

/// None if it is not an address. A zone that does not exist means none, as in libuv.
SocketAddress parse(const std::string& text, std::int32_t port) {
  const auto number = static_cast<std::uint16_t>(port);
  auto address = SocketAddress::ip(text, number);
  if (!address) address = SocketAddress::ip(text.substr(0, text.find('%')), number);
  return address && (address->family() == Family::ipv6 || !text.contains('%')) ? *address
                                                                               : SocketAddress();
}

/// None if it is not an address of this family.
SocketAddress parse(const std::string& text, std::int32_t port, Family family) {
  const SocketAddress address = parse(text, port);
  return address.family() == family ? address : SocketAddress();
}

in_addr v4_of(const SocketAddress& address) {
  sockaddr_in native{};
  std::memcpy(&native, address.native(), sizeof native);
  return native.sin_addr;
}

sockaddr_in6 v6_of(const SocketAddress& address) {
  sockaddr_in6 native{};
  std::memcpy(&native, address.native(), sizeof native);
  return native;
}

class Udp final : public Wrapped {
 public:
  Udp(Environment& environment, Local<v8::Object> object)
      : Wrapped(environment, object),
        link_(std::make_shared<Link>(this)),
        socket_(environment.loop()) {}
  ~Udp() override { link_->udp = nullptr; }

  static void make(Environment& environment, Local<v8::Object> object) {
    new Udp(environment, object);
  }

  // ---- Addresses --------------------------------------------------------------------------------

  template <Family family>
  std::int32_t bind(const std::string& host, std::int32_t port, std::int32_t flags) {
    const SocketAddress address = parse(host, port, family);
    const bool bad_flags = (flags & ~(kIpv6Only | kReuseAddress | kReusePort)) != 0 ||
                           ((flags & kIpv6Only) != 0 && family != Family::ipv6);
    const bool valid = address.family() != Family::none && !bad_flags;
    return valid ? bind_to(address, flags) : -EINVAL;
  }

  template <Family family>
  std::int32_t connect(const std::string& host, std::int32_t port) {
    const SocketAddress address = parse(host, port, family);
    std::int32_t status = address.family() == Family::none ? -EINVAL : 0;
    if (status == 0 && connected_) status = -EISCONN;
    if (status == 0) status = bind_if_needed(family, 0);
    if (status == 0) status = to_status(socket_.connect(address, kOptions));
    if (status == 0) connected_ = true;
    return status;
  }

  std::int32_t disconnect() {
    const std::int32_t status = connected_ ? to_status(socket_.disconnect()) : -ENOTCONN;
    if (status == 0) connected_ = false;
    return status;
  }

  std::int32_t open(std::int32_t fd) {
    const std::int32_t status = to_status(socket_.adopt(fd, kOptions));
    if (status != 0) return status;
    opened();
    connected_ = socket_.peer_address().family() != Family::none;
    set_option(SOL_SOCKET, SO_REUSEADDR, 1);  // as libuv prepares what it is given
    return 0;
  }

  std::int32_t get_sock_name(Local<Value> out) {
    return socket_.fd() < 0 ? -EBADF : describe(environment(), out, socket_.local_address());
  }

  std::int32_t get_peer_name(Local<Value> out) {
    return socket_.fd() < 0 ? -EBADF : describe(environment(), out, socket_.peer_address());
  }

  // ---- Options ----------------------------------------------------------------------------------

  std::int32_t set_broadcast(std::int32_t on) { return set_option(SOL_SOCKET, SO_BROADCAST, on); }

  std::int32_t set_ttl(std::int32_t hops) {
    return hops < 1 || hops > 255 ? -EINVAL : set_by_family(IP_TTL, IPV6_UNICAST_HOPS, hops);
  }

  std::int32_t set_multicast_ttl(std::int32_t hops) {
    return hops < 0 || hops > 255 ? -EINVAL
                                  : set_by_family(IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, hops);
  }

  std::int32_t set_multicast_loopback(std::int32_t on) {
    return set_by_family(IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, on);
  }

  /// By the family of the address, not of the socket: the kernel knows what fits.
  std::int32_t set_multicast_interface(const std::string& text) {
    const SocketAddress address = parse(text, 0);
    if (address.family() == Family::none) return -EINVAL;
    if (address.family() == Family::ipv4) {
      return set_option(IPPROTO_IP, IP_MULTICAST_IF, v4_of(address));
    }
    return set_option(IPPROTO_IPV6, IPV6_MULTICAST_IF,
                      static_cast<int>(v6_of(address).sin6_scope_id));
  }

  template <bool join>
  std::int32_t membership(const std::string& group, Local<Value> interface) {
    return change_membership(group, interface, join);
  }

  template <bool join>
  std::int32_t source_membership(const std::string& source, const std::string& group,
                                 Local<Value> interface) {
    return change_source_membership(source, group, interface, join);
  }

  std::int32_t buffer_size(Local<Value> wanted, bool receives) {
    const int name = receives ? SO_RCVBUF : SO_SNDBUF;
    int size = wanted->IsInt32() ? wanted.As<v8::Int32>()->Value() : -1;
    if (size < 0) return -EINVAL;
    if (size > 0) {
      const std::int32_t status = set_option(SOL_SOCKET, name, size);
      return status == 0 ? size : status;
    }
    socklen_t length = sizeof size;
    const int status = ::getsockopt(socket_.fd(), SOL_SOCKET, name, &size, &length);
    return status == 0 ? size : -errno;
  }

  // ---- Sending ----------------------------------------------------------------------------------

  template <Family family>
  std::int32_t send(Local<v8::Array> list, std::int32_t port, Local<Value> host,
                    Local<Value> done) {
    SocketAddress to;
    if (port != 0) {
      to = parse(to_text(environment().isolate(), host), port, family);
      if (to.family() == Family::none) return -EINVAL;
    }
    if (connected_ != (port == 0)) return connected_ ? -EISCONN : -EDESTADDRREQ;
    const std::int32_t status = bind_if_needed(family, 0);
    return status == 0 ? send_list(list, to, done) : status;
  }

  std::size_t get_send_queue_size() const noexcept { return queued_bytes_; }
  std::size_t get_send_queue_count() const noexcept { return queued_; }

  // ---- Receiving --------------------------------------------------------------------------------

  std::int32_t receive_start(Local<Value> receive) {
    if (receive->IsFunction()) {
      receive_.Reset(environment().isolate(), receive.As<v8::Function>());
    }
    socket_.on_message([link = link_](std::span<const std::byte> bytes, const Datagram& about) {
      if (link->udp != nullptr) link->udp->deliver(bytes, about.from);
    });
    socket_.on_error([link = link_](std::error_code error) {
      if (link->udp != nullptr) link->udp->deliver_error(error.value());
    });
    return 0;
  }

  std::int32_t receive_stop() {
    if (!closing_) socket_.on_message(nullptr);
    return 0;
  }

  // ---- Ending -----------------------------------------------------------------------------------

  void close(Local<Value> done) {
    if (std::exchange(closing_, true)) return;
    if (done->IsFunction()) close_done_.Reset(environment().isolate(), done.As<v8::Function>());
    hold();  // until it was reported
    socket_.on_close([link = link_] {
      if (link->udp != nullptr) link->udp->closed();
    });
    socket_.close();
  }

  void ref() { socket_.ref(); }
  void unref() { socket_.unref(); }
  bool has_ref() const { return !closing_ && socket_.has_ref(); }
  std::int32_t get_fd() const { return socket_.fd() < 0 ? -EBADF : socket_.fd(); }

 private:
  /// What callbacks of the socket hold instead of the object, which may be gone when they run.
  struct Link {
    Udp* udp;
  };

  /// send() of JavaScript has no limit.
  static constexpr UdpOptions kOptions{.max_buffered = SIZE_MAX};

  /// Something is open: it lives until it is closed.
  void opened() {
    if (!std::exchange(opened_, true)) hold();
  }

  std::int32_t bind_to(const SocketAddress& address, std::int32_t flags) {
    UdpOptions options = kOptions;
    options.reuse_address = (flags & kReuseAddress) != 0;
    options.reuse_port = (flags & kReusePort) != 0;
    options.ipv6_only = (flags & kIpv6Only) != 0;
    const std::int32_t status = to_status(socket_.bind(address, options));
    if (status == 0) opened();
    return status;
  }

  std::int32_t bind_if_needed(Family family, std::int32_t flags) {
    if (socket_.fd() >= 0) return 0;
    return bind_to(family == Family::ipv6 ? SocketAddress::any_v6(0) : SocketAddress::any(0),
                   flags);
  }

  template <class T>
  std::int32_t set_option(int level, int name, const T& value) const {
    return ::setsockopt(socket_.fd(), level, name, &value, sizeof value) == 0 ? 0 : -errno;
  }

  std::int32_t set_by_family(int name_v4, int name_v6, int value) const {
    return socket_.local_address().family() == Family::ipv6
               ? set_option(IPPROTO_IPV6, name_v6, value)
               : set_option(IPPROTO_IP, name_v4, value);
  }

  /// The interface that an argument names: none if it is left out, nothing if it is not an address
  /// of this family.
  std::optional<SocketAddress> to_interface(Local<Value> value, Family family) const {
    if (value->IsNullOrUndefined()) return SocketAddress();
    const SocketAddress address = parse(to_text(environment().isolate(), value), 0, family);
    if (address.family() == Family::none) return std::nullopt;
    return address;
  }

  std::int32_t change_membership(const std::string& group_text, Local<Value> interface_text,
                                 bool join) {
    const SocketAddress group = parse(group_text, 0);
    const Family family = group.family();
    if (family == Family::none) return -EINVAL;
    if (const std::int32_t status = bind_if_needed(family, kReuseAddress)) return status;
    const auto interface = to_interface(interface_text, family);
    if (!interface) return -EINVAL;
    const bool has_interface = interface->family() != Family::none;
    if (family == Family::ipv6) {
      ipv6_mreq request{};
      request.ipv6mr_multiaddr = v6_of(group).sin6_addr;
      if (has_interface) request.ipv6mr_interface = v6_of(*interface).sin6_scope_id;
      return set_option(IPPROTO_IPV6, join ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP, request);
    }
    ip_mreq request{};
    request.imr_multiaddr = v4_of(group);
    if (has_interface) request.imr_interface = v4_of(*interface);
    return set_option(IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, request);
  }

  std::int32_t change_source_membership(const std::string& source_text,
                                        const std::string& group_text, Local<Value> interface_text,
                                        bool join) {
    const SocketAddress group = parse(group_text, 0);
    const Family family = group.family();
    if (family == Family::none) return -EINVAL;
    const SocketAddress source = parse(source_text, 0, family);
    if (source.family() == Family::none) return -EINVAL;
    if (const std::int32_t status = bind_if_needed(family, kReuseAddress)) return status;
    const auto interface = to_interface(interface_text, family);
    if (!interface) return -EINVAL;
    const bool has_interface = interface->family() != Family::none;
    if (family == Family::ipv6) {
      group_source_req request{};
      if (has_interface) request.gsr_interface = v6_of(*interface).sin6_scope_id;
      std::memcpy(&request.gsr_group, group.native(), group.native_size());
      std::memcpy(&request.gsr_source, source.native(), source.native_size());
      return set_option(IPPROTO_IPV6, join ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP,
                        request);
    }
    ip_mreq_source request{};
    request.imr_multiaddr = v4_of(group);
    request.imr_sourceaddr = v4_of(source);
    if (has_interface) request.imr_interface = v4_of(*interface);
    return set_option(IPPROTO_IP, join ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP,
                      request);
  }

  // Gathers the pieces without a copy, unless the kernel has to be waited for.
  std::int32_t send_list(Local<v8::Array> list, const SocketAddress& to, Local<Value> done) {
    const Local<v8::Context> context = environment().isolate()->GetCurrentContext();
    std::vector<iovec> pieces(list->Length());
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
      Local<Value> item;
      if (!list->Get(context, i).ToLocal(&item)) return -EINVAL;
      const std::span<std::uint8_t> bytes = bytes_of(item);
      pieces[i] = {bytes.data(), bytes.size()};
      size += bytes.size();
    }
    const std::int32_t status = queued_ == 0 ? send_now(pieces, to) : -EAGAIN;
    if (status == 0) return static_cast<std::int32_t>(size) + 1;
    if (status != -EAGAIN) return status;
    send_later(pieces, size, to, done);
    return 0;
  }

  std::int32_t send_now(std::span<iovec> pieces, const SocketAddress& to) const {
    msghdr message{};
    if (to.family() != Family::none) {
      message.msg_name = const_cast<sockaddr*>(to.native());
      message.msg_namelen = to.native_size();
    }
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    for (;;) {
      if (::sendmsg(socket_.fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return 0;
      if (errno == ENOBUFS) return -EAGAIN;  // the queue of the device is full: as libuv, wait
      if (errno != EINTR) return -errno;
    }
  }

  void send_later(std::span<const iovec> pieces, std::size_t size, const SocketAddress& to,
                  Local<Value> done) {
    std::vector<std::byte> bytes;
    bytes.reserve(size);
    for (const iovec& piece : pieces) {
      const auto* begin = static_cast<const std::byte*>(piece.iov_base);
      bytes.insert(bytes.end(), begin, begin + piece.iov_len);
    }
    auto kept = std::make_shared<v8::Global<v8::Function>>();
    if (done->IsFunction()) kept->Reset(environment().isolate(), done.As<v8::Function>());
    ++queued_;
    queued_bytes_ += size;
    socket_.send_to(to, bytes, [link = link_, kept, size](const Expected<>& result) {
      if (link->udp != nullptr) link->udp->sent(*kept, to_status(result), size);
    });
  }

  void sent(v8::Global<v8::Function>& done, std::int32_t status, std::size_t size) {
    --queued_;
    queued_bytes_ -= size;
    if (done.IsEmpty()) return;
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    const Local<v8::Function> function = done.Get(isolate);
    done.Reset();
    environment().call(
        object(), function,
        {v8::Integer::New(isolate, status), v8::Number::New(isolate, static_cast<double>(size))});
  }

  void deliver(std::span<const std::byte> bytes, const SocketAddress& from) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    Local<v8::Object> buffer;
    if (receive_.IsEmpty() || !make_buffer(environment(), bytes).ToLocal(&buffer)) return;
    // Most sockets receive from one peer: its text is created once.
    const SocketAddress peer = from.with_port(0);
    if (peer_text_.IsEmpty() || !(peer == peer_)) {
      peer_ = peer;
      peer_text_.Reset(isolate, environment().text(from.ip()));
    }
    environment().call(object(), receive_.Get(isolate),
                       {v8::Integer::New(isolate, 0), buffer, peer_text_.Get(isolate),
                        v8::Boolean::New(isolate, from.family() == Family::ipv6),
                        v8::Integer::New(isolate, from.port())});
  }

  void deliver_error(int error_number) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    if (receive_.IsEmpty()) return;
    environment().call(object(), receive_.Get(isolate), {v8::Integer::New(isolate, -error_number)});
  }

  void closed() {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    if (!close_done_.IsEmpty()) {
      const Local<v8::Function> function = close_done_.Get(isolate);
      close_done_.Reset();
      environment().call(object(), function, {});
    }
    if (std::exchange(opened_, false)) let_go();
    let_go();
  }

  std::shared_ptr<Link> link_;
  UdpSocket socket_;
  v8::Global<v8::Function> receive_;
  v8::Global<v8::Function> close_done_;
  SocketAddress peer_;  // whom peer_text_ names
  v8::Global<v8::String> peer_text_;
  std::size_t queued_ = 0;  // datagrams that the kernel has not taken yet
  std::size_t queued_bytes_ = 0;
  bool opened_ = false;
  bool connected_ = false;
  bool closing_ = false;
};

constexpr Method kMethods[] = {
    method<&Udp::bind<Family::ipv4>>("bind"),
    method<&Udp::bind<Family::ipv6>>("bind6"),
    method<&Udp::connect<Family::ipv4>>("connect"),
    method<&Udp::connect<Family::ipv6>>("connect6"),
    method<&Udp::disconnect>("disconnect"),
    method<&Udp::open>("open"),
    method<&Udp::get_sock_name>("getsockname"),
    method<&Udp::get_peer_name>("getpeername"),
    method<&Udp::set_broadcast>("setBroadcast"),
    method<&Udp::set_ttl>("setTTL"),
    method<&Udp::set_multicast_ttl>("setMulticastTTL"),
    method<&Udp::set_multicast_loopback>("setMulticastLoopback"),
    method<&Udp::set_multicast_interface>("setMulticastInterface"),
    method<&Udp::membership<true>>("addMembership"),
    method<&Udp::membership<false>>("dropMembership"),
    method<&Udp::source_membership<true>>("addSourceSpecificMembership"),
    method<&Udp::source_membership<false>>("dropSourceSpecificMembership"),
    method<&Udp::buffer_size>("bufferSize"),
    method<&Udp::send<Family::ipv4>>("send"),
    method<&Udp::send<Family::ipv6>>("send6"),
    method<&Udp::get_send_queue_size>("getSendQueueSize"),
    method<&Udp::get_send_queue_count>("getSendQueueCount"),
    method<&Udp::receive_start>("recvStart"),
    method<&Udp::receive_stop>("recvStop"),
    method<&Udp::close>("close"),
    method<&Udp::ref>("ref"),
    method<&Udp::unref>("unref"),
    method<&Udp::has_ref>("hasRef"),
};

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto constants = v8::Object::New(isolate);
  set_value(environment, constants, "UV_UDP_IPV6ONLY", kIpv6Only);
  set_value(environment, constants, "UV_UDP_REUSEADDR", kReuseAddress);
  set_value(environment, constants, "UV_UDP_REUSEPORT", kReusePort);
  set_value(environment, target, "constants", constants);
}

constexpr Method kGetters[] = {method<&Udp::get_fd>("fd")};
constexpr ClassShape kClasses[] = {{.name = "UDP",
                                    .construct = constructor<Udp::make>(),
                                    .methods = kMethods,
                                    .getters = kGetters}};

}  // namespace

extern const Binding binding_udp_wrap;
const Binding binding_udp_wrap{.name = "udp_wrap", .extend = extend, .classes = kClasses};

}  // namespace rondo
