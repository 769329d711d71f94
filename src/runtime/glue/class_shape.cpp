#include "runtime/glue/class_shape.h"

#include "runtime/engine/environment.h"

namespace rondo {

void add_methods(Environment& environment, v8::Local<v8::FunctionTemplate> to,
                 std::span<const Method> methods) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Signature> signature = v8::Signature::New(isolate, to);
  for (const Method& method : methods) {
    const v8::Local<v8::String> name = environment.name(method.name);
    const v8::Local<v8::FunctionTemplate> function =
        v8::FunctionTemplate::New(isolate, guarded(method.callback), {}, signature, method.length,
                                  v8::ConstructorBehavior::kThrow);
    function->SetClassName(name);
    to->PrototypeTemplate()->Set(name, function);
  }
}

void add_getters(Environment& environment, v8::Local<v8::FunctionTemplate> to,
                 std::span<const Method> getters) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Signature> signature = v8::Signature::New(isolate, to);
  for (const Method& getter : getters) {
    to->PrototypeTemplate()->SetAccessorProperty(
        environment.name(getter.name),
        v8::FunctionTemplate::New(isolate, guarded(getter.callback), {}, signature));
  }
}

v8::Local<v8::FunctionTemplate> make_class(Environment& environment, const ClassShape& shape) {
  const v8::Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
      environment.isolate(), guarded(shape.construct), {}, {}, shape.length);
  made->SetClassName(environment.name(shape.name));
  made->InstanceTemplate()->SetInternalFieldCount(shape.fields);
  add_methods(environment, made, shape.methods);
  add_getters(environment, made, shape.getters);
  return made;
}

void set_class(Environment& environment, v8::Local<v8::Object> target, const ClassShape& shape) {
  set_value(environment, target, shape.name,
            make_class(environment, shape)->GetFunction(environment.context()).ToLocalChecked());
}

}  // namespace rondo
