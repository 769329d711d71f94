// Plain data, to JavaScript and back.
#pragma once

#include <v8.h>

#include "rondo/runtime.h"

namespace rondo {

class Environment;

v8::Local<v8::Value> to_js(Environment& environment, const Value& value);

/// Objects give their own enumerable properties; what contains itself is undefined where it does.
/// Getters run: what they throw makes their property undefined.
Value from_js(Environment& environment, v8::Local<v8::Value> value);

ScriptError to_script_error(Environment& environment, v8::Local<v8::Value> thrown);

}  // namespace rondo
