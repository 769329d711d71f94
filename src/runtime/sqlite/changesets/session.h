// Session: records what changes in a database, to be applied to another.
#pragma once

#include <v8.h>

#include <memory>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"
#include "runtime/sqlite/sqlite_header.h"

namespace rondo::sqlite {

class Session final : public Wrapped, private Attachment {
 public:
  static v8::Local<v8::FunctionTemplate> make_class(Environment& environment);

 private:
  friend class Database;
  using Extract = int (*)(sqlite3_session*, int*, void**);

  Session(Environment& environment, v8::Local<v8::Object> object,
          std::shared_ptr<Connection> connection, sqlite3_session* session);
  ~Session() override;

  void detach() noexcept override;
  bool check_there() const;
  void extract(const Arguments& args, Extract function);

  static void changeset(const Arguments& args);
  static void patchset(const Arguments& args);
  static void close(const Arguments& args);
  static void dispose(const Arguments& args);

  std::shared_ptr<Connection> connection_;
  sqlite3_session* session_;
};

}  // namespace rondo::sqlite
