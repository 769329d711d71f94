// Histograms for perf_hooks: one that JavaScript records into, and one that records by itself how
// late a timer of the loop is.
#include "runtime/observe/histogram.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/cloneable.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/histogram_export.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

using v8::Local;

std::int64_t integer(Local<v8::Value> value) {
  if (value->IsBigInt()) return value.As<v8::BigInt>()->Int64Value();
  return static_cast<std::int64_t>(value.As<v8::Number>()->Value());
}

// A mean in which a value counts half as much after so many more values; none without a half-life.
class MovingFigures {
 public:
  MovingFigures(double half_life, double threshold)
      : weight_(half_life > 0 ? 1 - std::exp2(-1 / half_life) : 0), threshold_(threshold) {}

  /// What state() has returned, after some values or before the first one.
  MovingFigures(const MovingState& state, bool begun)
      : weight_(state.weight),
        threshold_(state.threshold),
        begun_(begun),
        mean_(state.mean),
        variance_(state.variance),
        error_rate_(state.error_rate) {}

  /// Nothing without a half-life.
  std::optional<MovingState> state() const {
    if (weight_ == 0) return {};
    return MovingState{.weight = weight_,
                       .mean = mean_,
                       .variance = variance_,
                       .error_rate = error_rate_,
                       .threshold = threshold_};
  }

  void record(double value) {
    if (weight_ == 0) return;
    const double failed = threshold_ > 0 && value > threshold_ ? 1 : 0;
    if (!std::exchange(begun_, true)) {
      mean_ = value;
      error_rate_ = failed;
      return;
    }
    const double off = value - mean_;
    mean_ += weight_ * off;
    variance_ = (1 - weight_) * (variance_ + weight_ * off * off);
    error_rate_ += weight_ * (failed - error_rate_);
  }

  void reset() {
    begun_ = false;
    mean_ = variance_ = error_rate_ = 0;
  }

  double mean() const noexcept { return mean_; }
  double stddev() const noexcept { return std::sqrt(variance_); }
  double error_rate() const noexcept { return error_rate_; }

 private:
  double weight_;
  double threshold_;  // what is above it is an error
  bool begun_ = false;
  double mean_ = 0;
  double variance_ = 0;
  double error_rate_ = 0;
};

// What has been recorded.
struct Records {
  void record(std::int64_t value) {
    if (histogram.record(value))
      moving.record(static_cast<double>(value));
    else
      ++exceeds;
  }

  void record_delta() {
    const auto now = static_cast<std::int64_t>(monotonic_ns());
    if (last_ns > 0) record(now - last_ns);
    last_ns = now;
  }

  void reset() {
    histogram.reset();
    moving.reset();
    exceeds = 0;
    last_ns = 0;
  }

  void add(const Records& other) {
    other.histogram.each([this](std::int64_t value, std::int64_t times) {
      if (!histogram.record(value, times)) exceeds += times;
      return true;
    });
    exceeds += other.exceeds;
    last_ns = std::max(last_ns, other.last_ns);
  }

  Histogram histogram;
  MovingFigures moving;
  std::int64_t exceeds = 0;
  std::int64_t last_ns = 0;
};

// What an object and its clones, also on other threads, have in common.
class SharedHistogram {
 public:
  explicit SharedHistogram(Records records) : records_(std::move(records)) {}

  /// Calls it with the records.
  template <class Function>
  decltype(auto) locked(Function function) {
    const std::lock_guard lock(mutex_);
    return std::invoke(function, records_);
  }

 private:
  std::mutex mutex_;
  Records records_;
};

class HistogramClone final : public CloneData {
 public:
  explicit HistogramClone(std::shared_ptr<SharedHistogram> shared) : shared_(std::move(shared)) {}

  v8::MaybeLocal<v8::Object> make(Environment& environment,
                                  Local<v8::Value> /*extra*/) const override {
    return make_native(environment, "histogram", "Histogram",
                       const_cast<std::shared_ptr<SharedHistogram>*>(&shared_));
  }

 private:
  std::shared_ptr<SharedHistogram> shared_;
};

class HistogramObject final : public Cloneable {
  template <class Function>
  decltype(auto) locked(Function function) const {
    return shared_->locked(std::move(function));
  }

 public:
  HistogramObject(Environment& environment, Local<v8::Object> object,
                  std::shared_ptr<SharedHistogram> shared)
      : Cloneable(environment, object), shared_(std::move(shared)) {}
  ~HistogramObject() override { timer_.clear(); }

  /// new Histogram(lowest, highest, figures, half-life, threshold): numbers or BigInts. Or the
  /// bytes that export() returned. Or what a clone shares.
  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    if (const auto* shared = native_data<std::shared_ptr<SharedHistogram>>(args[0])) {
      new HistogramObject(environment, args.This(), *shared);
      return;
    }
    if (args[0]->IsUint8Array()) return construct_from_bytes(args);
    const auto figures = static_cast<int>(args[2].As<v8::Number>()->Value());
    new HistogramObject(environment, args.This(),
                        std::make_shared<SharedHistogram>(Records{
                            .histogram = Histogram(integer(args[0]), integer(args[1]), figures),
                            .moving = MovingFigures(args[3].As<v8::Number>()->Value(),
                                                    args[4].As<v8::Number>()->Value())}));
  }

  static void construct_from_bytes(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    auto imported = import_histogram(bytes_of(args[0]));
    if (!imported) {
      return environment.throw_(
          environment.type_error("ERR_INVALID_ARG_VALUE", "Invalid histogram export data"));
    }
    auto& [histogram, moving] = *imported;
    const MovingFigures figures =
        moving ? MovingFigures(*moving, histogram.count() > 0) : MovingFigures(0, 0);
    new HistogramObject(
        environment, args.This(),
        std::make_shared<SharedHistogram>(Records{.histogram = histogram, .moving = figures}));
  }

  std::shared_ptr<const CloneData> share() const override {
    return std::make_shared<HistogramClone>(shared_);
  }

  /// record(number or BigInt)
  void record(Local<v8::Value> value) {
    locked([number = integer(value)](Records& records) { records.record(number); });
  }
  void record_delta() { locked(&Records::record_delta); }

  /// recordCorrected(value, interval)
  void record_corrected(Local<v8::Value> value, Local<v8::Value> interval) {
    locked([&](Records& records) {
      const std::int64_t number = integer(value);
      if (records.histogram.record_corrected(number, integer(interval))) {
        records.moving.record(static_cast<double>(number));
      } else {
        ++records.exceeds;
      }
    });
  }

  // The other one may be the same object.
  void subtract(const HistogramObject& other) {
    const Histogram copy = other.copy().histogram;
    locked([&](Records& records) { records.histogram.subtract(copy); });
  }
  void add(const HistogramObject& other) {
    const Records copy = other.copy();
    locked([&](Records& records) { records.add(copy); });
  }

  void reset() { locked(&Records::reset); }

  /// One of the functions below, as a number or as a BigInt.
  template <auto kGet>
  auto get() const {
    return locked(kGet);
  }
  template <std::int64_t (*kGet)(const Records&)>
  Local<v8::BigInt> get_bigint() const {
    return to_bigint(locked(kGet));
  }

  static double mean(const Records& of) { return of.histogram.mean(); }
  static double stddev(const Records& of) { return of.histogram.stddev(); }
  static double skewness(const Records& of) { return of.histogram.skewness(); }
  static double kurtosis(const Records& of) { return of.histogram.kurtosis(); }
  static double moving_mean(const Records& of) { return of.moving.mean(); }
  static double moving_stddev(const Records& of) { return of.moving.stddev(); }
  static double moving_error_rate(const Records& of) { return of.moving.error_rate(); }
  static std::int64_t count(const Records& of) { return of.histogram.count(); }
  static std::int64_t min(const Records& of) { return of.histogram.min(); }
  static std::int64_t max(const Records& of) { return of.histogram.max(); }
  static std::int64_t exceeds(const Records& of) { return of.exceeds; }

  std::int64_t count_at(double value) const {
    return locked([at = bounded(value)](const Records& of) { return of.histogram.count_at(at); });
  }
  std::int64_t count_to(double value) const {
    return locked([to = bounded(value)](const Records& of) { return of.histogram.count_to(to); });
  }
  std::int64_t percentile(double percent) const {
    return locked([percent](const Records& of) { return of.histogram.percentile(percent); });
  }
  Local<v8::BigInt> percentile_bigint(double percent) const {
    return to_bigint(percentile(percent));
  }

  Local<v8::Uint8Array> export_bytes() const {
    const std::vector<std::uint8_t> bytes =
        locked([](const Records& of) { return export_histogram(of.histogram, of.moving.state()); });
    const Local<v8::ArrayBuffer> buffer =
        v8::ArrayBuffer::New(environment().isolate(), bytes.size());
    std::memcpy(buffer->Data(), bytes.data(), bytes.size());
    return v8::Uint8Array::New(buffer, 0, bytes.size());
  }

  /// Of each bucket that is not empty four numbers: index, smallest value, largest value, count.
  std::vector<Local<v8::Value>> buckets() const {
    v8::Isolate* isolate = environment().isolate();
    std::vector<Local<v8::Value>> result;
    for (const Histogram::Bucket& bucket :
         locked([](const Records& of) { return of.histogram.buckets(); })) {
      for (const auto number :
           {static_cast<std::int64_t>(bucket.index), bucket.lowest, bucket.highest, bucket.count}) {
        result.push_back(v8::Number::New(isolate, static_cast<double>(number)));
      }
    }
    return result;
  }

  std::int64_t lowest_equal(double value) const {
    return locked(
        [at = bounded(value)](const Records& of) { return of.histogram.lowest_equal(at); });
  }

  bool shares_with(const HistogramObject& other) const { return shared_ == other.shared_; }

  /// percentiles(map, as_bigint): fills the map.
  void percentiles(Local<v8::Map> map, bool as_bigint) const {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::Context> context = isolate->GetCurrentContext();
    const auto list = locked([](const Records& of) { return of.histogram.percentiles(); });
    for (const auto& [percent, value] : list) {
      const Local<v8::Value> shown =
          as_bigint ? to_bigint(value).As<v8::Value>()
                    : v8::Number::New(isolate, static_cast<double>(value)).As<v8::Value>();
      const Local<v8::Value> key = v8::Number::New(isolate, percent);
      if (map->Set(context, key, shown).IsEmpty()) return;
    }
  }

  /// start(resolution_ms, reset): records the time between two expiries of a timer from now on.
  void start(std::int64_t resolution_ms, bool resets) {
    if (resets) reset();
    timer_ = environment().loop().set_interval(std::chrono::milliseconds(resolution_ms),
                                               [this] { record_delta(); });
    timer_.unref();
    hold();
  }

  void stop() {
    timer_.clear();
    let_go();
  }

 private:
  Records copy() const {
    return locked([](const Records& records) { return records; });
  }

  Local<v8::BigInt> to_bigint(std::int64_t value) const {
    return v8::BigInt::New(environment().isolate(), value);
  }

  /// A number of any size; what is not a number is below all values.
  static std::int64_t bounded(double value) {
    constexpr double kMost = 9.2e18;
    const double number = std::floor(value);
    return number >= -1 ? static_cast<std::int64_t>(std::min(number, kMost)) : -1;
  }

  std::shared_ptr<SharedHistogram> shared_;
  Timer timer_;
};

constexpr Method kPrototype[] = {
    method<&HistogramObject::record>("record"),
    method<&HistogramObject::record_delta>("recordDelta"),
    method<&HistogramObject::add>("add"),
    method<&HistogramObject::record_corrected>("recordCorrected"),
    method<&HistogramObject::subtract>("subtract"),
    method<&HistogramObject::get<&HistogramObject::skewness>>("skewness"),
    method<&HistogramObject::get<&HistogramObject::kurtosis>>("kurtosis"),
    method<&HistogramObject::get<&HistogramObject::moving_mean>>("movingMean"),
    method<&HistogramObject::get<&HistogramObject::moving_stddev>>("movingStddev"),
    method<&HistogramObject::get<&HistogramObject::moving_error_rate>>("movingErrorRate"),
    method<&HistogramObject::count_at>("countAt"),
    method<&HistogramObject::count_to>("countTo"),
    method<&HistogramObject::reset>("reset"),
    method<&HistogramObject::get<&HistogramObject::count>>("count"),
    method<&HistogramObject::get_bigint<&HistogramObject::count>>("countBigInt"),
    method<&HistogramObject::get<&HistogramObject::min>>("min"),
    method<&HistogramObject::get_bigint<&HistogramObject::min>>("minBigInt"),
    method<&HistogramObject::get<&HistogramObject::max>>("max"),
    method<&HistogramObject::get_bigint<&HistogramObject::max>>("maxBigInt"),
    method<&HistogramObject::get<&HistogramObject::exceeds>>("exceeds"),
    method<&HistogramObject::get_bigint<&HistogramObject::exceeds>>("exceedsBigInt"),
    method<&HistogramObject::get<&HistogramObject::mean>>("mean"),
    method<&HistogramObject::get<&HistogramObject::stddev>>("stddev"),
    method<&HistogramObject::percentile>("percentile"),
    method<&HistogramObject::percentile_bigint>("percentileBigInt"),
    method<&HistogramObject::percentiles>("percentiles"),
    method<&HistogramObject::export_bytes>("export"),
    method<&HistogramObject::buckets>("buckets"),
    method<&HistogramObject::lowest_equal>("lowestEqual"),
    method<&HistogramObject::shares_with>("sharesWith"),
    method<&HistogramObject::start>("start"),
    method<&HistogramObject::stop>("stop"),
};

constexpr ClassShape kClasses[] = {
    {"Histogram", HistogramObject::construct, kPrototype},
};

}  // namespace

extern const Binding binding_histogram;
const Binding binding_histogram{.name = "histogram", .classes = kClasses};

}  // namespace rondo
