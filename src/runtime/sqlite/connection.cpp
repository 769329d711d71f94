#include "runtime/sqlite/connection.h"

#include <utility>

namespace rondo::sqlite {

namespace {

// Where Debian's SQLite is built with other defaults than Node's, those of a connection are made
// Node's.
int configure(sqlite3* handle, const OpenSettings& settings) {
  const auto set = [&](int option, bool value) {
    return sqlite3_db_config(handle, option, static_cast<int>(value), nullptr);
  };
  for (const auto& [option, value] : {
           std::pair{SQLITE_DBCONFIG_DQS_DML, settings.double_quoted_strings},
           std::pair{SQLITE_DBCONFIG_DQS_DDL, settings.double_quoted_strings},
           std::pair{SQLITE_DBCONFIG_ENABLE_FKEY, settings.foreign_keys},
           std::pair{SQLITE_DBCONFIG_DEFENSIVE, settings.defensive},
           std::pair{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, settings.allow_extension},
       }) {
    if (const int result = set(option, value); result != SQLITE_OK) return result;
  }
  sqlite3_busy_timeout(handle, settings.timeout_ms);
  // Debian overwrites deleted content with zeros.
  sqlite3_exec(handle, "PRAGMA secure_delete = OFF", nullptr, nullptr, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, kMostVariables);
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    if (settings.limits[i]) sqlite3_limit(handle, static_cast<int>(i), *settings.limits[i]);
  }
  return SQLITE_OK;
}

}  // namespace

Connection::Connection(OpenSettings settings) : settings_(std::move(settings)) {}

Connection::~Connection() {
  close();
}

int Connection::open() {
  const int flags =
      SQLITE_OPEN_URI |
      (settings_.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const int result = sqlite3_open_v2(settings_.location.c_str(), &handle_, flags, nullptr);
  extension_loading_enabled = settings_.allow_extension;
  return result == SQLITE_OK ? configure(handle_, settings_) : result;
}

void Connection::finalize_statements() noexcept {
  // Aggregates of unfinished executions end here: not with a call into JavaScript.
  const bool was_collecting = std::exchange(collecting, true);
  for (Attachment* const statement : std::exchange(statements_, {})) statement->detach();
  collecting = was_collecting;
}

void Connection::close() noexcept {
  if (handle_ == nullptr) return;
  set_listening(false);
  finalize_statements();
  for (Attachment* const attachment : std::exchange(attachments_, {})) attachment->detach();
  for (Attachment* const function : std::exchange(functions_, {})) function->detach();
  sqlite3_set_authorizer(handle_, nullptr, nullptr);
  sqlite3_close_v2(std::exchange(handle_, nullptr));
}

void Connection::set_listening(bool wanted) noexcept {
  listens_ = wanted;
  const auto report = [](unsigned /*event*/, void* self, void* statement, void* duration_ns) {
    const Connection& connection = *static_cast<Connection*>(self);
    if (connection.listener_ != nullptr && !connection.collecting) {
      connection.listener_->query_done(static_cast<sqlite3_stmt*>(statement),
                                       *static_cast<sqlite3_int64*>(duration_ns));
    }
    return 0;
  };
  sqlite3_trace_v2(handle_, wanted ? SQLITE_TRACE_PROFILE : 0, wanted ? +report : nullptr, this);
}

}  // namespace rondo::sqlite
