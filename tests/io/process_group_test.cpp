// Process groups, terminate(), resource limits, terminals of children.
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/future.h"
#include "rondo/process.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class ProcessGroupTest : public testing::Test {
 protected:
  Process start(SpawnOptions options) {
    auto process = Process::spawn(loop, options);
    EXPECT_TRUE(process) << process.error().message();
    return *std::move(process);
  }
  /// A shell that says "ready" when its traps are set.
  static SpawnOptions shell(const std::string& script) {
    return SpawnOptions("/bin/sh", "-c", script)
        .with_stdio(Stdio::ignore(), Stdio::pipe(), Stdio::inherit());
  }
  Async<std::string> read_some(Pipe& pipe) {
    std::string text(1000, '\0');
    const auto count = co_await pipe.read(std::as_writable_bytes(std::span(text)));
    text.resize(count.value_or(0));
    co_return text;
  }

  Loop loop;
};

TEST_F(ProcessGroupTest, ASignalToTheGroupReachesGrandchildren) {
  Process process = start(shell("sleep 1000 & echo ready; wait").with_process_group());
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ(co_await read_some(process.output()), "ready\n");
    EXPECT_TRUE(process.kill_group(SIGKILL));
    EXPECT_EQ((co_await process.wait())->signal, SIGKILL);
    // The end of the pipe: its other end is closed.
    EXPECT_EQ(co_await read_some(process.output()), "");
    EXPECT_EQ(process.kill_group(SIGTERM).error(), errno_code(ESRCH));
  });
}

TEST_F(ProcessGroupTest, WithoutAGroupOfItsOwnThereIsNoneToSignal) {
  Process process = start(SpawnOptions("sleep", "1000").with_kill_on_destroy());
  EXPECT_EQ(process.kill_group(SIGTERM).error(), errno_code(EPERM));
  EXPECT_EQ(block_on(loop, process.terminate())->signal, SIGTERM);
}

TEST_F(ProcessGroupTest, TerminateKillsWhatDoesNotEndInTime) {
  Process process =
      start(shell("trap '' TERM; echo ready; while :; do sleep 1; done").with_process_group());
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ(co_await read_some(process.output()), "ready\n");
    EXPECT_EQ((co_await process.terminate(20ms))->signal, SIGKILL);
    EXPECT_EQ((co_await process.terminate())->signal, SIGKILL);  // has ended already
  });
}

TEST_F(ProcessGroupTest, TerminateLeavesTimeToEndWell) {
  Process process = start(shell("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done"));
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ(co_await read_some(process.output()), "ready\n");
    EXPECT_EQ((co_await process.terminate(60s))->code, 7);
  });
}

TEST_F(ProcessGroupTest, AStopOfTerminateKillsAtOnce) {
  Process process =
      start(shell("trap '' TERM; echo ready; while :; do sleep 1; done").with_process_group());
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ(co_await read_some(process.output()), "ready\n");
    EXPECT_EQ((co_await with_timeout(5ms, process.terminate(1h)))->signal, SIGKILL);
  });
}

TEST_F(ProcessGroupTest, LimitsHoldInTheChildOnly) {
  rlimit before{};
  ::getrlimit(RLIMIT_CORE, &before);
  const auto result =
      block_on(loop, run(SpawnOptions("/bin/sh", "-c", "ulimit -n; ulimit -f")
                             .with_limits(ResourceLimit{RLIMIT_NOFILE, 77, 99},
                                          ResourceLimit{RLIMIT_FSIZE, 1024, 1024})));
  EXPECT_EQ(result->out, "77\n2\n");
  EXPECT_EQ(Process::spawn(loop, SpawnOptions("true").with_limits(ResourceLimit{-1, 0, 0})).error(),
            errno_code(EINVAL));
  rlimit after{};
  ::getrlimit(RLIMIT_CORE, &after);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur);
}

TEST_F(ProcessGroupTest, AChildWithATerminal) {
  Process process =
      start(SpawnOptions("/bin/sh", "-c",
                         "test -t 0 && test -t 1 && test -t 2 && stty size; read line; "
                         "stty size; echo got $line; tty < /dev/tty")
                .with_terminal({.columns = 90, .rows = 30}));
  block_on(loop, [&]() -> Async<> {
    EXPECT_EQ(co_await read_some(process.terminal()), "30 90\r\n");
    EXPECT_TRUE(process.resize_terminal({.columns = 100, .rows = 40}));
    EXPECT_TRUE(co_await process.terminal().write("hello\n"));
    const auto rest = co_await process.terminal().read_all(10'000);
    EXPECT_THAT(*rest, HasSubstr("40 100"));
    EXPECT_THAT(*rest, HasSubstr("got hello"));
    EXPECT_THAT(*rest, HasSubstr("/dev/tty"));
    EXPECT_TRUE((co_await process.wait())->success());
  });
  Process plain = start(SpawnOptions("true"));
  EXPECT_EQ(plain.resize_terminal({}).error(), errno_code(EBADF));
  loop.run();
}

}  // namespace
}  // namespace rondo
