// Exceptions, as lib/ sees them from outside.
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"

namespace rondo {

namespace {

/// triggerUncaughtException(error, fromPromise): as if a callback had thrown it.
void trigger_uncaught(Environment& environment, v8::Local<v8::Value> error, bool from_promise) {
  environment.uncaught(error, v8::Exception::CreateMessage(environment.isolate(), error),
                       from_promise);
}

/// noSideEffectsToString(value): a text for it, made without running any code of the program's.
v8::MaybeLocal<v8::String> no_side_effects_to_string(v8::Isolate* isolate,
                                                     v8::Local<v8::Value> value) {
  return value->ToDetailString(isolate->GetCurrentContext());
}

/// sourceOf(error) -> [name of the script, line of source, column, number of the line] where it was
/// made, or undefined. Also for evaluated text, which is not in a file.
std::optional<std::vector<v8::Local<v8::Value>>> source_of(v8::Isolate* isolate,
                                                           v8::Local<v8::Value> error) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Message> message = v8::Exception::CreateMessage(isolate, error);
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line)) return {};
  const int number = message->GetLineNumber(context).FromMaybe(0);
  const int column = message->GetStartColumn(context).FromMaybe(0);
  return {{message->GetScriptResourceName(), line, v8::Integer::New(isolate, column),
           v8::Integer::New(isolate, number)}};
}

constexpr Method kMethods[] = {method<trigger_uncaught>("triggerUncaughtException"),
                               method<source_of>("sourceOf"),
                               method<no_side_effects_to_string>("noSideEffectsToString")};

}  // namespace

extern const Binding binding_errors;
const Binding binding_errors{"errors", kMethods};

}  // namespace rondo
