// Coroutines of one loop that wait for something which another one of the same loop will do: what
// Event, Semaphore, Mutex and TaskGroup are made of. No locks, no memory of its own: a Waiting
// lives in the frame of the coroutine that waits.
#pragma once

#include <system_error>
#include <utility>

#include "rondo/detail/coroutine.h"
#include "rondo/error.h"
#include "rondo/loop.h"

namespace rondo::detail {

/// Resumes something in the microtask queue: after the callback that runs now, before all else.
void resume_soon(Loop& loop, Waiter waiter);

/// The same, but every so often in the pending phase of the next iteration: two coroutines that
/// wake each other for ever must not keep the loop from its timers and its I/O.
void resume_soon_fairly(Loop& loop, Waiter waiter);

/// Counts an operation that had its result without waiting. False every so often: it should wait
/// for the next iteration all the same, for the same reason.
inline bool may_go_on_at_once() noexcept {
  constexpr unsigned kAtATime = 256;
  constinit static thread_local unsigned count = 0;
  return ++count % kAtATime != 0;
}

class Waiting;

class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  /// Who still waits gets ECANCELED.
  ~WaitList();

  bool empty() const noexcept { return first_ == nullptr; }
  /// The one that has waited longest, taken out; null if there is none.
  Waiting* pop() noexcept;

 private:
  friend class Waiting;
  Waiting* first_ = nullptr;
  Waiting* last_ = nullptr;
};

class Waiting {
 public:
  Waiting() = default;
  Waiting(Waiting&& other) noexcept { (void)other; }  // not begun: there is nothing to move
  Waiting& operator=(Waiting&&) = delete;
  ~Waiting() { unlink(); }

  void wait(WaitList& list, Loop& loop, Waiter waiter) noexcept {
    loop_ = &loop;
    waiter_ = waiter;
    list_ = &list;
    prev_ = list.last_;
    (prev_ == nullptr ? list.first_ : prev_->next_) = this;
    list.last_ = this;
  }

  /// Of one that was taken out of its list.
  void wake() { resume_soon(*loop_, waiter_); }
  void wake_fairly() { resume_soon_fairly(*loop_, waiter_); }

  /// The wait is over, unless it is already.
  void cancel() noexcept {
    if (list_ == nullptr) return;
    unlink();
    error_ = errno_code(ECANCELED);
    loop_->defer([this] { waiter_(); });
  }

  /// What it waited for has come, if it ever waited.
  bool served() const noexcept { return list_ == nullptr && !error_; }
  Expected<> result() const {
    if (error_) return std::unexpected(error_);
    return {};
  }

 private:
  friend class WaitList;
  void unlink() noexcept {
    if (list_ == nullptr) return;
    (prev_ == nullptr ? list_->first_ : prev_->next_) = next_;
    (next_ == nullptr ? list_->last_ : next_->prev_) = prev_;
    list_ = nullptr;
    next_ = prev_ = nullptr;
  }

  WaitList* list_ = nullptr;  // null: it does not wait, or no more
  Waiting* next_ = nullptr;
  Waiting* prev_ = nullptr;
  Loop* loop_ = nullptr;
  Waiter waiter_;
  std::error_code error_;
};

inline Waiting* WaitList::pop() noexcept {
  Waiting* first = first_;
  if (first != nullptr) first->unlink();
  return first;
}

inline WaitList::~WaitList() {
  while (first_ != nullptr) first_->cancel();
}

/// A counted reference within one loop's thread: what it refers to has `std::size_t references`.
template <class T>
class LocalRef {
 public:
  LocalRef() = default;
  explicit LocalRef(T* object) noexcept : object_(object) { ++object_->references; }
  LocalRef(const LocalRef& other) noexcept : object_(other.object_) {
    if (object_ != nullptr) ++object_->references;
  }
  LocalRef(LocalRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  LocalRef& operator=(LocalRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~LocalRef() { reset(); }

  void reset() noexcept {
    T* object = std::exchange(object_, nullptr);
    if (object != nullptr && --object->references == 0) delete object;
  }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace rondo::detail
