#include "runtime/observe/histogram_export.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace rondo {
namespace {

constexpr std::uint64_t kVersion = 1;

// The keys of the map.
enum Key : std::uint8_t {
  kFormatVersion,
  kLowest,
  kHighest,
  kFigures,
  kTotal,
  kMin,
  kMax,
  kIndexOffset,      // always 0
  kConversionRatio,  // always 1
  kBucketCount,
  kCounts,  // for each bucket that is not empty: how much larger its index is than the last, count
  kMoving,  // another map: weight, mean, variance, error rate, threshold
};
constexpr std::uint64_t kKeys = kCounts + 1;
constexpr std::uint64_t kMovingKeys = 5;

// The types of CBOR that occur, in the upper three bits of an item.
enum Major : std::uint8_t { kUnsigned = 0, kArray = 4, kMap = 5, kSimple = 7 };
constexpr std::uint8_t kDouble = 27;  // the lower five bits of a simple value

class Writer {
 public:
  void head(Major major, std::uint64_t value) {
    constexpr std::uint64_t kInFirstByte = 24;
    if (value < kInFirstByte) return first(major, value);
    int size_bits = 0;  // the number of bytes that follow is a power of two
    while (size_bits < 3 && value >> (8U << size_bits) != 0) ++size_bits;
    first(major, kInFirstByte + static_cast<std::uint64_t>(size_bits));
    big_endian(value, 1 << size_bits);
  }

  void number(Key key, std::uint64_t value) {
    head(kUnsigned, key);
    head(kUnsigned, value);
  }

  void real(std::uint64_t key, double value) {
    head(kUnsigned, key);
    first(kSimple, kDouble);
    big_endian(std::bit_cast<std::uint64_t>(value), sizeof value);
  }

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void first(Major major, std::uint64_t rest) {
    bytes_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(major) << 5U | rest));
  }
  void big_endian(std::uint64_t value, int size) {
    for (int i = size - 1; i >= 0; --i) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8U * static_cast<unsigned>(i))));
    }
  }

  std::vector<std::uint8_t> bytes_;
};

// Each function returns nothing at what is not there; the reader is of no use then.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> head(Major major) {
    if (bytes_.empty() || bytes_[0] >> 5U != major) return {};
    const unsigned rest = bytes_[0] & 31U;
    bytes_ = bytes_.subspan(1);
    if (rest < 24) return rest;
    if (rest > 27) return {};
    return big_endian(std::size_t{1} << (rest - 24));
  }

  std::optional<std::int64_t> integer() {
    const auto value = head(kUnsigned);
    if (!value || *value > std::numeric_limits<std::int64_t>::max()) return {};
    return static_cast<std::int64_t>(*value);
  }

  std::optional<double> real() {
    if (bytes_.empty()) return {};
    if (bytes_[0] >> 5U == kUnsigned) {
      const auto value = head(kUnsigned);
      return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    }
    if (bytes_[0] != (kSimple << 5U | kDouble)) return {};
    bytes_ = bytes_.subspan(1);
    const auto bits = big_endian(sizeof(double));
    return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
  }

  std::size_t left() const noexcept { return bytes_.size(); }

 private:
  std::optional<std::uint64_t> big_endian(std::size_t size) {
    if (bytes_.size() < size) return {};
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes_.first(size)) value = value << 8U | byte;
    bytes_ = bytes_.subspan(size);
    return value;
  }

  std::span<const std::uint8_t> bytes_;
};

bool read_counts(Reader& reader, Histogram::Contents& contents) {
  const auto length = reader.head(kArray);
  // Each item has a byte at least.
  if (!length || *length % 2 != 0 || *length > reader.left()) return false;
  std::size_t index = 0;
  for (std::uint64_t i = 0; i < *length; i += 2) {
    const auto step = reader.integer();
    const auto count = reader.integer();
    if (!step || !count) return false;
    if (static_cast<std::uint64_t>(*step) > contents.bucket_count - index) return false;
    index += static_cast<std::size_t>(*step);
    contents.counts.emplace_back(index, *count);
  }
  return true;
}

std::optional<MovingState> read_moving(Reader& reader) {
  if (reader.head(kMap) != kMovingKeys) return {};
  double values[kMovingKeys];
  for (std::uint64_t key = 0; key < kMovingKeys; ++key) {
    if (reader.head(kUnsigned) != key) return {};
    const auto value = reader.real();
    if (!value || !std::isfinite(*value)) return {};
    values[key] = *value;
  }
  return MovingState{.weight = values[0],
                     .mean = values[1],
                     .variance = values[2],
                     .error_rate = values[3],
                     .threshold = values[4]};
}

}  // namespace

std::vector<std::uint8_t> export_histogram(const Histogram& histogram,
                                           const std::optional<MovingState>& moving) {
  const Histogram::Contents contents = histogram.contents();
  Writer writer;
  writer.head(kMap, kKeys + (moving ? 1 : 0));
  writer.number(kFormatVersion, kVersion);
  writer.number(kLowest, static_cast<std::uint64_t>(contents.lowest));
  writer.number(kHighest, static_cast<std::uint64_t>(contents.highest));
  writer.number(kFigures, static_cast<std::uint64_t>(contents.figures));
  writer.number(kTotal, static_cast<std::uint64_t>(histogram.count()));
  writer.number(kMin, static_cast<std::uint64_t>(contents.min));
  writer.number(kMax, static_cast<std::uint64_t>(contents.max));
  writer.number(kIndexOffset, 0);
  writer.real(kConversionRatio, 1);
  writer.number(kBucketCount, contents.bucket_count);
  writer.head(kUnsigned, kCounts);
  writer.head(kArray, contents.counts.size() * 2);
  std::size_t last = 0;
  for (const auto& [index, count] : contents.counts) {
    writer.head(kUnsigned, index - last);
    writer.head(kUnsigned, static_cast<std::uint64_t>(count));
    last = index;
  }
  if (moving) {
    writer.head(kUnsigned, kMoving);
    writer.head(kMap, kMovingKeys);
    writer.real(0, moving->weight);
    writer.real(1, moving->mean);
    writer.real(2, moving->variance);
    writer.real(3, moving->error_rate);
    writer.head(kUnsigned, 4);
    writer.head(kUnsigned, static_cast<std::uint64_t>(moving->threshold));
  }
  return writer.take();
}

std::optional<ExportedHistogram> import_histogram(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  const auto size = reader.head(kMap);
  if (size != kKeys && size != kKeys + 1) return {};
  std::int64_t values[kCounts] = {};
  for (std::uint64_t key = 0; key < kCounts; ++key) {
    if (reader.head(kUnsigned) != key) return {};
    if (key == kConversionRatio) {
      if (reader.real() != 1.0) return {};
      continue;
    }
    const auto value = reader.integer();
    if (!value) return {};
    values[key] = *value;
  }
  if (values[kFormatVersion] != kVersion || values[kFigures] > 5) return {};
  Histogram::Contents contents{.lowest = values[kLowest],
                               .highest = values[kHighest],
                               .figures = static_cast<int>(values[kFigures]),
                               .min = values[kMin],
                               .max = values[kMax],
                               .bucket_count = static_cast<std::size_t>(values[kBucketCount]),
                               .counts = {}};
  if (reader.head(kUnsigned) != kCounts || !read_counts(reader, contents)) return {};
  auto histogram = Histogram::of(contents);
  if (!histogram || histogram->count() != values[kTotal]) return {};
  ExportedHistogram result{.histogram = *std::move(histogram), .moving = {}};
  if (size == kKeys) return result;
  if (reader.head(kUnsigned) != kMoving) return {};
  result.moving = read_moving(reader);
  return result.moving ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace rondo
