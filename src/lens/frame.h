// The figures as the page reads them.
#pragma once

#include <string>

#include "rondo/lens/metrics.h"

namespace rondo::lens {

/// JSON without line breaks; times are in microseconds. `recent` is the loop delay of the last
/// second; `lists` may be null.
std::string to_json(const Figures& figures, const Histogram& recent, const Lists* lists,
                    std::string_view place, std::string_view program);

}  // namespace rondo::lens
