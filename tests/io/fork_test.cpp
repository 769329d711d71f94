// What a forked process may do with the loops it has inherited, and what that must not do to its
// parent: the kernel's side of a loop is shared by the two.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/fs.h"
#include "rondo/fs_watch.h"
#include "rondo/loop.h"
#include "rondo/poll.h"
#include "rondo/process.h"

#include "io/fs_fixture.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class PipePair {
 public:
  PipePair() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~PipePair() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  PipePair(const PipePair&) = delete;
  PipePair& operator=(const PipePair&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void say(std::string_view text) const {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void await() const {
    char byte = 0;
    ASSERT_EQ(::read(ends_[0], &byte, 1), 1);
  }

 private:
  int ends_[2] = {-1, -1};
};

class ForkTest : public testing::Test {
 protected:
  /// Forks, destroys in the child what `destroy` destroys, and waits for the end of it. Between
  /// the fork and the destruction the parent does what `meanwhile` does.
  template <class Destroy, class Meanwhile>
  static void in_child(Destroy destroy, Meanwhile meanwhile) {
    const PipePair go;
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      go.await();
      destroy();
      ::_exit(7);
    }
    meanwhile();
    go.say("x");
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 7);
  }
  template <class Destroy>
  static void in_child(Destroy destroy) {
    in_child(std::move(destroy), [] {});
  }

  /// Ends a loop that would wait for ever for what was taken away.
  void give_up_after(std::chrono::milliseconds time) {
    loop->set_timeout(time, [this] { loop->stop(); }).unref();
  }

  std::unique_ptr<Loop> loop = std::make_unique<Loop>();
};

TEST_F(ForkTest, DestroyingTheLoopThereLeavesWhatIsWatchedHere) {
  const PipePair pipe;
  auto poll = std::make_unique<Poll>(*loop, pipe.reader());
  bool readable = false;
  ASSERT_TRUE(poll->start(PollEvents::readable, [&](PollEvents) {
    readable = true;
    poll->stop();
  }));
  loop->run_nowait();
  in_child([&] { loop.reset(); });
  pipe.say("x");
  give_up_after(5s);
  loop->run();
  EXPECT_TRUE(readable);
}

TEST_F(ForkTest, DestroyingAHandleThereLeavesWhatIsWatchedHere) {
  const PipePair pipe;
  auto poll = std::make_unique<Poll>(*loop, pipe.reader());
  bool readable = false;
  ASSERT_TRUE(poll->start(PollEvents::readable, [&](PollEvents) {
    readable = true;
    poll->stop();
  }));
  loop->run_nowait();
  in_child([&] {
    poll.reset();
    loop.reset();
  });
  pipe.say("x");
  give_up_after(5s);
  loop->run();
  EXPECT_TRUE(readable);
}

TEST_F(ForkTest, DestroyingTheLoopThereLeavesOperationsHereAlone) {
  const std::array<PipePair, 2> pipes;
  std::array<std::array<std::byte, 8>, 2> buffers;
  std::vector<std::string> told;
  const auto read = [&](std::size_t i) {
    fs::read(pipes[i].reader(), buffers[i]).then(*loop, [&](Expected<std::size_t> count) {
      told.push_back(count ? "read" : std::string(error_name(count.error())));
    });
  };
  loop->run_nowait();
  read(0);
  // The second is begun where the child, had it its own way, would put down what it wants.
  in_child([&] { loop.reset(); }, [&] { read(1); });
  for (const PipePair& pipe : pipes) pipe.say("x");
  give_up_after(5s);
  loop->run();
  EXPECT_THAT(told, ElementsAre("read", "read"));
}

TEST_F(ForkTest, ChildrenToBeKilledWithTheirHandleAreNotKilledFromThere) {
  SpawnOptions options = SpawnOptions("/bin/cat");
  options.stdio = {Stdio::pipe(), Stdio::pipe()};
  options.kill_on_destroy = true;
  auto spawned = Process::spawn(*loop, options);
  ASSERT_TRUE(spawned) << spawned.error();
  std::optional<Process> cat(*std::move(spawned));
  in_child([&] { loop.reset(); });
  in_child([&] {
    cat.reset();
    loop.reset();
  });
  std::string heard;
  std::optional<ExitStatus> status;
  spawn(*loop, [&]() -> Async<> {
    const auto written = co_await cat->input().write("still there");
    EXPECT_TRUE(written);
    cat->input().close();
    const auto text = co_await cat->output().read_all(100);
    if (text) heard = *text;
    const auto ended = co_await cat->wait();
    if (ended) status = *ended;
  });
  loop->run();
  EXPECT_EQ(heard, "still there");
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(status->success());
}

TEST_F(ForkTest, AWatcherOfFilesGoesOn) {
  const TempFolder folder;
  std::vector<std::string> log;
  auto watcher = std::make_unique<fs::FsWatcher>(*loop, [&](const fs::FsEvent& event) {
    log.push_back(event.name);
    loop->stop();
  });
  watcher->add(folder.path()).then(*loop, [](Expected<> added) { EXPECT_TRUE(added.has_value()); });
  while (watcher->size() == 0) loop->run_once();
  in_child([&] {
    watcher.reset();
    loop.reset();
  });
  put(folder / "a", "");
  give_up_after(5s);
  loop->run();
  EXPECT_THAT(log, ElementsAre("a"));
}

}  // namespace
}  // namespace rondo
