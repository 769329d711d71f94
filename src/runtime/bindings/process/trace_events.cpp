// For node:trace_events: the log of the process (runtime/observe/trace_log.h).
#include <v8.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/bytes/encodings.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/observe/trace_log.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

std::string text_of(v8::Isolate* isolate, Local<Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  return {*text, static_cast<std::size_t>(text.length())};
}

std::vector<std::string> texts_of(v8::Isolate* isolate, Local<Value> value) {
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto array = value.As<v8::Array>();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < array->Length(); ++i) {
    texts.push_back(text_of(isolate, array->Get(context, i).ToLocalChecked()));
  }
  return texts;
}

/// (group) -> a Uint8Array with its flag, which changes as categories do.
void get_flag(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  std::uint8_t* const flag = TraceLog::instance().flag(text_of(isolate, args[0]));
  std::unique_ptr<v8::BackingStore> memory =
      v8::ArrayBuffer::NewBackingStore(flag, 1, [](void* /*ours*/, std::size_t, void*) {}, nullptr);
  args.GetReturnValue().Set(
      v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(memory)), 0, 1));
}

void enable(const Arguments& args) {
  TraceLog::instance().enable(texts_of(args.GetIsolate(), args[0]));
}

void disable(const Arguments& args) {
  TraceLog::instance().disable(texts_of(args.GetIsolate(), args[0]));
}

void get_categories(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<Value>> names;
  for (const std::string& name : TraceLog::instance().categories()) {
    names.push_back(environment.text(name));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

/// (pattern): undefined for Node's.
void start(const Arguments& args) {
  TraceLog& log = TraceLog::instance();
  if (!args[0]->IsUndefined()) log.set_file_pattern(text_of(args.GetIsolate(), args[0]));
  log.start();
}

void get_started(const Arguments& args) {
  args.GetReturnValue().Set(TraceLog::instance().started());
}

/// (fields in JSON, time on the monotonic clock in ms or undefined)
void add(const Arguments& args) {
  std::optional<std::uint64_t> time_ns;
  if (args[1]->IsNumber()) {
    constexpr double kNsPerMs = 1e6;
    time_ns = start_ns() + static_cast<std::uint64_t>(args[1].As<v8::Number>()->Value() * kNsPerMs);
  }
  TraceLog::instance().add(text_of(args.GetIsolate(), args[0]), time_ns);
}

/// (name, arguments in JSON)
void add_metadata(const Arguments& args) {
  TraceLog::instance().add_metadata(text_of(args.GetIsolate(), args[0]),
                                    text_of(args.GetIsolate(), args[1]));
}

constexpr Method kMethods[] = {
    {"getFlag", get_flag}, {"enable", enable},
    {"disable", disable},  {"getCategories", get_categories},
    {"start", start},      {"getStarted", get_started},
    {"add", add},          {"addMetadata", add_metadata},
};

}  // namespace

extern const Binding binding_trace_events;
const Binding binding_trace_events{"trace_events", kMethods};

}  // namespace rondo
