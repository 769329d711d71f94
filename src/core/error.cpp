#include "rondo/error.h"

#include <cstring>

namespace rondo {

std::string_view error_name(const std::error_code& error) noexcept {
  if (const auto* named = dynamic_cast<const NamedCategory*>(&error.category())) {
    const std::string_view name = named->error_name(error.value());
    return name.empty() ? "UNKNOWN" : name;
  }
  if (error.category() != std::system_category() && error.category() != std::generic_category()) {
    return "UNKNOWN";
  }
  // glibc's own table; the names are those of errno.h, which are Node's too.
  const char* name = ::strerrorname_np(error.value());
  return name != nullptr && error.value() != 0 ? name : "UNKNOWN";
}

}  // namespace rondo
