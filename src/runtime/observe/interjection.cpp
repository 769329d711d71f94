#include "runtime/observe/interjection.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <fstream>
#include <mutex>
#include <string_view>
#include <utility>

#include "io/backend/interrupted.h"
#include "runtime/engine/environment.h"

namespace rondo {

namespace {

/// Filled by a signal handler.
struct RawSample {
  RawSample() { ::sem_init(&done, 0, 0); }
  ~RawSample() { ::sem_destroy(&done); }
  RawSample(const RawSample&) = delete;
  RawSample& operator=(const RawSample&) = delete;

  v8::Isolate* isolate = nullptr;
  std::array<void*, 64> frames{};
  v8::SampleInfo info{};
  sem_t done{};
};

}  // namespace

/// Outlives the object: V8 may come back to what it was asked for at any time.
struct Interjection::State {
  std::mutex asking;  // held by the thread that asks: one at a time
  std::mutex mutex;   // guards the rest
  std::condition_variable changed;
  Environment* environment;    // null when it is gone
  const Body* body = nullptr;  // what is asked for, until it begins
  bool is_running = false;
  bool is_requested = false;  // V8 was asked to call, and has not
  RawSample sample;           // held by the asking thread: `asking`
  unsigned late_samples = 0;  // that were given up, and may still come

  void serve();
};

namespace {

// Real-time signals are queued one by one, and have no other meaning.
int wake_signal() noexcept {
  return SIGRTMAX - 3;
}

thread_local Interjection* current = nullptr;

/// Its only effect is that the current system call returns.
void on_wake_signal(int /*number*/) {}

void catch_wake_signal() {
  struct sigaction action{};
  action.sa_handler = on_wake_signal;
  action.sa_flags = SA_ONSTACK;  // not SA_RESTART
  sigfillset(&action.sa_mask);
  ::sigaction(wake_signal(), &action, nullptr);
}

int sample_signal() noexcept {
  return SIGRTMAX - 4;
}

/// Nothing but what may be done in the middle of anything: V8's sampling is made for that.
void on_sample_signal(int /*number*/, siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || info->si_pid != ::getpid()) return;
  const int error = errno;
  auto& sample = *static_cast<RawSample*>(info->si_value.sival_ptr);
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  v8::RegisterState state;
#if defined(__x86_64__)
  state.pc = reinterpret_cast<void*>(machine.gregs[REG_RIP]);
  state.sp = reinterpret_cast<void*>(machine.gregs[REG_RSP]);
  state.fp = reinterpret_cast<void*>(machine.gregs[REG_RBP]);
#elif defined(__aarch64__)
  state.pc = reinterpret_cast<void*>(machine.pc);
  state.sp = reinterpret_cast<void*>(machine.sp);
  state.fp = reinterpret_cast<void*>(machine.regs[29]);
  state.lr = reinterpret_cast<void*>(machine.regs[30]);
#endif
  sample.isolate->GetStackSample(state, sample.frames.data(), sample.frames.size(), &sample.info);
  ::sem_post(&sample.done);
  errno = error;
}

void catch_sample_signal() {
  struct sigaction action{};
  action.sa_sigaction = on_sample_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  ::sigaction(sample_signal(), &action, nullptr);
}

}  // namespace

void Interjection::State::serve() {
  std::unique_lock lock(mutex);
  if (body == nullptr || environment == nullptr) return;
  const Body& wanted = *std::exchange(body, nullptr);
  is_running = true;
  lock.unlock();
  {
    v8::Isolate* isolate = environment->isolate();
    const v8::HandleScope handles(isolate);
    const v8::Context::Scope inside(environment->context());
    const v8::TryCatch caught(isolate);  // no stack left, for example
    wanted(*environment);
  }
  lock.lock();
  is_running = false;
  changed.notify_all();
}

Interjection::Interjection(Environment& environment)
    : environment_(environment),
      thread_(::pthread_self()),
      thread_id_(static_cast<pid_t>(::syscall(SYS_gettid))),
      state_(std::make_shared<State>()) {
  state_->environment = &environment;
  ::pthread_getcpuclockid(thread_, &clock_);
  current = this;
  detail::on_interrupted = []() noexcept {
    if (current != nullptr) current->state_->serve();
  };
  catch_wake_signal();
  state_->sample.isolate = environment.isolate();
  catch_sample_signal();
}

Interjection::~Interjection() {
  detail::on_interrupted = nullptr;
  current = nullptr;
  const std::lock_guard guard(state_->mutex);
  state_->environment = nullptr;
}

// It is waited for as long as the thread may still come to where it can answer: on a busy machine
// it may not run at all for a while, and that says nothing.
bool Interjection::run(const Body& body) {
  constexpr std::chrono::milliseconds kBetweenLooks{2};
  constexpr std::chrono::nanoseconds kMostOwnTime = std::chrono::milliseconds(20);
  constexpr int kMostSignals = 10;
  State& state = *state_;
  const std::lock_guard alone(state.asking);
  std::unique_lock lock(state.mutex);
  if (state.environment == nullptr) return false;
  state.body = &body;
  request_interrupt();
  const std::chrono::nanoseconds began = own_time();
  const auto is_done = [&] { return state.body == nullptr && !state.is_running; };
  int signals = 0;
  while (!state.changed.wait_for(lock, kBetweenLooks, is_done)) {
    if (state.body == nullptr) continue;  // it is being answered
    if (own_time() - began >= kMostOwnTime || signals == kMostSignals) {
      state.body = nullptr;
      return false;
    }
    // A signal that comes just before the call does not interrupt it: again and again, then.
    if (is_waiting()) {
      ++signals;
      ::pthread_kill(thread_, wake_signal());
    }
  }
  return true;
}

Interjection::Sample Interjection::sample() {
  constexpr long kMostWait = 50'000'000;  // ns
  State& state = *state_;
  const std::lock_guard alone(state.asking);
  RawSample& raw = state.sample;
  const auto wait = [&] {
    timespec until{};
    ::clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kMostWait;
    if (until.tv_nsec >= 1'000'000'000) {
      ++until.tv_sec;
      until.tv_nsec -= 1'000'000'000;
    }
    while (::sem_timedwait(&raw.done, &until) != 0) {
      if (errno != EINTR) return false;
    }
    return true;
  };
  // The one that was asked for before writes to the same variable.
  for (; state.late_samples > 0; --state.late_samples) {
    if (!wait()) return {};
  }
  raw.info = {};
  sigval value{};
  value.sival_ptr = &raw;
  if (::pthread_sigqueue(thread_, sample_signal(), value) != 0) return {};
  if (!wait()) {
    ++state.late_samples;
    return {};
  }
  const std::size_t count = std::min(raw.info.frames_count, raw.frames.size());
  Sample sample;
  sample.frames.assign(raw.frames.data(), raw.frames.data() + count);
  sample.in_collection = raw.info.vm_state == v8::GC;
  return sample;
}

// One at a time: V8 keeps all that it has not come to.
void Interjection::request_interrupt() {
  if (std::exchange(state_->is_requested, true)) return;
  environment_.isolate()->RequestInterrupt(
      [](v8::Isolate* /*isolate*/, void* data) {
        const std::unique_ptr<std::shared_ptr<State>> held(
            static_cast<std::shared_ptr<State>*>(data));
        State& state = **held;
        {
          const std::lock_guard guard(state.mutex);
          state.is_requested = false;
        }
        state.serve();
      },
      new std::shared_ptr<State>(state_));
}

/// The time that the thread has had on a processor.
std::chrono::nanoseconds Interjection::own_time() const noexcept {
  timespec time{};
  ::clock_gettime(clock_, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

namespace {

struct SystemCall {
  long number;
  std::string_view name;
};

// Those that can take long.
constexpr SystemCall kNames[] = {
    {SYS_read, "read"},
    {SYS_pread64, "pread64"},
    {SYS_preadv2, "preadv2"},
    {SYS_readv, "readv"},
    {SYS_write, "write"},
    {SYS_pwrite64, "pwrite64"},
    {SYS_pwritev2, "pwritev2"},
    {SYS_writev, "writev"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_ppoll, "ppoll"},
    {SYS_fsync, "fsync"},
    {SYS_fdatasync, "fdatasync"},
    {SYS_futex, "futex"},
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_connect, "connect"},
    {SYS_flock, "flock"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_statx, "statx"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_getdents64, "getdents64"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_epoll_pwait2, "epoll_pwait2"},
#ifdef SYS_poll
    {SYS_poll, "poll"},
    {SYS_open, "open"},
    {SYS_epoll_wait, "epoll_wait"},
#endif
};

}  // namespace

namespace {

/// "running", or the number of a system call and more, or -1 for something else that waits.
std::string read_call(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/syscall");
  std::string word;
  file >> word;
  return word;
}

}  // namespace

bool Interjection::is_waiting() const {
  return read_call(thread_id_) != "running";
}

std::string Interjection::system_call() const {
  const std::string word = read_call(thread_id_);
  if (word.empty() || word == "running" || word == "-1") return {};
  long number = -1;
  std::from_chars(word.data(), word.data() + word.size(), number);
  for (const SystemCall& call : kNames) {
    if (call.number == number) return std::string(call.name);
  }
  return "number " + word;
}

}  // namespace rondo
