// StatementSync: a prepared statement.
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"
#include "runtime/sqlite/sqlite_header.h"

namespace rondo::sqlite {

class State;

class Statement final : public Wrapped, private Attachment {
 public:
  /// Prepares `sql` and makes the object for it, which keeps `database` alive. Null with an
  /// exception under way.
  static Statement* prepare(Environment& environment, v8::Local<v8::Object> database,
                            const std::shared_ptr<Connection>& connection, std::string_view sql,
                            const StatementSettings& settings, bool persistent);
  ~Statement() override;

  bool is_finalized() const noexcept { return statement_ == nullptr; }
  sqlite3_stmt* handle() const noexcept { return statement_; }
  Connection& connection() const noexcept { return *connection_; }
  const StatementSettings& settings() const noexcept { return settings_; }

  /// Throw and give false if the statement cannot be used now; `check_idle` also if SQLite is in
  /// the middle of it.
  bool check_there() const;
  bool check_idle() const;

  /// Before an execution: checks, resets, binds. False with an exception under way.
  bool begin(const Arguments& args);
  bool begin_tagged(const Arguments& args);

  // Executions, after begin(). Empty with an exception under way.
  v8::MaybeLocal<v8::Value> get();
  v8::MaybeLocal<v8::Value> all();
  v8::MaybeLocal<v8::Value> run();
  v8::MaybeLocal<v8::Value> iterate();

  /// One step; SQLITE_ROW, SQLITE_DONE or an error.
  int step();
  void reset() noexcept;
  /// Which execution it is: an iterator of an earlier one is not valid any more.
  std::uint64_t execution() const noexcept { return execution_; }
  bool read_column_names(v8::LocalVector<v8::Name>& names);
  /// The row that the statement is at, as an object or an array. `names` are those of
  /// read_column_names().
  v8::MaybeLocal<v8::Value> row(v8::LocalVector<v8::Name>& names);

  static v8::Local<v8::FunctionTemplate> make_class(Environment& environment);

 private:
  Statement(Environment& environment, v8::Local<v8::Object> object,
            std::shared_ptr<Connection> connection, sqlite3_stmt* statement,
            const StatementSettings& settings);

  void detach() noexcept override;
  bool begin_execution();
  bool find_bare_names();
  bool bind_named(v8::Local<v8::Object> values);
  bool bind_from(const Arguments& args, int first, int parameter);
  int parameter_named(const std::string& name) const;

  static void get(const Arguments& args);
  static void all(const Arguments& args);
  static void run(const Arguments& args);
  static void iterate(const Arguments& args);
  static void columns(const Arguments& args);
  static void stat(const Arguments& args);
  static void reset_stats(const Arguments& args);
  static void close(const Arguments& args);
  static void dispose(const Arguments& args);
  static void source_sql(const Arguments& args);
  static void expanded_sql(const Arguments& args);
  template <bool StatementSettings::* setting>
  static void set(const Arguments& args);

  std::shared_ptr<Connection> connection_;
  sqlite3_stmt* statement_;
  StatementSettings settings_;
  State& state_;
  bool executing_ = false;
  std::uint64_t execution_ = 0;
  std::vector<v8::Global<v8::Name>> column_names_;
  int names_are_of_ = -1;  // how often SQLite had prepared the statement again when they were read
  /// Names of parameters without their prefix; made when first needed.
  std::optional<std::unordered_map<std::string, std::string>> bare_names_;
};

}  // namespace rondo::sqlite
