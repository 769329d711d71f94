#include "runtime/sqlite/option_reader.h"

#include "runtime/engine/environment.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;

OptionReader::OptionReader(const Environment& environment, Local<v8::Value> value,
                           Undefined undefined, std::string_view path)
    : environment_(environment), path_(path) {
  if (value->IsObject()) {
    object_ = value.As<v8::Object>();
  } else if (!value->IsUndefined() || undefined == Undefined::refused) {
    throw_invalid_type(environment, path_, "an object");
    ok_ = false;
  }
}

std::string OptionReader::full_name(std::string_view name) const {
  return path_ + "." + std::string(name);
}

void OptionReader::fail_type(std::string_view name, std::string_view what) {
  throw_invalid_type(environment_, full_name(name), what);
  ok_ = false;
}

void OptionReader::fail_range(std::string_view name, std::string_view what) {
  throw_out_of_range(environment_,
                     "The \"" + full_name(name) + "\" argument must be " + std::string(what) + ".");
  ok_ = false;
}

Local<v8::Value> OptionReader::value(std::string_view name) {
  Local<v8::Value> value = v8::Undefined(environment_.isolate());
  if (!ok_ || object_.IsEmpty()) return value;
  if (!object_->Get(environment_.context(), environment_.name(name)).ToLocal(&value)) {
    ok_ = false;
    return v8::Undefined(environment_.isolate());
  }
  return value;
}

void OptionReader::boolean(std::string_view name, bool& out) {
  const Local<v8::Value> given = value(name);
  if (given->IsUndefined()) return;
  if (!given->IsBoolean()) return fail_type(name, "a boolean");
  out = given->IsTrue();
}

void OptionReader::integer(std::string_view name, int& out) {
  const Local<v8::Value> given = value(name);
  if (given->IsUndefined()) return;
  if (!given->IsInt32()) return fail_type(name, "an integer");
  out = given.As<v8::Int32>()->Value();
}

void OptionReader::string(std::string_view name, std::string& out) {
  const Local<v8::Value> given = value(name);
  if (given->IsUndefined()) return;
  if (!given->IsString()) return fail_type(name, "a string");
  out = to_utf8(environment_.isolate(), given);
}

void OptionReader::function(std::string_view name, Local<v8::Function>& out) {
  const Local<v8::Value> given = value(name);
  if (given->IsUndefined()) return;
  if (!given->IsFunction()) return fail_type(name, "a function");
  out = given.As<v8::Function>();
}

bool OptionReader::has_own(std::string_view name) {
  if (!ok_ || object_.IsEmpty()) return false;
  const v8::Maybe<bool> has =
      object_->HasOwnProperty(environment_.context(), environment_.name(name));
  ok_ = has.IsJust();
  return has.FromMaybe(false);
}

void OptionReader::own_string(std::string_view name, std::string& out) {
  if (!has_own(name)) return;
  const Local<v8::Value> given = value(name);
  if (!ok_) return;
  if (!given->IsString()) return fail_type(name, "a string");
  out = to_utf8(environment_.isolate(), given);
}

void OptionReader::own_function(std::string_view name, Local<v8::Function>& out) {
  if (!has_own(name)) return;
  const Local<v8::Value> given = value(name);
  if (!ok_) return;
  if (!given->IsFunction()) return fail_type(name, "a function");
  out = given.As<v8::Function>();
}

}  // namespace rondo::sqlite
