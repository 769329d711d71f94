#include "runtime/crypto/bytes.h"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <cstring>
#include <utility>

#include "runtime/bytes/buffer.h"
#include "runtime/crypto/keys/key_handle.h"
#include "runtime/engine/environment.h"

namespace rondo::crypto {

void wipe(void* data, std::size_t size) noexcept {
  OPENSSL_cleanse(data, size);
}

bool make_room(SecretBytes& bytes, std::size_t size) noexcept {
  try {
    bytes.resize(size);
    return true;
  } catch (const std::exception&) {
    ERR_raise(ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE);
    return false;
  }
}

// ---- From JavaScript ----------------------------------------------------------------------------

ByteSource::ByteSource(v8::Isolate* isolate, v8::Local<v8::Value> value, Lifetime lifetime,
                       Encoding encoding) {
  if (value->IsString()) {
    const v8::Local<v8::String> text = value.As<v8::String>();
    own_.resize(encoding == Encoding::utf8
                    ? utf8_length(isolate, text)
                    : most_bytes(static_cast<std::size_t>(text->Length()), encoding));
    own_.resize(write_string(isolate, text, encoding, own_));
    view_ = own_;
    return;
  }
  if (is_bytes(value)) {
    view_ = bytes_of(value);
  } else if (const KeyObjectHandle* handle = KeyObjectHandle::from_value(isolate, value)) {
    view_ = handle->data().secret();
  }
  if (lifetime == Lifetime::copy) {
    own_ = copy_of(view_);
    view_ = own_;
  }
}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  // A vector that is moved keeps its memory, so that the view stays good.
  own_ = std::move(other.own_);
  view_ = std::exchange(other.view_, {});
  return *this;
}

const std::uint8_t* ByteSource::data() const noexcept {
  static constexpr std::uint8_t kNothing = 0;
  return view_.empty() ? &kNothing : view_.data();
}

Encoding encoding_of(v8::Isolate* isolate, v8::Local<v8::Value> value, Encoding fallback) {
  if (value->IsUint32()) {
    const std::uint32_t number = value.As<v8::Uint32>()->Value();
    return number <= 7 && number != 6 ? static_cast<Encoding>(number) : fallback;
  }
  if (!value->IsString()) return fallback;
  std::string name = to_text(isolate, value);
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return find_encoding(name).value_or(fallback);
}

// ---- To JavaScript ------------------------------------------------------------------------------

v8::MaybeLocal<v8::ArrayBuffer> make_array_buffer(Environment& environment, ByteView bytes) {
  std::unique_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
      environment.isolate(), bytes.size(), v8::BackingStoreInitializationMode::kUninitialized,
      v8::BackingStoreOnFailureMode::kReturnNull);
  if (store == nullptr) {
    environment.throw_(
        environment.error("ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory"));
    return {};
  }
  if (!bytes.empty()) std::memcpy(store->Data(), bytes.data(), bytes.size());
  return v8::ArrayBuffer::New(environment.isolate(), std::move(store));
}

v8::MaybeLocal<v8::ArrayBuffer> make_array_buffer(Environment& environment, SecretBytes&& bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  if (bytes.size() < kLarge) return make_array_buffer(environment, ByteView(bytes));
  auto kept = std::make_unique<SecretBytes>(std::move(bytes));
  std::unique_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
      kept->data(), kept->size(),
      [](void*, std::size_t, void* owner) { delete static_cast<SecretBytes*>(owner); }, kept.get());
  kept.release();
  return v8::ArrayBuffer::New(environment.isolate(), std::move(store));
}

v8::MaybeLocal<v8::Value> make_bytes(Environment& environment, ByteView bytes) {
  v8::Local<v8::ArrayBuffer> memory;
  v8::Local<v8::Object> buffer;
  if (!make_array_buffer(environment, bytes).ToLocal(&memory) ||
      !make_buffer(environment, memory, 0, bytes.size()).ToLocal(&buffer)) {
    return {};
  }
  return buffer;
}

v8::MaybeLocal<v8::Value> encode(Environment& environment, ByteView bytes,
                                 v8::Local<v8::Value> encoding) {
  constexpr auto kNone = static_cast<Encoding>(6);  // "buffer"
  const Encoding wanted = encoding_of(environment.isolate(), encoding, kNone);
  if (wanted == kNone) return make_bytes(environment, bytes);
  v8::Local<v8::String> text;
  if (!decode_bytes(environment, bytes, wanted).ToLocal(&text)) return {};
  return text;
}

}  // namespace rondo::crypto
