#include "runtime/observe/lens/promise_numbers.h"

#include <utility>

namespace rondo {

namespace {

void* to_word(std::uint64_t value) noexcept {
  return reinterpret_cast<void*>(value);
}

}  // namespace

/// False if it is not there.
bool PromiseNumbers::find_field(v8::Local<v8::Promise> promise) noexcept {
  if (std::exchange(has_looked_, true)) return false;
  constexpr std::uint64_t kSeldom = 0x5eed1e55;
  promise->SetAlignedPointerInInternalField(0, to_word(kSeldom << kShift),
                                            v8::kEmbedderDataTypeTagDefault);
  // Behind what every object has there are two words of the promise's own, and then the field.
  constexpr int kWords = 3;
  for (int i = 0; i != kWords && offset_ == 0; ++i) {
    offset_ = v8::internal::Internals::kJSObjectHeaderSize - v8::internal::kHeapObjectTag +
              static_cast<std::uintptr_t>(i * v8::internal::kApiTaggedSize);
    if (word(promise) != kSeldom) offset_ = 0;
  }
  promise->SetAlignedPointerInInternalField(0, nullptr, v8::kEmbedderDataTypeTagDefault);
  return offset_ != 0;
}

std::uint64_t PromiseNumbers::word_slowly(v8::Local<v8::Promise> promise) noexcept {
  if (find_field(promise)) return word(promise);
  const void* word =
      promise->GetAlignedPointerFromInternalField(0, v8::kEmbedderDataTypeTagDefault);
  return reinterpret_cast<std::uintptr_t>(word) >> kShift;
}

void PromiseNumbers::set_word_slowly(v8::Local<v8::Promise> promise, std::uint64_t word) noexcept {
  if (find_field(promise)) return set_word(promise, word);
  promise->SetAlignedPointerInInternalField(0, to_word(word << kShift),
                                            v8::kEmbedderDataTypeTagDefault);
}

}  // namespace rondo
