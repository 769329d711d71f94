// DatabaseSync: a connection to a database.
#pragma once

#include <v8.h>

#include <memory>
#include <string>

#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"
#include "runtime/sqlite/sqlite_header.h"

namespace rondo::sqlite {

class Database final : public Wrapped, private QueryListener {
 public:
  static v8::Local<v8::FunctionTemplate> make_class(Environment& environment);
  /// Null with an exception under way if `value` is no database.
  static Database* from_argument(const Environment& environment, v8::Local<v8::Value> value);

  const std::shared_ptr<Connection>& connection() const noexcept { return connection_; }

 private:
  Database(Environment& environment, v8::Local<v8::Object> object,
           std::shared_ptr<Connection> connection);
  ~Database() override;

  bool open();
  /// The receiver, if it is open and may be used; else null with an exception under way.
  static Database* usable(const Arguments& args);

  static void construct(const Arguments& args);
  static void open(const Arguments& args);
  static void close(const Arguments& args);
  static void dispose(const Arguments& args);
  static void prepare(const Arguments& args);
  static void exec(const Arguments& args);
  static void location(const Arguments& args);
  static void serialize(const Arguments& args);
  static void deserialize(const Arguments& args);
  static void enable_load_extension(const Arguments& args);
  static void enable_defensive(const Arguments& args);
  static void load_extension(const Arguments& args);
  static void is_open(const Arguments& args);
  static void is_transaction(const Arguments& args);
  static void limits(const Arguments& args);
  // In files of their own.
  static void add_function(const Arguments& args);
  static void add_aggregate(const Arguments& args);
  static void create_session(const Arguments& args);
  static void apply_changeset(const Arguments& args);
  static void create_tag_store(const Arguments& args);
  static void set_authorizer(const Arguments& args);

  static int ask_authorizer(void* self, int action, const char* first, const char* second,
                            const char* third, const char* fourth);
  void query_done(sqlite3_stmt* statement, sqlite3_int64 duration_ns) override;

  std::shared_ptr<Connection> connection_;
};

/// A path, as bytes or text, or a file URL: what SQLite opens. False with an exception under way.
bool read_location(const Environment& environment, v8::Local<v8::Value> value,
                   std::string& location);

}  // namespace rondo::sqlite
