#include "runtime/engine/value.h"

#include <algorithm>
#include <cmath>

#include "runtime/engine/environment.h"
#include "runtime/errors/uncaught.h"
#include "runtime/glue/text.h"

namespace rondo {

namespace {

/// Data that is nested deeper than this is cut off.
constexpr std::size_t kMaxDepth = 200;

class Reader {
 public:
  explicit Reader(Environment& environment)
      : isolate_(environment.isolate()), context_(environment.context()) {}

  Value read(v8::Local<v8::Value> value) {
    if (value->IsNull()) return nullptr;
    if (value->IsBoolean()) return value->IsTrue();
    if (value->IsNumber()) return value.As<v8::Number>()->Value();
    if (value->IsString()) return to_text(isolate_, value);
    if (value->IsFunction() || !value->IsObject() || outer_.size() == kMaxDepth) return {};
    const v8::Local<v8::Object> object = value.As<v8::Object>();
    if (std::ranges::find(outer_, object) != outer_.end()) return {};
    outer_.push_back(object);
    Value result = object->IsArray() ? read_array(object.As<v8::Array>()) : read_object(object);
    outer_.pop_back();
    return result;
  }

 private:
  Value read_array(v8::Local<v8::Array> array) {
    Value::Array list;
    for (std::uint32_t i = 0; i < array->Length(); ++i) list.push_back(read_entry(array, i));
    return list;
  }

  Value read_object(v8::Local<v8::Object> object) {
    const v8::TryCatch quiet(isolate_);  // a proxy may throw
    Value::Object entries;
    v8::Local<v8::Array> names;
    if (!object->GetOwnPropertyNames(context_).ToLocal(&names)) return {};
    for (std::uint32_t i = 0; i < names->Length(); ++i) {
      v8::Local<v8::Value> name;
      if (!names->Get(context_, i).ToLocal(&name) || name->IsSymbol()) continue;
      entries.insert_or_assign(to_text(isolate_, name), read_entry(object, name));
    }
    return entries;
  }

  template <class Key>
  Value read_entry(v8::Local<v8::Object> object, Key key) {
    const v8::TryCatch quiet(isolate_);
    v8::Local<v8::Value> entry;
    return object->Get(context_, key).ToLocal(&entry) ? read(entry) : Value();
  }

  v8::Isolate* isolate_;
  v8::Local<v8::Context> context_;
  std::vector<v8::Local<v8::Object>> outer_;
};

}  // namespace

v8::Local<v8::Value> to_js(Environment& environment, const Value& value) {
  v8::Isolate* isolate = environment.isolate();
  v8::EscapableHandleScope scope(isolate);
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Value> result = v8::Undefined(isolate);
  if (value.is_null()) {
    result = v8::Null(isolate);
  } else if (const bool* flag = value.get_if<bool>()) {
    result = v8::Boolean::New(isolate, *flag);
  } else if (const double* number = value.get_if<double>()) {
    result = v8::Number::New(isolate, *number);
  } else if (const std::string* text = value.get_if<std::string>()) {
    result = environment.text(*text);
  } else if (const Value::Array* array = value.get_if<Value::Array>()) {
    std::vector<v8::Local<v8::Value>> entries;
    for (const Value& entry : *array) entries.push_back(to_js(environment, entry));
    result = v8::Array::New(isolate, entries.data(), entries.size());
  } else if (const Value::Object* object = value.get_if<Value::Object>()) {
    const v8::Local<v8::Object> made = v8::Object::New(isolate);
    for (const auto& [name, entry] : *object) {
      made->CreateDataProperty(context, environment.text(name), to_js(environment, entry)).Check();
    }
    result = made;
  }
  return scope.Escape(result);
}

Value from_js(Environment& environment, v8::Local<v8::Value> value) {
  const v8::HandleScope scope(environment.isolate());
  return Reader(environment).read(value);
}

ScriptError to_script_error(Environment& environment, v8::Local<v8::Value> thrown) {
  v8::Isolate* isolate = environment.isolate();
  const v8::HandleScope scope(isolate);
  const v8::TryCatch quiet(isolate);
  ScriptError error{to_text(isolate, thrown), {}, {}};
  if (thrown->IsObject()) {
    const auto read = [&](std::string_view name) -> std::string {
      v8::Local<v8::Value> value;
      if (!thrown.As<v8::Object>()
               ->Get(environment.context(), environment.name(name))
               .ToLocal(&value) ||
          !value->IsString()) {
        return {};
      }
      return to_text(isolate, value);
    };
    v8::Local<v8::String> stack;
    if (stack_of(environment, thrown).ToLocal(&stack)) error.stack = to_text(isolate, stack);
    error.code = read("code");
  }
  return error;
}

}  // namespace rondo
