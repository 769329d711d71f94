// For lib/rondo/lens.js: figures of the loop, and of each iteration when it has ended.
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

/// startMetrics() -> true if they begin now, false if they exist; undefined if a C++ program
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

/// Takes the figures at the end of each iteration, and reports them a little later: from the
/// prepare phase of the next one, by an unref'd hook.
class Iterations final : public Wrapped, private lens::Watcher {
 public:
  /// new Iterations(callback): callback() is called when there is something to take
  static void construct(const Arguments& args) {
    new Iterations(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
  }

  /// start() -> false if a C++ program observes the loop
  static void start(const Arguments& args) {
    args.GetReturnValue().Set(from<Iterations>(args.This())->start());
  }

  /// take() -> the figures of the iteration that has ended, after its number; undefined if they
  /// were taken
  static void take(const Arguments& args) {
    auto* self = from<Iterations>(args.This());
    if (!self->ended_) return;
    args.GetReturnValue().Set(self->ended_->to_array(args.GetIsolate()));
    self->ended_.reset();
  }

  /// soFar() -> the same for the current iteration
  static void so_far(const Arguments& args) {
    auto* self = from<Iterations>(args.This());
    const Figures now = self->figures_of(self->lens_->iteration());
    args.GetReturnValue().Set(now.to_array(args.GetIsolate()));
  }

  /// ownCallbacks() -> how often callback() was called: the loop counts that as well
  static void own_callbacks(const Arguments& args) {
    args.GetReturnValue().Set(static_cast<double>(from<Iterations>(args.This())->own_callbacks_));
  }

  /// iteration() -> the number of the current iteration
  static void iteration(const Arguments& args) {
    args.GetReturnValue().Set(
        static_cast<double>(from<Iterations>(args.This())->lens_->iteration()));
  }

  static void stop(const Arguments& args) {
    auto* self = from<Iterations>(args.This());
    self->stop();
    self->let_go();
  }

 private:
  Iterations(Environment& environment, v8::Local<v8::Object> object,
             v8::Local<v8::Function> callback)
      : Wrapped(environment, object), callback_(environment.isolate(), callback) {}

  ~Iterations() override { stop(); }

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

  /// By the loop's clock: an iteration lasts as long as its parts.
  Figures figures_of(std::uint64_t iteration) const {
    const Metrics metrics = environment().loop().metrics();
    return {metrics, metrics.at, iteration, own_callbacks_};
  }

  void tell() {
    ++own_callbacks_;
    if (!ended_) return;
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    environment().call(object(), callback_.Get(isolate), {});
  }

  v8::Global<v8::Function> callback_;
  lens::Lens* lens_ = nullptr;
  Hook prepare_;
  std::uint64_t own_callbacks_ = 0;
  std::optional<Figures> ended_;  // as they were then, until they are taken
};

constexpr Method kIterationsMethods[] = {
    {"start", Iterations::start},         {"take", Iterations::take},
    {"soFar", Iterations::so_far},        {"ownCallbacks", Iterations::own_callbacks},
    {"iteration", Iterations::iteration}, {"stop", Iterations::stop}};
constexpr ClassShape kClasses[] = {{"Iterations", Iterations::construct, kIterationsMethods}};

constexpr Method kMethods[] = {{"figures", figures},
                               {"phase", phase},
                               {"startMetrics", start_metrics},
                               {"prometheus", prometheus}};

}  // namespace

extern const Binding binding_iterations;
const Binding binding_iterations{.name = "iterations", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
