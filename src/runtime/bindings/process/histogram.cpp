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
#include "runtime/glue/binding.h"
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

  static HistogramObject& of(const Arguments& args) {
    return *Wrapped::from<HistogramObject>(args.This());
  }

  /// new Histogram(lowest, highest, figures, half-life, threshold): numbers or BigInts.
  static void construct(const Arguments& args) {
    const auto figures = static_cast<int>(args[2].As<v8::Number>()->Value());
    new HistogramObject(
        Environment::of(args.GetIsolate()), args.This(),
        Histogram(integer(args[0]), integer(args[1]), figures),
        MovingFigures(args[3].As<v8::Number>()->Value(), args[4].As<v8::Number>()->Value()));
  }

  /// recordCorrected(value, interval)
  static void record_corrected(const Arguments& args) {
    HistogramObject& self = of(args);
    const std::int64_t value = integer(args[0]);
    if (self.histogram_.record_corrected(value, integer(args[1]))) {
      self.moving_.record(static_cast<double>(value));
    } else {
      ++self.exceeds_;
    }
  }

  static void subtract(const Arguments& args) {
    of(args).histogram_.subtract(Wrapped::from<HistogramObject>(args[0])->histogram_);
  }

  template <double (*kGet)(const HistogramObject&)>
  static void get_double(const Arguments& args) {
    args.GetReturnValue().Set(kGet(of(args)));
  }
  static double skewness(const HistogramObject& self) { return self.histogram_.skewness(); }
  static double kurtosis(const HistogramObject& self) { return self.histogram_.kurtosis(); }
  static double moving_mean(const HistogramObject& self) { return self.moving_.mean(); }
  static double moving_stddev(const HistogramObject& self) { return self.moving_.stddev(); }
  static double moving_error_rate(const HistogramObject& self) { return self.moving_.error_rate(); }

  static void count_at(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(of(args).histogram_.count_at(bounded(args[0]))));
  }
  static void count_to(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(of(args).histogram_.count_to(bounded(args[0]))));
  }

  static void record(const Arguments& args) { of(args).record(integer(args[0])); }
  static void record_delta(const Arguments& args) { of(args).record_delta(); }

  static void add(const Arguments& args) {
    HistogramObject& self = of(args);
    const auto& other = *Wrapped::from<HistogramObject>(args[0]);
    other.histogram_.each([&](std::int64_t value, std::int64_t times) {
      if (!self.histogram_.record(value, times)) self.exceeds_ += times;
      return true;
    });
    self.exceeds_ += other.exceeds_;
    self.last_ns_ = std::max(self.last_ns_, other.last_ns_);
  }

  static void reset(const Arguments& args) { of(args).reset(); }

  template <std::int64_t (*kGet)(const HistogramObject&)>
  static void get(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(kGet(of(args))));
  }
  template <std::int64_t (*kGet)(const HistogramObject&)>
  static void get_bigint(const Arguments& args) {
    args.GetReturnValue().Set(v8::BigInt::New(args.GetIsolate(), kGet(of(args))));
  }

  static std::int64_t count(const HistogramObject& self) { return self.histogram_.count(); }
  static std::int64_t min(const HistogramObject& self) { return self.histogram_.min(); }
  static std::int64_t max(const HistogramObject& self) { return self.histogram_.max(); }
  static std::int64_t exceeds(const HistogramObject& self) { return self.exceeds_; }

  static void mean(const Arguments& args) { args.GetReturnValue().Set(of(args).histogram_.mean()); }
  static void stddev(const Arguments& args) {
    args.GetReturnValue().Set(of(args).histogram_.stddev());
  }

  static void percentile(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(percentile_of(args)));
  }
  static void percentile_bigint(const Arguments& args) {
    args.GetReturnValue().Set(v8::BigInt::New(args.GetIsolate(), percentile_of(args)));
  }

  /// percentiles(map, as_bigint): fills the map.
  static void percentiles(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    const Local<v8::Context> context = isolate->GetCurrentContext();
    for (const auto& [percent, value] : of(args).histogram_.percentiles()) {
      const Local<v8::Value> shown =
          args[1]->IsTrue() ? v8::BigInt::New(isolate, value).As<v8::Value>()
                            : v8::Number::New(isolate, static_cast<double>(value)).As<v8::Value>();
      const Local<v8::Value> key = v8::Number::New(isolate, percent);
      if (args[0].As<v8::Map>()->Set(context, key, shown).IsEmpty()) return;
    }
  }

  /// start(resolution_ms, reset): records the time between two expiries of a timer from now on.
  static void start(const Arguments& args) {
    HistogramObject& self = of(args);
    if (args[1]->IsTrue()) self.reset();
    const auto resolution = std::chrono::milliseconds(integer(args[0]));
    self.timer_ =
        self.environment().loop().set_interval(resolution, [&self] { self.record_delta(); });
    self.timer_.unref();
    self.hold();
  }

  static void stop(const Arguments& args) {
    HistogramObject& self = of(args);
    self.timer_.clear();
    self.let_go();
  }

 private:
  /// A number of any size; what is not a number is below all values.
  static std::int64_t bounded(Local<v8::Value> value) {
    constexpr double kMost = 9.2e18;
    const double number = std::floor(value.As<v8::Number>()->Value());
    return number >= -1 ? static_cast<std::int64_t>(std::min(number, kMost)) : -1;
  }

  static std::int64_t percentile_of(const Arguments& args) {
    return of(args).histogram_.percentile(args[0].As<v8::Number>()->Value());
  }

  void record(std::int64_t value) {
    if (histogram_.record(value))
      moving_.record(static_cast<double>(value));
    else
      ++exceeds_;
  }

  void record_delta() {
    const auto now = static_cast<std::int64_t>(monotonic_ns());
    if (last_ns_ > 0) record(now - last_ns_);
    last_ns_ = now;
  }

  void reset() {
    histogram_.reset();
    moving_.reset();
    exceeds_ = 0;
    last_ns_ = 0;
  }

  Histogram histogram_;
  MovingFigures moving_;
  std::int64_t exceeds_ = 0;
  std::int64_t last_ns_ = 0;
  Timer timer_;
};

constexpr Method kPrototype[] = {
    {"record", HistogramObject::record},
    {"recordDelta", HistogramObject::record_delta},
    {"add", HistogramObject::add},
    {"recordCorrected", HistogramObject::record_corrected},
    {"subtract", HistogramObject::subtract},
    {"skewness", HistogramObject::get_double<HistogramObject::skewness>},
    {"kurtosis", HistogramObject::get_double<HistogramObject::kurtosis>},
    {"movingMean", HistogramObject::get_double<HistogramObject::moving_mean>},
    {"movingStddev", HistogramObject::get_double<HistogramObject::moving_stddev>},
    {"movingErrorRate", HistogramObject::get_double<HistogramObject::moving_error_rate>},
    {"countAt", HistogramObject::count_at},
    {"countTo", HistogramObject::count_to},
    {"reset", HistogramObject::reset},
    {"count", HistogramObject::get<HistogramObject::count>},
    {"countBigInt", HistogramObject::get_bigint<HistogramObject::count>},
    {"min", HistogramObject::get<HistogramObject::min>},
    {"minBigInt", HistogramObject::get_bigint<HistogramObject::min>},
    {"max", HistogramObject::get<HistogramObject::max>},
    {"maxBigInt", HistogramObject::get_bigint<HistogramObject::max>},
    {"exceeds", HistogramObject::get<HistogramObject::exceeds>},
    {"exceedsBigInt", HistogramObject::get_bigint<HistogramObject::exceeds>},
    {"mean", HistogramObject::mean},
    {"stddev", HistogramObject::stddev},
    {"percentile", HistogramObject::percentile},
    {"percentileBigInt", HistogramObject::percentile_bigint},
    {"percentiles", HistogramObject::percentiles},
    {"start", HistogramObject::start},
    {"stop", HistogramObject::stop},
};

constexpr ClassShape kClasses[] = {
    {"Histogram", HistogramObject::construct, kPrototype},
};

}  // namespace

extern const Binding binding_histogram;
const Binding binding_histogram{.name = "histogram", .classes = kClasses};

}  // namespace rondo
