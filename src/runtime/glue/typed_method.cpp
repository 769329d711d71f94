#include "runtime/glue/typed_method.h"

namespace rondo::detail {

std::int32_t to_int32(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsInt32()) return value.As<v8::Int32>()->Value();
  return value->Int32Value(isolate->GetCurrentContext()).FromMaybe(0);
}

std::uint32_t to_uint32(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  return value->Uint32Value(isolate->GetCurrentContext()).FromMaybe(0);
}

double to_double(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsNumber()) return value.As<v8::Number>()->Value();
  return value->NumberValue(isolate->GetCurrentContext()).FromMaybe(0);
}

}  // namespace rondo::detail
