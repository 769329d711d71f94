// Runs a task again and again, and each time disturbs it one step later: by a stop token, on the
// loop's thread or on another, as the loser of a when_any(), by a timeout, or by the end of its
// loop. A step is a place in an iteration where code of a user's can run: after the timers and what
// was deferred, after poll, after the close phase. At most one completion is delivered per poll, so
// that a task stands at every one of its points of suspension once.
#pragma once

#include <dirent.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

namespace rondo::stop_everywhere {

using namespace std::chrono_literals;

/// One run of a task on a fresh loop.
struct Trial {
  /// What is disturbed. Gives what happened, in words; ECANCELED (or ETIMEDOUT) if it was
  /// cancelled.
  std::function<Async<std::string>()> body;
  /// Afterwards, on the same loop: nothing was lost, handles are as documented. Runs without a
  /// stop.
  std::function<Async<>(const std::string& outcome)> after = nullptr;
  /// After the loop has gone in the middle.
  std::function<void()> gone = nullptr;
  /// Nothing but a stop ends it.
  bool endless = false;
};

/// Makes a trial. What it keeps in the trial's functions goes before the loop, or after it.
using Make = std::function<Trial(Loop& loop)>;

template <class T>
std::string name_of(const Expected<T>& result) {
  return result ? "ok"
         : result.error().category().name() == errno_code(EIO).category().name()
             ? std::string(error_name(result.error()))
             : result.error().message();
}
template <class Task>
Async<std::string> outcome(Task task) {
  const auto result = co_await std::move(task);
  co_return name_of(result);
}

/// Reads until the end, and appends to `got`.
template <class Socket>
Async<std::string> read_to_end(Socket& socket, std::string& got, bool into_buffer) {
  std::array<std::byte, 9000> buffer;
  for (;;) {
    if (into_buffer) {
      const auto count = co_await socket.read_some(buffer);
      if (!count) co_return name_of(count);
      if (*count == 0) co_return "end";
      got.append(reinterpret_cast<const char*>(buffer.data()), *count);
    } else {
      const auto text = co_await socket.read();
      if (!text) co_return name_of(text);
      if (text->empty()) co_return "end";
      got += *text;
    }
  }
}

/// Does something every millisecond while the state exists, and keeps neither alive.
template <class State, class Do>
void every_ms(Loop& loop, const std::shared_ptr<State>& state, Do act) {
  loop.set_interval(1ms,
                    [weak = std::weak_ptr(state), act]() mutable {
                      if (const auto strong = weak.lock()) act(*strong);
                    })
      .unref();
}

/// A parameter of a test.
struct Case {
  const char* name;
  Make make;
};

inline void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}
inline std::string case_name(const testing::TestParamInfo<Case>& one) {
  return one.param.name;
}
inline bool cancelled(const std::string& outcome) {
  return outcome.find("ECANCELED") != std::string::npos ||
         outcome.find("ETIMEDOUT") != std::string::npos;
}

class OneAtATime final : public Scheduler {
 public:
  std::size_t completions_to_take(std::size_t /*ready*/) noexcept override { return 1; }
};

enum class How { token, other_thread, loser, timeout, end_of_loop };

inline const char* to_string(How how) {
  switch (how) {
    case How::token:
      return "by a token";
    case How::other_thread:
      return "by another thread";
    case How::loser:
      return "by when_any";
    case How::timeout:
      return "by a timeout";
    case How::end_of_loop:
      return "by the end of the loop";
  }
  return "";
}

inline std::size_t descriptors() {
  std::size_t count = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

class Sweep {
 public:
  explicit Sweep(const Case& one) : name_(one.name), make_(one.make) {}

  /// All ways, all steps.
  void run() {
    once(How::token, SIZE_MAX);  // makes what is made once in a process
    const std::size_t before = descriptors();
    for (const How how :
         {How::token, How::other_thread, How::loser, How::timeout, How::end_of_loop}) {
      // Every step by a token and by the end of the loop; every other one where a token's way is
      // taken from elsewhere.
      const std::size_t stride = how == How::token || how == How::end_of_loop ? 1 : 2;
      std::size_t step = 0;
      while (once(how, step) && step < kMostSteps)
        step += stride;  // to the first that ends by itself
      EXPECT_LT(step, std::size_t{kMostSteps}) << name_;
      if (testing::Test::HasFatalFailure()) return;
    }
    // A child that outlives its loop is waited for by a thread, which holds descriptors until then.
    for (int i = 0; i < 5000 && descriptors() != before; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(descriptors(), before) << name_ << " leaks descriptors";
  }

 private:
  static constexpr std::size_t kMostSteps = 2000;
  static constexpr std::size_t kEndlessSteps = 8;

  struct LoopGoes : std::runtime_error {
    LoopGoes() : std::runtime_error("the loop goes") {}
  };

  /// Counts what exists of it.
  struct Alive {
    explicit Alive(int& alive) : count(alive) { ++count; }
    Alive(const Alive&) = delete;
    Alive& operator=(const Alive&) = delete;
    ~Alive() { --count; }
    int& count;
  };

  struct State {
    std::string outcome;
    bool done = false;
    bool in_request = false;
    int alive = 0;
  };

  static Async<> record(const Trial& trial, State& state) {
    const Alive alive(state.alive);
    std::string outcome = co_await trial.body();
    EXPECT_FALSE(state.in_request) << "resumed inside request_stop()";
    EXPECT_FALSE(state.done) << "ended twice";
    state.outcome = std::move(outcome);
    state.done = true;
  }
  static Async<> lose(const Trial& trial, State& state, Event& event) {
    const auto first = co_await when_any(record(trial, state), wait_for(event));
    (void)first;
    EXPECT_TRUE(state.done) << "when_any() did not wait for the loser";
  }
  static Async<> wait_for(Event& event) { (void)co_await event.wait(); }
  static Async<> run_out(const Trial& trial, State& state, std::chrono::microseconds time) {
    (void)co_await with_timeout(time, record(trial, state));
    EXPECT_TRUE(state.done) << "with_timeout() did not wait";
  }

  /// Whether it was disturbed before it had ended.
  bool once(How how, std::size_t step) {
    SCOPED_TRACE(name_ + ", " + to_string(how) + ", step " + std::to_string(step));
    OneAtATime scheduler;
    auto loop = std::make_unique<Loop>(LoopOptions{.scheduler = &scheduler});
    Timer guard = loop->set_timeout(60s, [this, how, step] {
      std::fprintf(stderr, "%s, %s, step %zu: waits for something that does not come\n",
                   name_.c_str(), to_string(how), step);
      std::abort();
    });
    guard.unref();
    Timer pulse = loop->set_interval(1ms, [] {});  // steps go on while nothing happens
    pulse.unref();

    KeepAlive alive = loop->keep_alive();  // for those who wait for nothing but each other

    State state;
    std::stop_source stop;
    Event event;
    std::size_t count = 0;
    bool fired = false;
    auto trial = std::make_unique<Trial>(make_(*loop));
    const std::size_t last = trial->endless ? std::min(step, kEndlessSteps) : step;

    const auto at_step = [&] {
      if (fired || state.done || count++ < last) return;
      if (how == How::timeout) return;
      fired = true;
      state.in_request = true;
      switch (how) {
        case How::token:
          stop.request_stop();
          break;
        case How::other_thread:
          std::thread([&] { stop.request_stop(); }).join();
          break;
        case How::loser:
          event.set();
          break;
        case How::timeout:
          break;
        case How::end_of_loop:
          throw LoopGoes();
      }
      state.in_request = false;
    };
    Hook prepare = loop->on_prepare(at_step);
    Hook check = loop->on_check(at_step);
    prepare.unref();
    check.unref();

    bool goes = false;
    switch (how) {
      case How::loser:
        spawn(*loop, lose(*trial, state, event));
        break;
      case How::timeout: {
        const std::size_t at = trial->endless ? std::min(step, kEndlessSteps) : step;
        const auto time = step == SIZE_MAX ? 1h : std::chrono::microseconds(20 * at * (at + 1));
        spawn(*loop, run_out(*trial, state, time));
        break;
      }
      default:
        spawn(*loop, record(*trial, state), stop.get_token());
    }
    const bool ran_out = how == How::timeout;
    try {
      while (!state.done) {
        at_step();
        if (state.done) break;
        loop->run_once();
      }
    } catch (const LoopGoes&) {
      goes = true;
    }
    state.in_request = false;
    prepare.clear();
    check.clear();

    const bool endless = trial->endless;
    alive.release();
    if (goes) {
      loop.reset();
      EXPECT_EQ(state.alive, 0) << "a coroutine outlives its loop";
      EXPECT_FALSE(state.done) << "ended by the end of the loop";
      if (trial->gone) trial->gone();
      trial.reset();  // handles outlive the loop
      return !is_last(step, endless);
    }
    if (endless) {
      EXPECT_TRUE(cancelled(state.outcome)) << state.outcome;
    }
    const bool disturbed = fired || (ran_out && cancelled(state.outcome));
    if (!disturbed && step != SIZE_MAX) {
      EXPECT_FALSE(cancelled(state.outcome)) << "cancelled, but nobody asked for it";
    }
    if (trial->after) {
      bool checked = false;
      spawn(*loop, [&]() -> Async<> {
        const KeepAlive checking = (co_await current_loop()).keep_alive();
        co_await trial->after(state.outcome);
        checked = true;
      });
      while (!checked) loop->run_once();
    }
    trial.reset();
    EXPECT_EQ(state.alive, 0);
    loop->run();  // nothing is left that would keep it alive
    loop.reset();
    return disturbed && !is_last(step, endless);
  }

  static bool is_last(std::size_t step, bool endless) {
    return step == SIZE_MAX || (endless && step >= kEndlessSteps);
  }

  std::string name_;
  Make make_;
};

}  // namespace rondo::stop_everywhere
