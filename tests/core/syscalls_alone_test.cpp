// With an immediate always waiting and no I/O, an iteration makes no system call. The kernel is the
// witness: in strict seccomp mode it kills a process that makes any but read, write and exit.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "rondo/rondo.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RONDO_SKIP_UNDER_SANITIZER() \
  GTEST_SKIP() << "the sanitizer's runtime makes system calls of its own"
#else
#define RONDO_SKIP_UNDER_SANITIZER() static_cast<void>(0)
#endif

namespace rondo::test {
namespace {

using namespace std::chrono_literals;

constexpr int kWarmUp = 1'000;
constexpr int kIterations = 100'000;

/// From here on any system call but read, write and exit kills this process.
void forbid_system_calls() {
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) ::_exit(2);
}

/// The same with a filter, for strict mode also forbids to read the processor's clock.
void forbid_system_calls_but_not_the_clock() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const sock_fprog filter = {.len = std::size(program), .filter = program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(2);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) ::_exit(2);
}

[[noreturn]] void end_well() {
  ::syscall(SYS_exit, 0);  // not exit_group, which _exit() makes and strict mode forbids
  __builtin_unreachable();
}

/// Runs `child` in a process of its own and says how that ended: "exit 0", "signal 9".
std::string end_of(const std::function<void()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    child();
    ::_exit(3);
  }
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid) return "no child";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit " + std::to_string(WEXITSTATUS(status));
}

/// An immediate that sets the next one. After the warm-up it forbids system calls, and when it has
/// iterated often enough it ends the process.
struct Turning {
  Loop* loop;
  void (*forbid)() = forbid_system_calls;
  int iteration = 0;
  void operator()() const {
    if (iteration == kWarmUp) forbid();
    if (iteration == kWarmUp + kIterations) end_well();
    loop->set_immediate(Turning{loop, forbid, iteration + 1});
  }
};

void turn(LoopOptions options, const std::function<void(Loop&)>& prepare) {
  Loop loop(options);
  prepare(loop);
  loop.set_immediate(Turning{&loop});
  loop.run();
}

/// Reading the clock is a system call where the kernel cannot offer it in user space.
bool clock_needs_no_system_call() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return file >> source &&
         (source == "tsc" || source == "kvm-clock" || source == "hyperv_clocksource_tsc_page" ||
          source == "arch_sys_counter");
}

TEST(SystemCalls, AProcessThatMakesOneIsKilledHere) {
  RONDO_SKIP_UNDER_SANITIZER();
  EXPECT_EQ(end_of([] {
              forbid_system_calls();
              ::syscall(SYS_getppid);
              end_well();
            }),
            "signal " + std::to_string(SIGKILL));
}

TEST(SystemCalls, ALoopThatMakesOneIsKilledHere) {
  RONDO_SKIP_UNDER_SANITIZER();
  EXPECT_EQ(end_of([] {
              VirtualClock clock;
              turn({.clock = &clock}, [](Loop& loop) {
                loop.on_prepare([count = 0]() mutable {
                  if (++count == kWarmUp + 100) ::syscall(SYS_getppid);
                });
              });
            }),
            "signal " + std::to_string(SIGKILL));
}

TEST(SystemCalls, AnIterationWithAnImmediateWaitingMakesNone) {
  RONDO_SKIP_UNDER_SANITIZER();
  EXPECT_EQ(end_of([] {
              VirtualClock clock;
              turn({.clock = &clock}, [](Loop&) {});
            }),
            "exit 0");
}

TEST(SystemCalls, NorWithTheSystemClock) {
  RONDO_SKIP_UNDER_SANITIZER();
  if (!clock_needs_no_system_call()) GTEST_SKIP() << "reading this machine's clock needs one";
  EXPECT_EQ(end_of([] {
              forbid_system_calls_but_not_the_clock();
              ::syscall(SYS_getppid);
            }),
            "signal " + std::to_string(SIGSYS));
  EXPECT_EQ(end_of([] {
              Loop loop;
              loop.set_immediate(Turning{&loop, forbid_system_calls_but_not_the_clock});
              loop.run();
            }),
            "exit 0");
}

TEST(SystemCalls, NorWithTimersTicksHooksDeferredAndPostedCallbacks) {
  RONDO_SKIP_UNDER_SANITIZER();
  EXPECT_EQ(end_of([] {
              VirtualClock clock;
              turn({.clock = &clock}, [&](Loop& loop) {
                loop.set_interval(1ms, [] {});
                loop.set_timeout(1h, [] {});
                loop.on_check([&loop, &clock] {
                  clock.advance(1ms);
                  loop.next_tick([] {});
                  loop.queue_microtask([] {});
                  loop.defer([] {});
                  loop.post([] {});
                  loop.queue_close([] {});
                });
              });
            }),
            "exit 0");
}

TEST(SystemCalls, NorAfterTheLoopHasSlept) {
  RONDO_SKIP_UNDER_SANITIZER();
  EXPECT_EQ(end_of([] {
              VirtualClock clock;
              Loop loop({.clock = &clock});
              loop.set_timeout(10ms, [] {});
              loop.run();
              if (loop.metrics().waits == 0) ::_exit(4);
              loop.set_immediate(Turning{&loop});
              loop.run();
            }),
            "exit 0");
}

TEST(SystemCalls, NorWithAnIdleDescriptorOnUring) {
  RONDO_SKIP_UNDER_SANITIZER();
  if (Loop().backend() != "uring") GTEST_SKIP() << "epoll has to ask for each descriptor";
  EXPECT_EQ(end_of([] {
              int ends[2];
              if (::pipe(ends) != 0) ::_exit(4);
              VirtualClock clock;
              Loop loop({.clock = &clock});
              Poll poll(loop, ends[0]);
              if (!poll.start(PollEvents::readable, [](PollEvents) {})) ::_exit(5);
              loop.set_immediate(Turning{&loop});
              loop.run();
            }),
            "exit 0");
}

}  // namespace
}  // namespace rondo::test
