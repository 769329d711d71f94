// Histograms for perf_hooks: one that JavaScript records into, and one that records by itself how
// late a timer of the loop is.
#include "runtime/observe/histogram.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
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

class HistogramObject : public Wrapped {
 public:
  HistogramObject(Environment& environment, Local<v8::Object> object, Histogram histogram,
                  MovingFigures moving)
      : Wrapped(environment, object), histogram_(std::move(histogram)), moving_(moving) {}
  ~HistogramObject() override { timer_.clear(); }

  /// new Histogram(lowest, highest, figures, half-life, threshold): numbers or BigInts.
  static void construct(const Arguments& args) {
    const auto figures = static_cast<int>(args[2].As<v8::Number>()->Value());
    new HistogramObject(
        Environment::of(args.GetIsolate()), args.This(),
        Histogram(integer(args[0]), integer(args[1]), figures),
        MovingFigures(args[3].As<v8::Number>()->Value(), args[4].As<v8::Number>()->Value()));
  }

  /// record(number or BigInt)
  void record(Local<v8::Value> value) { record_value(integer(value)); }

  /// recordCorrected(value, interval)
  void record_corrected(Local<v8::Value> value, Local<v8::Value> interval) {
    const std::int64_t number = integer(value);
    if (histogram_.record_corrected(number, integer(interval))) {
      moving_.record(static_cast<double>(number));
    } else {
      ++exceeds_;
    }
  }

  void record_delta() {
    const auto now = static_cast<std::int64_t>(monotonic_ns());
    if (last_ns_ > 0) record_value(now - last_ns_);
    last_ns_ = now;
  }

  void add(const HistogramObject& other) {
    other.histogram_.each([&](std::int64_t value, std::int64_t times) {
      if (!histogram_.record(value, times)) exceeds_ += times;
      return true;
    });
    exceeds_ += other.exceeds_;
    last_ns_ = std::max(last_ns_, other.last_ns_);
  }

  void subtract(const HistogramObject& other) { histogram_.subtract(other.histogram_); }

  void reset() {
    histogram_.reset();
    moving_.reset();
    exceeds_ = 0;
    last_ns_ = 0;
  }

  std::int64_t count() const { return histogram_.count(); }
  std::int64_t min() const { return histogram_.min(); }
  std::int64_t max() const { return histogram_.max(); }
  std::int64_t exceeds() const { return exceeds_; }
  double mean() const { return histogram_.mean(); }
  double stddev() const { return histogram_.stddev(); }
  double skewness() const { return histogram_.skewness(); }
  double kurtosis() const { return histogram_.kurtosis(); }
  double moving_mean() const { return moving_.mean(); }
  double moving_stddev() const { return moving_.stddev(); }
  double moving_error_rate() const { return moving_.error_rate(); }
  std::int64_t count_at(double value) const { return histogram_.count_at(bounded(value)); }
  std::int64_t count_to(double value) const { return histogram_.count_to(bounded(value)); }
  std::int64_t percentile(double percent) const { return histogram_.percentile(percent); }

  /// One of the above as a BigInt.
  template <auto kGet, class... Parameters>
  Local<v8::BigInt> as_bigint(Parameters... parameters) const {
    return v8::BigInt::New(environment().isolate(), (this->*kGet)(parameters...));
  }

  /// percentiles(map, as_bigint): fills the map.
  void percentiles(Local<v8::Map> map, bool as_bigints) const {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::Context> context = isolate->GetCurrentContext();
    for (const auto& [percent, value] : histogram_.percentiles()) {
      const Local<v8::Value> shown =
          as_bigints ? v8::BigInt::New(isolate, value).As<v8::Value>()
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
  /// A number of any size; what is not a number is below all values.
  static std::int64_t bounded(double value) {
    constexpr double kMost = 9.2e18;
    const double number = std::floor(value);
    return number >= -1 ? static_cast<std::int64_t>(std::min(number, kMost)) : -1;
  }

  void record_value(std::int64_t value) {
    if (histogram_.record(value))
      moving_.record(static_cast<double>(value));
    else
      ++exceeds_;
  }

  Histogram histogram_;
  MovingFigures moving_;
  std::int64_t exceeds_ = 0;
  std::int64_t last_ns_ = 0;
  Timer timer_;
};

constexpr Method kPrototype[] = {
    method<&HistogramObject::record>("record"),
    method<&HistogramObject::record_delta>("recordDelta"),
    method<&HistogramObject::add>("add"),
    method<&HistogramObject::record_corrected>("recordCorrected"),
    method<&HistogramObject::subtract>("subtract"),
    method<&HistogramObject::skewness>("skewness"),
    method<&HistogramObject::kurtosis>("kurtosis"),
    method<&HistogramObject::moving_mean>("movingMean"),
    method<&HistogramObject::moving_stddev>("movingStddev"),
    method<&HistogramObject::moving_error_rate>("movingErrorRate"),
    method<&HistogramObject::count_at>("countAt"),
    method<&HistogramObject::count_to>("countTo"),
    method<&HistogramObject::reset>("reset"),
    method<&HistogramObject::count>("count"),
    method<&HistogramObject::as_bigint<&HistogramObject::count>>("countBigInt"),
    method<&HistogramObject::min>("min"),
    method<&HistogramObject::as_bigint<&HistogramObject::min>>("minBigInt"),
    method<&HistogramObject::max>("max"),
    method<&HistogramObject::as_bigint<&HistogramObject::max>>("maxBigInt"),
    method<&HistogramObject::exceeds>("exceeds"),
    method<&HistogramObject::as_bigint<&HistogramObject::exceeds>>("exceedsBigInt"),
    method<&HistogramObject::mean>("mean"),
    method<&HistogramObject::stddev>("stddev"),
    method<&HistogramObject::percentile>("percentile"),
    method<&HistogramObject::as_bigint<&HistogramObject::percentile, double>>("percentileBigInt"),
    method<&HistogramObject::percentiles>("percentiles"),
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
