#include "core/posted_queue.h"

#include <mutex>
#include <utility>

namespace rondo {

bool PostedQueue::push(Callback<> callback) {
  const std::lock_guard guard(lock_);
  incoming_.push(std::move(callback));
  incoming_size_.store(incoming_.size(), std::memory_order_release);
  if (state_ != LoopState::asleep) return false;
  state_ = LoopState::woken;
  return true;
}

bool PostedQueue::needs_wake() noexcept {
  const std::lock_guard guard(lock_);
  if (state_ != LoopState::asleep) return false;
  state_ = LoopState::woken;
  return true;
}

bool PostedQueue::fall_asleep() noexcept {
  const std::lock_guard guard(lock_);
  if (!incoming_.empty() || !batch_.empty()) return false;
  state_ = LoopState::asleep;
  return true;
}

bool PostedQueue::wake_up() noexcept {
  const std::lock_guard guard(lock_);
  return std::exchange(state_, LoopState::awake) == LoopState::woken;
}

std::size_t PostedQueue::take_batch() noexcept {
  if (batch_.empty() && incoming_size_.load(std::memory_order_acquire) != 0) {
    const std::lock_guard guard(lock_);
    swap(batch_, incoming_);
    incoming_size_.store(0, std::memory_order_release);
  }
  return batch_.size();
}

}  // namespace rondo
