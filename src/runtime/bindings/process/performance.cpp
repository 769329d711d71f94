// For perf_hooks: the clock of performance.now(), when the stages of the start were reached, the
// time that the loop was idle, and the collections of garbage.
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

using v8::Local;

// Since the beginning of the process.
double milliseconds(std::uint64_t at_ns) {
  return (static_cast<double>(at_ns) - static_cast<double>(start_ns())) / 1e6;
}

double now() {
  return milliseconds(monotonic_ns());
}

// The beginning of the process on the monotonic clock, in milliseconds.
double get_time_origin() {
  return static_cast<double>(start_ns()) / 1e6;
}

// The same as time of day: performance.timeOrigin.
double get_time_origin_timestamp() {
  return start_epoch_ms();
}

// milestone(index): when a stage of the start was reached, on the clock of now(), or -1.
double milestone(std::int32_t index) {
  const std::uint64_t at_ns = reached_ns(static_cast<Milestone>(index));
  return at_ns == 0 ? -1.0 : milliseconds(at_ns);
}

// Milliseconds asleep in the poll phase.
double loop_idle_time(Environment& environment) {
  const std::chrono::duration<double, std::milli> idle = environment.loop().metrics().idle;
  return idle.count();
}

// loopMetrics() -> what the loop has done so far.
Local<v8::Object> loop_metrics(Environment& environment) {
  const Metrics metrics = environment.loop().metrics();
  const Local<v8::Object> result = v8::Object::New(environment.isolate());
  set_value(environment, result, "loopCount", static_cast<double>(metrics.iterations));
  set_value(environment, result, "events", static_cast<double>(metrics.events));
  set_value(environment, result, "eventsWaiting", static_cast<double>(metrics.depth.completions));
  return result;
}

/// Watches the garbage collector and reports each collection from the check phase.
class GcWatcher final : public Wrapped {
 public:
  /// new GcWatcher(report): report(kind, flags, start, duration), times as those of now().
  static void construct(const Arguments& args) {
    new GcWatcher(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
  }

  void start() {
    if (watching_) return;
    watching_ = true;
    environment().isolate()->AddGCPrologueCallback(begun, this);
    environment().isolate()->AddGCEpilogueCallback(ended, this);
    hold();
  }

  void stop() {
    if (!watching_) return;
    unwatch();
    let_go();
  }

 private:
  struct Collection {
    v8::GCType kind;
    v8::GCCallbackFlags flags;
    double start;
    double duration;
  };

  GcWatcher(Environment& environment, Local<v8::Object> object, Local<v8::Function> report)
      : Wrapped(environment, object), report_(environment.isolate(), report) {}

  ~GcWatcher() override {
    if (watching_) unwatch();
  }

  void unwatch() {
    environment().isolate()->RemoveGCPrologueCallback(begun, this);
    environment().isolate()->RemoveGCEpilogueCallback(ended, this);
    check_.clear();
    collections_.clear();
    watching_ = false;
  }

  static void begun(v8::Isolate*, v8::GCType kind, v8::GCCallbackFlags, void* data) {
    auto* self = static_cast<GcWatcher*>(data);
    self->kind_ = kind;
    self->begun_ns_ = monotonic_ns();
  }

  static void ended(v8::Isolate*, v8::GCType kind, v8::GCCallbackFlags flags, void* data) {
    auto* self = static_cast<GcWatcher*>(data);
    if (kind != self->kind_) return;
    const std::uint64_t took_ns = monotonic_ns() - self->begun_ns_;
    self->collections_.push_back(
        {kind, flags, milliseconds(self->begun_ns_), static_cast<double>(took_ns) / 1e6});
    if (self->collections_.size() > 1) return;
    // Before the immediates, as in Node.
    self->check_ = self->environment().loop().on_check([self] { self->report(); });
    self->check_.unref();
  }

  void report() {
    check_.clear();
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    for (const Collection& each : std::exchange(collections_, {})) {
      static_cast<void>(environment().call(
          v8::Undefined(isolate), report_.Get(isolate),
          {v8::Integer::New(isolate, each.kind), v8::Integer::New(isolate, each.flags),
           v8::Number::New(isolate, each.start), v8::Number::New(isolate, each.duration)}));
    }
  }

  v8::Global<v8::Function> report_;
  std::vector<Collection> collections_;
  rondo::Hook check_;
  std::uint64_t begun_ns_ = 0;
  v8::GCType kind_{};
  bool watching_ = false;
};

constexpr Method kWatcherMethods[] = {method<&GcWatcher::start>("start"),
                                      method<&GcWatcher::stop>("stop")};
constexpr ClassShape kClasses[] = {{"GcWatcher", GcWatcher::construct, kWatcherMethods}};

constexpr Method kMethods[] = {
    method<now>("now"),
    method<get_time_origin>("getTimeOrigin"),
    method<get_time_origin_timestamp>("getTimeOriginTimestamp"),
    method<milestone>("milestone"),
    method<loop_idle_time>("loopIdleTime"),
    method<loop_metrics>("loopMetrics"),
};

}  // namespace

extern const Binding binding_performance;
const Binding binding_performance{.name = "performance", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
