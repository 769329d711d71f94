// What binding('sqlite') keeps for its environment: classes and shapes of which C++ makes objects.
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"

namespace rondo::sqlite {

/// Closes what is still open when the program ends: SQLite then removes the files of its
/// write-ahead log.
class OpenConnections final : public Companion {
 public:
  ~OpenConnections() override;
  void add(const std::shared_ptr<Connection>& connection);

 private:
  std::vector<std::weak_ptr<Connection>> connections_;
};

class State final : public Wrapped {
 public:
  static State& of(Environment& environment);

  v8::Global<v8::FunctionTemplate> database;
  v8::Global<v8::FunctionTemplate> statement;
  v8::Global<v8::FunctionTemplate> statement_iterator;
  v8::Global<v8::FunctionTemplate> session;
  v8::Global<v8::FunctionTemplate> tag_store;
  v8::Global<v8::ObjectTemplate> limits;

  v8::Global<v8::DictionaryTemplate> run_result;       // {changes, lastInsertRowid}
  v8::Global<v8::DictionaryTemplate> iterator_result;  // {done, value}
  v8::Global<v8::DictionaryTemplate> column;           // what columns() returns for one

  /// publish(sql, database, duration) of lib/sqlite.js, for the channel sqlite.db.query.
  v8::Global<v8::Function> publish_query;
  /// Whether that channel has subscribers: one Int32 that lib/ writes.
  std::shared_ptr<v8::BackingStore> query_subscribers;

  /// Whether databases may be opened with allowExtension.
  bool allows_extensions = true;

  /// The environment's; made with the first connection.
  OpenConnections& open_connections();

  bool has_query_subscribers() const noexcept {
    return query_subscribers != nullptr &&
           *static_cast<const std::int32_t*>(query_subscribers->Data()) != 0;
  }

 private:
  OpenConnections* open_connections_ = nullptr;

  State(Environment& environment, v8::Local<v8::Object> object);
};

/// An object of one of the classes above; empty with an exception under way.
v8::MaybeLocal<v8::Object> new_instance(const Environment& environment,
                                        const v8::Global<v8::FunctionTemplate>& shape);

}  // namespace rondo::sqlite
