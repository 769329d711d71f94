#include "cli/prepare_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rondo/terminal.h"

namespace rondo {
namespace {

// Otherwise the first file that the program opens would become its standard output.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDWR) == descriptor) continue;
    std::fprintf(stderr, "rondo: cannot open /dev/null as descriptor %d: %s\n", descriptor,
                 std::strerror(errno));
    std::exit(1);
  }
}

// What the starter ignores or blocks would be ignored or blocked here too.
void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    struct sigaction now{};
    const bool ignore = number == SIGPIPE || number == SIGXFSZ;
    if (!ignore && (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_IGN)) continue;
    struct sigaction wanted{};
    wanted.sa_handler = ignore ? SIG_IGN : SIG_DFL;
    ::sigaction(number, &wanted, nullptr);
  }
}

void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

constexpr int kMiB = 1024 * 1024;
constexpr int kHugeHeap = 128 * kMiB;  // this much of malloc()'s heap is made of huge pages

// Buffers of up to a few megabytes come and go. By default the C library gives their memory back to
// the kernel at once, and each page of the next one is a page fault: half of the cost of reading a
// file of 1 MiB.
void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD,
            16 * kMiB);  // larger blocks are mapped on their own, and unmapped when they are freed
  // How much free memory is kept at the end of the heap, besides what was never used.
  ::mallopt(M_TRIM_THRESHOLD, 64 * kMiB + kHugeHeap);
}

// A program starts with more than a megabyte of allocations, mostly V8's tables, and buffers of
// files and sockets follow: one page fault for 2 MiB of them, where the kernel allows that
// (transparent_hugepage is "madvise" or "always").
void put_huge_pages_into_heap() {
  constexpr std::uintptr_t kHugePage = 2 * kMiB;
  constexpr std::uintptr_t kBefore = 128 * 1024;
  constexpr std::uintptr_t kPage = 4096;
  // malloc()'s next block of memory is to begin a little before a huge page; what is skipped is
  // never touched.
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  const std::uintptr_t padding = -(end + kBefore) & (kHugePage - 1);
  const std::uintptr_t huge = end + padding + kBefore;
  if (::sbrk(static_cast<std::intptr_t>(padding)) != reinterpret_cast<void*>(end)) return;
  ::mallopt(M_TOP_PAD, kHugeHeap);
  // Too much for what malloc() has now, and little enough that nothing is written to the first huge
  // page before it is one.
  void* volatile block = std::malloc(kBefore - kPage);  // volatile: or it would be left out
  const bool is_there = reinterpret_cast<std::uintptr_t>(::sbrk(0)) >= huge + kHugeHeap;
  if (is_there) ::madvise(reinterpret_cast<void*>(huge), kHugeHeap, MADV_HUGEPAGE);
  std::free(block);
  ::mallopt(M_TOP_PAD, kHugePage);
}

}  // namespace

void prepare_process() {
  open_standard_streams();
  reset_signals();
  raise_file_limit();
  keep_freed_memory();
  put_huge_pages_into_heap();
}

void restore_terminals_on_signals() {
  for (const int signum : {SIGINT, SIGTERM}) {
    struct sigaction now{};
    if (::sigaction(signum, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_handler = [](int number) {
      restore_terminals();
      ::raise(number);  // when this returns, with the default action
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigfillset(&action.sa_mask);
    ::sigaction(signum, &action, nullptr);
  }
}

}  // namespace rondo
