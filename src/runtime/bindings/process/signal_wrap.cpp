// Signals for process.on('SIGINT'): a Signal object watches one.
#include <memory>

#include "rondo/signal.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

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

constexpr Method kMethods[] = {
    {"start", Signal::start}, {"unref", Signal::unref}, {"close", Signal::close}};
constexpr ClassShape kClasses[] = {{"Signal", Signal::construct, kMethods}};

}  // namespace

extern const Binding binding_signal_wrap;
const Binding binding_signal_wrap{.name = "signal_wrap", .classes = kClasses};

}  // namespace rondo
