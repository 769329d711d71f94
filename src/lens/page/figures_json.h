// The figures as the page reads them.
#pragma once

#include <string>

#include "rondo/lens/metrics.h"

namespace rondo::lens {

/// The two histograms of Figures, since the start or of the last second only.
struct Lengths {
  Histogram delay;
  Histogram durations;
};

/// JSON without line breaks; times are in microseconds. `recent` covers the last second; `lists`
/// may be null.
std::string to_json(const Figures& figures, const Lengths& recent, const Lists* lists,
                    std::string_view place, std::string_view program);

}  // namespace rondo::lens
