// Ways to end a script that runs too long: after some time, or when SIGINT arrives. They live
// while the script runs, on the stack of the caller.
#pragma once

#include <v8.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "io/descriptor.h"

namespace rondo {

class Environment;

class TimeLimit {
 public:
  /// Throws std::system_error if there is no thread to be had, as the next one does.
  TimeLimit(v8::Isolate* isolate, std::chrono::milliseconds limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Ends the wait, and says whether the script was ended before. Once.
  bool stop();

 private:
  void wait(std::chrono::milliseconds limit);

  v8::Isolate* isolate_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  bool expired_ = false;
  std::thread thread_;
};

class InterruptBySignal {
 public:
  explicit InterruptBySignal(v8::Isolate* isolate);
  ~InterruptBySignal();
  InterruptBySignal(const InterruptBySignal&) = delete;
  InterruptBySignal& operator=(const InterruptBySignal&) = delete;

  /// As TimeLimit::stop().
  bool stop();

 private:
  void wait();

  v8::Isolate* isolate_;
  Descriptor descriptor_;
  bool interrupted_ = false;
  std::thread thread_;
};

/// Both, as options of node:vm ask for them.
class Limits {
 public:
  /// A negative time is none.
  Limits(Environment& environment, std::int64_t timeout_ms, bool by_signal);

  /// When the script has ended: whether it was ended before its time. If so, what it threw is
  /// replaced by the error that says why, which is thrown on.
  bool interrupted(v8::TryCatch& failure);

 private:
  Environment& environment_;
  std::int64_t timeout_ms_;
  std::optional<InterruptBySignal> by_signal_;
  std::optional<TimeLimit> time_;
};

}  // namespace rondo
