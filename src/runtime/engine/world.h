// How a JavaScript world begins: a context, and in it lib/, made ready.
//
// Most of that work is the same each time, so it is done when the program is built: a snapshot of
// the heap after the first part (lib/internal/startup/bootstrap.js), from which the context of a
// run is restored. The second part (the function that the first part returns) is done at each
// start.
#pragma once

#include <v8.h>

#include <span>

namespace rondo {

class Environment;

/// The heap that the build stored; empty in the program that makes it.
extern const v8::StartupData kSnapshot;

/// The C++ addresses that a snapshot may refer to, ended by zero.
std::span<const std::intptr_t> external_references();

/// A context without what V8 has beyond the language: Intl.v8BreakIterator.
v8::Local<v8::Context> new_context(v8::Isolate* isolate);

/// Makes the main context of an environment, from the snapshot if there is one, and returns the
/// function that starts lib/.
v8::Local<v8::Function> make_world(Environment& environment, bool from_snapshot);

/// Compiles a file of lib/ to a function of (exports, require, module, process, binding): with all
/// functions in it, or leaving these until they are called. Empty, with an exception pending, if
/// there is no such file or it has an error.
v8::MaybeLocal<v8::Function> compile_builtin(Environment& environment, std::string_view id,
                                             bool whole = false);
/// The same, as a function of another context of the isolate.
v8::MaybeLocal<v8::Function> compile_builtin_in(Environment& environment,
                                                v8::Local<v8::Context> context,
                                                std::string_view id);

/// Callbacks of the isolate that every run needs: promises, messages, stack traces, imports.
void install_callbacks(v8::Isolate* isolate);

}  // namespace rondo
