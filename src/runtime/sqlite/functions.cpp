// Functions of JavaScript that SQL can call: DatabaseSync.function() and .aggregate().
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/database.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/option_reader.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;

namespace {

using Undefined = OptionReader::Undefined;

/// What both kinds have in common. SQLite owns it and deletes it when the function is replaced or
/// the connection is gone at last; JavaScript's functions are let go when the connection closes.
class SqlFunction : public Attachment {
 public:
  SqlFunction(Environment& environment, Connection& connection, bool big_ints)
      : environment_(environment), connection_(&connection), big_ints_(big_ints) {
    connection.attach_function(*this);
  }
  virtual ~SqlFunction() {
    if (connection_ != nullptr) connection_->detach_function(*this);
  }
  SqlFunction(const SqlFunction&) = delete;
  SqlFunction& operator=(const SqlFunction&) = delete;

  static void destroy(void* self) { delete static_cast<SqlFunction*>(self); }

 protected:
  v8::Isolate* isolate() const { return environment_.isolate(); }
  void forget_connection() noexcept { connection_ = nullptr; }
  /// No JavaScript may run: an exception is under way already, or V8 collects garbage.
  bool is_mute() const noexcept {
    return connection_ == nullptr || connection_->exception_pending || connection_->collecting;
  }
  /// A callback has thrown: SQLite ends the statement, and the exception is reported after it.
  void fail(sqlite3_context* context) const {
    connection_->exception_pending = true;
    sqlite3_result_error(context, "", 0);
  }
  /// Calls `function` with `first`, if it is not empty, and SQLite's values. Empty after fail().
  v8::MaybeLocal<v8::Value> call(sqlite3_context* context, Local<v8::Function> function,
                                 Local<v8::Value> receiver, Local<v8::Value> first, int count,
                                 sqlite3_value** values) const {
    v8::LocalVector<v8::Value> arguments(isolate());
    arguments.reserve(static_cast<std::size_t>(count) + 1);
    if (!first.IsEmpty()) arguments.push_back(first);
    for (int i = 0; i < count; ++i) {
      Local<v8::Value> value;
      if (!to_javascript(environment_, values[i], big_ints_).ToLocal(&value)) {
        fail(context);
        return {};
      }
      arguments.push_back(value);
    }
    Local<v8::Value> result;
    if (!function
             ->Call(environment_.context(), receiver, static_cast<int>(arguments.size()),
                    arguments.data())
             .ToLocal(&result)) {
      fail(context);
      return {};
    }
    return result;
  }

 private:
  Environment& environment_;
  Connection* connection_;
  bool big_ints_;
};

class ScalarFunction final : public SqlFunction {
 public:
  ScalarFunction(Environment& environment, Connection& connection, bool big_ints,
                 Local<v8::Function> function)
      : SqlFunction(environment, connection, big_ints),
        function_(environment.isolate(), function) {}

  static void run(sqlite3_context* context, int count, sqlite3_value** values) {
    const auto& self =
        *static_cast<ScalarFunction*>(static_cast<SqlFunction*>(sqlite3_user_data(context)));
    if (self.is_mute()) return sqlite3_result_error(context, "", 0);
    v8::Isolate* isolate = self.isolate();
    const v8::HandleScope scope(isolate);
    Local<v8::Value> result;
    if (self.call(context, self.function_.Get(isolate), v8::Undefined(isolate), {}, count, values)
            .ToLocal(&result)) {
      set_result(isolate, context, result);
    }
  }

  void detach() noexcept override {
    function_.Reset();
    forget_connection();
  }

 private:
  v8::Global<v8::Function> function_;
};

class Aggregate final : public SqlFunction {
 public:
  struct Parts {
    Local<v8::Value> start;
    Local<v8::Function> step;
    Local<v8::Function> inverse;  // may be empty
    Local<v8::Function> result;   // may be empty
  };

  Aggregate(Environment& environment, Connection& connection, bool big_ints, const Parts& parts)
      : SqlFunction(environment, connection, big_ints),
        start_(environment.isolate(), parts.start),
        step_(environment.isolate(), parts.step),
        inverse_(environment.isolate(), parts.inverse),
        result_(environment.isolate(), parts.result) {}

  static void step(sqlite3_context* context, int count, sqlite3_value** values) {
    const Aggregate& self = of(context);
    self.advance(context, self.step_, count, values);
  }
  static void inverse(sqlite3_context* context, int count, sqlite3_value** values) {
    const Aggregate& self = of(context);
    self.advance(context, self.inverse_, count, values);
  }
  /// The value of a window as it is now; there will be others.
  static void value(sqlite3_context* context) {
    if (Group* const group = of(context).group(context)) {
      group->is_window = true;
      of(context).give_result(context, *group);
    }
  }
  static void finish(sqlite3_context* context) {
    const Aggregate& self = of(context);
    // Room is made even if there was no row: the result is then that of the start value.
    auto* const place = static_cast<Group**>(sqlite3_aggregate_context(context, sizeof(Group*)));
    if (place == nullptr) return sqlite3_result_error_nomem(context);
    if (*place == nullptr && self.is_mute()) return sqlite3_result_error(context, "", 0);
    if (Group* const group = self.group(context)) {
      if (!group->is_window) self.give_result(context, *group);
      delete group;
      *place = nullptr;
    }
  }

  void detach() noexcept override {
    start_.Reset();
    step_.Reset();
    inverse_.Reset();
    result_.Reset();
    forget_connection();
  }

 private:
  /// What has been made of the rows of a group so far.
  struct Group {
    v8::Global<v8::Value> value;
    bool is_window = false;
  };

  static Aggregate& of(sqlite3_context* context) {
    return *static_cast<Aggregate*>(static_cast<SqlFunction*>(sqlite3_user_data(context)));
  }

  /// That of this context, made with the start value if it is new; null after a failure.
  Group* group(sqlite3_context* context) const {
    auto* const place = static_cast<Group**>(sqlite3_aggregate_context(context, sizeof(Group*)));
    if (place == nullptr) {
      sqlite3_result_error_nomem(context);
      return nullptr;
    }
    if (*place != nullptr) return *place;
    if (is_mute()) {
      sqlite3_result_error(context, "", 0);
      return nullptr;
    }
    const v8::HandleScope scope(isolate());
    Local<v8::Value> start = start_.Get(isolate());
    if (start->IsFunction() &&
        !call(context, start.As<v8::Function>(), v8::Null(isolate()), {}, 0, nullptr)
             .ToLocal(&start)) {
      return nullptr;
    }
    *place = new Group{.value = {isolate(), start}};
    return *place;
  }

  void advance(sqlite3_context* context, const v8::Global<v8::Function>& function, int count,
               sqlite3_value** values) const {
    if (is_mute()) return sqlite3_result_error(context, "", 0);
    const v8::HandleScope scope(isolate());
    Group* const group = this->group(context);
    if (group == nullptr) return;
    Local<v8::Value> next;
    if (call(context, function.Get(isolate()), v8::Undefined(isolate()),
             group->value.Get(isolate()), count, values)
            .ToLocal(&next)) {
      group->value.Reset(isolate(), next);
    }
  }

  void give_result(sqlite3_context* context, const Group& group) const {
    if (is_mute()) return sqlite3_result_error(context, "", 0);
    const v8::HandleScope scope(isolate());
    Local<v8::Value> result = group.value.Get(isolate());
    if (!result_.IsEmpty() &&
        !call(context, result_.Get(isolate()), v8::Null(isolate()), result, 0, nullptr)
             .ToLocal(&result)) {
      return;
    }
    set_result(isolate(), context, result);
  }

  v8::Global<v8::Value> start_;
  v8::Global<v8::Function> step_;
  v8::Global<v8::Function> inverse_;
  v8::Global<v8::Function> result_;
};

/// function.length, called `name` in the error. False with an exception under way.
bool read_length(const Environment& environment, Local<v8::Function> function,
                 std::string_view name, int& length) {
  Local<v8::Value> value;
  if (!function->Get(environment.context(), environment.name("length")).ToLocal(&value)) {
    return false;
  }
  if (value->IsInt32()) {
    length = value.As<v8::Int32>()->Value();
    return true;
  }
  environment.throw_(environment.type_error(
      "ERR_INVALID_ARG_TYPE",
      "The \"" + std::string(name) + ".length\" property must be an integer."));
  return false;
}

}  // namespace

void Database::add_function(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  if (!args[0]->IsString()) return throw_invalid_type(environment, "name", "a string");
  bool big_ints = false;
  bool varargs = false;
  bool deterministic = false;
  bool direct_only = false;
  const int last = args.Length() < 3 ? 1 : 2;
  if (last == 2) {
    OptionReader options(environment, args[1], Undefined::refused);
    options.boolean("useBigIntArguments", big_ints);
    options.boolean("varargs", varargs);
    options.boolean("deterministic", deterministic);
    options.boolean("directOnly", direct_only);
    if (!options.ok()) return;
  }
  if (!args[last]->IsFunction()) return throw_invalid_type(environment, "function", "a function");
  const auto function = args[last].As<v8::Function>();
  int count = -1;  // any number of arguments
  if (!varargs && !read_length(environment, function, "function", count)) return;
  // Getters of the options may have closed the database.
  Connection& connection = *self->connection_;
  if (!check_usable(environment, connection)) return;

  const int flags = SQLITE_UTF8 | (deterministic ? SQLITE_DETERMINISTIC : 0) |
                    (direct_only ? SQLITE_DIRECTONLY : 0);
  const std::string name = to_utf8(args.GetIsolate(), args[0]);
  const int result = sqlite3_create_function_v2(
      connection.handle(), name.c_str(), count, flags,
      static_cast<SqlFunction*>(new ScalarFunction(environment, connection, big_ints, function)),
      ScalarFunction::run, nullptr, nullptr, SqlFunction::destroy);
  if (result != SQLITE_OK) throw_last_error(environment, connection);
}

void Database::add_aggregate(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  v8::Isolate* isolate = args.GetIsolate();
  Local<v8::String> name;
  if (!args[1]->IsObject()) {
    // What reading a property of it says.
    const std::string what = args[1]->IsNull() ? "null" : "undefined";
    environment.throw_(v8::Exception::TypeError(
        environment.text("Cannot read properties of " + what + " (reading 'start')")));
    return;
  }
  if (!args[0]->ToString(environment.context()).ToLocal(&name)) return;
  OptionReader options(environment, args[1], Undefined::refused);
  Aggregate::Parts parts;
  bool big_ints = false;
  bool varargs = false;
  bool direct_only = false;
  parts.start = options.value("start");
  if (options.ok() && parts.start->IsUndefined()) {
    return options.fail_type("start", "a function or a primitive value");
  }
  const Local<v8::Value> step = options.value("step");
  if (options.ok() && !step->IsFunction()) return options.fail_type("step", "a function");
  const Local<v8::Value> result_option = options.value("result");
  options.boolean("useBigIntArguments", big_ints);
  options.boolean("varargs", varargs);
  options.boolean("directOnly", direct_only);
  options.function("inverse", parts.inverse);
  if (!options.ok()) return;
  parts.step = step.As<v8::Function>();
  if (result_option->IsFunction()) parts.result = result_option.As<v8::Function>();

  int count = -1;
  if (!varargs) {
    // The first argument of both is the value so far.
    int most = 0;
    int of_inverse = 0;
    if (!read_length(environment, parts.step, "options.step", most)) return;
    if (!parts.inverse.IsEmpty() &&
        !read_length(environment, parts.inverse, "options.inverse", of_inverse)) {
      return;
    }
    count = std::max({most - 1, of_inverse - 1, 0});
  }
  Connection& connection = *self->connection_;
  if (!check_usable(environment, connection)) return;
  const bool is_window = !parts.inverse.IsEmpty();
  const int result = sqlite3_create_window_function(
      connection.handle(), to_utf8(isolate, name).c_str(), count,
      SQLITE_UTF8 | (direct_only ? SQLITE_DIRECTONLY : 0),
      static_cast<SqlFunction*>(new Aggregate(environment, connection, big_ints, parts)),
      Aggregate::step, Aggregate::finish, is_window ? Aggregate::value : nullptr,
      is_window ? Aggregate::inverse : nullptr, SqlFunction::destroy);
  if (result != SQLITE_OK) throw_last_error(environment, connection);
}

}  // namespace rondo::sqlite
