// TCP and Unix stream sockets.
//
//     rondo::TcpServer server(loop);
//     server.on_connection([](rondo::TcpSocket socket) {
//       socket.on_data([socket](auto bytes) mutable { socket.write(bytes); });   // an echo
//     });
//     auto bound = server.listen(rondo::SocketAddress::loopback(7000));
//
//     rondo::Async<> client() {
//       auto socket = co_await rondo::TcpSocket::connect(rondo::SocketAddress::loopback(7000));
//       if (!socket) co_return;                    // ECONNREFUSED, ETIMEDOUT, ...
//       co_await socket->write_all("hello");
//       auto answer = co_await socket->read();     // a std::string, empty at the end
//     }
//
// Sockets and servers are handles: copies refer to the same object. When the last copy is
// destroyed, bytes accepted for writing are still sent, and the socket is closed. A callback that
// captures the handle (as above) keeps the socket open until it is closed, and is destroyed then.
//
// Data arrives in the poll phase, a refused connection is reported in the pending phase, and the
// end of a socket that was torn down in the close phase; 'close' comes once and nothing after it.
#pragma once

#include <sys/uio.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/detail/chrono.h"
#include "rondo/error.h"

struct sockaddr;

namespace rondo {

class Loop;

// ---- Addresses --------------------------------------------------------------------------------

/// An IPv4 or IPv6 address with a port, or the name of a Unix socket.
class SocketAddress {
 public:
  enum class Family : std::uint8_t { none, ipv4, ipv6, unix_domain };

  SocketAddress() = default;

  /// "127.0.0.1", "::1", "fe80::1%eth0". EINVAL for anything else: names are not looked up here.
  [[nodiscard]] static Expected<SocketAddress> ip(std::string_view text, std::uint16_t port);
  static SocketAddress loopback(std::uint16_t port) noexcept;     // 127.0.0.1
  static SocketAddress loopback_v6(std::uint16_t port) noexcept;  // ::1
  static SocketAddress any(std::uint16_t port) noexcept;          // 0.0.0.0
  static SocketAddress any_v6(std::uint16_t port) noexcept;       // ::
  /// A path, or a name in the abstract namespace if the first character is a NUL. EINVAL when it
  /// is empty or a path contains a NUL, ENAMETOOLONG beyond the kernel's 107 characters.
  [[nodiscard]] static Expected<SocketAddress> unix_path(std::string_view path);
  /// What the kernel uses; none if it is of another family.
  static SocketAddress from_native(const sockaddr* address, std::size_t size) noexcept;

  Family family() const noexcept;
  std::uint16_t port() const noexcept;  // 0 for a Unix socket
  SocketAddress with_port(std::uint16_t port) const noexcept;
  std::string ip() const;                  // "127.0.0.1"; empty for a Unix socket
  std::string_view path() const noexcept;  // of a Unix socket, with the NUL of an abstract one
  std::string to_string() const;           // "127.0.0.1:80", "[::1]:80", "/run/x", "@abstract"

  const sockaddr* native() const noexcept { return reinterpret_cast<const sockaddr*>(bytes_); }
  std::uint32_t native_size() const noexcept { return size_; }

  friend bool operator==(const SocketAddress& a, const SocketAddress& b) noexcept;

 private:
  static constexpr std::size_t kBytes = 112;
  alignas(8) std::byte bytes_[kBytes] = {};
  std::uint32_t size_ = 0;
};

/// One address or several: `connect(address)`, `connect({first, second})`, `connect(vector)`.
class AddressList {
 public:
  AddressList() = default;
  AddressList(std::vector<SocketAddress> addresses) noexcept : addresses_(std::move(addresses)) {}
  // Not a std::initializer_list: g++ 12 cannot compile one inside a co_await expression.
  template <std::same_as<SocketAddress>... Others>
  AddressList(const SocketAddress& first, const Others&... others) {
    addresses_.reserve(1 + sizeof...(Others));
    addresses_.push_back(first);
    (addresses_.push_back(others), ...);
  }

  std::vector<SocketAddress> take() && noexcept { return std::move(addresses_); }

 private:
  std::vector<SocketAddress> addresses_;
};

// ---- Options ------------------------------------------------------------------------------------
// Options without memory of their own (no string, no vector) are plain structs. g++ 12 mishandles
// a braced temporary of any other kind inside co_await: see SpawnOptions.

struct StreamOptions {
  /// After the peer's end we may still write; otherwise our side ends too, as in Node.
  bool allow_half_open = false;
  /// write() returns `wait` when this much is buffered; on_drain() follows when all of it is gone.
  std::size_t high_water_mark = 64U << 10;
  /// The most we hold for a peer that does not read; beyond it write() is ENOBUFS. SIZE_MAX: no
  /// limit, as sockets of JavaScript have none.
  std::size_t max_buffered = 64U << 20;
};

struct TcpOptions {
  bool no_delay = false;
  /// Keep-alive probes after this much silence.
  std::optional<std::chrono::seconds> keep_alive = std::nullopt;
  StreamOptions stream = {};
};

struct ConnectOptions {
  /// For all attempts together. ETIMEDOUT when it is over; nullopt leaves it to the kernel.
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
  /// How long one address may try before the next one does too (RFC 8305).
  std::chrono::milliseconds attempt_delay{250};
  /// Where to connect from; addresses of another family are then skipped.
  SocketAddress local = {};  // NOLINT(readability-redundant-member-init): may be left out
  /// A bound socket to connect, instead of a new one: for one address. It is taken over when the
  /// operation begins, and closed if it fails.
  std::optional<int> bound_socket = std::nullopt;
  TcpOptions tcp = {};
};

struct ListenOptions {
  int backlog = 511;
  bool reuse_port = false;  // several servers share a port, and the kernel its connections
  bool ipv6_only = false;   // on [::]: no IPv4 connections
  TcpOptions accepted = {};
};

struct UnixOptions {
  /// How many descriptors the peer may pass with one message, at most 64; more are closed and
  /// the socket fails with EMSGSIZE. Zero: none can be passed, in either direction.
  std::size_t max_descriptors = 0;
  StreamOptions stream = {};
};

struct UnixListenOptions {
  int backlog = 511;
  UnixOptions accepted = {};
};

/// Bytes to write, in several buffers.
using ConstBuffers = std::span<const std::span<const std::byte>>;

/// Whether to continue writing.
enum class Flow : std::uint8_t {
  go_on,
  wait,  // accepted, but enough is buffered: wait for on_drain()
};

class StreamState;
class ServerState;
class StreamSocket;

namespace detail {

/// A counted reference to a socket or server from outside the loop.
template <class State>
class HandleRef {
 public:
  HandleRef() = default;
  explicit HandleRef(State* state) noexcept;
  HandleRef(const HandleRef& other) noexcept;
  HandleRef(HandleRef&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  HandleRef& operator=(HandleRef other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~HandleRef();

  State* get() const noexcept { return state_; }

 private:
  State* state_ = nullptr;
};
extern template class HandleRef<StreamState>;
extern template class HandleRef<ServerState>;

/// A read in progress: what the socket fills in.
class ReadBase {
 public:
  enum class Into : bool { buffer, text };
  ReadBase(HandleRef<StreamState> socket, Into into, std::span<std::byte> buffer) noexcept
      : socket_(std::move(socket)), buffer_(buffer), into_(into) {}
  ReadBase(ReadBase&&) noexcept = default;
  ReadBase& operator=(ReadBase&&) = delete;
  ~ReadBase();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;

 protected:
  friend class ::rondo::StreamState;
  HandleRef<StreamState> socket_;
  Waiter waiter_;
  std::span<std::byte> buffer_;
  std::string text_;
  std::size_t count_ = 0;
  std::error_code error_;
  Into into_;
  bool waiting_ = false;  // the socket knows of it
};

/// A position in what was accepted for writing, to be reported when it is reached.
class WriteMark {
 public:
  WriteMark() = default;
  WriteMark(const WriteMark&) = delete;
  WriteMark& operator=(const WriteMark&) = delete;

  /// Everything up to here has gone to the kernel, or never will.
  virtual void reached(std::error_code error) = 0;
  /// The loop was destroyed: nothing is reported.
  virtual void dropped() noexcept = 0;
  /// Whether the list of marks owns it.
  virtual bool owns_itself() const noexcept { return false; }

 protected:
  virtual ~WriteMark() = default;

 private:
  friend class MarkList;
  WriteMark* next_ = nullptr;
  std::uint64_t position_ = 0;
};

}  // namespace detail

// ---- Operations --------------------------------------------------------------------------------

/// Gives the number of bytes read, at least one; zero at the end of the stream.
class [[nodiscard]] ReadSomeOp : public Operable<ReadSomeOp, std::size_t>, public detail::ReadBase {
 public:
  using ReadBase::ReadBase;
  Expected<std::size_t> take_result() {
    if (error_) return std::unexpected(error_);
    return count_;
  }
};

/// Gives what has arrived; empty at the end of the stream.
class [[nodiscard]] ReadOp : public Operable<ReadOp, std::string>, public detail::ReadBase {
 public:
  using ReadBase::ReadBase;
  Expected<std::string> take_result() {
    if (error_) return std::unexpected(error_);
    return std::move(text_);
  }
};

class [[nodiscard]] WriteOp final : public Operable<WriteOp, void>, private detail::WriteMark {
 public:
  WriteOp(detail::HandleRef<StreamState> socket, std::span<const std::byte> bytes) noexcept
      : socket_(std::move(socket)), bytes_(bytes) {}
  WriteOp(detail::HandleRef<StreamState> socket, ConstBuffers pieces) noexcept
      : socket_(std::move(socket)), pieces_(pieces) {}
  WriteOp(WriteOp&& other) noexcept
      : socket_(std::move(other.socket_)), bytes_(other.bytes_), pieces_(other.pieces_) {}
  WriteOp& operator=(WriteOp&&) = delete;
  ~WriteOp() override;

  void begin(const detail::AsyncContext& context, detail::Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class StreamState;
  void reached(std::error_code error) override;
  void dropped() noexcept override { waiting_ = false; }

  detail::HandleRef<StreamState> socket_;
  std::span<const std::byte> bytes_;
  ConstBuffers pieces_;  // after them
  detail::Waiter waiter_;
  std::error_code error_;
  bool waiting_ = false;
};

// ---- Streams -----------------------------------------------------------------------------------

/// What TCP and Unix sockets have in common. Every callback is called on the loop's thread, never
/// by the function it was given to; each may do anything to the socket, destroy it too.
///
/// A handle that was moved from, or default-constructed, refers to no socket. It behaves like a
/// closed socket: what returns an error returns EBADF, a callback that is set is dropped, and
/// ending it does nothing. Only write() with a callback throws Misuse (ERR_INVALID_STATE), for lack
/// of a loop to call it on.
///
/// A socket and its handles belong to the thread of its loop: to copy or drop one elsewhere ends
/// the program with a message. To await one in a coroutine of another loop throws Misuse
/// (ERR_INVALID_ARG_VALUE). The same goes for servers, UDP sockets, pipes, processes, files and
/// watchers.
class StreamSocket {
 public:
  StreamSocket() = default;
  explicit operator bool() const noexcept { return state_.get() != nullptr; }

  // ---- Reading: either by callback, or by awaiting.

  /// Called with whatever arrives; the bytes are valid during the call. Begins to read.
  void on_data(Callback<void(std::span<const std::byte>)> callback);
  /// The peer has ended its side. Needs a reader: on_data(), or read() up to the end.
  void on_end(Callback<> callback);

  /// No data until resume(); the kernel's window closes, and the peer has to wait.
  void pause();
  void resume();

  /// Reads into `buffer`, which has to stay until the end of the operation. One read at a time
  /// (EALREADY), and not while on_data() is set (EBUSY). EINVAL for an empty buffer.
  [[nodiscard]] ReadSomeOp read_some(std::span<std::byte> buffer);
  [[nodiscard]] ReadOp read();

  // ---- Writing. Everything written in one iteration of the loop goes to the kernel together, in
  // ---- order, when the loop is about to wait.

  /// Copies the bytes. EPIPE after end(), or when the peer accepts no more; ENOBUFS when more than
  /// StreamOptions::max_buffered (64 MB) would be held. Bytes accepted before are not lost.
  [[nodiscard]] Expected<Flow> write(std::span<const std::byte> bytes);
  [[nodiscard]] Expected<Flow> write(std::string_view text);
  /// Moves the string, without a copy.
  template <std::same_as<std::string> String>
  [[nodiscard]] Expected<Flow> write(String&& text) {
    return write_owned(std::forward<String>(text));
  }
  /// Also reports when these bytes have gone to the kernel, or why not. An error is only reported
  /// to the callback.
  void write(std::span<const std::byte> bytes, Callback<void(Expected<>)> callback);
  void write(std::string_view text, Callback<void(Expected<>)> callback);
  template <std::same_as<std::string> String>
  void write(String&& text, Callback<void(Expected<>)> callback) {
    write_owned(std::forward<String>(text), std::move(callback));
  }

  /// Sends at once, not at the end of the iteration, as much as the kernel accepts without
  /// blocking. Returns the number of bytes: zero while earlier writes are buffered or the kernel's
  /// buffer is full. EPIPE after end(); an error of the connection is reported here only, and the
  /// socket stays open until destroy().
  [[nodiscard]] Expected<std::size_t> try_write(std::span<const std::byte> bytes);
  [[nodiscard]] Expected<std::size_t> try_write(std::string_view text);
  [[nodiscard]] Expected<std::size_t> try_write(std::span<const iovec> pieces);

  /// Awaits that all bytes have gone to the kernel. They are not copied: they have to stay until
  /// the end of the operation. If it is cancelled after a part has gone, nothing can follow that
  /// part any more: later writes are EPIPE, and end() sends no end, which would make the part look
  /// like the whole. destroy() the socket then.
  [[nodiscard]] WriteOp write_all(std::span<const std::byte> bytes);
  [[nodiscard]] WriteOp write_all(std::string_view text);
  /// Several pieces, in one system call: `std::array<std::span<const std::byte>, 2> pieces`. The
  /// list has to stay as well.
  [[nodiscard]] WriteOp write_all(ConstBuffers pieces);

  /// All that was buffered after write() had said `wait` is gone.
  void on_drain(Callback<> callback);

  /// What was accepted and has not gone to the kernel yet.
  std::size_t buffered() const;

  // ---- Ending.

  /// No more writes; when all is sent, the peer sees our end. When its end has been read too,
  /// the socket closes, and on_close() runs through the tick queue.
  void end();
  /// Writes `last` before. If that is refused, as write() may be, nothing has ended.
  [[nodiscard]] Expected<> end(std::string_view last);
  /// Tears it down immediately: what is buffered is dropped, operations in progress are ECANCELED,
  /// and then on_close() runs, in the close phase.
  void destroy();

  /// Gives the descriptor away, as it is: non-blocking, and the caller's to close. The socket is
  /// then closed, and on_close() runs. EBUSY while something is in progress: a read or write,
  /// bytes that have arrived and were not read, on_data() without a pause() in an earlier
  /// iteration. EBADF.
  [[nodiscard]] Expected<int> release();

  /// Something failed (ECONNRESET, EPIPE ...); the socket is being torn down.
  void on_error(Callback<void(std::error_code)> callback);
  /// Called once, after everything else.
  void on_close(Callback<> callback);

  // ---- The rest.

  /// What the socket failed with, if it did.
  std::error_code error() const;
  bool readable() const;  // the end of what the peer sends has not been seen
  bool writable() const;  // neither ended nor torn down
  bool closed() const;
  int fd() const;  // -1 when closed

  SocketAddress local_address() const;
  SocketAddress peer_address() const;

  void ref();
  void unref();
  bool has_ref() const;

  friend bool operator==(const StreamSocket& a, const StreamSocket& b) noexcept {
    return a.state_.get() == b.state_.get();
  }

 protected:
  friend class ServerState;
  explicit StreamSocket(detail::HandleRef<StreamState> state) noexcept : state_(std::move(state)) {}
  StreamState& state() const noexcept { return *state_.get(); }

  [[nodiscard]] Expected<Flow> write_owned(std::string text);
  void write_owned(std::string text, Callback<void(Expected<>)> callback);

  detail::HandleRef<StreamState> state_;
};

class ConnectState;
template <class Socket>
class AcceptOp;

namespace detail {

class ConnectBase {
 public:
  ConnectBase(std::vector<SocketAddress> addresses, ConnectOptions options,
              UnixOptions unix_options)
      : addresses_(std::move(addresses)), options_(options), unix_options_(unix_options) {}
  ConnectBase(ConnectBase&& other) noexcept
      : addresses_(std::move(other.addresses_)),
        options_(other.options_),
        unix_options_(other.unix_options_) {}
  ConnectBase& operator=(ConnectBase&&) = delete;
  ~ConnectBase();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;

 protected:
  Expected<HandleRef<StreamState>> take_state();

 private:
  std::vector<SocketAddress> addresses_;
  ConnectOptions options_;
  UnixOptions unix_options_;
  ConnectState* state_ = nullptr;
};

}  // namespace detail

/// Connects, and returns the socket. A failure is reported in the pending phase.
template <class Socket>
class [[nodiscard]] ConnectOp : public Operable<ConnectOp<Socket>, Socket>,
                                public detail::ConnectBase {
 public:
  using ConnectBase::ConnectBase;
  Expected<Socket> take_result() {
    auto state = take_state();
    if (!state) return std::unexpected(state.error());
    return Socket(*std::move(state));
  }
};

class TcpSocket : public StreamSocket {
 public:
  TcpSocket() = default;

  /// Tries the addresses as RFC 8305 says: IPv6 and IPv4 alternating, the next one when the last
  /// has failed or attempt_delay is over, and the first to connect wins. If none does, the error is
  /// that of the first address. EINVAL for an empty list.
  [[nodiscard]] static ConnectOp<TcpSocket> connect(AddressList addresses,
                                                    ConnectOptions options = {});
  /// Takes over a connected descriptor, which is then ours to close. EBADF, ENOTSOCK, ENOTCONN,
  /// or an option that cannot be set: then it stays the caller's.
  [[nodiscard]] static Expected<TcpSocket> adopt(Loop& loop, int fd, TcpOptions options = {});

  [[nodiscard]] Expected<> set_no_delay(bool on);
  [[nodiscard]] Expected<> set_keep_alive(std::optional<std::chrono::seconds> after);

  /// Tears it down as destroy() does, and the peer sees ECONNRESET instead of an end.
  void reset();

 private:
  friend class ConnectOp<TcpSocket>;
  friend class AcceptOp<TcpSocket>;
  friend class TcpServer;
  explicit TcpSocket(detail::HandleRef<StreamState> state) noexcept
      : StreamSocket(std::move(state)) {}
};

class UnixSocket : public StreamSocket {
 public:
  UnixSocket() = default;

  [[nodiscard]] static ConnectOp<UnixSocket> connect(const SocketAddress& address,
                                                     UnixOptions options = {});
  [[nodiscard]] static Expected<UnixSocket> adopt(Loop& loop, int fd, UnixOptions options = {});
  /// Two that are connected with each other.
  [[nodiscard]] static Expected<std::pair<UnixSocket, UnixSocket>> pair(Loop& loop,
                                                                        UnixOptions options = {});

  /// Writes bytes, at least one (EINVAL), with copies of these descriptors. EMSGSIZE for more than
  /// max_descriptors, EBADF; otherwise as write().
  [[nodiscard]] Expected<Flow> write_descriptors(std::span<const std::byte> bytes,
                                                 std::span<const int> fds);

  /// Called before the data they came with, which may begin with bytes sent before them; the
  /// descriptors are the callee's to close. Those that arrive while there is no such callback are
  /// closed.
  void on_descriptors(Callback<void(std::span<const int>)> callback);

 private:
  friend class ConnectOp<UnixSocket>;
  friend class AcceptOp<UnixSocket>;
  friend class UnixServer;
  explicit UnixSocket(detail::HandleRef<StreamState> state) noexcept
      : StreamSocket(std::move(state)) {}
};

// ---- Servers -----------------------------------------------------------------------------------

namespace detail {

class AcceptBase {
 public:
  explicit AcceptBase(HandleRef<ServerState> server) noexcept : server_(std::move(server)) {}
  AcceptBase(AcceptBase&&) noexcept = default;
  AcceptBase& operator=(AcceptBase&&) = delete;
  ~AcceptBase();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;

 protected:
  Expected<HandleRef<StreamState>> take_state();

 private:
  friend class ::rondo::ServerState;
  HandleRef<ServerState> server_;
  Waiter waiter_;
  HandleRef<StreamState> accepted_;
  std::error_code error_;
  bool waiting_ = false;
  AcceptBase* next_ = nullptr;
};

}  // namespace detail

template <class Socket>
class [[nodiscard]] AcceptOp : public Operable<AcceptOp<Socket>, Socket>,
                               public detail::AcceptBase {
 public:
  using AcceptBase::AcceptBase;
  Expected<Socket> take_result() {
    auto state = take_state();
    if (!state) return std::unexpected(state.error());
    return Socket(*std::move(state));
  }
};

/// What TCP and Unix servers have in common.
class StreamServer {
 public:
  /// listen() has succeeded; called through the tick queue, so that a callback set after listen()
  /// is called.
  void on_listening(Callback<> callback);

  /// Accepting has met a limit. The server recovers by itself, with or without this callback:
  /// without descriptors (EMFILE, ENFILE) new connections are accepted and closed at once, so that
  /// clients do not wait; without memory (ENOBUFS, ENOMEM) they wait in the backlog. When there is
  /// room again, connections are accepted again. Called once for each time.
  void on_error(Callback<void(std::error_code)> callback);

  /// Stops listening at once. Accepted connections stay open. Awaited accepts are
  /// ECANCELED, then `callback` runs in the close phase. Closing again is harmless.
  void close(Callback<> callback = nullptr);

  bool listening() const;
  bool closed() const;
  /// Connections wait in the backlog, because there is neither a descriptor nor memory for them,
  /// and none to reject them either. The server tries again by itself.
  bool starved() const;
  SocketAddress address() const;  // with the port that the kernel chose
  int fd() const;
  /// Another process listens on the same socket, and continues when this one closes it. A server
  /// that was given a descriptor is shared from the start.
  void share();

  void ref();
  void unref();
  bool has_ref() const;

 protected:
  explicit StreamServer(Loop& loop);
  ServerState& state() const noexcept { return *state_.get(); }
  detail::HandleRef<ServerState> state_;
};

class TcpServer : public StreamServer {
 public:
  explicit TcpServer(Loop& loop) : StreamServer(loop) {}

  /// Called for each connection, in the poll phase. Without it, connections wait in the backlog.
  void on_connection(Callback<void(TcpSocket)> callback);
  /// Awaits one connection. EBUSY while on_connection() is set.
  [[nodiscard]] AcceptOp<TcpSocket> accept() { return AcceptOp<TcpSocket>(state_); }

  /// Binds and listens at once. EADDRINUSE, EACCES, EADDRNOTAVAIL; EINVAL if it has listened
  /// before or the address is not one of TCP.
  [[nodiscard]] Expected<> listen(const SocketAddress& address, ListenOptions options = {});
  /// On a descriptor that is bound, and may listen already (socket activation). It is then ours to
  /// close. EBADF, ENOTSOCK, EINVAL if it cannot listen or is not a TCP socket: it stays the
  /// caller's.
  [[nodiscard]] Expected<> listen(int fd, ListenOptions options = {});
};

class UnixServer : public StreamServer {
 public:
  explicit UnixServer(Loop& loop) : StreamServer(loop) {}

  void on_connection(Callback<void(UnixSocket)> callback);
  [[nodiscard]] AcceptOp<UnixSocket> accept() { return AcceptOp<UnixSocket>(state_); }

  /// As for TCP. A path that exists is EADDRINUSE, even a stale one; close() removes ours.
  [[nodiscard]] Expected<> listen(const SocketAddress& address, UnixListenOptions options = {});
  /// On a descriptor, as for TCP. Its path is not removed.
  [[nodiscard]] Expected<> listen(int fd, UnixListenOptions options = {});
};

}  // namespace rondo
