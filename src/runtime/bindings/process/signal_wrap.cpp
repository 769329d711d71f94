// Signals for process.on('SIGINT'): a Signal object watches one.
#include <memory>
#include <optional>
#include <utility>

#include "rondo/signal.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/observe/sigint_trace.h"

namespace rondo {
namespace {

using v8::Local;

class Signal : public Wrapped {
 public:
  Signal(Environment& environment, Local<v8::Object> object)
      : Wrapped(environment, object), watcher_(environment.loop()) {}

  static void construct(const Arguments& args);
  static void start(const Arguments& args);
  static void unref(const Arguments& args);
  static void close(const Arguments& args);

 private:
  void received(int signal);

  SignalWatcher watcher_;
  bool held_ = false;
};

void Signal::construct(const Arguments& args) {
  new Signal(Environment::of(args.GetIsolate()), args.This());
}

// Minus the errno, or 0. Calls the object's onsignal with the number, each time.
void Signal::start(const Arguments& args) {
  auto* self = Wrapped::from<Signal>(args.This());
  const int signal = args[0]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
  const Expected<> started =
      self->watcher_.start(signal, [self](int number) { self->received(number); });
  if (started && !self->held_) {
    self->hold();
    self->held_ = true;
  }
  args.GetReturnValue().Set(started ? 0 : -started.error().value());
}

void Signal::received(int signal) {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const Local<v8::Context> context = environment().context();
  const v8::Context::Scope entered(context);
  Local<v8::Value> callback;
  if (object()->Get(context, environment().name("onsignal")).ToLocal(&callback) &&
      callback->IsFunction()) {
    static_cast<void>(environment().call(object(), callback.As<v8::Function>(),
                                         {v8::Integer::New(isolate, signal)}));
  }
}

void Signal::unref(const Arguments& args) {
  Wrapped::from<Signal>(args.This())->watcher_.unref();
}

void Signal::close(const Arguments& args) {
  auto* self = Wrapped::from<Signal>(args.This());
  self->watcher_.close();
  if (self->held_) self->let_go();
  self->held_ = false;
}

// ---- util.setTraceSigInt() ----------------------------------------------------------------------

class TracedSigint final : public Companion {
 public:
  ~TracedSigint() override { current_ = nullptr; }

  static TracedSigint& of(Environment& environment) {
    if (current_ == nullptr) {
      auto made = std::make_unique<TracedSigint>();
      current_ = made.get();
      environment.accompany(std::move(made));
    }
    return *current_;
  }

  std::optional<SigintTrace> trace;

 private:
  static thread_local TracedSigint* current_;
};

thread_local TracedSigint* TracedSigint::current_ = nullptr;

/// (whether the stack is printed before SIGINT ends the process)
void trace_sigint(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::optional<SigintTrace>& trace = TracedSigint::of(environment).trace;
  if (!args[0]->IsTrue())
    trace.reset();
  else if (!trace)
    trace.emplace(environment);
}

constexpr Method kFunctions[] = {{"traceSigint", trace_sigint}};
constexpr Method kMethods[] = {
    {"start", Signal::start}, {"unref", Signal::unref}, {"close", Signal::close}};
constexpr ClassShape kClasses[] = {{"Signal", Signal::construct, kMethods}};

}  // namespace

extern const Binding binding_signal_wrap;
const Binding binding_signal_wrap{
    .name = "signal_wrap", .methods = kFunctions, .classes = kClasses};

}  // namespace rondo
