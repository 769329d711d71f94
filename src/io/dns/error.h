// Errors of the C library's resolver and of c-ares, as error codes.
#pragma once

#include <system_error>

namespace rondo::dns::detail {

/// For a status of c-ares; no error for ARES_SUCCESS.
std::error_code ares_error(int status) noexcept;

/// For what getaddrinfo() and getnameinfo() returned; `error_number` is errno, for EAI_SYSTEM.
std::error_code lookup_error(int result, int error_number) noexcept;

}  // namespace rondo::dns::detail
