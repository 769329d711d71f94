// What DatabaseSync.limits gives: an object whose properties are SQLite's limits.
#pragma once

#include <v8.h>

#include <memory>

#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"

namespace rondo::sqlite {

class Limits final : public Wrapped {
 public:
  static v8::MaybeLocal<v8::Object> make(Environment& environment,
                                         const std::shared_ptr<Connection>& connection);
  static v8::Local<v8::ObjectTemplate> make_shape(v8::Isolate* isolate);

 private:
  Limits(Environment& environment, v8::Local<v8::Object> object,
         std::shared_ptr<Connection> connection);

  /// SQLite's number of the limit of this name; -1 for every other name.
  static int number_of(v8::Isolate* isolate, v8::Local<v8::Name> name);
  static v8::Intercepted get(v8::Local<v8::Name> name,
                             const v8::PropertyCallbackInfo<v8::Value>& info);
  static v8::Intercepted set(v8::Local<v8::Name> name, v8::Local<v8::Value> value,
                             const v8::PropertyCallbackInfo<void>& info);
  static v8::Intercepted query(v8::Local<v8::Name> name,
                               const v8::PropertyCallbackInfo<v8::Integer>& info);
  static void enumerate(const v8::PropertyCallbackInfo<v8::Array>& info);

  std::shared_ptr<Connection> connection_;
};

}  // namespace rondo::sqlite
