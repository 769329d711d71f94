#include "runtime/glue/binding.h"

#include "runtime/engine/environment.h"

namespace rondo {

void set_method(Environment& environment, v8::Local<v8::Object> target, const Method& method) {
  const v8::Local<v8::Context> context = environment.context();
  const v8::Local<v8::String> name = environment.name(method.name);
  const v8::Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
      environment.isolate(), guarded(method.callback), {}, {}, 0, v8::ConstructorBehavior::kThrow,
      v8::SideEffectType::kHasSideEffect, method.fast);
  const v8::Local<v8::Function> function = made->GetFunction(context).ToLocalChecked();
  function->SetName(name);
  target->Set(context, name, function).Check();
}

void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               v8::Local<v8::Value> value) {
  // Also where a program has put a setter on Object.prototype.
  target->CreateDataProperty(environment.context(), environment.name(name), value).Check();
}

void set_value(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
               double value) {
  set_value(environment, target, name, v8::Number::New(environment.isolate(), value));
}

}  // namespace rondo
