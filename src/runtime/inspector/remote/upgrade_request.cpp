#include "runtime/inspector/remote/upgrade_request.h"

#include <arpa/inet.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "lens/page/request_text.h"

namespace rondo {

namespace {

using lens::is_printable;
using lens::same_name;
using lens::take_until;
using lens::trim;

bool read_header(std::string_view name, std::string_view value, UpgradeRequest& request) noexcept {
  const auto once = [&](std::string_view& place) {
    if (!place.empty()) return false;  // two of them: readers would disagree
    place = value;
    return true;
  };
  if (same_name(name, "host")) return once(request.host);
  if (same_name(name, "sec-websocket-key")) return once(request.key);
  if (same_name(name, "upgrade")) request.wants_upgrade = same_name(value, "websocket");
  // No request has a body here.
  if (same_name(name, "transfer-encoding")) return false;
  if (same_name(name, "content-length")) return value == "0";
  return true;
}

}  // namespace

ReadUpgradeRequest read_upgrade_request(std::string_view text) noexcept {
  constexpr std::string_view kEnd = "\r\n\r\n";
  using State = ReadUpgradeRequest::State;
  ReadUpgradeRequest result;
  const std::size_t end = text.find(kEnd);
  if (end == std::string_view::npos) return result;
  result.state = State::malformed;
  result.size = end + kEnd.size();
  std::string_view head = text.substr(0, end);
  std::string_view line = take_until(head, "\r\n");
  if (!is_printable(line)) return result;
  result.request.method = take_until(line, " ");
  result.request.path = take_until(line, " ");
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return result;
  while (!head.empty()) {
    line = take_until(head, "\r\n");
    if (!is_printable(line) || !line.contains(':')) return result;
    const std::string_view name = take_until(line, ":");
    if (!read_header(name, trim(line), result.request)) return result;
  }
  result.state = State::complete;
  return result;
}

bool is_allowed_host(std::string_view host) {
  if (host.empty()) return true;  // HTTP/1.0: no browser
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    host = host.substr(0, colon);
  }
  if (same_name(host, "localhost")) return true;
  std::array<std::uint8_t, 16> address{};
  if (host.size() >= 2 && host.starts_with('[') && host.ends_with(']')) {
    const std::string inner(host.substr(1, host.size() - 2));
    return ::inet_pton(AF_INET6, inner.c_str(), address.data()) == 1 &&
           std::ranges::any_of(address, [](std::uint8_t byte) { return byte != 0; });
  }
  // Only four numbers without leading zeros: what else may be read as an address is read
  // differently by different programs.
  if (::inet_pton(AF_INET, std::string(host).c_str(), address.data()) != 1) return false;
  return address[0] != 0;  // 0.0.0.0/8 leads to no certain host, and browsers ask for its names
}

std::string accept_key(std::string_view key) {
  constexpr std::string_view kOfWebSockets = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const std::string text = std::string(key).append(kOfWebSockets);
  std::array<unsigned char, 20> digest{};
  unsigned length = 0;
  ::EVP_Digest(text.data(), text.size(), digest.data(), &length, ::EVP_sha1(), nullptr);
  std::array<unsigned char, 29> encoded{};
  const int size = ::EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(length));
  return {reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(size)};
}

}  // namespace rondo
