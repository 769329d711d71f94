// For lib/rondo/lens.js: what the loop has done so far, in figures, and its turns, as they end.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/lens.h"
#include "rondo/lens/metrics.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// Numbers, in an order that lib/rondo/lens.js knows.
class Figures {
 public:
  /// `own`: callbacks in the prepare phase that are not the program's.
  Figures(const Metrics& metrics, lens::Time at, std::uint64_t iteration, std::uint64_t own) {
    add(static_cast<double>(iteration));
    add(milliseconds(at));
    add(static_cast<double>(metrics.events));
    add(static_cast<double>(metrics.waits));
    add(milliseconds(metrics.idle));
    for (std::size_t i = 1; i < kPhaseCount; ++i) {  // 0 is none
      const std::uint64_t others = static_cast<Phase>(i) == Phase::prepare ? own : 0;
      add(static_cast<double>(metrics.phases[i].callbacks - others));
      add(milliseconds(metrics.phases[i].time));
    }
    const QueueDepths& depth = metrics.depth;
    for (const std::size_t waiting :
         {depth.timers, depth.pending, depth.completions + depth.posted, depth.close}) {
      add(static_cast<double>(waiting));
    }
  }

  v8::Local<v8::Array> to_array(v8::Isolate* isolate) const {
    std::array<v8::Local<v8::Value>, kCount> numbers;
    for (std::size_t i = 0; i < kCount; ++i) numbers[i] = v8::Number::New(isolate, values_[i]);
    return v8::Array::New(isolate, numbers.data(), kCount);
  }

 private:
  static constexpr std::size_t kCount = 5 + 2 * (kPhaseCount - 1) + 4;

  void add(double value) { values_[count_++] = value; }

  std::array<double, kCount> values_{};
  std::size_t count_ = 0;
};

/// figures(own) -> those of this moment
void figures(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Metrics metrics = Environment::of(isolate).loop().metrics();
  const auto own = static_cast<std::uint64_t>(args[0].As<v8::Number>()->Value());
  const Figures now(metrics, lens::now(), metrics.iterations, own);
  args.GetReturnValue().Set(now.to_array(isolate));
}

/// phase() -> the name of the one that runs
void phase(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  args.GetReturnValue().Set(environment.name(to_string(environment.loop().phase())));
}

/// The figures of a program that was started without a page.
struct OwnMetrics final : Companion {
  explicit OwnMetrics(lens::Lens& lens) : metrics(lens) {}
  lens::Metrics metrics;
};

/// startMetrics() -> true if they begin now, false if they are there; undefined if somebody else
/// observes the loop
void start_metrics(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  lens::Lens* lens = environment.need_lens();
  if (lens == nullptr) return;
  const bool begins = lens->metrics() == nullptr;
  if (begins) environment.accompany(std::make_unique<OwnMetrics>(*lens));
  args.GetReturnValue().Set(begins);
}

/// prometheus() -> their text
void prometheus(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const std::string text = to_prometheus(environment.lens()->metrics()->read());
  args.GetReturnValue().Set(environment.text(text));
}

/// Takes the figures where each turn ends, and tells of them a little later: from the prepare phase
/// of the next one, by a hook that keeps nobody alive and nobody from sleeping.
class Turns final : public Wrapped, private lens::Watcher {
 public:
  /// new Turns(told): told() is called when there is something to take
  static void construct(const Arguments& args) {
    new Turns(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
  }

  /// start() -> false if somebody else observes the loop
  static void start(const Arguments& args) {
    args.GetReturnValue().Set(from<Turns>(args.This())->start());
  }

  /// take() -> the figures of the turn that has ended, behind its number; undefined if that was
  /// taken
  static void take(const Arguments& args) {
    auto* self = from<Turns>(args.This());
    if (!self->ended_) return;
    args.GetReturnValue().Set(self->ended_->to_array(args.GetIsolate()));
    self->ended_.reset();
  }

  /// soFar() -> the same for the turn that is under way
  static void so_far(const Arguments& args) {
    auto* self = from<Turns>(args.This());
    const Figures now = self->figures_of(self->lens_->iteration());
    args.GetReturnValue().Set(now.to_array(args.GetIsolate()));
  }

  /// ownCallbacks() -> how often told() was called: the loop counts that as well
  static void own_callbacks(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(from<Turns>(args.This())->own_callbacks_));
  }

  /// iteration() -> the number of the turn that is under way
  static void iteration(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(from<Turns>(args.This())->lens_->iteration()));
  }

  static void stop(const Arguments& args) {
    auto* self = from<Turns>(args.This());
    self->stop();
    self->let_go();
  }

 private:
  Turns(Environment& environment, v8::Local<v8::Object> object, v8::Local<v8::Function> told)
      : Wrapped(environment, object), told_(environment.isolate(), told) {}

  ~Turns() override { stop(); }

  bool wants_subjects() const override { return false; }
  bool wants_labels() const override { return false; }
  bool wants_sites() const override { return false; }
  bool wants_promises() const override { return false; }

  bool start() {
    lens_ = environment().need_lens();
    if (lens_ == nullptr) return false;
    lens_->add(*this);
    prepare_ = environment().loop().on_prepare([this] { tell(); });
    prepare_.unref();
    hold();
    return true;
  }

  void stop() {
    prepare_.clear();
    if (lens_ != nullptr) lens_->remove(*this);
    lens_ = nullptr;
    environment().release_lens();
    ended_.reset();
  }

  void on_iteration(lens::Time /*at*/, std::uint64_t number) noexcept override {
    ended_ = figures_of(number - 1);
  }

  /// By the loop's clock: a turn lasts as long as its parts, whatever comes between two looks.
  Figures figures_of(std::uint64_t iteration) const {
    const Metrics metrics = environment().loop().metrics();
    return {metrics, metrics.at, iteration, own_callbacks_};
  }

  void tell() {
    ++own_callbacks_;
    if (!ended_) return;
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    environment().call(object(), told_.Get(isolate), {});
  }

  v8::Global<v8::Function> told_;
  lens::Lens* lens_ = nullptr;
  Hook prepare_;
  std::uint64_t own_callbacks_ = 0;
  std::optional<Figures> ended_;  // as they were then, until they are taken
};

constexpr v8::FunctionCallback kReferences[] = {
    Turns::construct,     Turns::start,     Turns::take, Turns::so_far,
    Turns::own_callbacks, Turns::iteration, Turns::stop};

void extend(Environment& environment, v8::Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::FunctionTemplate> turns =
      v8::FunctionTemplate::New(isolate, guarded(Turns::construct));
  turns->SetClassName(environment.name("Turns"));
  turns->InstanceTemplate()->SetInternalFieldCount(1);
  const v8::Local<v8::Signature> signature = v8::Signature::New(isolate, turns);
  const auto add = [&](std::string_view name, v8::FunctionCallback callback) {
    turns->PrototypeTemplate()->Set(
        environment.name(name),
        v8::FunctionTemplate::New(isolate, guarded(callback), v8::Local<v8::Value>(), signature));
  };
  add("start", Turns::start);
  add("take", Turns::take);
  add("soFar", Turns::so_far);
  add("ownCallbacks", Turns::own_callbacks);
  add("iteration", Turns::iteration);
  add("stop", Turns::stop);
  set_value(environment, target, "Turns",
            turns->GetFunction(isolate->GetCurrentContext()).ToLocalChecked());
}

constexpr Method kMethods[] = {{"figures", figures},
                               {"phase", phase},
                               {"startMetrics", start_metrics},
                               {"prometheus", prometheus}};

}  // namespace

extern const Binding binding_turns;
const Binding binding_turns{"turns", kMethods, extend, kReferences};

}  // namespace rondo
