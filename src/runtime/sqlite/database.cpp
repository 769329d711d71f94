// Opening, closing and using a database; how it is configured.
#include "runtime/sqlite/database.h"

#include <cstring>
#include <utility>

#include "runtime/engine/environment.h"
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

/// The name of an attached database, "main" without one. False with an exception under way.
bool read_database_name(const Arguments& args, std::string& name) {
  name = "main";
  if (args[0]->IsUndefined()) return true;
  if (!args[0]->IsString()) {
    throw_invalid_type(Environment::of(args.GetIsolate()), "dbName", "a string");
    return false;
  }
  name = to_utf8(args.GetIsolate(), args[0]);
  return true;
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

Database* Database::usable(const Arguments& args) {
  auto* const self = from<Database>(args.This());
  return check_usable(self->environment(), *self->connection_) ? self : nullptr;
}

bool Database::open() {
  if (connection_->is_open()) {
    throw_invalid_state(environment(), "database is already open");
    return false;
  }
  if (connection_->open() != SQLITE_OK) {
    throw_last_error(environment(), *connection_);
    connection_->close();
    return false;
  }
  State::of(environment()).open_connections().add(connection_);
  return true;
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

void Database::open(const Arguments& args) {
  from<Database>(args.This())->open();
}

void Database::close(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  if (!check_open(self.environment(), *self.connection_)) return;
  if (self.connection_->running != 0) {
    return throw_invalid_state(self.environment(), "database cannot be closed while in a callback");
  }
  self.connection_->close();
}

void Database::dispose(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  if (self.connection_->running == 0) self.connection_->close();
}

void Database::prepare(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  if (!args[0]->IsString()) return throw_invalid_type(environment, "sql", "a string");
  StatementSettings settings = self->connection_->settings().statement;
  bool persistent = false;
  if (args.Length() > 1) {
    OptionReader options(environment, args[1], Undefined::allowed);
    options.boolean("returnArrays", settings.return_arrays);
    options.boolean("readBigInts", settings.read_big_ints);
    options.boolean("allowBareNamedParameters", settings.allow_bare_names);
    options.boolean("allowUnknownNamedParameters", settings.allow_unknown_names);
    options.boolean("persistent", persistent);
    // A getter of the options may have closed the database.
    if (!options.ok() || !check_usable(environment, *self->connection_)) return;
  }
  const std::string sql = to_utf8(args.GetIsolate(), args[0]);
  // Up to a NUL, as SQLite takes it where it gets no length.
  const Statement* const statement = Statement::prepare(environment, args.This(), self->connection_,
                                                        sql.c_str(), settings, persistent);
  if (statement != nullptr) args.GetReturnValue().Set(statement->object());
}

void Database::exec(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  if (!args[0]->IsString()) return throw_invalid_type(self->environment(), "sql", "a string");
  const std::string sql = to_utf8(args.GetIsolate(), args[0]);
  self->connection_->listen(State::of(self->environment()).has_query_subscribers());
  const Running running(*self->connection_);
  const int result =
      sqlite3_exec(self->connection_->handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) throw_last_error(self->environment(), *self->connection_);
}

void Database::location(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  std::string name;
  if (!check_open(self.environment(), *self.connection_) || !read_database_name(args, name)) return;
  const char* const file = sqlite3_db_filename(self.connection_->handle(), name.c_str());
  if (file == nullptr || *file == '\0') return args.GetReturnValue().SetNull();
  args.GetReturnValue().Set(self.environment().text(file));
}

// ---- The content as bytes ---------------------------------------------------------------------

void Database::serialize(const Arguments& args) {
  Database* const self = usable(args);
  std::string name;
  if (self == nullptr || !read_database_name(args, name)) return;
  sqlite3* const handle = self->connection_->handle();
  sqlite3_int64 size = 0;
  unsigned char* content = sqlite3_serialize(handle, name.c_str(), &size, 0);
  if (content == nullptr && size == 0) {
    // Nothing was ever written. A transaction writes the first page, as newer SQLite does here.
    sqlite3_exec(handle, "BEGIN IMMEDIATE; COMMIT", nullptr, nullptr, nullptr);
    content = sqlite3_serialize(handle, name.c_str(), &size, 0);
  }
  if (content == nullptr && size != 0) {
    return throw_last_error(self->environment(), *self->connection_);
  }
  const auto length = static_cast<std::size_t>(content == nullptr ? 0 : size);
  std::unique_ptr<v8::BackingStore> memory = v8::ArrayBuffer::NewBackingStore(
      content, length, [](void* bytes, std::size_t, void*) { sqlite3_free(bytes); }, nullptr);
  const Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(args.GetIsolate(), std::move(memory));
  args.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, length));
}

void Database::deserialize(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  Environment& environment = self.environment();
  Connection& connection = *self.connection_;
  if (!check_open(environment, connection)) return;
  const auto check_callbacks = [&] {
    if (connection.running == 0) return true;
    throw_invalid_state(environment, "database cannot be deserialized while in a callback");
    return false;
  };
  if (!check_callbacks()) return;
  if (!args[0]->IsUint8Array()) return throw_invalid_type(environment, "buffer", "a Uint8Array");
  const auto input = args[0].As<v8::Uint8Array>();
  const std::size_t size = input->ByteLength();
  if (size == 0) {
    return throw_invalid_value(environment, "The \"buffer\" argument must not be empty.");
  }
  std::string name = "main";
  if (args.Length() > 1) {
    OptionReader options(environment, args[1], Undefined::allowed);
    options.string("dbName", name);
    if (!options.ok() || !check_open(environment, connection) || !check_callbacks()) return;
    if (input->ByteLength() != size) {
      return throw_invalid_state(environment,
                                 "The \"buffer\" argument was resized while reading \"options\"");
    }
  }
  // SQLite frees it, also after a failure.
  auto* const content = static_cast<unsigned char*>(sqlite3_malloc64(size));
  if (content == nullptr) throw std::bad_alloc();
  input->CopyContents(content, size);
  connection.finalize_statements();
  const int result =
      sqlite3_deserialize(connection.handle(), name.c_str(), content,
                          static_cast<sqlite3_int64>(size), static_cast<sqlite3_int64>(size),
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (result != SQLITE_OK) throw_last_error(environment, connection);
}

// ---- Configuration ----------------------------------------------------------------------------

void Database::enable_load_extension(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  if (!args[0]->IsBoolean()) return throw_invalid_type(self->environment(), "allow", "a boolean");
  const bool enable = args[0]->IsTrue();
  Connection& connection = *self->connection_;
  if (enable && !connection.settings().allow_extension) {
    return throw_invalid_state(
        self->environment(),
        "Cannot enable extension loading because it was disabled at database creation.");
  }
  connection.extension_loading_enabled = enable;
  const int result = sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                                       static_cast<int>(enable), nullptr);
  if (result != SQLITE_OK) throw_last_error(self->environment(), connection);
}

void Database::enable_defensive(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  if (!args[0]->IsBoolean()) return throw_invalid_type(self->environment(), "active", "a boolean");
  const int result = sqlite3_db_config(self->connection_->handle(), SQLITE_DBCONFIG_DEFENSIVE,
                                       static_cast<int>(args[0]->IsTrue()), nullptr);
  if (result != SQLITE_OK) throw_last_error(self->environment(), *self->connection_);
}

void Database::load_extension(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  Connection& connection = *self->connection_;
  if (!connection.settings().allow_extension || !connection.extension_loading_enabled) {
    return throw_invalid_state(environment, "extension loading is not allowed");
  }
  if (!args[0]->IsString()) return throw_invalid_type(environment, "path", "a string");
  const std::string path = to_utf8(args.GetIsolate(), args[0]);
  std::string entry_point;
  const bool has_entry_point = args[1]->IsString();
  if (has_entry_point) entry_point = to_utf8(args.GetIsolate(), args[1]);
  char* message = nullptr;
  const Running running(*self->connection_);
  const int result = sqlite3_load_extension(
      connection.handle(), path.c_str(), has_entry_point ? entry_point.c_str() : nullptr, &message);
  if (result == SQLITE_OK) return;
  environment.throw_(environment.error("ERR_LOAD_SQLITE_EXTENSION",
                                       message != nullptr ? message : sqlite3_errstr(result)));
  sqlite3_free(message);
}

void Database::is_open(const Arguments& args) {
  args.GetReturnValue().Set(from<Database>(args.This())->connection_->is_open());
}

void Database::is_transaction(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  if (!check_open(self.environment(), *self.connection_)) return;
  args.GetReturnValue().Set(sqlite3_get_autocommit(self.connection_->handle()) == 0);
}

void Database::limits(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  Local<v8::Value> limits = self.object()->GetInternalField(kLimitsField).As<v8::Value>();
  if (!limits->IsObject()) {
    Local<v8::Object> made;
    if (!Limits::make(self.environment(), self.connection_).ToLocal(&made)) return;
    self.object()->SetInternalField(kLimitsField, made);
    limits = made;
  }
  args.GetReturnValue().Set(limits);
}

// ---- Authorization ----------------------------------------------------------------------------

void Database::set_authorizer(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  sqlite3* const handle = self->connection_->handle();
  if (args[0]->IsNull()) {
    sqlite3_set_authorizer(handle, nullptr, nullptr);
    self->object()->SetInternalField(kAuthorizerField, args[0]);
    return;
  }
  if (!args[0]->IsFunction()) {
    return throw_invalid_type(self->environment(), "callback", "a function or null");
  }
  self->object()->SetInternalField(kAuthorizerField, args[0]);
  if (sqlite3_set_authorizer(handle, ask_authorizer, self) != SQLITE_OK) {
    throw_last_error(self->environment(), *self->connection_);
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
      {"open", open},
      {"close", close},
      {"prepare", prepare},
      {"exec", exec},
      {"function", add_function},
      {"createTagStore", create_tag_store},
      {"location", location},
      {"aggregate", add_aggregate},
      {"createSession", create_session},
      {"applyChangeset", apply_changeset},
      {"enableLoadExtension", enable_load_extension},
      {"enableDefensive", enable_defensive},
      {"loadExtension", load_extension},
      {"serialize", serialize},
      {"deserialize", deserialize},
      {"setAuthorizer", set_authorizer},
  };
  const Local<v8::FunctionTemplate> made =
      rondo::make_class(environment, {"DatabaseSync", construct, kMethods, kFieldCount});
  add_dispose(environment, made, dispose);
  add_getter(environment, made, "isOpen", is_open);
  add_getter(environment, made, "isTransaction", is_transaction);
  add_getter(environment, made, "limits", limits);
  // By which packages recognise the class without requiring node:sqlite.
  made->InstanceTemplate()->Set(
      v8::Symbol::For(environment.isolate(), environment.name("sqlite-type")),
      environment.name("node:sqlite"));
  return made;
}

}  // namespace rondo::sqlite
