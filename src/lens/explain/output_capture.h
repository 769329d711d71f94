// Captures what the program prints: descriptors 1 and 2 are pipes that we read.
#pragma once

#include <functional>
#include <string_view>
#include <thread>

namespace rondo::lens {

class OutputCapture {
 public:
  using Take = std::function<void(int descriptor, std::string_view text)>;

  /// What the helper thread does: `arrived` when something has been waiting in a pipe for a few
  /// milliseconds (the program prints more than the pipe holds; a child of it prints while it
  /// sleeps), `ended` when a signal is about to end the process. Both may call drain().
  struct Helper {
    std::function<void()> arrived;
    std::function<void(int signal)> ended;
  };

  /// From now on the output of the process is captured. Throws std::system_error.
  OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;
  /// Never destroyed before the process ends.
  ~OutputCapture() = delete;

  /// Starts the helper thread, and has signals that would end the process wait for it.
  void start(Helper helper);

  /// Takes what is in the pipes, without waiting for more. One thread at a time.
  void drain(const Take& take);
  /// From now on output goes where it went before.
  void restore() noexcept;

  /// The descriptors before the capture.
  int standard_output() const noexcept { return saved_[0]; }
  int standard_error() const noexcept { return saved_[1]; }

 private:
  void help();

  int saved_[2];
  int read_ends_[2];
  Helper helper_;
  std::thread thread_;
};

/// Writes all of it, however slow the reader is; false if there is none.
bool write_all(int descriptor, std::string_view text) noexcept;

}  // namespace rondo::lens
