// The public face of stream sockets and servers: checks what comes from outside.
#include "rondo/net.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "io/net_handle_ref.h"
#include "io/net_server.h"
#include "io/net_socket.h"
#include "io/net_stream.h"

namespace rondo {

namespace detail {

template class HandleRef<StreamState>;
template class HandleRef<ServerState>;

ReadBase::~ReadBase() {
  if (waiting_) socket_.get()->forget_read(*this);
}

void ReadBase::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  socket_.get()->begin_read(context.loop->core(), *this);
}

void ReadBase::cancel() noexcept {
  socket_.get()->cancel_read(*this);
}

AcceptBase::~AcceptBase() {
  if (waiting_) server_.get()->forget_accept(*this);
}

void AcceptBase::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  server_.get()->begin_accept(context.loop->core(), *this);
}

void AcceptBase::cancel() noexcept {
  server_.get()->cancel_accept(*this);
}

Expected<HandleRef<StreamState>> AcceptBase::take_state() {
  if (error_) return std::unexpected(error_);
  return std::move(accepted_);
}

}  // namespace detail

// ---- Operations ---------------------------------------------------------------------------------

WriteOp::~WriteOp() {
  if (waiting_) socket_.get()->forget_write(*this);
}

void WriteOp::begin(const detail::AsyncContext& context, detail::Waiter waiter) {
  waiter_ = waiter;
  socket_.get()->begin_write(context.loop->core(), *this);
}

void WriteOp::cancel() noexcept {
  socket_.get()->cancel_write(*this);
}

void WriteOp::reached(std::error_code error) {
  error_ = error;
  waiting_ = false;
  waiter_();
}

// ---- Streams
// --------------------------------------------------------------------------------------

namespace {

std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

Expected<> to_expected(std::error_code error) {
  if (error) return std::unexpected(error);
  return {};
}

/// Checks that a descriptor which somebody hands us is a connected socket, and makes it ours.
Expected<Descriptor> take_over(Loop& loop, int fd) {
  loop.core().check_thread();
  int type = 0;
  socklen_t size = sizeof(type);
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    return std::unexpected(errno_code(errno));
  }
  if (type != SOCK_STREAM) return std::unexpected(errno_code(EPROTOTYPE));
  sockaddr_storage peer{};
  size = sizeof(peer);
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) {
    return std::unexpected(errno_code(errno));
  }
  return Descriptor(fd);
}

}  // namespace

void StreamSocket::on_data(Callback<void(std::span<const std::byte>)> callback) {
  state().on_data(std::move(callback));
}
void StreamSocket::on_end(Callback<> callback) {
  state().on_end(std::move(callback));
}
void StreamSocket::on_drain(Callback<> callback) {
  state().on_drain(std::move(callback));
}
void StreamSocket::on_error(Callback<void(std::error_code)> callback) {
  state().on_error(std::move(callback));
}
void StreamSocket::on_close(Callback<> callback) {
  state().on_close(std::move(callback));
}

void StreamSocket::pause() {
  state().pause();
}
void StreamSocket::resume() {
  state().resume();
}

ReadSomeOp StreamSocket::read_some(std::span<std::byte> buffer) {
  return {state_, detail::ReadBase::Into::buffer, buffer};
}
ReadOp StreamSocket::read() {
  return {state_, detail::ReadBase::Into::text, {}};
}

Expected<Flow> StreamSocket::write(std::span<const std::byte> bytes) {
  return state().write(bytes);
}
Expected<Flow> StreamSocket::write(std::string_view text) {
  return state().write(bytes_of(text));
}
Expected<Flow> StreamSocket::write_owned(std::string text) {
  return state().write_owned(std::move(text));
}
void StreamSocket::write(std::span<const std::byte> bytes, Callback<void(Expected<>)> callback) {
  state().write(bytes, std::move(callback));
}
void StreamSocket::write(std::string_view text, Callback<void(Expected<>)> callback) {
  state().write(bytes_of(text), std::move(callback));
}
void StreamSocket::write_owned(std::string text, Callback<void(Expected<>)> callback) {
  state().write_owned(std::move(text), std::move(callback));
}
WriteOp StreamSocket::write_all(std::span<const std::byte> bytes) {
  return {state_, bytes};
}
WriteOp StreamSocket::write_all(std::string_view text) {
  return {state_, bytes_of(text)};
}

std::size_t StreamSocket::buffered() const {
  return state().buffered();
}

void StreamSocket::end() {
  state().end();
}
Expected<> StreamSocket::end(std::string_view last) {
  if (const auto taken = state().write(bytes_of(last)); !taken) {
    return std::unexpected(taken.error());
  }
  state().end();
  return {};
}
void StreamSocket::destroy() {
  state().destroy();
}

std::error_code StreamSocket::error() const {
  return state().error();
}
bool StreamSocket::readable() const {
  return state().readable();
}
bool StreamSocket::writable() const {
  return state().writable();
}
bool StreamSocket::closed() const {
  return state().closed();
}
int StreamSocket::fd() const {
  return state().fd();
}
SocketAddress StreamSocket::local_address() const {
  return local_address_of(state().fd());
}
SocketAddress StreamSocket::peer_address() const {
  return peer_address_of(state().fd());
}

void StreamSocket::ref() {
  state().set_referenced(true);
}
void StreamSocket::unref() {
  state().set_referenced(false);
}
bool StreamSocket::has_ref() const {
  return state().referenced();
}

// ---- TCP
// --------------------------------------------------------------------------------------------

ConnectOp<TcpSocket> TcpSocket::connect(std::vector<SocketAddress> addresses,
                                        ConnectOptions options) {
  return {std::move(addresses), options, UnixOptions{}};
}
ConnectOp<TcpSocket> TcpSocket::connect(const SocketAddress& address, ConnectOptions options) {
  return connect(std::vector{address}, options);
}

Expected<TcpSocket> TcpSocket::adopt(Loop& loop, int fd, TcpOptions options) {
  auto taken = take_over(loop, fd);
  if (!taken) return std::unexpected(taken.error());
  if (const std::error_code error = apply(fd, options)) {
    taken->release();
    return std::unexpected(error);
  }
  return TcpSocket(StreamState::make(loop.core(), *std::move(taken), options.stream));
}

Expected<> TcpSocket::set_no_delay(bool on) {
  return to_expected(set_option(state().fd(), IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0));
}
Expected<> TcpSocket::set_keep_alive(std::optional<std::chrono::seconds> after) {
  return to_expected(rondo::set_keep_alive(state().fd(), after));
}
void TcpSocket::reset() {
  state().reset();
}

// ---- Unix
// -------------------------------------------------------------------------------------------

ConnectOp<UnixSocket> UnixSocket::connect(const SocketAddress& address, UnixOptions options) {
  ConnectOptions connect;
  connect.tcp.stream = options.stream;
  return {std::vector{address}, connect, options};
}

Expected<UnixSocket> UnixSocket::adopt(Loop& loop, int fd, UnixOptions options) {
  auto taken = take_over(loop, fd);
  if (!taken) return std::unexpected(taken.error());
  return UnixSocket(
      StreamState::make(loop.core(), *std::move(taken), options.stream, options.max_descriptors));
}

Expected<std::pair<UnixSocket, UnixSocket>> UnixSocket::pair(Loop& loop, UnixOptions options) {
  loop.core().check_thread();
  int fds[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, std::data(fds)) != 0) {
    return std::unexpected(errno_code(errno));
  }
  const auto make = [&](int fd) {
    return UnixSocket(
        StreamState::make(loop.core(), Descriptor(fd), options.stream, options.max_descriptors));
  };
  return std::pair(make(fds[0]), make(fds[1]));
}

Expected<Flow> UnixSocket::write_descriptors(std::span<const std::byte> bytes,
                                             std::span<const int> fds) {
  return state().write_descriptors(bytes, fds);
}
void UnixSocket::on_descriptors(Callback<void(std::span<const int>)> callback) {
  state().on_descriptors(std::move(callback));
}

// ---- Servers
// ----------------------------------------------------------------------------------------

StreamServer::StreamServer(Loop& loop) {
  loop.core().check_thread();
  state_ = detail::HandleRef<ServerState>(new ServerState(loop.core()));
}

void StreamServer::on_listening(Callback<> callback) {
  state().on_listening(std::move(callback));
}
void StreamServer::on_error(Callback<void(std::error_code)> callback) {
  state().on_error(std::move(callback));
}
void StreamServer::close(Callback<> callback) {
  state().close(std::move(callback));
}
bool StreamServer::listening() const {
  return state().listening();
}
bool StreamServer::closed() const {
  return state().closed();
}
SocketAddress StreamServer::address() const {
  return state().address();
}
int StreamServer::fd() const {
  return state().fd();
}
void StreamServer::ref() {
  state().set_referenced(true);
}
void StreamServer::unref() {
  state().set_referenced(false);
}
bool StreamServer::has_ref() const {
  return state().referenced();
}

void TcpServer::on_connection(Callback<void(TcpSocket)> callback) {
  if (!callback) {
    state().on_connection(nullptr);
    return;
  }
  state().on_connection(
      [callback = std::move(callback)](detail::HandleRef<StreamState> connection) mutable {
        callback(TcpSocket(std::move(connection)));
      });
}
Expected<> TcpServer::listen(const SocketAddress& address, ListenOptions options) {
  return state().listen(address, options);
}

Expected<> TcpServer::listen(int fd, ListenOptions options) {
  return state().listen(fd, options);
}

void UnixServer::on_connection(Callback<void(UnixSocket)> callback) {
  if (!callback) {
    state().on_connection(nullptr);
    return;
  }
  state().on_connection(
      [callback = std::move(callback)](detail::HandleRef<StreamState> connection) mutable {
        callback(UnixSocket(std::move(connection)));
      });
}
Expected<> UnixServer::listen(const SocketAddress& address, UnixListenOptions options) {
  return state().listen(address, options);
}

Expected<> UnixServer::listen(int fd, UnixListenOptions options) {
  return state().listen(fd, options);
}

}  // namespace rondo
