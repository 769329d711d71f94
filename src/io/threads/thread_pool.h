// Threads for what can only block: name look-ups, folders, and whatever a user hands to work().
// They start when they are first needed and end with the pool. The queue is bounded, and needs no
// memory: the jobs themselves are its links.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "rondo/error.h"

namespace rondo {

/// One job. It stays where it is until finished() has been called.
class PoolJob {
 public:
  /// On a thread of the pool. Must not throw.
  virtual void perform() noexcept = 0;
  /// On that thread, when it is done, or on the thread that cancels it: hand the result over.
  /// The pool does not touch the job after this.
  virtual void finished(bool performed) noexcept = 0;

  /// Its link in the queue: the pool's own.
  struct Place {
    PoolJob* next = nullptr;
    PoolJob* prev = nullptr;
    bool queued = false;
  } place;

 protected:
  ~PoolJob() = default;
};

class ThreadPool {
 public:
  static constexpr std::size_t kMostThreads = 1024;
  static constexpr std::size_t kDefaultThreads = 4;
  static constexpr std::size_t kDefaultQueue = 1U << 16;

  explicit ThreadPool(std::size_t threads = threads_from_environment(),
                      std::size_t most_queued = kDefaultQueue) noexcept;
  /// Cancels what has not begun and waits for what has. In a process forked from the one that
  /// started the threads there is none to wait for: it returns immediately.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// EAGAIN when the queue is full, ENOMEM when not even one thread can be had, ENOTSUP in a
  /// forked process: the job was not taken.
  [[nodiscard]] std::error_code submit(PoolJob& job) noexcept;

  /// True if the job had not begun: it was taken out, and finished(false) was called.
  bool cancel(PoolJob& job) noexcept;

  /// How many threads have been started.
  std::size_t threads() const noexcept;

  /// Set when the pool is about to go: a long job had better end. From any thread.
  bool ending() noexcept {
    const std::lock_guard guard(mutex_);
    return ending_;
  }

  /// RONDO_THREADPOOL_SIZE, or UV_THREADPOOL_SIZE as Node's users know it, or 4. What is not a
  /// number does not count; 0 is taken as 1.
  static std::size_t threads_from_environment() noexcept;

 private:
  bool forked() const noexcept;
  bool start_thread() noexcept;
  void append(PoolJob& job) noexcept;
  void take_out(PoolJob& job) noexcept;
  void work() noexcept;

  const std::size_t most_threads_;
  const std::size_t most_queued_;
  mutable std::mutex mutex_;
  // In a union, because it must not be destroyed in a forked process: glibc would wait there for
  // threads that do not exist.
  union {
    std::condition_variable something_queued;
  };
  PoolJob* first_ = nullptr;
  PoolJob* last_ = nullptr;
  std::size_t queued_ = 0;
  std::size_t idle_ = 0;  // threads that wait, those that were notified but do not run yet included
  bool ending_ = false;
  pid_t process_ = -1;  // that has the threads
  std::vector<pthread_t> threads_;
};

}  // namespace rondo
