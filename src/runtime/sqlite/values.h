// Values of SQLite and of JavaScript, one made into the other.
#pragma once

#include <v8.h>

#include <string>

#include "runtime/sqlite/sqlite_header.h"

namespace rondo {
class Environment;
}

namespace rondo::sqlite {

class Connection;

std::string to_utf8(v8::Isolate* isolate, v8::Local<v8::Value> string);
/// null for a null pointer.
v8::Local<v8::Value> text_or_null(const Environment& environment, const char* text);

/// Empty with an exception under way if an integer is too large for a number.
v8::MaybeLocal<v8::Value> to_javascript(const Environment& environment, sqlite3_value* value,
                                        bool big_ints);

/// Binds a parameter; indexes begin at 1. False with an exception under way.
bool bind_value(const Environment& environment, Connection& connection, sqlite3_stmt* statement,
                int index, v8::Local<v8::Value> value);

/// What a function of JavaScript has returned to SQLite.
void set_result(v8::Isolate* isolate, sqlite3_context* context, v8::Local<v8::Value> value);

}  // namespace rondo::sqlite
