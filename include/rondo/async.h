// Coroutines on the loop.
//
//     rondo::Async<> hello(rondo::Loop& loop) {
//       co_await rondo::sleep_for(100ms);
//       auto text = co_await rondo::fs::read_file(loop, "notes.txt");
//       if (text) std::puts(text->c_str());
//     }
//     rondo::spawn(loop, hello(loop));
//     loop.run();
//
// An Async<T> is a coroutine that has not begun; awaiting it runs it and gives its value. It
// begins immediately and continues directly: no tick, no thread, no allocation but its frame.
// Operations of the loop are awaited the same way and give a std::expected.
//
// Cancellation is a std::stop_token given to spawn(), which reaches whatever the coroutine awaits,
// however deep. When stop is requested, the operation in progress is cancelled where it is, in the
// kernel too, and gives ECANCELED; the next ones give ECANCELED without beginning. The coroutine
// ends as it sees fit; one that never looks at a result never does.
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <stop_token>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/callback.h"
#include "rondo/detail/alarm.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/coroutine.h"
#include "rondo/detail/loop_owned.h"
#include "rondo/detail/stop.h"
#include "rondo/error.h"
#include "rondo/loop.h"
#include "rondo/operation.h"

namespace rondo {

// ---- Async<T> ---------------------------------------------------------------------------------

/// A coroutine that gives a T, which may be void, a reference or move-only. It can be awaited
/// once: Misuse (ERR_INVALID_STATE) is thrown the second time. What it throws is thrown where it
/// is awaited; so is Misuse (ERR_INVALID_STATE) if it ends without the co_return of a value that it
/// owes, which compilers warn of (-Wreturn-type). The captures of a lambda live in the lambda, not
/// in the coroutine, so it must outlive that: spawn() and similar take the lambda itself. What is
/// passed as a parameter by value lives in the coroutine.
template <class T>
class [[nodiscard]] Async {
 public:
  using promise_type = detail::AsyncPromise<T>;
  using Value = T;

  Async(Async&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Async(const Async&) = delete;  // a coroutine is moved, not copied: std::move(task)
  Async& operator=(Async&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Async() {
    if (handle_) handle_.destroy();
  }

  /// Only an rvalue is awaited, because it is used up: `co_await std::move(task)`.
  template <class None = void>
  void operator co_await() & {
    static_assert(!std::is_void_v<None>,
                  "an Async is awaited once, and used up: co_await std::move(task)");
  }
  auto operator co_await() && {
    check_not_awaited();
    using Fitting = std::conditional_t<detail::kIsExpected<T>, ExpectedAwaiter, Awaiter>;
    return Fitting(std::exchange(handle_, nullptr));
  }

  /// Whether it uses captures of a lambda that lives somewhere else.
  bool borrows_captures() const noexcept { return handle_ && handle_.promise().borrows_captures(); }

  /// Throws Misuse if there is no coroutine here any more.
  void check_not_awaited() const {
    if (!handle_) throw Misuse("ERR_INVALID_STATE", "the coroutine was awaited or moved before");
  }

 private:
  /// Owns the coroutine: its frame is gone when the expression that awaits it has ended.
  class AwaiterBase {
   public:
    explicit AwaiterBase(std::coroutine_handle<promise_type> callee) noexcept
        : callee_(callee), owned_(callee, callee.promise()) {}

    bool await_ready() const noexcept { return false; }
    template <detail::HasContext Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
      if constexpr (std::derived_from<Promise, detail::PromiseBase>) {
        caller_ = &caller.promise();
        caller_->awaits(&owned_);
      }
      callee_.promise().begin(caller.promise().context(), caller);
      detail::hand_over_to(callee_);
    }

   protected:
    T take() {
      if (caller_ != nullptr) caller_->awaits(nullptr);
      return callee_.promise().take();
    }

   private:
    std::coroutine_handle<promise_type> callee_;
    detail::OwnedCallee owned_;
    detail::PromiseBase* caller_ = nullptr;
  };
  // What may be an error has to be looked at; anything else need not.
  class Awaiter final : public AwaiterBase {
   public:
    using AwaiterBase::AwaiterBase;
    T await_resume() { return this->take(); }
  };
  class ExpectedAwaiter final : public AwaiterBase {
   public:
    using AwaiterBase::AwaiterBase;
    [[nodiscard]] T await_resume() { return this->take(); }
  };

  friend promise_type;
  explicit Async(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

namespace detail {

template <class T>
Async<T> AsyncPromise<T>::get_return_object() {
  const auto handle = std::coroutine_handle<AsyncPromise>::from_promise(*this);
  this->check_frame(handle.address());
  return Async<T>(handle);
}
inline Async<void> AsyncPromise<void>::get_return_object() {
  const auto handle = std::coroutine_handle<AsyncPromise>::from_promise(*this);
  this->check_frame(handle.address());
  return Async<void>(handle);
}

}  // namespace detail

// ---- Sleeping ---------------------------------------------------------------------------------

class SleepOp : public Operable<SleepOp, void> {
 public:
  explicit SleepOp(detail::Delay delay) noexcept : delay_(delay) {}
  SleepOp(SleepOp&& other) noexcept : delay_(other.delay_) {}
  SleepOp(const SleepOp& other) noexcept : delay_(other.delay_) {}
  SleepOp& operator=(const SleepOp&) = delete;
  ~SleepOp() = default;

  auto operator co_await() && noexcept {
    return detail::LenientOpAwaiter<SleepOp>(std::move(*this));
  }

  void begin(const detail::AsyncContext& context, detail::Waiter waiter) {
    loop_ = context.loop;
    waiter_ = waiter;
    alarm_.set(*loop_, delay_, waiter);
  }
  void cancel() noexcept {
    if (!alarm_.clear()) return;
    cancelled_ = true;
    loop_->defer([this] { waiter_(); });
  }
  Expected<> take_result() const {
    if (cancelled_) return std::unexpected(errno_code(ECANCELED));
    return {};
  }

 private:
  detail::Delay delay_;
  detail::Alarm alarm_{detail::Alarm::For::sleep};
  Loop* loop_ = nullptr;
  detail::Waiter waiter_;
  bool cancelled_ = false;
};

/// Waits in the timers phase, never less than this long. Unlike loop.set_timeout(), which counts
/// from the time of the current phase as Node does, it reads the clock when it begins, and 2^31 ms
/// are no limit. A duration in microseconds or nanoseconds (`250us`), or a fraction of a
/// millisecond
/// (`0.25ms`), counts as it is; one in milliseconds or longer units may take up to one more.
/// ECANCELED when stopped before.
template <class Rep, class Period>
SleepOp sleep_for(std::chrono::duration<Rep, Period> duration) {
  return SleepOp(detail::Delay(duration));
}

/// Waits until this moment of a clock of the standard library, never less; for one that is set back
/// meanwhile, longer. time_point::min() has come, max() never comes. Virtual time has nothing to do
/// with it. ECANCELED when stopped before.
template <class Clock, class Duration>
Async<Expected<>> sleep_until(std::chrono::time_point<Clock, Duration> moment) {
  // Neither the difference of distant moments nor their conversion to the finer unit fits into the
  // integers of a duration: those are compared in hours first.
  using Hours = std::chrono::duration<long double, std::ratio<3600>>;
  for (;;) {
    const auto now = Clock::now();
    const Hours about = Hours(moment.time_since_epoch()) - Hours(now.time_since_epoch());
    if (about < Hours(-1)) co_return Expected<>();
    if (about > Hours(24)) {
      if (auto slept = co_await sleep_for(std::chrono::hours(24)); !slept) co_return slept;
      continue;
    }
    const auto left = moment - now;
    if (left <= left.zero()) co_return Expected<>();
    if (auto slept = co_await sleep_for(left); !slept) co_return slept;
  }
}

// ---- Asking where one is ----------------------------------------------------------------------

namespace detail {

/// Answers from the context of the coroutine that asks, without suspending it.
template <auto Answer>
struct AskContext {
  bool await_ready() const noexcept { return false; }
  template <HasContext Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) noexcept {
    context = &caller.promise().context();
    return false;
  }
  decltype(auto) await_resume() const noexcept { return Answer(*context); }
  const AsyncContext* context = nullptr;
};

/// Cuts the coroutine that awaits it off from the stop of its caller.
struct ForgetStop {
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<PromiseBase> Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) const noexcept {
    caller.promise().forget_stop();
    return false;
  }
  void await_resume() const noexcept {}
};

inline Loop& loop_of(const AsyncContext& context) noexcept {
  return *context.loop;
}

}  // namespace detail

/// `co_await current_loop()`: the loop this coroutine runs on.
inline detail::AskContext<&detail::loop_of> current_loop() noexcept {
  return {};
}

/// `co_await stop_requested()`: whether this coroutine has been asked to stop, for one that
/// computes for long between two operations.
inline detail::AskContext<&detail::asked_to_stop> stop_requested() noexcept {
  return {};
}

// ---- Starting ---------------------------------------------------------------------------------

namespace detail {

/// The coroutine at the root of a spawned one: it is not awaited, so the loop owns it.
class Root {
 public:
  class promise_type : public LoopOwned {
   public:
    template <class Task>
    promise_type(Loop& loop, const std::stop_token& stop, Task&)
        : LoopOwned(loop),
          context_{&loop, stop.stop_possible() ? &stop_ : nullptr},
          bridge_(loop, stop, stop_) {}

    Root get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const {
      // To on_uncaught, or out of run(): never lost, and never into the middle of spawn().
      context_.loop->next_tick(
          [exception = std::current_exception()] { std::rethrow_exception(exception); });
    }
    const AsyncContext& context() const noexcept { return context_; }

   private:
    void loop_ends() noexcept override {
      bridge_.close();  // destructors in the coroutine may request a stop: it would be lost
      std::coroutine_handle<promise_type>::from_promise(*this).destroy();
    }
    Stop stop_;
    AsyncContext context_;
    StopBridge bridge_;
  };

  std::coroutine_handle<> coroutine;
};

template <class T>
Root run_root(Loop& /*loop*/, const std::stop_token& /*stop*/, Async<T> task) {
  if constexpr (std::is_same_v<T, Expected<>>) {
    const Expected<> result = co_await std::move(task);
    if (!result) throw std::system_error(result.error());
  } else {
    co_await std::move(task);
  }
}

template <class T>
concept IsSpawnable = std::same_as<T, Async<void>> || std::same_as<T, Async<Expected<>>>;

/// Keeps what makes a coroutine, a lambda with its captures, for as long as that runs.
template <class Body>
std::invoke_result_t<Body&> call(Body body) {
  co_return co_await body();
}

}  // namespace detail

/// Runs a coroutine without awaiting it. It begins now, like a function call, and continues in
/// the loop. What it throws (or, for Expected<>, the error it returns) is an uncaught exception
/// of the loop. Stop may be requested on any thread. If the loop is destroyed first, so is the
/// coroutine, where it stands. That of a lambda with captures and without parameters is refused
/// with Misuse (ERR_INVALID_ARG_VALUE): pass the lambda, uncalled.
template <class T>
  requires detail::IsSpawnable<Async<T>>
void spawn(Loop& loop, Async<T> task, const std::stop_token& stop = {}) {
  task.check_not_awaited();
  detail::check_owns_captures(task);
  if (!detail::takes_work(loop)) return;
  detail::resume(detail::run_root(loop, stop, std::move(task)).coroutine);
}

/// The same for a function that makes the coroutine: a lambda's captures stay while it runs.
///
///     spawn(loop, [&log]() -> Async<> { ... });
template <class Body>
  requires detail::IsSpawnable<std::invoke_result_t<std::decay_t<Body>&>>
void spawn(Loop& loop, Body&& body, const std::stop_token& stop = {}) {
  spawn(loop, detail::call<std::decay_t<Body>>(std::forward<Body>(body)), stop);
}

}  // namespace rondo

#include "rondo/when.h"  // IWYU pragma: export
