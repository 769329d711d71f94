// Opening, closing and using a database; how it is configured.
#include "runtime/sqlite/database.h"

#include <cstring>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"
#include "runtime/sqlite/class_parts.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/limits.h"
#include "runtime/sqlite/option_reader.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/statement.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;

namespace {

// Internal fields beyond that of Wrapped.
enum Field { kLimitsField = 1, kAuthorizerField, kFieldCount };

using Undefined = OptionReader::Undefined;

void read_limits(const Environment& environment, Local<v8::Value> value, OpenSettings& settings,
                 OptionReader& options) {
  if (value->IsUndefined()) return;
  if (!value->IsObject()) return options.fail_type("limits", "an object");
  OptionReader limits(environment, value, Undefined::refused, "options.limits");
  for (std::size_t i = 0; i < kLimits.size() && limits.ok(); ++i) {
    int limit = -1;
    const Local<v8::Value> given = limits.value(kLimits[i]);
    if (!limits.ok() || given->IsUndefined()) continue;
    if (!given->IsInt32()) {
      limits.fail_type(kLimits[i], "an integer");
    } else if (limit = given.As<v8::Int32>()->Value(); limit < 0) {
      limits.fail_range(kLimits[i], "non-negative");
    } else {
      settings.limits[i] = limit;
    }
  }
  if (!limits.ok()) options.stop();
}

/// `open`: whether the constructor opens the database.
bool read_settings(const Environment& environment, Local<v8::Value> value, OpenSettings& settings,
                   bool& open) {
  OptionReader options(environment, value, Undefined::refused);
  options.boolean("open", open);
  options.boolean("readOnly", settings.read_only);
  options.boolean("enableForeignKeyConstraints", settings.foreign_keys);
  options.boolean("enableDoubleQuotedStringLiterals", settings.double_quoted_strings);
  options.boolean("allowExtension", settings.allow_extension);
  options.integer("timeout", settings.timeout_ms);
  options.boolean("readBigInts", settings.statement.read_big_ints);
  options.boolean("returnArrays", settings.statement.return_arrays);
  options.boolean("allowBareNamedParameters", settings.statement.allow_bare_names);
  options.boolean("allowUnknownNamedParameters", settings.statement.allow_unknown_names);
  options.boolean("defensive", settings.defensive);
  const Local<v8::Value> limits = options.value("limits");
  if (options.ok()) read_limits(environment, limits, settings, options);
  return options.ok();
}

// The argument called `name`. They throw if it is of another type.

std::string text_argument(const Environment& environment, Local<v8::Value> value,
                          std::string_view name) {
  if (!value->IsString()) {
    throw_invalid_type(environment, name, "a string");
    throw PendingException();
  }
  return to_utf8(environment.isolate(), value);
}

bool boolean_argument(const Environment& environment, Local<v8::Value> value,
                      std::string_view name) {
  if (!value->IsBoolean()) {
    throw_invalid_type(environment, name, "a boolean");
    throw PendingException();
  }
  return value->IsTrue();
}

/// The name of an attached database, "main" without one.
std::string database_name(const Environment& environment, Local<v8::Value> value) {
  return value->IsUndefined() ? "main" : text_argument(environment, value, "dbName");
}

}  // namespace

bool read_location(const Environment& environment, Local<v8::Value> value, std::string& location) {
  bool is_url = false;
  bool is_given = false;
  if (value->IsString()) {
    location = to_utf8(environment.isolate(), value);
    is_given = true;
  } else if (value->IsUint8Array()) {
    const ReadBytes bytes(value);
    location.assign(bytes.get().begin(), bytes.get().end());
    is_given = true;
  } else if (value->IsObject()) {
    Local<v8::Value> href;
    if (!value.As<v8::Object>()
             ->Get(environment.context(), environment.name("href"))
             .ToLocal(&href)) {
      return false;
    }
    if (href->IsString()) {
      location = to_utf8(environment.isolate(), href);
      is_given = is_url = true;
    }
  }
  if (!is_given || location.find('\0') != std::string::npos) {
    throw_invalid_type(environment, "path", "a string, Uint8Array, or URL without null bytes");
    return false;
  }
  if (is_url && !location.starts_with("file:")) {
    environment.throw_(
        environment.type_error("ERR_INVALID_URL_SCHEME", "The URL must be of scheme file:"));
    return false;
  }
  return true;
}

Database::Database(Environment& environment, Local<v8::Object> object,
                   std::shared_ptr<Connection> connection)
    : Wrapped(environment, object), connection_(std::move(connection)) {
  connection_->set_listener(this);
}

Database::~Database() {
  connection_->set_listener(nullptr);
  // Statements keep our object alive, so that there are none that JavaScript could use.
  connection_->collecting = true;
  connection_->close();
}

Database* Database::from_argument(const Environment& environment, Local<v8::Value> value) {
  State& state = State::of(Environment::of(environment.isolate()));
  if (state.database.Get(environment.isolate())->HasInstance(value)) {
    return from<Database>(value);
  }
  throw_invalid_type(environment, "sourceDb", "an object");
  return nullptr;
}

void Database::require_open() const {
  if (!check_open(environment(), *connection_)) throw PendingException();
}

void Database::require_usable() const {
  if (!check_usable(environment(), *connection_)) throw PendingException();
}

void Database::require(int result) const {
  if (result == SQLITE_OK) return;
  throw_last_error(environment(), *connection_);
  throw PendingException();
}

Database* Database::usable(const Arguments& args) {
  auto* const self = from<Database>(args.This());
  return check_usable(self->environment(), *self->connection_) ? self : nullptr;
}

void Database::open() {
  if (connection_->is_open()) {
    return throw_invalid_state(environment(), "database is already open");
  }
  if (connection_->open() != SQLITE_OK) {
    throw_last_error(environment(), *connection_);
    connection_->close();
    return;
  }
  State::of(environment()).open_connections().add(connection_);
}

void Database::construct(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  if (!args.IsConstructCall()) {
    environment.throw_(environment.type_error("ERR_CONSTRUCT_CALL_REQUIRED",
                                              "Cannot call constructor without `new`"));
    return;
  }
  OpenSettings settings;
  bool open = true;
  if (!read_location(environment, args[0], settings.location)) return;
  if (args.Length() > 1 && !read_settings(environment, args[1], settings, open)) return;
  if (settings.allow_extension && !State::of(environment).allows_extensions) {
    environment.throw_(
        environment.error("ERR_LOAD_SQLITE_EXTENSION",
                          "Cannot load SQLite extensions when the permission model is enabled."));
    return;
  }
  auto* const self =
      new Database(environment, args.This(), std::make_shared<Connection>(std::move(settings)));
  if (open) self->open();
}

void Database::close() {
  require_open();
  if (connection_->running != 0) {
    return throw_invalid_state(environment(), "database cannot be closed while in a callback");
  }
  connection_->close();
}

void Database::dispose() {
  if (connection_->running == 0) connection_->close();
}

v8::MaybeLocal<v8::Object> Database::prepare(Local<v8::Value> sql, Local<v8::Value> given) {
  require_usable();
  if (!sql->IsString()) {
    throw_invalid_type(environment(), "sql", "a string");
    return {};
  }
  StatementSettings settings = connection_->settings().statement;
  bool persistent = false;
  OptionReader options(environment(), given, Undefined::allowed);
  options.boolean("returnArrays", settings.return_arrays);
  options.boolean("readBigInts", settings.read_big_ints);
  options.boolean("allowBareNamedParameters", settings.allow_bare_names);
  options.boolean("allowUnknownNamedParameters", settings.allow_unknown_names);
  options.boolean("persistent", persistent);
  // A getter of the options may have closed the database.
  if (!options.ok() || !check_usable(environment(), *connection_)) return {};
  // Up to a NUL, as SQLite takes it where it gets no length.
  const std::string text = to_utf8(environment().isolate(), sql);
  const Statement* const statement =
      Statement::prepare(environment(), object(), connection_, text.c_str(), settings, persistent);
  if (statement == nullptr) return {};
  return statement->object();
}

void Database::exec(Local<v8::Value> sql) {
  require_usable();
  const std::string text = text_argument(environment(), sql, "sql");
  connection_->listen(State::of(environment()).has_query_subscribers());
  const Running running(*connection_);
  require(sqlite3_exec(connection_->handle(), text.c_str(), nullptr, nullptr, nullptr));
}

Local<v8::Value> Database::location(Local<v8::Value> name) const {
  require_open();
  const char* const file =
      sqlite3_db_filename(connection_->handle(), database_name(environment(), name).c_str());
  if (file == nullptr || *file == '\0') return v8::Null(environment().isolate());
  return environment().text(file);
}

// ---- The content as bytes ---------------------------------------------------------------------

v8::MaybeLocal<v8::Object> Database::serialize(Local<v8::Value> name) const {
  require_usable();
  const std::string text = database_name(environment(), name);
  sqlite3_int64 size = 0;
  sqlite3* const handle = connection_->handle();
  unsigned char* content = sqlite3_serialize(handle, text.c_str(), &size, 0);
  if (content == nullptr && size == 0) {
    // Nothing was ever written. A transaction writes the first page, as newer SQLite does here.
    sqlite3_exec(handle, "BEGIN IMMEDIATE; COMMIT", nullptr, nullptr, nullptr);
    content = sqlite3_serialize(handle, text.c_str(), &size, 0);
  }
  if (content == nullptr && size != 0) {
    throw_last_error(environment(), *connection_);
    return {};
  }
  const auto length = static_cast<std::size_t>(content == nullptr ? 0 : size);
  std::unique_ptr<v8::BackingStore> memory = v8::ArrayBuffer::NewBackingStore(
      content, length, [](void* bytes, std::size_t, void*) { sqlite3_free(bytes); }, nullptr);
  return v8::Uint8Array::New(v8::ArrayBuffer::New(environment().isolate(), std::move(memory)), 0,
                             length);
}

void Database::deserialize(Local<v8::Value> buffer, Local<v8::Value> given) {
  Connection& connection = *connection_;
  require_open();
  const auto check_callbacks = [&] {
    if (connection.running == 0) return true;
    throw_invalid_state(environment(), "database cannot be deserialized while in a callback");
    return false;
  };
  if (!check_callbacks()) return;
  if (!buffer->IsUint8Array()) return throw_invalid_type(environment(), "buffer", "a Uint8Array");
  const auto input = buffer.As<v8::Uint8Array>();
  const std::size_t size = input->ByteLength();
  if (size == 0) {
    return throw_invalid_value(environment(), "The \"buffer\" argument must not be empty.");
  }
  std::string name = "main";
  OptionReader options(environment(), given, Undefined::allowed);
  options.string("dbName", name);
  if (!options.ok() || !check_open(environment(), connection) || !check_callbacks()) return;
  if (input->ByteLength() != size) {
    return throw_invalid_state(environment(),
                               "The \"buffer\" argument was resized while reading \"options\"");
  }
  // SQLite frees it, also after a failure.
  auto* const content = static_cast<unsigned char*>(sqlite3_malloc64(size));
  if (content == nullptr) throw std::bad_alloc();
  input->CopyContents(content, size);
  connection.finalize_statements();
  require(sqlite3_deserialize(connection.handle(), name.c_str(), content,
                              static_cast<sqlite3_int64>(size), static_cast<sqlite3_int64>(size),
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE));
}

// ---- Configuration ----------------------------------------------------------------------------

void Database::enable_load_extension(Local<v8::Value> allow) {
  require_usable();
  const bool enable = boolean_argument(environment(), allow, "allow");
  if (enable && !connection_->settings().allow_extension) {
    return throw_invalid_state(
        environment(),
        "Cannot enable extension loading because it was disabled at database creation.");
  }
  connection_->extension_loading_enabled = enable;
  require(sqlite3_db_config(connection_->handle(), SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                            static_cast<int>(enable), nullptr));
}

void Database::enable_defensive(Local<v8::Value> active) {
  require_usable();
  const bool enable = boolean_argument(environment(), active, "active");
  require(sqlite3_db_config(connection_->handle(), SQLITE_DBCONFIG_DEFENSIVE,
                            static_cast<int>(enable), nullptr));
}

void Database::load_extension(Local<v8::Value> path, Local<v8::Value> entry_point) {
  require_usable();
  if (!connection_->settings().allow_extension || !connection_->extension_loading_enabled) {
    return throw_invalid_state(environment(), "extension loading is not allowed");
  }
  const std::string file = text_argument(environment(), path, "path");
  std::string entry;
  if (entry_point->IsString()) entry = to_utf8(environment().isolate(), entry_point);
  char* message = nullptr;
  const Running running(*connection_);
  const int result =
      sqlite3_load_extension(connection_->handle(), file.c_str(),
                             entry_point->IsString() ? entry.c_str() : nullptr, &message);
  if (result == SQLITE_OK) return;
  environment().throw_(environment().error("ERR_LOAD_SQLITE_EXTENSION",
                                           message != nullptr ? message : sqlite3_errstr(result)));
  sqlite3_free(message);
}

bool Database::is_open() const {
  return connection_->is_open();
}

bool Database::is_transaction() const {
  require_open();
  return sqlite3_get_autocommit(connection_->handle()) == 0;
}

v8::MaybeLocal<v8::Value> Database::limits() {
  const Local<v8::Value> limits = object()->GetInternalField(kLimitsField).As<v8::Value>();
  if (limits->IsObject()) return limits;
  Local<v8::Object> made;
  if (!Limits::make(environment(), connection_).ToLocal(&made)) return {};
  object()->SetInternalField(kLimitsField, made);
  return made;
}

// ---- Authorization ----------------------------------------------------------------------------

void Database::set_authorizer(Local<v8::Value> callback) {
  require_usable();
  if (!callback->IsNull() && !callback->IsFunction()) {
    return throw_invalid_type(environment(), "callback", "a function or null");
  }
  object()->SetInternalField(kAuthorizerField, callback);
  if (callback->IsNull()) {
    sqlite3_set_authorizer(connection_->handle(), nullptr, nullptr);
  } else {
    require(sqlite3_set_authorizer(connection_->handle(), ask_authorizer, this));
  }
}

int Database::ask_authorizer(void* pointer, int action, const char* first, const char* second,
                             const char* third, const char* fourth) {
  const Database& self = *static_cast<Database*>(pointer);
  Connection& connection = *self.connection_;
  if (connection.exception_pending || connection.collecting) return SQLITE_DENY;
  Environment& environment = self.environment();
  v8::Isolate* isolate = environment.isolate();
  const v8::HandleScope scope(isolate);
  Local<v8::Value> arguments[] = {
      v8::Integer::New(isolate, action), text_or_null(environment, first),
      text_or_null(environment, second), text_or_null(environment, third),
      text_or_null(environment, fourth),
  };
  const auto callback = self.object()->GetInternalField(kAuthorizerField).As<v8::Function>();
  const bool was_authorizing = std::exchange(connection.authorizing, true);
  Local<v8::Value> answer;
  const bool answered = callback
                            ->Call(environment.context(), v8::Undefined(isolate),
                                   static_cast<int>(std::size(arguments)), arguments)
                            .ToLocal(&answer);
  connection.authorizing = was_authorizing;
  if (answered && answer->IsInt32()) {
    const int code = answer.As<v8::Int32>()->Value();
    if (code == SQLITE_OK || code == SQLITE_DENY || code == SQLITE_IGNORE) return code;
    environment.throw_(v8::Exception::RangeError(
        environment.text("Authorizer callback returned a invalid authorization code")));
  } else if (answered) {
    environment.throw_(v8::Exception::TypeError(
        environment.text("Authorizer callback must return an integer authorization code")));
  }
  connection.exception_pending = true;
  return SQLITE_DENY;
}

// ---- The channel sqlite.db.query --------------------------------------------------------------

void Database::query_done(sqlite3_stmt* statement, sqlite3_int64 duration_ns) {
  if (connection_->exception_pending) return;
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  char* const expanded = sqlite3_expanded_sql(statement);
  Local<v8::Value> arguments[] = {
      environment().text(expanded != nullptr ? expanded : sqlite3_sql(statement)),
      object(),
      v8::Number::New(isolate, static_cast<double>(duration_ns)),
  };
  sqlite3_free(expanded);
  const auto published = State::of(environment())
                             .publish_query.Get(isolate)
                             ->Call(environment().context(), v8::Undefined(isolate), 3, arguments);
  if (published.IsEmpty()) connection_->exception_pending = true;
}

// ---- The class --------------------------------------------------------------------------------

Local<v8::FunctionTemplate> Database::make_class(Environment& environment) {
  constexpr Method kMethods[] = {
      method<&Database::open>("open"),
      method<&Database::close>("close"),
      method<&Database::prepare>("prepare"),
      method<&Database::exec>("exec"),
      {"function", add_function},
      {"createTagStore", create_tag_store},
      method<&Database::location>("location"),
      {"aggregate", add_aggregate},
      {"createSession", create_session},
      {"applyChangeset", apply_changeset},
      method<&Database::enable_load_extension>("enableLoadExtension"),
      method<&Database::enable_defensive>("enableDefensive"),
      method<&Database::load_extension>("loadExtension"),
      method<&Database::serialize>("serialize"),
      method<&Database::deserialize>("deserialize"),
      method<&Database::set_authorizer>("setAuthorizer"),
  };
  const Local<v8::FunctionTemplate> made =
      rondo::make_class(environment, {"DatabaseSync", construct, kMethods, kFieldCount});
  add_dispose(environment, made, method<&Database::dispose>("dispose").callback);
  add_getter(environment, made, method<&Database::is_open>("isOpen"));
  add_getter(environment, made, method<&Database::is_transaction>("isTransaction"));
  add_getter(environment, made, method<&Database::limits>("limits"));
  // By which packages recognise the class without requiring node:sqlite.
  made->InstanceTemplate()->Set(
      v8::Symbol::For(environment.isolate(), environment.name("sqlite-type")),
      environment.name("node:sqlite"));
  return made;
}

}  // namespace rondo::sqlite
