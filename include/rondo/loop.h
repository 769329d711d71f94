// The event loop of Node.js, for C++.
//
//     rondo::Loop loop;
//     loop.set_timeout(100ms, [] { puts("timeout"); });
//     loop.set_immediate([] { puts("immediate"); });
//     loop.next_tick([] { puts("tick"); });
//     loop.run();                                   // tick, immediate, timeout
//
// A loop belongs to the thread that made it. post(), stop() and the release of a KeepAlive may
// come from any thread; everything else called from another thread throws Misuse
// (ERR_WRONG_THREAD) and changes nothing.
//
// Callbacks may throw, and may do anything to any handle, their own included. An empty callback
// throws Misuse (ERR_INVALID_CALLBACK) where it is passed.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rondo/callback.h"
#include "rondo/clock.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/handles.h"
#include "rondo/metrics.h"
#include "rondo/phase.h"

namespace rondo {

class Observer;
class Scheduler;
class LoopCore;

/// The kernel interface of the loop. `automatic` uses io_uring and falls back to epoll where
/// io_uring is missing or forbidden; RONDO_BACKEND=uring or =epoll overrides it.
enum class BackendKind : std::uint8_t { automatic, uring, epoll };

/// How many callbacks each phase may run in one visit before the loop moves on. The others
/// run first in the next visit. Zero is taken as one: a phase always advances.
struct Budgets {
  std::size_t timers = 1U << 20;
  std::size_t pending = 1U << 20;
  std::size_t poll = 48 * 1024;  // the hard limit of libuv
  std::size_t check = 1U << 20;  // immediates
  std::size_t close = 1U << 20;
};

/// When the duration of a new timer starts.
enum class TimerStart : std::uint8_t {
  cached,   // loop.now(): the same for a whole phase, costs nothing
  present,  // the clock, read for each timer: as JavaScript's setTimeout does
};

struct LoopOptions {
  BackendKind backend = BackendKind::automatic;
  Budgets budgets = {};
  TimerStart timer_start = TimerStart::cached;
  /// Not owned; each must outlive the loop. Null: system clock, natural order, no observer.
  Clock* clock = nullptr;
  Scheduler* scheduler = nullptr;
  Observer* observer = nullptr;
};

struct Warning {
  std::string_view name;  // "TimeoutOverflowWarning"
  std::string message;
};

/// What a host loop has to wait for on behalf of this one.
struct HostWait {
  int fd;                                           // readable when there is something to do
  std::optional<std::chrono::nanoseconds> timeout;  // do not wait longer; nullopt: no limit
};

/// A snapshot of a loop for another thread; see Loop::pulse().
struct Pulse {
  std::uint64_t entries;  // changes whenever a callback begins
  Phase phase;
  bool running;  // the loop is running
  bool asleep;   // it waits for something to happen
  // When the loop last had reason to read its clock, and `entries` at that moment.
  std::chrono::nanoseconds read_at;
  std::uint64_t read_entries;
  std::chrono::nanoseconds idle;  // time asleep, up to when it last woke
};

/// Keeps a loop alive until it is released or destroyed, from any thread: for work in progress
/// elsewhere that will be reported by post(). It must not outlive its loop.
class KeepAlive {
 public:
  KeepAlive() = default;
  KeepAlive(KeepAlive&& other) noexcept;
  KeepAlive& operator=(KeepAlive&& other) noexcept;
  ~KeepAlive() { release(); }

  void release() noexcept;

 private:
  friend class Loop;
  explicit KeepAlive(LoopCore* core) noexcept : core_(core) {}
  LoopCore* core_ = nullptr;
};

class Loop {
 public:
  /// Throws std::system_error, with the reason in its text, when no backend is available or the
  /// one that RONDO_BACKEND or the options request cannot be used.
  explicit Loop(LoopOptions options = {});

  /// Callbacks that have not run are destroyed without running, close callbacks included.
  /// Descriptor handles that still exist become closed ones. What a destructor of such a
  /// callback schedules is dropped as well. Destroying a loop inside one of its own callbacks
  /// ends the program with a message.
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // ---- Timers ---------------------------------------------------------------------------

  /// Runs `callback` once, no sooner than `delay` from now. Whole milliseconds count; a delay
  /// below 1 ms, above 2^31-1 ms or not a number becomes 1 ms (the overflow also warns).
  ///
  /// A delay in whole microseconds or nanoseconds (`250us`) is exact: such a timer reads the
  /// clock when it is set, and in a visit to the phase runs before those in milliseconds.
  template <class Rep, class Period>
  Timer set_timeout(std::chrono::duration<Rep, Period> delay, Callback<> callback) {
    return set_timer_of(delay, std::move(callback), TaskKind::timeout);
  }

  /// Runs `callback` repeatedly, each time set again from the moment it began.
  template <class Rep, class Period>
  Timer set_interval(std::chrono::duration<Rep, Period> delay, Callback<> callback) {
    return set_timer_of(delay, std::move(callback), TaskKind::interval);
  }

  /// A plain number is not a delay.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Timer set_timeout(Number delay, Callback<> callback) = delete;
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Timer set_interval(Number delay, Callback<> callback) = delete;

  // ---- Other queues ---------------------------------------------------------------------

  /// Runs in the next check phase.
  Immediate set_immediate(Callback<> callback);
  /// Runs after the current operation, before anything else.
  void next_tick(Callback<> callback);
  /// Runs after the ticks.
  void queue_microtask(Callback<> callback);
  /// Runs in the next pending phase: for a result that is known now but must not be reported now.
  void defer(Callback<> callback);
  /// Runs in the next close phase: for what was destroyed abruptly.
  void queue_close(Callback<> callback);

  /// Hooks run in every iteration, in the order they were added; one added by a hook of the
  /// same phase begins in the next iteration. An idle hook keeps poll from waiting. Check hooks
  /// come before the immediates, those they set included.
  Hook on_idle(Callback<> callback);
  Hook on_prepare(Callback<> callback);
  Hook on_check(Callback<> callback);

  // ---- From any thread --------------------------------------------------------------------

  /// Runs `callback` in the poll phase, waking the loop if it sleeps. What one thread posts runs
  /// in the order it was posted. A waiting callback keeps the loop alive.
  void post(Callback<> callback);

  /// Ends run() after the current iteration, which will not wait any more. A loop stopped
  /// before run() makes that run() return at once.
  void stop() noexcept;

  /// For a monitoring thread. It costs the loop nothing, not even an atomic: the
  /// fields may be from slightly different moments.
  Pulse pulse() const noexcept;

  // ---- Running ----------------------------------------------------------------------------

  /// Runs until nothing keeps the loop alive, or stop(). Returns alive().
  bool run();
  /// One iteration, waiting for something to happen if nothing is ready. Returns alive().
  bool run_once();
  /// One iteration without waiting. Returns alive().
  bool run_nowait();

  /// Whether anything is left to wait for: a referenced timer, immediate, hook or descriptor, a
  /// deferred, posted or close callback, an operation in progress, a KeepAlive.
  bool alive() const;

  KeepAlive keep_alive();

  /// The loop's time, in milliseconds since a fixed point: one value within a phase. Outside
  /// run() the clock is read at each call.
  std::chrono::milliseconds now() const;
  /// Reads the clock into now(), after a long computation in a callback.
  void update_now();

  /// The phase that is running now.
  Phase phase() const noexcept;

  Metrics metrics() const;

  // ---- Errors -----------------------------------------------------------------------------

  /// Receives what callbacks throw; the phase then continues where it was. With no handler, or
  /// when the handler itself throws, the exception leaves run(), and the loop stays usable:
  /// what had not run yet, ticks first, runs in the next run(). An empty callback removes it.
  void on_uncaught(Callback<void(std::exception_ptr)> handler);

  /// Receives warnings; without a handler they go to standard error.
  void on_warning(Callback<void(const Warning&)> handler);

  /// Called by run() when nothing keeps the loop alive any more. If it schedules something that
  /// does, run() continues, and calls it again at the next end. An empty callback removes it.
  void on_before_exit(Callback<> handler);

  // ---- Inside another loop ----------------------------------------------------------------

  /// For a host such as GLib, Qt or Asio: submits everything gathered to the kernel and returns
  /// what to wait for. When the descriptor is readable or the time is up, call run_nowait(), then
  /// ask again. The descriptor stays the same for the life of the loop.
  HostWait host_wait();

  // ---- The rest ---------------------------------------------------------------------------

  /// Makes the calling thread the loop's thread. Allowed while the loop has never polled and no
  /// file operation was begun: a program may create a loop in one thread and run it in another.
  void adopt();

  /// "uring" or "epoll".
  std::string_view backend() const noexcept;
  /// Why this backend and not the other, as a sentence.
  const std::string& backend_reason() const noexcept;

  /// Replaces the observer; null for none.
  void set_observer(Observer* observer);

  /// Internal, for the parts of Rondo built on the loop.
  LoopCore& core() noexcept { return *core_; }
  const LoopCore& core() const noexcept { return *core_; }

 private:
  template <class Self>
  friend class detail::ScheduledHandle;
  friend class Timer;

  template <class Rep, class Period>
  Timer set_timer_of(std::chrono::duration<Rep, Period> delay, Callback<>&& callback,
                     TaskKind kind) {
    if constexpr (!std::floating_point<Rep> && std::ratio_less_v<Period, std::milli>) {
      return set_precise_timer(to_nanoseconds(delay), std::move(callback), kind);
    } else {
      return set_timer(to_milliseconds(delay), std::move(callback), kind);
    }
  }

  /// Rounds up; a delay that is too long becomes the maximum, some 290 years.
  template <class Rep, class Period>
  static constexpr std::chrono::nanoseconds to_nanoseconds(
      std::chrono::duration<Rep, Period> delay) {
    using std::chrono::nanoseconds;
    if (!(delay.count() > 0)) return nanoseconds(1);
    if constexpr (std::ratio_less_v<Period, std::nano>) {
      return std::chrono::ceil<nanoseconds>(delay);
    } else {
      constexpr auto kMost =
          std::chrono::duration_cast<std::chrono::duration<std::int64_t, Period>>(
              nanoseconds::max());
      if (std::cmp_greater(delay.count(), kMost.count())) return nanoseconds::max();
      return std::chrono::duration_cast<nanoseconds>(delay);
    }
  }

  /// Rounds as JavaScript does: towards zero, and everything that is not at least 1 to 1. What
  /// is too long stays too long (kFar) for set_timer() to see.
  template <class Rep, class Period>
  static constexpr std::int64_t to_milliseconds(std::chrono::duration<Rep, Period> delay) {
    constexpr std::int64_t kFar = std::int64_t{1} << 53;
    using Scale = std::ratio_divide<Period, std::milli>;
    const Rep count = delay.count();
    if constexpr (std::floating_point<Rep>) {
      const auto ms = static_cast<long double>(count) * Scale::num / Scale::den;
      if (!(ms >= 1)) return 1;  // NaN too
      return ms >= static_cast<long double>(kFar) ? kFar : static_cast<std::int64_t>(ms);
    } else {
      if (!(count > 0)) return 1;
      if constexpr (Scale::num == 1) {
        const auto ms = count / static_cast<Rep>(Scale::den);
        return std::cmp_greater(ms, kFar) ? kFar : ms < 1 ? 1 : std::int64_t(ms);
      } else {
        if (std::cmp_greater(count, kFar / Scale::num)) return kFar;
        const std::int64_t ms = static_cast<std::int64_t>(count) * Scale::num / Scale::den;
        return ms < 1 ? 1 : ms;
      }
    }
  }

  bool accepts(const Callback<>& callback) const;
  Timer set_timer(std::int64_t delay_ms, Callback<>&& callback, TaskKind kind);
  Timer set_precise_timer(std::chrono::nanoseconds delay, Callback<>&& callback, TaskKind kind);
  Hook add_hook(TaskKind kind, Callback<>&& callback);

  std::unique_ptr<LoopCore> core_;
};

}  // namespace rondo
