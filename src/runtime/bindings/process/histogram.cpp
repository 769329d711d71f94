// Histograms for perf_hooks: one that JavaScript records into, and one that records by itself how
// late a timer of the loop is.
#include "runtime/observe/histogram.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "runtime/glue/binding.h"
#include "runtime/engine/environment.h"
#include "runtime/process/start_time.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;

std::int64_t integer(Local<v8::Value> value) {
  if (value->IsBigInt()) return value.As<v8::BigInt>()->Int64Value();
  return static_cast<std::int64_t>(value.As<v8::Number>()->Value());
}

class HistogramObject : public Wrapped {
 public:
  HistogramObject(Environment& environment, Local<v8::Object> object, Histogram histogram)
      : Wrapped(environment, object), histogram_(std::move(histogram)) {}
  ~HistogramObject() override { timer_.clear(); }

  static HistogramObject& of(const Arguments& args) {
    return *Wrapped::from<HistogramObject>(args.This());
  }

  /// new Histogram(lowest, highest, figures): numbers or BigInts.
  static void construct(const Arguments& args) {
    const auto figures = static_cast<int>(args[2].As<v8::Number>()->Value());
    new HistogramObject(Environment::of(args.GetIsolate()), args.This(),
                        Histogram(integer(args[0]), integer(args[1]), figures));
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

  /// start(resolution_ms, reset): records the time between two rounds of a timer from now on.
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
  static std::int64_t percentile_of(const Arguments& args) {
    return of(args).histogram_.percentile(args[0].As<v8::Number>()->Value());
  }

  void record(std::int64_t value) {
    if (!histogram_.record(value)) ++exceeds_;
  }

  void record_delta() {
    const auto now = static_cast<std::int64_t>(monotonic_ns());
    if (last_ns_ > 0) record(now - last_ns_);
    last_ns_ = now;
  }

  void reset() {
    histogram_.reset();
    exceeds_ = 0;
    last_ns_ = 0;
  }

  Histogram histogram_;
  std::int64_t exceeds_ = 0;
  std::int64_t last_ns_ = 0;
  Timer timer_;
};

constexpr Method kPrototype[] = {
    {"record", HistogramObject::record},
    {"recordDelta", HistogramObject::record_delta},
    {"add", HistogramObject::add},
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

constexpr v8::FunctionCallback kReferences[] = {
    HistogramObject::construct,
    HistogramObject::record,
    HistogramObject::record_delta,
    HistogramObject::add,
    HistogramObject::reset,
    HistogramObject::get<HistogramObject::count>,
    HistogramObject::get_bigint<HistogramObject::count>,
    HistogramObject::get<HistogramObject::min>,
    HistogramObject::get_bigint<HistogramObject::min>,
    HistogramObject::get<HistogramObject::max>,
    HistogramObject::get_bigint<HistogramObject::max>,
    HistogramObject::get<HistogramObject::exceeds>,
    HistogramObject::get_bigint<HistogramObject::exceeds>,
    HistogramObject::mean,
    HistogramObject::stddev,
    HistogramObject::percentile,
    HistogramObject::percentile_bigint,
    HistogramObject::percentiles,
    HistogramObject::start,
    HistogramObject::stop,
};

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto shape = v8::FunctionTemplate::New(isolate, guarded(HistogramObject::construct));
  const auto signature = v8::Signature::New(isolate, shape);
  shape->SetClassName(environment.name("Histogram"));
  shape->InstanceTemplate()->SetInternalFieldCount(1);
  for (const Method& method : kPrototype) {
    shape->PrototypeTemplate()->Set(environment.name(method.name),
                                    v8::FunctionTemplate::New(isolate, guarded(method.callback),
                                                              Local<v8::Value>(), signature));
  }
  set_value(environment, target, "Histogram",
            shape->GetFunction(isolate->GetCurrentContext()).ToLocalChecked());
}

}  // namespace

extern const Binding binding_histogram;
const Binding binding_histogram{"histogram", {}, extend, kReferences};

}  // namespace rondo
