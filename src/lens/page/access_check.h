// Access to the page: for clients on this machine that have its token, and no other site in the
// same browser.
#pragma once

#include <cstdint>
#include <string>

#include "lens/page/http_request.h"

namespace rondo::lens {

/// 128 random bits as hexadecimal digits. Throws std::system_error.
std::string make_token();

/// The status of the refusal, and why in a few words; 200 if there is none.
struct Verdict {
  int status = 200;
  const char* reason = "";
};

class Gate {
 public:
  Gate(std::string token, std::uint16_t port);

  Verdict judge(const HttpRequest& request) const noexcept;

 private:
  bool is_own_host(std::string_view host) const noexcept;
  bool is_own_origin(std::string_view origin) const noexcept;
  bool is_own_page(const HttpRequest& request) const noexcept;
  bool is_token(std::string_view text) const noexcept;

  std::string token_;
  std::string by_number_;  // "127.0.0.1:PORT"
  std::string by_name_;    // "localhost:PORT"
};

}  // namespace rondo::lens
