// Requests of debuggers: HTTP/1.1 without a body, and the one that begins a WebSocket.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo {

/// All views are into the text that was read.
struct UpgradeRequest {
  std::string_view method;
  std::string_view path;
  std::string_view host;  // empty: not sent
  std::string_view key;   // Sec-WebSocket-Key
  bool wants_upgrade = false;
};

struct ReadUpgradeRequest {
  enum class State : unsigned char { incomplete, complete, malformed };
  State state = State::incomplete;
  std::size_t size = 0;  // of a complete one
  UpgradeRequest request = {};
};

/// Reads the request at the beginning of `text`.
ReadUpgradeRequest read_upgrade_request(std::string_view text) noexcept;

/// Whether a request may have this Host: an address or localhost, with a port or without. A page of
/// a browser whose name leads to this host (DNS rebinding) has another one.
bool is_allowed_host(std::string_view host);

/// Sec-WebSocket-Accept for a Sec-WebSocket-Key (RFC 6455, 4.2.2).
std::string accept_key(std::string_view key);

}  // namespace rondo
