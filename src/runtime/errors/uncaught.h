// How an uncaught exception is printed.
#pragma once

#include <v8.h>

#include <string>

namespace rondo {

class Environment;

/// Where it was thrown, as Node shows it: "file:line", the line of source, and carets under the
/// column in it; empty if the source is not there. Ends with a line break.
std::string source_line(Environment& environment, v8::Local<v8::Message> message);

/// The stack at that moment, a line for each frame; empty unless V8 keeps it.
std::string thrown_at(Environment& environment, v8::Local<v8::Message> message);

/// The same of what runs now: the innermost frames.
std::string current_stack_lines(v8::Isolate* isolate);

/// The text of its stack, if it has one. Read through lib/: V8 itself dies of an
/// Error.prepareStackTrace that throws when C++ reads the property.
v8::MaybeLocal<v8::String> stack_of(Environment& environment, v8::Local<v8::Value> error);

/// Prints an error without the help of lib/: when lib/ is not there yet, or cannot.
void print_plainly(Environment& environment, v8::Local<v8::Value> error, const std::string& where);

}  // namespace rondo
