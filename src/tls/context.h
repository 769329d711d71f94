// What connections have in common: certificate and key, whom to trust, versions and ciphers, the
// keys of session tickets. Connections keep the context they began with.
//
// A function that returns false has left the reason in OpenSSL's error queue.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tls/pointers.h"

namespace rondo::tls {

class RootStore;

class Context {
 public:
  enum class Role : std::uint8_t { any, client, server };
  /// Versions as OpenSSL numbers them; 0 for no limit.
  struct Versions {
    int min = TLS1_2_VERSION;
    int max = TLS1_3_VERSION;
  };
  /// The name of the key, the key that signs, the key that encrypts: 16 bytes each.
  using TicketKeys = std::array<std::uint8_t, 48>;
  /// A callback that makes the tickets of a server; see SSL_CTX_set_tlsext_ticket_key_evp_cb.
  using TicketCallback = int (*)(SSL*, unsigned char*, unsigned char*, EVP_CIPHER_CTX*,
                                 EVP_MAC_CTX*, int);

  /// Null if OpenSSL refuses.
  static std::unique_ptr<Context> make(Role role, Versions versions);

  SSL_CTX* get() const noexcept { return context_.get(); }
  static Context& of(const SSL* ssl) noexcept {
    return *static_cast<Context*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  }

  // ---- Who we are -------------------------------------------------------------------------------

  /// Our certificate and those that lead to its root, as PEM.
  bool use_certificate_chain(std::string_view pem);
  /// After the certificate. PEM; `passphrase` for an encrypted one.
  bool use_key(std::string_view pem, std::optional<std::string_view> passphrase);
  enum class Pkcs12 : std::uint8_t { ok, failed, no_key, no_certificate };
  Pkcs12 use_pkcs12(std::string_view der, const std::string& passphrase);
  /// Null if there is none.
  X509* certificate() const noexcept { return certificate_.get(); }
  X509* issuer() const noexcept { return issuer_.get(); }

  // ---- Whom we trust ----------------------------------------------------------------------------

  /// All certificates in the PEM text; what is none is ignored.
  void add_authority(std::string_view pem, RootStore& roots);
  /// Null if there is none in the text.
  bool add_revocations(std::string_view pem, RootStore& roots);
  void trust_roots(RootStore& roots);
  void trust_partial_chains(RootStore& roots);

  // ---- How --------------------------------------------------------------------------------------

  /// Up to TLS 1.2. An empty list is not an error: there are none then.
  bool set_ciphers(const std::string& list);
  bool set_cipher_suites(const std::string& list) {
    return SSL_CTX_set_ciphersuites(get(), list.c_str()) == 1;
  }
  bool set_signature_algorithms(const std::string& list) {
    return SSL_CTX_set1_sigalgs_list(get(), list.c_str()) == 1;
  }
  bool set_groups(const std::string& list) {
    return SSL_CTX_set1_groups_list(get(), list.c_str()) == 1;
  }
  bool set_dh_auto() { return SSL_CTX_set_dh_auto(get(), 1) == 1; }
  /// The size of the prime in bits, 0 if the text holds no parameters. Smaller ones than `least`
  /// are not used.
  int set_dh_parameters(std::string_view pem, int least, bool& failed);
  /// Numbers of the extension: zlib 1, brotli 2, zstd 3. Certificates are compressed here, so they
  /// have to be set before.
  bool set_certificate_compression(std::span<const int> algorithms);
  /// Has a connection that uses our certificate by another context compress it likewise.
  void apply_compression(SSL* ssl) const;

  // ---- Sessions ---------------------------------------------------------------------------------

  const TicketKeys& ticket_keys() const noexcept { return ticket_keys_; }
  void set_ticket_keys(std::span<const std::uint8_t, 48> keys);
  void set_ticket_callback(TicketCallback callback) {
    SSL_CTX_set_tlsext_ticket_key_evp_cb(get(), callback);
  }
  /// From the next connection on.
  void enable_key_log();
  /// Servers: asks SessionEvents::hello_arrived and so on.
  void enable_server_events();

  /// What belongs to the owner.
  void* user_data = nullptr;

 private:
  Context() = default;

  bool use_chain(X509* certificate, STACK_OF(X509) * others);
  X509_STORE* own_store(RootStore& roots);
  static int make_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                         EVP_MAC_CTX* mac, int encrypt);

  ContextPtr context_;
  CertificatePtr certificate_;
  CertificatePtr issuer_;
  X509_STORE* own_store_ = nullptr;
  TicketKeys ticket_keys_{};
  struct Compressed {
    int algorithm;
    std::vector<unsigned char> bytes;
    std::size_t original_size;
  };
  std::vector<int> compression_;
  std::vector<Compressed> compressed_;
};

/// A BIO that reads `text`, which must outlive it. Null if it is too long.
BioPtr reader_of(std::string_view text);

}  // namespace rondo::tls
