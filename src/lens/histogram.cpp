#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "rondo/lens/metrics.h"

namespace rondo::lens {

namespace {

constexpr int kUnitBits = 10;  // 1024 ns, a microsecond or so
constexpr int kStepBits = 4;   // 16 steps for each doubling
constexpr std::uint64_t kSteps = 1U << kStepBits;

}  // namespace

std::size_t Histogram::index_of(Time length) noexcept {
  const auto units =
      static_cast<std::uint64_t>(std::max<std::int64_t>(length.count(), 0)) >> kUnitBits;
  if (units < kSteps) return static_cast<std::size_t>(units);
  // The leading one and the four bits after it.
  const int shift = static_cast<int>(std::bit_width(units)) - 1 - kStepBits;
  const std::uint64_t index = (static_cast<std::uint64_t>(shift) << kStepBits) + (units >> shift);
  return static_cast<std::size_t>(std::min<std::uint64_t>(index, kSize - 1));
}

Time Histogram::length_of(std::size_t index) noexcept {
  if (index < kSteps) return Time(static_cast<std::int64_t>((index + 1) << kUnitBits) - 1);
  const std::size_t shift = (index >> kStepBits) - 1;
  const std::uint64_t units = (index & (kSteps - 1)) + kSteps + 1;
  return Time(static_cast<std::int64_t>((units << shift) << kUnitBits) - 1);
}

std::uint64_t Histogram::count() const noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

Time Histogram::quantile(double share) const noexcept {
  const std::uint64_t all = count();
  if (all == 0) return {};
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    seen += counts[i];
    if (seen >= wanted) return length_of(i);
  }
  return longest();
}

Time Histogram::longest() const noexcept {
  for (std::size_t i = kSize; i-- > 0;) {
    if (counts[i] != 0) return length_of(i);
  }
  return {};
}

std::uint64_t Histogram::count_up_to(Time length) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kSize && length_of(i) <= length; ++i) sum += counts[i];
  return sum;
}

Histogram Histogram::since(const Histogram& before) const noexcept {
  Histogram difference;
  for (std::size_t i = 0; i < kSize; ++i) difference.counts[i] = counts[i] - before.counts[i];
  return difference;
}

}  // namespace rondo::lens
