// What a debugger of another process can ask before it connects: addresses, and the answers to
// GET /json and its kin, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo {

constexpr std::uint16_t kDefaultDebugPort = 9229;

/// An address as --inspect has it; what was not given is empty.
struct DebugAddress {
  std::string host;
  std::optional<std::uint16_t> port;
};

/// "host", "port", "host:port", "[::1]" or "[::1]:port". Empty if the port is none that may be
/// used.
std::optional<DebugAddress> parse_debug_address(std::string_view text);

/// The program, as a list of targets shows it.
struct DebugTarget {
  std::string id;
  std::string title;
  std::string url;
};

/// Of a session that comes from another thread; not used again in this process.
std::uint32_t next_session_number() noexcept;

/// A random id, version 4. Who does not know it cannot connect. Throws std::system_error.
std::string make_target_id();

/// "127.0.0.1:9229", "[::1]:9229"
std::string to_host_and_port(std::string_view host, std::uint16_t port);
/// "ws://127.0.0.1:9229/ID"
std::string to_websocket_url(std::string_view host_and_port, std::string_view id);

/// The list of targets, which is one; `host_and_port` is the one that the client has connected to.
std::string target_list(const DebugTarget& target, std::string_view host_and_port);
std::string version_answer();

}  // namespace rondo
