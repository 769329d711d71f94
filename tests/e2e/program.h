// The command, run with a script: what it prints is waited for, not slept for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::test {

/// A folder of its own for a test, with scripts in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Writes a file, and returns its path.
  std::string file(std::string_view name, std::string_view text) const;
  std::string path(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class Program {
 public:
  /// Runs the command with these arguments. Standard input is a pipe that stays open, or not.
  enum class Input : bool { none, open };
  explicit Program(std::vector<std::string> arguments, Input input = Input::none);
  /// Kills it if it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const noexcept { return pid_; }
  void send(int signal) const;
  /// Waits until its main thread has nothing to do.
  void wait_for_sleep() const;
  /// Writes to its standard input.
  void write(std::string_view text) const;

  /// Waits until it has printed `text` on standard error, and returns all that it has printed there
  /// so far. Fails the test if the text does not come.
  std::string see_error(std::string_view text);
  std::string see_output(std::string_view text);
  /// The same, so many times.
  std::string see_errors(std::string_view text, std::size_t times);
  /// From now on its output is not read.
  void close_output() noexcept;
  void close_errors() noexcept;
  /// Waits for its end. Of a program that a signal has ended: minus the signal.
  int wait();
  const std::string& output() const noexcept { return output_; }
  const std::string& errors() const noexcept { return errors_; }

 private:
  bool read_more(std::chrono::steady_clock::time_point deadline);
  std::string see(std::string& where, std::string_view text, std::size_t times = 1);

  pid_t pid_ = -1;
  int input_ = -1;
  int output_fd_ = -1;
  int errors_fd_ = -1;
  std::string output_;
  std::string errors_;
};

}  // namespace rondo::test
