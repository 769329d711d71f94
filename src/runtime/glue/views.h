// The memory behind ArrayBuffers, SharedArrayBuffers and their views. It belongs to JavaScript:
// what is given here is good until JavaScript runs again.
#pragma once

#include <v8.h>

#include <cstdint>
#include <span>

namespace rondo {

inline bool is_bytes(v8::Local<v8::Value> value) {
  return value->IsArrayBufferView() || value->IsArrayBuffer() || value->IsSharedArrayBuffer();
}

/// Empty for what has no bytes.
inline std::span<std::uint8_t> bytes_of(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    const auto view = value.As<v8::ArrayBufferView>();
    auto* data = static_cast<std::uint8_t*>(view->Buffer()->Data());
    return {data + view->ByteOffset(), view->ByteLength()};
  }
  if (value->IsArrayBuffer()) {
    const auto buffer = value.As<v8::ArrayBuffer>();
    return {static_cast<std::uint8_t*>(buffer->Data()), buffer->ByteLength()};
  }
  if (value->IsSharedArrayBuffer()) {
    const auto buffer = value.As<v8::SharedArrayBuffer>();
    return {static_cast<std::uint8_t*>(buffer->Data()), buffer->ByteLength()};
  }
  return {};
}

/// The bytes of a view, to be read only. A small typed array can lie on V8's heap, where it moves;
/// asking for its buffer would move it away from there for good, so it is copied instead.
class ReadBytes {
 public:
  explicit ReadBytes(v8::Local<v8::Value> value) {
    if (value->IsArrayBufferView()) {
      const auto view = value.As<v8::ArrayBufferView>();
      if (!view->HasBuffer() && view->ByteLength() <= sizeof small_) {
        bytes_ = {small_, view->CopyContents(small_, sizeof small_)};
        return;
      }
    }
    bytes_ = bytes_of(value);
  }
  ReadBytes(const ReadBytes&) = delete;
  ReadBytes& operator=(const ReadBytes&) = delete;

  std::span<const std::uint8_t> get() const noexcept { return bytes_; }

 private:
  std::uint8_t small_[64];
  std::span<const std::uint8_t> bytes_;
};

/// Of a typed array with elements of this type.
template <class T>
std::span<T> elements_of(v8::Local<v8::Value> value) {
  const std::span<std::uint8_t> bytes = bytes_of(value);
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace rondo
