#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace rondo::node_tests {
namespace {

using Clock = std::chrono::steady_clock;

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

class Pipe {
 public:
  Pipe() { check(pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe"); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close_one(ends_[0]); }
  void close_write() { close_one(ends_[1]); }

 private:
  static void close_one(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// The same everywhere: what a script prints must not depend on whose machine and terminal it is.
std::vector<std::string> make_environment(const Command& command) {
  std::vector<std::string> environment{"TZ=UTC", "LANG=C.UTF-8", "HOME=/"};
  for (const char* name :
       {"PATH", "RONDO_BACKEND", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name))
      environment.push_back(std::string(name) + '=' + value);
  }
  for (const auto& [name, value] : command.environment) {
    environment.push_back(name);
    environment.back().append("=").append(value);
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (auto& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

pid_t start(const Command& command, const Pipe& input, const Pipe& output, const Pipe& errors) {
  // Both programs hear the name "node": it stands in messages such as "node: bad option".
  std::vector<std::string> arguments{"node"};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  auto environment = make_environment(command);

  posix_spawn_file_actions_t actions;
  check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  check(posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str()), "chdir");
  if (command.input) {
    check(posix_spawn_file_actions_adddup2(&actions, input.read_end(), 0), "dup2");
  } else {
    check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0), "open");
  }
  check(posix_spawn_file_actions_adddup2(&actions, output.write_end(), 1), "dup2");
  check(posix_spawn_file_actions_adddup2(&actions, errors.write_end(), 2), "dup2");
  posix_spawnattr_t attributes;
  check(posix_spawnattr_init(&attributes), "posix_spawnattr_init");
  // A group of its own, so that a timeout can end all of it; no signal blocked or ignored.
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, command.program.c_str(), &actions, &attributes,
                                pointers(arguments).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  check(error, command.program.c_str());
  return pid;
}

// Returns whether there may be more.
bool read_some(int from, std::string& to) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  to.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// Returns whether there is more to write. A child that does not read all of it is not an error.
bool write_some(int to, std::string_view& rest) {
  const ssize_t count = write(to, rest.data(), rest.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  rest.remove_prefix(static_cast<std::size_t>(count));
  return !rest.empty();
}

// Feeds and reads until both outputs are closed. Returns false when the time is over.
bool exchange(Pipe& input, Pipe& output, Pipe& errors, std::string_view text, Result& result,
              Clock::time_point deadline) {
  bool writing = !text.empty();
  bool reading_output = true;
  bool reading_errors = true;
  while (reading_output || reading_errors) {
    if (!writing) input.close_write();
    std::array<pollfd, 3> waits{pollfd{writing ? input.write_end() : -1, POLLOUT, 0},
                                pollfd{reading_output ? output.read_end() : -1, POLLIN, 0},
                                pollfd{reading_errors ? errors.read_end() : -1, POLLIN, 0}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    if (poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0) continue;
    if (waits[0].revents != 0) writing = write_some(input.write_end(), text);
    if (waits[1].revents != 0) reading_output = read_some(output.read_end(), result.output);
    if (waits[2].revents != 0) reading_errors = read_some(errors.read_end(), result.errors);
  }
  return true;
}

// It has closed its outputs, so that it is about to end; but perhaps it hangs.
bool wait_for(pid_t pid, int& status, Clock::time_point deadline) {
  for (;;) {
    if (waitpid(pid, &status, WNOHANG) == pid) return true;
    if (Clock::now() >= deadline) return false;
    usleep(500);
  }
}

}  // namespace

Result run(const Command& command) {
  const auto deadline = Clock::now() + command.limit;
  Pipe input;
  Pipe output;
  Pipe errors;
  fcntl(input.write_end(), F_SETFL, O_NONBLOCK);
  const pid_t pid = start(command, input, output, errors);
  input.close_read();
  output.close_write();
  errors.close_write();

  Result result;
  int status = 0;
  const std::string_view text = command.input ? *command.input : std::string_view{};
  if (!exchange(input, output, errors, text, result, deadline) ||
      !wait_for(pid, status, deadline)) {
    kill(-pid, SIGKILL);
    waitpid(pid, &status, 0);
    result.end = "timeout";
  } else if (WIFSIGNALED(status)) {
    result.end = "signal " + std::to_string(WTERMSIG(status));
  } else {
    result.end = "exit code " + std::to_string(WEXITSTATUS(status));
  }
  return result;
}

}  // namespace rondo::node_tests
