// Bytes that may be secret: keys, passwords, what is derived from them. Memory of ours is wiped
// when it is given back.
#pragma once

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/bytes/encodings.h"
#include "runtime/glue/text.h"

namespace rondo {
class Environment;
}

namespace rondo::crypto {

using ByteView = std::span<const std::uint8_t>;

/// OPENSSL_cleanse().
void wipe(void* data, std::size_t size) noexcept;

template <class T>
struct WipingAllocator {
  using value_type = T;
  WipingAllocator() = default;
  template <class U>
  explicit WipingAllocator(const WipingAllocator<U>& /*other*/) noexcept {}
  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  /// What is to be written anyway is not set to zero first: a program may ask for gigabytes.
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
  void deallocate(T* data, std::size_t count) noexcept {
    wipe(data, count * sizeof(T));
    std::allocator<T>().deallocate(data, count);
  }
  friend bool operator==(WipingAllocator /*a*/, WipingAllocator /*b*/) noexcept { return true; }
};

/// Bytes of our own. resize() leaves new ones as they are: whoever calls it writes all of them.
using SecretBytes = std::vector<std::uint8_t, WipingAllocator<std::uint8_t>>;

/// resize(), but a failure becomes OpenSSL's error for it.
bool make_room(SecretBytes& bytes, std::size_t size) noexcept;

inline SecretBytes copy_of(ByteView bytes) {
  return {bytes.begin(), bytes.end()};
}
inline ByteView bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view text_of_bytes(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Bytes that JavaScript gave: of an ArrayBuffer, SharedArrayBuffer or view, of a string, or of a
/// secret KeyObjectHandle. Copied for work on another thread, borrowed for what ends before
/// JavaScript runs again.
class ByteSource {
 public:
  enum class Lifetime : std::uint8_t { borrow, copy };

  ByteSource() = default;
  ByteSource(v8::Isolate* isolate, v8::Local<v8::Value> value, Lifetime lifetime,
             Encoding encoding = Encoding::utf8);
  ByteSource(ByteSource&& other) noexcept { *this = std::move(other); }
  ByteSource& operator=(ByteSource&& other) noexcept;

  ByteView view() const noexcept { return view_; }
  operator ByteView() const noexcept { return view_; }  // NOLINT(google-explicit-constructor)
  /// Never null, which some functions of OpenSSL insist on.
  const std::uint8_t* data() const noexcept;
  std::size_t size() const noexcept { return view_.size(); }
  bool empty() const noexcept { return view_.empty(); }

 private:
  SecretBytes own_;
  ByteView view_;
};

/// The number of an encoding as lib/ passes it, or its name; `fallback` for what is neither.
Encoding encoding_of(v8::Isolate* isolate, v8::Local<v8::Value> value, Encoding fallback);

/// An ArrayBuffer or a Buffer of these bytes. The memory is V8's, and not wiped by us.
v8::MaybeLocal<v8::ArrayBuffer> make_array_buffer(Environment& environment, ByteView bytes);
/// The same without a copy of what is large; the memory is wiped at its end then.
v8::MaybeLocal<v8::ArrayBuffer> make_array_buffer(Environment& environment, SecretBytes&& bytes);
v8::MaybeLocal<v8::Value> make_bytes(Environment& environment, ByteView bytes);

/// A Buffer, or a string in the encoding that `encoding` names ("buffer" or undefined: a Buffer).
v8::MaybeLocal<v8::Value> encode(Environment& environment, ByteView bytes,
                                 v8::Local<v8::Value> encoding);

}  // namespace rondo::crypto
