// Compiled code as bytes, which a program may keep and give back to compile faster.
#pragma once

#include <v8.h>

#include <memory>

namespace rondo {

/// Null if `value` is not a view of bytes. V8, to which it is given, frees it.
v8::ScriptCompiler::CachedData* to_cached_data(v8::Local<v8::Value> value);

/// A Uint8Array, or undefined if V8 had nothing to give.
v8::Local<v8::Value> to_bytes(v8::Isolate* isolate,
                              std::unique_ptr<v8::ScriptCompiler::CachedData> data);

}  // namespace rondo
