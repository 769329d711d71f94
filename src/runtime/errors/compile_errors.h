// Errors that a compilation threw, or an instantiation of modules: their stack is that of the
// compiler's caller, so the source location has to be kept otherwise.
#pragma once

#include <v8.h>

namespace rondo {

class Environment;

/// Keeps "file:line", the line and its carets with the error, to be printed with it.
void keep_source_line(Environment& environment, v8::Local<v8::Object> error,
                      v8::Local<v8::Message> message);

/// What keep_source_line() kept; empty if nothing.
v8::Local<v8::String> kept_source_line(Environment& environment, v8::Local<v8::Value> error);

/// Puts it in front of the error's stack, once; with an empty line between them or not.
void decorate_stack(Environment& environment, v8::Local<v8::Value> error, bool spaced);

/// Notes that the stack begins with the source location already.
void mark_decorated(Environment& environment, v8::Local<v8::Object> error);

/// Whether that has been done, so that the location need not be shown again.
bool is_decorated(Environment& environment, v8::Local<v8::Value> error);

/// Catches what compiling throws. It is thrown on to JavaScript, which may catch it, so
/// --abort-on-uncaught-exception must not see it here.
class CompileCatch : public v8::TryCatch {
 public:
  explicit CompileCatch(v8::Isolate* isolate);
  ~CompileCatch();
  CompileCatch(const CompileCatch&) = delete;
  CompileCatch& operator=(const CompileCatch&) = delete;

  /// Whether there is one on this thread.
  static bool any() noexcept;
};

/// The usual end of a failed compilation: keep, perhaps decorate, throw on.
void throw_compile_error(Environment& environment, v8::TryCatch& failure, bool decorate);

}  // namespace rondo
