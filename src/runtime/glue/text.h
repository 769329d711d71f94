// Strings of JavaScript as texts of C++.
#pragma once

#include <v8.h>

#include <string>

namespace rondo {

/// As UTF-8. What is not a string is converted as String() does; empty if that throws.
std::string to_text(v8::Isolate* isolate, v8::Local<v8::Value> value);

}  // namespace rondo
