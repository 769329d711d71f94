#include "runtime/observe/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rondo {
namespace {

int highest_bit(std::int64_t value) {
  return 63 - std::countl_zero(static_cast<std::uint64_t>(value));
}

}  // namespace

Histogram::Histogram(std::int64_t lowest, std::int64_t highest, int figures)
    : lowest_(lowest), highest_(highest), figures_(figures) {
  unit_bits_ = highest_bit(lowest);
  const double exact = 2 * std::pow(10, figures);  // values that are counted one by one
  half_row_bits_ = std::max(static_cast<int>(std::ceil(std::log2(exact))), 1) - 1;
}

int Histogram::doubling_of(std::int64_t value) const {
  const std::int64_t first_row = (std::int64_t{2} << (half_row_bits_ + unit_bits_)) - 1;
  return highest_bit(value | first_row) - unit_bits_ - half_row_bits_;
}

std::size_t Histogram::index_of(std::int64_t value) const {
  const int doubling = doubling_of(value);
  const std::int64_t in_row = value >> (doubling + unit_bits_);
  return static_cast<std::size_t>((std::int64_t{doubling} << half_row_bits_) + in_row);
}

std::int64_t Histogram::value_at(std::size_t index) const {
  const auto row = static_cast<int>(index >> half_row_bits_);
  auto in_row = static_cast<std::int64_t>(index) - (std::int64_t{row} << half_row_bits_);
  if (row == 0) return in_row << unit_bits_;
  in_row += std::int64_t{1} << half_row_bits_;
  return in_row << (row - 1 + unit_bits_);
}

std::int64_t Histogram::width_at(std::int64_t value) const {
  return std::int64_t{1} << (unit_bits_ + doubling_of(value));
}

std::int64_t Histogram::lowest_equal(std::int64_t value) const {
  return value & ~(width_at(value) - 1);
}

std::int64_t Histogram::highest_equal(std::int64_t value) const {
  return lowest_equal(value) + (width_at(value) - 1);
}

std::int64_t Histogram::median_equal(std::int64_t value) const {
  return lowest_equal(value) + (width_at(value) >> 1);
}

bool Histogram::record(std::int64_t value, std::int64_t times) {
  if (value < 0 || value > highest_) return false;
  const std::size_t index = index_of(value);
  if (index >= counts_.size()) counts_.resize(index + 1);
  counts_[index] += times;
  count_ += times;
  if (value != 0) min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  return true;
}

bool Histogram::record_corrected(std::int64_t value, std::int64_t interval) {
  if (!record(value)) return false;
  if (interval <= 0) return true;
  for (std::int64_t missing = value - interval; missing >= interval; missing -= interval)
    record(missing);
  return true;
}

void Histogram::subtract(const Histogram& other) {
  other.each([this](std::int64_t value, std::int64_t times) {
    const std::size_t index = index_of(value);
    if (index < counts_.size()) counts_[index] -= std::min(times, counts_[index]);
    return true;
  });
  count_ = 0;
  min_ = std::numeric_limits<std::int64_t>::max();
  max_ = 0;
  each([this](std::int64_t value, std::int64_t times) {
    count_ += times;
    if (value != 0) min_ = std::min(min_, value);
    max_ = value;
    return true;
  });
}

void Histogram::reset() {
  counts_.clear();
  count_ = 0;
  min_ = std::numeric_limits<std::int64_t>::max();
  max_ = 0;
}

Histogram::Contents Histogram::contents() const {
  Contents result{.lowest = lowest_,
                  .highest = highest_,
                  .figures = figures_,
                  .min = min_,
                  .max = max_,
                  .bucket_count = bucket_count(),
                  .counts = {}};
  for (const Bucket& bucket : buckets()) result.counts.emplace_back(bucket.index, bucket.count);
  return result;
}

std::optional<Histogram> Histogram::of(const Contents& contents) {
  const auto& [lowest, highest, figures, min, max, bucket_count, counts] = contents;
  if (lowest < 1 || highest / 2 < lowest || figures < 1 || figures > 5) return {};
  if (min < 0 || max < 0) return {};
  Histogram result(lowest, highest, figures);
  if (bucket_count != result.bucket_count()) return {};
  for (const auto& [index, count] : counts) {
    if (index >= bucket_count || count <= 0) return {};
    if (count > std::numeric_limits<std::int64_t>::max() - result.count_) return {};
    if (index >= result.counts_.size()) result.counts_.resize(index + 1);
    result.counts_[index] += count;
    result.count_ += count;
  }
  result.min_ = min;
  result.max_ = max;
  return result;
}

// Each doubling needs another half row.
std::size_t Histogram::bucket_count() const {
  std::size_t rows = 1;
  std::int64_t end = std::int64_t{2} << (half_row_bits_ + unit_bits_);
  for (; end <= highest_; ++rows) {
    if (end > std::numeric_limits<std::int64_t>::max() / 2) {
      ++rows;
      break;
    }
    end *= 2;
  }
  return (rows + 1) << half_row_bits_;
}

std::vector<Histogram::Bucket> Histogram::buckets() const {
  std::vector<Bucket> result;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const std::int64_t value = value_at(i);
    result.push_back(
        {.index = i, .lowest = value, .highest = highest_equal(value), .count = counts_[i]});
  }
  return result;
}

std::int64_t Histogram::min() const {
  if (!counts_.empty() && counts_[0] > 0) return 0;
  return min_ == std::numeric_limits<std::int64_t>::max() ? min_ : lowest_equal(min_);
}

std::int64_t Histogram::max() const {
  return max_ == 0 ? 0 : highest_equal(max_);
}

double Histogram::mean() const {
  double total = 0;
  each([&](std::int64_t value, std::int64_t times) {
    total += static_cast<double>(times) * static_cast<double>(median_equal(value));
    return true;
  });
  return total / static_cast<double>(count_);
}

double Histogram::stddev() const {
  const double middle = mean();
  double total = 0;
  each([&](std::int64_t value, std::int64_t times) {
    const double off = static_cast<double>(median_equal(value)) - middle;
    total += off * off * static_cast<double>(times);
    return true;
  });
  return std::sqrt(total / static_cast<double>(count_));
}

double Histogram::moment(int exponent) const {
  const double middle = mean();
  const double deviation = stddev();
  if (deviation == 0) return 0;
  double total = 0;
  each([&](std::int64_t value, std::int64_t times) {
    const double off = (static_cast<double>(median_equal(value)) - middle) / deviation;
    double power = off;
    for (int i = 1; i < exponent; ++i) power *= off;
    total += power * static_cast<double>(times);
    return true;
  });
  return total / static_cast<double>(count_);
}

double Histogram::skewness() const {
  return count_ < 3 ? 0 : moment(3);
}

double Histogram::kurtosis() const {
  if (count_ < 4 || stddev() == 0) return 0;
  return moment(4) - 3;
}

std::int64_t Histogram::count_at(std::int64_t value) const {
  if (value < 0 || value > highest_) return 0;
  const std::size_t index = index_of(value);
  return index < counts_.size() ? counts_[index] : 0;
}

std::int64_t Histogram::count_to(std::int64_t value) const {
  if (value < 0) return 0;
  if (value > highest_) return count_;
  const std::size_t end = std::min(index_of(value) + 1, counts_.size());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < end; ++i) total += counts_[i];
  return total;
}

std::int64_t Histogram::percentile(double percent) const {
  const double wanted = std::min(percent, 100.0) / 100 * static_cast<double>(count_) + 0.5;
  const std::int64_t rank = std::max(static_cast<std::int64_t>(wanted), std::int64_t{1});
  std::int64_t seen = 0;
  std::int64_t found = 0;
  each([&](std::int64_t value, std::int64_t times) {
    seen += times;
    found = value;
    return seen < rank;
  });
  return highest_equal(seen < rank ? 0 : found);
}

std::vector<std::pair<double, std::int64_t>> Histogram::percentiles() const {
  std::vector<std::pair<double, std::int64_t>> result;
  std::int64_t seen = 0;
  std::int64_t last = 0;
  double next = 0;
  each([&](std::int64_t value, std::int64_t times) {
    seen += times;
    last = value;
    // One value may be that of several percentages; all values seen, only 100 is left to say.
    const double reached = 100.0 * static_cast<double>(seen) / static_cast<double>(count_);
    while (next <= reached) {
      result.emplace_back(next, value);
      if (seen == count_) return false;
      const double halvings = std::floor(std::log2(100 / (100 - next))) + 1;
      next += 100 / std::pow(2, halvings);
    }
    return true;
  });
  result.emplace_back(100, last);
  return result;
}

}  // namespace rondo
