#include "runtime/modules/code_cache.h"

#include <cstdint>
#include <cstring>

namespace rondo {

v8::ScriptCompiler::CachedData* to_cached_data(v8::Local<v8::Value> value) {
  if (!value->IsArrayBufferView()) return nullptr;
  const v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
  auto* bytes = new std::uint8_t[view->ByteLength()];
  view->CopyContents(bytes, view->ByteLength());
  return new v8::ScriptCompiler::CachedData(bytes, static_cast<int>(view->ByteLength()),
                                            v8::ScriptCompiler::CachedData::BufferOwned);
}

v8::Local<v8::Value> to_bytes(v8::Isolate* isolate,
                              std::unique_ptr<v8::ScriptCompiler::CachedData> data) {
  if (data == nullptr) return v8::Undefined(isolate);
  const auto size = static_cast<std::size_t>(data->length);
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, size);
  std::memcpy(buffer->GetBackingStore()->Data(), data->data, size);
  return v8::Uint8Array::New(buffer, 0, size);
}

}  // namespace rondo
