#include "runtime/interjection.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <fstream>
#include <mutex>
#include <string_view>
#include <utility>

#include "io/interrupted.h"
#include "runtime/environment.h"

namespace rondo {

/// Outlives the object: V8 may come back to what it was asked for at any time.
struct Interjection::State {
  std::mutex asking;  // held by the thread that asks: one at a time
  std::mutex mutex;   // guards the rest
  std::condition_variable changed;
  Environment* environment;    // null when it is gone
  const Body* body = nullptr;  // what is asked for, until somebody begins it
  bool is_running = false;

  void serve();
};

namespace {

// Real-time signals come one by one and mean nothing to anybody else.
int wake_signal() noexcept {
  return SIGRTMAX - 3;
}

thread_local Interjection* current = nullptr;

/// Its only effect is that the system call under way returns.
void on_wake_signal(int /*number*/) {}

void catch_wake_signal() {
  struct sigaction action{};
  action.sa_handler = on_wake_signal;
  action.sa_flags = SA_ONSTACK;  // not SA_RESTART
  sigfillset(&action.sa_mask);
  ::sigaction(wake_signal(), &action, nullptr);
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
  current = this;
  detail::on_interrupted = []() noexcept {
    if (current != nullptr) current->state_->serve();
  };
  catch_wake_signal();
}

Interjection::~Interjection() {
  detail::on_interrupted = nullptr;
  current = nullptr;
  const std::lock_guard guard(state_->mutex);
  state_->environment = nullptr;
}

bool Interjection::run(const Body& body, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kForV8{3};
  constexpr std::chrono::milliseconds kBetweenSignals{2};
  State& state = *state_;
  const std::lock_guard alone(state.asking);
  std::unique_lock lock(state.mutex);
  if (state.environment == nullptr) return false;
  state.body = &body;
  auto* link = new std::shared_ptr<State>(state_);
  environment_.isolate()->RequestInterrupt(
      [](v8::Isolate* /*isolate*/, void* data) {
        const std::unique_ptr<std::shared_ptr<State>> held(
            static_cast<std::shared_ptr<State>*>(data));
        (*held)->serve();
      },
      link);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto is_done = [&] { return state.body == nullptr && !state.is_running; };
  bool done = state.changed.wait_for(lock, kForV8, is_done);
  while (!done && std::chrono::steady_clock::now() < deadline) {
    // A signal that comes just before the call does not interrupt it: again and again, then.
    if (state.body != nullptr && !system_call().empty()) ::pthread_kill(thread_, wake_signal());
    done = state.changed.wait_for(lock, kBetweenSignals, is_done);
  }
  if (state.body != nullptr) {
    state.body = nullptr;
    return false;
  }
  state.changed.wait(lock, is_done);
  return true;
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

std::string Interjection::system_call() const {
  std::ifstream file("/proc/self/task/" + std::to_string(thread_id_) + "/syscall");
  std::string word;
  if (!(file >> word) || word == "running" || word == "-1") return {};
  long number = -1;
  std::from_chars(word.data(), word.data() + word.size(), number);
  for (const SystemCall& call : kNames) {
    if (call.number == number) return std::string(call.name);
  }
  return "number " + word;
}

}  // namespace rondo
