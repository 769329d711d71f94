// One TLS connection without a socket: ciphertext goes in by feed(), plaintext comes out by read();
// plaintext goes in by write(), ciphertext comes out by output(). Whoever owns it moves the bytes.
//
//     session.feed(arrived);
//     while (session.read(buffer).size > 0) ...
//     send(session.output()); session.clear_output();
//
// feed() copies nothing: OpenSSL reads from the caller's memory, and what it leaves is copied by
// unfeed(). Ciphertext that OpenSSL produces is appended to one buffer, so that all of it is one
// write. The functions of SessionEvents are called from within read(), write() and handshake():
// they must not destroy the session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tls/pointers.h"

namespace rondo::tls {

class Context;

enum class Side : bool { client, server };

/// What an event wants to happen to the handshake.
enum class Answer : std::uint8_t { go_on, wait, fail };

class SessionEvents {
 public:
  virtual ~SessionEvents() = default;

  virtual void handshake_started() {}
  virtual void handshake_done() {}
  /// A line of the key log, without the line's end.
  virtual void key_logged(std::string_view /*line*/) {}
  /// A session that can be resumed.
  virtual void session_made(SSL_SESSION* /*session*/) {}

  // ---- Servers ----------------------------------------------------------------------------------

  /// The first message of a client. After `wait` it is called again when the handshake continues.
  virtual Answer hello_arrived(SSL* /*ssl*/) { return Answer::go_on; }
  /// The session that the client wants to resume by its id; owned by the caller. Null for none.
  virtual SSL_SESSION* find_session() { return nullptr; }
  /// Before the certificate is chosen: the last moment to change it.
  virtual Answer certificate_wanted(SSL* /*ssl*/) { return Answer::go_on; }
  /// The name that the client asks for is known.
  virtual void name_asked(SSL* /*ssl*/, std::string_view /*name*/) {}
  /// `offered` is the client's list. Nothing: use the list of set_protocols().
  struct Chosen {
    bool refused = false;
    std::size_t offset = 0;  // of the length byte of the protocol chosen
  };
  virtual std::optional<Chosen> choose_protocol(std::span<const std::uint8_t> /*offered*/) {
    return std::nullopt;
  }
  /// The response to staple. Empty for none.
  virtual std::vector<std::uint8_t> ocsp_response() { return {}; }
  /// Returns the length of the key that was written to `key`, 0 to refuse.
  virtual std::size_t key_of(const char* /*identity*/, std::span<std::uint8_t> /*key*/) {
    return 0;
  }

  // ---- Clients ----------------------------------------------------------------------------------

  virtual void ocsp_arrived(std::span<const std::uint8_t> /*response*/, bool /*present*/) {}
  /// `identity` has room for its terminating zero beyond its size.
  virtual std::size_t key_for(const char* /*hint*/, std::span<char> /*identity*/,
                              std::span<std::uint8_t> /*key*/) {
    return 0;
  }
};

class Session {
 public:
  enum class Status : std::uint8_t {
    done,    // read or written
    wait,    // needs more from the peer, or the answer to an event
    closed,  // the peer has ended its side properly
    failed,  // OpenSSL's error queue says why
  };
  struct Read {
    Status status;
    std::size_t size;
  };

  /// Throws std::bad_alloc.
  Session(Context& context, Side side, SessionEvents& events);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  SSL* ssl() const noexcept { return ssl_.get(); }
  Side side() const noexcept { return side_; }
  SessionEvents& events() const noexcept { return events_; }
  static Session& of(const SSL* ssl) noexcept {
    return *static_cast<Session*>(SSL_get_app_data(ssl));
  }

  // ---- Bytes ------------------------------------------------------------------------------------

  /// What has arrived, until unfeed(), which must follow before the memory goes.
  void feed(std::span<const std::byte> bytes) noexcept { fed_ = bytes; }
  void unfeed();
  /// Bytes that arrive while others are being read: after them.
  void keep(std::span<const std::byte> bytes);
  /// Ciphertext that has arrived and was not read.
  std::size_t waiting() const noexcept { return kept_.size() - kept_read_ + fed_.size(); }

  /// Goes on with the handshake where that is not done. A record at most for each call.
  Read read(std::span<std::byte> into);
  /// All or nothing.
  Status write(std::span<const std::byte> bytes);
  /// Tells the peer that nothing more will come.
  void close_notify();

  std::string& output() noexcept { return output_; }

  // ---- Settings ---------------------------------------------------------------------------------

  /// In the format of the extension: each with its length in a byte before it.
  void set_protocols(std::span<const std::uint8_t> protocols);
  const std::vector<std::uint8_t>& protocols() const noexcept { return protocols_; }
  /// Whether a server wants a certificate of the client, and ends the handshake if there is none.
  /// What the certificate is worth has to be asked for afterwards: verify_result().
  void set_verification(bool request, bool require);
  void enable_pre_shared_keys();
  /// Takes certificate, key and trusted certificates of another context from now on.
  bool use_certificate_of(Context& context);
  bool trust_as(Context& context);

  // ---- What has become of it --------------------------------------------------------------------

  /// X509_V_OK, or what is wrong with the certificate of the peer.
  long verify_result() const;
  std::string_view server_name() const;

 private:
  friend struct BioMethods;

  SslPtr ssl_;
  Side side_;
  SessionEvents& events_;
  std::span<const std::byte> fed_;
  std::string kept_;  // ciphertext that has arrived and was not read; before `fed_`
  std::size_t kept_read_ = 0;
  std::string output_;
  std::vector<std::uint8_t> protocols_;
};

}  // namespace rondo::tls
