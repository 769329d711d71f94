// The errors of node:sqlite. Those of SQLite have the code ERR_SQLITE_ERROR, its number as
// `errcode` and what the number stands for as `errstr`.
#pragma once

#include <v8.h>

#include <string_view>

struct sqlite3;

namespace rondo {
class Environment;
}

namespace rondo::sqlite {

class Connection;

v8::Local<v8::Value> sqlite_error(const Environment& environment, std::string_view message);
v8::Local<v8::Value> sqlite_error(const Environment& environment, int number);
/// The last error of a connection.
v8::Local<v8::Value> sqlite_error(const Environment& environment, sqlite3* handle);

/// Throws the last error of a connection, unless a callback of JavaScript has thrown: that
/// exception is under way already.
void throw_last_error(const Environment& environment, Connection& connection);

void throw_invalid_state(const Environment& environment, std::string_view message);
/// 'The "NAME" argument must be WHAT.'
void throw_invalid_type(const Environment& environment, std::string_view name,
                        std::string_view what);
void throw_invalid_value(const Environment& environment, std::string_view message);
void throw_out_of_range(const Environment& environment, std::string_view message);

/// Throw and give false if the connection is closed, or if SQLite is asking an authorizer, which
/// must not use the connection.
bool check_open(const Environment& environment, const Connection& connection);
bool check_usable(const Environment& environment, const Connection& connection);

}  // namespace rondo::sqlite
