// For node:sqlite: its classes (runtime/sqlite/), backup() and the constants.

#include <array>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/sqlite/backup.h"
#include "runtime/sqlite/changesets/session.h"
#include "runtime/sqlite/constants.h"
#include "runtime/sqlite/database.h"
#include "runtime/sqlite/limits.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/iterator.h"
#include "runtime/sqlite/statements/statement.h"
#include "runtime/sqlite/statements/tag_store.h"

namespace rondo {
namespace {

using sqlite::State;
using v8::Local;

/// setQueryHooks(subscribers, publish): how many the channel sqlite.db.query has, in an Int32Array,
/// and a function (sql, database, duration in ns).
void set_query_hooks(const Arguments& args) {
  if (!args[0]->IsInt32Array() || !args[1]->IsFunction()) return;
  State& state = State::of(Environment::of(args.GetIsolate()));
  state.query_subscribers = args[0].As<v8::Int32Array>()->Buffer()->GetBackingStore();
  state.publish_query.Reset(args.GetIsolate(), args[1].As<v8::Function>());
}

/// The permission model is enabled: an extension could do anything.
void forbid_extensions(const Arguments& args) {
  State::of(Environment::of(args.GetIsolate())).allows_extensions = false;
}

Local<v8::Object> make_constants(Environment& environment) {
  const Local<v8::Context> context = environment.context();
  const Local<v8::Object> constants = v8::Object::New(environment.isolate());
  for (const auto& [name, value] : sqlite::kConstants) {
    constants
        ->DefineOwnProperty(context, environment.name(name),
                            v8::Integer::New(environment.isolate(), value),
                            static_cast<v8::PropertyAttribute>(v8::ReadOnly | v8::DontDelete))
        .Check();
  }
  return constants;
}

/// Before SQLite is first used in the process. Its own counts of memory take a lock; nothing looks
/// at them.
void configure_once() {
  static const int result = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(result);
}

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = environment.context();
  State& state = State::of(environment);
  configure_once();

  const auto expose = [&](std::string_view name, Local<v8::FunctionTemplate> shape) {
    set_value(environment, target, name, shape->GetFunction(context).ToLocalChecked());
    return shape;
  };
  state.database.Reset(isolate, expose("DatabaseSync", sqlite::Database::make_class(environment)));
  state.statement.Reset(isolate,
                        expose("StatementSync", sqlite::Statement::make_class(environment)));
  state.session.Reset(isolate, expose("Session", sqlite::Session::make_class(environment)));
  state.statement_iterator.Reset(isolate, sqlite::StatementIterator::make_class(environment));
  state.tag_store.Reset(isolate, sqlite::TagStore::make_class(environment));
  state.limits.Reset(isolate, sqlite::Limits::make_shape(isolate));

  constexpr std::array<std::string_view, 2> kRunResult = {"changes", "lastInsertRowid"};
  constexpr std::array<std::string_view, 2> kIteratorResult = {"done", "value"};
  constexpr std::array<std::string_view, 5> kColumn = {"column", "database", "name", "table",
                                                       "type"};
  const auto shape_of = [&](const auto& names) {
    return v8::DictionaryTemplate::New(
        isolate, v8::MemorySpan<const std::string_view>(names.data(), names.size()));
  };
  state.run_result.Reset(isolate, shape_of(kRunResult));
  state.iterator_result.Reset(isolate, shape_of(kIteratorResult));
  state.column.Reset(isolate, shape_of(kColumn));

  set_value(environment, target, "constants", make_constants(environment));
  const Local<v8::Function> backup =
      v8::Function::New(context, guarded(sqlite::backup), {}, 2, v8::ConstructorBehavior::kThrow)
          .ToLocalChecked();
  backup->SetName(environment.name("backup"));
  set_value(environment, target, "backup", backup);
}

constexpr Method kMethods[] = {{"setQueryHooks", set_query_hooks},
                               {"forbidExtensions", forbid_extensions}};

}  // namespace

extern const Binding binding_sqlite;
const Binding binding_sqlite{"sqlite", kMethods, extend};

}  // namespace rondo
