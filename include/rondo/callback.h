// A move-only callable with inline storage: what every queue of the loop holds.
//
// std::function copies, std::move_only_function gives no promise about the size it keeps inline.
// The loop needs both: a callable that may own things, and a known size so that setting a timer
// allocates nothing. A callable of up to kInlineBytes that moves without throwing lives inside;
// anything larger is allocated once, when the callback is made.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "rondo/detail/functional.h"
#include "rondo/detail/language.h"
#include "rondo/detail/memory.h"

namespace rondo {

template <class Signature = void()>
class Callback;

template <class Result, class... Args>
class Callback<Result(Args...)> {
 public:
  static constexpr std::size_t kInlineBytes = 32;

  /// Whether a callable of this type is stored without an allocation.
  template <class F>
  static constexpr bool kFitsInline = sizeof(F) <= kInlineBytes && alignof(F) <= alignof(void*) &&
                                      std::is_nothrow_move_constructible_v<F>;

  Callback() noexcept = default;
  Callback(std::nullptr_t) noexcept {}

  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Callback> &&
             std::is_invocable_r_v<Result, std::decay_t<F>&, Args...>)
  Callback(F&& callable) {  // NOLINT(bugprone-forwarding-reference-overload): constrained above
    using Stored = std::decay_t<F>;
    if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
      // The name of a function is never null, and the compiler warns of asking.
    } else if constexpr (std::is_pointer_v<Stored> || std::is_member_pointer_v<Stored> ||
                         kNullTestable<Stored>) {
      if (callable == nullptr) return;  // a null function makes an empty callback, not a crash
    }
    // Moving copies all the bytes, whatever the size of the callable: none may be undefined.
    constexpr std::size_t kUsed = kFitsInline<Stored> ? sizeof(Stored) : sizeof(Stored*);
    if constexpr (std::is_empty_v<Stored>) {
      std::memset(bytes_, 0, kInlineBytes);
    } else if constexpr (kUsed < kInlineBytes) {
      std::memset(bytes_ + kUsed, 0, kInlineBytes - kUsed);
    }
    if constexpr (kFitsInline<Stored>) {
      ::new (storage()) Stored(std::forward<F>(callable));
      operations_ = &kInlineOperations<Stored>;
    } else {
      ::new (storage()) Stored*(new Stored(std::forward<F>(callable)));
      operations_ = &kHeapOperations<Stored>;
    }
  }

  Callback(Callback&& other) noexcept { take(other); }
  Callback& operator=(Callback&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  Callback& operator=(std::nullptr_t) noexcept {
    reset();
    return *this;
  }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() { reset(); }

  /// Assigns to a callback that is known to be empty.
  void fill(Callback&& other) noexcept { take(other); }

  /// Empties the callback if no destructor has to run for that, and returns whether it is empty.
  bool reset_if_trivial() noexcept {
    if (operations_ != nullptr && operations_->destroy != nullptr) return false;
    operations_ = nullptr;
    return true;
  }

  explicit operator bool() const noexcept { return operations_ != nullptr; }

  /// Calls the callable. Calling an empty callback is our own bug, never a user's: the loop
  /// refuses empty callbacks where they are handed in.
  Result operator()(
      Args... args) {  // NOLINT(performance-unnecessary-value-param): they are moved on
    return operations_->invoke(storage(), std::forward<Args>(args)...);
  }

 private:
  struct Operations {
    Result (*invoke)(void* storage, Args&&... args);
    void (*relocate)(void* from, void* to) noexcept;  // null: copying the bytes is enough
    void (*destroy)(void* storage) noexcept;          // null: nothing to destroy
  };

  // std::function, std::move_only_function and similar: they can be empty, and
  // compare with nullptr. (A lambda may compare as well: as the pointer that it converts to, never
  // null.)
  template <class F>
  static constexpr bool kNullTestable = requires(const F& callable) {
    callable.operator bool();
    { callable == nullptr } -> std::same_as<bool>;
  };

  template <class F>
  static Result invoke_inline(void* storage, Args&&... args) {
    return static_cast<Result>(
        detail::invoke(*std::launder(static_cast<F*>(storage)), std::forward<Args>(args)...));
  }
  template <class F>
  static void relocate_inline(void* from, void* to) noexcept {
    F* source = std::launder(static_cast<F*>(from));
    ::new (to) F(std::move(*source));
    source->~F();
  }
  template <class F>
  static void destroy_inline(void* storage) noexcept {
    std::launder(static_cast<F*>(storage))->~F();
  }

  template <class F>
  static F* heap_pointer(void* storage) noexcept {
    return *std::launder(static_cast<F**>(storage));
  }
  template <class F>
  static Result invoke_heap(void* storage, Args&&... args) {
    return static_cast<Result>(
        detail::invoke(*heap_pointer<F>(storage), std::forward<Args>(args)...));
  }
  template <class F>
  static void destroy_heap(void* storage) noexcept {
    delete heap_pointer<F>(storage);
  }

  template <class F>
  static constexpr Operations kInlineOperations{
      &invoke_inline<F>, std::is_trivially_copyable_v<F> ? nullptr : &relocate_inline<F>,
      std::is_trivially_destructible_v<F> ? nullptr : &destroy_inline<F>};
  template <class F>
  static constexpr Operations kHeapOperations{&invoke_heap<F>, nullptr, &destroy_heap<F>};

  void* storage() noexcept { return bytes_; }

  /// A callback is often moved right after it was made. Its members were stored one by one then,
  /// and a processor that reads two of them at once waits until both have left its store buffer:
  /// the bytes are copied word by word, which the compiler must not undo.
  static void copy_words(std::byte* to, const std::byte* from) noexcept {
#pragma GCC unroll 4
    for (std::size_t at = 0; at < kInlineBytes; at += sizeof(void*)) {
      void* word;
      std::memcpy(&word, from + at, sizeof(word));
      asm("" : "+r"(word));
      std::memcpy(to + at, &word, sizeof(word));
    }
  }

  void take(Callback& other) noexcept {
    operations_ = other.operations_;
    if (operations_ == nullptr) return;
    if (operations_->relocate == nullptr) {
      copy_words(bytes_, other.bytes_);
    } else {
      operations_->relocate(other.storage(), storage());
    }
    other.operations_ = nullptr;
  }

  void reset() noexcept {
    if (operations_ == nullptr) return;
    // Emptied first: the callable's destructor may run code that looks at this callback.
    const Operations* operations = std::exchange(operations_, nullptr);
    if (operations->destroy != nullptr) operations->destroy(storage());
  }

  const Operations* operations_ = nullptr;
  alignas(void*) std::byte bytes_[kInlineBytes];
};

}  // namespace rondo
