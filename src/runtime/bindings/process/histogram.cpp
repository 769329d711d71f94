// Histograms for perf_hooks: one that JavaScript records into, and one that records by itself how
// late a timer of the loop is.
#include "runtime/observe/histogram.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/cloneable.h"
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

  static HistogramObject& of(const Arguments& args) {
    return *Wrapped::from<HistogramObject>(args.This());
  }

  /// new Histogram(lowest, highest, figures, half-life, threshold): numbers or BigInts. Or what a clone
  /// shares.
  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    if (const auto* shared = native_data<std::shared_ptr<SharedHistogram>>(args[0])) {
      new HistogramObject(environment, args.This(), *shared);
      return;
    }
    const auto figures = static_cast<int>(args[2].As<v8::Number>()->Value());
    new HistogramObject(
        environment, args.This(),
        std::make_shared<SharedHistogram>(
            Records{.histogram = Histogram(integer(args[0]), integer(args[1]), figures),
                    .moving = MovingFigures(args[3].As<v8::Number>()->Value(),
                                            args[4].As<v8::Number>()->Value())}));
  }

  std::shared_ptr<const CloneData> share() const override {
    return std::make_shared<HistogramClone>(shared_);
  }

  static void record(const Arguments& args) {
    of(args).locked([&](Records& records) { records.record(integer(args[0])); });
  }
  static void record_delta(const Arguments& args) { of(args).locked(&Records::record_delta); }

  /// recordCorrected(value, interval)
  static void record_corrected(const Arguments& args) {
    of(args).locked([&](Records& records) {
      const std::int64_t value = integer(args[0]);
      if (records.histogram.record_corrected(value, integer(args[1]))) {
        records.moving.record(static_cast<double>(value));
      } else {
        ++records.exceeds;
      }
    });
  }

  static void subtract(const Arguments& args) {
    const Histogram other = copy_of(args[0]).histogram;
    of(args).locked([&](Records& records) { records.histogram.subtract(other); });
  }

  static void add(const Arguments& args) {
    const Records other = copy_of(args[0]);
    of(args).locked([&](Records& records) { records.add(other); });
  }

  static void reset(const Arguments& args) { of(args).locked(&Records::reset); }

  static void count_at(const Arguments& args) {
    const std::int64_t value = bounded(args[0]);
    of(args).answer(args, [value](const Records& records) {
      return static_cast<double>(records.histogram.count_at(value));
    });
  }
  static void count_to(const Arguments& args) {
    const std::int64_t value = bounded(args[0]);
    of(args).answer(args, [value](const Records& records) {
      return static_cast<double>(records.histogram.count_to(value));
    });
  }

  template <double (*kGet)(const Records&)>
  static void get_double(const Arguments& args) {
    of(args).answer(args, kGet);
  }
  static double mean(const Records& of) { return of.histogram.mean(); }
  static double stddev(const Records& of) { return of.histogram.stddev(); }
  static double skewness(const Records& of) { return of.histogram.skewness(); }
  static double kurtosis(const Records& of) { return of.histogram.kurtosis(); }
  static double moving_mean(const Records& of) { return of.moving.mean(); }
  static double moving_stddev(const Records& of) { return of.moving.stddev(); }
  static double moving_error_rate(const Records& of) { return of.moving.error_rate(); }

  template <std::int64_t (*kGet)(const Records&)>
  static void get(const Arguments& args) {
    of(args).answer(
        args, [](const Records& records) { return static_cast<double>(kGet(records)); });
  }
  template <std::int64_t (*kGet)(const Records&)>
  static void get_bigint(const Arguments& args) {
    args.GetReturnValue().Set(v8::BigInt::New(args.GetIsolate(), of(args).locked(kGet)));
  }
  static std::int64_t count(const Records& of) { return of.histogram.count(); }
  static std::int64_t min(const Records& of) { return of.histogram.min(); }
  static std::int64_t max(const Records& of) { return of.histogram.max(); }
  static std::int64_t exceeds(const Records& of) { return of.exceeds; }

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
    const auto list =
        of(args).locked([](const Records& records) { return records.histogram.percentiles(); });
    for (const auto& [percent, value] : list) {
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
    if (args[1]->IsTrue()) self.locked(&Records::reset);
    const auto resolution = std::chrono::milliseconds(integer(args[0]));
    self.timer_ = self.environment().loop().set_interval(
        resolution, [&self] { self.locked(&Records::record_delta); });
    self.timer_.unref();
    self.hold();
  }

  static void stop(const Arguments& args) {
    HistogramObject& self = of(args);
    self.timer_.clear();
    self.let_go();
  }

 private:
  template <class Function>
  void answer(const Arguments& args, Function function) const {
    args.GetReturnValue().Set(locked(std::move(function)));
  }

  /// Of another object, which may be the same one.
  static Records copy_of(Local<v8::Value> value) {
    return Wrapped::from<HistogramObject>(value)->locked(
        [](const Records& records) { return records; });
  }

  /// A number of any size; what is not a number is below all values.
  static std::int64_t bounded(Local<v8::Value> value) {
    constexpr double kMost = 9.2e18;
    const double number = std::floor(value.As<v8::Number>()->Value());
    return number >= -1 ? static_cast<std::int64_t>(std::min(number, kMost)) : -1;
  }

  static std::int64_t percentile_of(const Arguments& args) {
    const double percent = args[0].As<v8::Number>()->Value();
    return of(args).locked(
        [percent](const Records& records) { return records.histogram.percentile(percent); });
  }

  std::shared_ptr<SharedHistogram> shared_;
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
    {"mean", HistogramObject::get_double<HistogramObject::mean>},
    {"stddev", HistogramObject::get_double<HistogramObject::stddev>},
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
