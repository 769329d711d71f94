#include "runtime/inspector/debug_signal.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <v8.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <tuple>
#include <utility>

#include "io/backend/interrupted.h"
#include "runtime/engine/environment.h"
#include "runtime/inspector/inspector.h"

namespace rondo {

namespace {

// Of the process, for the handler. Set once, before there is one.
Environment* environment = nullptr;
pthread_t thread{};
pid_t process = 0;

std::atomic<bool> is_wanted = false;
std::atomic<bool> is_interrupting = false;  // V8 was asked to call
int timer = -1;                             // of the kernel; made by the first signal

/// On the thread, outside of the handler.
void serve() noexcept {
  if (!is_wanted.exchange(false)) return;
  environment->mailbox()->post([](Inspector& inspector) {
    Environment& own = inspector.environment();
    if (!own.started()) return;
    v8::Isolate* isolate = own.isolate();
    const v8::TryCatch caught(isolate);
    v8::Local<v8::Value> listens = v8::True(isolate);
    std::ignore = own.function(LibFunction::inspect)
                      ->Call(own.context(), v8::Undefined(isolate), 1, &listens);
  });
}

std::uintptr_t program_counter(const void* context) noexcept {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(machine.pc);
#endif
}

bool is_generated_code(std::uintptr_t address) noexcept {
  std::array<v8::MemoryRange, v8::Isolate::kMinCodePagesBufferSize> pages;
  const std::size_t count =
      std::min(environment->isolate()->CopyCodePages(pages.size(), pages.data()), pages.size());
  return std::any_of(pages.begin(), pages.begin() + count, [&](const v8::MemoryRange& page) {
    return address - reinterpret_cast<std::uintptr_t>(page.start) < page.length_in_bytes;
  });
}

/// The system calls themselves: the C library's functions may allocate.
void come_again() noexcept {
  if (timer < 0) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    int made = -1;
    if (::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &made) != 0) return;
    timer = made;
  }
  constexpr long kLater = 20'000'000;  // ns
  const itimerspec when{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = kLater}};
  ::syscall(SYS_timer_settime, timer, 0, &when, nullptr);
}

void on_signal(int /*number*/, siginfo_t* info, void* context) {
  const int error = errno;
  if (::getpid() != process) return;  // forked, and about to become another program
  if (::pthread_equal(::pthread_self(), thread) == 0) {
    ::pthread_kill(thread, SIGUSR1);
    errno = error;
    return;
  }
  if (info->si_code != SI_TIMER) is_wanted = true;
  if (is_wanted) {
    if (!is_interrupting && is_generated_code(program_counter(context))) {
      is_interrupting = true;
      environment->isolate()->RequestInterrupt(
          [](v8::Isolate* /*isolate*/, void* /*data*/) {
            is_interrupting = false;
            serve();
          },
          nullptr);
    }
    come_again();
  }
  errno = error;
}

}  // namespace

void listen_to_debug_signal(Environment& own) {
  environment = &own;
  thread = ::pthread_self();
  process = ::getpid();
  detail::on_debug_signal = serve;
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  // Not SA_RESTART: the loop is to come back from its system call.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  ::sigaction(SIGUSR1, &action, nullptr);
}

void block_debug_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace rondo
