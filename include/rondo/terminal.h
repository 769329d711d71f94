// Terminals: size, raw mode, and the event that the size has changed.
//
//     if (rondo::is_terminal(STDIN_FILENO)) {
//       auto raw = rondo::RawMode::enter(STDIN_FILENO);
//       rondo::ResizeWatcher resized(loop);
//       resized.start(STDOUT_FILENO, [](rondo::TerminalSize size) { redraw(size); });
//       ...
//     }                                             // what it was before
#pragma once

#include <utility>

#include "rondo/callback.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/signal.h"

namespace rondo {

class Loop;

bool is_terminal(int fd) noexcept;

struct TerminalSize {
  int columns = 0;
  int rows = 0;

  friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};

/// ENOTTY for what is not a terminal, EBADF for an invalid descriptor. A terminal without a known
/// size has 0 columns and 0 rows.
[[nodiscard]] Expected<TerminalSize> terminal_size(int fd) noexcept;

/// While it exists, the terminal delivers every key as it is pressed: no echo, no line editing,
/// no signals from keys. Output is not changed, so that "\n" still begins a line.
///
/// What the terminal was before comes back when the last RawMode of it is destroyed, in whatever
/// order they go, and at the latest when the program ends by exit() or returning from main(). A
/// program that a signal may end calls restore_terminals() first. Like the terminal itself this
/// concerns the whole process, and may be used by any thread.
class RawMode {
 public:
  /// ENOTTY, EBADF, EIO, EMFILE.
  [[nodiscard]] static Expected<RawMode> enter(int fd);

  ~RawMode() { restore(); }
  RawMode(RawMode&& other) noexcept : terminal_(std::move(other.terminal_)) {}
  RawMode& operator=(RawMode&& other) noexcept {
    std::swap(terminal_, other.terminal_);
    return *this;
  }

  /// Ends it early.
  void restore() noexcept { terminal_ = nullptr; }

 private:
  class Terminal;
  explicit RawMode(std::shared_ptr<Terminal> terminal) noexcept : terminal_(std::move(terminal)) {}
  std::shared_ptr<Terminal> terminal_;
};

/// Gives every terminal back what it was before the first RawMode, without ending them: for a
/// handler of a signal that is about to end the program. Safe to call there.
void restore_terminals() noexcept;

/// Tells when the size of a terminal has changed.
class ResizeWatcher {
 public:
  explicit ResizeWatcher(Loop& loop) : signals_(loop) {}

  /// Calls `callback` in the poll phase with the new size whenever that is another one. The kernel
  /// notifies (SIGWINCH) only the processes in the foreground of the terminal, so it should be the
  /// one that this program runs in. Errors: ENOTTY, EBADF, and those of SignalWatcher::start().
  [[nodiscard]] Expected<> start(int fd, Callback<void(TerminalSize)> callback);

  void stop() { signals_.stop(); }
  void close(Callback<> callback = nullptr) { signals_.close(std::move(callback)); }
  ResizeWatcher& ref() {
    signals_.ref();
    return *this;
  }
  ResizeWatcher& unref() {
    signals_.unref();
    return *this;
  }
  bool active() const { return signals_.active(); }

 private:
  SignalWatcher signals_;
};

}  // namespace rondo
