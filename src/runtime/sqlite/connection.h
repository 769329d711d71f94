// A connection of SQLite, without V8's objects: what a database, its statements, its sessions and
// its backups share. Each of them holds it by a shared_ptr, because the garbage collector frees
// their JavaScript objects in any order.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "runtime/sqlite/sqlite_header.h"

namespace rondo::sqlite {

/// A limit of SQLite, by its name in JavaScript; the index in kLimits is SQLite's number.
inline constexpr std::array<std::string_view, 11> kLimits = {
    "length",       "sqlLength",   "column", "exprDepth",         "compoundSelect",
    "vdbeOp",       "functionArg", "attach", "likePatternLength", "variableNumber",
    "triggerDepth",
};
static_assert(SQLITE_LIMIT_LENGTH == 0 && SQLITE_LIMIT_TRIGGER_DEPTH == 10);

/// The most parameters of a statement in Node; Debian's SQLite could have more.
inline constexpr int kMostVariables = 32766;

/// How a statement reads and binds values.
struct StatementSettings {
  bool read_big_ints = false;
  bool return_arrays = false;
  bool allow_bare_names = true;
  bool allow_unknown_names = false;
};

struct OpenSettings {
  std::string location;
  bool read_only = false;
  bool foreign_keys = true;
  bool double_quoted_strings = false;
  bool allow_extension = false;
  bool defensive = true;
  int timeout_ms = 0;
  StatementSettings statement;
  std::array<std::optional<int>, kLimits.size()> limits;
};

/// What belongs to a connection and must be gone before it closes.
class Attachment {
 public:
  virtual void detach() noexcept = 0;

 protected:
  ~Attachment() = default;
};

/// Hears of each query when it is done.
class QueryListener {
 public:
  virtual void query_done(sqlite3_stmt* statement, sqlite3_int64 duration_ns) = 0;

 protected:
  ~QueryListener() = default;
};

class Connection {
 public:
  explicit Connection(OpenSettings settings);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// A result of SQLite's. After a failure handle() has the error, until close().
  int open();
  /// Detaches all that is attached. SQLite keeps the connection until its backups are done.
  void close() noexcept;
  bool is_open() const noexcept { return handle_ != nullptr; }
  sqlite3* handle() const noexcept { return handle_; }
  const OpenSettings& settings() const noexcept { return settings_; }

  void attach(Attachment& attachment) { attachments_.insert(&attachment); }
  void detach(Attachment& attachment) noexcept { attachments_.erase(&attachment); }
  /// Statements do not survive that the content of a database is replaced; sessions do.
  void attach_statement(Attachment& statement) { statements_.insert(&statement); }
  void detach_statement(Attachment& statement) noexcept { statements_.erase(&statement); }
  void finalize_statements() noexcept;

  /// Functions of JavaScript that SQLite can call. They are SQLite's to delete, which may be after
  /// the end of the environment, so that they are emptied when the connection closes.
  void attach_function(Attachment& function) { functions_.insert(&function); }
  void detach_function(Attachment& function) noexcept { functions_.erase(&function); }

  /// Whether queries are reported to the listener; asked before each.
  void listen(bool wanted) noexcept {
    if (wanted != listens_) [[unlikely]]
      set_listening(wanted);
  }
  void set_listener(QueryListener* listener) noexcept { listener_ = listener; }

  /// Calls of SQLite under way that may call back.
  int running = 0;
  /// An authorizer is being asked.
  bool authorizing = false;
  /// A callback has thrown: the exception waits until SQLite returns.
  bool exception_pending = false;
  /// The garbage collector frees a statement: no JavaScript may run.
  bool collecting = false;
  bool extension_loading_enabled = false;

 private:
  void set_listening(bool wanted) noexcept;

  sqlite3* handle_ = nullptr;
  bool listens_ = false;
  QueryListener* listener_ = nullptr;
  OpenSettings settings_;
  std::unordered_set<Attachment*> statements_;
  std::unordered_set<Attachment*> attachments_;
  std::unordered_set<Attachment*> functions_;
};

/// Around a call of SQLite that may call back. Whoever is called keeps the connection alive.
class Running {
 public:
  explicit Running(Connection& connection) : connection_(connection) { ++connection_.running; }
  ~Running() {
    if (--connection_.running == 0) connection_.exception_pending = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Connection& connection_;
};

}  // namespace rondo::sqlite
