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

namespace {

void add_parts(Environment& environment, v8::Local<v8::FunctionTemplate> to,
               const ClassShape& shape) {
  add_methods(environment, to, shape.methods);
  add_getters(environment, to, shape.getters);
  if (shape.mark.empty()) return;
  to->PrototypeTemplate()->Set(environment.name(shape.mark), v8::True(environment.isolate()));
}

}  // namespace

v8::Local<v8::FunctionTemplate> make_class(Environment& environment, const ClassShape& shape) {
  const v8::Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
      environment.isolate(), guarded(shape.construct), {}, {}, shape.length);
  made->SetClassName(environment.name(shape.name));
  made->InstanceTemplate()->SetInternalFieldCount(shape.fields);
  for (const ClassShape* part = shape.base; part != nullptr; part = part->base) {
    add_parts(environment, made, *part);
  }
  add_parts(environment, made, shape);
  return made;
}

void set_class(Environment& environment, v8::Local<v8::Object> target, const ClassShape& shape) {
  set_value(environment, target, shape.property.empty() ? shape.name : shape.property,
            make_class(environment, shape)->GetFunction(environment.context()).ToLocalChecked());
}

}  // namespace rondo
