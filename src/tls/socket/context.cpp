// The public face of contexts, and the errors of TLS.
#include <openssl/err.h>

#include <array>
#include <new>
#include <utility>

#include "rondo/tls.h"

#include "tls/bundled_roots.h"
#include "tls/socket/context_state.h"

namespace rondo {

namespace tls {

// C++ programs trust the system's.
const std::string_view kBundledRoots;

}  // namespace tls

namespace {

struct Named {
  std::string_view name;
  const char* message;
};

Named named(int number) noexcept {
  switch (static_cast<TlsError>(number)) {
    case TlsError::protocol:
      return {"ERR_TLS_PROTOCOL", "the peer does not speak TLS as this side does"};
    case TlsError::alert:
      return {"ERR_TLS_ALERT", "the peer has ended the connection with an alert"};
    case TlsError::truncated:
      return {"ERR_TLS_TRUNCATED", "the connection ended without close_notify"};
    case TlsError::timed_out:
      return {"ERR_TLS_HANDSHAKE_TIMEOUT", "the handshake took too long"};
    case TlsError::no_application_protocol:
      return {"ERR_TLS_NO_APPLICATION_PROTOCOL", "no application protocol in common"};
    case TlsError::certificate_missing:
      return {"ERR_TLS_CERT_MISSING", "the peer has shown no certificate"};
    case TlsError::certificate_expired:
      return {"CERT_HAS_EXPIRED", "the certificate has expired"};
    case TlsError::certificate_not_yet_valid:
      return {"CERT_NOT_YET_VALID", "the certificate is not yet valid"};
    case TlsError::certificate_revoked:
      return {"CERT_REVOKED", "the certificate is revoked"};
    case TlsError::certificate_untrusted:
      return {"ERR_TLS_CERT_UNTRUSTED", "no chain of certificates to a trusted root"};
    case TlsError::certificate_invalid:
      return {"ERR_TLS_CERT_INVALID", "the certificate is not valid"};
    case TlsError::host_mismatch:
      return {"ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host"};
    case TlsError::bad_pem:
      return {"ERR_TLS_BAD_PEM", "not a certificate or key in PEM, or the two do not match"};
    case TlsError::bad_option:
      return {"ERR_TLS_BAD_OPTION", "OpenSSL does not know this option"};
  }
  return {{}, "unknown error"};
}

class Category final : public NamedCategory {
 public:
  const char* name() const noexcept override { return "tls"; }
  std::string message(int number) const override { return named(number).message; }
  std::string_view error_name(int number) const noexcept override { return named(number).name; }
};

/// Contexts of a thread share the system's roots: reading them takes some milliseconds.
tls::RootStore& system_roots() {
  thread_local tls::RootStore roots;
  roots.set_sources({.openssl = true, .system = false});
  return roots;
}

Expected<> failed_with(TlsError error) {
  ERR_clear_error();
  return std::unexpected(make_error_code(error));
}

}  // namespace

const std::error_category& tls_category() noexcept {
  static const Category kCategory;
  return kCategory;
}

// ---- TlsContextState ----------------------------------------------------------------------------

TlsContextState::TlsContextState(bool is_a_server)
    : is_server(is_a_server), verify(is_a_server ? TlsVerify::none : TlsVerify::required) {
  using Role = tls::Context::Role;
  context_ = tls::Context::make(is_server ? Role::server : Role::client, {});
  if (context_ == nullptr) throw std::bad_alloc();
  SSL_CTX* const native = context_->get();
  SSL_CTX_clear_options(native, SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
  if (is_server) {
    context_->enable_server_events();
    // Without one, sessions of clients that have shown a certificate could not be resumed.
    static constexpr std::array<unsigned char, 5> kId = {'r', 'o', 'n', 'd', 'o'};
    SSL_CTX_set_session_id_context(native, kId.data(), kId.size());
    SSL_CTX_set_options(native, SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_dh_auto(native, 1);
  }
}

void TlsContextState::prepare_trust() {
  if (std::exchange(trust_prepared_, true) || trusts_own || verify == TlsVerify::none) return;
  context_->trust_roots(system_roots());
}

TlsContextState* TlsContextState::find_host(std::string_view name) const noexcept {
  const std::size_t dot = name.find('.');
  for (const auto& [host, state] : hosts) {
    if (host == name) return state.get();
    if (host.starts_with("*.") && dot != std::string_view::npos &&
        std::string_view(host).substr(1) == name.substr(dot)) {
      return state.get();
    }
  }
  return nullptr;
}

void TlsContextState::keep_session(const std::string& peer, SSL_SESSION* session) {
  if (!keeps_sessions_ || SSL_SESSION_is_resumable(session) == 0) return;
  if (sessions_.size() >= kMostSessions) sessions_.erase(sessions_.begin());
  SSL_SESSION_up_ref(session);
  sessions_.insert_or_assign(peer, tls::SessionPtr(session));
}

void TlsContextState::keep_sessions(bool on) {
  keeps_sessions_ = on;
  if (!on) sessions_.clear();
}

/// In TLS 1.3 each is used once, so that two connections cannot be linked to the same client
/// by it (RFC 8446, C.4); the server sends others. Of TLS 1.2 there is one.
tls::SessionPtr TlsContextState::take_session(const std::string& peer) {
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return nullptr;
  if (SSL_SESSION_get_protocol_version(found->second.get()) == TLS1_2_VERSION) {
    SSL_SESSION_up_ref(found->second.get());
    return tls::SessionPtr(found->second.get());
  }
  tls::SessionPtr session = std::move(found->second);
  sessions_.erase(found);
  return session;
}

// ---- TlsContext ---------------------------------------------------------------------------------

TlsContext TlsContext::client() {
  return TlsContext(std::make_shared<TlsContextState>(false));
}
TlsContext TlsContext::server() {
  return TlsContext(std::make_shared<TlsContextState>(true));
}
bool TlsContext::is_server() const noexcept {
  return state_->is_server;
}

Expected<> TlsContext::use_certificate(std::string_view chain_pem, std::string_view key_pem,
                                       std::optional<std::string_view> passphrase) {
  tls::Context& context = state_->context();
  if (chain_pem.empty() || key_pem.empty() || !context.use_certificate_chain(chain_pem) ||
      !context.use_key(key_pem, passphrase) || SSL_CTX_check_private_key(context.get()) != 1) {
    return failed_with(TlsError::bad_pem);
  }
  return {};
}

void TlsContext::add_host(std::string host, TlsContext context) {
  state_->hosts.emplace_back(std::move(host), std::move(context.state_));
}

Expected<> TlsContext::trust(std::string_view pem) {
  tls::Certificates certificates;
  if (tls::read_certificates(pem, certificates) != 0 || certificates.empty()) {
    return failed_with(TlsError::bad_pem);
  }
  SSL_CTX* const native = state_->context().get();
  if (!std::exchange(state_->trusts_own, true)) {
    X509_STORE* const empty = X509_STORE_new();
    if (empty == nullptr) throw std::bad_alloc();
    SSL_CTX_set_cert_store(native, empty);
  }
  for (const tls::CertificatePtr& one : certificates) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(native), one.get());
    if (state_->is_server) SSL_CTX_add_client_CA(native, one.get());
  }
  return {};
}

void TlsContext::verify(TlsVerify verify) {
  state_->verify = verify;
}

Expected<> TlsContext::set_protocols(const std::vector<std::string>& protocols) {
  std::vector<std::uint8_t> list;
  for (const std::string& one : protocols) {
    if (one.empty() || one.size() > 255) return failed_with(TlsError::bad_option);
    list.push_back(static_cast<std::uint8_t>(one.size()));
    list.insert(list.end(), one.begin(), one.end());
  }
  state_->protocols = std::move(list);
  return {};
}

void TlsContext::set_versions(TlsVersion min, TlsVersion max) {
  const auto number = [](TlsVersion version) {
    return version == TlsVersion::tls12 ? TLS1_2_VERSION : TLS1_3_VERSION;
  };
  SSL_CTX_set_min_proto_version(state_->context().get(), number(min));
  SSL_CTX_set_max_proto_version(state_->context().get(), number(max));
}

Expected<> TlsContext::set_ciphers(const std::string& list) {
  if (!state_->context().set_ciphers(list)) return failed_with(TlsError::bad_option);
  return {};
}
Expected<> TlsContext::set_cipher_suites(const std::string& list) {
  if (!state_->context().set_cipher_suites(list)) return failed_with(TlsError::bad_option);
  return {};
}
void TlsContext::keep_sessions(bool on) {
  state_->keep_sessions(on);
}
void TlsContext::on_key_log(Callback<void(std::string_view)> callback) {
  state_->key_log = std::move(callback);
  state_->context().enable_key_log();
}

}  // namespace rondo
