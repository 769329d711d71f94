// The JavaScript side of the runtime: the files of lib/, which the build puts into the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace rondo {

struct Builtin {
  std::string_view id;  // "events", "internal/errors"
  const char* begin;
  const char* end;

  std::string_view source() const { return {begin, end}; }
};

// Sorted by id; in a file that cmake/embed_lib.cmake writes.
extern const Builtin kBuiltins[];
extern const std::size_t kBuiltinCount;

/// Null if lib/ has no such file.
const Builtin* find_builtin(std::string_view id) noexcept;

}  // namespace rondo
