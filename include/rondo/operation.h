// How an operation of one's own, or a handle of one's own, takes part in the loop.
// docs/extending.md has an example of each.
//
// An operation is a class that derives from Operable<Itself, T> and has:
//
//     void begin(const AsyncContext& context, Waiter waiter);
//     void cancel() noexcept;
//     Expected<T> take_result();
//
// It can be moved until it begins; then it stays where it is, in the frame of the coroutine that
// awaits it, until that has taken the result. In return:
//
//   begin()        starts the work on context.loop and returns. It does not call the waiter; later
//                  a callback of the loop (of a Poll, a timer, defer(), post()) calls it, once.
//                  What begin() throws is thrown where the operation is awaited.
//   cancel()       makes it end sooner, with ECANCELED. It does not call the waiter either: if the
//                  work could be taken back, it uses defer(). Called at most once, not before
//                  begin() has returned and not after the waiter was called.
//   take_result()  gives the result, once.
//   ~Op()          when the loop is destroyed first, so is the operation, in the middle of its
//   work:
//                  the waiter is not called any more.
//
// An operation that often has its result without waiting may also have:
//
//     bool try_begin(const AsyncContext& context);   // true: take_result() follows at once
//
// An operation that waits for something that the loop does not know of (a thread, a foreign
// library) holds a KeepAlive while it waits, or the loop ends under it.
#pragma once

#include <stop_token>
#include <utility>

#include "rondo/callback.h"
#include "rondo/detail/coroutine.h"
#include "rondo/detail/loop_owned.h"
#include "rondo/error.h"

namespace rondo {

/// What every operation of the loop offers.
template <class Op, class T>
class Operable {
 public:
  using Value = T;

  /// Only an rvalue is awaited: `co_await std::move(operation)`.
  template <class None = void>
  void operator co_await() & {
    static_assert(!std::is_void_v<None>,
                  "an operation is awaited once, and used up: co_await std::move(operation)");
  }
  /// Awaited in a coroutine, it begins at once.
  auto operator co_await() && noexcept { return detail::OpAwaiter<Op>(static_cast<Op&&>(*this)); }

  /// Begins it, and calls `callback` with the result: with ECANCELED when stop is requested, on
  /// any thread, before it is complete.
  void then(Loop& loop, Callback<void(Expected<T>)> callback, const std::stop_token& stop = {}) && {
    if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
    detail::OpWithCallback<Op>::start(loop, static_cast<Op&&>(*this), std::move(callback), stop);
  }
};

/// The base of a handle of one's own: it learns when its loop goes.
///
///     class Handle final : private LoopOwned {
///       explicit Handle(Loop& loop) : LoopOwned(loop) {}
///       void loop_ends() noexcept override { leave(); }   // and release what is the loop's
///     };
///
/// loop_ends() is called once, on the thread that destroys the loop, when nothing is in progress in
/// the kernel any more; it must leave(), or destroy the handle. core() is null from then on.
/// check_drop() ends the program with a message on any thread but the loop's.
using detail::LoopOwned;

}  // namespace rondo
