// What a TlsContext names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/callback.h"
#include "rondo/tls.h"

#include "tls/context.h"
#include "tls/root_store.h"

namespace rondo {

class TlsContextState {
 public:
  explicit TlsContextState(bool is_server);

  tls::Context& context() const noexcept { return *context_; }
  /// Trusts the system's roots by default. Reads them when first needed.
  void prepare_trust();
  /// The context of a host that a client asks for; null: this one.
  TlsContextState* find_host(std::string_view name) const noexcept;

  void keep_sessions(bool on);
  void keep_session(const std::string& peer, SSL_SESSION* session);
  tls::SessionPtr take_session(const std::string& peer);

  bool is_server;
  TlsVerify verify;
  bool trusts_own = false;
  std::vector<std::uint8_t> protocols;  // in the format of the extension
  Callback<void(std::string_view)> key_log;
  std::vector<std::pair<std::string, std::shared_ptr<TlsContextState>>> hosts;

 private:
  static constexpr std::size_t kMostSessions = 256;

  std::unique_ptr<tls::Context> context_;
  std::map<std::string, tls::SessionPtr, std::less<>> sessions_;
  bool trust_prepared_ = false;
  bool keeps_sessions_ = true;
};

}  // namespace rondo
