#include "runtime/sqlite/class_parts.h"

#include "runtime/engine/environment.h"

namespace rondo::sqlite {

using v8::Local;

void add_getter(Environment& environment, Local<v8::FunctionTemplate> shape, const Method& getter) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
      isolate, guarded(getter.callback), {}, v8::Signature::New(isolate, shape), 0,
      v8::ConstructorBehavior::kThrow, v8::SideEffectType::kHasNoSideEffect);
  shape->InstanceTemplate()->SetAccessorProperty(environment.name(getter.name), made, {},
                                                 v8::DontDelete);
}

void add_dispose(Environment& environment, Local<v8::FunctionTemplate> shape,
                 v8::FunctionCallback callback) {
  v8::Isolate* isolate = environment.isolate();
  shape->PrototypeTemplate()->Set(
      v8::Symbol::GetDispose(isolate),
      v8::FunctionTemplate::New(isolate, guarded(callback), {}, v8::Signature::New(isolate, shape),
                                0, v8::ConstructorBehavior::kThrow));
}

void illegal_constructor(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  environment.throw_(environment.error("ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor"));
}

Local<v8::Object> new_bare(const Environment& environment, Local<v8::DictionaryTemplate> shape,
                           std::span<v8::MaybeLocal<v8::Value>> values) {
  const Local<v8::Context> context = environment.context();
  const Local<v8::Object> object = shape->NewInstance(
      context, v8::MemorySpan<v8::MaybeLocal<v8::Value>>(values.data(), values.size()));
  object->SetPrototypeV2(context, v8::Null(environment.isolate())).Check();
  return object;
}

}  // namespace rondo::sqlite
