// ArrayBuffers, their views, and Buffers.
#include <cstring>
#include <tuple>
#include <utility>

#include "runtime/bytes/buffer.h"
#include "runtime/messaging/messaging_hooks.h"
#include "runtime/napi/env.h"
#include "runtime/napi/external_memory.h"
#include "runtime/napi/references.h"

namespace rondo::napi {

ExternalMemory::ExternalMemory(napi_env env, void* data, napi_finalize finalizer, void* hint)
    : env_(env), link_(env->addons.link()), data_(data), finalizer_(finalizer), hint_(hint) {
  move_to(env->memories);
}

std::unique_ptr<v8::BackingStore> ExternalMemory::make(napi_env env, void* data, std::size_t length,
                                                       napi_finalize finalizer, void* hint) {
  if (finalizer == nullptr) {
    return v8::ArrayBuffer::NewBackingStore(data, length, v8::BackingStore::EmptyDeleter, nullptr);
  }
  auto* memory = new ExternalMemory(env, data, finalizer, hint);
  return v8::ArrayBuffer::NewBackingStore(
      data, length,
      [](void*, std::size_t, void* self) { static_cast<ExternalMemory*>(self)->released(); },
      memory);
}

void ExternalMemory::close() {
  take_out();
  napi_env env = std::exchange(env_, nullptr);
  if (env != nullptr) env->finalize(finalizer_, data_, hint_);
}

void ExternalMemory::released() {
  // Where the loop is gone, so is the environment, and with it the finalizer was called.
  const std::shared_ptr<LoopLink> loop = link_;
  loop->post([self = std::unique_ptr<ExternalMemory>(this)] { self->close(); }, true);
}

namespace {

/// What an ArrayBuffer or a SharedArrayBuffer is a view's memory for.
napi_value memory_of(v8::Local<v8::ArrayBufferView> view) {
  return to_napi(view->Buffer());
}

void* start_of(v8::Local<v8::ArrayBufferView> view) {
  return static_cast<char*>(view->Buffer()->Data()) + view->ByteOffset();
}

napi_status give_buffer(v8::MaybeLocal<v8::Object> made, napi_value* result) {
  v8::Local<v8::Object> buffer;
  if (!made.ToLocal(&buffer)) return napi_generic_failure;
  *result = to_napi(buffer);
  return napi_ok;
}

/// Throws as JavaScript's own constructors do.
void throw_range(napi_env env, const char* code, const std::string& message) {
  env->last_exception.Reset(env->isolate(), env->addons.environment().range_error(code, message));
}

struct Kind {
  napi_typedarray_type type;
  const char* name;
  std::size_t size;
  bool (v8::Value::*is)() const;
  v8::Local<v8::Value> (*make)(v8::Local<v8::Value> memory, std::size_t offset, std::size_t length);
};

template <class T>
v8::Local<v8::Value> make_view(v8::Local<v8::Value> memory, std::size_t offset,
                               std::size_t length) {
  if (memory->IsSharedArrayBuffer())
    return T::New(memory.As<v8::SharedArrayBuffer>(), offset, length);
  return T::New(memory.As<v8::ArrayBuffer>(), offset, length);
}

constexpr Kind kKinds[] = {
    {napi_int8_array, "Int8Array", 1, &v8::Value::IsInt8Array, make_view<v8::Int8Array>},
    {napi_uint8_array, "Uint8Array", 1, &v8::Value::IsUint8Array, make_view<v8::Uint8Array>},
    {napi_uint8_clamped_array, "Uint8ClampedArray", 1, &v8::Value::IsUint8ClampedArray,
     make_view<v8::Uint8ClampedArray>},
    {napi_int16_array, "Int16Array", 2, &v8::Value::IsInt16Array, make_view<v8::Int16Array>},
    {napi_uint16_array, "Uint16Array", 2, &v8::Value::IsUint16Array, make_view<v8::Uint16Array>},
    {napi_int32_array, "Int32Array", 4, &v8::Value::IsInt32Array, make_view<v8::Int32Array>},
    {napi_uint32_array, "Uint32Array", 4, &v8::Value::IsUint32Array, make_view<v8::Uint32Array>},
    {napi_float32_array, "Float32Array", 4, &v8::Value::IsFloat32Array,
     make_view<v8::Float32Array>},
    {napi_float64_array, "Float64Array", 8, &v8::Value::IsFloat64Array,
     make_view<v8::Float64Array>},
    {napi_bigint64_array, "BigInt64Array", 8, &v8::Value::IsBigInt64Array,
     make_view<v8::BigInt64Array>},
    {napi_biguint64_array, "BigUint64Array", 8, &v8::Value::IsBigUint64Array,
     make_view<v8::BigUint64Array>},
    {napi_float16_array, "Float16Array", 2, &v8::Value::IsFloat16Array,
     make_view<v8::Float16Array>},
};

const Kind* find_kind(const napi_typedarray_type& type) {
  for (const Kind& kind : kKinds) {
    if (number_of(kind.type) == number_of(type)) return &kind;
  }
  return nullptr;
}

bool is_memory(v8::Local<v8::Value> value) {
  return value->IsArrayBuffer() || value->IsSharedArrayBuffer();
}

std::size_t size_of(v8::Local<v8::Value> memory) {
  return memory->IsArrayBuffer() ? memory.As<v8::ArrayBuffer>()->ByteLength()
                                 : memory.As<v8::SharedArrayBuffer>()->ByteLength();
}

template <class Memory>
napi_status create_memory(napi_env env, std::size_t byte_length, void** data, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr) return napi_invalid_arg;
    v8::Local<Memory> memory;
    if (!Memory::MaybeNew(env->isolate(), byte_length).ToLocal(&memory))
      return napi_generic_failure;
    if (data != nullptr) *data = memory->Data();
    *result = to_napi(memory);
    return napi_ok;
  });
}

}  // namespace

}  // namespace rondo::napi

using namespace rondo::napi;

// ---- ArrayBuffers ------------------------------------------------------------------------------

napi_status napi_create_arraybuffer(napi_env env, size_t byte_length, void** data,
                                    napi_value* result) {
  return create_memory<v8::ArrayBuffer>(env, byte_length, data, result);
}

napi_status node_api_create_sharedarraybuffer(napi_env env, size_t byte_length, void** data,
                                              napi_value* result) {
  return create_memory<v8::SharedArrayBuffer>(env, byte_length, data, result);
}

napi_status node_api_create_external_sharedarraybuffer(napi_env env, void* external_data,
                                                       size_t byte_length,
                                                       node_api_noenv_finalize finalize_cb,
                                                       void* finalize_hint, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr) return napi_invalid_arg;
    struct Held {
      node_api_noenv_finalize finalizer;
      void* hint;
    };
    std::unique_ptr<v8::BackingStore> store;
    if (finalize_cb == nullptr) {
      store = v8::SharedArrayBuffer::NewBackingStore(external_data, byte_length,
                                                     v8::BackingStore::EmptyDeleter, nullptr);
    } else {
      store = v8::SharedArrayBuffer::NewBackingStore(
          external_data, byte_length,
          [](void* data, std::size_t, void* held) {
            const std::unique_ptr<Held> owned(static_cast<Held*>(held));
            owned->finalizer(data, owned->hint);
          },
          new Held{finalize_cb, finalize_hint});
    }
    *result = to_napi(v8::SharedArrayBuffer::New(env->isolate(), std::move(store)));
    return napi_ok;
  });
}

namespace {

/// An ArrayBuffer over the addon's memory.
v8::Local<v8::ArrayBuffer> make_external(napi_env env, void* data, std::size_t length,
                                         napi_finalize finalizer, void* hint) {
  v8::Local<v8::ArrayBuffer> made;
  if (data != nullptr && length != 0) {
    made = v8::ArrayBuffer::New(env->isolate(),
                                ExternalMemory::make(env, data, length, finalizer, hint));
  } else {
    // V8 has no memory to give back here.
    made = v8::ArrayBuffer::New(env->isolate(), 0);
    if (finalizer != nullptr)
      std::ignore = Reference::make(env, made, 0, Owner::runtime, {finalizer, data, hint});
    if (data == nullptr) std::ignore = made->Detach({});
  }
  // The addon may look at its memory as long as it likes.
  rondo::mark_untransferable(env->addons.environment(), made);
  return made;
}

}  // namespace

napi_status napi_create_external_arraybuffer(napi_env env, void* external_data, size_t byte_length,
                                             node_api_basic_finalize finalize_cb,
                                             void* finalize_hint, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr || byte_length > v8::Uint8Array::kMaxByteLength) return napi_invalid_arg;
    *result = to_napi(make_external(env, external_data, byte_length, finalize_cb, finalize_hint));
    return napi_ok;
  });
}

napi_status napi_get_arraybuffer_info(napi_env env, napi_value arraybuffer, void** data,
                                      size_t* byte_length) {
  return plain(env, [&] {
    if (arraybuffer == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> value = to_v8(arraybuffer);
    if (!is_memory(value)) return napi_invalid_arg;
    if (data != nullptr) {
      *data = value->IsArrayBuffer() ? value.As<v8::ArrayBuffer>()->Data()
                                     : value.As<v8::SharedArrayBuffer>()->Data();
    }
    if (byte_length != nullptr) *byte_length = size_of(value);
    return napi_ok;
  });
}

napi_status napi_detach_arraybuffer(napi_env env, napi_value arraybuffer) {
  return plain(env, [&] {
    if (arraybuffer == nullptr) return napi_invalid_arg;
    if (!to_v8(arraybuffer)->IsArrayBuffer()) return napi_arraybuffer_expected;
    const v8::Local<v8::ArrayBuffer> buffer = to_v8(arraybuffer).As<v8::ArrayBuffer>();
    if (!buffer->IsDetachable()) return napi_detachable_arraybuffer_expected;
    return buffer->Detach({}).FromMaybe(false) ? napi_ok : napi_generic_failure;
  });
}

napi_status napi_is_detached_arraybuffer(napi_env env, napi_value value, bool* result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    *result = to_v8(value)->IsArrayBuffer() && to_v8(value).As<v8::ArrayBuffer>()->WasDetached();
    return napi_ok;
  });
}

// ---- Views -------------------------------------------------------------------------------------

napi_status napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length,
                                   napi_value arraybuffer, size_t byte_offset, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (arraybuffer == nullptr || result == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> memory = to_v8(arraybuffer);
    if (!is_memory(memory)) return napi_invalid_arg;
    const Kind* kind = find_kind(type);
    if (kind == nullptr) return napi_invalid_arg;
    if (byte_offset % kind->size != 0) {
      throw_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT",
                  std::string("start offset of ") + kind->name + " should be a multiple of " +
                      std::to_string(kind->size));
      return napi_generic_failure;
    }
    if (byte_offset > size_of(memory) || length > (size_of(memory) - byte_offset) / kind->size) {
      throw_range(env, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH", "Invalid typed array length");
      return napi_generic_failure;
    }
    *result = to_napi(kind->make(memory, byte_offset, length));
    return napi_ok;
  });
}

napi_status napi_get_typedarray_info(napi_env env, napi_value typedarray,
                                     napi_typedarray_type* type, size_t* length, void** data,
                                     napi_value* arraybuffer, size_t* byte_offset) {
  return plain(env, [&] {
    if (typedarray == nullptr) return napi_invalid_arg;
    if (!to_v8(typedarray)->IsTypedArray()) return napi_invalid_arg;
    const v8::Local<v8::TypedArray> array = to_v8(typedarray).As<v8::TypedArray>();
    if (type != nullptr) {
      for (const Kind& kind : kKinds) {
        if (((**array).*kind.is)()) *type = kind.type;
      }
    }
    if (length != nullptr) *length = array->Length();
    if (data != nullptr) *data = start_of(array);
    if (arraybuffer != nullptr) *arraybuffer = memory_of(array);
    if (byte_offset != nullptr) *byte_offset = array->ByteOffset();
    return napi_ok;
  });
}

napi_status napi_create_dataview(napi_env env, size_t length, napi_value arraybuffer,
                                 size_t byte_offset, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (arraybuffer == nullptr || result == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> memory = to_v8(arraybuffer);
    if (!is_memory(memory)) return napi_invalid_arg;
    if (byte_offset > size_of(memory) || length > size_of(memory) - byte_offset) {
      throw_range(env, "ERR_NAPI_INVALID_DATAVIEW_ARGS",
                  "byte_offset + byte_length should be less than or equal to the size in bytes of "
                  "the array passed in");
      return napi_pending_exception;
    }
    *result = to_napi(make_view<v8::DataView>(memory, byte_offset, length));
    return napi_ok;
  });
}

napi_status napi_get_dataview_info(napi_env env, napi_value dataview, size_t* bytelength,
                                   void** data, napi_value* arraybuffer, size_t* byte_offset) {
  return plain(env, [&] {
    if (dataview == nullptr) return napi_invalid_arg;
    if (!to_v8(dataview)->IsDataView()) return napi_invalid_arg;
    const v8::Local<v8::DataView> view = to_v8(dataview).As<v8::DataView>();
    if (bytelength != nullptr) *bytelength = view->ByteLength();
    if (data != nullptr) *data = start_of(view);
    if (arraybuffer != nullptr) *arraybuffer = memory_of(view);
    if (byte_offset != nullptr) *byte_offset = view->ByteOffset();
    return napi_ok;
  });
}

// ---- Buffers -----------------------------------------------------------------------------------

napi_status napi_create_buffer(napi_env env, size_t length, void** data, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr) return napi_invalid_arg;
    v8::Local<v8::ArrayBuffer> memory;
    if (length > v8::Uint8Array::kMaxByteLength ||
        !v8::ArrayBuffer::MaybeNew(env->isolate(), length,
                                   v8::BackingStoreInitializationMode::kUninitialized)
             .ToLocal(&memory)) {
      return napi_generic_failure;
    }
    if (data != nullptr) *data = memory->Data();
    return give_buffer(rondo::make_buffer(env->addons.environment(), memory, 0, length), result);
  });
}

napi_status napi_create_buffer_copy(napi_env env, size_t length, const void* data,
                                    void** result_data, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr) return napi_invalid_arg;
    v8::Local<v8::ArrayBuffer> memory;
    if (length > v8::Uint8Array::kMaxByteLength ||
        !v8::ArrayBuffer::MaybeNew(env->isolate(), length,
                                   v8::BackingStoreInitializationMode::kUninitialized)
             .ToLocal(&memory)) {
      return napi_generic_failure;
    }
    if (length != 0) std::memcpy(memory->Data(), data, length);
    if (result_data != nullptr) *result_data = memory->Data();
    return give_buffer(rondo::make_buffer(env->addons.environment(), memory, 0, length), result);
  });
}

napi_status napi_create_external_buffer(napi_env env, size_t length, void* data,
                                        node_api_basic_finalize finalize_cb, void* finalize_hint,
                                        napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr || length > v8::Uint8Array::kMaxByteLength) return napi_invalid_arg;
    const v8::Local<v8::ArrayBuffer> memory =
        make_external(env, data, length, finalize_cb, finalize_hint);
    return give_buffer(
        rondo::make_buffer(env->addons.environment(), memory, 0, memory->ByteLength()), result);
  });
}

napi_status node_api_create_buffer_from_arraybuffer(napi_env env, napi_value arraybuffer,
                                                    size_t byte_offset, size_t byte_length,
                                                    napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (arraybuffer == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(arraybuffer)->IsArrayBuffer()) return napi_invalid_arg;
    const v8::Local<v8::ArrayBuffer> memory = to_v8(arraybuffer).As<v8::ArrayBuffer>();
    if (byte_offset > memory->ByteLength() || byte_length > memory->ByteLength() - byte_offset) {
      throw_range(env, "ERR_OUT_OF_RANGE", "The byte offset + length is out of range");
      return napi_ok;  // as Node says
    }
    return give_buffer(
        rondo::make_buffer(env->addons.environment(), memory, byte_offset, byte_length), result);
  });
}

napi_status napi_get_buffer_info(napi_env env, napi_value value, void** data, size_t* length) {
  return plain(env, [&] {
    if (value == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsArrayBufferView()) return napi_invalid_arg;
    const v8::Local<v8::ArrayBufferView> view = to_v8(value).As<v8::ArrayBufferView>();
    if (data != nullptr) *data = start_of(view);
    if (length != nullptr) *length = view->ByteLength();
    return napi_ok;
  });
}
