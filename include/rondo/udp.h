// UDP: datagrams, to one, to all, to a group.
//
//     rondo::UdpSocket socket(loop);
//     socket.on_message([&](std::span<const std::byte> bytes, const rondo::Datagram& from) { ...
//     }); auto bound = socket.bind(rondo::SocketAddress::any(5353));
//     socket.send_to(rondo::SocketAddress::loopback(5354), "hello");
//
// A handle as TcpSocket is: copies name the same socket, and when the last is gone it is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/net.h"

namespace rondo {

class UdpState;

/// What is known of a datagram beside its bytes.
struct Datagram {
  SocketAddress from;
  bool truncated = false;  // it was longer than what was read of it
};

struct UdpOptions {
  bool reuse_address = false;  // several sockets share a port, as multicast needs it
  bool reuse_port = false;
  bool ipv6_only = false;
  /// The most we hold of what the kernel does not take; beyond it sending is ENOBUFS.
  std::size_t max_buffered = 1U << 20;
};

struct ReceivedDatagram {
  std::size_t size = 0;
  Datagram about;
};

namespace detail {

extern template class HandleRef<UdpState>;

class UdpReceiveBase {
 public:
  UdpReceiveBase(HandleRef<UdpState> socket, std::span<std::byte> buffer) noexcept
      : socket_(std::move(socket)), buffer_(buffer) {}
  UdpReceiveBase(UdpReceiveBase&&) noexcept = default;
  UdpReceiveBase& operator=(UdpReceiveBase&&) = delete;
  ~UdpReceiveBase();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;

 protected:
  friend class ::rondo::UdpState;
  HandleRef<UdpState> socket_;
  std::span<std::byte> buffer_;
  Waiter waiter_;
  ReceivedDatagram received_;
  std::error_code error_;
  bool waiting_ = false;
};

}  // namespace detail

/// Gives one datagram; what does not fit into the buffer is lost, and `truncated` says so.
class [[nodiscard]] UdpReceiveOp : public Operable<UdpReceiveOp, ReceivedDatagram>,
                                   public detail::UdpReceiveBase {
 public:
  using UdpReceiveBase::UdpReceiveBase;
  Expected<ReceivedDatagram> take_result() {
    if (error_) return std::unexpected(error_);
    return received_;
  }
};

/// A handle, as those of stream sockets: copies name the same socket, and one that was moved from
/// answers EBADF.
class UdpSocket {
 public:
  explicit UdpSocket(Loop& loop);

  /// Binds at once. EADDRINUSE, EADDRNOTAVAIL, EACCES; EINVAL when it is bound already or the
  /// address is not one of UDP.
  [[nodiscard]] Expected<> bind(const SocketAddress& address, UdpOptions options = {});
  /// Sends to, and receives from, this address only; binds if need be. That the peer refuses
  /// (ECONNREFUSED) is then reported.
  [[nodiscard]] Expected<> connect(const SocketAddress& address, UdpOptions options = {});
  [[nodiscard]] Expected<> disconnect();
  /// Takes over a datagram socket that was opened elsewhere, and closes it in the end. EINVAL if
  /// this socket is already open or `fd` is not a datagram socket; the caller then keeps `fd`.
  [[nodiscard]] Expected<> adopt(int fd, UdpOptions options = {});

  /// Called in the poll phase with each datagram; the bytes are valid during the call. One that
  /// is longer than 64 KiB cannot exist. Begins to receive.
  void on_message(Callback<void(std::span<const std::byte>, const Datagram&)> callback);
  /// Receiving has failed (ECONNREFUSED on a connected socket ...); it continues.
  void on_error(Callback<void(std::error_code)> callback);
  void on_close(Callback<> callback);

  /// Awaits one. One at a time (EALREADY), and not while on_message() is set (EBUSY).
  [[nodiscard]] UdpReceiveOp receive(std::span<std::byte> buffer);

  /// Sends at once if the kernel takes it, else as soon as it does; binds if need be. EMSGSIZE,
  /// EDESTADDRREQ, EISCONN, EACCES (broadcast not allowed), ENOBUFS.
  [[nodiscard]] Expected<> send_to(const SocketAddress& to, std::span<const std::byte> bytes);
  [[nodiscard]] Expected<> send_to(const SocketAddress& to, std::string_view text);
  /// On a connected socket.
  [[nodiscard]] Expected<> send(std::span<const std::byte> bytes);
  [[nodiscard]] Expected<> send(std::string_view text);
  /// Also reports when it has gone to the kernel, or why not: in the pending phase when that is
  /// known at once.
  void send_to(const SocketAddress& to, std::span<const std::byte> bytes,
               Callback<void(Expected<>)> callback);

  std::size_t buffered() const;

  [[nodiscard]] Expected<> set_broadcast(bool on);
  [[nodiscard]] Expected<> set_ttl(int hops);
  [[nodiscard]] Expected<> set_multicast_ttl(int hops);
  [[nodiscard]] Expected<> set_multicast_loop(bool on);
  /// Which interface multicast leaves by: an address of it (IPv4), or its index in the scope of
  /// an IPv6 address ("::%2").
  [[nodiscard]] Expected<> set_multicast_interface(const SocketAddress& interface);
  /// Without an interface the kernel chooses.
  [[nodiscard]] Expected<> join(const SocketAddress& group, const SocketAddress& interface = {});
  [[nodiscard]] Expected<> leave(const SocketAddress& group, const SocketAddress& interface = {});

  /// Closes immediately; what waits is ECANCELED, then on_close() runs, in the close phase.
  void close();
  bool closed() const;

  SocketAddress local_address() const;
  SocketAddress peer_address() const;  // none unless connected
  int fd() const;

  void ref();
  void unref();
  bool has_ref() const;

 private:
  UdpState& state() const noexcept { return *state_.get(); }
  detail::HandleRef<UdpState> state_;
};

}  // namespace rondo
