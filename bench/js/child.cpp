#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <system_error>

namespace rondo::bench {

namespace {

constexpr std::chrono::seconds kLongest{60};

/// Both ends of a pipe, closed at the end of the scope whatever happens.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe2");
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }

  int writing_end() const noexcept { return ends_[1]; }
  void close_writing() noexcept {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// Up to the end, which is also there when `deadline` has passed.
  std::string read_all(std::chrono::steady_clock::time_point deadline) const {
    using std::chrono::milliseconds;
    std::string result;
    std::array<char, 4096> buffer{};
    for (;;) {
      const auto left =
          std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd end{.fd = ends_[0], .events = POLLIN, .revents = 0};
      if (::poll(&end, 1, std::max(0, static_cast<int>(left.count()))) == 0) return result;
      const ssize_t count = ::read(ends_[0], buffer.data(), buffer.size());
      if (count > 0) result.append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) return result;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace

Outcome run_child(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  std::vector<std::string> copies = command;
  arguments.reserve(copies.size() + 1);
  for (std::string& argument : copies) arguments.push_back(argument.data());
  arguments.push_back(nullptr);

  Pipe output;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.writing_end(), STDOUT_FILENO);
  pid_t pid = -1;
  const auto started = std::chrono::steady_clock::now();
  const int error =
      ::posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), command.front());

  output.close_writing();
  const auto deadline = started + kLongest;
  Outcome outcome{.output = output.read_all(deadline), .wall_ns = 0, .cpu_ns = 0, .peak_kib = 0};
  if (std::chrono::steady_clock::now() >= deadline) ::kill(pid, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "wait4");
  }
  outcome.wall_ns =
      std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - started).count();
  const auto nanoseconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
  };
  outcome.cpu_ns = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  outcome.peak_kib = static_cast<double>(usage.ru_maxrss);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string text;
    for (const std::string& argument : command) text += argument + ' ';
    throw std::runtime_error(
        text + (WIFEXITED(status) ? "ended with exit code " + std::to_string(WEXITSTATUS(status))
                                  : "was killed by signal " + std::to_string(WTERMSIG(status))));
  }
  return outcome;
}

}  // namespace rondo::bench
