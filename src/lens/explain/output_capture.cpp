#include "lens/explain/output_capture.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

namespace rondo::lens {

namespace {

using namespace std::chrono_literals;

/// The program's own descriptors have the numbers that they have without us.
constexpr int kFirstDescriptor = 200;
constexpr int kPipeSize = 1024 * 1024;
/// The loop takes what a callback has printed when it ends: only what stays is for the helper.
constexpr auto kPatience = 5ms;

/// Signals that end a program that does not listen for them. After those of the first kind it runs
/// on until the helper has seen to it; after those of the second it cannot.
constexpr int kEnding[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,  SIGALRM,
                           SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};
constexpr int kCrashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// For signal handlers, which can use only globals.
int bell = -1;
std::atomic<int> last_signal{0};
std::atomic<bool> is_seen_to{false};

void ring(int signal) noexcept {
  last_signal.store(signal);
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(bell, &one, sizeof one);
}

void on_ending(int signal) noexcept {
  const int error = errno;
  ring(signal);
  errno = error;
}

void on_crash(int signal) noexcept {
  ::signal(signal, SIG_DFL);
  ring(signal);
  constexpr int kMostMs = 2000;
  for (int i = 0; i < kMostMs && !is_seen_to.load(); ++i) {
    const timespec moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
  ::raise(signal);  // as soon as this handler is left
}

void install(int signal, void (*handler)(int)) noexcept {
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours{};
  ours.sa_handler = handler;
  ours.sa_flags = SA_RESTART | SA_ONSTACK;
  sigfillset(&ours.sa_mask);
  ::sigaction(signal, &ours, nullptr);
}

int moved_up(int descriptor) {
  int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (moved < 0) moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);  // few are allowed
  if (moved < 0) fail("fcntl");
  return moved;
}

}  // namespace

OutputCapture::OutputCapture() {
  for (int i = 0; i < 2; ++i) {
    const int descriptor = i + 1;
    saved_[i] = moved_up(descriptor);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
    read_ends_[i] = moved_up(ends[0]);
    // The other end stays as it is: the program expects one that blocks.
    if (::fcntl(read_ends_[i], F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    ::fcntl(ends[1], F_SETPIPE_SZ, kPipeSize);  // a smaller one will do
    if (::dup2(ends[1], descriptor) < 0) fail("dup2");
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

void OutputCapture::start(Helper helper) {
  helper_ = std::move(helper);
  const int event = ::eventfd(0, EFD_CLOEXEC);
  if (event < 0) fail("eventfd");
  bell = moved_up(event);
  ::close(event);
  // Signals are for the other threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { help(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const int signal : kEnding) install(signal, on_ending);
  for (const int signal : kCrashes) install(signal, on_crash);
}

void OutputCapture::help() {
  std::array<pollfd, 3> watched{
      {{bell, POLLIN, 0}, {read_ends_[0], POLLIN, 0}, {read_ends_[1], POLLIN, 0}}};
  for (;;) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
    if (watched[0].revents != 0) {
      const int signal = last_signal.load();
      helper_.ended(signal);
      is_seen_to.store(true);
      // Ends the process in the way in which it would have ended.
      ::signal(signal, SIG_DFL);
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, signal);
      ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
      ::raise(signal);
      return;
    }
    bool has_open_pipe = false;
    for (std::size_t i = 1; i < watched.size(); ++i) {
      // Closed by the program and by all that had it: there is nothing to wait for.
      if ((watched[i].revents & (POLLHUP | POLLERR)) != 0 && (watched[i].revents & POLLIN) == 0) {
        watched[i].fd = -1;
      }
      has_open_pipe = has_open_pipe || watched[i].revents != 0;
    }
    if (!has_open_pipe) continue;
    std::this_thread::sleep_for(kPatience);
    helper_.arrived();
  }
}

void OutputCapture::drain(const Take& take) {
  static std::array<char, 65536> chunk;
  for (int i = 0; i < 2; ++i) {
    for (;;) {
      const ssize_t count = ::read(read_ends_[i], chunk.data(), chunk.size());
      if (count > 0) take(i + 1, {chunk.data(), static_cast<std::size_t>(count)});
      if (count < 0 && errno == EINTR) continue;
      if (count < static_cast<ssize_t>(chunk.size())) break;
    }
  }
}

void OutputCapture::restore() noexcept {
  for (int i = 0; i < 2; ++i) ::dup2(saved_[i], i + 1);
}

bool write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace rondo::lens
