// Room inside a public class for an object whose type only a source file knows.
#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <utility>

namespace rondo::detail {

/// Holds at most one object, made when it is needed. Moving is allowed while there is none: an
/// operation may be moved until it begins, and stays at its address from then on.
template <std::size_t Size>
class InPlace {
 public:
  InPlace() noexcept {}  // NOLINT(modernize-use-equals-default): leaves the bytes undefined
  InPlace(InPlace&& other) noexcept {
    assert(!other && "an operation that has begun was moved");
    (void)other;
  }
  InPlace& operator=(InPlace&&) = delete;
  ~InPlace() {
    if (destroy_ != nullptr) destroy_(bytes_);
  }

  template <class T, class... Args>
  T& make(Args&&... args) {
    static_assert(sizeof(T) <= Size && alignof(T) <= alignof(std::max_align_t));
    assert(destroy_ == nullptr);
    T* made = ::new (static_cast<void*>(bytes_)) T(std::forward<Args>(args)...);
    destroy_ = [](void* object) noexcept { std::launder(static_cast<T*>(object))->~T(); };
    return *made;
  }

  /// The object, which must be a T.
  template <class T>
  T& get() noexcept {
    assert(destroy_ != nullptr);
    return *std::launder(reinterpret_cast<T*>(bytes_));
  }

  explicit operator bool() const noexcept { return destroy_ != nullptr; }

 private:
  void (*destroy_)(void* object) noexcept = nullptr;
  alignas(std::max_align_t) std::byte bytes_[Size];
};

}  // namespace rondo::detail
