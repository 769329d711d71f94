#include "runtime/errors/uncaught.h"

#include <cstdio>

#include "runtime/engine/environment.h"

namespace rondo {

namespace {

/// The line in the source that the script was made of; empty without a source map.
std::string mapped_source_line(Environment& environment, v8::Local<v8::Message> message) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  const v8::Local<v8::Value> url = message->GetScriptOrigin().SourceMapUrl();
  if (!environment.started() || !environment.has_source_maps() || url.IsEmpty() ||
      !url->IsString()) {
    return {};
  }
  v8::Local<v8::Value> arguments[] = {
      message->GetScriptResourceName(),
      v8::Integer::New(isolate, message->GetLineNumber(context).FromMaybe(0)),
      v8::Integer::New(isolate, message->GetStartColumn(context).FromMaybe(0))};
  const v8::TryCatch quiet(isolate);
  v8::Local<v8::Value> line;
  if (!environment.function(LibFunction::mapped_source_line)
           ->Call(context, v8::Undefined(isolate), std::size(arguments), arguments)
           .ToLocal(&line) ||
      !line->IsString()) {
    return {};
  }
  const v8::String::Utf8Value text(isolate, line);
  return {*text, static_cast<std::size_t>(text.length())};
}

/// "    at work (file.js:3:5)", a line for each frame.
std::string lines_of(v8::Isolate* isolate, v8::Local<v8::StackTrace> stack) {
  std::string result;
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
    const v8::String::Utf8Value function(isolate, frame->GetFunctionName());
    const v8::String::Utf8Value script(isolate, frame->GetScriptName());
    const std::string place = std::string(*script != nullptr ? *script : "") + ":" +
                              std::to_string(frame->GetLineNumber()) + ":" +
                              std::to_string(frame->GetColumn());
    const bool has_name = function.length() > 0;
    result += "    at " + (has_name ? std::string(*function) + " (" + place + ")" : place) + "\n";
  }
  return result;
}

}  // namespace

std::string source_line(Environment& environment, v8::Local<v8::Message> message) {
  v8::Isolate* isolate = environment.isolate();
  const v8::Local<v8::Context> context = environment.context();
  std::string mapped = mapped_source_line(environment, message);
  if (!mapped.empty()) return mapped;
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line)) return {};
  const v8::String::Utf8Value source(isolate, line);
  std::string text(*source, static_cast<std::size_t>(source.length()));
  // Empty where the source is not there, or at the end of a file, where something is missing.
  if (text.empty() && message->GetLineNumber(context).FromMaybe(0) <= 1) return {};

  const v8::ScriptOrigin origin = message->GetScriptOrigin();
  const v8::Local<v8::Value> name = message->GetScriptResourceName();
  const v8::String::Utf8Value file(
      isolate, name->IsUndefined() ? environment.text("<anonymous_script>").As<v8::Value>() : name);
  const int number = message->GetLineNumber(context).FromMaybe(0);
  int start = message->GetStartColumn(context).FromMaybe(0);
  int end = message->GetEndColumn(context).FromMaybe(0);
  // The first line of a script may stand further right in its file.
  const int offset = number == origin.LineOffset() + 1 ? origin.ColumnOffset() : 0;
  if (start >= offset) {
    start -= offset;
    end -= offset;
  }

  std::string result = std::string(*file != nullptr ? *file : "") + ":" + std::to_string(number) +
                       "\n" + text + "\n";
  std::string marks;
  for (int i = 0; i < start && i < static_cast<int>(text.size()); ++i) {
    marks += text[static_cast<std::size_t>(i)] == '\t' ? '\t' : ' ';
  }
  for (int i = start; i < end; ++i) marks += '^';
  return result + marks + "\n";
}

std::string thrown_at(Environment& environment, v8::Local<v8::Message> message) {
  const v8::Local<v8::StackTrace> stack = message->GetStackTrace();
  return stack.IsEmpty() ? std::string() : lines_of(environment.isolate(), stack);
}

std::string current_stack_lines(v8::Isolate* isolate) {
  constexpr int kFrames = 10;
  return lines_of(isolate, v8::StackTrace::CurrentStackTrace(isolate, kFrames));
}

v8::MaybeLocal<v8::String> stack_of(Environment& environment, v8::Local<v8::Value> error) {
  if (!error->IsObject() || !environment.started()) return {};
  v8::Isolate* isolate = environment.isolate();
  const v8::TryCatch quiet(isolate);
  v8::Local<v8::Value> stack;
  if (!environment.function(LibFunction::stack_of)
           ->Call(environment.context(), v8::Undefined(isolate), 1, &error)
           .ToLocal(&stack) ||
      !stack->IsString()) {
    return {};
  }
  return stack.As<v8::String>();
}

void print_plainly(Environment& environment, v8::Local<v8::Value> error, const std::string& where) {
  v8::Isolate* isolate = environment.isolate();
  const v8::TryCatch quiet(isolate);
  v8::Local<v8::String> stack;
  const v8::Local<v8::Value> shown =
      stack_of(environment, error).ToLocal(&stack) ? stack.As<v8::Value>() : error;
  const v8::String::Utf8Value text(isolate, shown);
  std::fprintf(stderr, "%s%s\n", where.c_str(), *text != nullptr ? *text : "<an exception>");
}

}  // namespace rondo
