// Durations as people read them.
#pragma once

#include <string>

#include "rondo/lens.h"

namespace rondo::lens {

/// "0.3 ms", "12 µs", "1.25 s".
std::string to_words(Time time);

}  // namespace rondo::lens
