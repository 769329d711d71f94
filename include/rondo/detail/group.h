// Coroutines that run side by side for one that waits for them: the parts of when_all(),
// when_any() and with_timeout().
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "rondo/async.h"
#include "rondo/detail/coroutine.h"
#include "rondo/detail/stop.h"

namespace rondo::detail {

/// Counts the branches that run, and asks them to stop when the outcome is decided. It must be
/// declared before its branches: destroyed where they stand, they take their leave of its stop.
class Group {
 public:
  enum class DecidedBy : std::uint8_t { first_to_throw, first_to_end };

  Group(DecidedBy rule, std::size_t branches) noexcept : rule_(rule), running_(branches) {}

  Stop& stop() noexcept { return stop_; }
  bool done() const noexcept { return running_ == 0; }
  /// The branch that decided the outcome, if one did.
  std::optional<std::size_t> decisive() const noexcept { return decisive_; }
  /// Throws on what the decisive branch has thrown.
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

  void wait(std::coroutine_handle<> waiting) noexcept { waiting_ = waiting; }
  void branch_ended(std::size_t index, const std::exception_ptr& thrown) noexcept {
    if (!decisive_.has_value() && (rule_ == DecidedBy::first_to_end || thrown != nullptr)) {
      decisive_ = index;
      thrown_ = thrown;
      stop_.request();
    }
    if (--running_ == 0 && waiting_ != nullptr) hand_over_to(waiting_);
  }

 private:
  Stop stop_;
  DecidedBy rule_;
  std::size_t running_;
  std::optional<std::size_t> decisive_;
  std::exception_ptr thrown_;
  std::coroutine_handle<> waiting_;
};

/// One branch: runs an Async to its end, keeps its value, and reports to the group.
template <class T>
class Branch {
 public:
  class promise_type {
   public:
    Branch get_return_object() noexcept {
      return Branch(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Report {
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<>) const noexcept {
          self->group_->branch_ended(self->index_, self->thrown_);
        }
        void await_resume() const noexcept {}
        promise_type* self;
      };
      return Report{this};
    }
    template <class Value>
    void return_value(Value&& value) {
      value_.emplace(std::forward<Value>(value));
    }
    void unhandled_exception() noexcept { thrown_ = std::current_exception(); }
    const AsyncContext& context() const noexcept { return context_; }

   private:
    friend class Branch;
    std::optional<ValueOf<T>> value_;
    std::exception_ptr thrown_;
    Group* group_ = nullptr;
    std::size_t index_ = 0;
    AsyncContext context_;
  };

  Branch(Branch&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Branch& operator=(Branch&&) = delete;
  ~Branch() {
    if (handle_) handle_.destroy();
  }

  void begin(Group& group, std::size_t index, Loop* loop) {
    promise_type& promise = handle_.promise();
    promise.group_ = &group;
    promise.index_ = index;
    promise.context_ = {loop, &group.stop()};
    resume(handle_);
  }
  /// Of a branch that has ended without throwing.
  ValueOf<T> take() { return *std::move(handle_.promise().value_); }

 private:
  explicit Branch(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

template <class T>
Branch<T> branch(Async<T> task) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    co_return std::monostate{};
  } else {
    co_return co_await std::move(task);
  }
}

/// Begins all branches (by calling `begin_all` with the loop) and waits for the end of the last.
/// A stop request to the one that waits is passed on to them.
template <class BeginAll>
class GroupAwaiter final : private StopListener {
 public:
  GroupAwaiter(Group& group, BeginAll begin_all) noexcept
      : group_(group), begin_all_(std::move(begin_all)) {}

  bool await_ready() const noexcept { return false; }
  template <HasContext Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) {
    const AsyncContext& context = caller.promise().context();
    if (asked_to_stop(context)) {
      group_.stop().request();
    } else if (context.stop != nullptr) {
      join(*context.stop);
    }
    begin_all_(context.loop);
    if (group_.done()) return false;
    group_.wait(caller);
    return true;
  }
  void await_resume() noexcept { leave(); }

 private:
  void stop_requested() noexcept override { group_.stop().request(); }

  Group& group_;
  BeginAll begin_all_;
};

}  // namespace rondo::detail
