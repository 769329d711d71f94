#include "runtime/sqlite/statements/iterator.h"

#include "runtime/engine/environment.h"
#include "runtime/sqlite/class_parts.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/state.h"
#include "runtime/sqlite/statements/statement.h"

namespace rondo::sqlite {

using v8::Local;
using v8::MaybeLocal;

namespace {
constexpr int kStatementField = 1;
}

StatementIterator::StatementIterator(Environment& environment, Local<v8::Object> object,
                                     Statement& statement)
    : Wrapped(environment, object), statement_(statement), execution_(statement.execution()) {}

MaybeLocal<v8::Value> StatementIterator::make(Statement& statement) {
  Environment& environment = statement.environment();
  const Local<v8::Context> context = environment.context();
  Local<v8::Object> object;
  if (!new_instance(environment, State::of(environment).statement_iterator).ToLocal(&object)) {
    return {};
  }
  object->SetInternalField(kStatementField, statement.object());
  new StatementIterator(environment, object, statement);

  // It inherits what the program's Iterator.prototype has at this time.
  Local<v8::Value> iterator;
  Local<v8::Value> prototype;
  if (!context->Global()->Get(context, environment.name("Iterator")).ToLocal(&iterator) ||
      !iterator->IsObject() ||
      !iterator.As<v8::Object>()->Get(context, environment.name("prototype")).ToLocal(&prototype) ||
      object->GetPrototypeV2().As<v8::Object>()->SetPrototypeV2(context, prototype).IsNothing()) {
    return {};
  }
  return object;
}

void StatementIterator::give(const Arguments& args, bool done, Local<v8::Value> value) const {
  v8::Isolate* isolate = args.GetIsolate();
  MaybeLocal<v8::Value> values[] = {v8::Boolean::New(isolate, done).As<v8::Value>(), value};
  args.GetReturnValue().Set(
      new_bare(environment(), State::of(environment()).iterator_result.Get(isolate), values));
}

void StatementIterator::next(const Arguments& args) {
  StatementIterator& self = *from<StatementIterator>(args.This());
  Statement& statement = self.statement_;
  if (!statement.check_idle()) return;
  if (self.done_) return self.give(args, true, v8::Null(args.GetIsolate()));
  if (self.execution_ != statement.execution()) {
    return throw_invalid_state(self.environment(), "iterator was invalidated");
  }
  const Running running(statement.connection());
  const int outcome = statement.step();
  if (outcome == SQLITE_ROW) {
    Local<v8::Value> row;
    v8::LocalVector<v8::Name> names(args.GetIsolate());
    if (statement.read_column_names(names) && statement.row(names).ToLocal(&row))
      self.give(args, false, row);
    return;
  }
  if (outcome != SQLITE_DONE) return throw_last_error(self.environment(), statement.connection());
  sqlite3_reset(statement.handle());
  self.done_ = true;
  self.give(args, true, v8::Null(args.GetIsolate()));
}

void StatementIterator::end(const Arguments& args) {
  StatementIterator& self = *from<StatementIterator>(args.This());
  if (!self.statement_.check_idle()) return;
  if (self.execution_ == self.statement_.execution()) sqlite3_reset(self.statement_.handle());
  self.done_ = true;
  self.give(args, true, v8::Null(args.GetIsolate()));
}

Local<v8::FunctionTemplate> StatementIterator::make_class(Environment& environment) {
  constexpr Method kMethods[] = {{"next", next}, {"return", end}};
  return rondo::make_class(environment, {"StatementSyncIterator", illegal_constructor, kMethods,
                                         /*fields=*/2});
}

}  // namespace rondo::sqlite
