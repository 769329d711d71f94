// A program on a pseudo-terminal: what a person at a keyboard would type, and would see.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::test {

class Terminal {
 public:
  struct Options {
    std::vector<std::string> arguments;                            // the first is the program
    std::vector<std::pair<std::string, std::string>> environment;  // with PATH and the like: all
    std::string folder;                                            // to start in
    int columns = 80;
  };

  explicit Terminal(const Options& options);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  /// Kills the program if it still runs.
  ~Terminal();

  void type(std::string_view keys);

  /// Waits until `text` has been shown and returns what came before it; the next call goes on
  /// after it. Fails the test when the text does not come in time.
  std::string see(std::string_view text);
  /// What is shown until the program has ended; exit_code() can be asked then.
  std::string see_end();
  /// How the terminal is now, also when the program has ended, and how it was before the program
  /// began.
  termios mode() const;
  const termios& initial_mode() const noexcept { return initial_mode_; }
  /// Of a program that was killed by a signal: minus its number.
  int exit_code() const noexcept { return exit_code_; }

 private:
  /// False when nothing more will come, or not in time.
  bool read_more(std::chrono::steady_clock::time_point deadline);

  pid_t pid_ = -1;
  int fd_ = -1;
  termios initial_mode_{};
  std::string unseen_;
  int exit_code_ = -1;
};

}  // namespace rondo::test
