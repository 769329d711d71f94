// Coroutines that wait for something which another thread may bring: what Channel and Future are
// made of. What they wait for has a lock. With the lock held, one that is served is taken out of
// the list and woken; so a loop that is destroyed cannot go before the thread that wakes it has let
// go.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <system_error>
#include <utility>

#include "rondo/detail/coroutine.h"
#include "rondo/detail/spin_lock.h"
#include "rondo/detail/wait_list.h"
#include "rondo/error.h"
#include "rondo/loop.h"

namespace rondo::detail {

class RemoteWaiting;

class RemoteWaitList {
 public:
  bool empty() const noexcept { return first_ == nullptr; }
  RemoteWaiting* pop() noexcept;

 private:
  friend class RemoteWaiting;
  RemoteWaiting* first_ = nullptr;
  RemoteWaiting* last_ = nullptr;
};

/// Everything but hold() is called with the lock held. It keeps its loop alive while it waits.
class RemoteWaiting {
 public:
  RemoteWaiting() = default;
  RemoteWaiting(RemoteWaiting&& other) noexcept { (void)other; }  // not begun
  RemoteWaiting& operator=(RemoteWaiting&&) = delete;
  ~RemoteWaiting() = default;  // its operation has unlinked it

  void wait(RemoteWaitList& list, Loop& loop, Waiter waiter) noexcept {
    waiter_ = waiter;
    hold(loop);
    list_ = &list;
    prev_ = list.last_;
    (prev_ == nullptr ? list.first_ : prev_->next_) = this;
    list.last_ = this;
  }
  /// For one that has its result and continues in the next iteration.
  void pause(Loop& loop, Waiter waiter) {
    waiter_ = waiter;
    hold(loop);
    wake_later();
  }
  bool waits() const noexcept { return list_ != nullptr; }

  /// Of one that was taken out: resumes it on its loop, whatever thread calls.
  void wake();
  void wake_with(std::error_code error) {
    error_ = error;
    wake();
  }
  /// On its own thread. Nothing if it has been served.
  void cancel() {
    if (list_ == nullptr) return;
    unlink();
    error_ = errno_code(ECANCELED);
    wake_later();
  }
  void unlink() noexcept {
    if (list_ == nullptr) return;
    (prev_ == nullptr ? list_->first_ : prev_->next_) = next_;
    (next_ == nullptr ? list_->last_ : next_->prev_) = prev_;
    list_ = nullptr;
    next_ = prev_ = nullptr;
  }

  std::error_code error() const noexcept { return error_; }
  void fail(std::error_code error) noexcept { error_ = error; }

 private:
  void hold(Loop& loop) noexcept;
  void wake_later();
  void resume();

  RemoteWaitList* list_ = nullptr;
  RemoteWaiting* next_ = nullptr;
  RemoteWaiting* prev_ = nullptr;
  Loop* loop_ = nullptr;
  Waiter waiter_;
  std::error_code error_;
};

inline RemoteWaiting* RemoteWaitList::pop() noexcept {
  RemoteWaiting* first = first_;
  if (first != nullptr) first->unlink();
  return first;
}

/// A counted reference that any thread may copy and drop.
template <class T>
class SharedRef {
 public:
  SharedRef() = default;
  explicit SharedRef(T* object) noexcept : object_(object) { retain(); }
  SharedRef(const SharedRef& other) noexcept : object_(other.object_) { retain(); }
  SharedRef(SharedRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  SharedRef& operator=(SharedRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~SharedRef() {
    if (object_ != nullptr && object_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete object_;
    }
  }

  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const SharedRef&, const SharedRef&) = default;

 private:
  void retain() const noexcept {
    if (object_ != nullptr) object_->references.fetch_add(1, std::memory_order_relaxed);
  }
  T* object_ = nullptr;
};

}  // namespace rondo::detail
