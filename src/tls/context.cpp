#include "tls/context.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "tls/root_store.h"
#include "tls/session.h"

namespace rondo::tls {

BioPtr reader_of(std::string_view text) {
  if (text.size() > INT_MAX) return nullptr;
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

namespace {

/// For certificates, which are not encrypted: OpenSSL would ask at the terminal.
int no_passphrase(char* /*into*/, int /*room*/, int /*writes*/, void* /*unused*/) {
  return 0;
}

int give_passphrase(char* into, int room, int /*writes*/, void* passphrase) {
  const auto& text = *static_cast<const std::string_view*>(passphrase);
  if (text.size() > static_cast<std::size_t>(room)) return -1;
  std::ranges::copy(text, into);
  return static_cast<int>(text.size());
}

// ---- Callbacks of OpenSSL: those of contexts ----------------------------------------------------

void on_key_log(const SSL* ssl, const char* line) {
  Session::of(ssl).events().key_logged(line);
}

int on_session_made(SSL* ssl, SSL_SESSION* session) {
  Session::of(ssl).events().session_made(session);
  return 0;  // it stays OpenSSL's
}

SSL_SESSION* on_session_wanted(SSL* ssl, const unsigned char* /*id*/, int /*size*/, int* copy) {
  *copy = 0;
  return Session::of(ssl).events().find_session();
}

int on_hello(SSL* ssl, int* alert, void* /*unused*/) {
  switch (Session::of(ssl).events().hello_arrived(ssl)) {
    case Answer::go_on:
      return SSL_CLIENT_HELLO_SUCCESS;
    case Answer::wait:
      return SSL_CLIENT_HELLO_RETRY;
    default:
      *alert = SSL_AD_INTERNAL_ERROR;
      return SSL_CLIENT_HELLO_ERROR;
  }
}

int on_name(SSL* ssl, int* /*alert*/, void* /*unused*/) {
  const Session& session = Session::of(ssl);
  const std::string_view name = session.server_name();
  if (!name.empty()) session.events().name_asked(ssl, name);
  return SSL_TLSEXT_ERR_NOACK;  // as Node: the certificate is chosen later
}

int on_protocols(SSL* ssl, const unsigned char** out, unsigned char* out_size,
                 const unsigned char* in, unsigned int in_size, void* /*unused*/) {
  Session& session = Session::of(ssl);
  if (const auto chosen = session.events().choose_protocol({in, in_size})) {
    if (chosen->refused || chosen->offset >= in_size) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out_size = in[chosen->offset];
    *out = in + chosen->offset + 1;
    return SSL_TLSEXT_ERR_OK;
  }
  const auto& ours = session.protocols();
  if (ours.empty()) return SSL_TLSEXT_ERR_NOACK;
  const int result = SSL_select_next_proto(const_cast<unsigned char**>(out), out_size, ours.data(),
                                           static_cast<unsigned int>(ours.size()), in, in_size);
  // Nothing in common: RFC 7301, 3.2 has an alert for that.
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int on_ocsp(SSL* ssl, void* /*unused*/) {
  SessionEvents& events = Session::of(ssl).events();
  if (SSL_is_server(ssl) == 0) {
    const unsigned char* response = nullptr;
    const long size = SSL_get_tlsext_status_ocsp_resp(ssl, &response);
    const bool present = response != nullptr;
    events.ocsp_arrived({response, present ? static_cast<std::size_t>(size) : 0}, present);
    return 1;
  }
  const std::vector<std::uint8_t> response = events.ocsp_response();
  if (response.empty()) return SSL_TLSEXT_ERR_NOACK;
  auto* const copy = static_cast<unsigned char*>(OPENSSL_memdup(response.data(), response.size()));
  if (copy == nullptr) return SSL_TLSEXT_ERR_NOACK;
  if (SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(response.size())) != 1) {
    OPENSSL_free(copy);
  }
  return SSL_TLSEXT_ERR_OK;
}

/// As SSL_CTX_callback_ctrl() takes it.
template <class Function>
auto untyped(Function* function) {
  return reinterpret_cast<void (*)()>(function);
}

bool init_ticket_mac(EVP_MAC_CTX* mac, std::span<const std::uint8_t> key) {
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end(),
  };
  return EVP_MAC_init(mac, key.data(), key.size(), parameters) == 1;
}

}  // namespace

// ---- Making one ---------------------------------------------------------------------------------

std::unique_ptr<Context> Context::make(Role role, Versions versions) {
  const SSL_METHOD* const method = role == Role::client   ? TLS_client_method()
                                   : role == Role::server ? TLS_server_method()
                                                          : TLS_method();
  std::unique_ptr<Context> made(new Context);
  made->context_.reset(SSL_CTX_new(method));
  SSL_CTX* const context = made->get();
  if (context == nullptr) return nullptr;
  SSL_CTX_set_app_data(context, made.get());

#ifdef TLSEXT_comp_cert_none
  // Compressed certificates only on request.
  SSL_CTX_set1_cert_comp_preference(context, nullptr, 0);
#endif
  SSL_CTX_set_options(context,
                      SSL_OP_NO_SSLv2 | SSL_OP_NO_SSLv3 | SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  SSL_CTX_clear_mode(context, SSL_MODE_NO_AUTO_CHAIN);
  // Sessions are kept by the program, or by the client as tickets.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_SERVER |
                                              SSL_SESS_CACHE_NO_INTERNAL |
                                              SSL_SESS_CACHE_NO_AUTO_CLEAR);
  if (SSL_CTX_set_min_proto_version(context, versions.min) != 1 ||
      SSL_CTX_set_max_proto_version(context, versions.max) != 1 ||
      RAND_bytes(made->ticket_keys_.data(), static_cast<int>(made->ticket_keys_.size())) != 1) {
    return nullptr;
  }
  made->set_ticket_callback(make_ticket);
  SSL_CTX_sess_set_new_cb(context, on_session_made);
  SSL_CTX_sess_set_get_cb(context, on_session_wanted);
  SSL_CTX_callback_ctrl(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB, untyped(on_ocsp));
  return made;
}

void Context::enable_key_log() {
  SSL_CTX_set_keylog_callback(get(), on_key_log);
}

void Context::enable_server_events() {
  SSL_CTX_set_client_hello_cb(get(), on_hello, nullptr);
  SSL_CTX_callback_ctrl(get(), SSL_CTRL_SET_TLSEXT_SERVERNAME_CB, untyped(on_name));
  SSL_CTX_set_alpn_select_cb(get(), on_protocols, nullptr);
}

// ---- Who we are ---------------------------------------------------------------------------------

bool Context::use_chain(X509* certificate, STACK_OF(X509) * others) {
  if (SSL_CTX_use_certificate(get(), certificate) != 1) return false;
  SSL_CTX_clear_extra_chain_certs(get());
  X509* issuer = nullptr;
  for (int i = 0; i < sk_X509_num(others); ++i) {
    X509* const other = sk_X509_value(others, i);
    if (SSL_CTX_add1_chain_cert(get(), other) != 1) return false;
    if (issuer == nullptr && X509_check_issued(other, certificate) == X509_V_OK) issuer = other;
  }
  if (issuer != nullptr) {
    X509_up_ref(issuer);
    issuer_.reset(issuer);
  } else {
    issuer_ = find_issuer(SSL_CTX_get_cert_store(get()), certificate);
  }
  X509_up_ref(certificate);
  certificate_.reset(certificate);
  return true;
}

bool Context::use_certificate_chain(std::string_view pem) {
  const BioPtr bio = reader_of(pem);
  if (bio == nullptr) return true;
  certificate_.reset();
  issuer_.reset();
  ERR_clear_error();
  const CertificatePtr first(PEM_read_bio_X509_AUX(bio.get(), nullptr, no_passphrase, nullptr));
  if (first == nullptr) return false;
  const CertificatesPtr others(sk_X509_new_null());
  for (;;) {
    CertificatePtr next(PEM_read_bio_X509(bio.get(), nullptr, no_passphrase, nullptr));
    if (next == nullptr) break;
    if (sk_X509_push(others.get(), next.get()) == 0) return false;
    static_cast<void>(next.release());
  }
  // That there is no further one is how the text ends; anything else is an error.
  const unsigned long error = ERR_peek_last_error();
  if (ERR_GET_LIB(error) != ERR_LIB_PEM || ERR_GET_REASON(error) != PEM_R_NO_START_LINE) {
    return false;
  }
  ERR_clear_error();
  return use_chain(first.get(), others.get());
}

bool Context::use_key(std::string_view pem, std::optional<std::string_view> passphrase) {
  const BioPtr bio = reader_of(pem);
  if (bio == nullptr) return true;
  // None is the empty one: the error is then the same as for a wrong one, as in Node.
  std::string_view text = passphrase.value_or(std::string_view());
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &text));
  return key != nullptr && SSL_CTX_use_PrivateKey(get(), key.get()) == 1;
}

Context::Pkcs12 Context::use_pkcs12(std::string_view der, const std::string& passphrase) {
  const BioPtr bio = reader_of(der);
  if (bio == nullptr) return Pkcs12::failed;
  issuer_.reset();
  certificate_.reset();
  const Pkcs12Ptr archive(d2i_PKCS12_bio(bio.get(), nullptr));
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  STACK_OF(X509)* others = nullptr;
  if (archive == nullptr ||
      PKCS12_parse(archive.get(), passphrase.c_str(), &key, &certificate, &others) != 1) {
    return Pkcs12::failed;
  }
  const KeyPtr own_key(key);
  const CertificatePtr own_certificate(certificate);
  const CertificatesPtr own_others(others);
  if (key == nullptr) return Pkcs12::no_key;
  if (certificate == nullptr) return Pkcs12::no_certificate;
  if (!use_chain(certificate, others) || SSL_CTX_use_PrivateKey(get(), key) != 1) {
    return Pkcs12::failed;
  }
  X509_STORE* const store = own_store(RootStore::current());
  for (int i = 0; i < sk_X509_num(others); ++i) {
    X509_STORE_add_cert(store, sk_X509_value(others, i));
    SSL_CTX_add_client_CA(get(), sk_X509_value(others, i));
  }
  return Pkcs12::ok;
}

// ---- Whom we trust ------------------------------------------------------------------------------

/// Certificates are added to a store of our own, never to the one that contexts share.
X509_STORE* Context::own_store(RootStore& roots) {
  if (own_store_ != nullptr) return own_store_;
  own_store_ = SSL_CTX_get_cert_store(get());
  if (roots.is_shared(own_store_)) {
    own_store_ = roots.make_copy();
    SSL_CTX_set_cert_store(get(), own_store_);
  }
  return own_store_;
}

void Context::add_authority(std::string_view pem, RootStore& roots) {
  const BioPtr bio = reader_of(pem);
  if (bio == nullptr) return;
  for (;;) {
    const CertificatePtr next(PEM_read_bio_X509_AUX(bio.get(), nullptr, no_passphrase, nullptr));
    if (next == nullptr) break;
    X509_STORE_add_cert(own_store(roots), next.get());
    SSL_CTX_add_client_CA(get(), next.get());
  }
  ERR_clear_error();
}

bool Context::add_revocations(std::string_view pem, RootStore& roots) {
  const BioPtr bio = reader_of(pem);
  if (bio == nullptr) return true;
  const CrlPtr list(PEM_read_bio_X509_CRL(bio.get(), nullptr, no_passphrase, nullptr));
  if (list == nullptr) return false;
  X509_STORE* const store = own_store(roots);
  return X509_STORE_add_crl(store, list.get()) == 1 &&
         X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL) == 1;
}

void Context::trust_roots(RootStore& roots) {
  X509_STORE* const store = roots.shared();
  X509_STORE_up_ref(store);
  SSL_CTX_set_cert_store(get(), store);
  own_store_ = nullptr;
  ERR_clear_error();
}

void Context::trust_partial_chains(RootStore& roots) {
  X509_STORE_set_flags(own_store(roots), X509_V_FLAG_PARTIAL_CHAIN);
}

// ---- How ----------------------------------------------------------------------------------------

bool Context::set_ciphers(const std::string& list) {
  if (SSL_CTX_set_cipher_list(get(), list.c_str()) == 1) return true;
  if (!list.empty() || ERR_GET_REASON(ERR_peek_error()) != SSL_R_NO_CIPHER_MATCH) return false;
  ERR_clear_error();
  return true;
}

int Context::set_dh_parameters(std::string_view pem, int least, bool& failed) {
  failed = false;
  const BioPtr bio = reader_of(pem);
  KeyPtr parameters(bio != nullptr ? PEM_read_bio_Parameters(bio.get(), nullptr) : nullptr);
  if (parameters == nullptr || EVP_PKEY_get_base_id(parameters.get()) != EVP_PKEY_DH) {
    ERR_clear_error();
    return 0;
  }
  const int bits = EVP_PKEY_get_bits(parameters.get());
  if (bits < least) return bits;
  failed = SSL_CTX_set0_tmp_dh_pkey(get(), parameters.get()) != 1;
  if (!failed) static_cast<void>(parameters.release());
  return bits;
}

bool Context::set_certificate_compression(std::span<const int> algorithms) {
#ifdef TLSEXT_comp_cert_none
  std::vector<int> list(algorithms.begin(), algorithms.end());
  if (SSL_CTX_set1_cert_comp_preference(get(), list.data(), list.size()) != 1) return false;
  SSL_CTX_compress_certs(get(), 0);  // 0 for all. Without a certificate there is nothing to do
  compressed_.clear();
  for (const int algorithm : list) {
    unsigned char* bytes = nullptr;
    std::size_t original_size = 0;
    const std::size_t size = SSL_CTX_get1_compressed_cert(get(), algorithm, &bytes, &original_size);
    if (size > 0 && bytes != nullptr) {
      compressed_.push_back({algorithm, {bytes, bytes + size}, original_size});
    }
    OPENSSL_free(bytes);
  }
  compression_ = std::move(list);
  ERR_clear_error();
  return true;
#else  // before OpenSSL 3.2
  return algorithms.empty();
#endif
}

void Context::apply_compression(SSL* ssl) const {
  if (compression_.empty()) return;
#ifdef TLSEXT_comp_cert_none
  std::vector<int> list = compression_;
  SSL_set1_cert_comp_preference(ssl, list.data(), list.size());
  for (const Compressed& one : compressed_) {
    std::vector<unsigned char> bytes = one.bytes;
    SSL_set1_compressed_cert(ssl, one.algorithm, bytes.data(), bytes.size(), one.original_size);
  }
#else
  static_cast<void>(ssl);
#endif
}

// ---- Sessions -----------------------------------------------------------------------------------

void Context::set_ticket_keys(std::span<const std::uint8_t, 48> keys) {
  std::ranges::copy(keys, ticket_keys_.begin());
}

/// Tickets of 16-byte keys, as Node has made them since OpenSSL 1.0: processes share keys of 48
/// bytes.
int Context::make_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                         EVP_MAC_CTX* mac, int encrypt) {
  constexpr std::size_t kPart = 16;
  const std::span<const std::uint8_t> keys(Context::of(ssl).ticket_keys_);
  const auto mac_key = keys.subspan(kPart, kPart);
  const auto cipher_key = keys.subspan(2 * kPart, kPart);
  if (encrypt != 0) {
    std::memcpy(name, keys.data(), kPart);
    const bool ok =
        RAND_bytes(iv, kPart) == 1 &&
        EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, cipher_key.data(), iv) == 1 &&
        init_ticket_mac(mac, mac_key);
    return ok ? 1 : -1;
  }
  if (std::memcmp(name, keys.data(), kPart) != 0) return 0;  // of other keys: ignored
  const bool ok =
      EVP_DecryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, cipher_key.data(), iv) == 1 &&
      init_ticket_mac(mac, mac_key);
  return ok ? 1 : -1;
}

}  // namespace rondo::tls
