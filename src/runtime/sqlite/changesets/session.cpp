#include "runtime/sqlite/changesets/session.h"

#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/views.h"
#include "runtime/sqlite/changesets/changeset_check.h"
#include "runtime/sqlite/class_parts.h"
#include "runtime/sqlite/database.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/option_reader.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;

namespace {
constexpr int kDatabaseField = 1;  // kept alive by the session's object
}

Session::Session(Environment& environment, Local<v8::Object> object,
                 std::shared_ptr<Connection> connection, sqlite3_session* session)
    : Wrapped(environment, object), connection_(std::move(connection)), session_(session) {
  connection_->attach(*this);
}

Session::~Session() {
  connection_->detach(*this);
  detach();
}

void Session::detach() noexcept {
  if (session_ != nullptr) sqlite3session_delete(std::exchange(session_, nullptr));
}

bool Session::check_there() const {
  if (!check_usable(environment(), *connection_)) return false;
  if (session_ != nullptr) return true;
  throw_invalid_state(environment(), "session is not open");
  return false;
}

void Session::extract(const Arguments& args, Extract function) {
  if (!check_there()) return;
  int size = 0;
  void* bytes = nullptr;
  const Running running(*connection_);
  if (function(session_, &size, &bytes) != SQLITE_OK) {
    return throw_last_error(environment(), *connection_);
  }
  const auto length = static_cast<std::size_t>(size);
  std::unique_ptr<v8::BackingStore> memory = v8::ArrayBuffer::NewBackingStore(
      bytes, length, [](void* data, std::size_t, void*) { sqlite3_free(data); }, nullptr);
  args.GetReturnValue().Set(
      v8::Uint8Array::New(v8::ArrayBuffer::New(args.GetIsolate(), std::move(memory)), 0, length));
}

void Session::changeset(const Arguments& args) {
  from<Session>(args.This())->extract(args, sqlite3session_changeset);
}

void Session::patchset(const Arguments& args) {
  from<Session>(args.This())->extract(args, sqlite3session_patchset);
}

void Session::close(const Arguments& args) {
  Session& self = *from<Session>(args.This());
  if (!check_open(self.environment(), *self.connection_)) return;
  if (self.connection_->running != 0) {
    return throw_invalid_state(self.environment(), "session cannot be closed while in a callback");
  }
  if (!self.check_there()) return;
  self.connection_->detach(self);
  self.detach();
}

void Session::dispose(const Arguments& args) {
  Session& self = *from<Session>(args.This());
  if (self.connection_->running != 0) return;
  self.connection_->detach(self);
  self.detach();
}

Local<v8::FunctionTemplate> Session::make_class(Environment& environment) {
  constexpr Method kMethods[] = {
      {"changeset", changeset}, {"patchset", patchset}, {"close", close}};
  const Local<v8::FunctionTemplate> made =
      rondo::make_class(environment, {"Session", illegal_constructor, kMethods, /*fields=*/2});
  add_dispose(environment, made, dispose);
  return made;
}

void Database::create_session(const Arguments& args) {
  const Database& self = *from<Database>(args.This());
  Environment& environment = self.environment();
  std::string table;
  std::string name = "main";
  if (args.Length() > 0) {
    OptionReader options(environment, args[0], OptionReader::Undefined::refused);
    options.own_string("table", table);
    options.own_string("db", name);
    if (!options.ok()) return;
  }
  if (!check_usable(environment, *self.connection_)) return;
  sqlite3_session* session = nullptr;
  if (sqlite3session_create(self.connection_->handle(), name.c_str(), &session) != SQLITE_OK) {
    return throw_last_error(environment, *self.connection_);
  }
  Local<v8::Object> object;
  if (sqlite3session_attach(session, table.empty() ? nullptr : table.c_str()) != SQLITE_OK) {
    throw_last_error(environment, *self.connection_);
    sqlite3session_delete(session);
  } else if (!new_instance(environment, State::of(environment).session).ToLocal(&object)) {
    sqlite3session_delete(session);
  } else {
    object->SetInternalField(kDatabaseField, args.This());
    new Session(environment, object, self.connection_, session);
    args.GetReturnValue().Set(object);
  }
}

// ---- Changesets -------------------------------------------------------------------------------

namespace {

/// What a changeset asks while it is applied.
struct Questions {
  Environment& environment;
  Connection& connection;
  Local<v8::Function> filter;
  Local<v8::Function> on_conflict;

  v8::MaybeLocal<v8::Value> ask(Local<v8::Function> function, Local<v8::Value> argument) const {
    v8::Isolate* isolate = environment.isolate();
    v8::MaybeLocal<v8::Value> answer =
        function->Call(environment.context(), v8::Null(isolate), 1, &argument);
    if (answer.IsEmpty()) connection.exception_pending = true;
    return answer;
  }

  static int wants_table(void* self, const char* table) {
    const Questions& questions = *static_cast<Questions*>(self);
    if (questions.connection.exception_pending) return 0;
    v8::Isolate* isolate = questions.environment.isolate();
    const v8::HandleScope scope(isolate);
    Local<v8::Value> answer;
    return questions.ask(questions.filter, questions.environment.text(table)).ToLocal(&answer) &&
                   answer->BooleanValue(isolate)
               ? 1
               : 0;
  }

  static int decide(void* self, int kind, sqlite3_changeset_iter* /*change*/) {
    const Questions& questions = *static_cast<Questions*>(self);
    if (questions.on_conflict.IsEmpty() || questions.connection.exception_pending) {
      return SQLITE_CHANGESET_ABORT;
    }
    v8::Isolate* isolate = questions.environment.isolate();
    const v8::HandleScope scope(isolate);
    Local<v8::Value> answer;
    if (!questions.ask(questions.on_conflict, v8::Integer::New(isolate, kind)).ToLocal(&answer)) {
      return SQLITE_CHANGESET_ABORT;
    }
    // SQLite refuses what is not one of its three answers.
    return answer->IsInt32() ? answer.As<v8::Int32>()->Value() : -1;
  }
};

}  // namespace

void Database::apply_changeset(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  Connection& connection = *self->connection_;
  if (!args[0]->IsUint8Array()) {
    return throw_invalid_type(environment, "changeset", "a Uint8Array");
  }
  Questions questions{environment, connection, {}, {}};
  if (args.Length() > 1) {
    OptionReader options(environment, args[1], OptionReader::Undefined::allowed);
    options.function("onConflict", questions.on_conflict);
    options.own_function("filter", questions.filter);
    if (!options.ok() || !check_usable(environment, connection)) return;
  }
  // A copy: callbacks may change the bytes or give them away.
  std::vector<std::uint8_t> changes;
  {
    const ReadBytes bytes(args[0]);
    changes.assign(bytes.get().begin(), bytes.get().end());
  }
  if (changes.size() > INT_MAX) {
    return throw_out_of_range(environment, "The changeset is too large.");
  }
  if (!is_changeset(changes)) {
    return environment.throw_(sqlite_error(environment, SQLITE_CORRUPT));
  }
  const Running running(*self->connection_);
  const int result = sqlite3changeset_apply(
      connection.handle(), static_cast<int>(changes.size()), changes.data(),
      questions.filter.IsEmpty() ? nullptr : Questions::wants_table, Questions::decide, &questions);
  if (result == SQLITE_OK || result == SQLITE_ABORT) {
    args.GetReturnValue().Set(result == SQLITE_OK);
  } else if (!connection.exception_pending) {
    environment.throw_(sqlite_error(environment, result));
  }
}

}  // namespace rondo::sqlite
