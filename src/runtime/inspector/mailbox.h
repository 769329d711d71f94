// What other threads ask of the inspector of an environment: debuggers of other processes through
// their server, and Workers.
//
// A task runs in the middle of JavaScript where V8 looks up, or in the poll phase of the loop, or
// at once if the thread waits for a debugger: whatever comes first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace rondo {

class Environment;
class Inspector;

class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  using Task = std::function<void(Inspector&)>;

  explicit Mailbox(Environment& environment) : environment_(&environment) {}

  /// From any thread. False, and nothing happens, if the environment has gone.
  bool post(Task task);

  // ---- On the environment's thread ------------------------------------------------------------

  /// Runs the tasks there are, unless this is called by one of them.
  void run_tasks();
  /// Whether a task runs in the middle of JavaScript.
  bool in_interrupt() const noexcept { return in_interrupt_; }
  /// Waits until there are tasks, for as long as `limit`.
  void wait(std::chrono::milliseconds limit);
  /// A task that waits for a debugger lets others run meanwhile: from begin_nested() until
  /// end_nested() with its result.
  bool begin_nested() noexcept { return std::exchange(is_running_, false); }
  void end_nested(bool was_running) noexcept { is_running_ = was_running; }
  /// Nothing is posted any more.
  void close();

 private:
  std::mutex mutex_;  // guards what follows, up to the empty line
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  Environment* environment_;  // null when it is gone

  // Of the environment's thread alone.
  bool is_running_ = false;
  bool in_interrupt_ = false;
};

}  // namespace rondo
