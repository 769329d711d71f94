// WebAssembly.compileStreaming() and instantiateStreaming(): V8 compiles what lib/ reads of a
// Response.
#include "runtime/engine/wasm_streaming.h"

#include <v8-wasm.h>

#include <memory>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

// Where the context keeps the function that reads. Others have their places elsewhere: see
// messaging_hooks.cpp.
constexpr int kReaderSlot = 9;

class Compilation final : public Wrapped {
 public:
  Compilation(Environment& environment, v8::Local<v8::Object> object,
              std::shared_ptr<v8::WasmStreaming> streaming)
      : Wrapped(environment, object), streaming_(std::move(streaming)) {}

  v8::WasmStreaming& streaming() noexcept { return *streaming_; }

 private:
  std::shared_ptr<v8::WasmStreaming> streaming_;
};

v8::WasmStreaming& streaming_of(const Arguments& args) {
  return Wrapped::from<Compilation>(args[0])->streaming();
}

/// (function(compilation, source))
void set_reader(const Arguments& args) {
  Environment::of(args.GetIsolate()).context()->SetEmbedderData(kReaderSlot, args[0]);
}

/// (compilation, url)
void set_url(const Arguments& args) {
  const v8::String::Utf8Value url(args.GetIsolate(), args[1]);
  streaming_of(args).SetUrl(*url, static_cast<std::size_t>(url.length()));
}

/// (compilation, bytes): false if they are none
void push(const Arguments& args) {
  args.GetReturnValue().Set(true);
  if (args[1]->IsArrayBuffer()) {
    const auto buffer = args[1].As<v8::ArrayBuffer>();
    streaming_of(args).OnBytesReceived(static_cast<const std::uint8_t*>(buffer->Data()),
                                       buffer->ByteLength());
  } else if (args[1]->IsArrayBufferView()) {
    const auto view = args[1].As<v8::ArrayBufferView>();
    const auto* begin = static_cast<const std::uint8_t*>(view->Buffer()->Data());
    streaming_of(args).OnBytesReceived(begin + view->ByteOffset(), view->ByteLength());
  } else {
    args.GetReturnValue().Set(false);
  }
}

/// (compilation)
void finish(const Arguments& args) {
  streaming_of(args).Finish(nullptr);
}

/// (compilation, error)
void abort(const Arguments& args) {
  streaming_of(args).Abort(args[1]);
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

constexpr Method kMethods[] = {{"setReader", set_reader},
                               {"setUrl", set_url},
                               {"push", push},
                               {"finish", finish},
                               {"abort", abort}};

}  // namespace

void enable_wasm_streaming(v8::Isolate* isolate) {
  isolate->SetWasmStreamingCallback(guarded(begin));
}

extern const Binding binding_wasm_streaming;
const Binding binding_wasm_streaming{"wasm_streaming", kMethods};

}  // namespace rondo
