// The model test: thousands of random programs, each run on the real loop and on a deliberately
// naive model of it (model.h), both with a virtual clock. Everything that a program can see must
// be the same: what ran and in which order, the time, the phase and the iteration it ran in, what
// clear() and refresh() returned, what is referenced and active, whether the loop is alive.
//
//     RONDO_MODEL_SEED=n     plays one program and shows it, the two traces side by side
//     RONDO_MODEL_SEEDS=n    how many programs to play
//     RONDO_MODEL_FIRST=n    the first of them
//
// A program that fails is made smaller before it is shown: actions are left out as long as it
// still fails.
//
// The model itself was compared with node v20 (libuv 1.46): hundreds of random programs of timers,
// immediates, ticks, microtasks and stalls, chosen so that a few milliseconds of noise cannot
// change their order, ran there in the model's order, except for these habits of node's:
//   - When a tick or microtask after the last timer of a visit sets a timer, which reads the clock,
//     libuv continues with what is due by then. Here a visit has one value of now.
//   - A tick that refreshes the timer which comes next in the same due list comes too late: the
//     timer runs at once all the same, and not again. Here it is refreshed.
//   - The ticks of a timer or an immediate that threw run after the next one. Here they run before.
#include "core/model.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

#include "core/random_program.h"

namespace rondo::model_test {
namespace {

/// The real loop, with its handles found by the names of the callbacks.
class RealLoop final : public Subject {
 public:
  explicit RealLoop(const Setup& setup)
      : clock_(setup.clock_start),
        loop_({.budgets = setup.budgets,
               .timer_start = setup.timer_start,
               .clock = &clock_,
               .observer = setup.observer ? &observer_ : nullptr}) {
    if (setup.before_exit) loop_.on_before_exit([this] { on_callback(kBeforeExit); });
  }

  void schedule(TaskKind kind, Id id, milliseconds delay) override {
    const auto callback = [this, id] { on_callback(id); };
    switch (kind) {
      case TaskKind::timeout:
        handles_[id] = loop_.set_timeout(delay, callback);
        break;
      case TaskKind::interval:
        handles_[id] = loop_.set_interval(delay, callback);
        break;
      case TaskKind::immediate:
        handles_[id] = loop_.set_immediate(callback);
        break;
      case TaskKind::idle_hook:
        handles_[id] = loop_.on_idle(callback);
        break;
      case TaskKind::prepare_hook:
        handles_[id] = loop_.on_prepare(callback);
        break;
      case TaskKind::check_hook:
        handles_[id] = loop_.on_check(callback);
        break;
      case TaskKind::tick:
        return loop_.next_tick(callback);
      case TaskKind::microtask:
        return loop_.queue_microtask(callback);
      case TaskKind::deferred:
        return loop_.defer(callback);
      case TaskKind::close:
        return loop_.queue_close(callback);
      case TaskKind::posted:
        return loop_.post(callback);
      case TaskKind::completion:
      case TaskKind::before_exit:
        FAIL() << "no program schedules this";
    }
  }

  bool clear(Id id) override {
    return std::visit([](auto& handle) { return handle.clear(); }, handles_.at(id));
  }
  bool refresh(Id id) override { return std::get<Timer>(handles_.at(id)).refresh(); }
  void set_ref(Id id, bool referenced) override {
    std::visit([&](auto& handle) { referenced ? handle.ref() : handle.unref(); }, handles_.at(id));
  }
  bool has_ref(Id id) const override {
    return std::visit([](const auto& handle) { return handle.has_ref(); }, handles_.at(id));
  }
  bool active(Id id) const override {
    return std::visit([](const auto& handle) { return handle.active(); }, handles_.at(id));
  }

  bool run(RunMode mode) override {
    switch (mode) {
      case RunMode::once:
        return loop_.run_once();
      case RunMode::nowait:
        return loop_.run_nowait();
      case RunMode::until_done:
        break;
    }
    return loop_.run();
  }
  void stop() override { loop_.stop(); }
  void handle_exceptions(bool handle) override {
    if (handle) {
      loop_.on_uncaught([this](const std::exception_ptr&) { on_exception(); });
    } else {
      loop_.on_uncaught(nullptr);
    }
  }

  void advance_clock(nanoseconds duration) override { clock_.advance(duration); }
  void update_now() override { loop_.update_now(); }

  milliseconds now() override { return loop_.now(); }
  Phase phase() const override { return loop_.phase(); }
  std::uint64_t iterations() const override { return loop_.metrics().iterations; }
  bool alive() const override { return loop_.alive(); }
  std::size_t waiting() const override {
    const QueueDepths depth = loop_.metrics().depth;
    return depth.timers + depth.pending + depth.idle + depth.prepare + depth.check +
           depth.immediates + depth.close + depth.posted + depth.completions + depth.ticks +
           depth.microtasks;
  }

 private:
  Observer observer_;
  VirtualClock clock_;
  std::map<Id, std::variant<Timer, Immediate, Hook>> handles_;
  Loop loop_;
};

// ---- A seed, played twice --------------------------------------------------------------------

/// A failing program may never end. Then only the seed can be printed.
class Watchdog {
 public:
  explicit Watchdog(std::uint64_t seed) {
    std::snprintf(message, sizeof(message),
                  "model test: seed %llu does not end; replay it with RONDO_MODEL_SEED=%llu\n",
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed));
    std::signal(SIGALRM, [](int) {
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, std::strlen(message));
      ::_exit(1);
    });
    ::alarm(20);
  }
  ~Watchdog() { ::alarm(0); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  static inline char message[128];
};

struct Outcome {
  Trace expected;
  Trace actual;
  std::string error;        // of the test itself, or a Misuse: no program causes one
  std::vector<Key> places;  // where in the program something was done

  bool same() const { return error.empty() && expected == actual; }
};

Outcome play(std::uint64_t seed, const std::set<Key>& left_out = {}) {
  const Watchdog watchdog(seed);
  Outcome outcome;
  try {
    Program on_model(seed, left_out);
    Model model(on_model.setup());
    outcome.expected = on_model.play(model);
    outcome.places = on_model.places();

    Program on_loop(seed, left_out);
    RealLoop loop(on_loop.setup());
    outcome.actual = on_loop.play(loop);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

/// Leaves out as much as possible, in ever smaller pieces, such that the program still fails.
std::set<Key> shrink(std::uint64_t seed) {
  std::set<Key> left_out;
  std::vector<Key> places = play(seed).places;
  std::size_t attempts = 1000;
  for (std::size_t piece = places.size(); piece != 0; piece /= 2) {
    for (std::size_t from = 0; from < places.size() && attempts != 0; --attempts) {
      const std::size_t to = std::min(from + piece, places.size());
      std::set<Key> more = left_out;
      for (std::size_t i = from; i < to; ++i) more.insert(places[i]);
      const Outcome outcome = play(seed, more);
      if (outcome.same()) {
        from = to;
      } else {
        left_out = std::move(more);
        places = outcome.places;  // what stood before `from` is still there, and still needed
      }
    }
  }
  return left_out;
}

// ---- Showing ---------------------------------------------------------------------------------

std::string describe(const Setup& setup) {
  const auto budget = [](std::size_t value) {
    return value > 1000 ? std::string("many") : std::to_string(value);
  };
  const Budgets& budgets = setup.budgets;
  return "timers " + budget(budgets.timers) + ", pending " + budget(budgets.pending) + ", poll " +
         budget(budgets.poll) + ", check " + budget(budgets.check) + ", close " +
         budget(budgets.close) + "; timers start at " +
         (setup.timer_start == TimerStart::cached ? "now()" : "the present") + "; clock at " +
         std::to_string(setup.clock_start / microseconds(1)) + " us" +
         (setup.before_exit ? "; before-exit handler" : "") + (setup.observer ? "; observer" : "") +
         "\n";
}

/// The two traces side by side; '!' marks the lines that differ. An indented line is done by the
/// callback above it, or by the main program if nothing is above it. In brackets: now() (inside
/// callbacks only), the phase, the iteration, and whether the loop is alive.
std::string side_by_side(const Outcome& outcome) {
  constexpr std::size_t kWidth = 72;
  std::string text = "  " + std::string("the model").append(kWidth - 9, ' ') + "the loop\n";
  const std::size_t size = std::max(outcome.expected.size(), outcome.actual.size());
  for (std::size_t i = 0; i < size; ++i) {
    std::string left = i < outcome.expected.size() ? describe(outcome.expected[i]) : "-";
    const std::string right = i < outcome.actual.size() ? describe(outcome.actual[i]) : "-";
    text += left == right ? "  " : "! ";
    left.resize(std::max(left.size() + 1, kWidth), ' ');
    text += left + right + "\n";
  }
  if (!outcome.error.empty()) text += "error: " + outcome.error + "\n";
  return text;
}

std::string report(std::uint64_t seed) {
  const std::set<Key> left_out = shrink(seed);
  const std::string number = std::to_string(seed);
  return "seed " + number + ", made smaller:\n" + describe(Program(seed).setup()) +
         side_by_side(play(seed, left_out)) + "Replay: RONDO_MODEL_SEED=" + number +
         " <this program> --gtest_filter='Model.*'\n";
}

std::optional<std::uint64_t> number_from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::strtoull(value, nullptr, 10);
}

// Fewer where each of them takes much longer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr std::uint64_t kSeeds = 1500;
#else
constexpr std::uint64_t kSeeds = 5000;
#endif

TEST(Model, RandomProgramsRunOnTheLoopAsOnTheModel) {
  if (const auto seed = number_from_environment("RONDO_MODEL_SEED")) {
    const Outcome outcome = play(*seed);
    std::printf("seed %llu, whole: %s%s\n", static_cast<unsigned long long>(*seed),
                describe(Program(*seed).setup()).c_str(), side_by_side(outcome).c_str());
    ASSERT_TRUE(outcome.same()) << report(*seed);
    return;
  }
  const std::uint64_t first = number_from_environment("RONDO_MODEL_FIRST").value_or(1);
  const std::uint64_t seeds = number_from_environment("RONDO_MODEL_SEEDS").value_or(kSeeds);
  std::size_t failed = 0;
  for (std::uint64_t seed = first; seed < first + seeds && failed < 3; ++seed) {
    if (play(seed).same()) continue;
    ++failed;
    ADD_FAILURE() << report(seed);
  }
}

}  // namespace
}  // namespace rondo::model_test
