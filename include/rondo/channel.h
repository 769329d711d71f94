// A queue between coroutines, of one loop or of several threads' loops.
//
//     rondo::Channel<Job> jobs(100);                       // at most 100 wait in it
//
//     while (auto job = co_await jobs.receive()) run(*job);   // on this loop, and on others
//
//     co_await jobs.send(Job{...});                        // waits while it is full
//     jobs.close();                                        // the receivers see the end: EOF
//
// A Channel is a handle: copies name the same one. Any thread may use it. What one sender sends is
// received in that order; the longest wait is served first.
//
// A coroutine that waits here keeps its loop alive, because another thread may end the wait:
// close() a channel when nothing more will be sent, or the loops of its receivers never end.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/detail/remote_waiting.h"
#include "rondo/detail/ring.h"
#include "rondo/error.h"
#include "rondo/operation.h"

namespace rondo {

namespace detail {

/// One that waits to send or to receive, and the value that goes from hand to hand.
template <class T>
struct ChannelWaiting : RemoteWaiting {
  std::optional<T> value;
};

template <class T>
class ChannelState {
 public:
  explicit ChannelState(std::size_t capacity) noexcept : capacity_(capacity) {}

  enum class Outcome : bool { done, must_wait };

  /// Done: the value has gone, or the channel is closed, which `one` knows.
  Outcome send(ChannelWaiting<T>& one) {
    if (closed_) {
      one.fail(errno_code(EPIPE));
    } else if (auto* receiver = static_cast<ChannelWaiting<T>*>(receivers_.pop())) {
      receiver->value.emplace(*std::move(one.value));
      receiver->wake();
    } else if (queue_.size() < capacity_) {
      queue_.push(*std::move(one.value));
    } else {
      return Outcome::must_wait;
    }
    return Outcome::done;
  }

  Outcome receive(ChannelWaiting<T>& one) {
    if (queue_.size() != 0) {
      one.value.emplace(queue_.pop());
      if (auto* sender = static_cast<ChannelWaiting<T>*>(senders_.pop())) {
        queue_.push(*std::move(sender->value));
        sender->wake();
      }
    } else if (auto* sender = static_cast<ChannelWaiting<T>*>(senders_.pop())) {
      one.value.emplace(*std::move(sender->value));
      sender->wake();
    } else if (closed_) {
      one.fail(end_of_stream());
    } else {
      return Outcome::must_wait;
    }
    return Outcome::done;
  }

  void close() {
    closed_ = true;
    while (RemoteWaiting* receiver = receivers_.pop()) receiver->wake_with(end_of_stream());
    while (RemoteWaiting* sender = senders_.pop()) sender->wake_with(errno_code(EPIPE));
  }

  std::atomic<std::size_t> references = 0;
  SpinLock lock;  // for everything below and above

  RemoteWaitList& senders() noexcept { return senders_; }
  RemoteWaitList& receivers() noexcept { return receivers_; }
  std::size_t size() const noexcept { return queue_.size(); }
  bool closed() const noexcept { return closed_; }

 private:
  std::size_t capacity_;
  bool closed_ = false;
  Ring<T> queue_;
  RemoteWaitList senders_;
  RemoteWaitList receivers_;
};

/// What sending and receiving have in common.
template <class T>
class ChannelOp {
 public:
  using State = ChannelState<T>;
  using Outcome = typename State::Outcome;

  explicit ChannelOp(SharedRef<State> state) noexcept : state_(std::move(state)) {}
  ChannelOp(ChannelOp&& other) noexcept : state_(std::move(other.state_)) {
    if (other.one_.value) one_.value.emplace(*std::move(other.one_.value));
  }
  ChannelOp& operator=(ChannelOp&&) = delete;
  ~ChannelOp() {
    if (!begun_) return;
    const std::lock_guard guard(state_->lock);
    one_.unlink();
  }

  void cancel() noexcept {
    const std::lock_guard guard(state_->lock);
    one_.cancel();
  }

 protected:
  /// `act` sends or receives.
  template <class Act>
  bool try_begin_with(Act act) {
    if (!may_go_on_at_once()) return false;
    const std::lock_guard guard(state_->lock);
    return act() == Outcome::done;
  }
  template <class Act>
  void begin_with(const AsyncContext& context, Waiter waiter, RemoteWaitList& list, Act act) {
    const std::lock_guard guard(state_->lock);
    if (act() == Outcome::done) return one_.pause(*context.loop, waiter);
    one_.wait(list, *context.loop, waiter);
    begun_ = true;
  }

  SharedRef<State> state_;
  ChannelWaiting<T> one_;
  bool begun_ = false;  // another thread may know of it
};

}  // namespace detail

template <class T>
class [[nodiscard]] SendOp : public Operable<SendOp<T>, void>, public detail::ChannelOp<T> {
  using Base = detail::ChannelOp<T>;

 public:
  SendOp(detail::SharedRef<typename Base::State> state, T value) noexcept : Base(std::move(state)) {
    this->one_.value.emplace(std::move(value));
  }

  bool try_begin(const AsyncContext& /*context*/) {
    return this->try_begin_with([this] { return this->state_->send(this->one_); });
  }
  void begin(const AsyncContext& context, Waiter waiter) {
    this->begin_with(context, waiter, this->state_->senders(),
                     [this] { return this->state_->send(this->one_); });
  }
  Expected<> take_result() {
    if (this->one_.error()) return std::unexpected(this->one_.error());
    return {};
  }
};

template <class T>
class [[nodiscard]] ReceiveOp : public Operable<ReceiveOp<T>, T>, public detail::ChannelOp<T> {
 public:
  using detail::ChannelOp<T>::ChannelOp;

  bool try_begin(const AsyncContext& /*context*/) {
    return this->try_begin_with([this] { return this->state_->receive(this->one_); });
  }
  void begin(const AsyncContext& context, Waiter waiter) {
    this->begin_with(context, waiter, this->state_->receivers(),
                     [this] { return this->state_->receive(this->one_); });
  }
  Expected<T> take_result() {
    if (this->one_.error()) return std::unexpected(this->one_.error());
    return *std::move(this->one_.value);
  }
};

/// T moves without throwing.
template <class T>
class Channel {
  static_assert(
      std::is_object_v<T> && std::is_nothrow_move_constructible_v<T>,
      "a Channel carries values that move without throwing; of others, a std::unique_ptr");
  using State = detail::ChannelState<T>;

 public:
  /// With capacity 0 every send() waits for its receive().
  explicit Channel(std::size_t capacity) : state_(new State(capacity)) {}

  /// Expected<>: waits while the channel is full. EPIPE when it is closed, also while this waits;
  /// the value is lost then, as it is with ECANCELED (stopped before).
  SendOp<T> send(T value) { return SendOp<T>(state_, std::move(value)); }
  /// Expected<T>: waits while the channel is empty. EOF (end_of_stream()) when it is closed and all
  /// that was sent has been received; ECANCELED.
  ReceiveOp<T> receive() { return ReceiveOp<T>(state_); }

  /// For callbacks and for threads without a loop: EAGAIN instead of waiting. A value that was not
  /// sent stays where it was.
  [[nodiscard]] Expected<> try_send(T&& value) {
    detail::ChannelWaiting<T> one;
    const std::lock_guard guard(state_->lock);
    one.value.emplace(std::move(value));
    if (state_->send(one) == State::Outcome::done && !one.error()) return {};
    value.~T();  // it may have no assignment
    ::new (static_cast<void*>(std::addressof(value))) T(*std::move(one.value));
    return std::unexpected(one.error() ? one.error() : errno_code(EAGAIN));
  }
  [[nodiscard]] Expected<> try_send(const T& value) { return try_send(T(value)); }
  [[nodiscard]] Expected<T> try_receive() {
    detail::ChannelWaiting<T> one;
    const std::lock_guard guard(state_->lock);
    if (state_->receive(one) != State::Outcome::done) return std::unexpected(errno_code(EAGAIN));
    if (one.error()) return std::unexpected(one.error());
    return *std::move(one.value);
  }

  /// Nothing more can be sent. What is in the channel can still be received.
  void close() {
    const std::lock_guard guard(state_->lock);
    state_->close();
  }
  bool closed() const noexcept {
    const std::lock_guard guard(state_->lock);
    return state_->closed();
  }
  /// How many wait to be received. Another thread may change it at once.
  std::size_t size() const noexcept {
    const std::lock_guard guard(state_->lock);
    return state_->size();
  }

  friend bool operator==(const Channel&, const Channel&) = default;

 private:
  detail::SharedRef<State> state_;
};

}  // namespace rondo
