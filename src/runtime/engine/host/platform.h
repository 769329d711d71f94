// What V8 asks of its host: threads for the work it does beside the program (compiling, collecting
// garbage), and a way to have something done on the thread of an isolate, which is its loop's.
//
// V8 has one platform for the whole process, forever: this is a singleton.
#pragma once

#include <v8-platform.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <unordered_map>
#include <vector>

#include "runtime/engine/host/page_allocator.h"
#include "runtime/engine/host/tracing_controller.h"

namespace rondo {

class Loop;

class Platform final : public v8::Platform {
 public:
  /// The one there is. Made, and V8 made ready, by the first call.
  static Platform& instance();

  /// Tasks for an isolate run on its loop from now on, until it is left.
  void enter(v8::Isolate* isolate, Loop& loop);
  void leave(v8::Isolate* isolate);
  /// At the end of a program, on its loop's thread: waits until the threads have done what V8 asked
  /// of them (the compilation of WebAssembly, say) or have posted a task to the loop, and runs the
  /// tasks for the isolate that wait. What comes of it may keep the loop alive.
  /// Returns false if it ran tasks before the threads were done: there may be more of them.
  bool finish_tasks(v8::Isolate* isolate);

  v8::PageAllocator* GetPageAllocator() override { return &pages_; }
  int NumberOfWorkerThreads() override { return kThreads; }
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(v8::Isolate* isolate,
                                                          v8::TaskPriority priority) override;
  void PostTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                  const v8::SourceLocation& location) override;
  void PostDelayedTaskOnWorkerThreadImpl(v8::TaskPriority priority, std::unique_ptr<v8::Task> task,
                                         double delay_s,
                                         const v8::SourceLocation& location) override;
  std::unique_ptr<v8::JobHandle> CreateJobImpl(v8::TaskPriority priority,
                                               std::unique_ptr<v8::JobTask> job,
                                               const v8::SourceLocation& location) override;
  double MonotonicallyIncreasingTime() override;
  double CurrentClockTimeMillis() override;
  TracingController* GetTracingController() override { return &tracing_controller_; }

 private:
  static constexpr int kThreads = 4;
  using Clock = std::chrono::steady_clock;

  struct Delayed {
    Clock::time_point due;
    std::unique_ptr<v8::Task> task;
  };

  class Foreground;

  Platform() = default;

  void wake_finish_tasks();
  void work();
  std::unique_ptr<v8::Task> next_task();
  void start_thread_if_needed();

  PageAllocator pages_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::condition_variable finished_;
  std::deque<std::unique_ptr<v8::Task>> tasks_;
  std::vector<Delayed> delayed_;  // a heap, the earliest first
  int threads_ = 0;
  int idle_ = 0;
  int busy_ = 0;
  std::unordered_map<v8::Isolate*, std::shared_ptr<Foreground>> foregrounds_;
  TracingController tracing_controller_;
};

}  // namespace rondo
