#include "runtime/messaging/worker_thread.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <tuple>

#include "core/loop_core.h"
#include "io/backend/choose_backend.h"
#include "runtime/inspector/worker_targets.h"
#include "runtime/messaging/env_store.h"
#include "runtime/messaging/message_port.h"
#include "runtime/process/start_time.h"

namespace rondo {
namespace {

constexpr std::size_t kMiB = 1024 * 1024;
constexpr std::size_t kDefaultStack = 4 * kMiB;
// What C++ called by JavaScript may use below V8's limit.
constexpr std::size_t kStackReserve = 192 * 1024;
// AddressSanitizer makes frames of C++ several times as large.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kSanitizerStack = 8 * kMiB;
#else
constexpr std::size_t kSanitizerStack = 0;
#endif
// What the collector of garbage may use to come to its end when the limit is reached.
constexpr std::size_t kHeapAllowance = 64 * kMiB;
// As much as the kernel keeps of the name of a thread.
constexpr std::size_t kNameLength = 15;

std::atomic<std::uint32_t> last_id = 0;

double to_mib(std::size_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

std::size_t to_bytes(double mib) {
  // More than there can be, and a number that a size_t holds.
  constexpr double kMost = 1e18;
  return static_cast<std::size_t>(std::min(mib * static_cast<double>(kMiB), kMost));
}

}  // namespace

WorkerThread::WorkerThread(Settings settings, std::unique_ptr<PortEnd> port)
    : id_(++last_id), settings_(std::move(settings)), port_(std::move(port)) {
  double& stack = settings_.limits[kStackSizeMb];
  const double least = to_mib(kStackReserve);
  stack = stack > 0 ? std::max(stack, least) : to_mib(kDefaultStack);
  stack_size_ = to_bytes(stack);
}

WorkerThread::~WorkerThread() = default;

std::unique_ptr<PortEnd> WorkerThread::take_port() noexcept {
  return std::move(port_);
}

// ---- On the parent's thread ---------------------------------------------------------------------

int WorkerThread::start(Loop& loop, Parent& parent) {
  pthread_attr_t attributes;
  if (const int error = ::pthread_attr_init(&attributes); error != 0) return error;
  ::pthread_attr_setstacksize(&attributes,
                              std::max(stack_size_, kStackReserve * 2) + kSanitizerStack);
  // Signals are the main thread's affair, except for the one by which V8 samples a thread's stack.
  sigset_t blocked;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGPROF);
  ::pthread_attr_setsigmask_np(&attributes, &blocked);
  {
    const std::lock_guard guard(mutex_);
    parent_loop_ = &loop;
    parent_ = &parent;
  }
  auto self = std::make_unique<std::shared_ptr<WorkerThread>>(shared_from_this());
  const auto body = [](void* data) -> void* {
    const std::unique_ptr<std::shared_ptr<WorkerThread>> kept(
        static_cast<std::shared_ptr<WorkerThread>*>(data));
    (*kept)->run();
    return nullptr;
  };
  const int error = ::pthread_create(&thread_, &attributes, body, self.get());
  ::pthread_attr_destroy(&attributes);
  if (error != 0) {
    leave_parent();
    return error;
  }
  std::ignore = self.release();
  joinable_ = true;
  return 0;
}

void WorkerThread::stop() {
  const std::lock_guard guard(mutex_);
  if (std::exchange(stopped_, true)) return;
  if (environment_ != nullptr) environment_->stop_from_any_thread();
}

void WorkerThread::join() {
  if (std::exchange(joinable_, false)) ::pthread_join(thread_, nullptr);
}

void WorkerThread::leave_parent() {
  const std::lock_guard guard(mutex_);
  parent_loop_ = nullptr;
  parent_ = nullptr;
}

bool WorkerThread::ask(std::uint32_t number, Question question) {
  const std::lock_guard guard(mutex_);
  if (environment_ == nullptr || stopped_) return false;
  asked_.push_back({number, std::move(question)});
  // Whatever comes first: JavaScript looks up, or the loop does.
  environment_->isolate()->RequestInterrupt(
      [](v8::Isolate* isolate, void* self) {
        static_cast<WorkerThread*>(self)->answer_questions(Environment::of(isolate));
      },
      this);
  environment_->loop().post([self = shared_from_this(), environment = environment_] {
    self->answer_questions(*environment);
  });
  return true;
}

WorkerThread::Limits WorkerThread::limits() const {
  const std::lock_guard guard(mutex_);
  return settings_.limits;
}

double WorkerThread::loop_start_ms() const noexcept {
  const std::int64_t at_ns = loop_start_ns_.load(std::memory_order_acquire);
  return at_ns == 0 ? -1 : static_cast<double>(at_ns) / 1e6;
}

double WorkerThread::loop_idle_ms() const {
  const std::lock_guard guard(mutex_);
  if (environment_ == nullptr) return 0;
  const Pulse pulse = environment_->loop().pulse();
  std::chrono::nanoseconds idle = pulse.idle;
  if (pulse.asleep) {
    const std::chrono::nanoseconds now(static_cast<std::int64_t>(monotonic_ns()));
    if (now > pulse.read_at) idle += now - pulse.read_at;
  }
  return std::chrono::duration<double, std::milli>(idle).count();
}

// ---- On its own thread --------------------------------------------------------------------------

void WorkerThread::run() {
  ::pthread_setname_np(::pthread_self(), settings_.name.substr(0, kNameLength).c_str());
  std::string failure;
  try {
    run_program();
  } catch (const std::bad_alloc&) {
    failure = "ENOMEM";
  } catch (const std::system_error& error) {
    const char* name = ::strerrorname_np(error.code().value());
    failure = name != nullptr ? name : error.what();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  if (!failure.empty()) {
    const std::lock_guard guard(mutex_);
    end_ = {0, "ERR_WORKER_INIT_FAILED", failure};  // it had no program that could fail
  }
  port_.reset();
  report_end();
}

void WorkerThread::run_program() {
  const LoopsWithoutHost without_host;
  Loop loop({.timer_start = TimerStart::present});
  v8::ResourceConstraints constraints;
  configure(constraints);
  Instance instance(loop, {.worker = this}, &constraints);
  v8::Isolate* isolate = instance.isolate();
  isolate->SetStackLimit(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) -
                         (stack_size_ - kStackReserve));
  isolate->AddNearHeapLimitCallback(near_heap_limit, this);
  // --abort-on-uncaught-exception is for the main thread: errors here are reported to the parent.
  isolate->SetAbortOnUncaughtExceptionCallback([](v8::Isolate*) { return false; });
  instance.environment().set_env_store(settings_.env);
  publish(&instance.environment());
  int exit_code = 1;
  if (!instance.environment().ended()) {
    const v8::HandleScope scope(isolate);
    std::ignore = instance.start(settings_.info);
  }
  loop_start_ns_.store(static_cast<std::int64_t>(monotonic_ns()), std::memory_order_release);
  exit_code = instance.run();
  instance.environment().finish_inspection();
  WorkerTargets::instance().remove(id_);
  publish(nullptr);
  isolate->CancelTerminateExecution();
  builtin_code_.leave(isolate);
  const std::lock_guard guard(mutex_);
  end_.exit_code = end_.error.empty() ? exit_code : 1;
}

void WorkerThread::configure(v8::ResourceConstraints& constraints) {
  set_heap_sizes(constraints, kInitialSemiSpaceOfWorkerMiB);
  const std::lock_guard guard(mutex_);
  Limits& limits = settings_.limits;
  if (limits[kMaxYoungGenerationSizeMb] <= 0 && limits[kMaxOldGenerationSizeMb] > 0) {
    // A small old generation implies a small young one, as for --max-old-space-size.
    const double semi_space =
        std::clamp(limits[kMaxOldGenerationSizeMb] / 8, 1.0, static_cast<double>(kMaxSemiSpaceMiB));
    limits[kMaxYoungGenerationSizeMb] = 3 * semi_space;
  }
  if (limits[kMaxYoungGenerationSizeMb] > 0) {
    constraints.set_initial_young_generation_size_in_bytes(0);
    constraints.set_max_young_generation_size_in_bytes(to_bytes(limits[kMaxYoungGenerationSizeMb]));
  } else {
    limits[kMaxYoungGenerationSizeMb] = to_mib(constraints.max_young_generation_size_in_bytes());
  }
  if (limits[kMaxOldGenerationSizeMb] > 0) {
    constraints.set_max_old_generation_size_in_bytes(to_bytes(limits[kMaxOldGenerationSizeMb]));
  } else {
    limits[kMaxOldGenerationSizeMb] = to_mib(constraints.max_old_generation_size_in_bytes());
  }
  if (limits[kCodeRangeSizeMb] > 0) {
    constraints.set_code_range_size_in_bytes(to_bytes(limits[kCodeRangeSizeMb]));
  } else {
    limits[kCodeRangeSizeMb] = to_mib(constraints.code_range_size_in_bytes());
  }
}

/// From now on, or until now, the parent may stop it and ask it.
void WorkerThread::publish(Environment* environment) {
  const std::lock_guard guard(mutex_);
  environment_ = environment;
  asked_.clear();
  if (environment != nullptr && stopped_) environment->stop_from_any_thread();
}

std::size_t WorkerThread::near_heap_limit(void* self, std::size_t current,
                                          std::size_t /*initial*/) {
  auto& thread = *static_cast<WorkerThread*>(self);
  const std::lock_guard guard(thread.mutex_);
  if (thread.end_.error.empty()) {
    thread.end_ = {1, "ERR_WORKER_OUT_OF_MEMORY", "JS heap out of memory"};
  }
  thread.stopped_ = true;
  if (thread.environment_ != nullptr) thread.environment_->stop_from_any_thread();
  return current + kHeapAllowance;
}

void WorkerThread::answer_questions(Environment& environment) {
  for (;;) {
    Asked asked;
    {
      const std::lock_guard guard(mutex_);
      if (asked_.empty()) return;
      asked = std::move(asked_.front());
      asked_.pop_front();
    }
    Answer answer = asked.question(environment);
    const std::lock_guard guard(mutex_);
    if (parent_loop_ == nullptr) return;
    parent_loop_->post([self = shared_from_this(), number = asked.number,
                        answer = std::make_shared<Answer>(std::move(answer))] {
      if (self->parent_ != nullptr) self->parent_->answered(number, *answer);
    });
  }
}

void WorkerThread::report_end() {
  ended_.store(true, std::memory_order_release);
  const std::lock_guard guard(mutex_);
  if (parent_loop_ == nullptr) return;
  // A Worker that is referenced keeps the loop alive itself.
  parent_loop_->core().post_unreferenced([self = shared_from_this()] {
    if (self->parent_ != nullptr) self->parent_->ended(self->end_);
  });
}

}  // namespace rondo
