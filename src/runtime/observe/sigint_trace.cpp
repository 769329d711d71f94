#include "runtime/observe/sigint_trace.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>

#include "runtime/errors/uncaught.h"
#include "runtime/observe/interjection.h"

namespace rondo {
namespace {

std::atomic<int> listener = -1;  // the descriptor that the handler of the signal writes to

void wake(int descriptor) {
  const std::uint64_t one = 1;
  const ssize_t written = ::write(descriptor, &one, sizeof one);
  static_cast<void>(written);
}

void on_signal(int /*number*/) {
  const int error = errno;
  if (const int descriptor = listener.load(); descriptor >= 0) wake(descriptor);
  errno = error;
}

void print(const std::string& stack) {
  std::fprintf(stderr, "KEYBOARD_INTERRUPT: Script execution was interrupted by `SIGINT`\n%s\n",
               stack.c_str());
  std::fflush(stderr);
}

}  // namespace

SigintTrace::SigintTrace(Environment& environment)
    : environment_(environment), descriptor_(::eventfd(0, EFD_CLOEXEC)) {
  if (!descriptor_) throw std::system_error(errno, std::system_category(), "eventfd");
  environment_.interjection();  // belongs to this thread
  try {
    thread_ = std::thread([this] { wait(); });
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "pthread_create");
  }
  listener = descriptor_.get();
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_);
}

SigintTrace::~SigintTrace() {
  ::sigaction(SIGINT, &before_, nullptr);
  listener = -1;
  stopped_ = true;
  wake(descriptor_.get());
  thread_.join();
}

void SigintTrace::wait() {
  std::uint64_t value = 0;
  while (::read(descriptor_.get(), &value, sizeof value) < 0 && errno == EINTR) {
  }
  // The thread may be busy where it cannot be interrupted; its stack is known when it comes back.
  constexpr int kMostAttempts = 200;
  constexpr std::chrono::milliseconds kBetweenAttempts{10};
  for (int attempt = 0; !stopped_; ++attempt) {
    const auto print_stack = [](Environment& environment) {
      print(current_stack_lines(environment.isolate()));
    };
    if (!environment_.interjection().run(print_stack)) {
      if (attempt < kMostAttempts) {
        std::this_thread::sleep_for(kBetweenAttempts);
        continue;
      }
      print("");
    }
    ::sigaction(SIGINT, &before_, nullptr);
    ::kill(::getpid(), SIGINT);
    return;
  }
}

}  // namespace rondo
