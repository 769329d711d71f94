// The public face of stream sockets and servers: checks what comes from outside.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "rondo/net.h"

#include "io/begin_on.h"
#include "io/net/handle_ref.h"
#include "io/net/server.h"
#include "io/net/socket_calls.h"
#include "io/net/stream.h"

namespace rondo {

namespace detail {

template class HandleRef<StreamState>;
template class HandleRef<ServerState>;

ReadBase::~ReadBase() {
  if (waiting_) socket_.get()->forget_read(*this);
}

void ReadBase::begin(const AsyncContext& context, Waiter waiter) {
  if (!begins_on(socket_.get(), context, waiter, error_)) return;
  waiter_ = waiter;
  socket_.get()->begin_read(context.loop->core(), *this);
}

void ReadBase::cancel() noexcept {
  if (socket_.get() != nullptr) socket_.get()->cancel_read(*this);
}

AcceptBase::~AcceptBase() {
  if (waiting_) server_.get()->forget_accept(*this);
}

void AcceptBase::begin(const AsyncContext& context, Waiter waiter) {
  if (!begins_on(server_.get(), context, waiter, error_)) return;
  waiter_ = waiter;
  server_.get()->begin_accept(context.loop->core(), *this);
}

void AcceptBase::cancel() noexcept {
  if (server_.get() != nullptr) server_.get()->cancel_accept(*this);
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
  if (!detail::begins_on(socket_.get(), context, waiter, error_)) return;
  waiter_ = waiter;
  socket_.get()->begin_write(context.loop->core(), *this);
}

void WriteOp::cancel() noexcept {
  if (socket_.get() != nullptr) socket_.get()->cancel_write(*this);
}

void WriteOp::reached(std::error_code error) {
  error_ = error;
  waiting_ = false;
  waiter_();
}

// ---- Streams -----------------------------------------------------------------------------------

namespace {

std::span<const std::byte> bytes_of(std::string_view text) noexcept {
  return std::as_bytes(std::span(text));
}

/// What an empty handle answers.
std::unexpected<std::error_code> no_socket() {
  return std::unexpected(errno_code(EBADF));
}
[[noreturn]] void no_loop_to_report_on() {
  throw Misuse("ERR_INVALID_STATE", "the socket is empty: there is no loop to call the callback");
}

Expected<> to_expected(std::error_code error) {
  if (error) return std::unexpected(error);
  return {};
}

/// Checks that a descriptor from outside is a connected socket, and takes ownership of it.
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
  if (state_.get() == nullptr) return;
  state().on_data(std::move(callback));
}
void StreamSocket::on_end(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().on_end(std::move(callback));
}
void StreamSocket::on_drain(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().on_drain(std::move(callback));
}
void StreamSocket::on_error(Callback<void(std::error_code)> callback) {
  if (state_.get() == nullptr) return;
  state().on_error(std::move(callback));
}
void StreamSocket::on_close(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().on_close(std::move(callback));
}

void StreamSocket::pause() {
  if (state_.get() == nullptr) return;
  state().pause();
}
void StreamSocket::resume() {
  if (state_.get() == nullptr) return;
  state().resume();
}

ReadSomeOp StreamSocket::read_some(std::span<std::byte> buffer) {
  return {state_, detail::ReadBase::Into::buffer, buffer};
}
ReadOp StreamSocket::read() {
  return {state_, detail::ReadBase::Into::text, {}};
}

Expected<Flow> StreamSocket::write(std::span<const std::byte> bytes) {
  if (state_.get() == nullptr) return no_socket();
  return state().write(bytes);
}
Expected<Flow> StreamSocket::write(std::string_view text) {
  if (state_.get() == nullptr) return no_socket();
  return state().write(bytes_of(text));
}
Expected<Flow> StreamSocket::write_owned(std::string text) {
  if (state_.get() == nullptr) return no_socket();
  return state().write_owned(std::move(text));
}
void StreamSocket::write(std::span<const std::byte> bytes, Callback<void(Expected<>)> callback) {
  if (state_.get() == nullptr) no_loop_to_report_on();
  state().write(bytes, std::move(callback));
}
void StreamSocket::write(std::string_view text, Callback<void(Expected<>)> callback) {
  if (state_.get() == nullptr) no_loop_to_report_on();
  state().write(bytes_of(text), std::move(callback));
}
void StreamSocket::write_owned(std::string text, Callback<void(Expected<>)> callback) {
  if (state_.get() == nullptr) no_loop_to_report_on();
  state().write_owned(std::move(text), std::move(callback));
}
Expected<std::size_t> StreamSocket::try_write(std::span<const iovec> pieces) {
  if (state_.get() == nullptr) return no_socket();
  return state().try_write(pieces);
}
Expected<std::size_t> StreamSocket::try_write(std::span<const std::byte> bytes) {
  const iovec piece{const_cast<std::byte*>(bytes.data()), bytes.size()};
  return try_write(std::span(&piece, 1));
}
Expected<std::size_t> StreamSocket::try_write(std::string_view text) {
  return try_write(bytes_of(text));
}
WriteOp StreamSocket::write_all(std::span<const std::byte> bytes) {
  return {state_, bytes};
}
WriteOp StreamSocket::write_all(std::string_view text) {
  return {state_, bytes_of(text)};
}

WriteOp StreamSocket::write_all(ConstBuffers pieces) {
  return {state_, pieces};
}

std::size_t StreamSocket::buffered() const {
  if (state_.get() == nullptr) return 0;
  return state().buffered();
}

void StreamSocket::end() {
  if (state_.get() == nullptr) return;
  state().end();
}
Expected<> StreamSocket::end(std::string_view last) {
  if (state_.get() == nullptr) return no_socket();
  if (const auto taken = state().write(bytes_of(last)); !taken) {
    return std::unexpected(taken.error());
  }
  state().end();
  return {};
}
void StreamSocket::destroy() {
  if (state_.get() == nullptr) return;
  state().destroy();
}

Expected<int> StreamSocket::release() {
  if (state_.get() == nullptr) return no_socket();
  return state().release_descriptor();
}

std::error_code StreamSocket::error() const {
  if (state_.get() == nullptr) return errno_code(EBADF);
  return state().error();
}
bool StreamSocket::readable() const {
  if (state_.get() == nullptr) return false;
  return state().readable();
}
bool StreamSocket::writable() const {
  if (state_.get() == nullptr) return false;
  return state().writable();
}
bool StreamSocket::closed() const {
  if (state_.get() == nullptr) return true;
  return state().closed();
}
int StreamSocket::fd() const {
  if (state_.get() == nullptr) return -1;
  return state().fd();
}
SocketAddress StreamSocket::local_address() const {
  if (state_.get() == nullptr) return {};
  return local_address_of(state().fd());
}
SocketAddress StreamSocket::peer_address() const {
  if (state_.get() == nullptr) return {};
  return peer_address_of(state().fd());
}

void StreamSocket::ref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(true);
}
void StreamSocket::unref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(false);
}
bool StreamSocket::has_ref() const {
  if (state_.get() == nullptr) return false;
  return state().referenced();
}

// ---- TCP ---------------------------------------------------------------------------------------

ConnectOp<TcpSocket> TcpSocket::connect(AddressList addresses, ConnectOptions options) {
  return {std::move(addresses).take(), options, UnixOptions{}};
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
  if (state_.get() == nullptr) return no_socket();
  return to_expected(set_option(state().fd(), IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0));
}
Expected<> TcpSocket::set_keep_alive(std::optional<std::chrono::seconds> after) {
  if (state_.get() == nullptr) return no_socket();
  return to_expected(rondo::set_keep_alive(state().fd(), after));
}
void TcpSocket::reset() {
  if (state_.get() == nullptr) return;
  state().reset();
}

// ---- Unix --------------------------------------------------------------------------------------

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
  if (state_.get() == nullptr) return no_socket();
  return state().write_descriptors(bytes, fds);
}
void UnixSocket::on_descriptors(Callback<void(std::span<const int>)> callback) {
  if (state_.get() == nullptr) return;
  state().on_descriptors(std::move(callback));
}

// ---- Servers -----------------------------------------------------------------------------------

StreamServer::StreamServer(Loop& loop) {
  loop.core().check_thread();
  state_ = detail::HandleRef<ServerState>(new ServerState(loop.core()));
}

void StreamServer::on_listening(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().on_listening(std::move(callback));
}
void StreamServer::on_error(Callback<void(std::error_code)> callback) {
  if (state_.get() == nullptr) return;
  state().on_error(std::move(callback));
}
void StreamServer::close(Callback<> callback) {
  if (state_.get() == nullptr) return;
  state().close(std::move(callback));
}
bool StreamServer::listening() const {
  if (state_.get() == nullptr) return false;
  return state().listening();
}
bool StreamServer::closed() const {
  if (state_.get() == nullptr) return true;
  return state().closed();
}
bool StreamServer::starved() const {
  return state_.get() != nullptr && state().starved();
}
SocketAddress StreamServer::address() const {
  if (state_.get() == nullptr) return {};
  return state().address();
}
int StreamServer::fd() const {
  if (state_.get() == nullptr) return -1;
  return state().fd();
}
void StreamServer::share() {
  if (state_.get() != nullptr) state().share();
}
void StreamServer::ref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(true);
}
void StreamServer::unref() {
  if (state_.get() == nullptr) return;
  state().set_referenced(false);
}
bool StreamServer::has_ref() const {
  if (state_.get() == nullptr) return false;
  return state().referenced();
}

void TcpServer::on_connection(Callback<void(TcpSocket)> callback) {
  if (state_.get() == nullptr) return;
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
  if (state_.get() == nullptr) return no_socket();
  return state().listen(address, options);
}

Expected<> TcpServer::listen(int fd, ListenOptions options) {
  if (state_.get() == nullptr) return no_socket();
  return state().listen(fd, options);
}

void UnixServer::on_connection(Callback<void(UnixSocket)> callback) {
  if (state_.get() == nullptr) return;
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
  if (state_.get() == nullptr) return no_socket();
  return state().listen(address, options);
}

Expected<> UnixServer::listen(int fd, UnixListenOptions options) {
  if (state_.get() == nullptr) return no_socket();
  return state().listen(fd, options);
}

}  // namespace rondo
