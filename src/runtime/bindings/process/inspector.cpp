// For node:inspector: sessions with V8's inspector, and the console that reports to them.
#include "runtime/inspector/inspector.h"

#include <v8.h>

#include <memory>
#include <optional>
#include <tuple>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
#include "runtime/modules/sandbox.h"

namespace rondo {
namespace {

/// The function that gets the messages is in the object, not here: the two may be collected
/// together.
class Connection final : public Wrapped {
 public:
  static constexpr int kFields = 2;
  static constexpr int kOnMessage = 1;

  Connection(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object) {
    session_.emplace(environment, [this](v8::Local<v8::String> message) { receive(message); });
  }
  // The session ends next, and must not report any more.
  ~Connection() override { ends_ = true; }

  /// new Connection(on message, whether it lives until disconnect())
  static void make(const Arguments& args) {
    args.This()->SetInternalField(kOnMessage, args[0]);
    auto* self = new Connection(Environment::of(args.GetIsolate()), args.This());
    self->is_kept_ = args[1]->IsTrue();
    if (self->is_kept_) self->hold();
  }

  /// dispatch(message in JSON)
  void dispatch(v8::Local<v8::String> message) {
    if (session_.has_value()) session_->dispatch(message);
  }

  /// object(id) -> the object that the protocol knows by it, or undefined
  v8::MaybeLocal<v8::Value> find_object(const std::string& id) {
    if (!session_.has_value()) return {};
    return session_->object(id.c_str());
  }

  /// releaseGroup(name)
  void release_group(const std::string& name) {
    if (session_.has_value()) session_->release_group(name.c_str());
  }

  void disconnect() {
    if (!session_.has_value()) return;
    session_.reset();
    if (is_kept_) let_go();
  }

 private:
  /// lib/ reports what its function throws, so that nothing is thrown through the frames of the
  /// engine.
  void receive(v8::Local<v8::String> message) {
    if (ends_ || environment().ended()) return;
    v8::Isolate* isolate = environment().isolate();
    const v8::Local<v8::Context> context = environment().context();
    const v8::Context::Scope scope(context);
    v8::Local<v8::Value> argument = message;
    const auto on_message =
        object()->GetInternalField(kOnMessage).As<v8::Value>().As<v8::Function>();
    std::ignore = on_message->Call(context, v8::Undefined(isolate), 1, &argument);
  }

  bool is_kept_ = false;
  bool ends_ = false;
  std::optional<InspectorSession> session_;
};

/// A function of the console that calls two: [that of V8, ours].
void call_both(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> functions = args.Data().As<v8::Array>();
  v8::LocalVector<v8::Value> arguments(isolate);
  for (int i = 0; i < args.Length(); ++i) arguments.push_back(args[i]);
  const auto call = [&](std::uint32_t index) {
    v8::Local<v8::Value> function;
    if (!functions->Get(context, index).ToLocal(&function)) return v8::MaybeLocal<v8::Value>();
    return function.As<v8::Function>()->Call(context, args.This(), args.Length(), arguments.data());
  };
  Inspector& inspector = Environment::of(isolate).need_inspector();
  if (!inspector.in_console_call) {
    inspector.in_console_call = true;
    const bool threw = call(0).IsEmpty();
    inspector.in_console_call = false;
    if (threw) return;
  }
  v8::Local<v8::Value> result;
  if (call(1).ToLocal(&result)) args.GetReturnValue().Set(result);
}

/// both(name, function of the engine, ours) -> a function that calls both. It has no frame of
/// JavaScript, so that the engine finds the caller at the top of the stack.
v8::MaybeLocal<v8::Function> both(v8::Isolate* isolate, v8::Local<v8::String> name,
                                  v8::Local<v8::Value> of_engine, v8::Local<v8::Value> ours) {
  v8::Local<v8::Value> functions[] = {of_engine, ours};
  v8::Local<v8::Function> made;
  if (!v8::Function::New(isolate->GetCurrentContext(), guarded(call_both),
                         v8::Array::New(isolate, functions, std::size(functions)), 0,
                         v8::ConstructorBehavior::kThrow)
           .ToLocal(&made)) {
    return {};
  }
  made->SetName(name);
  return made;
}

/// idOf(object of node:vm's context, or undefined for the main one) -> its number in the protocol,
/// or undefined
std::optional<int> id_of(Environment& environment, v8::Local<v8::Value> object) {
  v8::Local<v8::Context> context = environment.context();
  if (!object->IsUndefined() && !sandbox_context(environment, object).ToLocal(&context)) return {};
  return environment.need_inspector().id_of(context);
}

constexpr Method kConnectionMethods[] = {
    method<&Connection::dispatch>("dispatch"),
    method<&Connection::find_object>("object"),
    method<&Connection::release_group>("releaseGroup"),
    method<&Connection::disconnect>("disconnect"),
};
constexpr ClassShape kClasses[] = {{.name = "Connection",
                                    .construct = Connection::make,
                                    .methods = kConnectionMethods,
                                    .fields = Connection::kFields}};

constexpr Method kMethods[] = {method<both>("both"), method<id_of>("idOf")};
constexpr v8::FunctionCallback kReferences[] = {call_both};

}  // namespace

extern const Binding binding_inspector;
const Binding binding_inspector{
    .name = "inspector", .methods = kMethods, .references = kReferences, .classes = kClasses};

}  // namespace rondo
