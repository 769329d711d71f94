// `rondo --trace-loop=FILE`: the file is in order however the program ends.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace_check.h"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

/// The command, with what it prints on a pipe.
class Command {
 public:
  explicit Command(const std::vector<std::string>& arguments) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      std::vector<char*> pointers{const_cast<char*>(RONDO_PROGRAM)};
      for (const std::string& each : arguments) pointers.push_back(const_cast<char*>(each.c_str()));
      pointers.push_back(nullptr);
      ::execv(RONDO_PROGRAM, pointers.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    fd_ = ends[0];
  }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command() {
    ::close(fd_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  /// Until it has printed this.
  void see(std::string_view text) {
    while (!output_.contains(text)) {
      if (!read_more()) throw std::runtime_error("it printed only: " + output_);
    }
  }
  void kill(int signal) const { ::kill(pid_, signal); }
  /// All that it prints; exit_code() can be asked then.
  const std::string& end() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return output_;
  }
  /// Of one that was killed by a signal: minus its number.
  int exit_code() const noexcept { return exit_code_; }

 private:
  bool read_more() {
    constexpr int kPatienceMs = 60'000;
    pollfd polled{fd_, POLLIN, 0};
    if (::poll(&polled, 1, kPatienceMs) <= 0) return false;
    std::array<char, 65536> chunk;
    const ssize_t count = ::read(fd_, chunk.data(), chunk.size());
    if (count <= 0) return false;
    output_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
  }

  pid_t pid_ = -1;
  int fd_ = -1;
  std::string output_;
  int exit_code_ = -1;
};

class TraceLoop : public ::testing::Test {
 protected:
  TraceLoop() {
    std::string name = (fs::temp_directory_path() / "rondo-trace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    folder_ = name;
  }
  ~TraceLoop() override { fs::remove_all(folder_); }

  std::string script(std::string_view text) const {
    const fs::path path = folder_ / "script.js";
    std::ofstream(path) << text;
    return path;
  }
  std::string path() const { return folder_ / "t.json"; }
  std::string option() const { return "--trace-loop=" + path(); }

  /// Of a process that was killed: the process that writes the file continues for a moment.
  Trace read_when_complete() const {
    for (int i = 0; i < 6000; ++i) {
      std::ifstream file(path(), std::ios::binary);
      const std::string text(std::istreambuf_iterator<char>(file), {});
      if (text.ends_with("\n]\n")) return Trace(text);
      std::this_thread::sleep_for(10ms);
    }
    throw std::runtime_error("the trace never ends");
  }

  fs::path folder_;
};

/// The causes of the callbacks of this name, by name.
std::vector<std::string> causes_of(const Trace& trace, std::string_view name) {
  std::vector<std::string> causes;
  for (const auto& [from, to] : trace.arrows()) {
    if (to.name == name) causes.push_back(from.name);
  }
  return causes;
}

TEST_F(TraceLoop, TakesResourcesOfTheProgramsForNoneOfOurs) {
  Command command({option(), script(R"(
    const { AsyncResource } = require('async_hooks');
    for (const type of ['FSREQCALLBACK', 'PIPECONNECTWRAP']) {
      new AsyncResource(type).runInAsyncScope(() => {});
    }
  )")});
  EXPECT_EQ(command.end(), "");
  EXPECT_EQ(command.exit_code(), 0);
  EXPECT_THAT(Trace::of_file(path()).names(Trace::kCallbacks),
              IsSupersetOf({"FSREQCALLBACK", "PIPECONNECTWRAP"}));
}

TEST_F(TraceLoop, KnowsManyPromisesThatWaitAtOnce) {
  Command command({option(), script(R"(
    for (let i = 0; i < 30000; i++) (async () => { await i; })();
  )")});
  EXPECT_EQ(command.end(), "");
  const Trace trace = Trace::of_file(path());
  EXPECT_EQ(trace.count("promise"), 30000U);
  EXPECT_EQ(trace.arrows().size(), 30000U);
}

TEST_F(TraceLoop, NamesFilesFromWhereTheProgramIs) {
  const std::string file = script(R"(
    const { stat } = require('fs');
    process.chdir(__dirname);
    stat(__filename, () => {
      process.chdir('/');
      stat(__filename, () => stat(__filename, () => {}));
    });
  )");
  Command command({option(), file});
  EXPECT_EQ(command.end(), "");
  const Trace trace = Trace::of_file(path());
  EXPECT_EQ(trace.count("stat " + file.substr(file.rfind('/') + 1)), 1U);
  EXPECT_EQ(trace.count("stat " + file), 2U);
}

TEST_F(TraceLoop, ShowsWhatRanAndWhy) {
  const std::string file = script(R"(
    setTimeout(function later() { process.nextTick(() => {}); }, 3);
    require('fs').readFile(__filename, () => setImmediate(() => {}));
    Promise.resolve().then(() => {});
    queueMicrotask(() => {});
  )");
  Command command({option(), file});
  EXPECT_EQ(command.end(), "");
  EXPECT_EQ(command.exit_code(), 0);
  const Trace trace = Trace::of_file(path());
  EXPECT_THAT(trace.names(Trace::kCallbacks), Contains(file));
  EXPECT_THAT(trace.names(Trace::kCallbacks), Contains("setTimeout 3 ms"));
  EXPECT_THAT(trace.names(Trace::kCallbacks), Contains("readFile " + file));
  EXPECT_EQ(trace.count("tick"), 1U);
  EXPECT_EQ(trace.count("immediate"), 1U);
  EXPECT_EQ(trace.count("microtask"), 1U);
  EXPECT_EQ(trace.count("promise"), 1U);
  for (const char* name : {"microtask", "promise", "setTimeout 3 ms"}) {
    EXPECT_THAT(causes_of(trace, name), ElementsAre(file)) << name;
  }
  EXPECT_EQ(trace.find("tick")->cause, trace.find("setTimeout 3 ms")->id);
  bool is_found = false;
  for (const auto& [from, to] : trace.arrows()) {
    is_found |= from.name == "setTimeout 3 ms" && to.name == "tick";
  }
  EXPECT_TRUE(is_found);
  EXPECT_EQ(trace.last(), "end");
}

TEST_F(TraceLoop, RequestsUnderWayAreNoneInTheEnd) {
  const std::string file = script(R"(
    new (require('async_hooks').AsyncResource)('Mine');
    (async () => {
      for (let i = 0; i < 3; i++) await (await require('fs').promises.open(__filename)).close();
    })();
  )");
  Command command({option(), file});
  EXPECT_EQ(command.end(), "");
  const auto requests = Trace::of_file(path()).counter("requests in progress");
  ASSERT_FALSE(requests.empty());
  EXPECT_EQ(requests.back(), 0);
}

TEST_F(TraceLoop, ShowsWhatMadeReactionsToPromises) {
  const auto causes = [&](std::string_view program) {
    Command command({option(), script("setTimeout(() => {" + std::string(program) + "}, 1);")});
    EXPECT_EQ(command.end(), "");
    const Trace trace = Trace::of_file(path());
    EXPECT_EQ(trace.count("promise"), causes_of(trace, "promise").size());
    return causes_of(trace, "promise");
  };
  const std::string timeout = "setTimeout 1 ms";
  EXPECT_THAT(causes("Promise.resolve().then(() => {})"), ElementsAre(timeout));
  // All of them are made at once.
  EXPECT_THAT(causes("Promise.resolve().then(() => {}).then(() => {}).catch(() => {})"),
              ElementsAre(timeout, timeout, timeout));
  // Of two awaits the second is made when the first is over.
  EXPECT_THAT(causes("(async () => { await 1; await 2; })()"), ElementsAre(timeout, "promise"));
  EXPECT_THAT(causes("(async () => { await new Promise((r) => setImmediate(r)); })()"),
              ElementsAre(timeout));
  // A thenable takes a microtask to be called, and one to resolve.
  EXPECT_THAT(causes("(async () => { await { then(f) { f(); } }; })()"),
              ElementsAre(timeout, timeout));
  EXPECT_THAT(causes("new Promise((r) => r(Promise.resolve()))"), ElementsAre(timeout, "promise"));
  // What calls back with a promise runs twice.
  EXPECT_THAT(causes("Promise.resolve().then(() => Promise.resolve())"),
              ElementsAre(timeout, "promise", "promise"));
}

TEST_F(TraceLoop, APromiseComesFromWhatRunsWhenItIsMade) {
  const std::string file = script(R"(
    const { AsyncResource } = require('async_hooks');
    setTimeout(() => {
      Promise.resolve().then(() => {});
      new AsyncResource('INNER').runInAsyncScope(() => {});
    }, 1);
  )");
  // Alone, and with a page that wants to know more of each callback.
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--lens=0"}}) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {option(), file});
    Command command(arguments);
    command.end();
    const Trace trace = Trace::of_file(path());
    EXPECT_EQ(trace.count("INNER"), 1U);
    EXPECT_THAT(causes_of(trace, "promise"), ElementsAre("setTimeout 1 ms"));
  }
}

TEST_F(TraceLoop, WhatHasEndedDoesNotLastUntilTheLoopWakes) {
  const std::string file = script(R"(
    setImmediate(() => process.nextTick(() => Promise.resolve().then(() => {})));
    setTimeout(() => {}, 1500);
  )");
  Command command({option(), file});
  EXPECT_EQ(command.end(), "");
  const Trace trace = Trace::of_file(path());
  for (const char* name : {"immediate", "tick", "promise"}) {
    ASSERT_NE(trace.find(name), nullptr) << name;
    EXPECT_LT(std::chrono::nanoseconds(trace.find(name)->end - trace.find(name)->begin), 1s)
        << name;
  }
}

TEST_F(TraceLoop, ProgramsOfTheGuide) {
  for (const char* name :
       {"always_asynchronous.js", "close_abrupt_in_close_phase.js", "close_of_server.js",
        "connection_and_listening.js", "data_in_order.js", "error_handled_before_loop_continues.js",
        "fifo_within_phase.js", "immediate_before_many_timers_io.js",
        "immediate_between_two_reads.js", "listen_then_listening.js"}) {
    SCOPED_TRACE(name);
    const std::string program = fs::path(GUIDE) / name;
    Command plain({program});
    const std::string output = plain.end();
    Command traced({option(), program});
    EXPECT_EQ(traced.end(), output);
    EXPECT_EQ(traced.exit_code(), plain.exit_code());
    EXPECT_NO_THROW(EXPECT_EQ(Trace::of_file(path()).callbacks().at(0).name, program));
  }
}

TEST_F(TraceLoop, ChainsOfImmediatesAreIterations) {
  const std::string file = script(R"(
    let n = 0;
    setImmediate(function next() { if (++n < 1000) setImmediate(next); });
  )");
  Command command({option(), file});
  command.end();
  const Trace trace = Trace::of_file(path());
  EXPECT_EQ(trace.count("immediate"), 1000U);
  EXPECT_GE(trace.count("check"), 1000U);
  const auto iterations = std::ranges::count(trace.loop(), "iteration", &Trace::Slice::category);
  EXPECT_GE(iterations, 1000);
  EXPECT_LE(iterations, 1002);
  for (const Trace::Slice& slice : trace.loop()) {
    EXPECT_TRUE(slice.name != "check" || slice.parent.starts_with("iteration ")) << slice.parent;
  }
}

class TraceLoopKilled : public TraceLoop, public ::testing::WithParamInterface<int> {};

TEST_P(TraceLoopKilled, WhileItWaits) {
  const std::string file = script(R"(
    let n = 0;
    setInterval(() => { if (++n === 20) { console.log('ready'); setTimeout(() => {}, 1e6); } }, 1);
  )");
  Command command({option(), file});
  command.see("ready");
  command.kill(GetParam());
  command.end();
  EXPECT_EQ(command.exit_code(), -GetParam());
  const Trace trace = read_when_complete();
  EXPECT_GE(trace.count("setInterval 1 ms"), 20U);
  EXPECT_EQ(trace.last(), "killed");
}

TEST_P(TraceLoopKilled, InTheMiddleOfACallback) {
  const std::string file = script(R"(
    setImmediate(() => {
      require('fs').writeSync(1, 'ready');
      for (;;);
    });
  )");
  Command command({option(), file});
  command.see("ready");
  command.kill(GetParam());
  command.end();
  EXPECT_EQ(command.exit_code(), -GetParam());
  const Trace trace = read_when_complete();
  EXPECT_EQ(trace.count("immediate"), 1U);
  EXPECT_EQ(trace.count("check"), 1U);
  EXPECT_EQ(trace.last(), "killed");
}

TEST_P(TraceLoopKilled, WhileItIsBusy) {
  const std::string file = script(R"(
    let n = 0;
    (function next() {
      if (++n === 20000) require('fs').writeSync(1, 'ready');
      setImmediate(next);
    })();
  )");
  Command command({option(), file});
  command.see("ready");
  command.kill(GetParam());
  command.end();
  const Trace trace = read_when_complete();
  EXPECT_GE(trace.count("immediate"), 19999U);
  EXPECT_EQ(trace.last(), "killed");
}

INSTANTIATE_TEST_SUITE_P(Signals, TraceLoopKilled, ::testing::Values(SIGTERM, SIGKILL),
                         [](const auto& each) { return each.param == SIGKILL ? "kill" : "term"; });

TEST_F(TraceLoop, EndsWithProcessExit) {
  Command command({option(), "-e", "setImmediate(() => process.exit(3))"});
  command.end();
  EXPECT_EQ(command.exit_code(), 3);
  const Trace trace = Trace::of_file(path());
  EXPECT_EQ(trace.count("immediate"), 1U);
  EXPECT_EQ(trace.last(), "end");
}

TEST_F(TraceLoop, EndsWithAnException) {
  Command command({option(), "-e", "setTimeout(() => { throw new Error('no') }, 1)"});
  EXPECT_THAT(command.end(), HasSubstr("Error: no"));
  EXPECT_EQ(command.exit_code(), 1);
  EXPECT_EQ(Trace::of_file(path()).count("setTimeout 1 ms"), 1U);
}

TEST_F(TraceLoop, GoesOnAfterAnException) {
  Command command({option(), script(R"(
    process.on('uncaughtException', () => setTimeout(() => {}, 7));
    setTimeout(() => { throw new Error('no') }, 1);
  )")});
  EXPECT_EQ(command.end(), "");
  EXPECT_EQ(Trace::of_file(path()).count("setTimeout 7 ms"), 1U);
}

TEST_F(TraceLoop, ProgramsWithChildrenDoNotMeetTheWriter) {
  Command command({option(), script(R"(
    const { execFile, spawn } = require('child_process');
    const { readFileSync } = require('fs');
    console.log(`children:${readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')}`);
    spawn('true').on('exit', (code) => {
      execFile('echo', ['done'], (error, stdout) => console.log(code, stdout.trim()));
    });
  )")});
  EXPECT_EQ(command.end(), "children:\n0 done\n");
  EXPECT_EQ(command.exit_code(), 0);
  const Trace trace = Trace::of_file(path());
  EXPECT_EQ(trace.count("'exit' of child process"), 2U);
}

TEST_F(TraceLoop, StopsAtTheLimit) {
  Command command({option(), "--trace-loop-limit=64K",
                   script("for (let i = 0; i < 5000; i++) setImmediate(() => {});")});
  EXPECT_EQ(command.end(), "rondo: the trace " + path() + " stops: it has reached its limit\n");
  EXPECT_EQ(command.exit_code(), 0);
  EXPECT_LE(fs::file_size(path()), 65536U);
  EXPECT_EQ(Trace::of_file(path()).last(), "the trace is full");
}

TEST_F(TraceLoop, RefusesWhatCannotBe) {
  const auto check = [](const std::vector<std::string>& options, int code, std::string_view words) {
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), {"-e", "console.log('it runs')"});
    Command command(arguments);
    const std::string output = command.end();
    EXPECT_THAT(output, HasSubstr(std::string(words)));
    EXPECT_THAT(output, ::testing::Not(HasSubstr("it runs")));
    EXPECT_EQ(command.exit_code(), code);
  };
  check({"--trace-loop=" + (folder_ / "none" / "t.json").string()}, 1, "No such file or directory");
  check({option(), "--trace-loop-limit=many"}, 9, "--trace-loop-limit must be a size");
  check({option(), "--trace-loop-limit=1K"}, 9, "--trace-loop-limit must be a size");
  check({"--trace-loop-limit=1M"}, 9, "of no use without --trace-loop");
  check({"--trace-loop"}, 9, "--trace-loop requires a file: --trace-loop=FILE");
  check({"--trace-loop="}, 9, "--trace-loop= requires an argument");
}

TEST_F(TraceLoop, SaysThatItWaitsForWhoReadsAFifo) {
  const std::string fifo = (folder_ / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::vector<std::string> arguments = {"--trace-loop=" + fifo, "-p", "'started'"};
  const std::string words = "rondo: waiting for a reader of '" + fifo + "'\n";
  {
    Command command(arguments);
    command.see(words);
    command.kill(SIGINT);
    EXPECT_EQ(command.end(), words);
    EXPECT_EQ(command.exit_code(), -SIGINT);
  }
  Command command(arguments);
  command.see(words);
  std::ifstream reader(fifo);
  const std::string trace((std::istreambuf_iterator<char>(reader)), {});
  EXPECT_EQ(command.end(), words + "started\n");
  EXPECT_EQ(command.exit_code(), 0);
  EXPECT_THAT(trace, ::testing::EndsWith("\n]\n"));
}

TEST_F(TraceLoop, TheProgramsDescriptorsHaveTheirNumbers) {
  const std::string file = script("console.log(require('fs').openSync('/dev/null'));");
  Command plain({file});
  Command traced({option(), file});
  EXPECT_EQ(traced.end(), plain.end());
}

TEST_F(TraceLoop, NoArrowLeadsToWhatIsOver) {
  Command command({option(), script("require('fs').stat('/', () => {});")});
  command.end();
  std::ifstream trace(path());
  const std::string text(std::istreambuf_iterator<char>(trace), {});
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_GT(count("\"ph\":\"s\""), 0U);
  EXPECT_EQ(count("\"ph\":\"s\""), count("\"ph\":\"f\""));
}

}  // namespace
}  // namespace rondo::test
