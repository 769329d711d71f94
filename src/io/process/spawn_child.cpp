#include "io/process/spawn_child.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <string_view>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

#ifdef __GLIBC__
// clone(2) under its other name: the first one is intercepted by ThreadSanitizer, which takes the
// child for a fork and, our memory being shared, stops watching us.
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);
#define RONDO_CLONE __clone
#else
#define RONDO_CLONE ::clone
#endif

namespace rondo {

namespace {

// ---- In the child ------------------------------------------------------------------------------

// No function of the C library but syscall(): some keep state of the thread or the process, which
// is our parent's here (setuid() even makes all his threads follow), and a sanitizer keeps books on
// them. For the same reason nothing here is instrumented.
#define RONDO_IN_CHILD __attribute__((no_sanitize("address,thread,undefined"), noinline))

/// The layout the kernel knows, which is not that of sigaction(2).
struct KernelSigaction {
  std::uintptr_t handler;
  unsigned long flags;
  std::uintptr_t restorer;
  std::uint64_t mask;
};

/// Everything the child needs, in plain arrays.
struct Order {
  const char* const* candidates;
  const char* const* argv;
  const char* const* env;
  const char* cwd;
  int* descriptors;
  int descriptor_count;
  bool new_session;
  bool new_group;
  bool takes_terminal;
  const ResourceLimit* limits;
  std::size_t limit_count;
  const uid_t* uid;
  const gid_t* gid;
  const gid_t* groups;
  std::size_t group_count;
  bool set_groups;
  bool groups_may_fail;
  volatile int error;
};

RONDO_IN_CHILD bool reset_signals() {
  // A handler of our parent's must not run here, and what he ignores the new program need not.
  KernelSigaction by_default{};
  for (int signum = 1; signum <= 64; ++signum) {
    if (signum == SIGKILL || signum == SIGSTOP) continue;
    ::syscall(SYS_rt_sigaction, signum, &by_default, nullptr, sizeof(std::uint64_t));
  }
  return true;
}

RONDO_IN_CHILD bool place_descriptors(const Order& order) {
  const int count = order.descriptor_count;
  // First those whose number another one needs.
  for (int i = 0; i < count; ++i) {
    const int source = order.descriptors[i];
    if (source == i || source >= count || source == ChildPlan::kClosed) continue;
    const long moved = ::syscall(SYS_fcntl, source, F_DUPFD_CLOEXEC, count);
    if (moved < 0) return false;
    order.descriptors[i] = static_cast<int>(moved);
  }
  for (int i = 0; i < count; ++i) {
    if (order.descriptors[i] == ChildPlan::kClosed) {
      ::syscall(SYS_close, i);  // it may be one end of a pipe by now
    } else if (order.descriptors[i] == i) {
      if (::syscall(SYS_fcntl, i, F_SETFD, 0) < 0) return false;
    } else if (::syscall(SYS_dup3, order.descriptors[i], i, 0) < 0) {
      return false;
    }
  }
  // All others end with the exec, also those that another thread has just opened carelessly.
  if (::syscall(SYS_close_range, count, UINT_MAX, CLOSE_RANGE_CLOEXEC) < 0) {
    rlimit limit{};  // Linux before 5.11
    ::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit);
    const long end = limit.rlim_cur < 65536 ? static_cast<long>(limit.rlim_cur) : 65536;
    for (long i = count; i < end; ++i) ::syscall(SYS_fcntl, i, F_SETFD, FD_CLOEXEC);
  }
  return true;
}

RONDO_IN_CHILD bool set_limits(const Order& order) {
  for (std::size_t i = 0; i < order.limit_count; ++i) {
    const ResourceLimit& one = order.limits[i];
    const rlimit limit{.rlim_cur = one.soft, .rlim_max = one.hard};
    if (::syscall(SYS_prlimit64, 0, one.resource, &limit, nullptr) < 0) return false;
  }
  return true;
}

RONDO_IN_CHILD bool join_session(const Order& order) {
  if (order.new_session) return ::syscall(SYS_setsid) >= 0;
  return !order.new_group || ::syscall(SYS_setpgid, 0, 0) == 0;
}

RONDO_IN_CHILD bool change_identity(const Order& order) {
  if (order.set_groups && ::syscall(SYS_setgroups, order.group_count, order.groups) < 0 &&
      !order.groups_may_fail) {
    return false;
  }
  if (order.gid != nullptr && ::syscall(SYS_setgid, *order.gid) < 0) return false;
  return order.uid == nullptr || ::syscall(SYS_setuid, *order.uid) == 0;
}

/// Tries one path after the other like execvp(3), but never a shell.
RONDO_IN_CHILD void execute(const Order& order) {
  bool forbidden = false;
  for (const char* const* path = order.candidates; *path != nullptr; ++path) {
    ::syscall(SYS_execve, *path, order.argv, order.env);
    if (errno == EACCES) {
      forbidden = true;
    } else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE && errno != ENODEV &&
               errno != ETIMEDOUT) {
      return;
    }
  }
  if (forbidden) errno = EACCES;
}

RONDO_IN_CHILD int child_main(void* argument) {
  Order& order = *static_cast<Order*>(argument);
  errno = 0;
  const std::uint64_t no_signals = 0;
  if (reset_signals() && join_session(order) && place_descriptors(order) &&
      (!order.takes_terminal || ::syscall(SYS_ioctl, 0, TIOCSCTTY, 0) == 0) && set_limits(order) &&
      (order.cwd == nullptr || ::syscall(SYS_chdir, order.cwd) == 0) && change_identity(order) &&
      ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, nullptr, sizeof(no_signals)) == 0) {
    errno = ENOENT;  // of an empty name, for which there is nothing to try
    execute(order);
  }
  order.error = errno;
  return 127;
}

// ---- In the parent -----------------------------------------------------------------------------

/// No signal is handled while this exists: a handler would run in the child, in our memory.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() noexcept { mask(~std::uint64_t{0}, &before_); }
  ~AllSignalsBlocked() { mask(before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  static void mask(std::uint64_t set, std::uint64_t* before) noexcept {
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &set, before, sizeof(set));
  }
  std::uint64_t before_ = 0;
};

}  // namespace

std::vector<std::string> search_path(const std::string& program, const char* path) {
  if (program.empty()) return {};
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> candidates;
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  for (;;) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    // An empty entry is the current folder, which is the child's.
    std::string candidate(folder.empty() ? std::string_view(".") : folder);
    candidate += '/';
    candidate += program;
    candidates.push_back(std::move(candidate));
    if (folder.size() == rest.size()) return candidates;
    rest.remove_prefix(folder.size() + 1);
  }
}

Expected<Child> spawn_child(const ChildPlan& plan) {
  std::vector<const char*> candidates;
  candidates.reserve(plan.candidates.size() + 1);
  for (const std::string& path : plan.candidates) candidates.push_back(path.c_str());
  candidates.push_back(nullptr);
  std::vector<int> descriptors = plan.descriptors;

  const bool new_identity = plan.uid.has_value() || plan.gid.has_value();
  Order order{
      .candidates = candidates.data(),
      .argv = plan.argv.data(),
      .env = plan.env.data(),
      .cwd = plan.cwd,
      .descriptors = descriptors.data(),
      .descriptor_count = static_cast<int>(descriptors.size()),
      .new_session = plan.new_session,
      .new_group = plan.new_group,
      .takes_terminal = plan.takes_terminal,
      .limits = plan.limits.data(),
      .limit_count = plan.limits.size(),
      .uid = plan.uid.has_value() ? &*plan.uid : nullptr,
      .gid = plan.gid.has_value() ? &*plan.gid : nullptr,
      .groups = plan.groups.has_value() ? plan.groups->data() : nullptr,
      .group_count = plan.groups.has_value() ? plan.groups->size() : 0,
      // Another user does not keep our groups. Without the permission to drop them, setting the uid
      // fails.
      .set_groups = plan.groups.has_value() || new_identity,
      .groups_may_fail = !plan.groups.has_value(),
      .error = 0,
  };

  // The child's stack, inside our own: we stand still while it is used.
  alignas(16) std::array<std::byte, 16 * 1024> stack;
  int pidfd = -1;
  pid_t pid = -1;
  int clone_error = 0;
  // A process that changes its identity is no longer traced or dumped: a property of its memory,
  // which is ours.
  const int dumpable = new_identity ? ::prctl(PR_GET_DUMPABLE) : -1;
  {
    const AllSignalsBlocked blocked;
    // No signal for a child that fails; exec makes it SIGCHLD.
    pid = RONDO_CLONE(&child_main, stack.data() + stack.size(),
                      CLONE_VM | CLONE_VFORK | CLONE_PIDFD, &order, &pidfd);
    clone_error = errno;
  }
  if (dumpable == 1) ::prctl(PR_SET_DUMPABLE, 1);
  if (pid < 0) return std::unexpected(errno_code(clone_error));
  Child child{pid, Descriptor(pidfd)};
  if (order.error != 0 || !child.pidfd) {
    if (order.error == 0) {  // Linux before 5.2 has no pidfd to give
      ::kill(pid, SIGKILL);
      order.error = ENOSYS;
    }
    while (::waitpid(pid, nullptr, __WALL) < 0 && errno == EINTR) {
    }
    return std::unexpected(errno_code(order.error));
  }
  return child;
}

}  // namespace rondo
