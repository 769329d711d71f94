#include "runtime/sqlite/statements/tag_store.h"

#include <cmath>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/sqlite/class_parts.h"
#include "runtime/sqlite/database.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/statement.h"
#include "runtime/sqlite/values.h"

namespace rondo::sqlite {

using v8::Local;

namespace {
constexpr int kDatabaseField = 1;
constexpr std::size_t kDefaultCapacity = 1000;
}  // namespace

TagStore::TagStore(Environment& environment, Local<v8::Object> object,
                   std::shared_ptr<Connection> connection, std::size_t capacity)
    : Wrapped(environment, object), connection_(std::move(connection)), capacity_(capacity) {}

Statement* TagStore::find(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const auto refuse = [&](std::string_view message) -> Statement* {
    environment().throw_(environment().type_error("ERR_INVALID_ARG_TYPE", message));
    return nullptr;
  };
  if (!args[0]->IsArray()) {
    return refuse("First argument must be an array of strings (template literal).");
  }
  const auto strings = args[0].As<v8::Array>();
  const std::uint32_t parts = strings->Length();
  const auto parameters = static_cast<std::uint32_t>(args.Length() - 1);
  std::string sql;
  for (std::uint32_t i = 0; i < parts; ++i) {
    Local<v8::Value> part;
    if (!strings->Get(environment().context(), i).ToLocal(&part)) return nullptr;
    if (!part->IsString()) return refuse("Template literal parts must be strings.");
    sql += to_utf8(isolate, part);
    if (i < parameters) sql += '?';
  }

  if (const auto found = by_sql_.find(sql); found != by_sql_.end()) {
    const auto entry = found->second;
    auto* const statement = from<Statement>(entry->statement.Get(isolate));
    if (!statement->is_finalized()) {
      entries_.splice(entries_.begin(), entries_, entry);
      return statement;
    }
    by_sql_.erase(found);
    entries_.erase(entry);
  }
  return prepare(std::move(sql));
}

Statement* TagStore::prepare(std::string sql) {
  v8::Isolate* isolate = environment().isolate();
  const auto database = object()->GetInternalField(kDatabaseField).As<v8::Object>();
  Statement* const statement =
      Statement::prepare(environment(), database, connection_, sql,
                         connection_->settings().statement, /*persistent=*/true);
  if (statement == nullptr) return nullptr;
  if (entries_.size() == capacity_) {
    by_sql_.erase(entries_.back().sql);
    entries_.pop_back();
  }
  entries_.push_front({std::move(sql), {isolate, statement->object()}});
  by_sql_.emplace(entries_.front().sql, entries_.begin());
  return statement;
}

template <v8::MaybeLocal<v8::Value> (Statement::*execute_statement)()>
void TagStore::execute(const Arguments& args) {
  TagStore& self = *from<TagStore>(args.This());
  if (!check_usable(self.environment(), *self.connection_)) return;
  Statement* const statement = self.find(args);
  Local<v8::Value> result;
  if (statement != nullptr && statement->begin_tagged(args) &&
      (statement->*execute_statement)().ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  }
}

void TagStore::clear(const Arguments& args) {
  TagStore& self = *from<TagStore>(args.This());
  self.by_sql_.clear();
  self.entries_.clear();
}

void TagStore::capacity(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(from<TagStore>(args.This())->capacity_));
}

void TagStore::database(const Arguments& args) {
  args.GetReturnValue().Set(args.This()->GetInternalField(kDatabaseField).As<v8::Value>());
}

void TagStore::size(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<double>(from<TagStore>(args.This())->entries_.size()));
}

Local<v8::FunctionTemplate> TagStore::make_class(Environment& environment) {
  constexpr Method kMethods[] = {
      {"get", execute<&Statement::get>},
      {"all", execute<&Statement::all>},
      {"iterate", execute<&Statement::iterate>},
      {"run", execute<&Statement::run>},
      {"clear", clear},
  };
  const Local<v8::FunctionTemplate> made =
      rondo::make_class(environment, {"SQLTagStore", illegal_constructor, kMethods, /*fields=*/2});
  add_getter(environment, made, {"capacity", capacity});
  add_getter(environment, made, {"db", database});
  add_getter(environment, made, {"size", size});
  return made;
}

void Database::create_tag_store(const Arguments& args) {
  Database* const self = usable(args);
  if (self == nullptr) return;
  Environment& environment = self->environment();
  std::size_t capacity = kDefaultCapacity;
  if (args.Length() > 0 && !args[0]->IsUndefined()) {
    constexpr std::string_view kWhat = "a positive integer";
    if (!args[0]->IsNumber()) return throw_invalid_type(environment, "maxSize", kWhat);
    const double number = args[0].As<v8::Number>()->Value();
    if (!(number >= 1) || number != std::floor(number) || number > 9007199254740991) {
      return throw_out_of_range(environment,
                                "The \"maxSize\" argument must be a positive integer.");
    }
    capacity = static_cast<std::size_t>(number);
  }
  Local<v8::Object> object;
  if (!new_instance(environment, State::of(environment).tag_store).ToLocal(&object)) return;
  object->SetInternalField(kDatabaseField, args.This());
  new TagStore(environment, object, self->connection_, capacity);
  args.GetReturnValue().Set(object);
}

}  // namespace rondo::sqlite
