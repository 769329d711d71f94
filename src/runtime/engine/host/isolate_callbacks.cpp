// Callbacks of V8 for its host.
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "runtime/engine/environment.h"
#include "runtime/engine/wasm_streaming.h"
#include "runtime/engine/world.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/modules/module_callbacks.h"
#include "runtime/observe/report/fatal_report.h"

namespace rondo {

namespace {

/// What lib/ wants to know of V8's events. The others (a promise that was settled twice) are of no
/// interest.
enum RejectionEvent : std::int32_t { kNoHandler = 0, kHandlerAdded = 1 };
static_assert(kNoHandler == static_cast<int>(v8::kPromiseRejectWithNoHandler) &&
              kHandlerAdded == static_cast<int>(v8::kPromiseHandlerAddedAfterReject));

/// A promise was rejected without a handler, or got one after all: lib/ keeps count.
void promise_rejected(v8::PromiseRejectMessage message) {
  const v8::Local<v8::Promise> promise = message.GetPromise();
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  if (!environment.started() || environment.ended()) return;
  v8::Local<v8::Value> value = message.GetValue();
  if (value.IsEmpty()) value = v8::Undefined(isolate);
  const v8::Local<v8::Value> event = v8::Integer::New(isolate, message.GetEvent());
  v8::Local<v8::Value> arguments[] = {event, promise, value};
  const v8::TryCatch caught(isolate);
  std::ignore =
      environment.function(LibFunction::promise_rejected)
          ->Call(environment.context(), v8::Undefined(isolate), std::size(arguments), arguments);
  // No stack left: V8 cannot pass it on, so it is shown, and the promise stays as it is.
  if (caught.HasCaught() && !caught.HasTerminated()) {
    const v8::String::Utf8Value text(isolate, caught.Message()->Get());
    std::fprintf(stderr, "Exception in PromiseRejectCallback:\n%s\n",
                 *text != nullptr ? *text : "");
  }
}

v8::MaybeLocal<v8::Value> prepare_stack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                        v8::Local<v8::Array> sites) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Environment& environment = Environment::of(isolate);
  if (!environment.started()) {
    v8::Local<v8::String> text;
    if (!error->ToString(context).ToLocal(&text)) return {};
    return text;
  }
  v8::Local<v8::Value> arguments[] = {context->Global(), error, sites};
  return environment.function(LibFunction::prepare_stack)
      ->Call(environment.context(), v8::Undefined(isolate), std::size(arguments), arguments);
}

/// eval() and new Function() while source maps are enabled; otherwise V8 does not ask.
v8::ModifyCodeGenerationFromStringsResult keep_generated(v8::Local<v8::Context> context,
                                                         v8::Local<v8::Value> source,
                                                         bool /*is_code_like*/) {
  Environment& environment = Environment::of(v8::Isolate::GetCurrent());
  if (context != environment.context() || !environment.evaluates_with_source_maps()) {
    return {false, {}};
  }
  if (source->IsString()) {
    const v8::TryCatch quiet(environment.isolate());
    std::ignore = environment.function(LibFunction::keep_generated)
                      ->Call(context, v8::Undefined(environment.isolate()), 1, &source);
  }
  return {true, {}};
}

[[noreturn]] void die(const char* location, const char* message, const char* trigger) {
  std::fprintf(stderr, "FATAL ERROR: %s %s\n", location != nullptr ? location : "", message);
  if (FatalReport* report = FatalReport::current(); report != nullptr) {
    report->write(v8::Isolate::TryGetCurrent(), trigger, message);
  }
  std::fflush(stderr);
  std::abort();
}

/// An inner check of V8's failed.
void fatal_error(const char* location, const char* message) {
  die(location, message, "FatalError");
}

void out_of_memory(const char* location, const v8::OOMDetails& details) {
  die(location,
      details.is_heap_oom ? "Allocation failed - JavaScript heap out of memory"
                          : "Allocation failed - process out of memory",
      "OOMError");
}

}  // namespace

void install_callbacks(v8::Isolate* isolate) {
  isolate->SetPromiseRejectCallback(promise_rejected);
  isolate->SetPrepareStackTraceCallback(prepare_stack);
  isolate->SetFatalErrorHandler(fatal_error);
  isolate->SetOOMErrorHandler(out_of_memory);
  // Asked with --abort-on-uncaught-exception.
  isolate->SetAbortOnUncaughtExceptionCallback([](v8::Isolate*) { return !CompileCatch::any(); });
  isolate->SetModifyCodeGenerationFromStringsCallback(keep_generated);
  install_module_callbacks(isolate);
  enable_wasm_streaming(isolate);
}

}  // namespace rondo
