// Errors. What the kernel or a peer can do wrong is a value: std::expected with a
// std::error_code. What only the program itself can do wrong (a loop used from the wrong
// thread, an empty callback) is a Misuse, thrown before anything has changed.
#pragma once

#include <expected>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "rondo/detail/language.h"

namespace rondo {

template <class T = void>
using Expected = std::expected<T, std::error_code>;

/// The error_code for an errno value.
inline std::error_code errno_code(int number) noexcept {
  return {number, std::system_category()};
}

/// A category whose errors have names of their own, for error_name().
class NamedCategory : public std::error_category {
 public:
  /// Of an error of this category; empty for a number without one.
  virtual std::string_view error_name(int number) const noexcept = 0;
};

/// Node's name of an error: "ENOENT", "ECONNREFUSED"; "UNKNOWN" for a number without one.
std::string_view error_name(const std::error_code& error) noexcept;

/// The end of a stream or a channel, where a result that says "nothing more" is an error: its name
/// is "EOF".
std::error_code end_of_stream() noexcept;

/// A mistake in the calling program, with a code in Node's style ("ERR_INVALID_ARG_TYPE").
class Misuse : public std::logic_error {
 public:
  Misuse(std::string_view code, const std::string& message)
      : std::logic_error(message), code_(code) {}

  /// A string literal: the code outlives the exception.
  std::string_view code() const noexcept { return code_; }

 private:
  std::string_view code_;
};

}  // namespace rondo
