#include "lens/page/access_check.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace rondo::lens {

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::system_category(), "getrandom");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

Gate::Gate(std::string token, std::uint16_t port)
    : token_(std::move(token)),
      by_number_("127.0.0.1:" + std::to_string(port)),
      by_name_("localhost:" + std::to_string(port)) {}

Verdict Gate::judge(const HttpRequest& request) const noexcept {
  // A foreign name that resolves to this host (DNS rebinding) would defeat all checks below.
  if (!is_own_host(request.host)) return {403, "this is not the host you asked for"};
  if (request.method != "GET" && request.method != "HEAD") return {405, "only GET and HEAD"};
  if (request.has_body) return {413, "no request has a body here"};
  if (!is_own_page(request)) return {403, "not for other sites"};
  if (!is_token(request.parameter("token"))) return {403, "the token is missing or wrong"};
  return {};
}

bool Gate::is_own_host(std::string_view host) const noexcept {
  return host == by_number_ || host == by_name_;
}

bool Gate::is_own_origin(std::string_view origin) const noexcept {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()));
}

/// Browsers send the origin. Other clients do not, and only need the token.
bool Gate::is_own_page(const HttpRequest& request) const noexcept {
  if (!request.origin.empty() && !is_own_origin(request.origin)) return false;
  if (request.fetch_site.empty() || request.fetch_site == "same-origin" ||
      request.fetch_site == "none") {
    return true;
  }
  // A link to the page may be on any site: following it leaves that site.
  return request.path == "/" && request.fetch_mode == "navigate" &&
         request.fetch_dest == "document";
}

/// Takes as long for a wrong one as for the right one.
bool Gate::is_token(std::string_view text) const noexcept {
  if (text.size() != token_.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    difference |= static_cast<unsigned>(text[i] ^ token_[i]);
  }
  return difference == 0;
}

}  // namespace rondo::lens
