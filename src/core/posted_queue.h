// Callbacks from other threads, and the knowledge whether the loop has to be woken for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/callback_queue.h"
#include "core/spin_lock.h"

namespace rondo {

class PostedQueue {
 public:
  // ---- From any thread. Each returns true when the caller has to wake the loop: it sleeps, and
  // ---- nobody else has taken that upon himself.

  [[nodiscard]] bool push(Callback<>&& callback);
  [[nodiscard]] bool needs_wake() noexcept;

  // ---- From the loop's thread.

  /// Whether anything waits, here or in the batch taken before. One load when nothing does.
  bool empty() const noexcept {
    return batch_.empty() && !has_incoming_.load(std::memory_order_acquire);
  }
  std::size_t size() const noexcept;

  /// Takes what has been posted so far as the batch to run; what is posted from now on is
  /// another batch. Returns the size of the batch, which may have been left over from before.
  std::size_t take_batch() noexcept;
  /// The next callback of the batch, and the number an observer knows it by.
  Callback<> pop() noexcept {
    ++delivered_;
    return batch_.pop();
  }
  std::uint64_t next_id() const noexcept { return delivered_; }

  /// Announces that the loop is about to sleep. False if something has been posted: do not.
  bool fall_asleep() noexcept;
  /// The loop is awake again. True if somebody had to wake it.
  bool wake_up() noexcept;

 private:
  enum class LoopState : std::uint8_t { awake, asleep, woken };

  // Three cache lines. The first belongs to those who post.
  mutable SpinLock lock_;  // guards the two below
  CallbackQueue incoming_;
  LoopState state_ = LoopState::awake;

  // The loop looks at this several times in an iteration. It is written only when the first callback
  // comes and when all are taken, so that looking takes nothing away from those who post.
  alignas(64) std::atomic<bool> has_incoming_ = false;

  // The loop's own.
  alignas(64) CallbackQueue batch_;
  std::uint64_t delivered_ = 0;
};

}  // namespace rondo
