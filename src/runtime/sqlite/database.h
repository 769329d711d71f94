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

  /// The receiver, if it is open and may be used; else null with an exception under way.
  static Database* usable(const Arguments& args);
  // These throw if it is not so.
  void require_open() const;
  void require_usable() const;
  void require(int result) const;  // that SQLite has succeeded

  static void construct(const Arguments& args);
  void open();
  void close();
  void dispose();
  v8::MaybeLocal<v8::Object> prepare(v8::Local<v8::Value> sql, v8::Local<v8::Value> given);
  void exec(v8::Local<v8::Value> sql);
  v8::Local<v8::Value> location(v8::Local<v8::Value> name) const;
  v8::MaybeLocal<v8::Object> serialize(v8::Local<v8::Value> name) const;
  void deserialize(v8::Local<v8::Value> buffer, v8::Local<v8::Value> given);
  void enable_load_extension(v8::Local<v8::Value> allow);
  void enable_defensive(v8::Local<v8::Value> active);
  void load_extension(v8::Local<v8::Value> path, v8::Local<v8::Value> entry_point);
  void set_authorizer(v8::Local<v8::Value> callback);
  bool is_open() const;
  bool is_transaction() const;
  v8::MaybeLocal<v8::Value> limits();
  // In files of their own.
  static void add_function(const Arguments& args);
  static void add_aggregate(const Arguments& args);
  static void create_session(const Arguments& args);
  static void apply_changeset(const Arguments& args);
  static void create_tag_store(const Arguments& args);

  static int ask_authorizer(void* self, int action, const char* first, const char* second,
                            const char* third, const char* fourth);
  void query_done(sqlite3_stmt* statement, sqlite3_int64 duration_ns) override;

  std::shared_ptr<Connection> connection_;
};

/// A path, as bytes or text, or a file URL: what SQLite opens. False with an exception under way.
bool read_location(const Environment& environment, v8::Local<v8::Value> value,
                   std::string& location);

}  // namespace rondo::sqlite
