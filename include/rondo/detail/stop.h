// How a request to stop travels through coroutines: from a std::stop_token, which any thread may
// use, to the operation in progress, which only the loop's thread may touch.
//
// Inside the loop's thread a request needs no atomics and no memory of its own: a Stop lives in
// the frame of the coroutine that may be asked, its listeners in the frames of what that awaits.
#pragma once

#include <cassert>
#include <optional>
#include <stop_token>
#include <utility>

#include "rondo/detail/loop_owned.h"
#include "rondo/detail/memory.h"
#include "rondo/loop.h"

namespace rondo::detail {

class Stop;

/// Notified once when stop is requested, in the order of joining. Leaves when it is destroyed.
class StopListener {
 public:
  StopListener() = default;
  StopListener(const StopListener&) = delete;
  StopListener& operator=(const StopListener&) = delete;

 protected:
  virtual ~StopListener() { leave(); }
  void join(Stop& stop) noexcept;
  void leave() noexcept;

 private:
  friend class Stop;
  /// Must not resume a coroutine: request() is called by code that expects none to have moved.
  virtual void stop_requested() noexcept = 0;

  Stop* stop_ = nullptr;
  StopListener* next_ = nullptr;
  StopListener* prev_ = nullptr;
};

class Stop {
 public:
  Stop() = default;
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;
  ~Stop() { assert(first_ == nullptr); }

  bool requested() const noexcept { return requested_; }

  /// False if it was requested before.
  bool request() noexcept {
    if (std::exchange(requested_, true)) return false;
    while (first_ != nullptr) {
      StopListener* listener = first_;
      listener->leave();
      listener->stop_requested();
    }
    return true;
  }

 private:
  friend class StopListener;
  bool requested_ = false;
  StopListener* first_ = nullptr;
  StopListener* last_ = nullptr;
};

inline void StopListener::join(Stop& stop) noexcept {
  assert(stop_ == nullptr && !stop.requested());
  stop_ = &stop;
  prev_ = stop.last_;
  next_ = nullptr;
  (prev_ == nullptr ? stop.first_ : prev_->next_) = this;
  stop.last_ = this;
}

inline void StopListener::leave() noexcept {
  if (stop_ == nullptr) return;
  (prev_ == nullptr ? stop_->first_ : prev_->next_) = next_;
  (next_ == nullptr ? stop_->last_ : next_->prev_) = prev_;
  stop_ = nullptr;
}

/// Passes requests to a std::stop_token on to a Stop: at once on the loop's thread, posted to
/// the loop from any other.
class StopBridge {
 public:
  StopBridge(Loop& loop, const std::stop_token& token, Stop& stop) {
    if (!token.stop_possible()) return;
    stop_ = std::make_shared<Stop*>(&stop);
    callback_.emplace(token, Forward{&loop, stop_});
  }
  StopBridge(const StopBridge&) = delete;
  StopBridge& operator=(const StopBridge&) = delete;
  ~StopBridge() { close(); }

  /// After this nothing is handed on, not even what another thread has posted already.
  void close() noexcept {
    callback_.reset();  // waits for a thread that is in the middle of it
    if (stop_ != nullptr) *stop_ = nullptr;
  }

 private:
  struct Forward {
    void operator()() const {
      if (on_thread_of(*loop)) {
        // A loop that is being destroyed has nothing in progress any more that could be cancelled.
        if (takes_work(*loop)) request(stop);
      } else {
        loop->post([stop = stop] { request(stop); });
      }
    }
    // By value: what is stopped may destroy the bridge, and this with it.
    // NOLINTNEXTLINE(performance-unnecessary-value-param)
    static void request(std::shared_ptr<Stop*> stop) noexcept {
      if (*stop != nullptr) (*stop)->request();
    }
    Loop* loop;
    std::shared_ptr<Stop*> stop;  // what it points to is used on the loop's thread only
  };

  std::shared_ptr<Stop*> stop_;
  std::optional<std::stop_callback<Forward>> callback_;
};

}  // namespace rondo::detail
