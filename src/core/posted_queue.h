// Callbacks from other threads, and the knowledge whether the loop has to be woken for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "rondo/detail/spin_lock.h"

#include "core/backend.h"
#include "core/containers/callback_queue.h"

namespace rondo {

class PostedQueue {
 public:
  // ---- From any thread. Each returns true when the caller has to wake the loop: it sleeps, and
  // ---- no other thread is waking it already.

  [[nodiscard]] bool push(Callback<>&& callback);
  /// One that does not keep the loop alive. Calls forget_unreferenced() when it runs.
  [[nodiscard]] bool push_unreferenced(Callback<>&& callback);
  /// An operation that another thread has carried out.
  [[nodiscard]] bool push(Completion completion);
  /// Makes a change that the loop may be waiting for.
  template <class Change>
  [[nodiscard]] bool change(Change&& change) noexcept {
    const std::lock_guard guard(lock_);
    std::forward<Change>(change)();
    return take_on_waking();
  }
  /// Called by a thread that had to wake the loop, afterwards. Until then the loop is not destroyed
  /// under him, even if what he did has ended it.
  void woke() noexcept { waking_.fetch_sub(1, std::memory_order_release); }

  // ---- From the loop's thread.

  /// Whether anything waits, here or in the batch taken before. One load when nothing does.
  bool empty() const noexcept {
    return batch_.empty() && !has_incoming_.load(std::memory_order_acquire) && !has_completions();
  }
  bool has_completions() const noexcept {
    return completions_size_.load(std::memory_order_acquire) != 0;
  }
  std::size_t size() const noexcept;
  /// Whether anything that waits keeps the loop alive.
  bool keeps_alive() const noexcept;
  void forget_unreferenced() noexcept;

  /// Takes what has been posted so far as the batch to run; what is posted from now on is
  /// another batch. Returns the size of the batch, which may have been left over from before.
  std::size_t take_batch() noexcept;
  /// The next callback of the batch, and the number an observer knows it by.
  Callback<> pop() noexcept {
    ++delivered_;
    return batch_.pop();
  }
  std::uint64_t next_id() const noexcept { return delivered_; }

  /// Moves completions into `out`, oldest first. Returns how many.
  std::size_t take_completions(std::span<Completion> out);

  /// Announces that the loop is about to sleep. False if something has been posted: do not.
  bool fall_asleep() noexcept;
  /// The loop is awake again. True if another thread had to wake it.
  bool wake_up() noexcept;

  /// For any thread.
  bool asleep() const noexcept {
    const std::lock_guard guard(lock_);
    return state_ != LoopState::awake;
  }

  /// Waits until no other thread is inside any of the functions above.
  void wait_for_others() noexcept;

 private:
  enum class LoopState : std::uint8_t { awake, asleep, woken };

  bool push_locked(Callback<>&& callback);

  /// With the lock held: whether this caller has to wake the loop.
  bool take_on_waking() noexcept {
    if (state_ != LoopState::asleep) return false;
    state_ = LoopState::woken;
    waking_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  // Three cache lines. The first belongs to the posting threads.
  mutable detail::SpinLock lock_;  // guards the three below
  CallbackQueue incoming_;
  std::vector<Completion> completions_;
  LoopState state_ = LoopState::awake;
  std::size_t unreferenced_ = 0;  // of those that wait
  std::atomic<int> waking_ = 0;   // threads that are waking the loop right now

  // The loop looks at this several times in an iteration. It is written only when the first
  // callback comes and when all are taken, so that reading does not disturb the posting threads.
  alignas(64) std::atomic<bool> has_incoming_ = false;
  std::atomic<std::size_t> completions_size_ = 0;

  // The loop's own.
  alignas(64) CallbackQueue batch_;
  std::uint64_t delivered_ = 0;
};

}  // namespace rondo
