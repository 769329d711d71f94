#include "rondo/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

/// Whether this process has a child left, running or dead.
bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/// Children with a loop of their own; checks that none is left and no descriptor either.
class ProcessTest : public testing::Test {
 protected:
  ProcessTest() {
    loop_.emplace();
    loop_->run_nowait();
    descriptors_ = open_descriptors();
    char name[] = "/tmp/rondo-process-XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~ProcessTest() override {
    loop_.reset();
    std::filesystem::remove_all(folder);
  }
  void TearDown() override {
    loop().run_nowait();  // lets the ring forget what was cancelled
    EXPECT_EQ(open_descriptors(), descriptors_);
    EXPECT_FALSE(has_children());
  }

  Loop& loop() { return *loop_; }

  Expected<RunResult> run_to_end(RunOptions options) {
    std::optional<Expected<RunResult>> result;
    spawn(loop(), keep(run(std::move(options)), result));
    loop().run();
    return std::move(*result);
  }
  Expected<RunResult> shell(const std::string& script) {
    return run_to_end(RunOptions("/bin/sh", "-c", script));
  }
  static Async<> keep(Async<Expected<RunResult>> task, std::optional<Expected<RunResult>>& into) {
    into = co_await std::move(task);
  }

  std::error_code spawn_error(SpawnOptions options) {
    const auto process = Process::spawn(loop(), options);
    EXPECT_FALSE(process);
    EXPECT_FALSE(has_children());  // not even for a moment
    return process ? std::error_code() : process.error();
  }

  std::string file(const std::string& name, const std::string& content, mode_t mode) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }

  ExitStatus wait_for(Process& process) {
    ExitStatus status;
    process.wait().then(loop(), [&](Expected<ExitStatus> end) { status = end.value(); });
    loop().run();
    return status;
  }

  std::size_t descriptors_at_start() const { return descriptors_; }

  std::string folder;

 private:
  std::optional<Loop> loop_;
  std::size_t descriptors_ = 0;
};

// ---- The end -----------------------------------------------------------------------------------

TEST_F(ProcessTest, GivesTheExitCode) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sh", "-c", "exit 3"));
  ASSERT_TRUE(process);
  EXPECT_GT(process->pid(), 0);
  EXPECT_TRUE(process->running());
  EXPECT_FALSE(process->status());
  EXPECT_TRUE(loop().alive());
  bool told = false;
  process->wait().then(loop(), [&](Expected<ExitStatus> end) {
    told = true;
    EXPECT_EQ(loop().phase(), Phase::poll);
    EXPECT_EQ(end.value(), (ExitStatus{.code = 3}));
    EXPECT_FALSE(end->success());
  });
  loop().run();
  EXPECT_TRUE(told);
  EXPECT_FALSE(process->running());
  EXPECT_EQ(process->status(), (ExitStatus{.code = 3}));
  EXPECT_FALSE(loop().alive());
}

TEST_F(ProcessTest, WaitingAfterTheEndGivesItAgain) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/true"));
  ASSERT_TRUE(process);
  loop().run();  // it keeps the loop alive by itself
  EXPECT_TRUE(process->status().value().success());
  std::vector<int> told;
  for (int i = 0; i < 3; ++i) {
    process->wait().then(loop(), [&told, i](Expected<ExitStatus> end) {
      EXPECT_TRUE(end.value().success());
      told.push_back(i);
    });
  }
  EXPECT_TRUE(told.empty());
  loop().run();
  EXPECT_THAT(told, ElementsAre(0, 1, 2));
}

TEST_F(ProcessTest, SeveralMayWaitAndOneMayThrow) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/true"));
  ASSERT_TRUE(process);
  std::vector<int> told;
  for (int i = 0; i < 3; ++i) {
    process->wait().then(loop(), [&told, i](const Expected<ExitStatus>&) {
      told.push_back(i);
      if (i == 0) throw std::runtime_error("first");
    });
  }
  EXPECT_THROW(loop().run(), std::runtime_error);
  loop().run();
  EXPECT_THAT(told, ElementsAre(0, 1, 2));
}

TEST_F(ProcessTest, IsKilled) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000"));
  ASSERT_TRUE(process);
  EXPECT_EQ(process->kill(1000).error(), errno_code(EINVAL));
  EXPECT_TRUE(process->kill(0));
  EXPECT_TRUE(process->kill(SIGTERM));
  EXPECT_EQ(wait_for(*process), (ExitStatus{.signal = SIGTERM}));
  EXPECT_EQ(process->kill(SIGTERM).error(), errno_code(ESRCH));
}

TEST_F(ProcessTest, IsKilledByOneOfItsWaiters) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000"));
  ASSERT_TRUE(process);
  loop().set_timeout(1ms, [&] { EXPECT_TRUE(process->kill(SIGKILL)); });
  EXPECT_EQ(wait_for(*process), (ExitStatus{.signal = SIGKILL}));
}

TEST_F(ProcessTest, UnrefdItDoesNotKeepTheLoop) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000"));
  ASSERT_TRUE(process);
  EXPECT_TRUE(process->has_ref());
  process->unref();
  EXPECT_FALSE(loop().alive());
  loop().run();
  process->ref();
  EXPECT_TRUE(process->kill(SIGKILL));
  EXPECT_EQ(wait_for(*process).signal, SIGKILL);
}

TEST_F(ProcessTest, WhoIgnoresSigchldGetsNoStatusButNoHangEither) {
  ::signal(SIGCHLD, SIG_IGN);
  auto process = Process::spawn(loop(), SpawnOptions("/bin/true"));
  ASSERT_TRUE(process);
  std::string error;
  process->wait().then(
      loop(), [&](Expected<ExitStatus> end) { error = end ? "" : error_name(end.error()); });
  loop().run();
  EXPECT_EQ(error, "ECHILD");
  ::signal(SIGCHLD, SIG_DFL);
}

TEST_F(ProcessTest, TwoHundredAtOnce) {
  std::vector<Process> processes;
  int ended = 0;
  for (int i = 0; i < 200; ++i) {
    auto process =
        Process::spawn(loop(), SpawnOptions("/bin/sh", "-c", "exit " + std::to_string(i % 100))
                                   .with_stdio(Stdio::ignore(), Stdio::pipe()));
    ASSERT_TRUE(process) << process.error();
    process->wait().then(loop(), [&ended, i](Expected<ExitStatus> end) {
      EXPECT_EQ(end.value().code, i % 100);
      ++ended;
    });
    processes.push_back(*std::move(process));
  }
  loop().run();
  EXPECT_EQ(ended, 200);
}

// ---- What it is given --------------------------------------------------------------------------

TEST_F(ProcessTest, CommunicatesThroughPipes) {
  RunOptions options =
      RunOptions("/bin/sh", "-c", "cat; echo problem >&2; exit 4").with_input("some input\n");
  const auto result = run_to_end(std::move(options));
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->out, "some input\n");
  EXPECT_EQ(result->err, "problem\n");
  EXPECT_EQ(result->status.code, 4);
}

TEST_F(ProcessTest, MegabytesBothWays) {
  RunOptions options =
      RunOptions("/bin/cat").with_input(std::string(5'000'000, 'm')).with_most_output(6'000'000);
  const auto result = run_to_end(std::move(options));
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->out.size(), 5'000'000U);
  EXPECT_TRUE(result->status.success());
}

TEST_F(ProcessTest, TooMuchOutputIsAnError) {
  const auto result = run_to_end(RunOptions("/bin/cat", "/dev/zero").with_most_output(100'000));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), errno_code(ENOBUFS));
}

TEST_F(ProcessTest, ItNeedNotReadItsInput) {
  // More than the pipe holds, to a child that is gone before it is written: no SIGPIPE.
  const auto result = run_to_end(RunOptions("/bin/true").with_input(std::string(1'000'000, 'x')));
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->status.success());
}

TEST_F(ProcessTest, ItMayCloseItsOutputEarly) {
  auto process = Process::spawn(
      loop(), SpawnOptions("/bin/sh", "-c", "echo first; exec >&-; read line; exit 5")
                  .with_stdio(Stdio::pipe(), Stdio::pipe()));
  ASSERT_TRUE(process);
  struct Script {
    static Async<> talk(Process& child, std::vector<std::string>& seen) {
      seen.push_back(*co_await child.output().read_all(1000));
      seen.emplace_back(child.running() ? "running" : "gone");
      (void)co_await child.input().write("\n");
      const auto end = co_await child.wait();
      seen.push_back(std::to_string(end->code));
    }
  };
  std::vector<std::string> seen;
  spawn(loop(), Script::talk(*process, seen));
  loop().run();
  EXPECT_THAT(seen, ElementsAre("first\n", "running", "5"));
}

TEST_F(ProcessTest, ItsEnvironmentIsTheOneGiven) {
  RunOptions options = RunOptions(SpawnOptions("/usr/bin/env").with_env("A=1", "B=two words"));
  EXPECT_EQ(run_to_end(options)->out, "A=1\nB=two words\n");
  options.spawn.env = std::vector<std::string>{};
  EXPECT_EQ(run_to_end(options)->out, "");
  options.spawn.env = std::nullopt;
  ::setenv("RONDO_TEST_VARIABLE", "inherited", 1);
  EXPECT_THAT(run_to_end(options)->out, HasSubstr("RONDO_TEST_VARIABLE=inherited\n"));
  ::unsetenv("RONDO_TEST_VARIABLE");
}

TEST_F(ProcessTest, IsLookedForInThePathOfItsOwnEnvironment) {
  ::mkdir((folder + "/empty").c_str(), 0755);
  ::mkdir((folder + "/bin").c_str(), 0755);
  file("bin/rondo-test-program", "#!/bin/sh\necho found $0\n", 0755);
  SpawnOptions options = SpawnOptions("rondo-test-program");
  EXPECT_EQ(spawn_error(options), errno_code(ENOENT));
  options.env = {"PATH=" + folder + "/empty:/nonexistent:" + folder + "/bin"};
  const auto found = run_to_end(options);
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->out, "found " + folder + "/bin/rondo-test-program\n");
  // An empty entry is the child's folder.
  options.env = {"PATH=/nonexistent:"};
  EXPECT_EQ(spawn_error(options), errno_code(ENOENT));
  options.cwd = folder + "/bin";
  EXPECT_TRUE(run_to_end(options));
  // One that may not be executed does not hide one that may; alone it is what is reported.
  file("empty/rondo-test-program", "#!/bin/sh\n", 0644);
  options.cwd = "";
  options.env = {"PATH=" + folder + "/empty:" + folder + "/bin"};
  EXPECT_TRUE(run_to_end(options));
  options.env = {"PATH=" + folder + "/empty:/nonexistent"};
  EXPECT_EQ(spawn_error(options), errno_code(EACCES));
  // Without a PATH: where the system keeps its own.
  EXPECT_TRUE(run_to_end(RunOptions(SpawnOptions("true").with_env("A=1"))));
}

TEST_F(ProcessTest, BeginsWhereItIsTold) {
  const auto result = run_to_end(RunOptions(SpawnOptions("/bin/pwd").with_cwd(folder)));
  EXPECT_EQ(result->out, folder + "\n");
}

TEST_F(ProcessTest, SeesAnotherNameIfGivenOne) {
  const auto result = run_to_end(RunOptions(
      SpawnOptions("/bin/sh", "-c", "tr '\\0' ' ' < /proc/$$/cmdline").with_argv0("another")));
  EXPECT_THAT(result->out, testing::StartsWith("another -c "));
}

TEST_F(ProcessTest, DetachedItHasItsOwnSession) {
  SpawnOptions options = SpawnOptions("/bin/sh", "-c", "cut -d' ' -f6 /proc/$$/stat; echo $$");
  const auto lines = [](const std::string& text) {
    std::istringstream stream(text);
    std::string session;
    std::string pid;
    stream >> session >> pid;
    return std::pair(session, pid);
  };
  const auto [session, pid] = lines(run_to_end(options)->out);
  EXPECT_EQ(session, std::to_string(::getsid(0)));
  EXPECT_NE(session, pid);
  options.detached = true;
  const auto [own_session, own_pid] = lines(run_to_end(options)->out);
  EXPECT_EQ(own_session, own_pid);
}

TEST_F(ProcessTest, IsAnotherUser) {
  if (::getuid() != 0) GTEST_SKIP() << "only root may";
  SpawnOptions options = SpawnOptions("/bin/sh", "-c", "id -u; id -g; id -G");
  options.uid = 12345;
  options.gid = 23456;
  EXPECT_EQ(run_to_end(options)->out, "12345\n23456\n23456\n");
  options.groups = {{100, 200}};
  EXPECT_EQ(run_to_end(options)->out, "12345\n23456\n23456 100 200\n");
  // Our own user has not changed.
  EXPECT_EQ(::getuid(), 0U);
}

TEST_F(ProcessTest, HasNoSignalBlockedAndNoneIgnored) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ::signal(SIGUSR2, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, [](int) {});
  const auto result = run_to_end(RunOptions("/bin/cat", "/proc/self/status"));
  ::signal(SIGHUP, SIG_DFL);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGUSR2, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const char* none : {"SigBlk:\t0000000000000000\n", "SigIgn:\t0000000000000000\n",
                           "SigCgt:\t0000000000000000\n"}) {
    EXPECT_THAT(result->out, HasSubstr(none));
  }
}

TEST_F(ProcessTest, OurOwnSignalsAreAsBefore) {
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  ::signal(SIGUSR2, SIG_IGN);
  EXPECT_TRUE(shell("exit 0"));
  EXPECT_EQ(spawn_error(SpawnOptions("/nonexistent")), errno_code(ENOENT));
  sigset_t after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (int signum = 1; signum < 32; ++signum) {
    EXPECT_EQ(sigismember(&before, signum), sigismember(&after, signum)) << signum;
  }
  EXPECT_EQ(::signal(SIGUSR2, SIG_DFL), SIG_IGN);
}

// ---- Descriptors -------------------------------------------------------------------------------

TEST_F(ProcessTest, HasTheDescriptorsItWasGivenAndNoOthers) {
  const int careless = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const int far_away = ::fcntl(careless, F_DUPFD, 300);
  const auto result = shell("ls /proc/$$/fd");
  EXPECT_EQ(result->out, "0\n1\n2\n");
  ::close(careless);
  ::close(far_away);
}

TEST_F(ProcessTest, ExtraDescriptors) {
  const std::string path = file("given", "from a file\n", 0644);
  const int given = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto process = Process::spawn(
      loop(), SpawnOptions("/bin/sh", "-c",
                           "cat <&3; exec >&-; echo to four >&4; exec 4>&-; head -c 5 <&5 >&5")
                  .with_stdio(Stdio::ignore(), Stdio::pipe(), Stdio::inherit(),
                              Stdio::descriptor(given), Stdio::output(), Stdio::pipe()));
  ASSERT_TRUE(process) << process.error();
  ::close(given);
  struct Script {
    static Async<> talk(Process& child, std::vector<std::string>& seen) {
      seen.push_back(*co_await child.output().read_all(1000));
      seen.push_back(*co_await child.pipe(4).read_all(1000));
      (void)co_await child.pipe(5).write("hello");
      child.pipe(5).close_write();
      seen.push_back(*co_await child.pipe(5).read_all(1000));
    }
  };
  std::vector<std::string> seen;
  spawn(loop(), Script::talk(*process, seen));
  loop().run();
  EXPECT_THAT(seen, ElementsAre("from a file\n", "to four\n", "hello"));
  EXPECT_THROW(process->pipe(0), Misuse);
  EXPECT_THROW(process->pipe(3), Misuse);
  EXPECT_THROW(process->pipe(6), Misuse);
}

TEST_F(ProcessTest, DescriptorsMayChangePlaces) {
  // The child's 3 is our 4 and vice versa: one must not overwrite the other.
  const std::string a = file("a", "a\n", 0644);
  const std::string b = file("b", "b\n", 0644);
  const int at_a = ::open(a.c_str(), O_RDONLY | O_CLOEXEC);
  const int at_b = ::open(b.c_str(), O_RDONLY | O_CLOEXEC);
  const auto top = static_cast<std::size_t>(std::max(at_a, at_b));
  std::vector<Stdio> stdio(top + 1, Stdio::ignore());
  stdio[1] = Stdio::pipe();
  stdio[static_cast<std::size_t>(at_a)] = Stdio::descriptor(at_b);
  stdio[static_cast<std::size_t>(at_b)] = Stdio::descriptor(at_a);
  const std::string from_a = "/proc/self/fd/" + std::to_string(at_a);
  const std::string from_b = "/proc/self/fd/" + std::to_string(at_b);
  auto process = Process::spawn(loop(), SpawnOptions("/bin/cat", from_a, from_b).with_stdio(stdio));
  ::close(at_a);
  ::close(at_b);
  ASSERT_TRUE(process) << process.error();
  std::string text;
  struct Script {
    static Async<> read(Process& child, std::string& text) {
      text = *co_await child.output().read_all(1000);
    }
  };
  spawn(loop(), Script::read(*process, text));
  loop().run();
  EXPECT_EQ(text, "b\na\n");
}

TEST_F(ProcessTest, OneDescriptorMayBecomeSeveral) {
  const std::string path = file("log", "", 0644);
  const int log = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  auto process = Process::spawn(
      loop(), SpawnOptions("/bin/sh", "-c", "echo out; echo err >&2")
                  .with_stdio(Stdio::ignore(), Stdio::descriptor(log), Stdio::descriptor(log)));
  ::close(log);
  ASSERT_TRUE(process);
  EXPECT_TRUE(wait_for(*process).success());
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, "out\nerr\n");
}

TEST_F(ProcessTest, AClosedStandardDescriptorIsNoObstacle) {
  // Then our ends of pipes may get the numbers 0 to 2 themselves.
  const int saved = ::fcntl(0, F_DUPFD_CLOEXEC, 10);
  ::close(0);
  const auto result = shell("cat; ls /proc/$$/fd");
  auto inheriting =
      Process::spawn(loop(), SpawnOptions("/bin/sh", "-c", "test ! -e /proc/$$/fd/0"));
  ASSERT_TRUE(inheriting);
  EXPECT_TRUE(wait_for(*inheriting).success());
  ::dup2(saved, 0);
  ::close(saved);
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->out, "0\n1\n2\n");
}

// ---- What goes wrong ---------------------------------------------------------------------------

TEST_F(ProcessTest, ErrorsOfExecAreErrorsOfSpawn) {
  EXPECT_EQ(spawn_error(SpawnOptions("/nonexistent/program")), errno_code(ENOENT));
  EXPECT_EQ(spawn_error(SpawnOptions("rondo-no-such-program")), errno_code(ENOENT));
  EXPECT_EQ(spawn_error(SpawnOptions("")), errno_code(ENOENT));
  EXPECT_EQ(spawn_error(SpawnOptions(folder)), errno_code(EACCES));
  EXPECT_EQ(spawn_error(SpawnOptions(file("plain", "#!/bin/sh\n", 0644))), errno_code(EACCES));
  EXPECT_EQ(spawn_error(SpawnOptions(file("noexec", "just text\n", 0755))), errno_code(ENOEXEC));
  EXPECT_EQ(spawn_error(SpawnOptions(file("plain", "", 0644) + "/x")), errno_code(ENOTDIR));
  EXPECT_EQ(spawn_error(SpawnOptions(file("interp", "#!/nonexistent\n", 0755))),
            errno_code(ENOENT));
  const std::string huge(200'000, 'x');  // longer than one argument may be
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true", huge)), errno_code(E2BIG));
}

TEST_F(ProcessTest, OtherErrorsOfSpawn) {
  EXPECT_EQ(spawn_error(SpawnOptions()), errno_code(EINVAL));
  EXPECT_EQ(spawn_error(SpawnOptions(std::string("/bin/true\0x", 11))), errno_code(EINVAL));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true", std::string("a\0b", 3))), errno_code(EINVAL));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_env(std::string("A=\0", 3))),
            errno_code(EINVAL));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_cwd(std::string("/\0tmp", 5))),
            errno_code(EINVAL));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_cwd("/nonexistent")), errno_code(ENOENT));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_cwd(file("plain", "", 0644))),
            errno_code(ENOTDIR));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_stdio(Stdio::descriptor(9999))),
            errno_code(EBADF));
  EXPECT_EQ(spawn_error(SpawnOptions("/bin/true").with_stdio(Stdio::descriptor(-1))),
            errno_code(EBADF));
}

TEST_F(ProcessTest, FailuresLeaveNoDescriptor) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(
        spawn_error(SpawnOptions("/nonexistent")
                        .with_stdio(Stdio::pipe(), Stdio::pipe(), Stdio::ignore(), Stdio::pipe())),
        errno_code(ENOENT));
  }
}

TEST_F(ProcessTest, RunTellsTheErrorOfSpawn) {
  const auto result = run_to_end(RunOptions("/nonexistent"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), errno_code(ENOENT));
}

TEST_F(ProcessTest, BelongsToItsLoop) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/true"));
  ASSERT_TRUE(process);
  {
    Loop other;
    EXPECT_THROW(process->wait().then(other, [](const Expected<ExitStatus>&) {}), Misuse);
  }
  loop().run();
}

// ---- Stopping ----------------------------------------------------------------------------------

Async<> note_result(Async<Expected<RunResult>> task, std::string& seen) {
  const auto result = co_await std::move(task);
  seen = result ? "ended" : error_name(result.error());
}

TEST_F(ProcessTest, StoppingRunKillsTheChild) {
  // At each of the points where run() waits: it writes, reads, or waits for the end alone.
  for (const std::string script :
       {"exec sleep 1000", "exec >&- 2>&-; exec sleep 1000", "exec <&-; exec sleep 1000",
        "little input", "exec <&- >&- 2>&-; exec sleep 1000"}) {
    std::stop_source stop;
    std::string seen;
    RunOptions options = RunOptions("/bin/sh", "-c", script)
                             .with_input(std::string(script == "little input" ? 10 : 300'000, 'i'));
    if (script == "little input") options.spawn.command = {"/bin/sleep", "1000"};
    spawn(loop(), note_result(run(std::move(options)), seen), stop.get_token());
    loop().set_timeout(20ms, [&] {
      EXPECT_EQ(seen, "");
      stop.request_stop();
    });
    loop().run();  // returns when the child is gone, not before
    EXPECT_EQ(seen, "ECANCELED") << script;
    EXPECT_FALSE(has_children()) << script;
  }
}

TEST_F(ProcessTest, StoppedBeforeItBegins) {
  std::stop_source stop;
  stop.request_stop();
  std::string seen;
  spawn(loop(), note_result(run("/bin/sleep", "1000"), seen), stop.get_token());
  loop().run();
  EXPECT_EQ(seen, "ECANCELED");
}

TEST_F(ProcessTest, StoppingAWaitLeavesTheChildAlone) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000"));
  ASSERT_TRUE(process);
  std::stop_source stop;
  std::vector<std::string> seen;
  process->wait().then(
      loop(),
      [&](const Expected<ExitStatus>& end) {
        seen.emplace_back(end ? "ended" : error_name(end.error()));
        EXPECT_TRUE(process->running());
        EXPECT_TRUE(process->kill(SIGKILL));
      },
      stop.get_token());
  loop().set_immediate([&] { stop.request_stop(); });
  loop().run();
  EXPECT_THAT(seen, ElementsAre("ECANCELED"));
  EXPECT_EQ(process->status().value().signal, SIGKILL);
}

TEST_F(ProcessTest, ATimeoutKills) {
  struct Script {
    static Async<> limited(std::string& seen) {
      const auto result = co_await with_timeout(20ms, run("/bin/sleep", "1000"));
      seen = result ? "ended" : error_name(result.error());
    }
  };
  std::string seen;
  spawn(loop(), Script::limited(seen));
  loop().run();
  EXPECT_EQ(seen, "ETIMEDOUT");
}

// ---- Without an owner --------------------------------------------------------------------------

/// Waits, as no user has to, until a pid of ours is gone.
void wait_until_reaped(pid_t pid) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return;  // it is gone already
  pollfd polled{pidfd, POLLIN, 0};
  ASSERT_EQ(::poll(&polled, 1, 20'000), 1);  // it has ended
  ::close(pidfd);
  // And the reaper has begun.
  while (::kill(pid, 0) == 0) std::this_thread::yield();
}

TEST_F(ProcessTest, ADestroyedHandleLeavesTheChildRunning) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/cat").with_stdio(Stdio::pipe()));
  ASSERT_TRUE(process);
  const pid_t pid = process->pid();
  const int input = process->input().release();
  process = std::unexpected(errno_code(0));
  EXPECT_FALSE(loop().alive());
  loop().run_nowait();
  EXPECT_EQ(::kill(pid, 0), 0);  // it runs
  ::close(input);                // ends it
  // The loop reaps it in its next iteration, without being asked.
  loop().set_timeout(1ms, [] {});
  while (::kill(pid, 0) == 0) loop().run_once();
  EXPECT_FALSE(has_children());
}

TEST_F(ProcessTest, KillOnDestroyKills) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000").with_kill_on_destroy());
  ASSERT_TRUE(process);
  process = std::unexpected(errno_code(0));
  EXPECT_TRUE(loop().alive());  // until it is gone
  loop().run();
  EXPECT_FALSE(has_children());
}

TEST_F(ProcessTest, MayBeDestroyedWhileItIsWaitedFor) {
  auto process = Process::spawn(loop(), SpawnOptions("/bin/sleep", "1000").with_kill_on_destroy());
  ASSERT_TRUE(process);
  bool told = false;
  process->wait().then(loop(), [&](Expected<ExitStatus> end) {
    EXPECT_EQ(end.value().signal, SIGKILL);
    told = true;
  });
  process = std::unexpected(errno_code(0));
  loop().run();
  EXPECT_TRUE(told);
}

TEST_F(ProcessTest, ADestroyedLoopLeavesChildrenRunningAndNoZombie) {
  std::vector<int> inputs;
  std::vector<pid_t> pids;
  std::optional<Process> outlives;
  {
    Loop mortal;
    for (int i = 0; i < 3; ++i) {
      auto process = Process::spawn(mortal, SpawnOptions("/bin/cat").with_stdio(Stdio::pipe()));
      ASSERT_TRUE(process);
      pids.push_back(process->pid());
      inputs.push_back(process->input().release());
      if (i == 0) outlives = *std::move(process);
    }
  }
  for (const pid_t pid : pids) EXPECT_EQ(::kill(pid, 0), 0);  // they continue
  EXPECT_TRUE(outlives->kill(0));
  for (const int input : inputs) ::close(input);  // ends them, one after the other
  for (const pid_t pid : pids) wait_until_reaped(pid);
  outlives.reset();
  // The thread that reaped them closes what it had.
  while (open_descriptors() != descriptors_at_start()) std::this_thread::yield();
}

TEST_F(ProcessTest, ADestroyedLoopKillsThoseItIsToKill) {
  pid_t pid = -1;
  {
    Loop mortal;
    auto process =
        Process::spawn(mortal, SpawnOptions("/bin/sleep", "1000").with_kill_on_destroy());
    ASSERT_TRUE(process);
    pid = process->pid();
    struct Script {
      static Async<> wait(Process child) {
        (void)co_await child.wait();
        ADD_FAILURE() << "resumed by a loop that is gone";
      }
    };
    spawn(mortal, Script::wait(*std::move(process)));
    mortal.run_nowait();
  }
  wait_until_reaped(pid);
  while (open_descriptors() != descriptors_at_start()) std::this_thread::yield();
}

TEST_F(ProcessTest, WhatIsClosedHereIsClosedThereAlsoWhenAPipeTakesItsNumber) {
  const int saved = ::fcntl(0, F_DUPFD_CLOEXEC, 10);
  ::close(0);
  SpawnOptions options = SpawnOptions("/bin/sh", "-c", "test ! -e /proc/$$/fd/0");
  options.stdio = {Stdio::inherit(), Stdio::pipe(), Stdio::ignore()};
  auto process = Process::spawn(loop(), options);
  ASSERT_TRUE(process);
  const ExitStatus status = wait_for(*process);
  process->output().close();
  ::dup2(saved, 0);
  ::close(saved);
  EXPECT_TRUE(status.success());
}

TEST_F(ProcessTest, AnotherUserForTheChildLeavesUsDumpable) {
  if (::getuid() != 0) GTEST_SKIP() << "only root may";
  const int before = ::prctl(PR_GET_DUMPABLE);
  ASSERT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
  SpawnOptions options = SpawnOptions("/bin/true");
  options.uid = 12345;
  auto process = Process::spawn(loop(), options);
  ASSERT_TRUE(process);
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE), 1);
  EXPECT_TRUE(wait_for(*process).success());
  ::prctl(PR_SET_DUMPABLE, before);
}

}  // namespace
}  // namespace rondo
