#include "runtime/sqlite/limits.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Intercepted;
using v8::Local;

Limits::Limits(Environment& environment, Local<v8::Object> object,
               std::shared_ptr<Connection> connection)
    : Wrapped(environment, object), connection_(std::move(connection)) {}

v8::MaybeLocal<v8::Object> Limits::make(Environment& environment,
                                        const std::shared_ptr<Connection>& connection) {
  const Local<v8::ObjectTemplate> shape = State::of(environment).limits.Get(environment.isolate());
  Local<v8::Object> object;
  if (!shape->NewInstance(environment.context()).ToLocal(&object)) return {};
  new Limits(environment, object, connection);
  return object;
}

int Limits::number_of(v8::Isolate* isolate, Local<v8::Name> name) {
  if (!name->IsString()) return -1;
  const auto* const found = std::ranges::find(kLimits, to_utf8(isolate, name));
  return found == kLimits.end() ? -1 : static_cast<int>(found - kLimits.begin());
}

Intercepted Limits::get(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const int number = number_of(info.GetIsolate(), name);
  if (number < 0) return Intercepted::kNo;
  const Limits& self = *from<Limits>(info.HolderV2());
  if (check_open(self.environment(), *self.connection_)) {
    info.GetReturnValue().Set(sqlite3_limit(self.connection_->handle(), number, -1));
  }
  return Intercepted::kYes;
}

Intercepted Limits::set(Local<v8::Name> name, Local<v8::Value> value,
                        const v8::PropertyCallbackInfo<void>& info) {
  const int number = number_of(info.GetIsolate(), name);
  if (number < 0) return Intercepted::kNo;
  const Limits& self = *from<Limits>(info.HolderV2());
  const Environment& environment = self.environment();
  if (!check_usable(environment, *self.connection_)) return Intercepted::kYes;
  const bool is_infinite = value->IsNumber() && value.As<v8::Number>()->Value() ==
                                                    std::numeric_limits<double>::infinity();
  if (!is_infinite && !value->IsInt32()) {
    environment.throw_(environment.type_error(
        "ERR_INVALID_ARG_TYPE", "Limit value must be a non-negative integer or Infinity."));
    return Intercepted::kYes;
  }
  // SQLite lowers what is too high to the most that it was built for.
  int limit = is_infinite ? std::numeric_limits<int>::max() : value.As<v8::Int32>()->Value();
  if (number == SQLITE_LIMIT_VARIABLE_NUMBER) limit = std::min(limit, kMostVariables);
  if (limit < 0) {
    throw_out_of_range(environment, "Limit value must be non-negative.");
  } else {
    sqlite3_limit(self.connection_->handle(), number, limit);
  }
  return Intercepted::kYes;
}

Intercepted Limits::query(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Integer>& info) {
  if (number_of(info.GetIsolate(), name) < 0) return Intercepted::kNo;
  info.GetReturnValue().Set(v8::DontDelete);
  return Intercepted::kYes;
}

void Limits::enumerate(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const Environment& environment = Environment::of(info.GetIsolate());
  v8::LocalVector<v8::Value> names(info.GetIsolate());
  for (const std::string_view name : kLimits) names.push_back(environment.name(name));
  info.GetReturnValue().Set(v8::Array::New(info.GetIsolate(), names.data(), names.size()));
}

Local<v8::ObjectTemplate> Limits::make_shape(v8::Isolate* isolate) {
  const Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate);
  shape->SetInternalFieldCount(1);
  shape->SetHandler(
      v8::NamedPropertyHandlerConfiguration(get, set, query, nullptr, enumerate, nullptr, nullptr,
                                            {}, v8::PropertyHandlerFlags::kHasNoSideEffect));
  return shape;
}

}  // namespace rondo::sqlite
