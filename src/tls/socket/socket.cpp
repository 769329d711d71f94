// The public face of TLS sockets and servers.
#include <openssl/pem.h>

#include <utility>

#include "rondo/dns.h"
#include "rondo/tls.h"
#include "rondo/when.h"

#include "tls/socket/tls_state.h"

namespace rondo {

namespace detail {

TlsRef::TlsRef(TlsState* state) noexcept : state_(state) {
  if (state_ != nullptr) state_->retain();
}
TlsRef::~TlsRef() {
  if (state_ != nullptr) state_->release();
}

namespace {

/// On an empty handle every operation fails with EBADF, reported later.
void fail_without_socket(const AsyncContext& context, Waiter waiter, std::error_code& error) {
  error = errno_code(EBADF);
  context.loop->defer([waiter] { waiter(); });
}

}  // namespace

TlsReadBase::~TlsReadBase() {
  if (waiting_) socket_.get()->forget_read(*this);
}
void TlsReadBase::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (socket_.get() == nullptr) return fail_without_socket(context, waiter, error_);
  socket_.get()->begin_read(*this, context);
}
void TlsReadBase::cancel() noexcept {
  if (waiting_) socket_.get()->cancel_read(*this);
}

}  // namespace detail

TlsWriteOp::~TlsWriteOp() {
  if (waiting_) socket_.get()->forget_write(*this);
}
void TlsWriteOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (socket_.get() == nullptr) return detail::fail_without_socket(context, waiter, error_);
  socket_.get()->begin_write(*this, context);
}
void TlsWriteOp::cancel() noexcept {
  if (waiting_) socket_.get()->cancel_write(*this);
}

TlsHandshakeOp::~TlsHandshakeOp() {
  if (waiting_) socket_.get()->forget_handshake(*this);
}
void TlsHandshakeOp::begin(const AsyncContext& context, Waiter waiter) {
  waiter_ = waiter;
  if (socket_.get() == nullptr) return detail::fail_without_socket(context, waiter, error_);
  socket_.get()->begin_handshake(*this, context);
}
void TlsHandshakeOp::cancel() noexcept {
  if (waiting_) socket_.get()->cancel_handshake(*this);
}

// ---- Making one ---------------------------------------------------------------------------------

TlsSocket TlsSocket::start_client(Loop& loop, AnyStream stream, std::string host,
                                  TlsContext context) {
  return TlsSocket(
      TlsState::make(loop, std::move(stream), context, tls::Side::client, std::move(host)));
}
TlsSocket TlsSocket::start_server(Loop& loop, AnyStream stream, TlsContext context) {
  return TlsSocket(TlsState::make(loop, std::move(stream), context, tls::Side::server, {}));
}

Async<Expected<TlsSocket>> TlsSocket::connect(AnyStream stream, std::string host,
                                              TlsContext context) {
  Loop& loop = co_await current_loop();
  TlsSocket socket = start_client(loop, std::move(stream), std::move(host), std::move(context));
  if (const auto done = co_await socket.handshake(); !done) {
    socket.destroy();
    co_return std::unexpected(done.error());
  }
  co_return socket;
}

Async<Expected<TlsSocket>> TlsSocket::connect(std::string host, std::uint16_t port,
                                              TlsContext context) {
  std::vector<SocketAddress> addresses;
  if (const auto numbers = SocketAddress::ip(host, port)) {
    addresses.push_back(*numbers);
  } else {
    const auto found = co_await dns::lookup_all(host);
    if (!found) co_return std::unexpected(found.error());
    for (const dns::Address& one : *found) {
      if (const auto address = SocketAddress::ip(one.text, port)) addresses.push_back(*address);
    }
  }
  auto socket = co_await TcpSocket::connect(std::move(addresses));
  if (!socket) co_return std::unexpected(socket.error());
  static_cast<void>(socket->set_no_delay(true));
  co_return co_await connect(AnyStream(*std::move(socket)), std::move(host), std::move(context));
}

Async<Expected<TlsSocket>> TlsSocket::accept(AnyStream stream, TlsContext context,
                                             std::chrono::milliseconds timeout) {
  Loop& loop = co_await current_loop();
  TlsSocket socket = start_server(loop, std::move(stream), std::move(context));
  const auto done = co_await with_timeout(timeout, socket.handshake());
  if (done) co_return socket;
  socket.destroy();
  if (done.error() == errno_code(ETIMEDOUT)) {
    co_return std::unexpected(make_error_code(TlsError::timed_out));
  }
  co_return std::unexpected(done.error());
}

// ---- As TcpSocket -------------------------------------------------------------------------------

void TlsSocket::on_data(Callback<void(std::span<const std::byte>)> callback) {
  if (TlsState* const to = state_.get()) to->on_data(std::move(callback));
}
void TlsSocket::on_end(Callback<> callback) {
  if (TlsState* const to = state_.get()) to->on_end(std::move(callback));
}
void TlsSocket::on_drain(Callback<> callback) {
  if (TlsState* const to = state_.get()) to->on_drain(std::move(callback));
}
void TlsSocket::on_error(Callback<void(std::error_code)> callback) {
  if (TlsState* const to = state_.get()) to->on_error(std::move(callback));
}
void TlsSocket::on_close(Callback<> callback) {
  if (TlsState* const to = state_.get()) to->on_close(std::move(callback));
}
void TlsSocket::pause() {
  if (TlsState* const to = state_.get()) to->pause();
}
void TlsSocket::resume() {
  if (TlsState* const to = state_.get()) to->resume();
}
Expected<Flow> TlsSocket::write(std::span<const std::byte> bytes) {
  if (state_.get() == nullptr) return std::unexpected(errno_code(EBADF));
  return state_.get()->write(bytes);
}
std::size_t TlsSocket::buffered() const {
  return state_.get() == nullptr ? 0 : state_.get()->buffered();
}
void TlsSocket::end() {
  if (TlsState* const to = state_.get()) to->end();
}
Expected<> TlsSocket::end(std::string_view last) {
  if (const auto taken = write(last); !taken) return std::unexpected(taken.error());
  end();
  return {};
}
void TlsSocket::destroy() {
  if (TlsState* const to = state_.get()) to->destroy();
}
std::error_code TlsSocket::error() const {
  return state_.get() == nullptr ? errno_code(EBADF) : state_.get()->error();
}
bool TlsSocket::readable() const {
  return state_.get() != nullptr && state_.get()->readable();
}
bool TlsSocket::writable() const {
  return state_.get() != nullptr && state_.get()->writable();
}
bool TlsSocket::closed() const {
  return state_.get() == nullptr || state_.get()->closed();
}
int TlsSocket::fd() const {
  return state_.get() == nullptr ? -1 : state_.get()->below().fd();
}
SocketAddress TlsSocket::local_address() const {
  return state_.get() == nullptr ? SocketAddress() : state_.get()->below().local_address();
}
SocketAddress TlsSocket::peer_address() const {
  return state_.get() == nullptr ? SocketAddress() : state_.get()->below().peer_address();
}
void TlsSocket::ref() {
  if (TlsState* const to = state_.get()) to->below().ref();
}
void TlsSocket::unref() {
  if (TlsState* const to = state_.get()) to->below().unref();
}

// ---- Of TLS -------------------------------------------------------------------------------------

std::string TlsSocket::error_text() const {
  return state_.get() == nullptr ? std::string() : state_.get()->error_text();
}
bool TlsSocket::secure() const {
  return state_.get() != nullptr && state_.get()->secure();
}
std::string_view TlsSocket::protocol() const {
  if (!secure()) return {};
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(state_.get()->ssl(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}
std::string_view TlsSocket::version() const {
  return secure() ? SSL_get_version(state_.get()->ssl()) : std::string_view();
}
std::string_view TlsSocket::cipher() const {
  if (!secure()) return {};
  const char* const name = SSL_get_cipher_name(state_.get()->ssl());
  return name != nullptr ? name : std::string_view();
}
std::string_view TlsSocket::server_name() const {
  return secure() ? state_.get()->server_name() : std::string_view();
}
bool TlsSocket::session_reused() const {
  return secure() && SSL_session_reused(state_.get()->ssl()) == 1;
}

std::string TlsSocket::peer_certificate() const {
  if (!secure()) return {};
  X509* const certificate = SSL_get0_peer_certificate(state_.get()->ssl());
  const tls::BioPtr bio(BIO_new(BIO_s_mem()));
  if (certificate == nullptr || bio == nullptr || PEM_write_bio_X509(bio.get(), certificate) != 1) {
    return {};
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}
std::string TlsSocket::peer_subject() const {
  if (!secure()) return {};
  X509* const certificate = SSL_get0_peer_certificate(state_.get()->ssl());
  const tls::BioPtr bio(BIO_new(BIO_s_mem()));
  if (certificate == nullptr || bio == nullptr ||
      X509_NAME_print_ex(bio.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) < 0) {
    return {};
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

// ---- TlsServer ----------------------------------------------------------------------------------

struct TlsServer::Settings {
  TlsContext context;
  Callback<void(TlsSocket)> connection;
  Callback<void(std::error_code, SocketAddress)> handshake_error;
  std::chrono::milliseconds handshake_timeout{10'000};

  static Async<> shake_hands(std::shared_ptr<Settings> settings, TcpSocket socket) {
    const SocketAddress peer = socket.peer_address();
    static_cast<void>(socket.set_no_delay(true));
    auto secure = co_await TlsSocket::accept(std::move(socket), settings->context,
                                             settings->handshake_timeout);
    if (!secure) {
      if (settings->handshake_error) settings->handshake_error(secure.error(), peer);
    } else if (settings->connection) {
      settings->connection(*std::move(secure));
    }
  }
};

TlsServer::TlsServer(Loop& loop, TlsContext context)
    : loop_(loop),
      server_(loop),
      settings_(std::make_shared<Settings>(Settings{std::move(context), {}, {}})) {}

void TlsServer::on_connection(Callback<void(TlsSocket)> callback) {
  settings_->connection = std::move(callback);
  server_.on_connection([&loop = loop_, settings = settings_](TcpSocket socket) {
    spawn(loop, Settings::shake_hands(settings, std::move(socket)));
  });
}
void TlsServer::on_handshake_error(Callback<void(std::error_code, SocketAddress)> callback) {
  settings_->handshake_error = std::move(callback);
}
void TlsServer::set_handshake_timeout(std::chrono::milliseconds timeout) {
  settings_->handshake_timeout = timeout;
}
Expected<> TlsServer::listen(const SocketAddress& address, ListenOptions options) {
  options.accepted.stream.allow_half_open = true;
  return server_.listen(address, options);
}

}  // namespace rondo
