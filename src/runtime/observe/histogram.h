// Counts values in buckets whose width grows with the value, so that every value is known to a
// given number of decimal figures, whatever its size: a High Dynamic Range histogram. What it
// reports (which value represents a bucket) is what HdrHistogram reports, as Node
// shows it.
//
// The values up to 2^k are counted one by one (or by `lowest`, in steps of a power of two); from
// there on each doubling has the same number of buckets, half of the first row, each twice as wide
// as before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace rondo {

class Histogram {
 public:
  /// lowest >= 1, highest >= 2 * lowest, figures from 1 to 5.
  Histogram(std::int64_t lowest, std::int64_t highest, int figures);

  /// False if the value is negative or too large: it is not counted then.
  bool record(std::int64_t value, std::int64_t times = 1);
  /// Also records the values that a stall of `value` kept from being recorded every `interval`.
  bool record_corrected(std::int64_t value, std::int64_t interval);
  /// Takes as many of each value away as `other` has, where there are so many.
  void subtract(const Histogram& other);
  void reset();

  /// What another histogram needs to become equal to this one.
  struct Contents {
    std::int64_t lowest;
    std::int64_t highest;
    int figures;
    std::int64_t min;  // of the recorded values above 0; INT64_MAX if there is none
    std::int64_t max;
    std::size_t bucket_count;  // as many as all values up to `highest` need
    std::vector<std::pair<std::size_t, std::int64_t>> counts;  // of the buckets that are not empty
  };
  Contents contents() const;
  /// Nothing if they contradict each other.
  static std::optional<Histogram> of(const Contents& contents);

  std::int64_t count() const noexcept { return count_; }
  std::int64_t min() const;
  std::int64_t max() const;
  double mean() const;
  double stddev() const;
  /// How far the values lean to one side, and how heavy their tails are (3 less than the fourth
  /// moment, which is that of a normal distribution). 0 for too few values.
  double skewness() const;
  double kurtosis() const;
  /// How many values are in the bucket of this one; how many are there and below.
  std::int64_t count_at(std::int64_t value) const;
  std::int64_t count_to(std::int64_t value) const;
  /// What `percent` of the values do not exceed; above 0, up to 100.
  std::int64_t percentile(double percent) const;
  /// Pairs of percentage and value: 0, then each time half of what is missing to 100, as long as
  /// there are different values; and 100.
  std::vector<std::pair<double, std::int64_t>> percentiles() const;

  /// What is known of a bucket: its place in the row of all, its values, their number.
  struct Bucket {
    std::size_t index;
    std::int64_t lowest;
    std::int64_t highest;
    std::int64_t count;
  };
  /// Those that are not empty, in order.
  std::vector<Bucket> buckets() const;
  /// The smallest value that is counted with this one.
  std::int64_t lowest_equal(std::int64_t value) const;

  /// Calls take(value, times) for each bucket that is not empty, in order; take returns whether to
  /// continue.
  template <class Take>
  void each(Take take) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] != 0 && !take(value_at(i), counts_[i])) return;
    }
  }

 private:
  /// The mean of (value - mean) to the power of `exponent`, in units of the standard deviation.
  double moment(int exponent) const;
  std::size_t bucket_count() const;
  int doubling_of(std::int64_t value) const;
  std::size_t index_of(std::int64_t value) const;
  std::int64_t value_at(std::size_t index) const;
  std::int64_t width_at(std::int64_t value) const;
  std::int64_t highest_equal(std::int64_t value) const;
  std::int64_t median_equal(std::int64_t value) const;

  std::int64_t lowest_;
  std::int64_t highest_;
  int figures_;
  int unit_bits_;      // a step is this power of two
  int half_row_bits_;  // half of the first row is this power of two
  std::int64_t count_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = 0;
  std::vector<std::int64_t> counts_;  // as many as were needed so far
};

}  // namespace rondo
