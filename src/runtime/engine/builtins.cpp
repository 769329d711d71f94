#include "runtime/engine/builtins.h"

#include <algorithm>
#include <span>

namespace rondo {

const Builtin* find_builtin(std::string_view id) noexcept {
  const std::span all(kBuiltins, kBuiltinCount);
  const auto found = std::ranges::lower_bound(all, id, {}, &Builtin::id);
  return found != all.end() && found->id == id ? &*found : nullptr;
}

}  // namespace rondo
