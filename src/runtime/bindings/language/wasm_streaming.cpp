// WebAssembly.compileStreaming() and instantiateStreaming(): V8 compiles what lib/ reads of a
// Response.
#include "runtime/engine/wasm_streaming.h"

#include <v8-wasm.h>

#include <memory>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

// The slot of the context for the function that reads. messaging_hooks.cpp lists the others.
constexpr int kReaderSlot = 9;

class Compilation final : public Wrapped {
 public:
  Compilation(Environment& environment, v8::Local<v8::Object> object,
              std::shared_ptr<v8::WasmStreaming> streaming)
      : Wrapped(environment, object), streaming_(std::move(streaming)) {}

  v8::WasmStreaming& streaming() const noexcept { return *streaming_; }

 private:
  std::shared_ptr<v8::WasmStreaming> streaming_;
};

/// (function(compilation, source))
void set_reader(Environment& environment, v8::Local<v8::Value> reader) {
  environment.context()->SetEmbedderData(kReaderSlot, reader);
}

/// (compilation, url)
void set_url(const Compilation& compilation, std::string_view url) {
  compilation.streaming().SetUrl(url.data(), url.size());
}

/// (compilation, bytes): false if they are none
bool push(const Compilation& compilation, v8::Local<v8::Value> bytes) {
  if (!bytes->IsArrayBuffer() && !bytes->IsArrayBufferView()) return false;
  const std::span<const std::uint8_t> view = bytes_of(bytes);
  compilation.streaming().OnBytesReceived(view.data(), view.size());
  return true;
}

/// (compilation)
void finish(const Compilation& compilation) {
  compilation.streaming().Finish(nullptr);
}

/// (compilation, error)
void abort(const Compilation& compilation, v8::Local<v8::Value> error) {
  compilation.streaming().Abort(error);
}

/// Called by V8 for a call of compileStreaming(): (source)
void begin(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Object> object;
  if (!environment.new_holder().ToLocal(&object)) return;
  new Compilation(environment, object, v8::WasmStreaming::Unpack(isolate, args.Data()));
  v8::Local<v8::Value> arguments[] = {object, args[0]};
  std::ignore = context->GetEmbedderData(kReaderSlot)
                    .As<v8::Function>()
                    ->Call(context, v8::Undefined(isolate), 2, arguments);
}

constexpr Method kMethods[] = {method<set_reader>("setReader"), method<set_url>("setUrl"),
                               method<push>("push"), method<finish>("finish"),
                               method<abort>("abort")};

}  // namespace

void enable_wasm_streaming(v8::Isolate* isolate) {
  isolate->SetWasmStreamingCallback(guarded(begin));
}

extern const Binding binding_wasm_streaming;
const Binding binding_wasm_streaming{"wasm_streaming", kMethods};

}  // namespace rondo
