#include "io/threads/thread_pool.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace rondo {

ThreadPool::ThreadPool(std::size_t threads, std::size_t most_queued) noexcept
    : most_threads_(std::clamp<std::size_t>(threads, 1, kMostThreads)),
      most_queued_(std::max<std::size_t>(most_queued, 1)) {
  std::construct_at(&something_queued);
}

ThreadPool::~ThreadPool() {
  if (forked()) return;
  PoolJob* never_begun = nullptr;
  {
    const std::lock_guard guard(mutex_);
    ending_ = true;
    never_begun = std::exchange(first_, nullptr);
  }
  something_queued.notify_all();
  while (never_begun != nullptr) {
    PoolJob* job = std::exchange(never_begun, never_begun->place.next);
    job->place.queued = false;
    job->finished(false);
  }
  for (const pthread_t thread : threads_) ::pthread_join(thread, nullptr);
  std::destroy_at(&something_queued);
}

bool ThreadPool::forked() const noexcept {
  return process_ != -1 && process_ != ::getpid();
}

std::size_t ThreadPool::threads() const noexcept {
  const std::lock_guard guard(mutex_);
  return threads_.size();
}

std::error_code ThreadPool::submit(PoolJob& job) noexcept {
  if (forked()) return errno_code(ENOTSUP);  // the lock may be held by a thread that is not here
  const std::lock_guard guard(mutex_);
  if (queued_ >= most_queued_) return errno_code(EAGAIN);
  append(job);
  // Each idle thread takes one of those that wait. Those that wait beyond that are worth a thread.
  if (queued_ > idle_ && threads_.size() < most_threads_) {
    if (!start_thread() && threads_.empty()) {
      take_out(job);
      return errno_code(ENOMEM);
    }
    // With others at work the job only waits longer; the next one tries again.
  }
  something_queued.notify_one();
  return {};
}

bool ThreadPool::start_thread() noexcept {
  try {
    threads_.reserve(threads_.size() + 1);
  } catch (const std::bad_alloc&) {
    return false;
  }
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  // Signals belong to the program's own threads.
  sigset_t all;
  sigfillset(&all);
  int error = ::pthread_attr_setsigmask_np(&attributes, &all);
  pthread_t thread{};
  if (error == 0) {
    const auto run = [](void* pool) -> void* {
      ::pthread_setname_np(::pthread_self(), "rondo-pool");
      static_cast<ThreadPool*>(pool)->work();
      return nullptr;
    };
    error = ::pthread_create(&thread, &attributes, run, this);
  }
  ::pthread_attr_destroy(&attributes);
  if (error != 0) return false;
  threads_.push_back(thread);
  process_ = ::getpid();
  return true;
}

bool ThreadPool::cancel(PoolJob& job) noexcept {
  if (forked()) return false;
  {
    const std::lock_guard guard(mutex_);
    if (!job.place.queued) return false;
    take_out(job);
  }
  job.finished(false);
  return true;
}

void ThreadPool::append(PoolJob& job) noexcept {
  job.place.queued = true;
  job.place.next = nullptr;
  job.place.prev = last_;
  (last_ == nullptr ? first_ : last_->place.next) = &job;
  last_ = &job;
  ++queued_;
}

void ThreadPool::take_out(PoolJob& job) noexcept {
  job.place.queued = false;
  (job.place.prev == nullptr ? first_ : job.place.prev->place.next) = job.place.next;
  (job.place.next == nullptr ? last_ : job.place.next->place.prev) = job.place.prev;
  --queued_;
}

void ThreadPool::work() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    something_queued.wait(lock, [this] { return ending_ || first_ != nullptr; });
    --idle_;
    if (ending_) return;
    PoolJob* job = first_;
    take_out(*job);
    lock.unlock();
    job->perform();
    job->finished(true);
    lock.lock();
  }
}

std::size_t ThreadPool::threads_from_environment() noexcept {
  for (const char* name : {"RONDO_THREADPOOL_SIZE", "UV_THREADPOOL_SIZE"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    const char* end = value + std::strlen(value);
    std::size_t number = 0;
    const auto [stopped, error] = std::from_chars(value, end, number);
    if (stopped != end || error == std::errc::invalid_argument) continue;
    if (error == std::errc::result_out_of_range) return kMostThreads;
    return std::clamp<std::size_t>(number, 1, kMostThreads);
  }
  return kDefaultThreads;
}

}  // namespace rondo
