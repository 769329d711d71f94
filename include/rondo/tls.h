// TLS 1.2 and 1.3 on any stream: sockets that encrypt. The target is rondo::tls, on OpenSSL 3.
//
//     rondo::Async<> client() {
//       auto socket = co_await rondo::TlsSocket::connect("example.org", 443,
//       rondo::TlsContext::client()); if (!socket) co_return;              // ECONNREFUSED,
//       TlsError::certificate_expired, ... co_await socket->write_all("GET / HTTP/1.0\r\n\r\n");
//       auto answer = co_await socket->read();
//     }
//
//     rondo::TlsContext context = rondo::TlsContext::server();
//     auto loaded = context.use_certificate(chain_pem, key_pem);
//     rondo::TlsServer server(loop, context);
//     server.on_connection([](rondo::TlsSocket socket) { ... });
//     auto bound = server.listen(rondo::SocketAddress::any(443));
//
// A client verifies the certificate of the server, and that it is for the host that was asked for,
// against the roots that the system trusts (SSL_CERT_FILE and SSL_CERT_DIR count), unless its
// context says otherwise.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "rondo/any_stream.h"
#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/error.h"
#include "rondo/net.h"

namespace rondo {

// ---- Errors -------------------------------------------------------------------------------------

enum class TlsError : std::uint8_t {
  protocol = 1,  // the peer does not speak TLS, or breaks its rules
  alert,         // the peer has ended the connection with an alert; see error_text()
  truncated,     // the connection ended without close_notify: what was read may not be all
  timed_out,     // the handshake took too long
  no_application_protocol,
  certificate_missing,
  certificate_expired,
  certificate_not_yet_valid,
  certificate_revoked,
  certificate_untrusted,  // no chain to a root that is trusted; self-signed
  certificate_invalid,
  host_mismatch,  // the certificate is for another host
  bad_pem,        // a TlsContext was given an invalid certificate or key, or they do not match
  bad_option,     // OpenSSL does not know the cipher, protocol ...
};
const std::error_category& tls_category() noexcept;
inline std::error_code make_error_code(TlsError error) noexcept {
  return {static_cast<int>(error), tls_category()};
}

// ---- Contexts -----------------------------------------------------------------------------------

/// Whether the peer has to show a certificate that is trusted.
enum class TlsVerify : std::uint8_t {
  none,      // any certificate is accepted. A client that does this does not know its peer
  optional,  // servers: a client may have none, but not a wrong one
  required,
};

enum class TlsVersion : std::uint8_t { tls12, tls13 };

class TlsContextState;

/// What connections have in common: certificate and key, whom to trust, versions. Copies name the
/// same context. Set it up before the first connection; it belongs to the thread that uses it.
class TlsContext {
 public:
  /// Verifies servers with the system's roots.
  static TlsContext client();
  /// Asks for no certificates of clients.
  static TlsContext server();

  // ---- Who we are

  /// Our certificate and those that lead to its root, and the key, as PEM. TlsError::bad_pem.
  [[nodiscard]] Expected<> use_certificate(std::string_view chain_pem, std::string_view key_pem,
                                           std::optional<std::string_view> passphrase = {});
  /// Servers: another certificate for a host (SNI), "example.org" or "*.example.org".
  void add_host(std::string host, TlsContext context);

  // ---- Whom we trust

  /// These authorities instead of the system's. May be called several times. TlsError::bad_pem.
  [[nodiscard]] Expected<> trust(std::string_view pem);
  /// Clients: required, unless set. Servers: none, unless set.
  void verify(TlsVerify verify);

  // ---- How

  /// Protocols by preference (ALPN): {"h2", "http/1.1"}. A peer that names protocols and has none
  /// of them in common is refused.
  [[nodiscard]] Expected<> set_protocols(const std::vector<std::string>& protocols);
  void set_versions(TlsVersion min, TlsVersion max);
  /// Of TLS 1.2, and of TLS 1.3, as OpenSSL writes lists. TlsError::bad_option.
  [[nodiscard]] Expected<> set_ciphers(const std::string& list);
  [[nodiscard]] Expected<> set_cipher_suites(const std::string& list);
  /// Clients: whether sessions are kept and resumed by themselves, for each host. They are, unless
  /// switched off.
  void keep_sessions(bool on);
  /// Each line of the key log (SSLKEYLOGFILE), without its end. Whoever has it can read everything.
  void on_key_log(Callback<void(std::string_view)> callback);

  bool is_server() const noexcept;

 private:
  friend class TlsState;
  explicit TlsContext(std::shared_ptr<TlsContextState> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<TlsContextState> state_;
};

// ---- Sockets ------------------------------------------------------------------------------------

class TlsState;

namespace detail {

class TlsRef {
 public:
  TlsRef() = default;
  explicit TlsRef(TlsState* state) noexcept;
  TlsRef(const TlsRef& other) noexcept : TlsRef(other.state_) {}
  TlsRef(TlsRef&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  TlsRef& operator=(TlsRef other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~TlsRef();
  TlsState* get() const noexcept { return state_; }

 private:
  TlsState* state_ = nullptr;
};

/// What the operations on a TlsSocket have in common.
class TlsOpBase {
 public:
  explicit TlsOpBase(TlsRef socket) noexcept : socket_(std::move(socket)) {}
  TlsOpBase(TlsOpBase&&) noexcept = default;
  TlsOpBase& operator=(TlsOpBase&&) = delete;

 protected:
  friend class ::rondo::TlsState;
  TlsRef socket_;
  Waiter waiter_;
  std::error_code error_;
  bool waiting_ = false;
};

class TlsReadBase : public TlsOpBase {
 public:
  TlsReadBase(TlsRef socket, bool into_text, std::span<std::byte> buffer) noexcept
      : TlsOpBase(std::move(socket)), buffer_(buffer), into_text_(into_text) {}
  TlsReadBase(TlsReadBase&&) noexcept = default;
  TlsReadBase& operator=(TlsReadBase&&) = delete;
  ~TlsReadBase();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;

 protected:
  friend class ::rondo::TlsState;
  std::span<std::byte> buffer_;
  std::string text_;
  std::size_t count_ = 0;
  bool into_text_;
};

}  // namespace detail

/// Gives the number of bytes read, at least one; zero at the end of the stream.
class [[nodiscard]] TlsReadSomeOp : public Operable<TlsReadSomeOp, std::size_t>,
                                    public detail::TlsReadBase {
 public:
  using TlsReadBase::TlsReadBase;
  Expected<std::size_t> take_result() {
    if (error_) return std::unexpected(error_);
    return count_;
  }
};

/// Gives what has arrived; empty at the end of the stream.
class [[nodiscard]] TlsReadOp : public Operable<TlsReadOp, std::string>,
                                public detail::TlsReadBase {
 public:
  using TlsReadBase::TlsReadBase;
  Expected<std::string> take_result() {
    if (error_) return std::unexpected(error_);
    return std::move(text_);
  }
};

class [[nodiscard]] TlsWriteOp : public Operable<TlsWriteOp, void>, public detail::TlsOpBase {
 public:
  TlsWriteOp(detail::TlsRef socket, std::span<const std::byte> bytes) noexcept
      : TlsOpBase(std::move(socket)), bytes_(bytes) {}
  TlsWriteOp(TlsWriteOp&&) noexcept = default;
  TlsWriteOp& operator=(TlsWriteOp&&) = delete;
  ~TlsWriteOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class TlsState;
  std::span<const std::byte> bytes_;  // not written yet
  bool begun_ = false;                // a part has been written
};

/// Waits for the end of the handshake.
class [[nodiscard]] TlsHandshakeOp : public Operable<TlsHandshakeOp, void>,
                                     public detail::TlsOpBase {
 public:
  using TlsOpBase::TlsOpBase;
  TlsHandshakeOp(TlsHandshakeOp&&) noexcept = default;
  TlsHandshakeOp& operator=(TlsHandshakeOp&&) = delete;
  ~TlsHandshakeOp();

  void begin(const AsyncContext& context, Waiter waiter);
  void cancel() noexcept;
  Expected<> take_result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }
};

/// A socket that encrypts. Its functions are those of TcpSocket, with the same meaning: see net.h.
/// What differs:
///   - An end of the stream without the peer's close_notify is TlsError::truncated, not an end.
///   - end() sends close_notify; reading continues until the peer has sent its own.
///   - What is written before the handshake is over is sent after it.
///   - When the last handle is dropped, so is the connection: what was written is still sent.
class TlsSocket {
 public:
  TlsSocket() = default;

  // ---- Making one

  /// Looks the host up, connects, and shakes hands. The host is what the certificate has to be for,
  /// and the server name that is sent (SNI); an address in numbers will do.
  [[nodiscard]] static Async<Expected<TlsSocket>> connect(std::string host, std::uint16_t port,
                                                          TlsContext context);
  /// Shakes hands on a stream that is connected. `host` may be empty if the context verifies
  /// nothing: Misuse (ERR_INVALID_ARG_VALUE) otherwise.
  [[nodiscard]] static Async<Expected<TlsSocket>> connect(AnyStream stream, std::string host,
                                                          TlsContext context);
  /// Shakes hands as a server, for at most `timeout`.
  [[nodiscard]] static Async<Expected<TlsSocket>> accept(
      AnyStream stream, TlsContext context,
      std::chrono::milliseconds timeout = std::chrono::seconds(10));
  /// The same without waiting: the handshake proceeds by itself, and fails by on_error().
  [[nodiscard]] static TlsSocket start_client(Loop& loop, AnyStream stream, std::string host,
                                              TlsContext context);
  [[nodiscard]] static TlsSocket start_server(Loop& loop, AnyStream stream, TlsContext context);
  [[nodiscard]] TlsHandshakeOp handshake() { return TlsHandshakeOp(state_); }

  explicit operator bool() const noexcept { return state_.get() != nullptr; }

  // ---- As TcpSocket

  void on_data(Callback<void(std::span<const std::byte>)> callback);
  void on_end(Callback<> callback);
  void pause();
  void resume();
  [[nodiscard]] TlsReadSomeOp read_some(std::span<std::byte> buffer) {
    return {state_, false, buffer};
  }
  [[nodiscard]] TlsReadOp read() { return {state_, true, {}}; }

  [[nodiscard]] Expected<Flow> write(std::span<const std::byte> bytes);
  [[nodiscard]] Expected<Flow> write(std::string_view text) {
    return write(std::as_bytes(std::span(text)));
  }
  template <std::same_as<std::string> String>
  [[nodiscard]] Expected<Flow> write(String&& text) {
    return write(std::string_view(text));
  }
  [[nodiscard]] TlsWriteOp write_all(std::span<const std::byte> bytes) { return {state_, bytes}; }
  [[nodiscard]] TlsWriteOp write_all(std::string_view text) {
    return {state_, std::as_bytes(std::span(text))};
  }
  void on_drain(Callback<> callback);
  std::size_t buffered() const;

  void end();
  [[nodiscard]] Expected<> end(std::string_view last);
  void destroy();
  void on_error(Callback<void(std::error_code)> callback);
  void on_close(Callback<> callback);

  std::error_code error() const;
  bool readable() const;
  bool writable() const;
  bool closed() const;
  int fd() const;
  SocketAddress local_address() const;
  SocketAddress peer_address() const;
  void ref();
  void unref();

  // ---- Of TLS

  /// OpenSSL's text for error(), for a log; empty if there is none.
  std::string error_text() const;
  /// Whether the handshake is over. What follows is empty before.
  bool secure() const;
  std::string_view protocol() const;     // agreed on by ALPN; empty if none
  std::string_view version() const;      // "TLSv1.3"
  std::string_view cipher() const;       // "TLS_AES_256_GCM_SHA384"
  std::string_view server_name() const;  // what the client asked for (SNI)
  bool session_reused() const;
  /// The certificate of the peer, as PEM; empty if it has shown none.
  std::string peer_certificate() const;
  /// "CN=example.org", as RFC 2253 writes names.
  std::string peer_subject() const;

  friend bool operator==(const TlsSocket& a, const TlsSocket& b) noexcept {
    return a.state_.get() == b.state_.get();
  }

 private:
  explicit TlsSocket(detail::TlsRef state) noexcept : state_(std::move(state)) {}
  detail::TlsRef state_;
};

// ---- Servers ------------------------------------------------------------------------------------

/// Accepts connections and shakes hands with each.
class TlsServer {
 public:
  TlsServer(Loop& loop, TlsContext context);

  /// Called when the handshake is over.
  void on_connection(Callback<void(TlsSocket)> callback);
  /// A handshake has failed; the server continues. For a log.
  void on_handshake_error(Callback<void(std::error_code, SocketAddress)> callback);
  /// 10 s, unless set.
  void set_handshake_timeout(std::chrono::milliseconds timeout);

  /// As TcpServer::listen(). Connections may be half-open.
  [[nodiscard]] Expected<> listen(const SocketAddress& address, ListenOptions options = {});
  SocketAddress address() const { return server_.address(); }
  void close(Callback<> callback = nullptr) { server_.close(std::move(callback)); }
  void ref() { server_.ref(); }
  void unref() { server_.unref(); }

 private:
  struct Settings;
  Loop& loop_;
  TcpServer server_;
  std::shared_ptr<Settings> settings_;
};

}  // namespace rondo

template <>
struct std::is_error_code_enum<rondo::TlsError> : std::true_type {};
