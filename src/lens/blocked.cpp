#include "rondo/lens/blocked.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "rondo/loop.h"

#include "lens/quiet_thread.h"

namespace rondo::lens {

namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
using What = BlockedReport::What;

void print(const BlockedReport& report) {
  const std::string text = to_string(report);
  // In one piece: the program may write at the same time.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string subject_of(const BlockedReport& report) {
  if (!report.moment.label.empty()) return report.moment.label;
  return report.phase == Phase::none && report.is_engine ? "the program" : "a callback";
}

std::string where(const BlockedReport& report) {
  if (report.phase == Phase::none) return "outside of the phases";
  return "in the " + std::string(to_string(report.phase)) + " phase";
}

std::string sentence(const BlockedReport& report) {
  const std::string time = std::to_string(report.lasted.count()) + " ms";
  switch (report.what) {
    case What::callback:
      return subject_of(report) + (report.over ? " ran for " : " has been running for ") + time +
             ", " + where(report);
    case What::ticks:
      return std::string("ticks ") + (report.over ? "ran for " : "have been running for ") + time +
             " without a break: " + std::to_string(report.ticks) + " ticks, " + where(report);
    case What::microtasks:
      return std::string("promises and microtasks ") +
             (report.over ? "ran for " : "have been running for ") + time + " without a break, " +
             where(report);
  }
  return {};
}

}  // namespace

std::string to_string(const BlockedReport& report) {
  std::string text = "[blocked] " + sentence(report) + (report.over ? "; it is over\n" : "\n");
  if (report.over) return text;
  const Moment& moment = report.moment;
  for (const std::string& frame : moment.stack) text += "    at " + frame + '\n';
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text.append("  ").append(name).append(": ").append(value).append("\n");
  };
  line("callback", moment.callback);
  line("scheduled at", moment.site);
  line("inside the system call", moment.native);
  std::string waiting;
  for (const std::string& queue : moment.waiting) {
    if (!waiting.empty()) waiting += ", ";
    waiting += queue;
  }
  line("kept waiting", waiting);
  return text;
}

// ---- The thread
// -----------------------------------------------------------------------------------

class Blocked::Watch {
 public:
  Watch(Loop& loop, Options options)
      : loop_(loop),
        options_(std::move(options)),
        period_(std::max(milliseconds(1), options_.limit / 4)),
        thread_(start_quiet_thread([this] { run(); })) {}

  ~Watch() {
    {
      const std::lock_guard guard(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
    end_stall(SteadyClock::now());
  }

 private:
  /// What moves when the loop does.
  struct Progress {
    std::uint64_t entries = 0;     // of the loop
    std::uint32_t operations = 0;  // of the engine
    std::uint32_t ticks = 0;
    std::uint32_t microtask_steps = 0;
    bool asleep = false;
    Phase phase = Phase::none;

    bool same_operation(const Progress& other) const noexcept {
      return !asleep && !other.asleep && entries == other.entries && operations == other.operations;
    }
  };

  Progress sample() const noexcept {
    const Pulse pulse = loop_.pulse();
    const BlockedEngine* engine = options_.engine;
    Progress now{.entries = pulse.entries,
                 .asleep = pulse.asleep || (!pulse.running && engine == nullptr),
                 .phase = pulse.phase};
    if (engine != nullptr) {
      now.operations = engine->operations();
      now.ticks = engine->ticks();
      now.microtask_steps = engine->microtask_steps();
    }
    return now;
  }

  void run() {
    auto last_look = SteadyClock::now();
    begin_anew(last_look);
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, period_, [this] { return stopped_; })) {
      lock.unlock();
      const auto now = SteadyClock::now();
      // All of the process was stopped, or the machine slept.
      if (now - last_look > options_.limit + 2 * period_) {
        operation_began_ += now - last_look;
        tick_began_ += now - last_look;
      }
      look(now);
      last_look = SteadyClock::now();
      lock.lock();
    }
  }

  void look(SteadyClock::time_point now) {
    const Progress progress = sample();
    if (!progress.same_operation(operation_)) {
      end_stall(now);
      begin_anew(now);
      return;
    }
    if (progress.ticks != last_tick_) {
      last_tick_ = progress.ticks;
      tick_began_ = now;
    }
    // The first look comes early and shows whether microtasks go on until the second.
    const bool is_slow = now - tick_began_ >= options_.limit / 2;
    if (is_slow && !looked_early_ && options_.engine != nullptr) {
      looked_early_ = true;
      std::ignore = options_.engine->look();
    }
    const auto lasted = now - operation_began_;
    if (lasted < next_report_) return;
    next_report_ *= 2;
    report(now, progress);
  }

  void begin_anew(SteadyClock::time_point now) {
    operation_ = sample();
    last_tick_ = operation_.ticks;
    operation_began_ = tick_began_ = now;
    next_report_ = options_.limit;
    looked_early_ = false;
  }

  void report(SteadyClock::time_point now, const Progress& progress) {
    const auto lasted = std::chrono::duration_cast<milliseconds>(now - operation_began_);
    BlockedReport report{.lasted = lasted,
                         .phase = progress.phase,
                         .ticks = progress.ticks - operation_.ticks,
                         .is_engine = options_.engine != nullptr};
    if (options_.engine != nullptr) {
      report.moment = options_.engine->look();
      // It may have ended while it was asked.
      if (!sample().same_operation(operation_)) return;
    }
    if (now - tick_began_ < options_.limit) {
      report.what = What::ticks;
    } else if (report.moment.in_microtasks &&
               progress.microtask_steps != operation_.microtask_steps) {
      report.what = What::microtasks;
    }
    // What does not answer this time is still the same.
    if (stall_ && report.moment.label.empty()) {
      report.moment.label = stall_->moment.label;
      report.moment.callback = stall_->moment.callback;
      report.moment.site = stall_->moment.site;
    }
    stall_ = report;
    tell(std::move(report));
  }

  /// If something was reported: how long it took in the end.
  void end_stall(SteadyClock::time_point now) {
    if (!stall_) return;
    BlockedReport report = *std::exchange(stall_, std::nullopt);
    report.over = true;
    report.lasted = std::chrono::duration_cast<milliseconds>(now - operation_began_);
    if (options_.engine != nullptr && report.what == What::ticks) {
      report.ticks = options_.engine->ticks() - operation_.ticks;
    }
    tell(std::move(report));
  }

  void tell(BlockedReport report) { options_.report ? options_.report(report) : print(report); }

  Loop& loop_;
  Options options_;
  milliseconds period_;

  // The operation under way, and when it was first seen; the same for a tick of it.
  Progress operation_;
  std::uint32_t last_tick_ = 0;
  SteadyClock::time_point operation_began_;
  SteadyClock::time_point tick_began_;
  SteadyClock::duration next_report_{};
  bool looked_early_ = false;
  std::optional<BlockedReport> stall_;  // the last report of it

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

Blocked::Blocked(Loop& loop, Options options)
    : watch_(std::make_unique<Watch>(loop, std::move(options))) {}

Blocked::~Blocked() = default;

}  // namespace rondo::lens
