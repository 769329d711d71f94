#include "core/posted_queue.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace rondo {

bool PostedQueue::push(Callback<>&& callback) {
  const std::lock_guard guard(lock_);
  return push_locked(std::move(callback));
}

bool PostedQueue::push_unreferenced(Callback<>&& callback) {
  const std::lock_guard guard(lock_);
  ++unreferenced_;
  return push_locked(std::move(callback));
}

bool PostedQueue::push_locked(Callback<>&& callback) {
  incoming_.push(std::move(callback));
  incoming_.prefetch_for_push();
  if (incoming_.size() == 1) has_incoming_.store(true, std::memory_order_release);
  return take_on_waking();
}

bool PostedQueue::push(Completion completion) {
  const std::lock_guard guard(lock_);
  completions_.push_back(completion);
  completions_size_.store(completions_.size(), std::memory_order_release);
  return take_on_waking();
}

void PostedQueue::wait_for_others() noexcept {
  {
    const std::lock_guard guard(lock_);
  }
  while (waking_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

std::size_t PostedQueue::take_completions(std::span<Completion> out) {
  if (!has_completions()) return 0;
  const std::lock_guard guard(lock_);
  const std::size_t count = std::min(out.size(), completions_.size());
  const auto end = completions_.begin() + static_cast<std::ptrdiff_t>(count);
  std::copy(completions_.begin(), end, out.begin());
  completions_.erase(completions_.begin(), end);
  completions_size_.store(completions_.size(), std::memory_order_release);
  return count;
}

bool PostedQueue::fall_asleep() noexcept {
  const std::lock_guard guard(lock_);
  if (!incoming_.empty() || !batch_.empty() || !completions_.empty()) return false;
  state_ = LoopState::asleep;
  return true;
}

bool PostedQueue::wake_up() noexcept {
  const std::lock_guard guard(lock_);
  return std::exchange(state_, LoopState::awake) == LoopState::woken;
}

std::size_t PostedQueue::take_batch() noexcept {
  if (batch_.empty() && has_incoming_.load(std::memory_order_acquire)) {
    batch_.restart();
    // Before the lock is taken, to hold it for less time: no thread sets it while there are
    // callbacks in incoming_, and what comes after the swap sets it again.
    has_incoming_.store(false, std::memory_order_relaxed);
    const std::lock_guard guard(lock_);
    swap(batch_, incoming_);
  }
  return batch_.size();
}

bool PostedQueue::keeps_alive() const noexcept {
  if (empty()) return false;
  if (has_completions()) return true;
  const std::lock_guard guard(lock_);
  return batch_.size() + incoming_.size() > unreferenced_;
}

void PostedQueue::forget_unreferenced() noexcept {
  const std::lock_guard guard(lock_);
  --unreferenced_;
}

std::size_t PostedQueue::size() const noexcept {
  const std::lock_guard guard(lock_);
  return batch_.size() + incoming_.size();
}

}  // namespace rondo
