// Coroutines that run concurrently, and one that waits for all of them.
//
//     auto done = co_await rondo::with_task_group({.limit = 8}, [&](rondo::TaskGroup& group) ->
//     Async<> {
//       for (const auto& url : urls) group.spawn(fetch(url));       // 8 at a time
//       co_return;
//     });                                       // all have ended: nothing runs on unseen
//     if (!done) std::puts(error_name(done.error()).data());
//
// The first task that throws or gives an error decides: the others are asked to stop, and the error
// is that of the whole when all have ended.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/detail/ring.h"
#include "rondo/detail/wait_list.h"
#include "rondo/error.h"
#include "rondo/operation.h"

namespace rondo {

struct TaskGroupOptions {
  /// How many tasks run at a time; the others wait, not begun, in the order they were spawned.
  std::size_t limit = SIZE_MAX;
};

namespace detail {

/// What the members of a group share. It lives until the last of them has ended.
class TaskGroupState {
 public:
  TaskGroupState(Loop& loop, TaskGroupOptions options) noexcept
      : loop_(loop), limit_(std::clamp<std::size_t>(options.limit, 1, SIZE_MAX / 2)) {}

  std::size_t references = 0;

  Loop& loop() noexcept { return loop_; }
  Stop& stop() noexcept { return stop_; }
  std::size_t running() const noexcept { return running_; }
  std::size_t queued() const noexcept { return queue_.size(); }
  bool has_room() const noexcept { return running_ < limit_ && queue_.size() == 0; }
  bool idle() const noexcept { return running_ == 0 && queue_.size() == 0; }

  /// Begins a task, by calling this, when there is room for it.
  template <class Begin>
  void add(Begin begin) {
    if (stop_.requested()) return dropped(1);
    if (has_room()) return begin();
    queue_.push(Callback<>(std::move(begin)));
  }
  void cancel() {
    dropped(queue_.size());
    while (queue_.size() != 0) queue_.pop();
    stop_.request();
    if (idle()) wake_joining();
  }
  void widen(std::ptrdiff_t by) noexcept { limit_ += static_cast<std::size_t>(by); }
  void member_began() noexcept { ++running_; }
  void member_ended(std::error_code error, std::exception_ptr thrown) {
    --running_;
    if ((error || thrown != nullptr) && !failed()) {
      error_ = error;
      thrown_ = std::move(thrown);
      cancel();
    }
    if (queue_.size() != 0) {
      // Not from here: the one that ends is still on the stack.
      if (!std::exchange(starting_, true)) {
        loop_.queue_microtask([group = LocalRef(this)] { group->start_queued(); });
      }
    } else if (running_ < limit_) {
      if (Waiting* one = waiting_for_room_.pop()) one->wake();
    }
    if (idle()) wake_joining();
  }

  Expected<> take_outcome() {
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (const auto error = std::exchange(error_, {})) return std::unexpected(error);
    return {};
  }

  WaitList& joining() noexcept { return joining_; }
  WaitList& waiting_for_room() noexcept { return waiting_for_room_; }

 private:
  bool failed() const noexcept { return error_ || thrown_ != nullptr; }
  void dropped(std::size_t tasks) noexcept {
    if (tasks != 0 && !failed()) error_ = errno_code(ECANCELED);
  }
  void wake_joining() {
    while (Waiting* one = joining_.pop()) one->wake();
  }
  void start_queued() {
    starting_ = false;
    while (queue_.size() != 0 && running_ < limit_) {
      Callback<> begin = queue_.pop();
      begin();
    }
  }

  Loop& loop_;
  std::size_t limit_;
  std::size_t running_ = 0;
  bool starting_ = false;  // start_queued() will come
  Stop stop_;
  std::error_code error_;
  std::exception_ptr thrown_;
  Ring<Callback<>> queue_;
  WaitList joining_;
  WaitList waiting_for_room_;
};

/// The coroutine at the root of a task that has begun. The loop owns it.
class Member {
 public:
  class promise_type : public LoopOwned {
   public:
    template <class Task>
    promise_type(TaskGroupState& group, Task&)
        : LoopOwned(group.loop()), group_(&group), context_{&group.loop(), &group.stop()} {}

    Member get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(std::error_code error) { group_->member_ended(error, nullptr); }
    void unhandled_exception() { group_->member_ended({}, std::current_exception()); }
    const AsyncContext& context() const noexcept { return context_; }

   private:
    void loop_ends() noexcept override {
      std::coroutine_handle<promise_type>::from_promise(*this).destroy();
    }
    LocalRef<TaskGroupState> group_;
    AsyncContext context_;
  };

  std::coroutine_handle<> coroutine;
};

template <class T>
Member run_member(TaskGroupState& /*group*/, Async<T> task) {
  if constexpr (std::is_same_v<T, Expected<>>) {
    const Expected<> result = co_await std::move(task);
    co_return result ? std::error_code() : result.error();
  } else {
    co_await std::move(task);
    co_return std::error_code();
  }
}

template <class T>
void begin_member(TaskGroupState& group, Async<T> task) {
  group.member_began();
  resume(run_member(group, std::move(task)).coroutine);
}

/// Waits until one more would begin at once.
class [[nodiscard]] RoomOp : public Operable<RoomOp, void> {
 public:
  explicit RoomOp(LocalRef<TaskGroupState> group) noexcept : group_(std::move(group)) {}

  bool try_begin(const AsyncContext& /*context*/) const noexcept {
    return group_->has_room() && may_go_on_at_once();
  }
  void begin(const AsyncContext& context, Waiter waiter) {
    if (group_->has_room()) return context.loop->defer([waiter] { waiter(); });
    waiting_.wait(group_->waiting_for_room(), *context.loop, waiter);
  }
  void cancel() noexcept { waiting_.cancel(); }
  Expected<> take_result() { return waiting_.result(); }

 private:
  LocalRef<TaskGroupState> group_;
  Waiting waiting_;
};

/// Waits until a group is idle, also after a stop request, which is passed on to the group.
class JoinAwaiter final : private StopListener {
 public:
  explicit JoinAwaiter(TaskGroupState& group) noexcept : group_(group) {}

  bool await_ready() const noexcept { return false; }
  template <HasContext Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) {
    const AsyncContext& context = caller.promise().context();
    if (asked_to_stop(context)) {
      group_.cancel();
    } else if (context.stop != nullptr) {
      join(*context.stop);
    }
    if (group_.idle()) return false;
    caller_ = caller;
    waiting_.wait(group_.joining(), *context.loop,
                  {[](void* self) { resume(static_cast<JoinAwaiter*>(self)->caller_); }, this});
    return true;
  }
  void await_resume() noexcept { leave(); }

 private:
  void stop_requested() noexcept override { group_.cancel(); }

  TaskGroupState& group_;
  Waiting waiting_;
  std::coroutine_handle<> caller_;
};

}  // namespace detail

/// Tasks of one loop. Prefer with_task_group(), which cannot forget to join.
class TaskGroup {
 public:
  explicit TaskGroup(Loop& loop, TaskGroupOptions options = {})
      : state_(new detail::TaskGroupState(loop, options)) {}
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  /// Tasks that still run are asked to stop, and end by themselves; what they give is dropped.
  ~TaskGroup() { state_->cancel(); }

  /// Begins an Async<> or Async<Expected<>> now or, with `limit` tasks running, when one of them
  /// has ended. One that comes after cancel(), or after a failure, never begins. What spawn() of a
  /// loop refuses is refused here.
  template <class T>
    requires detail::IsSpawnable<Async<T>>
  void spawn(Async<T> task) {
    task.check_not_awaited();
    detail::check_owns_captures(task);
    if (!detail::takes_work(state_->loop())) return;
    state_->add([group = &*state_, task = std::move(task)]() mutable {
      detail::begin_member(*group, std::move(task));
    });
  }
  /// The same for a function that makes the coroutine: a lambda's captures stay while it runs.
  template <class Body>
    requires detail::IsSpawnable<std::invoke_result_t<std::decay_t<Body>&>>
  void spawn(Body&& body) {
    spawn(detail::call<std::decay_t<Body>>(std::forward<Body>(body)));
  }

  /// Waits until another task would begin at once, for one that makes tasks faster than they end.
  detail::RoomOp room() { return detail::RoomOp(state_); }

  /// Waits until all have ended, also those that are spawned meanwhile. Throws what a task threw
  /// first, or gives the error that a task gave first; ECANCELED if tasks were dropped by cancel().
  /// A stop request to the one that waits is passed on to the tasks, whose end is still awaited.
  Async<Expected<>> join() { return join_group(state_); }

  /// Asks all to stop. Those that have not begun never will.
  void cancel() { state_->cancel(); }

  std::size_t running() const noexcept { return state_->running(); }
  std::size_t queued() const noexcept { return state_->queued(); }

 private:
  template <class Body>
  friend Async<Expected<>> with_task_group(TaskGroupOptions options, Body body);

  static Async<Expected<>> join_group(detail::LocalRef<detail::TaskGroupState> group) {
    do {
      co_await detail::JoinAwaiter(*group);
    } while (!group->idle());
    co_return group->take_outcome();
  }
  /// Begins a task that does not count for the limit.
  template <class T>
  void spawn_beside(Async<T> task) {
    state_->widen(1);
    detail::begin_member(*state_, narrow_after(state_, std::move(task)));
  }
  template <class T>
  static Async<T> narrow_after(detail::LocalRef<detail::TaskGroupState> group, Async<T> task) {
    struct Narrow {
      explicit Narrow(detail::TaskGroupState& whose) noexcept : group(whose) {}
      ~Narrow() { group.widen(-1); }
      detail::TaskGroupState& group;
    };
    const Narrow narrow(*group);
    co_return co_await std::move(task);
  }

  detail::LocalRef<detail::TaskGroupState> state_;
};

/// Calls `body`, a function that makes an Async<> or Async<Expected<>>, with a group, and waits for
/// that and for all it has spawned, as TaskGroup::join() does. The body is one of the tasks, but
/// for the limit.
template <class Body>
Async<Expected<>> with_task_group(TaskGroupOptions options, Body body) {
  TaskGroup group(co_await current_loop(), options);
  group.spawn_beside(body(group));
  co_return co_await group.join();
}
template <class Body>
Async<Expected<>> with_task_group(Body body) {
  return with_task_group(TaskGroupOptions(), std::move(body));
}

}  // namespace rondo
