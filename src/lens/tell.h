// What a part of the lens has to say, on standard error.
#pragma once

#include <string_view>

namespace rondo::lens {

/// In one piece, as far as it fits: the program may write at the same time. If nobody reads for a
/// second, the rest is lost: a program is not held up by what is said of it.
void tell(std::string_view text) noexcept;

}  // namespace rondo::lens
