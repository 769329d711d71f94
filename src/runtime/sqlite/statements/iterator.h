// What StatementSync.iterate() gives: the rows of one execution, one at a time.
#pragma once

#include <v8.h>

#include <cstdint>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

namespace rondo::sqlite {

class Statement;

class StatementIterator final : public Wrapped {
 public:
  /// Of the execution that has begun. Empty with an exception under way.
  static v8::MaybeLocal<v8::Value> make(Statement& statement);
  static v8::Local<v8::FunctionTemplate> make_class(Environment& environment);

 private:
  StatementIterator(Environment& environment, v8::Local<v8::Object> object, Statement& statement);

  void give(const Arguments& args, bool done, v8::Local<v8::Value> value) const;
  static void next(const Arguments& args);
  static void end(const Arguments& args);

  Statement& statement_;  // kept alive by a field of the object
  std::uint64_t execution_;
  bool done_ = false;
};

}  // namespace rondo::sqlite
