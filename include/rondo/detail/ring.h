// The queue inside channels and task groups.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "rondo/detail/memory.h"

namespace rondo::detail {

/// A first-in, first-out queue in a ring that grows by doubling.
template <class T>
class Ring {
 public:
  std::size_t size() const noexcept { return size_; }
  void push(T&& value) {
    if (size_ == capacity_) grow();
    slots_[(begin_ + size_) & (capacity_ - 1)].emplace(std::move(value));
    ++size_;
  }
  T pop() noexcept {
    std::optional<T>& slot = slots_[begin_];
    T value = std::move(*slot);
    slot.reset();
    begin_ = (begin_ + 1) & (capacity_ - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    const std::size_t bigger = capacity_ == 0 ? 16 : capacity_ * 2;
    auto slots = std::make_unique<std::optional<T>[]>(bigger);
    for (std::size_t i = 0; i < size_; ++i) {
      slots[i].emplace(*std::move(slots_[(begin_ + i) & (capacity_ - 1)]));
    }
    slots_ = std::move(slots);
    capacity_ = bigger;
    begin_ = 0;
  }
  std::unique_ptr<std::optional<T>[]> slots_;
  std::size_t capacity_ = 0;  // zero or a power of two
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace rondo::detail
