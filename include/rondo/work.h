// Work for other threads: what computes or blocks for long goes to the loop's pool.
//
//     auto digest = co_await rondo::work([&] { return sha256(big); });      // in a coroutine
//     rondo::work(loop, [] { return slow(); }, [](auto result) { ... });    // with a callback
//
// Each loop has a pool of its own. Its threads start when they are first needed;
// RONDO_THREADPOOL_SIZE says how many there may be (or UV_THREADPOOL_SIZE, as Node's users know
// it; 4 without either, 1,024 at most). Jobs begin in the order they were handed in.
//
// The function must not touch the loop, except by post() and stop(). It is called with all signals
// blocked. When the loop is destroyed, jobs that have not begun are dropped, and those that have
// are waited for.
//
// A trap of g++ 12: a lambda written inside a co_await expression whose captures own something (a
// string, a pointer) is copied byte by byte, and destroyed twice. Name the operation first:
//
//     auto hashing = rondo::work([text = std::move(text)] { return sha256(text); });
//     auto digest = co_await std::move(hashing);
//
// Errors of the operation:
//   EAGAIN     more jobs wait than the queue holds (65,536)
//   ECANCELED  stopped before it began; a job that has begun is not interrupted
//   ENOMEM     not even one thread could be started
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/detail/functional.h"
#include "rondo/detail/in_place.h"
#include "rondo/error.h"
#include "rondo/loop.h"

namespace rondo {

namespace detail {

/// The part of an operation on the pool that does not depend on what is done there.
class PoolWork {
 public:
  using Function = void (*)(void* argument) noexcept;

  void begin(Loop& loop, Waiter waiter, Function function, void* argument);
  void cancel() noexcept;
  /// Why the function was not called; no error if it was.
  std::error_code error() noexcept;

 private:
  InPlace<128> job_;
};

// A function that gives an Expected<T> need not give an Expected<Expected<T>>.
template <class T>
struct WorkValue {
  using Type = T;
};
template <class T>
struct WorkValue<Expected<T>> {
  using Type = T;
};

template <class F>
using WorkResult = std::invoke_result_t<F&>;

}  // namespace detail

/// What work() makes: awaited or given a callback, it calls the function on a thread of the pool
/// and gives what that returned. What the function throws is thrown where the result is taken: in
/// the coroutine that awaits; for a callback, which is then not called, it is an uncaught exception
/// of the loop.
template <class F>
class [[nodiscard]] WorkOp
    : public Operable<WorkOp<F>, typename detail::WorkValue<detail::WorkResult<F>>::Type> {
 public:
  using Result = detail::WorkResult<F>;
  using Value = typename detail::WorkValue<Result>::Type;
  static_assert(!std::is_reference_v<Result>, "return a value, or a pointer");

  WorkOp(Loop* loop, F function) : loop_(loop), function_(std::move(function)) {}

  void begin(const detail::AsyncContext& context, detail::Waiter waiter) {
    if (loop_ != nullptr && loop_ != context.loop) {
      throw Misuse("ERR_INVALID_ARG_VALUE", "work() for one loop was begun on another");
    }
    work_.begin(*context.loop, waiter, &call, this);
  }
  void cancel() noexcept { work_.cancel(); }

  Expected<Value> take_result() {
    if (const std::error_code error = work_.error()) return std::unexpected(error);
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    if constexpr (std::is_void_v<Result>) {
      return {};
    } else {
      return *std::move(value_);
    }
  }

 private:
  static void call(void* self) noexcept {
    auto& op = *static_cast<WorkOp*>(self);
    try {
      if constexpr (std::is_void_v<Result>) {
        detail::invoke(op.function_);
      } else {
        op.value_.emplace(detail::invoke(op.function_));
      }
    } catch (...) {
      op.thrown_ = std::current_exception();
    }
  }

  Loop* loop_;  // null: whichever begins it
  F function_;
  std::optional<detail::ValueOf<Result>> value_;
  std::exception_ptr thrown_;
  detail::PoolWork work_;
};

/// Calls `function` on a thread of the pool of the loop that begins it.
template <class F>
  requires std::is_invocable_v<std::decay_t<F>&>
WorkOp<std::decay_t<F>> work(F&& function) {
  return {nullptr, std::forward<F>(function)};
}

/// The same for one loop: begun on another, it throws Misuse.
template <class F>
  requires std::is_invocable_v<std::decay_t<F>&>
WorkOp<std::decay_t<F>> work(Loop& loop, F&& function) {
  return {&loop, std::forward<F>(function)};
}

/// Begins it now, and calls `done` with the result in the poll phase.
template <class F, class Done>
  requires std::is_invocable_v<std::decay_t<F>&>
void work(Loop& loop, F&& function, Done&& done, std::stop_token stop = {}) {
  work(loop, std::forward<F>(function)).then(loop, std::forward<Done>(done), std::move(stop));
}

}  // namespace rondo
