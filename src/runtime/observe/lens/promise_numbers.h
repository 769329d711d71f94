// A number for each promise, and a mark, where no program can see them: in the field that V8 leaves
// to embedders.
#pragma once

#include <v8.h>

#include <cstdint>

namespace rondo {

/// V8's own functions for that field take longer than all else that is done for a promise. So they
/// only show where it lies, on the first promise that comes along; if it is not where it is looked
/// for, they do it all.
class PromiseNumbers {
 public:
  /// Without looking for it, they do.
  explicit PromiseNumbers(bool looks_for_field = true) noexcept : has_looked_(!looks_for_field) {}

  /// After the first of these calls.
  bool has_found_field() const noexcept { return offset_ != 0; }

  /// 0 if it has none.
  std::uint64_t of(v8::Local<v8::Promise> promise) noexcept { return word(promise) & kMostNumber; }
  void set(v8::Local<v8::Promise> promise, std::uint64_t number) noexcept {
    set_word(promise, (word(promise) & ~kMostNumber) | (number & kMostNumber));
  }
  /// Beside the number, and independent of it. 0 if it has none.
  std::uint32_t mark_of(v8::Local<v8::Promise> promise) noexcept {
    return static_cast<std::uint32_t>(word(promise) >> kNumberBits);
  }
  void set_mark(v8::Local<v8::Promise> promise, std::uint32_t mark) noexcept {
    set_word(promise, (word(promise) & kMostNumber) | std::uint64_t{mark} << kNumberBits);
  }
  static constexpr std::uint32_t kMostMark = (1U << 20U) - 1;
  /// Larger numbers begin again at 0: at ten million promises a second, after ten days.
  static constexpr int kNumberBits = 43;
  static constexpr std::uint64_t kMostNumber = (std::uint64_t{1} << kNumberBits) - 1;

 private:
  /// V8 takes an even word for a number of its own, and leaves it alone.
  static constexpr int kShift = 1;

  std::uint64_t word(v8::Local<v8::Promise> promise) noexcept {
    if (offset_ == 0) [[unlikely]]
      return word_slowly(promise);
    return __atomic_load_n(field(promise), __ATOMIC_RELAXED) >> kShift;
  }
  void set_word(v8::Local<v8::Promise> promise, std::uint64_t word) noexcept {
    if (offset_ == 0) [[unlikely]]
      return set_word_slowly(promise, word);
    // V8 marks what lives in other threads.
    __atomic_store_n(field(promise), word << kShift, __ATOMIC_RELAXED);
  }

  std::uint64_t* field(v8::Local<v8::Promise> promise) const noexcept {
    const auto object = *reinterpret_cast<const v8::internal::Address*>(*promise);
    return reinterpret_cast<std::uint64_t*>(object + offset_);
  }
  std::uint64_t word_slowly(v8::Local<v8::Promise> promise) noexcept;
  void set_word_slowly(v8::Local<v8::Promise> promise, std::uint64_t word) noexcept;
  bool find_field(v8::Local<v8::Promise> promise) noexcept;

  std::uintptr_t offset_ = 0;  // from V8's pointer to the object; 0: not known
  bool has_looked_;
};

}  // namespace rondo
