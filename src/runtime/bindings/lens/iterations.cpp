// For lib/rondo/lens.js: figures of the loop, and of each iteration when it has ended.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/lens.h"
#include "rondo/lens/metrics.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// What Figures counts; lib/rondo/lens.js has the names from here.
enum class LoopFigure : std::uint8_t {
  iterations,
  at,
  events,
  waits,
  idle,
  timers_callbacks,
  timers_time,
  pending_callbacks,
  pending_time,
  idle_callbacks,
  idle_time,
  prepare_callbacks,
  prepare_time,
  poll_callbacks,
  poll_time,
  check_callbacks,
  check_time,
  close_callbacks,
  close_time,
  timers_waiting,
  pending_waiting,
  poll_waiting,
  close_waiting,
  kCount,
};

constexpr std::size_t index_of(LoopFigure figure) {
  return static_cast<std::size_t>(figure);
}

class Figures {
 public:
  /// `own`: callbacks in the prepare phase that are not the program's.
  Figures(const Metrics& metrics, lens::Time when, std::uint64_t iteration, std::uint64_t own) {
    using enum LoopFigure;
    set(iterations, static_cast<double>(iteration));
    set(at, milliseconds(when));
    set(events, static_cast<double>(metrics.events));
    set(waits, static_cast<double>(metrics.waits));
    set(idle, milliseconds(metrics.idle));
    // The phases stand in the order of the enumeration, `none` left out.
    constexpr std::size_t kFirst = index_of(timers_callbacks);
    static_assert(index_of(close_time) + 1 - kFirst == 2 * (kPhaseCount - 1));
    for (std::size_t i = 1; i < kPhaseCount; ++i) {
      const std::uint64_t others = static_cast<Phase>(i) == Phase::prepare ? own : 0;
      const std::size_t callbacks = kFirst + 2 * (i - 1);
      values_[callbacks] = static_cast<double>(metrics.phases[i].callbacks - others);
      values_[callbacks + 1] = milliseconds(metrics.phases[i].time);
    }
    const QueueDepths& depth = metrics.depth;
    set(timers_waiting, static_cast<double>(depth.timers));
    set(pending_waiting, static_cast<double>(depth.pending));
    set(poll_waiting, static_cast<double>(depth.completions + depth.posted));
    set(close_waiting, static_cast<double>(depth.close));
  }

  v8::Local<v8::Array> to_array(v8::Isolate* isolate) const {
    std::array<v8::Local<v8::Value>, kCount> numbers;
    for (std::size_t i = 0; i < kCount; ++i) numbers[i] = v8::Number::New(isolate, values_[i]);
    return v8::Array::New(isolate, numbers.data(), kCount);
  }

 private:
  static constexpr std::size_t kCount = index_of(LoopFigure::kCount);

  void set(LoopFigure which, double value) { values_[index_of(which)] = value; }

  std::array<double, kCount> values_{};
};

/// figures(own) -> those of this moment
v8::Local<v8::Array> figures(Environment& environment, double own) {
  const Metrics metrics = environment.loop().metrics();
  const Figures now(metrics, lens::now(), metrics.iterations, static_cast<std::uint64_t>(own));
  return now.to_array(environment.isolate());
}

/// phase() -> the name of the one that runs
v8::Local<v8::String> phase(Environment& environment) {
  return environment.name(to_string(environment.loop().phase()));
}

/// The figures of a program that was started without a page.
struct OwnMetrics final : Companion {
  explicit OwnMetrics(lens::Lens& lens) : metrics(lens) {}
  lens::Metrics metrics;
};

/// startMetrics() -> true if they begin now, false if they exist; undefined if a C++ program
/// observes the loop
std::optional<bool> start_metrics(Environment& environment) {
  lens::Lens* lens = environment.need_lens();
  if (lens == nullptr) return {};
  const bool begins = lens->metrics() == nullptr;
  if (begins) environment.accompany(std::make_unique<OwnMetrics>(*lens));
  return begins;
}

/// prometheus() -> their text
std::string prometheus(Environment& environment) {
  return to_prometheus(environment.lens()->metrics()->read());
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
  bool start() {
    lens_ = environment().need_lens();
    if (lens_ == nullptr) return false;
    lens_->add(*this);
    prepare_ = environment().loop().on_prepare([this] { report(); });
    prepare_.unref();
    hold();
    return true;
  }

  /// take() -> the figures of the iteration that has ended, after its number; undefined if they
  /// were taken
  v8::MaybeLocal<v8::Array> take() {
    if (!ended_) return {};
    return std::exchange(ended_, std::nullopt)->to_array(environment().isolate());
  }

  /// soFar() -> the same for the current iteration
  v8::Local<v8::Array> so_far() {
    return figures_of(lens_->iteration()).to_array(environment().isolate());
  }

  /// ownCallbacks() -> how often callback() was called: the loop counts that as well
  std::uint64_t own_callbacks() const { return own_callbacks_; }

  /// iteration() -> the number of the current iteration
  std::uint64_t iteration() const { return lens_->iteration(); }

  void stop() {
    detach();
    let_go();
  }

 private:
  Iterations(Environment& environment, v8::Local<v8::Object> object,
             v8::Local<v8::Function> callback)
      : Wrapped(environment, object), callback_(environment.isolate(), callback) {}

  ~Iterations() override { detach(); }

  bool wants_subjects() const override { return false; }
  bool wants_labels() const override { return false; }
  bool wants_sites() const override { return false; }
  bool wants_promises() const override { return false; }

  void detach() {
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

  void report() {
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
    method<&Iterations::start>("start"),         method<&Iterations::take>("take"),
    method<&Iterations::so_far>("soFar"),        method<&Iterations::own_callbacks>("ownCallbacks"),
    method<&Iterations::iteration>("iteration"), method<&Iterations::stop>("stop")};
constexpr ClassShape kClasses[] = {{"Iterations", Iterations::construct, kIterationsMethods}};

constexpr Method kMethods[] = {method<figures>("figures"), method<phase>("phase"),
                               method<start_metrics>("startMetrics"),
                               method<prometheus>("prometheus")};

}  // namespace

extern const Binding binding_iterations;
const Binding binding_iterations{.name = "iterations", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
