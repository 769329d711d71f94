#include "e2e/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace rondo::test {

namespace {

constexpr std::chrono::seconds kPatience{40};

struct PipeEnds {
  int read;
  int write;
};

PipeEnds make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  return {ends[0], ends[1]};
}

std::size_t count_of(std::string_view text, std::string_view where) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = where.find(text, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

bool ends_before(pid_t pid, std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) throw std::runtime_error("pidfd_open failed");
  pollfd polled{descriptor, POLLIN, 0};
  const int count = ::poll(&polled, 1, std::max(0, static_cast<int>(left.count())));
  ::close(descriptor);
  return count > 0;
}

/// False at the end.
bool append_from(int fd, std::string& to) {
  std::array<char, 4096> chunk;
  const ssize_t count = ::read(fd, chunk.data(), chunk.size());
  if (count > 0) to.append(chunk.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "rondo-lens-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = std::filesystem::canonical(name);
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

std::string Folder::file(std::string_view name, std::string_view text) const {
  std::ofstream(path_ / name) << text;
  return path(name);
}

Program::Program(std::vector<std::string> arguments, Input input) {
  arguments.insert(arguments.begin(), RONDO_PROGRAM);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const PipeEnds in = make_pipe();
  const PipeEnds out = make_pipe();
  const PipeEnds err = make_pipe();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(input == Input::open ? in.read : ::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(in.read);
  ::close(out.write);
  ::close(err.write);
  input_ = in.write;
  output_fd_ = out.read;
  errors_fd_ = err.read;
}

Program::~Program() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {input_, output_fd_, errors_fd_}) {
    if (fd >= 0) ::close(fd);
  }
}

void Program::send(int signal) const {
  ::kill(pid_, signal);
}

void Program::wait_for_sleep() const {
  const std::string path = "/proc/" + std::to_string(pid_) + "/stat";
  for (std::string stat; !stat.contains(") S ");) {
    std::getline(std::ifstream(path), stat);
    ASSERT_FALSE(stat.empty() || stat.contains(") Z ")) << "it is gone";
    std::this_thread::yield();
  }
}

void Program::write(std::string_view text) const {
  ASSERT_EQ(::write(input_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

bool Program::read_more(std::chrono::steady_clock::time_point deadline) {
  if (output_fd_ < 0 && errors_fd_ < 0) return false;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) return false;
  std::array<pollfd, 2> polled{{{output_fd_, POLLIN, 0}, {errors_fd_, POLLIN, 0}}};
  if (::poll(polled.data(), polled.size(), static_cast<int>(left.count())) <= 0) return false;
  const std::pair<int*, std::string*> ways[] = {{&output_fd_, &output_}, {&errors_fd_, &errors_}};
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents == 0 || append_from(*ways[i].first, *ways[i].second)) continue;
    ::close(std::exchange(*ways[i].first, -1));
  }
  return output_fd_ >= 0 || errors_fd_ >= 0;
}

std::string Program::see(std::string& where, std::string_view text, std::size_t times) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (count_of(text, where) < times && read_more(deadline)) {
  }
  EXPECT_GE(count_of(text, where), times) << "not seen: " << text << "\nstandard output:\n"
                                          << output_ << "\nstandard error:\n"
                                          << errors_;
  return where;
}

std::string Program::see_errors(std::string_view text, std::size_t times) {
  return see(errors_, text, times);
}

std::string Program::see_error(std::string_view text) {
  return see(errors_, text);
}

std::string Program::see_output(std::string_view text) {
  return see(output_, text);
}

void Program::close_output() noexcept {
  ::close(std::exchange(output_fd_, -1));
}

void Program::close_errors() noexcept {
  ::close(std::exchange(errors_fd_, -1));
}

int Program::wait() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (read_more(deadline)) {
  }
  int status = 0;
  if (!ends_before(pid_, deadline)) ::kill(pid_, SIGKILL);
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace rondo::test
