#include "runtime/engine/host/interrupts.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"

namespace rondo {

namespace {

/// With the name of the call in the exception, if it fails.
template <class Body>
std::thread start_thread(Body body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "pthread_create");
  }
}

}  // namespace

TimeLimit::TimeLimit(v8::Isolate* isolate, std::chrono::milliseconds limit)
    : isolate_(isolate), thread_(start_thread([this, limit] { wait(limit); })) {}

TimeLimit::~TimeLimit() {
  stop();
}

void TimeLimit::wait(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, limit, [this] { return stopped_; })) return;
  expired_ = true;
  isolate_->TerminateExecution();
}

bool TimeLimit::stop() {
  if (!thread_.joinable()) return expired_;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
  return expired_;
}

namespace {

// A signal concerns the process, and so does its listener: nested scripts each take
// over and give back. Where two threads do this at once, the later one gets the signal.
std::atomic<int> listener = -1;

constexpr std::uint64_t kStop = 1;
constexpr std::uint64_t kSignal = std::uint64_t{1} << 32U;

void send(int descriptor, std::uint64_t what) {
  const ssize_t written = write(descriptor, &what, sizeof what);
  static_cast<void>(written);
}

void on_signal(int /*number*/) {
  const int error = errno;
  if (const int descriptor = listener.load(); descriptor >= 0) send(descriptor, kSignal);
  errno = error;
}

struct Before {
  struct sigaction action{};
  int listener = -1;
};

thread_local std::vector<Before> before;

}  // namespace

InterruptBySignal::InterruptBySignal(v8::Isolate* isolate)
    : isolate_(isolate), descriptor_(eventfd(0, EFD_CLOEXEC)) {
  if (!descriptor_) throw std::system_error(errno, std::system_category(), "eventfd");
  before.reserve(before.size() + 1);  // nothing can fail after the start of the thread
  thread_ = start_thread([this] { wait(); });
  Before& saved = before.emplace_back();
  saved.listener = listener.exchange(descriptor_.get());
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  sigaction(SIGINT, &action, &saved.action);
}

InterruptBySignal::~InterruptBySignal() {
  stop();
}

void InterruptBySignal::wait() {
  std::uint64_t value = 0;
  while (read(descriptor_.get(), &value, sizeof value) < 0 && errno == EINTR) {
  }
  if (value < kSignal) return;
  interrupted_ = true;
  isolate_->TerminateExecution();
}

bool InterruptBySignal::stop() {
  if (!thread_.joinable()) return interrupted_;
  sigaction(SIGINT, &before.back().action, nullptr);
  listener = before.back().listener;
  before.pop_back();
  send(descriptor_.get(), kStop);
  thread_.join();
  descriptor_ = {};
  return interrupted_;
}

Limits::Limits(Environment& environment, std::int64_t timeout_ms, bool by_signal)
    : environment_(environment), timeout_ms_(timeout_ms) {
  if (by_signal) by_signal_.emplace(environment.isolate());
  if (timeout_ms >= 0) {
    time_.emplace(environment.isolate(), std::chrono::milliseconds(timeout_ms));
  }
}

bool Limits::interrupted(v8::TryCatch& failure) {
  const bool expired = time_ && time_->stop();
  const bool signalled = by_signal_ && by_signal_->stop();
  if (!expired && !signalled) return false;
  failure.Reset();
  environment_.isolate()->CancelTerminateExecution();
  const v8::Context::Scope main(environment_.context());
  environment_.throw_(expired ? environment_.error("ERR_SCRIPT_EXECUTION_TIMEOUT",
                                                   "Script execution timed out after " +
                                                       std::to_string(timeout_ms_) + "ms")
                              : environment_.error("ERR_SCRIPT_EXECUTION_INTERRUPTED",
                                                   "Script execution was interrupted by `SIGINT`"));
  failure.ReThrow();
  return true;
}

}  // namespace rondo
