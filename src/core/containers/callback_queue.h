// A first-in, first-out queue of callbacks in one ring that grows by doubling and never shrinks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "rondo/callback.h"

namespace rondo {

class CallbackQueue {
 public:
  bool empty() const noexcept { return popped_ == pushed_; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(pushed_ - popped_); }

  void push(Callback<>&& callback) {
    if (size() == capacity_) grow();
    ring_[pushed_ & (capacity_ - 1)] = std::move(callback);
    ++pushed_;
  }

  /// Moves the oldest callback out, so that it may push while it runs.
  Callback<> pop() noexcept { return std::move(ring_[popped_++ & (capacity_ - 1)]); }
  Callback<> pop_newest() noexcept { return std::move(ring_[--pushed_ & (capacity_ - 1)]); }

  /// How many were ever pushed and popped: the n-th pushed is the n-th popped, so the count
  /// names a callback for the observer without being stored in it.
  std::uint64_t pushed() const noexcept { return pushed_; }
  std::uint64_t popped() const noexcept { return popped_; }

  /// Begins at the front again, where the cache is warm; the counts restart too. Only for an
  /// empty queue.
  void restart() noexcept { pushed_ = popped_ = 0; }

  /// Fetches the memory for a later push from the cache of the thread that emptied it, before it is
  /// needed. Only after a push.
  void prefetch_for_push() const noexcept {
    __builtin_prefetch(&ring_[(pushed_ + 4) & (capacity_ - 1)], 1);
  }

  friend void swap(CallbackQueue& a, CallbackQueue& b) noexcept {
    std::swap(a.ring_, b.ring_);
    std::swap(a.capacity_, b.capacity_);
    std::swap(a.pushed_, b.pushed_);
    std::swap(a.popped_, b.popped_);
  }

 private:
  void grow() {
    const std::size_t bigger = capacity_ == 0 ? 64 : capacity_ * 2;
    auto ring = std::make_unique<Callback<>[]>(bigger);
    for (std::uint64_t i = popped_; i != pushed_; ++i) {
      ring[i & (bigger - 1)] = std::move(ring_[i & (capacity_ - 1)]);
    }
    ring_ = std::move(ring);
    capacity_ = bigger;
  }

  std::unique_ptr<Callback<>[]> ring_;
  std::size_t capacity_ = 0;  // zero or a power of two
  std::uint64_t pushed_ = 0;
  std::uint64_t popped_ = 0;
};

}  // namespace rondo
