#include "rondo/lens/blocked.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "rondo/loop.h"

#include "lens/blocked/stall_watch.h"
#include "lens/quiet_thread.h"
#include "lens/standard_error.h"

namespace rondo::lens {

namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
using What = BlockedReport::What;

void print(const BlockedReport& report) {
  print_error(to_string(report));
}

std::string subject_of(const BlockedReport& report) {
  if (!report.moment.label.empty()) return report.moment.label;
  return report.phase == Phase::none && report.is_engine ? "the program" : "a callback";
}

std::string where(const BlockedReport& report) {
  if (report.phase == Phase::none) return "outside of the phases";
  return "in the " + std::string(to_string(report.phase)) + " phase";
}

/// One figure unless it would not be true.
std::string duration(const BlockedReport& report) {
  const milliseconds vague = report.at_most - report.lasted;
  const bool is_vague = vague > std::max(milliseconds(2), report.lasted / 20);
  std::string text = std::to_string(report.lasted.count());
  if (is_vague) text += " to " + std::to_string(report.at_most.count());
  return text + " ms";
}

std::string sentence(const BlockedReport& report) {
  const std::string time = duration(report);
  switch (report.what) {
    case What::callback:
      return subject_of(report) + (report.over ? " ran for " : " has been running for ") + time +
             ", " + where(report);
    case What::ticks:
      return std::string("ticks ") + (report.over ? "ran for " : "have been running for ") + time +
             " without a break: " + std::to_string(report.ticks) +
             (report.ticks == 1 ? " tick, " : " ticks, ") + where(report);
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
  const BlockedMoment& moment = report.moment;
  for (const std::string& frame : moment.stack) text += "    at " + frame + '\n';
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text.append("  ").append(name).append(": ").append(value).append("\n");
  };
  if (moment.in_collection) {
    text += "  no stack: garbage is being collected\n";
  } else if (moment.unreachable) {
    text += moment.stack.empty() ? "  no stack: it is in native code that cannot be interrupted\n"
                                 : "  it is in native code that cannot be interrupted\n";
  }
  if (moment.stack.empty() && report.what == What::microtasks && !report.over) {
    text += "  no stack: each look came between two of them\n";
  }
  line("callback", moment.callback);
  line(report.what == What::ticks ? "made at" : "scheduled at", moment.site);
  line("inside the system call", moment.native);
  std::string waiting;
  for (const std::string& queue : moment.waiting) {
    if (!waiting.empty()) waiting += ", ";
    waiting += queue;
  }
  line("kept waiting", waiting);
  return text;
}

// ---- The thread -----------------------------------------------------------------------------

class Blocked::Watch {
 public:
  Watch(Loop& loop, Options options)
      : loop_(loop),
        engine_(options.engine),
        stalls_(options.limit, {.now = SteadyClock::now,
                                .sample = [this] { return sample(); },
                                .engine = engine_,
                                .report = options.report ? std::move(options.report) : print}),
        thread_(start_quiet_thread([this] { run(); })) {}

  ~Watch() {
    {
      const std::lock_guard guard(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
    stalls_.finish();
  }

 private:
  Progress sample() const noexcept {
    const Pulse pulse = loop_.pulse();
    Progress now{.entries = pulse.entries,
                 .asleep = pulse.asleep || (!pulse.running && engine_ == nullptr),
                 .phase = pulse.phase,
                 .read_at = StallTime(pulse.read_at),
                 .read_entries = pulse.read_entries};
    if (engine_ != nullptr) {
      now.operations = engine_->operations();
      now.ticks = engine_->ticks();
      now.microtask_steps = engine_->microtask_steps();
    }
    return now;
  }

  void run() {
    std::unique_lock lock(mutex_);
    std::chrono::nanoseconds wait{};
    while (!changed_.wait_for(lock, wait, [this] { return stopped_; })) {
      lock.unlock();
      wait = stalls_.look();
      lock.lock();
    }
  }

  Loop& loop_;
  BlockedEngine* engine_;
  StallWatch stalls_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

Blocked::Blocked(Loop& loop, Options options)
    : watch_(std::make_unique<Watch>(loop, std::move(options))) {}

Blocked::~Blocked() = default;

}  // namespace rondo::lens
