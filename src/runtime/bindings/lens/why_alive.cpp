// For lib/internal/lens/why_alive.js.
#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/alive_watch.h"
#include "runtime/observe/lens/source_locations.h"

namespace rondo {
namespace {

/// start(milliseconds or a negative number, report)
void start(Environment& environment, double ms, v8::Local<v8::Function> report) {
  std::optional<std::chrono::milliseconds> after;
  if (ms >= 0) after.emplace(static_cast<std::int64_t>(ms));
  environment.accompany(std::make_unique<AliveWatch>(environment, after, report));
}

/// frames(most) -> [function, file, line, column, ...] of the program's frames, the innermost first
std::vector<v8::Local<v8::Value>> frames(v8::Isolate* isolate, std::uint32_t most) {
  constexpr int kMostOfAll = 50;  // those of lib/ included
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate, kMostOfAll, v8::StackTrace::kDetailed);
  std::vector<v8::Local<v8::Value>> parts;
  for (int i = 0; i < stack->GetFrameCount() && parts.size() < 4 * std::size_t{most}; ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<unsigned>(i));
    const v8::Local<v8::String> file = frame->GetScriptNameOrSourceURL();
    if (file.IsEmpty() || file->Length() == 0) continue;
    char head[5];
    const auto size =
        std::min<std::uint32_t>(sizeof head, static_cast<std::uint32_t>(file->Length()));
    file->WriteOneByteV2(isolate, 0, size, reinterpret_cast<std::uint8_t*>(head));
    if (std::string_view(head, size) == "node:") continue;
    const v8::Local<v8::String> function = frame->GetFunctionName();
    parts.push_back(function.IsEmpty() ? v8::String::Empty(isolate) : function);
    parts.push_back(file);
    parts.push_back(v8::Integer::New(isolate, frame->GetLineNumber()));
    parts.push_back(v8::Integer::New(isolate, frame->GetColumn()));
  }
  return parts;
}

/// location() -> the first of frames(), or an empty array. For --blocked, which looks often: a
/// stack that was seen before is not read again.
std::vector<v8::Local<v8::Value>> location(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  const SourceLocation& location = environment.source_locations().here();
  if (location.file.empty()) return {};
  return {environment.text(location.function),
          environment.text(location.is_url ? "file://" + location.file : location.file),
          v8::Integer::New(isolate, location.line), v8::Integer::New(isolate, location.column)};
}

/// state() -> { now: milliseconds since the start of the program, holds: of the loop }
v8::Local<v8::Object> state(Environment& environment) {
  LoopCore& core = environment.loop().core();
  const v8::Local<v8::Object> result = v8::Object::New(environment.isolate());
  set_value(environment, result, "now",
            static_cast<double>(core.present_ms() - environment.start_ms()));
  set_value(environment, result, "holds", core.holds());
  return result;
}

constexpr Method kMethods[] = {method<start>("start"), method<frames>("frames"),
                               method<location>("location"), method<state>("state")};

}  // namespace

extern const Binding binding_why_alive;
const Binding binding_why_alive{"why_alive", kMethods};

}  // namespace rondo
