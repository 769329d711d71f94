// The poll phase: how long to block, then the callbacks of what completed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/backend.h"

namespace rondo {

class LoopCore;

class PollPhase {
 public:
  explicit PollPhase(LoopCore& core) : core_(core), ready_(kBatch) {}

  /// Waits at most `timeout` (nullopt: without limit) for something to complete, then runs what
  /// completed and what was posted, at most `budget` callbacks. Goes on collecting while the
  /// kernel fills whole batches.
  void run(std::optional<std::chrono::nanoseconds> timeout, std::size_t budget);

  /// Delivers a completion that needs no kernel any more, in the poll phase like any other, and
  /// not before an immediate that waits now.
  void complete_soon(Completion completion, std::uint64_t check_visits) {
    local_.push_back({completion, check_visits});
  }
  bool has_local() const noexcept { return !local_.empty(); }

  /// Delivers a completion after all that the kernel has to report now: the end of a child
  /// process, which comes after the last of its output.
  void complete_last(Completion completion) { last_.push_back(completion); }

  /// Completions collected but not delivered yet.
  std::size_t left_over() const noexcept { return end_ - begin_ + last_.size(); }

  /// Whether the kernel has been asked since this time of the loop, or of its clock.
  bool has_asked_since_ms(std::int64_t ms) const noexcept { return asked_ms_ >= ms; }
  bool has_asked_since(std::chrono::nanoseconds time) const noexcept { return asked_ >= time; }

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t waits() const noexcept { return waits_; }
  std::chrono::nanoseconds idle_time() const noexcept { return idle_; }
  /// The same for another thread.
  __attribute__((no_sanitize("thread"))) std::chrono::nanoseconds idle_glance() const noexcept {
    std::chrono::nanoseconds idle;
    __atomic_load(&idle_, &idle, __ATOMIC_RELAXED);
    return idle;
  }

  /// What was collected is not delivered any more.
  void forget_all() noexcept {
    for (; begin_ != end_; ++begin_) ready_[begin_].operation->abandoned(ready_[begin_].result);
    for (const Local& local : local_)
      local.completion.operation->abandoned(local.completion.result);
    local_.clear();
    for (const Completion& completion : last_) completion.operation->abandoned(completion.result);
    last_.clear();
  }

 private:
  // What is taken from the kernel at a time. A smaller number costs system calls on epoll, a
  // larger one cache.
  static constexpr std::size_t kBatch = 1024;

  struct Local {
    Completion completion;
    std::uint64_t check_visits;  // of the check phase, when it was added
  };

  std::size_t take_local() noexcept;
  std::span<Completion> room() noexcept;
  void collect(std::optional<std::chrono::nanoseconds> timeout);
  void sleep(std::optional<std::chrono::nanoseconds> timeout);
  std::size_t ask_kernel(std::optional<std::chrono::nanoseconds> timeout);
  void deliver(std::size_t& budget);
  void deliver_last(std::size_t& budget);
  void run_posted(std::size_t& budget);
  Completion take_next() noexcept;

  LoopCore& core_;
  std::vector<Completion> ready_;  // [begin_, end_) waits to be delivered
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<Local> local_;
  std::vector<Completion> last_;
  bool posted_first_ = false;
  std::int64_t asked_ms_ = -1;          // the loop's time when the kernel was last asked
  std::chrono::nanoseconds asked_{-1};  // the clock then
  std::uint64_t events_ = 0;
  std::uint64_t waits_ = 0;
  std::chrono::nanoseconds idle_{};
};

}  // namespace rondo
