#include "rondo/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/pipe.h"
#include "rondo/poll.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// A terminal without a screen: what is written to `master` is typed.
class TerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(master, 0);
    ASSERT_EQ(::grantpt(master), 0);
    ASSERT_EQ(::unlockpt(master), 0);
    std::array<char, 64> buffer{};
    ASSERT_EQ(::ptsname_r(master, buffer.data(), buffer.size()), 0);
    name = buffer.data();
    terminal = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(terminal, 0);
  }
  void TearDown() override {
    ::close(terminal);
    ::close(master);
  }

  bool raw() const {
    termios mode{};
    ::tcgetattr(terminal, &mode);
    return (mode.c_lflag & (ICANON | ECHO | ISIG)) == 0;
  }
  void resize(unsigned short columns, unsigned short rows) const {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = rows;
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
  }

  int master = -1;
  int terminal = -1;
  std::string name;
};

TEST_F(TerminalTest, KnowsATerminal) {
  EXPECT_TRUE(is_terminal(terminal));
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_FALSE(is_terminal(-1));
  EXPECT_EQ(terminal_size(file).error(), errno_code(ENOTTY));
  EXPECT_EQ(terminal_size(-1).error(), errno_code(EBADF));
  EXPECT_EQ(RawMode::enter(file).error(), errno_code(ENOTTY));
  EXPECT_EQ(RawMode::enter(-1).error(), errno_code(EBADF));
  ::close(file);
}

TEST_F(TerminalTest, KnowsItsSize) {
  resize(101, 37);
  EXPECT_EQ(terminal_size(terminal), (TerminalSize{.columns = 101, .rows = 37}));
}

TEST_F(TerminalTest, RawModeHandsOverEveryKey) {
  auto mode = RawMode::enter(terminal);
  ASSERT_TRUE(mode);
  EXPECT_TRUE(raw());
  Loop loop;
  Pipe keyboard(loop, ::dup(terminal));
  std::array<std::byte, 8> keys{};
  std::size_t count = 0;
  keyboard.read(keys).then(loop, [&](Expected<std::size_t> got) { count = got.value(); });
  loop.set_immediate([&] { EXPECT_EQ(::write(master, "q\x03", 2), 2); });  // no Enter; Ctrl-C
  loop.run();
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(static_cast<char>(keys[1]), '\x03');
  keyboard.close();
  mode->restore();
  EXPECT_FALSE(raw());
}

// A change of the mode wakes readers, with nothing to read.
TEST_F(TerminalTest, AChangeOfModeDoesNotEndAWatch) {
  Loop loop;
  Poll poll(loop, terminal);
  std::vector<std::string> seen;
  auto raw_mode = RawMode::enter(terminal);
  ASSERT_TRUE(raw_mode);
  const auto started = poll.start(PollEvents::readable, [&](PollEvents) {
    std::array<char, 16> keys{};
    const ssize_t count = ::read(terminal, keys.data(), keys.size());
    ASSERT_GT(count, 0);
    seen.emplace_back(keys.data(), static_cast<std::size_t>(count));
    if (seen.size() == 2) return poll.stop();
    EXPECT_EQ(::write(master, "b", 1), 1);
  });
  ASSERT_TRUE(started);
  loop.set_timeout(5ms, [&] {
    raw_mode->restore();
    raw_mode = RawMode::enter(terminal);
  });
  loop.set_timeout(20ms, [&] { EXPECT_EQ(::write(master, "a", 1), 1); });
  loop.run();
  EXPECT_THAT(seen, ElementsAre("a", "b"));
}

TEST_F(TerminalTest, TheModeOfBeforeComesBackExactly) {
  termios special{};
  ::tcgetattr(terminal, &special);
  special.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  special.c_cc[VINTR] = 7;
  ::tcsetattr(terminal, TCSANOW, &special);
  {
    const auto mode = RawMode::enter(terminal);
  }
  termios after{};
  ::tcgetattr(terminal, &after);
  EXPECT_EQ(after.c_lflag, special.c_lflag);
  EXPECT_EQ(after.c_iflag, special.c_iflag);
  EXPECT_EQ(after.c_oflag, special.c_oflag);
  EXPECT_EQ(after.c_cc[VINTR], 7);
}

TEST_F(TerminalTest, NestedItComesBackWithTheLast) {
  const int same = ::dup(terminal);
  auto outer = RawMode::enter(terminal);
  auto inner = RawMode::enter(same);  // the same terminal by another descriptor
  ASSERT_TRUE(outer);
  ASSERT_TRUE(inner);
  outer->restore();  // in the wrong order
  EXPECT_TRUE(raw());
  auto third = RawMode::enter(terminal);
  inner->restore();
  EXPECT_TRUE(raw());
  third->restore();
  EXPECT_FALSE(raw());
  ::close(same);
}

TEST_F(TerminalTest, ThreadsMayComeAndGoAtOnce) {
  // Somebody always comes while the last one goes, and another terminal is in use meanwhile.
  const int other_master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_EQ(::unlockpt(other_master), 0);
  const int other = ::ioctl(other_master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(other, 0);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, fd = i % 2 == 0 ? terminal : other] {
        for (int round = 0; round < 2'000; ++round) {
          const auto mode = RawMode::enter(fd);
          EXPECT_TRUE(mode);
        }
      });
    }
  }
  EXPECT_FALSE(raw());
  termios mode{};
  ::tcgetattr(other, &mode);
  EXPECT_NE(mode.c_lflag & ICANON, 0U);
  ::close(other);
  ::close(other_master);
}

TEST_F(TerminalTest, ComesBackThoughTheDescriptorIsClosed) {
  const int short_lived = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  auto mode = RawMode::enter(short_lived);
  ASSERT_TRUE(mode);
  ::close(short_lived);
  EXPECT_TRUE(raw());
  mode->restore();
  EXPECT_FALSE(raw());
}

TEST_F(TerminalTest, TheHandleMayMove) {
  auto mode = RawMode::enter(terminal);
  ASSERT_TRUE(mode);
  {
    const RawMode moved = *std::move(mode);
    EXPECT_TRUE(raw());
  }
  EXPECT_FALSE(raw());
}

TEST_F(TerminalTest, ComesBackWhenTheProgramExits) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto mode = RawMode::enter(terminal);
    if (!mode || !raw()) ::_exit(1);
    static const auto* forgotten = new RawMode(*std::move(mode));  // this one is never destroyed
    std::exit(forgotten == nullptr ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(raw());
}

TEST_F(TerminalTest, IsRestoredForASignal) {
  auto mode = RawMode::enter(terminal);
  ASSERT_TRUE(mode);
  restore_terminals();
  EXPECT_FALSE(raw());
}

TEST_F(TerminalTest, AForkedProcessLeavesItAlone) {
  auto mode = RawMode::enter(terminal);
  ASSERT_TRUE(mode);
  const pid_t child = ::fork();
  if (child == 0) {
    restore_terminals();
    mode->restore();
    ::_exit(raw() ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(raw());
}

TEST_F(TerminalTest, ResizingIsAnEvent) {
  Loop loop;
  resize(80, 24);
  ResizeWatcher watcher(loop);
  std::vector<int> columns;
  ASSERT_TRUE(watcher.start(terminal, [&](TerminalSize size) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    columns.push_back(size.columns);
    if (columns.size() == 2) watcher.stop();
  }));
  EXPECT_TRUE(watcher.active());
  ::raise(SIGWINCH);  // of another terminal: the size is the same
  loop.run_nowait();
  EXPECT_TRUE(columns.empty());
  resize(100, 24);
  ::raise(SIGWINCH);
  loop.run_nowait();
  resize(120, 24);
  ::raise(SIGWINCH);
  loop.run();
  EXPECT_THAT(columns, ElementsAre(100, 120));
  EXPECT_EQ(watcher.start(-1, [](TerminalSize) {}).error(), errno_code(EBADF));
}

TEST_F(TerminalTest, TheKernelTellsTheForeground) {
  // The whole way: a session with this as its terminal, and no signal raised by hand.
  resize(80, 24);
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::setsid();
    const int own =
        ::open(name.c_str(), O_RDWR | O_CLOEXEC);  // becomes the terminal of the session
    Loop loop;
    ResizeWatcher watcher(loop);
    int columns = 0;
    const auto started = watcher.start(own, [&](TerminalSize size) {
      columns = size.columns;
      watcher.stop();
    });
    if (!started || ::write(ready[1], "x", 1) != 1) ::_exit(1);
    loop.run();
    ::_exit(columns == 132 ? 7 : 2);
  }
  char byte = 0;
  ::close(ready[1]);
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  resize(132, 24);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  ::close(ready[0]);
}

}  // namespace
}  // namespace rondo
