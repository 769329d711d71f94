#include "runtime/bytes/buffer.h"

#include <cstdlib>
#include <cstring>

#include "runtime/engine/environment.h"

namespace rondo {
namespace {

using v8::Local;
using v8::MaybeLocal;
using v8::Object;

// The embedder data index of the prototype. V8's debugger has the first one.
constexpr int kPrototypeSlot = 2;

MaybeLocal<Object> too_large(Environment& environment) {
  environment.isolate()->ThrowException(environment.error(
      "ERR_BUFFER_TOO_LARGE", "Cannot create a Buffer larger than 4294967296 bytes"));
  return {};
}

MaybeLocal<Object> over(Environment& environment, std::unique_ptr<v8::BackingStore> store) {
  const std::size_t size = store->ByteLength();
  note_adopted_memory(environment.isolate(), size);
  return make_buffer(environment, v8::ArrayBuffer::New(environment.isolate(), std::move(store)), 0,
                     size);
}

}  // namespace

void note_adopted_memory(v8::Isolate* isolate, std::size_t size) {
  constexpr std::size_t kOften = 1024 * 1024;
  thread_local std::size_t unnoticed = 0;
  unnoticed += size;
  if (unnoticed < kOften) return;
  unnoticed = 0;
  static_cast<void>(v8::ArrayBuffer::NewBackingStore(
      isolate, 1, v8::BackingStoreInitializationMode::kUninitialized,
      v8::BackingStoreOnFailureMode::kReturnNull));
}

void set_buffer_prototype(Environment& environment, Local<Object> prototype) {
  environment.context()->SetEmbedderData(kPrototypeSlot, prototype);
}

MaybeLocal<Object> make_buffer(Environment& environment, Local<v8::ArrayBuffer> memory,
                               std::size_t offset, std::size_t size) {
  const Local<v8::Context> context = environment.context();
  const Local<v8::Uint8Array> array = v8::Uint8Array::New(memory, offset, size);
  const Local<v8::Value> prototype = context->GetEmbedderData(kPrototypeSlot);
  if (array->SetPrototypeV2(context, prototype).IsNothing()) return {};
  return array;
}

MaybeLocal<Object> make_buffer(Environment& environment, std::span<const std::byte> copy_from) {
  if (copy_from.size() > v8::Uint8Array::kMaxLength) return too_large(environment);
  auto memory = std::make_unique_for_overwrite<std::byte[]>(copy_from.size());
  if (!copy_from.empty()) std::memcpy(memory.get(), copy_from.data(), copy_from.size());
  return make_buffer(environment, std::move(memory), copy_from.size());
}

MaybeLocal<Object> make_buffer(Environment& environment, std::unique_ptr<std::byte[]> memory,
                               std::size_t size) {
  if (size > v8::Uint8Array::kMaxLength) return too_large(environment);
  return over(
      environment,
      v8::ArrayBuffer::NewBackingStore(
          memory.release(), size,
          [](void* data, std::size_t, void*) { delete[] static_cast<std::byte*>(data); }, nullptr));
}

MaybeLocal<Object> make_buffer_of_malloc(Environment& environment, void* memory, std::size_t size) {
  if (size > v8::Uint8Array::kMaxLength) {
    std::free(memory);
    return too_large(environment);
  }
  return over(environment,
              v8::ArrayBuffer::NewBackingStore(
                  memory, size, [](void* data, std::size_t, void*) { std::free(data); }, nullptr));
}

}  // namespace rondo
