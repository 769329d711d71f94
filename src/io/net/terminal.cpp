#include "rondo/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

#include "io/descriptor.h"
#include "io/inherited.h"

namespace rondo {

bool is_terminal(int fd) noexcept {
  return ::isatty(fd) == 1;
}

Expected<TerminalSize> terminal_size(int fd) noexcept {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return std::unexpected(errno_code(errno));
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

// ---- Raw mode ----------------------------------------------------------------------------------

namespace {

/// Sets the mode even from the background, where the kernel would stop us for it. `when` is
/// TCSADRAIN, or TCSANOW for a program that is ending: a terminal that was stopped (Ctrl-S) does
/// not drain.
int set_mode(int fd, const termios& mode, int when = TCSADRAIN) noexcept {
  sigset_t ttou;
  sigset_t before;
  sigemptyset(&ttou);
  sigaddset(&ttou, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &ttou, &before);
  int result = 0;
  do {
    result = ::tcsetattr(fd, when, &mode);
  } while (result != 0 && errno == EINTR);
  const int error = result == 0 ? 0 : errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

/// One terminal in raw mode, shared by all its handles in that mode, with what a handler or the end
/// of the program needs to restore it. `fd` is written last and cleared first: a reader that sees
/// it finds the mode in order.
struct RawTerminal {
  std::atomic<int> fd = -1;        // our own: the user's may be closed when we need it
  std::atomic<pid_t> process = 0;  // a forked process leaves its parent's terminal alone
  termios mode{};
  dev_t device = 0;       // guarded by the mutex, as is the next
  std::size_t users = 0;  // 0: the entry is free

  bool is_ours() const noexcept { return process.load() == ::getpid(); }
};

constexpr std::size_t kMostTerminals = 16;

// Terminals belong to the process; so does this.
constinit std::mutex mutex;
constinit std::array<RawTerminal, kMostTerminals> terminals;

/// With the mutex held: takes an entry for a terminal and saves its current mode.
Expected<RawTerminal*> remember(int fd, dev_t device) {
  const auto place = std::ranges::find_if(
      terminals, [](const RawTerminal& one) { return one.users == 0 || !one.is_ours(); });
  if (place == terminals.end()) return std::unexpected(errno_code(EMFILE));
  termios before{};
  if (::tcgetattr(fd, &before) != 0) return std::unexpected(errno_code(errno));
  static const int kAtExit = std::atexit(&restore_terminals);
  if (kAtExit != 0) return std::unexpected(errno_code(ENOMEM));
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return std::unexpected(errno_code(errno));
  place->fd.store(-1);
  place->mode = before;
  place->device = device;
  place->users = 0;
  place->process.store(::getpid());
  place->fd.store(own);
  return &*place;
}

}  // namespace

/// The share of one RawMode in a terminal. Counted under the mutex: one that comes while the last
/// one goes finds the terminal either still raw or already restored.
class RawMode::Terminal {
 public:
  /// With the mutex held.
  explicit Terminal(RawTerminal& terminal) noexcept : terminal_(terminal) { ++terminal_.users; }
  ~Terminal() {
    const std::lock_guard guard(mutex);
    if (made_in_.inherited() || --terminal_.users != 0) return;
    const Descriptor own(terminal_.fd.exchange(-1));
    set_mode(own.get(), terminal_.mode);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

 private:
  ProcessMark made_in_;
  RawTerminal& terminal_;
};

Expected<RawMode> RawMode::enter(int fd) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return std::unexpected(errno_code(errno));
  std::shared_ptr<Terminal> share;  // outlives the guard: its destructor wants the mutex
  const std::lock_guard guard(mutex);
  const auto known = std::ranges::find_if(terminals, [&](const RawTerminal& one) {
    return one.users != 0 && one.is_ours() && one.device == status.st_rdev;
  });
  RawTerminal* terminal = known != terminals.end() ? &*known : nullptr;
  if (terminal == nullptr) {
    const auto remembered = remember(fd, status.st_rdev);
    if (!remembered) return std::unexpected(remembered.error());
    terminal = *remembered;
  }
  share = std::make_shared<Terminal>(*terminal);
  // Also when it is raw already: another process may have changed it meanwhile.
  termios raw{};
  if (::tcgetattr(fd, &raw) != 0) return std::unexpected(errno_code(errno));
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cflag = (raw.c_cflag & ~static_cast<tcflag_t>(CSIZE)) | CS8;
  raw.c_oflag |= ONLCR;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (const int error = set_mode(fd, raw)) return std::unexpected(errno_code(error));
  return RawMode(std::move(share));
}

void restore_terminals() noexcept {
  const int saved_errno = errno;
  for (const RawTerminal& terminal : terminals) {
    const int fd = terminal.fd.load();
    if (fd >= 0 && terminal.is_ours()) set_mode(fd, terminal.mode, TCSANOW);
  }
  errno = saved_errno;
}

// ---- Resizing ----------------------------------------------------------------------------------

Expected<> ResizeWatcher::start(int fd, Callback<void(TerminalSize)> callback) {
  if (!callback) throw Misuse("ERR_INVALID_CALLBACK", "the callback is empty");
  const auto now = terminal_size(fd);
  if (!now) return std::unexpected(now.error());
  return signals_.start(SIGWINCH, [fd, last = *now, callback = std::move(callback)](int) mutable {
    const auto size = terminal_size(fd);
    if (!size || *size == last) return;  // it has gone, or the signal came for another terminal
    last = *size;
    callback(last);
  });
}

}  // namespace rondo
