// The JavaScript side of Statement: the methods of StatementSync.
#include <array>
#include <string_view>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/class_parts.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/statement.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;
using v8::MaybeLocal;

namespace {

void return_value(const Arguments& args, MaybeLocal<v8::Value> value) {
  Local<v8::Value> result;
  if (value.ToLocal(&result)) args.GetReturnValue().Set(result);
}

struct Counter {
  std::string_view name;
  int number;
};
constexpr std::array kCounters = {
    Counter{"fullscanStep", SQLITE_STMTSTATUS_FULLSCAN_STEP},
    Counter{"sort", SQLITE_STMTSTATUS_SORT},
    Counter{"autoindex", SQLITE_STMTSTATUS_AUTOINDEX},
    Counter{"vmStep", SQLITE_STMTSTATUS_VM_STEP},
    Counter{"reprepare", SQLITE_STMTSTATUS_REPREPARE},
    Counter{"run", SQLITE_STMTSTATUS_RUN},
    Counter{"filterMiss", SQLITE_STMTSTATUS_FILTER_MISS},
    Counter{"filterHit", SQLITE_STMTSTATUS_FILTER_HIT},
    Counter{"memused", SQLITE_STMTSTATUS_MEMUSED},
};

}  // namespace

void Statement::get(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (self.begin(args)) return_value(args, self.get());
}

void Statement::all(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (self.begin(args)) return_value(args, self.all());
}

void Statement::run(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (self.begin(args)) return_value(args, self.run());
}

void Statement::iterate(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (self.begin(args)) return_value(args, self.iterate());
}

void Statement::columns(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  Environment& environment = self.environment();
  v8::Isolate* isolate = args.GetIsolate();
  const Local<v8::DictionaryTemplate> shape = State::of(environment).column.Get(isolate);
  v8::LocalVector<v8::Value> columns(isolate);
  const int count = sqlite3_column_count(self.statement_);
  for (int i = 0; i < count; ++i) {
    MaybeLocal<v8::Value> values[] = {
        text_or_null(environment, sqlite3_column_origin_name(self.statement_, i)),
        text_or_null(environment, sqlite3_column_database_name(self.statement_, i)),
        text_or_null(environment, sqlite3_column_name(self.statement_, i)),
        text_or_null(environment, sqlite3_column_table_name(self.statement_, i)),
        text_or_null(environment, sqlite3_column_decltype(self.statement_, i)),
    };
    columns.push_back(new_bare(environment, shape, values));
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, columns.data(), columns.size()));
}

void Statement::stat(const Arguments& args) {
  const Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  if (!args[0]->IsString()) {
    return throw_invalid_type(self.environment(), "counter", "a string");
  }
  const std::string name = to_utf8(args.GetIsolate(), args[0]);
  for (const Counter& counter : kCounters) {
    if (counter.name != name) continue;
    args.GetReturnValue().Set(sqlite3_stmt_status(self.statement_, counter.number, 0));
    return;
  }
  throw_invalid_value(self.environment(),
                      "The \"counter\" argument is not a valid statistic name.");
}

void Statement::reset_stats(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  for (const Counter& counter : kCounters) {
    // Memory in use is not counted from somewhere. How often it was prepared is what the names of
    // columns depend on: they are read again.
    if (counter.number == SQLITE_STMTSTATUS_MEMUSED) continue;
    sqlite3_stmt_status(self.statement_, counter.number, 1);
  }
  self.names_are_of_ = -1;
}

void Statement::close(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  if (self.executing_) {
    return throw_invalid_state(self.environment(), "statement is already being executed");
  }
  self.connection_->detach_statement(self);
  self.detach();
}

void Statement::dispose(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (self.is_finalized() || self.executing_) return;
  self.connection_->detach_statement(self);
  self.detach();
}

void Statement::source_sql(const Arguments& args) {
  const Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  args.GetReturnValue().Set(self.environment().text(sqlite3_sql(self.statement_)));
}

void Statement::expanded_sql(const Arguments& args) {
  const Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  char* const sql = sqlite3_expanded_sql(self.statement_);
  if (sql == nullptr) {
    self.environment().throw_(
        sqlite_error(self.environment(), "Expanded SQL text would exceed configured limits"));
    return;
  }
  args.GetReturnValue().Set(self.environment().text(sql));
  sqlite3_free(sql);
}

template <bool StatementSettings::* setting>
void Statement::set(const Arguments& args) {
  Statement& self = *from<Statement>(args.This());
  if (!self.check_there()) return;
  if (!args[0]->IsBoolean()) {
    constexpr bool StatementSettings::* kSetting = setting;
    const std::string_view name = kSetting == &StatementSettings::allow_bare_names
                                      ? "allowBareNamedParameters"
                                  : kSetting == &StatementSettings::allow_unknown_names ? "enabled"
                                  : kSetting == &StatementSettings::read_big_ints ? "readBigInts"
                                                                                  : "returnArrays";
    return throw_invalid_type(self.environment(), name, "a boolean");
  }
  self.settings_.*setting = args[0]->IsTrue();
}

Local<v8::FunctionTemplate> Statement::make_class(Environment& environment) {
  constexpr Method kMethods[] = {
      {"iterate", iterate},
      {"all", all},
      {"get", get},
      {"run", run},
      {"columns", columns},
      {"stat", stat},
      {"resetStats", reset_stats},
      {"setAllowBareNamedParameters", set<&StatementSettings::allow_bare_names>},
      {"setAllowUnknownNamedParameters", set<&StatementSettings::allow_unknown_names>},
      {"setReadBigInts", set<&StatementSettings::read_big_ints>},
      {"setReturnArrays", set<&StatementSettings::return_arrays>},
      {"close", close},
  };
  const Local<v8::FunctionTemplate> made = rondo::make_class(
      environment, {"StatementSync", illegal_constructor, kMethods, /*fields=*/2});
  add_dispose(environment, made, dispose);
  add_getter(environment, made, {"sourceSQL", source_sql});
  add_getter(environment, made, {"expandedSQL", expanded_sql});
  return made;
}

}  // namespace rondo::sqlite
