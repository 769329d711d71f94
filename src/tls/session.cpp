#include "tls/session.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include "tls/context.h"

namespace rondo::tls {

// ---- Where OpenSSL reads and writes -------------------------------------------------------------

/// OpenSSL's way to a Session: a BIO each for both directions, with nothing of their own.
struct BioMethods {
  static Session& of(BIO* bio) { return *static_cast<Session*>(BIO_get_data(bio)); }

  static int read(BIO* bio, char* into, std::size_t room, std::size_t* count) {
    BIO_clear_retry_flags(bio);
    Session& session = of(bio);
    *count = 0;
    if (session.kept_read_ < session.kept_.size()) {
      *count = std::min(room, session.kept_.size() - session.kept_read_);
      std::memcpy(into, session.kept_.data() + session.kept_read_, *count);
      session.kept_read_ += *count;
      return 1;
    }
    if (session.fed_.empty()) {
      BIO_set_retry_read(bio);
      return 0;
    }
    *count = std::min(room, session.fed_.size());
    std::memcpy(into, session.fed_.data(), *count);
    session.fed_ = session.fed_.subspan(*count);
    return 1;
  }

  static int write(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) {
    BIO_clear_retry_flags(bio);
    try {
      of(bio).output_.append(bytes, size);
    } catch (const std::bad_alloc&) {
      return 0;  // OpenSSL reports it as an error of the system
    }
    *count = size;
    return 1;
  }

  static long control(BIO* bio, int command, long /*number*/, void* /*pointer*/) {
    switch (command) {
      case BIO_CTRL_FLUSH:
      case BIO_CTRL_DUP:
        return 1;
      case BIO_CTRL_WPENDING:
        return static_cast<long>(of(bio).output_.size());
      case BIO_CTRL_PENDING: {
        const Session& session = of(bio);
        return static_cast<long>(session.kept_.size() - session.kept_read_ + session.fed_.size());
      }
      default:
        return 0;
    }
  }

  static int create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  }

  static BIO_METHOD* make() {
    BIO_METHOD* const made = BIO_meth_new(BIO_TYPE_MEM, "rondo session");
    if (made == nullptr) throw std::bad_alloc();
    BIO_meth_set_read_ex(made, read);
    BIO_meth_set_write_ex(made, write);
    BIO_meth_set_ctrl(made, control);
    BIO_meth_set_create(made, create);
    return made;
  }

  static BIO* bio_for(Session& session) {
    static BIO_METHOD* const methods = make();  // as long as the process
    BIO* const bio = BIO_new(methods);
    if (bio == nullptr) throw std::bad_alloc();
    BIO_set_data(bio, &session);
    return bio;
  }
};

// ---- Callbacks of OpenSSL -----------------------------------------------------------------------

namespace {

void on_info(const SSL* ssl, int where, int /*result*/) {
  SessionEvents& events = Session::of(ssl).events();
  if ((where & SSL_CB_HANDSHAKE_START) != 0) events.handshake_started();
  // A request to renegotiate, when it is sent, is reported as a handshake too.
  const bool is_done =
      (where & SSL_CB_HANDSHAKE_DONE) != 0 && SSL_renegotiate_pending(const_cast<SSL*>(ssl)) == 0;
  if (is_done) events.handshake_done();
}

int on_certificate(SSL* ssl, void* /*unused*/) {
  const Session& session = Session::of(ssl);
  if (session.side() == Side::client) return 1;
  switch (session.events().certificate_wanted(ssl)) {
    case Answer::go_on:
      return 1;
    case Answer::wait:
      return -1;
    default:
      return 0;
  }
}

unsigned int on_server_key(SSL* ssl, const char* identity, unsigned char* key, unsigned int room) {
  return static_cast<unsigned int>(
      Session::of(ssl).events().key_of(identity != nullptr ? identity : "", {key, room}));
}

unsigned int on_client_key(SSL* ssl, const char* hint, char* identity, unsigned int identity_room,
                           unsigned char* key, unsigned int room) {
  return static_cast<unsigned int>(
      Session::of(ssl).events().key_for(hint, {identity, identity_room}, {key, room}));
}

/// The handshake continues whatever the certificate is: the owner checks verify_result().
int accept_any(int /*is_ok*/, X509_STORE_CTX* /*store*/) {
  return 1;
}

}  // namespace

Session::Session(Context& context, Side side, SessionEvents& events)
    : ssl_(SSL_new(context.get())), side_(side), events_(events) {
  if (ssl_ == nullptr) throw std::bad_alloc();
  SSL* const ssl = ssl_.get();
  BIO* const in = BioMethods::bio_for(*this);
  SSL_set_bio(ssl, in, BioMethods::bio_for(*this));
  SSL_set_app_data(ssl, this);
  SSL_set_verify(ssl, SSL_VERIFY_NONE, accept_any);
  SSL_set_mode(
      ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_set_info_callback(ssl, on_info);
  SSL_set_cert_cb(ssl, on_certificate, nullptr);
  side == Side::server ? SSL_set_accept_state(ssl) : SSL_set_connect_state(ssl);
}

// ---- Bytes --------------------------------------------------------------------------------------

void Session::unfeed() {
  if (kept_read_ == kept_.size()) {
    kept_.clear();
    kept_read_ = 0;
  }
  kept_.append(reinterpret_cast<const char*>(fed_.data()), fed_.size());
  fed_ = {};
}

void Session::keep(std::span<const std::byte> bytes) {
  unfeed();
  kept_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Session::Read Session::read(std::span<std::byte> into) {
  std::size_t size = 0;
  const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &size);
  if (result == 1) return {Status::done, size};
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_ZERO_RETURN:
      return {Status::closed, 0};
    case SSL_ERROR_SSL:
    case SSL_ERROR_SYSCALL:
      return {Status::failed, 0};
    default:
      return {Status::wait, 0};
  }
}

Session::Status Session::write(std::span<const std::byte> bytes) {
  std::size_t size = 0;
  const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &size);
  if (result == 1) return Status::done;
  const int error = SSL_get_error(ssl_.get(), result);
  return error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL ? Status::failed : Status::wait;
}

void Session::close_notify() {
  // The second call looks for the peer's answer, which may be there.
  if (SSL_shutdown(ssl_.get()) == 0) SSL_shutdown(ssl_.get());
}

// ---- Settings -----------------------------------------------------------------------------------

void Session::set_protocols(std::span<const std::uint8_t> protocols) {
  if (side_ == Side::client) {
    SSL_set_alpn_protos(ssl_.get(), protocols.data(), static_cast<unsigned int>(protocols.size()));
  } else {
    protocols_.assign(protocols.begin(), protocols.end());
  }
}

void Session::set_verification(bool request, bool require) {
  int mode = SSL_VERIFY_NONE;
  // A server always shows its certificate: a client looks at it afterwards.
  if (side_ == Side::server && request) {
    mode = SSL_VERIFY_PEER | (require ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);
  }
  SSL_set_verify(ssl_.get(), mode, accept_any);
}

void Session::enable_pre_shared_keys() {
  SSL_set_psk_server_callback(ssl_.get(), on_server_key);
  SSL_set_psk_client_callback(ssl_.get(), on_client_key);
}

bool Session::use_certificate_of(Context& context) {
  X509* const certificate = SSL_CTX_get0_certificate(context.get());
  if (certificate == nullptr) return false;
  STACK_OF(X509)* chain = nullptr;
  if (SSL_CTX_get0_chain_certs(context.get(), &chain) != 1) return false;
  // Those of the first context for other types of keys must not be chosen.
  SSL_certs_clear(ssl_.get());
  return SSL_use_certificate(ssl_.get(), certificate) == 1 &&
         SSL_use_PrivateKey(ssl_.get(), SSL_CTX_get0_privatekey(context.get())) == 1 &&
         (chain == nullptr || SSL_set1_chain(ssl_.get(), chain) == 1);
}

bool Session::trust_as(Context& context) {
  if (SSL_set1_verify_cert_store(ssl_.get(), SSL_CTX_get_cert_store(context.get())) != 1) {
    return false;
  }
  // The list becomes the connection's.
  SSL_set_client_CA_list(ssl_.get(), SSL_dup_CA_list(SSL_CTX_get_client_CA_list(context.get())));
  return true;
}

// ---- What has become of it ----------------------------------------------------------------------

long Session::verify_result() const {
  if (SSL_get0_peer_certificate(ssl_.get()) != nullptr) return SSL_get_verify_result(ssl_.get());
  // Without a certificate the peer may have shown that it knows a key: one shared before, which for
  // TLS 1.3 looks like a session that is resumed.
  const SSL_CIPHER* const cipher = SSL_get_current_cipher(ssl_.get());
  const SSL_SESSION* const session = SSL_get_session(ssl_.get());
  const bool by_key = cipher != nullptr && SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk;
  const bool resumed = session != nullptr &&
                       SSL_SESSION_get_protocol_version(session) == TLS1_3_VERSION &&
                       SSL_session_reused(ssl_.get()) == 1;
  return by_key || resumed ? X509_V_OK : X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
}

std::string_view Session::server_name() const {
  const char* const name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
  return name != nullptr ? std::string_view(name) : std::string_view();
}

}  // namespace rondo::tls
