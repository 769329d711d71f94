#include "rondo/error.h"

#include <cstring>

namespace rondo {

namespace {

class EndOfStream final : public NamedCategory {
 public:
  const char* name() const noexcept override { return "rondo"; }
  std::string message(int /*number*/) const override { return "end of file"; }
  std::string_view error_name(int /*number*/) const noexcept override { return "EOF"; }
};

}  // namespace

std::error_code end_of_stream() noexcept {
  static const EndOfStream kCategory;
  return {1, kCategory};
}

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
