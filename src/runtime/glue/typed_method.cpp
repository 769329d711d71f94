#include "runtime/glue/typed_method.h"

#include <limits>

namespace rondo::detail {

namespace {

/// A function must not run with an argument that could not be converted.
template <class T>
T value_or_leave(v8::Maybe<T> converted) {
  if (converted.IsNothing()) throw PendingException();
  return converted.FromJust();
}

}  // namespace

std::int32_t to_int32(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsInt32()) return value.As<v8::Int32>()->Value();
  return value_or_leave(value->Int32Value(isolate->GetCurrentContext()));
}

std::uint32_t to_uint32(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  return value_or_leave(value->Uint32Value(isolate->GetCurrentContext()));
}

std::int64_t to_int64(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  return value_or_leave(value->IntegerValue(isolate->GetCurrentContext()));
}

double to_double(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsNumber()) return value.As<v8::Number>()->Value();
  return value_or_leave(value->NumberValue(isolate->GetCurrentContext()));
}

std::size_t to_size(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  constexpr double kFirstTooLarge = 18446744073709551616.0;
  const double number = to_double(isolate, value);
  if (!(number > 0)) return 0;
  return number < kFirstTooLarge ? static_cast<std::size_t>(number)
                                 : std::numeric_limits<std::size_t>::max();
}

std::string to_string(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  v8::Local<v8::String> text;
  if (!value->ToString(isolate->GetCurrentContext()).ToLocal(&text)) throw PendingException();
  return to_text(isolate, text);
}

}  // namespace rondo::detail
