// Exceptions, as lib/ sees them from outside.
#include "runtime/glue/binding.h"
#include "runtime/engine/environment.h"

namespace rondo {

namespace {

/// triggerUncaughtException(error, fromPromise): as if a callback had thrown it.
void trigger_uncaught(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment::of(isolate).uncaught(args[0], v8::Exception::CreateMessage(isolate, args[0]),
                                    args[1]->IsTrue());
}

/// noSideEffectsToString(value): a text for it, made without running any code of the program's.
void no_side_effects_to_string(const Arguments& args) {
  v8::Local<v8::String> text;
  if (args[0]->ToDetailString(args.GetIsolate()->GetCurrentContext()).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

constexpr Method kMethods[] = {{"triggerUncaughtException", trigger_uncaught},
                               {"noSideEffectsToString", no_side_effects_to_string}};

}  // namespace

extern const Binding binding_errors;
const Binding binding_errors{"errors", kMethods};

}  // namespace rondo
