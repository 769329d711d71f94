#include "runtime/glue/class_shape.h"

#include "runtime/engine/environment.h"

namespace rondo {

v8::Local<v8::FunctionTemplate> make_class(Environment& environment, const ClassShape& shape) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::FunctionTemplate> made =
      v8::FunctionTemplate::New(isolate, guarded(shape.construct), {}, {}, shape.length);
  made->SetClassName(environment.name(shape.name));
  made->InstanceTemplate()->SetInternalFieldCount(shape.fields);
  const v8::Local<v8::Signature> signature = v8::Signature::New(isolate, made);
  for (const Method& method : shape.methods) {
    const v8::Local<v8::String> name = environment.name(method.name);
    const v8::Local<v8::FunctionTemplate> function = v8::FunctionTemplate::New(
        isolate, guarded(method.callback), {}, signature, 0, v8::ConstructorBehavior::kThrow);
    function->SetClassName(name);
    made->PrototypeTemplate()->Set(name, function);
  }
  return made;
}

void set_class(Environment& environment, v8::Local<v8::Object> target, const ClassShape& shape) {
  set_value(environment, target, shape.name,
            make_class(environment, shape)->GetFunction(environment.context()).ToLocalChecked());
}

}  // namespace rondo
