// SQLTagStore: statements by the text of the template literals that they were made of, the least
// recently used of which are dropped when there are too many.
#pragma once

#include <v8.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"

namespace rondo::sqlite {

class Statement;

class TagStore final : public Wrapped {
 public:
  static v8::Local<v8::FunctionTemplate> make_class(Environment& environment);

 private:
  friend class Database;
  struct Entry {
    std::string sql;
    v8::Global<v8::Object> statement;
  };

  TagStore(Environment& environment, v8::Local<v8::Object> object,
           std::shared_ptr<Connection> connection, std::size_t capacity);

  /// The statement for a call as a tag; null with an exception under way.
  Statement* find(const Arguments& args);
  Statement* prepare(std::string sql);
  template <v8::MaybeLocal<v8::Value> (Statement::*execute)()>
  static void execute(const Arguments& args);
  static void clear(const Arguments& args);
  static void capacity(const Arguments& args);
  static void database(const Arguments& args);
  static void size(const Arguments& args);

  std::shared_ptr<Connection> connection_;
  std::size_t capacity_;
  std::list<Entry> entries_;  // the last used is the first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_sql_;
};

}  // namespace rondo::sqlite
