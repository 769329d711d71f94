// A first-in, first-out queue that owns no memory before its first item, for objects of which there
// are many and whose queues are nearly always empty: an empty std::deque of libstdc++ takes 576
// bytes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rondo {

template <class T>
class Fifo {
 public:
  bool empty() const noexcept { return popped_ == items_.size(); }
  std::size_t size() const noexcept { return items_.size() - popped_; }

  /// The oldest.
  T& front() noexcept { return items_[popped_]; }
  const T& front() const noexcept { return items_[popped_]; }

  /// References to items end here.
  void push_back(T item) { emplace_back(std::move(item)); }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    return items_.emplace_back(std::forward<Arguments>(arguments)...);
  }

  /// References to items end here.
  void pop_front() {
    {
      [[maybe_unused]] const T gone = std::move(items_[popped_]);
    }
    if (++popped_ == items_.size()) {
      clear();
    } else if (popped_ >= kCompactAt && popped_ * 2 >= items_.size()) {
      items_.erase(items_.begin(), begin());
      popped_ = 0;
    }
  }
  void pop_back() {
    items_.pop_back();
    if (empty()) clear();
  }
  void clear() noexcept {
    if (items_.capacity() > kMostKept) items_ = std::vector<T>();
    items_.clear();
    popped_ = 0;
  }

  /// From the oldest to the newest.
  auto begin() noexcept { return items_.begin() + static_cast<std::ptrdiff_t>(popped_); }
  auto end() noexcept { return items_.end(); }
  auto begin() const noexcept { return items_.begin() + static_cast<std::ptrdiff_t>(popped_); }
  auto end() const noexcept { return items_.end(); }

 private:
  // At least as many have been popped as stay: what is moved was paid for by those.
  static constexpr std::size_t kCompactAt = 32;
  // What a burst has needed is given back when the queue is empty.
  static constexpr std::size_t kMostKept = 64;

  std::vector<T> items_;
  std::size_t popped_ = 0;
};

}  // namespace rondo
