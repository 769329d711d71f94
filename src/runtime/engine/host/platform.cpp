#include "runtime/engine/host/platform.h"

#include <libplatform/libplatform.h>
#include <pthread.h>
#include <unistd.h>
#include <v8.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "rondo/loop.h"

#include "runtime/engine/host/engine_absl.h"
#include "runtime/observe/trace_log.h"

namespace rondo {

namespace {

bool later(const auto& a, const auto& b) {
  return a.due > b.due;
}

std::chrono::milliseconds to_ms(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

thread_local bool is_thread_of_v8 = false;

/// V8 cannot live through a failed allocation. On its threads it would end the process with nothing
/// but the name of an exception.
void allocation_failed() {
  if (!is_thread_of_v8) throw std::bad_alloc();
  constexpr std::string_view message = "rondo: cannot allocate memory in a thread of V8\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, message.data(), message.size());
  std::abort();
}

}  // namespace

/// The tasks of one isolate, which come from any thread. After leave() they are dropped: V8 has
/// nothing to do any more for an isolate that is going.
class Platform::Foreground final : public v8::TaskRunner,
                                   public std::enable_shared_from_this<Foreground> {
 public:
  explicit Foreground(Loop& loop) : loop_(&loop), thread_(std::this_thread::get_id()) {}

  void leave() {
    const std::lock_guard guard(mutex_);
    hook_.clear();
    tasks_.clear();
    loop_ = nullptr;
  }

  void PostTaskImpl(std::unique_ptr<v8::Task> task,
                    const v8::SourceLocation& /*location*/) override {
    run_on_loop([task = std::move(task)] { task->Run(); });
  }
  void PostNonNestableTaskImpl(std::unique_ptr<v8::Task> task,
                               const v8::SourceLocation& location) override {
    PostTaskImpl(std::move(task), location);
  }
  // An unref'd timer: V8's delayed tasks do not keep a program alive.
  void PostDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay_s,
                           const v8::SourceLocation& /*location*/) override {
    run_on_loop([this, task = std::move(task), delay_s]() mutable {
      auto run = [self = shared_from_this(), task = std::move(task)] {
        if (self->loop_ != nullptr) task->Run();
      };
      loop_->set_timeout(to_ms(delay_s), std::move(run)).unref();
    });
  }
  void PostNonNestableDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay_s,
                                      const v8::SourceLocation& location) override {
    PostDelayedTaskImpl(std::move(task), delay_s, location);
  }
  void PostIdleTaskImpl(std::unique_ptr<v8::IdleTask> /*task*/,
                        const v8::SourceLocation& /*location*/) override {}
  bool IdleTasksEnabled() override { return false; }
  bool NonNestableTasksEnabled() const override { return true; }
  bool NonNestableDelayedTasksEnabled() const override { return true; }

  /// Tasks of other threads that the loop has not run yet.
  bool has_posted() const noexcept { return posted_.load(std::memory_order_acquire) != 0; }

  /// On the loop's thread: runs what waits. Whether that has left more to run.
  bool run_tasks() {
    hook_.clear();
    for (Callback<>& task : std::exchange(tasks_, {})) {
      if (loop_ != nullptr) task();
    }
    return !tasks_.empty();
  }

 private:
  // What the loop's own thread posts waits until the loop is about to poll, and does not keep it
  // alive either. Another thread has to wake the loop.
  void run_on_loop(Callback<> task) {
    if (std::this_thread::get_id() == thread_) {
      if (loop_ == nullptr) return;
      tasks_.push_back(std::move(task));
      if (tasks_.size() > 1) return;
      hook_ = loop_->on_prepare([self = shared_from_this()] { self->run_tasks(); });
      hook_.unref();
      return;
    }
    {
      const std::lock_guard guard(mutex_);
      if (loop_ == nullptr) return;
      posted_.fetch_add(1, std::memory_order_relaxed);
      loop_->post([self = shared_from_this(), task = std::move(task)]() mutable {
        self->posted_.fetch_sub(1, std::memory_order_release);
        if (self->loop_ != nullptr) task();
      });
    }
    Platform::instance().wake_finish_tasks();
  }

  std::mutex mutex_;  // loop_ changes on the loop's thread only, and under this
  Loop* loop_;
  const std::thread::id thread_;
  std::atomic<int> posted_ = 0;
  std::vector<Callback<>> tasks_;  // of the loop's thread alone, as is the next one
  Hook hook_;
};

Platform& Platform::instance() {
  // Never destroyed: threads of V8's may use it until the process has ended.
  static Platform& platform = [] -> Platform& {
    auto* made = new Platform;
    // Programs may change flags (v8.setFlagsFromString()), and so do some lenses.
    v8::V8::SetFlagsFromString("--no-freeze-flags-after-init");
    // Numbers go to C++ at a fraction of the price: see binding.h.
    v8::V8::SetFlagsFromString("--turbo-fast-api-calls");
    // import source, as Node has it.
    v8::V8::SetFlagsFromString("--js-source-phase-imports");
    // V8 compiles functions that are called often in batches, on a thread. A small program ends
    // before that pays, and before it would have started a thread.
    v8::V8::SetFlagsFromString("--baseline-batch-compilation-threshold=16384");
    // The snapshot is a part of the program: what guards that guards it.
    v8::V8::SetFlagsFromString("--no-verify-snapshot-checksum");
    // Node's executable is built with Abseil's debug checks, which make each lock of V8 expensive.
    // Before V8 locks anything: the checks would take a megabyte.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    // V8's own source reads /dev/urandom through a stream, four times for each isolate.
    v8::V8::SetEntropySource([](unsigned char* buffer, std::size_t length) {
      return ::getentropy(buffer, length) == 0;
    });
    std::set_new_handler(allocation_failed);
    v8::V8::InitializePlatform(made);
    // v8.setFlagsFromString() works at any time, as in Node.
    v8::V8::SetFlagsFromString("--no-freeze-flags-after-init");
    v8::V8::Initialize();
    return *made;
  }();
  return platform;
}

void Platform::enter(v8::Isolate* isolate, Loop& loop) {
  const std::lock_guard guard(mutex_);
  foregrounds_.insert_or_assign(isolate, std::make_shared<Foreground>(loop));
}

bool Platform::finish_tasks(v8::Isolate* isolate) {
  std::shared_ptr<Foreground> foreground;
  bool finished = false;
  bool stuck = false;  // work for threads of which there is none
  {
    std::unique_lock lock(mutex_);
    const auto found = foregrounds_.find(isolate);
    if (found == foregrounds_.end()) return true;
    foreground = found->second;
    finished_.wait(lock, [&] {
      // Without a thread there is none to wait for. And a thread may itself wait for a task that it
      // has posted to the loop: one that needs a garbage collection does.
      finished = (tasks_.empty() && busy_ == 0) || threads_ == 0;
      return finished || foreground->has_posted();
    });
    stuck = threads_ == 0 && !tasks_.empty();
  }
  const bool has_more = foreground->run_tasks();
  // The task that sweeps the heap posts itself again until a thread has done its part.
  return finished && (!has_more || stuck);
}

void Platform::wake_finish_tasks() {
  const std::lock_guard guard(mutex_);
  finished_.notify_all();
}

void Platform::leave(v8::Isolate* isolate) {
  const std::lock_guard guard(mutex_);
  const auto found = foregrounds_.find(isolate);
  if (found == foregrounds_.end()) return;
  found->second->leave();
  foregrounds_.erase(found);
}

std::shared_ptr<v8::TaskRunner> Platform::GetForegroundTaskRunner(v8::Isolate* isolate,
                                                                  v8::TaskPriority /*priority*/) {
  const std::lock_guard guard(mutex_);
  const auto found = foregrounds_.find(isolate);
  return found == foregrounds_.end() ? nullptr : found->second;
}

// ---- Work on threads ----------------------------------------------------------------------------

void Platform::PostTaskOnWorkerThreadImpl(v8::TaskPriority /*priority*/,
                                          std::unique_ptr<v8::Task> task,
                                          const v8::SourceLocation& /*location*/) {
  const std::lock_guard guard(mutex_);
  tasks_.push_back(std::move(task));
  start_thread_if_needed();
}

void Platform::PostDelayedTaskOnWorkerThreadImpl(v8::TaskPriority /*priority*/,
                                                 std::unique_ptr<v8::Task> task, double delay_s,
                                                 const v8::SourceLocation& /*location*/) {
  const std::lock_guard guard(mutex_);
  delayed_.push_back({Clock::now() + to_ms(delay_s), std::move(task)});
  std::ranges::push_heap(delayed_, [](const auto& a, const auto& b) { return later(a, b); });
  start_thread_if_needed();
}

std::unique_ptr<v8::JobHandle> Platform::CreateJobImpl(v8::TaskPriority priority,
                                                       std::unique_ptr<v8::JobTask> job,
                                                       const v8::SourceLocation& /*location*/) {
  return v8::platform::NewDefaultJobHandle(this, priority, std::move(job), kThreads);
}

/// Threads come with the work: a program that is over before V8 needs any starts none.
void Platform::start_thread_if_needed() {
  changed_.notify_one();
  if (idle_ > 0 || threads_ == kThreads) return;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  // Signals are the loop's affair.
  sigset_t all;
  sigfillset(&all);
  ::pthread_attr_setsigmask_np(&attributes, &all);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const auto run = [](void* platform) -> void* {
    static_cast<Platform*>(platform)->work();
    return nullptr;
  };
  pthread_t thread{};
  // Where no thread can be had (RLIMIT_NPROC, no memory for its stack), the others do the work.
  // Without any, it waits: V8 itself does then what it cannot do without. The next task tries
  // again.
  if (::pthread_create(&thread, &attributes, run, this) == 0) ++threads_;
  ::pthread_attr_destroy(&attributes);
}

void Platform::work() {
  ::pthread_setname_np(::pthread_self(), "rondo-v8");
  is_thread_of_v8 = true;
  TraceLog::instance().add_metadata("thread_name", R"({"name":"PlatformWorkerThread"})");
  for (;;) {
    next_task()->Run();
    const std::lock_guard guard(mutex_);
    if (--busy_ == 0) finished_.notify_all();
  }
}

std::unique_ptr<v8::Task> Platform::next_task() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!delayed_.empty() && delayed_.front().due <= Clock::now()) {
      std::ranges::pop_heap(delayed_, [](const auto& a, const auto& b) { return later(a, b); });
      auto task = std::move(delayed_.back().task);
      delayed_.pop_back();
      ++busy_;
      return task;
    }
    if (!tasks_.empty()) {
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      ++busy_;
      return task;
    }
    ++idle_;
    if (delayed_.empty()) {
      changed_.wait(lock);
    } else {
      const auto due = delayed_.front().due;  // a copy: the list changes while this waits
      changed_.wait_until(lock, due);
    }
    --idle_;
  }
}

// ---- Time ---------------------------------------------------------------------------------------

double Platform::MonotonicallyIncreasingTime() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double Platform::CurrentClockTimeMillis() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace rondo
