// A lock for a few instructions at a time. Taking it costs one atomic exchange and giving it
// back a plain store, half of what a std::mutex costs; a thread that finds it taken yields.
#pragma once

#include <sched.h>

#include <atomic>

namespace rondo::detail {

class SpinLock {
 public:
  void lock() noexcept {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries) {
      // The holder may have been preempted: after a short while, let it run.
      if (tries < 64) {
        relax();
      } else {
        ::sched_yield();
      }
    }
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  static void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  std::atomic<bool> taken_ = false;
};

}  // namespace rondo::detail
