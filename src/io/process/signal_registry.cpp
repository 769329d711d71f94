#include "io/process/signal_registry.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

namespace rondo {

/// What the handler sees of one loop. Slots are used again but never freed, so that a handler on
/// another thread may look at one at any time.
struct SignalInbox::Slot {
  std::atomic<std::uint64_t> wanted = 0;      // mask of signals
  std::atomic<std::uint64_t> overflowed = 0;  // came when the pipe was full: reported once each
  std::atomic<std::uint32_t> handlers = 0;    // that are writing to fd just now
  std::atomic<int> fd = -1;
  bool taken = false;    // guarded by the mutex
  Slot* next = nullptr;  // set before the slot is published
};

struct SignalRegistry {
  using Slot = SignalInbox::Slot;

  std::mutex mutex;
  std::array<std::uint32_t, 65> loops_that_want{};  // by signal; guarded by the mutex
  // What a signal did before we caught it. Written before our handler is installed.
  std::array<struct sigaction, 65> before{};
  std::atomic<Slot*> slots = nullptr;
  std::atomic<pid_t> process = 0;
  bool fork_handlers = false;

  Slot* take_slot(int fd);
  void give_back(Slot& slot) noexcept;
  std::error_code install(int signum) noexcept;
  void uninstall(int signum) noexcept;
  void forget_everything() noexcept;
};

namespace {

// Trivially destroyed, hence there for a signal that comes when the program is ending.
constinit SignalRegistry registry;

bool write_byte(int fd, unsigned char byte) noexcept {
  return ::write(fd, &byte, 1) == 1;
}

/// What a fault of the program raises. Continuing after it would only raise it again.
bool is_fault(int signum, const siginfo_t& info) noexcept {
  const bool may_be = signum == SIGSEGV || signum == SIGBUS || signum == SIGFPE ||
                      signum == SIGILL || signum == SIGTRAP || signum == SIGSYS;
  return may_be && info.si_code > 0;  // otherwise a process has sent it
}

void notify(SignalInbox::Slot& slot, int signum) noexcept;

void on_signal(int signum, siginfo_t* info, void* /*context*/) noexcept {
  const int saved_errno = errno;
  if (is_fault(signum, *info)) {
    // Comes again at once, when this returns, and then does what it did before.
    ::sigaction(signum, &registry.before[static_cast<std::size_t>(signum)], nullptr);
  } else if (::getpid() != registry.process.load(std::memory_order_relaxed)) {
    // A forked process that has not got as far as forgetting. The pipes are its parent's.
    ::sigaction(signum, &registry.before[static_cast<std::size_t>(signum)], nullptr);
    ::raise(signum);  // waits, blocked, until this returns
  } else {
    for (auto* slot = registry.slots.load(std::memory_order_acquire); slot != nullptr;
         slot = slot->next) {
      notify(*slot, signum);
    }
  }
  errno = saved_errno;
}

void notify(SignalInbox::Slot& slot, int signum) noexcept {
  const std::uint64_t bit = signal_bit(signum);
  // Announced before looking: the thread that closes the pipe clears `wanted` first, then waits for
  // us.
  slot.handlers.fetch_add(1);
  if ((slot.wanted.load() & bit) != 0) {
    const int fd = slot.fd.load();
    if (!write_byte(fd, static_cast<unsigned char>(signum))) {
      slot.overflowed.fetch_or(bit);
      // Had the reader emptied the pipe meanwhile, it might not look; a zero makes it look.
      write_byte(fd, 0);
    }
  }
  slot.handlers.fetch_sub(1);
}

}  // namespace

// ---- The process -------------------------------------------------------------------------------

SignalRegistry::Slot* SignalRegistry::take_slot(int fd) {
  const std::lock_guard guard(mutex);
  if (!fork_handlers) {
    // A fork in the middle of a change here would leave the child with half of it. The child
    // catches nothing: it does not act for the loops of its parent.
    const int error =
        ::pthread_atfork([] { registry.mutex.lock(); }, [] { registry.mutex.unlock(); },
                         [] {
                           registry.forget_everything();
                           registry.mutex.unlock();
                         });
    if (error != 0) throw std::system_error(errno_code(error), "pthread_atfork");
    fork_handlers = true;
  }
  process.store(::getpid());
  Slot* slot = slots.load();
  while (slot != nullptr && slot->taken) slot = slot->next;
  if (slot == nullptr) {
    slot = new Slot;
    slot->next = slots.load();
    slots.store(slot, std::memory_order_release);
  }
  slot->taken = true;
  slot->overflowed.store(0);
  slot->fd.store(fd);
  return slot;
}

void SignalRegistry::give_back(Slot& slot) noexcept {
  const std::lock_guard guard(mutex);
  std::uint64_t left = slot.wanted.exchange(0);
  for (; left != 0; left &= left - 1) uninstall(std::countr_zero(left) + 1);
  // A handler on another thread may be about to write to the pipe that we are about to close.
  while (slot.handlers.load() != 0) std::this_thread::yield();
  slot.fd.store(-1);
  slot.taken = false;
}

std::error_code SignalRegistry::install(int signum) noexcept {
  const auto index = static_cast<std::size_t>(signum);
  if (loops_that_want[index] == 0) {
    if (::sigaction(signum, nullptr, &before[index]) != 0) return errno_code(errno);
    struct sigaction ours{};
    ours.sa_sigaction = &on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    if (::sigaction(signum, &ours, nullptr) != 0) return errno_code(errno);
  }
  ++loops_that_want[index];
  return {};
}

void SignalRegistry::uninstall(int signum) noexcept {
  const auto index = static_cast<std::size_t>(signum);
  if (loops_that_want[index] == 0) return;
  --loops_that_want[index];
  if (loops_that_want[index] != 0) return;
  // Unless other code has replaced the handler meanwhile: then it stays.
  struct sigaction now{};
  if (::sigaction(signum, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
      now.sa_sigaction == &on_signal) {
    ::sigaction(signum, &before[index], nullptr);
  }
}

void SignalRegistry::forget_everything() noexcept {
  for (int signum = 1; signum <= 64; ++signum) {
    auto& count = loops_that_want[static_cast<std::size_t>(signum)];
    if (count == 0) continue;
    count = 1;
    uninstall(signum);
  }
  for (Slot* slot = slots.load(); slot != nullptr; slot = slot->next) {
    slot->wanted.store(0);
    slot->handlers.store(0);  // those threads do not exist here
  }
}

// ---- One loop ----------------------------------------------------------------------------------

SignalInbox::SignalInbox(Descriptor read_end, Descriptor write_end) noexcept
    : read_end_(std::move(read_end)), write_end_(std::move(write_end)) {}

Expected<std::unique_ptr<SignalInbox>> SignalInbox::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return std::unexpected(errno_code(errno));
  std::unique_ptr<SignalInbox> inbox(new SignalInbox(Descriptor(ends[0]), Descriptor(ends[1])));
  inbox->slot_ = registry.take_slot(ends[1]);
  return inbox;
}

SignalInbox::~SignalInbox() {
  if (slot_ != nullptr) registry.give_back(*slot_);
}

std::error_code SignalInbox::add(int signum) {
  const std::uint64_t bit = signal_bit(signum);
  if (bit == 0 || signum == SIGKILL || signum == SIGSTOP) return errno_code(EINVAL);
  const std::lock_guard guard(registry.mutex);
  if ((slot_->wanted.load() & bit) != 0) return {};
  registry.process.store(::getpid());
  slot_->wanted.fetch_or(bit);  // first: the first signal that the handler sees is not lost
  const std::error_code error = registry.install(signum);
  if (error) slot_->wanted.fetch_and(~bit);
  return error;
}

void SignalInbox::remove(int signum) noexcept {
  const std::uint64_t bit = signal_bit(signum);
  const std::lock_guard guard(registry.mutex);
  // A forked process has forgotten what its parent wanted.
  if ((slot_->wanted.load() & bit) == 0) return;
  registry.uninstall(signum);
  slot_->wanted.fetch_and(~bit);
}

std::size_t SignalInbox::read(std::span<unsigned char> out) noexcept {
  const ssize_t count = ::read(read_end_.get(), out.data(), out.size());
  const std::size_t taken = count > 0 ? static_cast<std::size_t>(count) : 0;
  if (taken == out.size()) {
    // There is more, or there was just as much as we asked for: come back for what found no room.
    if (slot_->overflowed.load() != 0) ring();
    return taken;
  }
  // The pipe is empty: what found no room in it comes now.
  std::uint64_t overflowed = slot_->overflowed.exchange(0);
  std::size_t filled = taken;
  for (; overflowed != 0 && filled != out.size(); overflowed &= overflowed - 1) {
    out[filled++] = static_cast<unsigned char>(std::countr_zero(overflowed) + 1);
  }
  if (overflowed != 0) {
    slot_->overflowed.fetch_or(overflowed);
    ring();
  }
  return filled;
}

void SignalInbox::ring() noexcept {
  write_byte(write_end_.get(), 0);
}

}  // namespace rondo
