// Exceptions, as lib/ sees them from outside.
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

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

/// sourceOf(error) -> [name of the script, line of source, column, number of the line] where it was
/// made, undefined if that is nowhere. Also of text that was evaluated and lies in no file.
void source_of(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Message> message = v8::Exception::CreateMessage(isolate, args[0]);
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line)) return;
  const int number = message->GetLineNumber(context).FromMaybe(0);
  const int column = message->GetStartColumn(context).FromMaybe(0);
  v8::Local<v8::Value> result[] = {message->GetScriptResourceName(), line,
                                   v8::Integer::New(isolate, column),
                                   v8::Integer::New(isolate, number)};
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

constexpr Method kMethods[] = {{"triggerUncaughtException", trigger_uncaught},
                               {"sourceOf", source_of},
                               {"noSideEffectsToString", no_side_effects_to_string}};

}  // namespace

extern const Binding binding_errors;
const Binding binding_errors{"errors", kMethods};

}  // namespace rondo
