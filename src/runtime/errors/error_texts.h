// The system's errors in Node's words, which are the same on every system.
#pragma once

#include <span>
#include <string_view>

namespace rondo {

struct ErrorText {
  int number;             // as JavaScript sees it: minus errno, or below -3000 what has no errno
  std::string_view name;  // "ENOENT"
  std::string_view text;  // "no such file or directory"
};

/// All of them, in the order in which util.getSystemErrorMap() lists them.
extern const std::span<const ErrorText> kErrorTexts;

/// Null for a number that has none.
const ErrorText* find_error_text(int number) noexcept;

}  // namespace rondo
