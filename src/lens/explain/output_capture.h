// What the program prints, on its way out: descriptors 1 and 2 lead into pipes that we read.
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

  /// From now on what the process prints is ours. Throws std::system_error.
  OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;
  /// Never put away before the process ends.
  ~OutputCapture() = delete;

  /// Starts the helper thread, and has signals that would end the process wait for it.
  void start(Helper helper);

  /// Takes what is in the pipes, without waiting for more. One thread at a time.
  void drain(const Take& take);
  /// What is printed from now on goes where it went before.
  void restore() noexcept;

  /// Where the descriptors led before.
  int standard_output() const noexcept { return saved_[0]; }
  int standard_error() const noexcept { return saved_[1]; }

 private:
  void help();

  int saved_[2];
  int read_ends_[2];
  Helper helper_;
  std::thread thread_;
};

/// All of it, however slow the reader is; false if there is none.
bool write_all(int descriptor, std::string_view text) noexcept;

}  // namespace rondo::lens
