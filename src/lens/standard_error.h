// Messages of the lens on standard error.
#pragma once

#include <string_view>

namespace rondo::lens {

/// In one piece, as far as it fits: the program may write at the same time. If it is not read for a
/// second, the rest is lost: reports do not block the program.
void print_error(std::string_view text) noexcept;

}  // namespace rondo::lens
