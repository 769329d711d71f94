// `rondo --blocked=MS`: what holds the loop up is named while it does. The programs below go on
// until the test has seen the report and says so, through standard input or a pipe.
#include <sys/stat.h>

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/program.h"

namespace rondo::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Blocked : public ::testing::Test {
 protected:
  /// A script; those of them that spin end when a byte comes.
  std::string script(std::string_view text) const {
    return folder_.file("script.js", std::string(kStop) + std::string(text));
  }

  Folder folder_;

 private:
  static constexpr std::string_view kStop =
      "const { statSync } = require('fs'); const stops = () => statSync(__dirname + '/stop', "
      "{ throwIfNoEntry: false }) !== undefined;\n";

 protected:
  void stop() const { folder_.file("stop", ""); }
};

TEST_F(Blocked, BusyLoopInATimerIsShownWithItsStackWhileItRuns) {
  Program program({"--blocked=50", script("function spin() { while (!stops()); }\n"
                                          "function work() {\n"
                                          "  for (let i = 0; i < 3; i++) setImmediate(() => {});\n"
                                          "  process.nextTick(() => {});\n"
                                          "  spin();\n"
                                          "}\n"
                                          "setTimeout(work, 3);\n"
                                          "setTimeout(() => {}, 4);\n")});
  program.see_error("3 immediates, 1 timer overdue by up to ");
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr("[blocked] setTimeout 3 ms has been running for "),
                    HasSubstr(" ms, in the timers phase\n"),
                    HasSubstr("at work (" + folder_.path("script.js") + ":6:3)"),
                    HasSubstr("callback: work (" + folder_.path("script.js") + ":3:"),
                    HasSubstr("scheduled at: " + folder_.path("script.js") + ":8:1\n"),
                    HasSubstr("kept waiting: 1 tick, 3 immediates, 1 timer overdue by up to ")));
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] setTimeout 3 ms ran for "));
  EXPECT_THAT(program.errors(), HasSubstr("; it is over\n"));
}

TEST_F(Blocked, WhoScheduledItIsTold) {
  for (const std::string_view call :
       {"setTimeout(spin, 3);", "setInterval(spin, 3);", "setImmediate(spin);",
        "process.nextTick(spin);", "fs.stat(__filename, spin);", "dns.lookup('127.0.0.1', spin);",
        "net.createServer().listen(0, '127.0.0.1', spin);"}) {
    const Folder folder;
    const std::string path =
        folder.file("script.js",
                    "const fs = require('fs'), dns = require('dns'), net = require('net');\n"
                    "function spin() { while (!fs.existsSync(`${__dirname}/stop`)); "
                    "process.exit(); }\n"
                    "function schedules() {\n"
                    "  " +
                        std::string(call) +
                        "\n"
                        "}\n"
                        "schedules();\n");
    Program program({"--blocked=50", path});
    program.see_error("scheduled at: schedules (" + folder.path("script.js") + ":4:");
    folder.file("stop", "");
    EXPECT_EQ(program.wait(), 0) << call;
  }
}

TEST_F(Blocked, WhoScheduledItIsToldWithWhyAliveToo) {
  Program program({"--blocked=50", "--why-alive",
                   script("function sets() {\n"
                          "  setTimeout(() => { while (!stops()); }, 3);\n"
                          "}\n"
                          "sets();\n")});
  program.see_error("scheduled at: sets (" + folder_.path("script.js") + ":3:3)");
  stop();
  EXPECT_EQ(program.wait(), 0);
}

// Numbers are sorted without a look at anything else, for half a second each time.
TEST_F(Blocked, NativeCodeIsShownWithItsCallbackWhileItRuns) {
  Program program(
      {"--blocked=50", script("const numbers = new Float64Array(5e6).map(Math.random);\n"
                              "function schedules() {\n"
                              "  setTimeout(function sorts() {\n"
                              "    do numbers.slice().sort(); while (!stops());\n"
                              "    console.log('sorted');\n"
                              "  }, 1);\n"
                              "}\n"
                              "schedules();\n")});
  const std::string path = folder_.path("script.js");
  program.see_error(" ms, in the timers phase\n    at sorts (" + path +
                    ":5)\n"
                    "  it is in native code that cannot be interrupted\n"
                    "  callback: sorts (" +
                    path +
                    ":4:28)\n"
                    "  scheduled at: schedules (" +
                    path + ":4:3)\n");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "sorted\n");
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] setTimeout 1 ms has been running for "));
}

TEST_F(Blocked, JsonThatIsParsedForLong) {
  Program program(
      {"--blocked=50", script("const text = `[${'1,'.repeat(2e7)}1]`;\n"
                              "require('fs').stat(__filename, function done() { parses(); });\n"
                              "function parses() {\n"
                              "  do JSON.parse(text); while (!stops());\n"
                              "}\n")});
  const std::string path = folder_.path("script.js");
  program.see_error("    at parses (" + path + ":5)\n    at done (" + path +
                    ":3)\n"
                    "  it is in native code that cannot be interrupted\n"
                    "  callback: done (" +
                    path + ":3:");
  program.see_error("  scheduled at: " + path + ":3:");
  stop();
  EXPECT_EQ(program.wait(), 0);
}

// Where each was scheduled is known of some of them only.
TEST_F(Blocked, NativeCodeInOneOfVeryManyCallbacks) {
  Program program(
      {"--blocked=50", script("const numbers = new Float64Array(5e6).map(Math.random);\n"
                              "for (let i = 0; i < 20000; i++) setImmediate(() => {});\n"
                              "setImmediate(function sorts() {\n"
                              "  do numbers.slice().sort(); while (!stops());\n"
                              "});\n")});
  program.see_error("    at sorts (" + folder_.path("script.js") + ":5)\n");
  program.see_error("  callback: sorts (" + folder_.path("script.js") + ":4");
  EXPECT_THAT(program.errors(), HasSubstr("immediate has been running for "));
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, MicrotasksThatMakeMicrotasks) {
  Program program({"--blocked=50", script("let count = 0;\n"
                                          "function again() {\n"
                                          "  if (++count % 1000 !== 0 || !stops()) {\n"
                                          "    queueMicrotask(again);\n"
                                          "  }\n"
                                          "}\n"
                                          "setTimeout(again, 1);\n")});
  program.see_error("[blocked] promises and microtasks have been running for ");
  // In the stack, or as the callback if V8 saw only what it calls.
  program.see_error(" again (" + folder_.path("script.js") + ":");
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, AHandlerOfASignal) {
  Program program({"--blocked=50", script("process.on('SIGUSR2', function handles() {\n"
                                          "  while (!stops());\n"
                                          "  process.exit();\n"
                                          "});\n"
                                          "process.kill(process.pid, 'SIGUSR2');\n"
                                          "setInterval(() => {}, 1000);\n")});
  program.see_error("[blocked] 'SIGUSR2' of process has been running for ");
  program.see_error("    at handles (");
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, TheMainProgramIsWatchedToo) {
  Program program({"--blocked=50", script("(function early() { while (!stops()); })();\n")});
  program.see_error("at early (");
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] the program has been running for "));
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, CodeThatIsInNoFile) {
  Program program(
      {"--blocked=50", script("const early = eval('(function early() { while (!stops()); })');\n"
                              "setTimeout(new Function('early', 'early()'), 1, early);\n")});
  program.see_error("at early (eval:1:");
  EXPECT_THAT(program.errors(), HasSubstr("\n    at eval (eval:3:1)"));
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, CatastrophicRegularExpression) {
  Program program({"--blocked=50", script("function schedules() {\n"
                                          "  setTimeout(matches, 1);\n"
                                          "}\n"
                                          "function matches() {\n"
                                          "  /(x)/.exec('x');\n"
                                          "  setImmediate(() => {});\n"
                                          "  const found = /^(a+)+$/.test('a'.repeat(25) + 'b');\n"
                                          "  console.log(found, RegExp.$1);\n"
                                          "}\n"
                                          "schedules();\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "false x\n");  // nothing of it was disturbed
  const std::string path = folder_.path("script.js");
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr("[blocked] setTimeout 1 ms has been running for "),
                    HasSubstr(" ms, in the timers phase\n    at matches (" + path + ":8:"),
                    HasSubstr("callback: matches (" + path + ":5:"),
                    HasSubstr("scheduled at: schedules (" + path + ":3:3)"),
                    HasSubstr("kept waiting: 1 immediate\n")));
}

TEST_F(Blocked, SyncReadOfASlowPipe) {
  Program program(
      {"--blocked=50", script("setImmediate(function reads() {\n"
                              "  setImmediate(() => {});\n"
                              "  const buffer = Buffer.alloc(10);\n"
                              "  const count = require('fs').readSync(0, buffer);\n"
                              "  console.log(count, buffer.toString('utf8', 0, count));\n"
                              "});\n")},
      Program::Input::open);
  // A look may meet it between two calls, while it answers the watcher: not every report has one.
  program.see_error("at reads (");
  program.see_error("inside the system call: ");
  program.see_error("kept waiting: 1 immediate\n");
  EXPECT_THAT(
      program.errors(),
      AllOf(HasSubstr("[blocked] immediate has been running for "),
            HasSubstr("in the check phase\n    at readSync (node:fs"),
            HasSubstr("at reads (" + folder_.path("script.js") + ":5:"),
            HasSubstr("callback: reads (" + folder_.path("script.js") + ":2:"),
            HasSubstr("scheduled at: " + folder_.path("script.js") + ":2:1\n"),
            ContainsRegex("inside the system call: (p?read|preadv2|readv|ppoll|poll|io_uring)")));
  program.write("hello");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "5 hello\n");
}

TEST_F(Blocked, SyncOpenOfAFifo) {
  ASSERT_EQ(::mkfifo(folder_.path("fifo").c_str(), 0600), 0);
  Program program(
      {"--blocked=50",
       script("setTimeout(function opens() {\n"
              "  require('child_process').spawn(process.execPath, ['-e', `const wait = () => "
              "fs.existsSync('${__dirname}/stop') ? fs.closeSync(fs.openSync('${__dirname}/fifo', "
              "'w')) "
              ": setTimeout(wait, 5); wait()`], { stdio: 'inherit' });\n"
              "  console.log(typeof require('fs').openSync(__dirname + '/fifo'));\n"
              "}, 1);\n")});
  program.see_error("at opens (" + folder_.path("script.js") + ":4:");
  program.see_error("inside the system call: openat");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "number\n");
}

TEST_F(Blocked, ExecSync) {
  Program program(
      {"--blocked=50",
       script("setTimeout(function runs() {\n"
              "  const cat = require('child_process').spawnSync('head', ['-c2'], { stdio: "
              "[0, 'pipe', 2] });\n"
              "  console.log(String(cat.stdout), cat.status);\n"
              "}, 1);\n")},
      Program::Input::open);
  program.see_error("at runs (" + folder_.path("script.js") + ":3:");
  program.write("ok");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "ok 0\n");
}

TEST_F(Blocked, WaitOnSharedMemory) {
  Program program({"--blocked=50",
                   script("const cell = new Int32Array(new SharedArrayBuffer(4));\n"
                          "setTimeout(function waits() {\n"
                          "  while (Atomics.wait(cell, 0, 0, 400) === 'timed-out' && !stops());\n"
                          "  console.log('waited');\n"
                          "}, 1);\n")});
  program.see_error("at waits (" + folder_.path("script.js") + ":4:");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "waited\n");
}

TEST_F(Blocked, TicksThatMakeTicks) {
  Program program({"--blocked=50", script("function again() {\n"
                                          "  if (!stops()) process.nextTick(again);\n"
                                          "}\n"
                                          "process.nextTick(again);\n"
                                          "setTimeout(() => {}, 1);\n")});
  program.see_error("[blocked] ticks have been running for ");
  program.see_error("made at: again (" + folder_.path("script.js") + ":3:");
  program.see_error("at again (" + folder_.path("script.js") + ":3:");
  program.see_error("1 timer overdue by up to ");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr(" ms without a break: "),
                    // The latter, if a single one was held up for as long in the end.
                    AnyOf(HasSubstr("ticks ran for "), HasSubstr("tick again ran for "))));
}

TEST_F(Blocked, OneLongTickIsNotManyTicks) {
  Program program(
      {"--blocked=50", script("process.nextTick(() => {});\n"
                              "process.nextTick(() => {});\n"
                              "process.nextTick(function long() { while (!stops()); });\n")});
  program.see_error("[blocked] tick long has been running for ");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), Not(HasSubstr("without a break")));
}

TEST_F(Blocked, AMicrotaskIsNoTick) {
  Program program(
      {"--blocked=50", script("queueMicrotask(function long() { while (!stops()); });\n")});
  program.see_error("at long (");
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] a promise or microtask has been running"));
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, TicksInARowAreNotOneLongTick) {
  const std::string path =
      folder_.file("script.js",
                   "const { existsSync } = require('fs');\n"
                   "function until(name) { while (!existsSync(`${__dirname}/${name}`)); }\n"
                   "process.nextTick(function first() { until('one'); });\n"
                   "process.nextTick(function second() { until('two'); });\n");
  Program program({"--blocked=50", path});
  program.see_error("[blocked] tick first has been running for ");
  folder_.file("one", "");
  program.see_error("[blocked] a row of ticks has been running for ");
  folder_.file("two", "");
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, PromisesThatDoNothingButAwait) {
  Program program({"--blocked=50", script("async function forever() {\n"
                                          "  while (true) await null;\n"
                                          "}\n"
                                          "setTimeout(forever, 1);\n"
                                          "setTimeout(() => {}, 2);\n")});
  program.see_error("[blocked] promises and microtasks have been running for ");
  // At its await, or where V8 looks up when it goes on.
  program.see_error("at forever (" + folder_.path("script.js") + ":");
  program.see_error("1 timer overdue by up to ");
}

TEST_F(Blocked, PromisesThatMakePromises) {
  Program program({"--blocked=50", script("async function forever() {\n"
                                          "  while (!stops()) await null;\n"
                                          "}\n"
                                          "setTimeout(forever, 1);\n")});
  program.see_error("[blocked] promises and microtasks have been running for ");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), HasSubstr("in the timers phase"));
}

// What the watch makes of times is tested in tests/lens/stall_watch_test.cpp. Here: that it sees
// where one callback ends and the next begins, however they are called.
TEST_F(Blocked, EachCallbackOfARowIsOneOfItsOwn) {
  struct Row {
    std::string_view calls;
    std::string_view phase;
  };
  for (const Row& row :
       {Row{"setImmediate(first); setImmediate(second);", "check"},
        Row{"setTimeout(first, 1); setTimeout(second, 1);", "timers"},
        Row{"setImmediate(() => process.nextTick(first)); setImmediate(second);", "check"},
        Row{"setTimeout(() => process.nextTick(first), 1); setTimeout(second, 1);", "timers"},
        Row{"setImmediate(() => { first(); process.nextTick(second); });", "check"},
        Row{"setTimeout(async () => { first(); await 1; second(); }, 1);", "timers"}}) {
    const Folder folder;
    const std::string path =
        folder.file("script.js",
                    "const { existsSync } = require('fs');\n"
                    "function until(name) { while (!existsSync(`${__dirname}/${name}`)); }\n"
                    "function first() { until('one'); }\n"
                    "function second() { until('two'); }\n" +
                        std::string(row.calls));
    Program program({"--blocked=50", path});
    program.see_error("at first (");
    folder.file("one", "");
    program.see_error("; it is over\n");  // while the second runs
    program.see_error("at second (");
    folder.file("two", "");
    EXPECT_EQ(program.wait(), 0);
    EXPECT_THAT(program.errors(), HasSubstr("in the " + std::string(row.phase) + " phase"));
  }
}

TEST_F(Blocked, SleepIsNotBlocking) {
  Program program({"--blocked=100", script("process.stdin.on('data', () => {});\n"
                                           "setTimeout(() => process.exit(), 600);\n")},
                  Program::Input::open);
  EXPECT_EQ(program.wait(), 0);
  // A busy machine may hold up callbacks; asleep is the loop in poll, and nothing else is there.
  EXPECT_THAT(program.errors(), Not(HasSubstr("in the poll phase")));
}

TEST_F(Blocked, ExitWhileBlockedStillTellsTheTotal) {
  Program program(
      {"--blocked=50", script("setTimeout(() => { while (!stops()); process.exit(3); }, 2);\n")});
  program.see_error("has been running");
  stop();
  EXPECT_EQ(program.wait(), 3);
  EXPECT_THAT(program.errors(), HasSubstr("setTimeout 2 ms ran for "));
}

TEST_F(Blocked, ValuesThatAreNoTimeAreRefused) {
  for (const char* value : {"--blocked=0", "--blocked=x", "--blocked=-5", "--blocked=1.5"}) {
    Program program({value, "-e", "1"});
    EXPECT_EQ(program.wait(), 9);
    EXPECT_THAT(program.errors(),
                HasSubstr("--blocked must be a number of milliseconds, from 1 to 2147483647"));
  }
}

}  // namespace
}  // namespace rondo::test
