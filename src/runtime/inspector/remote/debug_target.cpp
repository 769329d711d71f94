#include "runtime/inspector/remote/debug_target.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "runtime/process/node_version.h"

namespace rondo {

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
  constexpr std::uint16_t kLeast = 1024;  // those below are for the system's services
  std::uint16_t port = 0;
  // What is not a number is 0, as in Node, which reads as far as there are digits.
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  if (port != 0 && port < kLeast) return std::nullopt;
  return port;
}

std::string_view without_brackets(std::string_view host) {
  if (host.size() < 2 || !host.starts_with('[') || !host.ends_with(']')) return host;
  return host.substr(1, host.size() - 2);
}

/// As a string of JSON: the two characters that would end it are replaced, as in Node.
std::string quoted(std::string_view value) {
  std::string text(value);
  std::ranges::replace_if(
      text, [](char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' '); }, '_');
  return '"' + text + '"';
}

using Field = std::pair<std::string_view, std::string_view>;

std::string to_object(std::initializer_list<Field> fields) {
  std::string text = "{\n";
  bool is_first = true;
  for (const auto& [name, value] : fields) {
    if (!is_first) text += ",\n";
    is_first = false;
    text.append("  \"").append(name).append("\": ").append(quoted(value));
  }
  return text + "\n} ";
}

}  // namespace

std::optional<DebugAddress> parse_debug_address(std::string_view text) {
  const std::string_view host = without_brackets(text);
  if (host.size() < text.size()) return DebugAddress{std::string(host), {}};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos &&
      !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return DebugAddress{std::string(text), {}};
  }
  const bool has_host = colon != std::string_view::npos;
  const auto port = parse_port(has_host ? text.substr(colon + 1) : text);
  if (!port) return std::nullopt;
  return DebugAddress{has_host ? std::string(without_brackets(text.substr(0, colon))) : "", port};
}

std::uint32_t next_session_number() noexcept {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

std::string make_target_id() {
  std::array<std::uint8_t, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::system_category(), "getrandom");
  }
  // RFC 9562, 5.4: the version and the variant.
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0fU) | 0x40U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3fU) | 0x80U);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

std::string to_host_and_port(std::string_view host, std::uint16_t port) {
  std::string text(host);
  if (host.contains(':')) text = '[' + text + ']';
  return text + ':' + std::to_string(port);
}

std::string to_websocket_url(std::string_view host_and_port, std::string_view id) {
  return "ws://" + std::string(host_and_port) + '/' + std::string(id);
}

std::string target_list(const DebugTarget& target, std::string_view host_and_port) {
  const std::string address = std::string(host_and_port) + '/' + target.id;
  const auto frontend = [&](std::string_view page) {
    return "devtools://devtools/bundled/" + std::string(page) +
           ".html?experiments=true&v8only=true&ws=" + address;
  };
  return "[ " +
         to_object({{"description", "node.js instance"},
                    {"devtoolsFrontendUrl", frontend("js_app")},
                    {"devtoolsFrontendUrlCompat", frontend("inspector")},
                    {"faviconUrl", "https://nodejs.org/static/images/favicons/favicon.ico"},
                    {"id", target.id},
                    {"title", target.title},
                    {"type", "node"},
                    {"url", target.url},
                    {"webSocketDebuggerUrl", "ws://" + address}}) +
         "]\n\n";
}

std::string version_answer() {
  const std::string browser = std::string("node.js/v").append(kNodeVersion);
  return to_object({{"Browser", browser}, {"Protocol-Version", "1.1"}});
}

}  // namespace rondo
