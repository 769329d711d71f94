// Results that come from elsewhere: another coroutine, a callback, another thread, another loop.
//
//     rondo::Promise<Answer> promise;
//     rondo::Future<Answer> future = promise.future();
//     library.ask([promise = std::move(promise)](Answer answer) mutable { promise.set(answer); });
//     auto answer = co_await future.get();              // Expected<Answer>
//
//     int sum = rondo::block_on(loop, add_up(files));                  // runs the loop meanwhile
//     auto digest = rondo::spawn(loop, digest_of(file));               // a Future<std::string>
//     auto rows = co_await rondo::on(database_loop, query("select"));  // on another loop
//
// A coroutine that waits for a Future keeps its loop alive. A Promise that is dropped unkept ends
// the wait with EPIPE.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/detail/remote_waiting.h"
#include "rondo/error.h"
#include "rondo/operation.h"

namespace rondo {

template <class T>
class Future;

namespace detail {

template <class T>
struct FutureState {
  std::atomic<std::size_t> references = 0;
  SpinLock lock;  // for all below
  std::optional<ValueOf<T>> value;
  std::error_code error;
  std::exception_ptr thrown;
  bool settled = false;
  bool taken = false;  // a get() has it, or will have it
  RemoteWaitList waiting;

  template <class Settle>
  void settle(Settle settle_it) {
    const std::lock_guard guard(lock);
    if (settled) throw Misuse("ERR_INVALID_STATE", "a Promise is kept once");
    settle_it();
    settled = true;
    if (RemoteWaiting* one = waiting.pop()) one->wake();
  }
};

// A coroutine that gives an Expected<T> need not give an Expected<Expected<T>>.
template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<Expected<T>> {
  using Type = T;
};
template <class T>
using UnwrappedOf = typename Unwrapped<T>::Type;

}  // namespace detail

/// What Future::get() makes.
template <class T>
class [[nodiscard]] FutureOp : public Operable<FutureOp<T>, T> {
  using State = detail::FutureState<T>;

 public:
  explicit FutureOp(detail::SharedRef<State> state) noexcept : state_(std::move(state)) {}
  FutureOp(FutureOp&&) noexcept = default;
  FutureOp& operator=(FutureOp&&) = delete;
  ~FutureOp() {
    if (!begun_) return;
    const std::lock_guard guard(state_->lock);
    one_.unlink();
  }

  bool try_begin(const AsyncContext& /*context*/) {
    const std::lock_guard guard(state_->lock);
    if (std::exchange(state_->taken, true)) {
      throw Misuse("ERR_INVALID_STATE", "a Future gives its result once, to one who waits");
    }
    return state_->settled && detail::may_go_on_at_once();
  }
  void begin(const AsyncContext& context, Waiter waiter) {
    const std::lock_guard guard(state_->lock);
    if (state_->settled) return one_.pause(*context.loop, waiter);
    one_.wait(state_->waiting, *context.loop, waiter);
    begun_ = true;
  }
  void cancel() noexcept {
    const std::lock_guard guard(state_->lock);
    one_.cancel();
    if (one_.error()) state_->taken = false;  // it can be asked again
  }
  Expected<T> take_result() {
    if (one_.error()) return std::unexpected(one_.error());
    if (state_->thrown != nullptr) std::rethrow_exception(state_->thrown);
    if (state_->error) return std::unexpected(state_->error);
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return *std::move(state_->value);
    }
  }

 private:
  detail::SharedRef<State> state_;
  detail::RemoteWaiting one_;
  bool begun_ = false;  // another thread may know of it
};

/// The waiters for the result of a Promise. It belongs to no loop.
template <class T = void>
class Future {
 public:
  /// No result will come: get() throws Misuse.
  Future() = default;

  /// Expected<T>: waits for the result, on whatever loop. Throws what the Promise was given to
  /// throw; EPIPE if the Promise was dropped; ECANCELED when stopped before: then it may be asked
  /// again. The result is given once, and one waits at a time: else Misuse (ERR_INVALID_STATE).
  FutureOp<T> get() const {
    if (!state_) throw Misuse("ERR_INVALID_STATE", "this Future has no Promise");
    return FutureOp<T>(state_);
  }

  /// Whether get() would not wait.
  bool ready() const noexcept {
    if (!state_) return false;
    const std::lock_guard guard(state_->lock);
    return state_->settled;
  }

 private:
  template <class U>
  friend class Promise;
  explicit Future(detail::SharedRef<detail::FutureState<T>> state) noexcept
      : state_(std::move(state)) {}
  detail::SharedRef<detail::FutureState<T>> state_;
};

/// Sets the result, from any thread, once: a second time throws Misuse (ERR_INVALID_STATE).
template <class T = void>
class Promise {
  static_assert(!std::is_reference_v<T>, "promise a value, or a pointer");
  using State = detail::FutureState<T>;

 public:
  Promise() : state_(new State) {}
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    drop();
    state_ = std::move(other.state_);
    return *this;
  }
  ~Promise() { drop(); }

  Future<T> future() const noexcept { return Future<T>(state_); }

  void set()
    requires std::is_void_v<T>
  {
    state_->settle([&] { state_->value.emplace(); });
  }
  template <class Value = T>
    requires(!std::is_void_v<T> && std::convertible_to<Value, T>)
  void set(Value&& value) {
    state_->settle([&] { state_->value.emplace(std::forward<Value>(value)); });
  }
  void set_error(std::error_code error) {
    state_->settle([&] { state_->error = error; });
  }
  void set_exception(std::exception_ptr thrown) {
    state_->settle([&] { state_->thrown = std::move(thrown); });
  }
  /// The value or the error of it.
  void set_result(Expected<T> result) {
    if (!result) return set_error(result.error());
    if constexpr (std::is_void_v<T>) {
      set();
    } else {
      set(*std::move(result));
    }
  }

 private:
  void drop() noexcept {
    if (!state_) return;
    const std::lock_guard guard(state_->lock);
    if (std::exchange(state_->settled, true)) return;
    state_->error = errno_code(EPIPE);
    if (detail::RemoteWaiting* one = state_->waiting.pop()) one->wake();
  }
  detail::SharedRef<State> state_;
};

namespace detail {

/// Runs a task and keeps a promise with what it gives or throws.
template <class T>
Async<> keep(Async<T> task, Promise<UnwrappedOf<T>> promise) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(task);
      promise.set();
    } else if constexpr (kIsExpected<T>) {
      promise.set_result(co_await std::move(task));
    } else {
      promise.set(co_await std::move(task));
    }
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
}

/// What another loop runs for one that waits here. A stop asked here is asked there.
template <class T>
class OnLoopOp : public Operable<OnLoopOp<T>, UnwrappedOf<T>> {
 public:
  using Value = UnwrappedOf<T>;

  OnLoopOp(Loop& there, Async<T> task) : there_(&there), task_(std::move(task)) {}
  OnLoopOp(OnLoopOp&&) noexcept = default;
  OnLoopOp& operator=(OnLoopOp&&) = delete;
  /// If the loop that awaits the task ends first, the task is asked to stop.
  ~OnLoopOp() { stop_.request_stop(); }

  void begin(const AsyncContext& context, Waiter waiter) {
    result_.try_begin(context);  // claims it
    result_.begin(context, waiter);
    there_->post([there = there_, task = std::move(task_), promise = std::move(promise_),
                  stop = stop_.get_token()]() mutable {
      spawn(*there, keep(std::move(task), std::move(promise)), stop);
    });
  }
  void cancel() noexcept { stop_.request_stop(); }
  Expected<Value> take_result() { return result_.take_result(); }

 private:
  Loop* there_;
  Async<T> task_;
  Promise<Value> promise_;
  FutureOp<Value> result_{promise_.future().get()};
  std::stop_source stop_;
};

}  // namespace detail

/// spawn() of a coroutine that gives something: what it gives or throws comes out of the Future, on
/// this loop or another. EPIPE when the loop is destroyed before.
template <class T>
  requires(!detail::IsSpawnable<Async<T>>)
[[nodiscard]] Future<detail::UnwrappedOf<T>> spawn(Loop& loop, Async<T> task,
                                                   const std::stop_token& stop = {}) {
  task.check_not_awaited();
  detail::check_owns_captures(task);
  Promise<detail::UnwrappedOf<T>> promise;
  auto future = promise.future();
  spawn(loop, detail::keep(std::move(task), std::move(promise)), stop);
  return future;
}
template <class Body>
  requires(!detail::IsSpawnable<std::invoke_result_t<std::decay_t<Body>&>>)
[[nodiscard]] auto spawn(Loop& loop, Body&& body, const std::stop_token& stop = {}) {
  return spawn(loop, detail::call<std::decay_t<Body>>(std::forward<Body>(body)), stop);
}

/// Runs a task on another loop, whose thread may be another: Expected<T>. What it throws is thrown
/// here. A stop asked of the one that waits is asked of the task, and its end waited for. EPIPE
/// when that loop is destroyed before. The other loop is kept alive by what the task waits for
/// there; it must not be destroyed before this begins. When the loop here is destroyed first, the
/// task gets a stop request, but its end is not awaited: it must not use what goes with this loop.
template <class T>
[[nodiscard]] detail::OnLoopOp<T> on(Loop& loop, Async<T> task) {
  task.check_not_awaited();
  return detail::OnLoopOp<T>(loop, std::move(task));
}
/// The same for a function that makes the coroutine. It is called there.
template <class Body>
  requires requires(std::decay_t<Body>& body) { body().check_not_awaited(); }
[[nodiscard]] auto on(Loop& loop, Body&& body) {
  return on(loop, detail::call<std::decay_t<Body>>(std::forward<Body>(body)));
}

/// Runs the loop until the task has ended, and gives what it gives or throws. What else there is on
/// the loop stays for the next run(). Misuse (ERR_INVALID_STATE) if the loop ends before: nothing
/// is left that could end the task, or stop() was called. The task stays where it is then.
template <class T>
T block_on(Loop& loop, Async<T> task) {
  task.check_not_awaited();
  struct Outcome {
    std::optional<detail::ValueOf<T>> value;
    std::exception_ptr thrown;
    bool ended = false;
    std::size_t references = 0;
  };
  const detail::LocalRef<Outcome> outcome(new Outcome);
  auto body = [](Async<T> run, detail::LocalRef<Outcome> out, Loop& on) -> Async<> {
    try {
      if constexpr (std::is_void_v<T>) {
        co_await std::move(run);
      } else {
        out->value.emplace(co_await std::move(run));
      }
    } catch (...) {
      out->thrown = std::current_exception();
    }
    out->ended = true;
    on.stop();
  };
  spawn(loop, body(std::move(task), outcome, loop));
  // A task that has ended at once has stopped a run that has not begun; it begins, and ends.
  loop.run();
  if (!outcome->ended) {
    throw Misuse("ERR_INVALID_STATE", "the loop has ended, and the task that it ran has not");
  }
  if (outcome->thrown != nullptr) std::rethrow_exception(outcome->thrown);
  if constexpr (std::is_reference_v<T>) {
    return outcome->value->get();
  } else if constexpr (!std::is_void_v<T>) {
    return *std::move(outcome->value);
  }
}
/// The same for a function that makes the coroutine, or an operation.
template <class Body>
  requires requires(std::decay_t<Body>& body) { body().check_not_awaited(); }
decltype(auto) block_on(Loop& loop, Body&& body) {
  return block_on(loop, detail::call<std::decay_t<Body>>(std::forward<Body>(body)));
}
template <detail::IsOperation Op>
Expected<typename Op::Value> block_on(Loop& loop, Op op) {
  return block_on(loop, detail::as_async(std::move(op)));
}

}  // namespace rondo
