#include "runtime/observe/stack_words.h"

#include <string_view>

namespace rondo {

namespace {

std::string to_text(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value.IsEmpty() || !value->IsString()) return {};
  const v8::String::Utf8Value text(isolate, value);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

}  // namespace

std::string frame_words(const std::string& function, const std::string& file, int line,
                        int column) {
  const std::string place = file + ':' + std::to_string(line) + ':' + std::to_string(column);
  return function.empty() ? place : function + " (" + place + ')';
}

std::vector<std::string> current_stack(v8::Isolate* isolate, int most_frames) {
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate, most_frames, v8::StackTrace::kDetailed);
  std::vector<std::string> frames;
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
    std::string file = to_text(isolate, frame->GetScriptNameOrSourceURL());
    if (file.empty() && frame->IsEval()) file = "eval";  // or new Function(): has no file
    if (file.empty() || file.starts_with("node:internal/")) continue;
    frames.push_back(frame_words(to_text(isolate, frame->GetFunctionName()), file,
                                 frame->GetLineNumber(), frame->GetColumn()));
  }
  return frames;
}

std::string place_of(v8::Isolate* isolate, v8::Local<v8::Function> function) {
  const std::string file = to_text(isolate, function->GetScriptOrigin().ResourceName());
  const int line = function->GetScriptLineNumber();
  if (file.empty() || line == v8::Function::kLineOffsetNotFound) return {};
  return frame_words(to_text(isolate, function->GetDebugName()), file, line + 1,
                     function->GetScriptColumnNumber() + 1);
}

}  // namespace rondo
