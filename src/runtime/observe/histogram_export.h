// A histogram as bytes: a map of CBOR (RFC 8949), as Node writes it. See histogram_export.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/observe/histogram.h"

namespace rondo {

/// The figures in which newer values weigh more.
struct MovingState {
  double weight;  // of a new value
  double mean;
  double variance;
  double error_rate;
  double threshold;
};

struct ExportedHistogram {
  Histogram histogram;
  std::optional<MovingState> moving;
};

std::vector<std::uint8_t> export_histogram(const Histogram& histogram,
                                           const std::optional<MovingState>& moving);

/// Nothing if the bytes are none of export_histogram().
std::optional<ExportedHistogram> import_histogram(std::span<const std::uint8_t> bytes);

}  // namespace rondo
