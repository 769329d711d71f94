// The machinery of coroutines on the loop: which runs next, results, wakeups.
#pragma once

#include <cassert>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "rondo/callback.h"
#include "rondo/detail/functional.h"
#include "rondo/detail/loop_owned.h"
#include "rondo/detail/memory.h"
#include "rondo/detail/stop.h"
#include "rondo/error.h"

namespace rondo {

class Loop;

template <class T = void>
class Async;

// ---- What is handed on ------------------------------------------------------------------------

/// What a coroutine hands on to those it awaits, and to the operations that it begins.
struct AsyncContext {
  Loop* loop = nullptr;
  detail::Stop* stop = nullptr;  // null: it is never asked to stop
};

/// Whom to wake when an operation is complete.
struct Waiter {
  void (*wake)(void* who) = nullptr;
  void* who = nullptr;

  void operator()() const { wake(who); }
};

namespace detail {

using rondo::AsyncContext;
using rondo::Waiter;

// ---- Who runs next ----------------------------------------------------------------------------

// A coroutine that suspends names the next one and returns; resume() continues with that
// one. It is what symmetric transfer does, except that g++ makes a tail call of it at -O2 only:
// without optimisation, or with a sanitizer, a loop of a few thousand awaits would use up the
// stack. So no coroutine of ours is ever resumed but by this function.
inline constinit thread_local std::coroutine_handle<> next_to_run{};

inline void hand_over_to(std::coroutine_handle<> next) noexcept {
  next_to_run = next;
}

inline void resume(std::coroutine_handle<> coroutine) {
  do {
    coroutine.resume();
    coroutine = std::exchange(next_to_run, nullptr);
  } while (coroutine != nullptr);
}

// ---- Values ------------------------------------------------------------------------------------

inline bool asked_to_stop(const AsyncContext& context) noexcept {
  return context.stop != nullptr && context.stop->requested();
}

/// How a result is stored in a tuple, a vector or a variant: void and references are not allowed
/// there.
template <class T>
struct StoredAs {
  using Type = T;
};
template <>
struct StoredAs<void> {
  using Type = std::monostate;
};
template <class T>
struct StoredAs<T&> {
  using Type = std::reference_wrapper<T>;
};
template <class T>
using ValueOf = typename StoredAs<T>::Type;

template <class T>
inline constexpr bool kIsExpected = false;
template <class T>
inline constexpr bool kIsExpected<Expected<T>> = true;

// ---- Promises ---------------------------------------------------------------------------------

template <class Promise>
concept HasContext = requires(const Promise& promise) {
  { promise.context() } -> std::same_as<const AsyncContext&>;
};

class PromiseBase;

/// Owns the coroutine that another one awaits, from inside the frame of that one.
class OwnedCallee {
 public:
  OwnedCallee(std::coroutine_handle<> callee, PromiseBase& promise) noexcept
      : callee_(callee), promise_(promise) {}
  OwnedCallee(const OwnedCallee&) = delete;
  OwnedCallee& operator=(const OwnedCallee&) = delete;
  inline ~OwnedCallee();

 private:
  std::coroutine_handle<> callee_;  // null: destroyed already
  PromiseBase& promise_;            // of the callee
  OwnedCallee* above_ = nullptr;    // while a chain of them is destroyed
};

class PromiseBase {
 public:
  std::suspend_always initial_suspend() const noexcept { return {}; }

  auto final_suspend() const noexcept {
    struct GoOnWithCaller {
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) const noexcept { hand_over_to(caller); }
      void await_resume() const noexcept {}
      std::coroutine_handle<> caller;
    };
    return GoOnWithCaller{caller_};
  }

  const AsyncContext& context() const noexcept { return context_; }

  void begin(const AsyncContext& context, std::coroutine_handle<> caller) noexcept {
    context_ = context;
    caller_ = caller;
  }
  /// Before it begins: it is the coroutine of a lambda with captures, which live in the lambda and
  /// not in the coroutine.
  bool borrows_captures() const noexcept { return caller_ != nullptr; }

  /// From now on stop requests are not passed on to what this coroutine awaits.
  void forget_stop() noexcept { context_.stop = nullptr; }
  /// What this coroutine awaits at the moment; null: not one of our coroutines.
  void awaits(OwnedCallee* callee) noexcept { awaits_ = callee; }
  OwnedCallee* awaits() const noexcept { return awaits_; }

 protected:
  void mark_borrowing() noexcept { caller_ = std::noop_coroutine(); }

 private:
  AsyncContext context_;
  std::coroutine_handle<> caller_;  // before begin(): not null if it borrows captures
  OwnedCallee* awaits_ = nullptr;
};

// A coroutine that is destroyed while suspended destroys those that it awaits. The lowest goes
// first, because what is below may use what is above; and one after the other, because each inside
// the destructor of the next would use up the stack when the chain is long.
inline OwnedCallee::~OwnedCallee() {
  if (callee_ == nullptr) return;  // by one above
  OwnedCallee* lowest = this;
  while (OwnedCallee* below = lowest->promise_.awaits()) {
    below->above_ = lowest;
    lowest = below;
  }
  while (lowest != nullptr) {
    OwnedCallee* above = lowest->above_;
    std::exchange(lowest->callee_, nullptr).destroy();
    lowest = above;
  }
}

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
// Where a coroutine has co_await in a condition and its body declares no variable, g++ 12 lays out
// its frame with something before the promise. All handles of the promise point into the middle of
// the frame then, and resuming one calls whatever is there. So the frame is compared with the
// handle, and the mistake is reported where the coroutine is called.
class FramePlace {
 public:
  static void* operator new(std::size_t size) {
    void* const frame = ::operator new(size);
    last_frame_ = static_cast<const char*>(frame);
    last_size_ = size;
    return frame;
  }
  static void operator delete(void* frame, std::size_t size) { ::operator delete(frame, size); }

 protected:
  void check_frame(const void* handle) const {
    // What copies parameters may have made another frame since.
    const char* const self = reinterpret_cast<const char*>(this);
    const bool is_last = self >= last_frame_ && self < last_frame_ + last_size_;
    if (handle == last_frame_ || !is_last) return;
    throw Misuse("ERR_MISCOMPILED",
                 "g++ 12 cannot compile this coroutine: it has co_await in a condition, and no "
                 "variable; store the result before looking at it");
  }

 private:
  static inline constinit thread_local const char* last_frame_ = nullptr;
  static inline constinit thread_local std::size_t last_size_ = 0;
};
#else
class FramePlace {
 protected:
  void check_frame(const void* /*handle*/) const noexcept {}
};
#endif

template <class T>
class AsyncPromise : public PromiseBase, public FramePlace {
 public:
  Async<T> get_return_object();
  void unhandled_exception() noexcept { result_.template emplace<2>(std::current_exception()); }
  /// Whatever a function returning T may return, braces included.
  template <class Value = T>
    requires std::convertible_to<Value, ValueOf<T>>
  void return_value(Value&& value) {
    result_.template emplace<1>(std::forward<Value>(value));
  }
  T take() {
    if (result_.index() == 2) std::rethrow_exception(std::get<2>(result_));
    if (result_.index() == 0) {
      throw Misuse("ERR_INVALID_STATE", "the coroutine has ended without co_return of a value");
    }
    return std::get<1>(std::move(result_));
  }

 private:
  std::variant<std::monostate, ValueOf<T>, std::exception_ptr> result_;
};

template <>
class AsyncPromise<void> : public PromiseBase, public FramePlace {
 public:
  Async<void> get_return_object();
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }
  void return_void() const noexcept {}
  void take() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::exception_ptr exception_;
};

// ---- Coroutines that are lambdas ---------------------------------------------------------------

template <class T>
constexpr const char* signature_with() noexcept {
  return __PRETTY_FUNCTION__;
}

/// Whether T is the type of a lambda expression. It is asked while that type is incomplete, so
/// there is nothing to go by but its name.
template <class T>
constexpr bool is_closure() noexcept {
  std::string_view name = signature_with<T>();
  name.remove_suffix(1);
#ifdef __clang__
  return name.ends_with(')') && name.find("T = (lambda at ") != name.npos;
#else
  // main()::<lambda(int)>, but not Holder<main()::<lambda(int)> >.
  if (!name.ends_with('>')) return false;
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == '>') ++depth;
    if (name[at] == '<' && --depth == 0) return name.substr(at).starts_with("<lambda(");
  }
  return false;
#endif
}

/// Of a coroutine whose function is a lambda without parameters. (One with parameters has to be
/// called to be passed, so it may well be one that lives long enough.)
template <class T, class Closure>
class ClosurePromise final : public AsyncPromise<T> {
 public:
  ClosurePromise() noexcept {
    // The handles of an AsyncPromise<T> are those of its coroutine.
    static_assert(sizeof(ClosurePromise) == sizeof(AsyncPromise<T>) &&
                  alignof(ClosurePromise) == alignof(AsyncPromise<T>));
    if constexpr (!std::is_empty_v<Closure>) this->mark_borrowing();
  }
};

/// For what runs a task later than the expression that it stands in: by then a lambda whose
/// captures the task uses may have gone.
template <class T>
void check_owns_captures(const Async<T>& task) {
  if (!task.borrows_captures()) return;
  throw Misuse(
      "ERR_INVALID_ARG_VALUE",
      "the coroutine of a lambda was handed over without its captures, which live in the "
      "lambda: hand over the lambda itself, spawn(loop, lambda), not spawn(loop, lambda())");
}

// ---- Waiting for an operation -----------------------------------------------------------------

/// An operation that may have its result without waiting.
template <class Op>
concept MayCompleteAtOnce = requires(Op& op, const AsyncContext& context) {
  { op.try_begin(context) } -> std::same_as<bool>;
};

/// Awaits an operation, and cancels it when the coroutine is to stop.
template <class Op>
class OpAwaiter : private StopListener {
 public:
  explicit OpAwaiter(Op&& op) noexcept : op_(std::move(op)) {}

  bool await_ready() const noexcept { return false; }

  template <HasContext Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) {
    const AsyncContext& context = caller.promise().context();
    caller_ = caller;
    if (asked_to_stop(context)) {
      // Reported later like every result: a coroutine that does not check results, and continues
      // for ever, must not hold up the others.
      context.loop->defer([this] { resume(caller_); });
      return true;
    }
    if constexpr (MayCompleteAtOnce<Op>) {
      if (op_.try_begin(context)) {
        begun_ = true;
        return false;
      }
    }
    op_.begin(context, {[](void* self) { static_cast<OpAwaiter*>(self)->wake(); }, this});
    begun_ = true;
    if (context.stop != nullptr) join(*context.stop);
    return true;
  }

  // g++ 12 ignores this attribute after co_await; later versions and clang do not.
  [[nodiscard]] Expected<typename Op::Value> await_resume() { return take(); }

 protected:
  Expected<typename Op::Value> take() {
    leave();
    if (!begun_) return std::unexpected(errno_code(ECANCELED));
    return op_.take_result();
  }

 private:
  void wake() {
    assert(begun_ && "an operation woke its waiter before begin() had returned");
    resume(caller_);
  }
  void stop_requested() noexcept override { op_.cancel(); }

  Op op_;
  std::coroutine_handle<> caller_;
  bool begun_ = false;
};

/// The same for an operation whose result only says whether it was stopped: it may be ignored.
template <class Op>
class LenientOpAwaiter final : public OpAwaiter<Op> {
 public:
  using OpAwaiter<Op>::OpAwaiter;
  Expected<typename Op::Value> await_resume() { return this->take(); }
};

/// An operation in progress for a callback instead of a coroutine; owns itself.
template <class Op>
class OpWithCallback final : public LoopOwned, private StopListener {
 public:
  using Result = Expected<typename Op::Value>;

  static void start(Loop& loop, Op&& op, Callback<void(Result)> callback,
                    const std::stop_token& stop) {
    if (!takes_work(loop)) return;
    auto owned = std::make_unique<OpWithCallback>(loop, std::move(op), std::move(callback), stop);
    owned->begin(loop);
    owned.release();  // finish() or loop_ends() ends it
  }

  OpWithCallback(Loop& loop, Op&& op, Callback<void(Result)> callback, const std::stop_token& stop)
      : LoopOwned(loop),
        op_(std::move(op)),
        callback_(std::move(callback)),
        bridge_(loop, stop, stop_) {}
  ~OpWithCallback() override { StopListener::leave(); }

 private:
  void begin(Loop& loop) {
    if (stop_.requested()) {
      loop.defer([this] { finish(); });
      return;
    }
    if constexpr (MayCompleteAtOnce<Op>) {
      if (op_.try_begin({&loop, nullptr})) {
        begun_ = true;
        loop.defer([this] { finish(); });
        return;
      }
    }
    op_.begin({&loop, nullptr},
              {[](void* self) { static_cast<OpWithCallback*>(self)->finish(); }, this});
    begun_ = true;
    join(stop_);
  }
  void finish() {
    const std::unique_ptr<OpWithCallback> owned(this);
    StopListener::leave();  // from here on there is nothing to cancel
    callback_(begun_ ? op_.take_result() : Result(std::unexpected(errno_code(ECANCELED))));
  }
  void stop_requested() noexcept override { op_.cancel(); }
  void loop_ends() noexcept override { delete this; }

  Stop stop_;
  Op op_;
  Callback<void(Result)> callback_;
  StopBridge bridge_;
  bool begun_ = false;
};

}  // namespace detail
}  // namespace rondo

template <class T, class Closure>
  requires(rondo::detail::is_closure<std::remove_const_t<Closure>>())
struct std::coroutine_traits<rondo::Async<T>, Closure&> {
  using promise_type = rondo::detail::ClosurePromise<T, std::remove_const_t<Closure>>;
};
