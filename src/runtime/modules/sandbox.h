// The contexts of node:vm. Such a context has a global object whose properties are those of an
// ordinary object, the sandbox: whatever scripts in the context declare or change appears there,
// and vice versa.
//
// Context and sandbox keep each other alive, and both are collected when neither is referenced
// otherwise.
#pragma once

#include <v8.h>

#include <memory>

namespace rondo {

class Environment;

struct SandboxOptions {
  bool allow_strings = true;  // eval() and new Function()
  bool allow_wasm = true;
  v8::Local<v8::Value> imports;  // what import() does in code without a name; lib/ knows
  v8::Local<v8::String> name;    // for debuggers
  v8::Local<v8::String> origin;
  bool own_microtasks = false;  // its promises are run when a script has been, not before
};

/// Makes `sandbox` the globals of a new context. An empty `sandbox` makes a context with an
/// ordinary global object. The result is the global object.
v8::MaybeLocal<v8::Object> make_sandbox(Environment& environment, v8::Local<v8::Object> sandbox,
                                        SandboxOptions options);

/// The context of a sandbox, or of a global object that make_sandbox() returned; empty if it is
/// neither.
v8::MaybeLocal<v8::Context> sandbox_context(Environment& environment, v8::Local<v8::Value> sandbox);

/// SandboxOptions::imports; undefined in the main context.
v8::Local<v8::Value> imports_of(v8::Local<v8::Context> context);

/// Null unless the context has own_microtasks.
v8::MicrotaskQueue* own_microtasks(v8::Local<v8::Context> context);

}  // namespace rondo
