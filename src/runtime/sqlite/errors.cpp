#include "runtime/sqlite/errors.h"

#include <string>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/connection.h"

namespace rondo::sqlite {

using v8::Local;

namespace {

Local<v8::Value> with_number(const Environment& environment, std::string_view message, int number,
                             std::string_view description) {
  const Local<v8::Value> error = sqlite_error(environment, message);
  const Local<v8::Context> context = environment.context();
  const auto object = error.As<v8::Object>();
  object->Set(context, environment.name("errcode"), v8::Integer::New(environment.isolate(), number))
      .Check();
  if (!description.empty()) {
    object->CreateDataProperty(context, environment.name("errstr"), environment.text(description))
        .Check();
  }
  return error;
}

}  // namespace

Local<v8::Value> sqlite_error(const Environment& environment, std::string_view message) {
  const Local<v8::Value> error = v8::Exception::Error(environment.text(message));
  error.As<v8::Object>()
      ->Set(environment.context(), environment.name("code"), environment.name("ERR_SQLITE_ERROR"))
      .Check();
  return error;
}

Local<v8::Value> sqlite_error(const Environment& environment, int number) {
  return with_number(environment, sqlite3_errstr(number), number, {});
}

Local<v8::Value> sqlite_error(const Environment& environment, sqlite3* handle) {
  const int number = sqlite3_extended_errcode(handle);
  return with_number(environment, sqlite3_errmsg(handle), number, sqlite3_errstr(number));
}

void throw_last_error(const Environment& environment, Connection& connection) {
  if (connection.exception_pending) return;
  environment.throw_(sqlite_error(environment, connection.handle()));
}

void throw_invalid_state(const Environment& environment, std::string_view message) {
  environment.throw_(environment.error("ERR_INVALID_STATE", message));
}

void throw_invalid_type(const Environment& environment, std::string_view name,
                        std::string_view what) {
  std::string message = "The \"";
  message.append(name).append("\" argument must be ").append(what).append(".");
  environment.throw_(environment.type_error("ERR_INVALID_ARG_TYPE", message));
}

void throw_invalid_value(const Environment& environment, std::string_view message) {
  environment.throw_(environment.type_error("ERR_INVALID_ARG_VALUE", message));
}

void throw_out_of_range(const Environment& environment, std::string_view message) {
  environment.throw_(environment.range_error("ERR_OUT_OF_RANGE", message));
}

bool check_open(const Environment& environment, const Connection& connection) {
  if (connection.is_open()) return true;
  throw_invalid_state(environment, "database is not open");
  return false;
}

bool check_usable(const Environment& environment, const Connection& connection) {
  if (!check_open(environment, connection)) return false;
  if (!connection.authorizing) return true;
  throw_invalid_state(environment, "database cannot be accessed from an authorizer callback");
  return false;
}

}  // namespace rondo::sqlite
