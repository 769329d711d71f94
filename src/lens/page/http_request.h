// HTTP/1.1 requests, as far as a page on loopback needs them: without a body.
#pragma once

#include <cstddef>
#include <string_view>

namespace rondo::lens {

/// All views are into the text that was read.
struct HttpRequest {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // after the question mark
  std::string_view host;
  std::string_view origin;  // empty: not sent
  std::string_view fetch_site;
  std::string_view fetch_mode;
  std::string_view fetch_dest;
  bool keep_alive = true;
  bool has_body = false;

  /// A value of the query, as it was written; empty if it is not there.
  std::string_view parameter(std::string_view name) const noexcept;
};

enum class Reading : unsigned char { incomplete, complete, malformed };

struct ReadRequest {
  Reading reading = Reading::incomplete;
  std::size_t size = 0;  // of a complete one
  HttpRequest request = {};
};

/// Reads the request at the beginning of `text`.
ReadRequest read_request(std::string_view text) noexcept;

}  // namespace rondo::lens
