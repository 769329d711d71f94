// Whether this process has inherited something by fork() that it shares with its parent: the
// kernel's side of a loop.
#pragma once

#include <pthread.h>

#include <atomic>

namespace rondo {

/// Knows the process it was made in. To ask costs a load.
class ProcessMark {
 public:
  ProcessMark() noexcept : mark_(forks().load(std::memory_order_relaxed)) {
    // Without memory for it a fork goes unnoticed.
    [[maybe_unused]] static const int kRegistered =
        ::pthread_atfork(nullptr, nullptr, [] { forks().fetch_add(1, std::memory_order_relaxed); });
  }

  /// True in a process forked from the one that made it.
  bool inherited() const noexcept { return mark_ != forks().load(std::memory_order_relaxed); }

 private:
  /// On the way from the first process to this one.
  static std::atomic<unsigned>& forks() noexcept {
    static constinit std::atomic<unsigned> count = 0;
    return count;
  }

  unsigned mark_;
};

}  // namespace rondo
