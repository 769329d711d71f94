// Coroutines of one loop that wait for each other.
//
//     rondo::Semaphore connections(8);
//     rondo::Async<> fetch(std::string url) {
//       auto permit = co_await connections.acquire();   // waits while 8 others have one
//       if (!permit) co_return;                          // ECANCELED: asked to stop
//       co_await download(url);
//     }                                                  // the permit goes back here
//
// All three belong to one loop's thread; for two threads there are Channel and Promise. Those who
// wait are served in the order in which they came, in the microtasks after the callback that served
// them.
//
// To wait here does not keep the loop alive: when nothing else does, nothing is left that could end
// the wait, and run() returns.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "rondo/detail/wait_list.h"
#include "rondo/operation.h"

namespace rondo {

// ---- Event ------------------------------------------------------------------------------------

class Event;

class [[nodiscard]] EventOp : public Operable<EventOp, void> {
 public:
  explicit EventOp(Event& event) noexcept : event_(event) {}

  bool try_begin(const AsyncContext& context) const noexcept;
  void begin(const AsyncContext& context, Waiter waiter) noexcept;
  void cancel() noexcept { waiting_.cancel(); }
  Expected<> take_result() const { return waiting_.result(); }

 private:
  Event& event_;
  detail::Waiting waiting_;
};

/// Something that happens once, or again after reset(). Coroutines that wait when it is destroyed
/// get ECANCELED.
class Event {
 public:
  /// Releases all waiting and future waits, until reset().
  void set() {
    set_ = true;
    while (detail::Waiting* one = waiting_.pop()) one->wake();
  }
  void reset() noexcept { set_ = false; }
  bool is_set() const noexcept { return set_; }

  /// Waits until it is set. ECANCELED when stopped before.
  EventOp wait() noexcept { return EventOp(*this); }

 private:
  friend class EventOp;
  bool set_ = false;
  detail::WaitList waiting_;
};

inline bool EventOp::try_begin(const AsyncContext& /*context*/) const noexcept {
  return event_.set_ && detail::may_go_on_at_once();
}
inline void EventOp::begin(const AsyncContext& context, Waiter waiter) noexcept {
  if (event_.set_) return context.loop->defer([waiter] { waiter(); });
  waiting_.wait(event_.waiting_, *context.loop, waiter);
}

// ---- Semaphore --------------------------------------------------------------------------------

class AcquireOp;

/// A number of permits, each for one at a time. Permits may outlive it.
class Semaphore {
  struct State;

 public:
  /// Gives itself back when it is destroyed.
  class Permit {
   public:
    Permit(Permit&&) noexcept = default;
    Permit& operator=(Permit&& other) noexcept {
      release();
      state_ = std::move(other.state_);
      return *this;
    }
    ~Permit() { release(); }

    /// Gives it back now. Whoever has waited longest has it from this moment on.
    inline void release() noexcept;
    explicit operator bool() const noexcept { return static_cast<bool>(state_); }

   private:
    friend class AcquireOp;
    friend class Semaphore;
    explicit Permit(detail::LocalRef<State> state) noexcept : state_(std::move(state)) {}
    detail::LocalRef<State> state_;
  };

  explicit Semaphore(std::size_t permits) : state_(new State(permits)) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Waits for a permit: Expected<Permit>. ECANCELED when stopped before.
  inline AcquireOp acquire();
  /// A permit if one is available now. It does not overtake waiting coroutines.
  inline std::optional<Permit> try_acquire();
  inline std::size_t available() const noexcept;

 private:
  friend class AcquireOp;
  struct State {
    explicit State(std::size_t permits) noexcept : available(permits) {}
    std::size_t references = 0;
    std::size_t available;
    detail::WaitList waiting;
  };
  detail::LocalRef<State> state_;
};

class [[nodiscard]] AcquireOp : public Operable<AcquireOp, Semaphore::Permit> {
 public:
  explicit AcquireOp(detail::LocalRef<Semaphore::State> state) noexcept
      : state_(std::move(state)) {}
  AcquireOp(AcquireOp&&) noexcept = default;
  AcquireOp& operator=(AcquireOp&&) = delete;
  ~AcquireOp() {
    // Given a permit that was not taken: the loop is destroyed.
    if (state_ && begun_ && waiting_.served()) const Semaphore::Permit back(std::move(state_));
  }

  bool try_begin(const AsyncContext& /*context*/) noexcept {
    if (state_->available == 0 || !detail::may_go_on_at_once()) return false;
    --state_->available;
    begun_ = true;
    return true;
  }
  void begin(const AsyncContext& context, Waiter waiter) {
    begun_ = true;
    if (state_->available != 0) {
      --state_->available;
      return context.loop->defer([waiter] { waiter(); });
    }
    waiting_.wait(state_->waiting, *context.loop, waiter);
  }
  void cancel() noexcept { waiting_.cancel(); }
  Expected<Semaphore::Permit> take_result() {
    if (const auto result = waiting_.result(); !result) return std::unexpected(result.error());
    return Semaphore::Permit(std::move(state_));
  }

 private:
  detail::LocalRef<Semaphore::State> state_;
  detail::Waiting waiting_;
  bool begun_ = false;
};

inline void Semaphore::Permit::release() noexcept {
  if (!state_) return;
  if (detail::Waiting* next = state_->waiting.pop()) {
    next->wake_fairly();
  } else {
    ++state_->available;
  }
  state_.reset();
}

inline AcquireOp Semaphore::acquire() {
  return AcquireOp(state_);
}
inline std::optional<Semaphore::Permit> Semaphore::try_acquire() {
  if (state_->available == 0) return std::nullopt;
  --state_->available;
  return Permit(state_);
}
inline std::size_t Semaphore::available() const noexcept {
  return state_->available;
}

// ---- Mutex ------------------------------------------------------------------------------------

/// For a section with awaits inside it that only one coroutine may be in. (Between two awaits
/// nothing else of the loop runs anyway.)
///
///     auto lock = co_await mutex.lock();
///     if (!lock) co_return;                // ECANCELED
class Mutex {
 public:
  using Lock = Semaphore::Permit;

  /// Waits for the lock: Expected<Lock>. ECANCELED when stopped before.
  AcquireOp lock() { return one_.acquire(); }
  std::optional<Lock> try_lock() { return one_.try_acquire(); }
  bool locked() const noexcept { return one_.available() == 0; }

 private:
  Semaphore one_{1};
};

}  // namespace rondo
