#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace rondo::test {

namespace {

// Long, because a program with a sanitizer on a busy machine takes its time; a text that comes is
// never waited for any longer than it takes.
constexpr std::chrono::seconds kPatience{60};

/// Control characters in a form that can be read.
std::string readable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 || c == '\n') {
      result += c;
    } else {
      result += "\\x";
      result += kDigits[byte >> 4U];
      result += kDigits[byte & 0xfU];
    }
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Only what a program needs to be found and to run as this test runs: all else (CI, NO_COLOR,
/// TERM and many more) would change what it shows on a terminal from machine to machine.
bool passed_on(std::string_view name) {
  return name == "PATH" || name == "TMPDIR" || name == "LD_LIBRARY_PATH" ||
         name == "RONDO_BACKEND" || name.ends_with("SAN_OPTIONS");
}

std::vector<std::string> with_own(
    const std::vector<std::pair<std::string, std::string>>& additional) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (passed_on(text.substr(0, text.find('=')))) result.emplace_back(text);
  }
  for (const auto& [name, value] : additional) {
    result.push_back(name);
    result.back().append(1, '=').append(value);
  }
  return result;
}

/// Of a new terminal. Asked of another one: the program's own may be in raw mode by the time we
/// ask.
termios default_mode() {
  int ours = -1;
  int theirs = -1;
  if (::openpty(&ours, &theirs, nullptr, nullptr, nullptr) != 0) {
    throw std::system_error(errno, std::generic_category(), "openpty");
  }
  termios mode{};
  ::tcgetattr(theirs, &mode);
  ::close(theirs);
  ::close(ours);
  return mode;
}

}  // namespace

Terminal::Terminal(const Options& options) {
  std::vector<std::string> arguments = options.arguments;
  std::vector<std::string> environment = with_own(options.environment);
  // Made before the fork: the child may not allocate.
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const winsize window{.ws_row = 24,
                       .ws_col = static_cast<unsigned short>(options.columns),
                       .ws_xpixel = 0,
                       .ws_ypixel = 0};
  initial_mode_ = default_mode();
  pid_ = ::forkpty(&fd_, nullptr, &initial_mode_, &window);
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (pid_ == 0) {
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::fcntl(fd_, F_SETFD, FD_CLOEXEC);
}

Terminal::~Terminal() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(fd_);
}

termios Terminal::mode() const {
  termios mode{};
  if (::tcgetattr(fd_, &mode) != 0) {
    throw std::system_error(errno, std::generic_category(), "tcgetattr");
  }
  return mode;
}

void Terminal::type(std::string_view keys) {
  while (!keys.empty()) {
    const ssize_t count = ::write(fd_, keys.data(), keys.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "write to the terminal");
    keys.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool Terminal::read_more(std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(left.count()));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return false;
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(fd_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    // EIO: the last process that had the terminal is gone.
    if (count <= 0) return false;
    unseen_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
}

std::string Terminal::see(std::string_view text) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const std::size_t at = unseen_.find(text);
    if (at != std::string::npos) {
      std::string before = unseen_.substr(0, at);
      unseen_.erase(0, at + text.size());
      return before;
    }
    if (!read_more(deadline)) {
      const std::string shown = std::exchange(unseen_, "");
      throw std::runtime_error("did not see: " + readable(text) + "\nbut: " + readable(shown));
    }
  }
}

std::string Terminal::see_end() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (read_more(deadline)) {
  }
  if (std::chrono::steady_clock::now() >= deadline) {
    throw std::runtime_error("does not end; it has shown: " + readable(unseen_));
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return std::exchange(unseen_, "");
}

}  // namespace rondo::test
