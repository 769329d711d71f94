#include "lens/page/http_request.h"

#include <algorithm>

#include "lens/page/request_text.h"

namespace rondo::lens {

namespace {

/// The characters of a token, RFC 9110, 5.6.2.
bool is_token(std::string_view text) noexcept {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || kOthers.contains(c);
  });
}

bool read_first_line(std::string_view line, HttpRequest& request) noexcept {
  request.method = take_until(line, " ");
  std::string_view target = take_until(line, " ");
  if (!is_token(request.method) || !target.starts_with('/') || !is_printable(target)) return false;
  request.path = take_until(target, "?");
  request.query = target;
  if (line == "HTTP/1.0") request.keep_alive = false;
  return line == "HTTP/1.1" || line == "HTTP/1.0";
}

/// Whether this header may be there.
bool read_header(std::string_view name, std::string_view value, HttpRequest& request) noexcept {
  const auto once = [&](std::string_view& place) {
    if (!place.empty()) return false;  // two of them: readers would disagree
    place = value;
    return true;
  };
  if (same_name(name, "host")) return once(request.host);
  if (same_name(name, "origin")) return once(request.origin);
  if (same_name(name, "sec-fetch-site")) return once(request.fetch_site);
  if (same_name(name, "sec-fetch-mode")) return once(request.fetch_mode);
  if (same_name(name, "sec-fetch-dest")) return once(request.fetch_dest);
  if (same_name(name, "connection") && same_name(value, "close")) request.keep_alive = false;
  if (same_name(name, "transfer-encoding")) request.has_body = true;
  if (same_name(name, "content-length") && value != "0") request.has_body = true;
  return true;
}

}  // namespace

std::string_view HttpRequest::parameter(std::string_view name) const noexcept {
  std::string_view rest = query;
  while (!rest.empty()) {
    std::string_view pair = take_until(rest, "&");
    if (take_until(pair, "=") == name) return pair;
  }
  return {};
}

ReadRequest read_request(std::string_view text) noexcept {
  constexpr std::string_view kEnd = "\r\n\r\n";
  ReadRequest result;
  const std::size_t end = text.find(kEnd);
  if (end == std::string_view::npos) return result;
  result.reading = Reading::malformed;
  result.size = end + kEnd.size();
  std::string_view head = text.substr(0, end);
  if (!read_first_line(take_until(head, "\r\n"), result.request)) return result;
  while (!head.empty()) {
    std::string_view line = take_until(head, "\r\n");
    if (!is_printable(line) || !line.contains(':')) return result;
    const std::string_view name = take_until(line, ":");
    if (!is_token(name) || !read_header(name, trim(line), result.request)) return result;
  }
  result.reading = Reading::complete;
  return result;
}

}  // namespace rondo::lens
