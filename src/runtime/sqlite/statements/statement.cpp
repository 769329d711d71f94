#include "runtime/sqlite/statements/statement.h"

#include <array>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/iterator.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;
using v8::MaybeLocal;

namespace {
// The database's object is kept alive by that of the statement.
constexpr int kDatabaseField = 1;
}  // namespace

Statement::Statement(Environment& environment, Local<v8::Object> object,
                     std::shared_ptr<Connection> connection, sqlite3_stmt* statement,
                     const StatementSettings& settings)
    : Wrapped(environment, object),
      connection_(std::move(connection)),
      statement_(statement),
      settings_(settings),
      state_(State::of(environment)) {
  connection_->attach_statement(*this);
}

Statement::~Statement() {
  connection_->detach_statement(*this);
  // Aggregates of an unfinished execution end with it, and may not call JavaScript here.
  connection_->collecting = true;
  detach();
  connection_->collecting = false;
}

void Statement::detach() noexcept {
  sqlite3_finalize(std::exchange(statement_, nullptr));
  column_names_.clear();
  names_are_of_ = -1;
}

Statement* Statement::prepare(Environment& environment, Local<v8::Object> database,
                              const std::shared_ptr<Connection>& connection, std::string_view sql,
                              const StatementSettings& settings, bool persistent) {
  sqlite3_stmt* statement = nullptr;
  const Running running(*connection);
  const unsigned flags = persistent ? SQLITE_PREPARE_PERSISTENT : 0;
  const int result = sqlite3_prepare_v3(connection->handle(), sql.data(),
                                        static_cast<int>(sql.size()), flags, &statement, nullptr);
  if (result != SQLITE_OK) {
    throw_last_error(environment, *connection);
    return nullptr;
  }
  if (statement == nullptr) {
    throw_invalid_value(environment, "The SQL query contains no statements.");
    return nullptr;
  }
  Local<v8::Object> object;
  if (!new_instance(environment, State::of(environment).statement).ToLocal(&object)) {
    sqlite3_finalize(statement);
    return nullptr;
  }
  object->SetInternalField(kDatabaseField, database);
  return new Statement(environment, object, connection, statement, settings);
}

bool Statement::check_there() const {
  if (statement_ != nullptr) return true;
  throw_invalid_state(environment(), "statement has been finalized");
  return false;
}

bool Statement::check_idle() const {
  if (!check_there()) return false;
  if (!executing_) return check_usable(environment(), *connection_);
  throw_invalid_state(environment(), "statement is already being executed");
  return false;
}

// ---- Parameters -------------------------------------------------------------------------------

bool Statement::begin_execution() {
  if (!check_idle()) return false;
  connection_->listen(state_.has_query_subscribers());
  reset();
  sqlite3_clear_bindings(statement_);
  return true;
}

bool Statement::begin(const Arguments& args) {
  if (!begin_execution()) return false;
  if (args.Length() == 0) return true;
  const bool named = args[0]->IsObject() && !args[0]->IsArrayBufferView() &&
                     !args[0]->IsArrayBuffer() && !args[0]->IsSharedArrayBuffer();
  if (named && !bind_named(args[0].As<v8::Object>())) return false;
  return bind_from(args, named ? 1 : 0, 1);
}

bool Statement::begin_tagged(const Arguments& args) {
  if (sqlite3_bind_parameter_count(statement_) != args.Length() - 1) {
    throw_invalid_value(environment(),
                        "SQLite parameters must be bound using template literal placeholders.");
    return false;
  }
  return begin_execution() && bind_from(args, 1, 1);
}

/// Binds arguments, from the one at `first` on, to the parameters without a name.
bool Statement::bind_from(const Arguments& args, int first, int parameter) {
  for (int i = first; i < args.Length(); ++i, ++parameter) {
    for (;; ++parameter) {
      const char* const name = sqlite3_bind_parameter_name(statement_, parameter);
      if (name == nullptr || name[0] == '?') break;
    }
    if (!bind_value(environment(), *connection_, statement_, parameter, args[i])) return false;
  }
  return true;
}

bool Statement::bind_named(Local<v8::Object> values) {
  const Local<v8::Context> context = environment().context();
  Local<v8::Array> names;
  if (!values->GetOwnPropertyNames(context).ToLocal(&names)) return false;
  if (settings_.allow_bare_names && !bare_names_ && !find_bare_names()) return false;
  for (std::uint32_t i = 0; i < names->Length(); ++i) {
    Local<v8::Value> key;
    Local<v8::String> text;
    Local<v8::Value> value;
    if (!names->Get(context, i).ToLocal(&key) || !key->ToString(context).ToLocal(&text)) {
      return false;
    }
    const std::string name = to_utf8(environment().isolate(), text);
    const int parameter = parameter_named(name);
    if (parameter == 0) {
      if (settings_.allow_unknown_names) continue;
      throw_invalid_state(environment(), "Unknown named parameter '" + name + "'");
      return false;
    }
    // A getter may use the statement, or end it.
    const bool was_executing = std::exchange(executing_, true);
    const bool read = values->Get(context, key).ToLocal(&value);
    executing_ = was_executing;
    if (!read || !check_there()) return false;
    if (!bind_value(environment(), *connection_, statement_, parameter, value)) return false;
  }
  return true;
}

int Statement::parameter_named(const std::string& name) const {
  const int parameter = sqlite3_bind_parameter_index(statement_, name.c_str());
  if (parameter != 0 || !settings_.allow_bare_names) return parameter;
  const auto found = bare_names_->find(name);
  if (found == bare_names_->end()) return 0;
  return sqlite3_bind_parameter_index(statement_, found->second.c_str());
}

bool Statement::find_bare_names() {
  std::unordered_map<std::string, std::string> names;
  const int count = sqlite3_bind_parameter_count(statement_);
  for (int i = 1; i <= count; ++i) {
    const char* const name = sqlite3_bind_parameter_name(statement_, i);
    if (name == nullptr) continue;
    const auto [entry, is_new] = names.try_emplace(name + 1, name);
    if (is_new || entry->second == name) continue;
    throw_invalid_state(environment(), "Cannot create bare named parameter '" + entry->first +
                                           "' because of conflicting names '" + entry->second +
                                           "' and '" + name + "'.");
    return false;
  }
  bare_names_ = std::move(names);
  return true;
}

// ---- Execution --------------------------------------------------------------------------------

int Statement::step() {
  const Running running(*connection_);
  executing_ = true;
  const int result = sqlite3_step(statement_);
  executing_ = false;
  return result;
}

void Statement::reset() noexcept {
  ++execution_;
  const Running running(*connection_);
  sqlite3_reset(statement_);
}

/// The names of the columns, for row(). They are read again if SQLite has prepared the statement
/// again, because the schema changed.
bool Statement::read_column_names(v8::LocalVector<v8::Name>& names) {
  if (settings_.return_arrays) return true;
  const int prepared = sqlite3_stmt_status(statement_, SQLITE_STMTSTATUS_REPREPARE, 0);
  v8::Isolate* isolate = environment().isolate();
  if (prepared == names_are_of_) {
    names.reserve(column_names_.size());
    for (const v8::Global<v8::Name>& name : column_names_) names.push_back(name.Get(isolate));
    return true;
  }
  column_names_.clear();
  const int count = sqlite3_column_count(statement_);
  for (int i = 0; i < count; ++i) {
    const char* const name = sqlite3_column_name(statement_, i);
    if (name == nullptr) throw std::bad_alloc();
    Local<v8::String> text;
    if (!v8::String::NewFromUtf8(isolate, name, v8::NewStringType::kInternalized).ToLocal(&text)) {
      return false;
    }
    column_names_.emplace_back(isolate, text.As<v8::Name>());
    names.push_back(text);
  }
  names_are_of_ = prepared;
  return true;
}

MaybeLocal<v8::Value> Statement::row(v8::LocalVector<v8::Name>& names) {
  constexpr std::size_t kFew = 16;
  v8::Isolate* isolate = environment().isolate();
  const auto count = static_cast<std::size_t>(sqlite3_column_count(statement_));
  std::array<Local<v8::Value>, kFew> few;
  v8::LocalVector<v8::Value> many(isolate);
  if (count > kFew) many.resize(count);
  Local<v8::Value>* const values = count > kFew ? many.data() : few.data();
  for (std::size_t i = 0; i < count; ++i) {
    // One call instead of three of sqlite3_column_..., each of which takes the connection's lock.
    sqlite3_value* const value = sqlite3_column_value(statement_, static_cast<int>(i));
    if (!to_javascript(environment(), value, settings_.read_big_ints).ToLocal(&values[i])) {
      return {};
    }
  }
  if (settings_.return_arrays) return v8::Array::New(isolate, values, count);
  return v8::Object::New(isolate, v8::Null(isolate), names.data(), values, count);
}

MaybeLocal<v8::Value> Statement::get() {
  v8::EscapableHandleScope scope(environment().isolate());
  const Running running(*connection_);
  MaybeLocal<v8::Value> result = v8::Undefined(environment().isolate()).As<v8::Value>();
  const int outcome = step();
  if (outcome == SQLITE_ROW) {
    v8::LocalVector<v8::Name> names(environment().isolate());
    result = read_column_names(names) ? row(names) : MaybeLocal<v8::Value>();
  } else if (outcome != SQLITE_DONE) {
    throw_last_error(environment(), *connection_);
    result = {};
  }
  sqlite3_reset(statement_);
  return scope.EscapeMaybe(result);
}

MaybeLocal<v8::Value> Statement::all() {
  v8::Isolate* isolate = environment().isolate();
  v8::EscapableHandleScope scope(isolate);
  const Running running(*connection_);
  v8::LocalVector<v8::Value> rows(isolate);
  v8::LocalVector<v8::Name> names(isolate);
  // SQLite may prepare the statement again, with other columns, in the first step only.
  int outcome = step();
  if (outcome == SQLITE_ROW && !read_column_names(names)) {
    sqlite3_reset(statement_);
    return {};
  }
  for (; outcome == SQLITE_ROW; outcome = step()) {
    v8::EscapableHandleScope row_scope(isolate);
    Local<v8::Value> value;
    if (!row(names).ToLocal(&value)) {
      sqlite3_reset(statement_);
      return {};
    }
    rows.push_back(row_scope.Escape(value));
  }
  if (outcome != SQLITE_DONE) throw_last_error(environment(), *connection_);
  sqlite3_reset(statement_);
  if (outcome != SQLITE_DONE) return {};
  return scope.Escape(v8::Array::New(isolate, rows.data(), rows.size()));
}

MaybeLocal<v8::Value> Statement::run() {
  v8::Isolate* isolate = environment().isolate();
  v8::EscapableHandleScope scope(isolate);
  const Running running(*connection_);
  step();
  if (sqlite3_reset(statement_) != SQLITE_OK) {
    throw_last_error(environment(), *connection_);
    return {};
  }
  const auto number = [&](std::int64_t value) -> Local<v8::Value> {
    if (settings_.read_big_ints) return v8::BigInt::New(isolate, value);
    return v8::Number::New(isolate, static_cast<double>(value));
  };
  MaybeLocal<v8::Value> values[] = {
      number(sqlite3_changes64(connection_->handle())),
      number(sqlite3_last_insert_rowid(connection_->handle())),
  };
  return scope.Escape(
      state_.run_result.Get(isolate)->NewInstance(environment().context(), values).As<v8::Value>());
}

MaybeLocal<v8::Value> Statement::iterate() {
  return StatementIterator::make(*this);
}

}  // namespace rondo::sqlite
