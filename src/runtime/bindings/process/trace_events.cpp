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
#include "runtime/glue/typed_method.h"
#include "runtime/observe/trace_log.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

std::vector<std::string> texts_of(v8::Isolate* isolate, Local<v8::Array> array) {
  const Local<v8::Context> context = isolate->GetCurrentContext();
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < array->Length(); ++i) {
    texts.push_back(to_text(isolate, array->Get(context, i).ToLocalChecked()));
  }
  return texts;
}

/// (group) -> a Uint8Array with its flag, which changes as categories do.
Local<v8::Uint8Array> get_flag(v8::Isolate* isolate, const std::string& group) {
  std::uint8_t* const flag = TraceLog::instance().flag(group);
  std::unique_ptr<v8::BackingStore> memory =
      v8::ArrayBuffer::NewBackingStore(flag, 1, [](void* /*ours*/, std::size_t, void*) {}, nullptr);
  return v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(memory)), 0, 1);
}

void enable(v8::Isolate* isolate, Local<v8::Array> categories) {
  TraceLog::instance().enable(texts_of(isolate, categories));
}

void disable(v8::Isolate* isolate, Local<v8::Array> categories) {
  TraceLog::instance().disable(texts_of(isolate, categories));
}

std::vector<Local<Value>> get_categories(Environment& environment) {
  std::vector<Local<Value>> names;
  for (const std::string& name : TraceLog::instance().categories()) {
    names.push_back(environment.text(name));
  }
  return names;
}

/// (pattern): undefined for Node's.
void start(std::optional<std::string> pattern) {
  TraceLog& log = TraceLog::instance();
  if (pattern) log.set_file_pattern(*std::move(pattern));
  log.start();
}

bool get_started() {
  return TraceLog::instance().started();
}

/// (fields in JSON, time on the monotonic clock in ms or undefined)
void add(const std::string& fields, std::optional<double> time_ms) {
  constexpr double kNsPerMs = 1e6;
  std::optional<std::uint64_t> time_ns;
  if (time_ms) time_ns = start_ns() + static_cast<std::uint64_t>(*time_ms * kNsPerMs);
  TraceLog::instance().add(fields, time_ns);
}

/// (name, arguments in JSON)
void add_metadata(const std::string& name, const std::string& arguments) {
  TraceLog::instance().add_metadata(name, arguments);
}

constexpr Method kMethods[] = {
    method<get_flag>("getFlag"), method<enable>("enable"),
    method<disable>("disable"),  method<get_categories>("getCategories"),
    method<start>("start"),      method<get_started>("getStarted"),
    method<add>("add"),          method<add_metadata>("addMetadata"),
};

}  // namespace

extern const Binding binding_trace_events;
const Binding binding_trace_events{"trace_events", kMethods};

}  // namespace rondo
