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
                                          "  spin();\n"
                                          "}\n"
                                          "setTimeout(work, 3);\n"
                                          "setTimeout(() => {}, 4);\n"
                                          "setImmediate(() => console.log('later'));\n")});
  program.see_error("kept waiting");
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr("[blocked] setTimeout 3 ms has been running for "),
                    HasSubstr(" ms, in the timers phase\n"),
                    HasSubstr("at work (" + folder_.path("script.js") + ":4:3)"),
                    HasSubstr("callback: work (" + folder_.path("script.js") + ":3:"),
                    HasSubstr("timer overdue by up to ")));
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] setTimeout 3 ms ran for "));
  EXPECT_THAT(program.errors(), HasSubstr("; it is over\n"));
}

TEST_F(Blocked, WhereItWasSetIsKnownWithWhyAlive) {
  Program program({"--blocked=50", "--why-alive",
                   script("function sets() {\n"
                          "  setTimeout(() => { while (!stops()); }, 3);\n"
                          "}\n"
                          "sets();\n")});
  program.see_error("scheduled at: sets (" + folder_.path("script.js") + ":3:3)");
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, ReportsComeLessAndLessOften) {
  Program program(
      {"--blocked=20", script("setImmediate(() => {\n"
                              "  for (const end = Date.now() + 700; Date.now() < end;);\n"
                              "});\n")});
  EXPECT_EQ(program.wait(), 0);
  const std::string& errors = program.errors();
  std::size_t reports = 0;
  for (std::size_t at = 0; (at = errors.find("has been running", at)) != std::string::npos; ++at) {
    ++reports;
  }
  EXPECT_GE(reports, 2U) << errors;
  EXPECT_LE(reports, 7U) << errors;  // 20, 40, 80 ... 640, and one more on a slow day
}

TEST_F(Blocked, TheMainProgramIsWatchedToo) {
  Program program({"--blocked=50", script("(function early() { while (!stops()); })();\n")});
  program.see_error("at early (");
  EXPECT_THAT(program.errors(), HasSubstr("[blocked] the program has been running for "));
  stop();
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(Blocked, CatastrophicRegularExpression) {
  Program program({"--blocked=50", script("setTimeout(function matches() {\n"
                                          "  /(x)/.exec('x');\n"
                                          "  const found = /^(a+)+$/.test('a'.repeat(23) + 'b');\n"
                                          "  console.log(found, RegExp.$1);\n"
                                          "}, 1);\n")});
  program.see_error("at matches (" + folder_.path("script.js") + ":4:");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "false x\n");  // nothing of it was disturbed
}

TEST_F(Blocked, SyncReadOfASlowPipe) {
  Program program(
      {"--blocked=50", script("setImmediate(function reads() {\n"
                              "  const buffer = Buffer.alloc(10);\n"
                              "  const count = require('fs').readSync(0, buffer);\n"
                              "  console.log(count, buffer.toString('utf8', 0, count));\n"
                              "});\n")},
      Program::Input::open);
  program.see_error("at reads (" + folder_.path("script.js") + ":4:");
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr("[blocked] immediate has been running for "),
                    HasSubstr("in the check phase"), HasSubstr("at readSync (node:fs")));
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
  EXPECT_THAT(program.errors(), HasSubstr("inside the system call: openat"));
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
  Program program(
      {"--blocked=50",
       script("setTimeout(function waits() {\n"
              "  console.log(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, "
              "400));\n"
              "}, 1);\n")});
  program.see_error("at waits (" + folder_.path("script.js") + ":3:");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "timed-out\n");
}

TEST_F(Blocked, TicksThatMakeTicks) {
  Program program({"--blocked=50", script("function again() {\n"
                                          "  if (!stops()) process.nextTick(again);\n"
                                          "}\n"
                                          "process.nextTick(again);\n")});
  program.see_error("[blocked] ticks have been running for ");
  program.see_error(" ticks, ");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(),
              AllOf(HasSubstr(" ms without a break: "), HasSubstr("ticks ran for ")));
}

TEST_F(Blocked, OneLongTickIsNotManyTicks) {
  Program program(
      {"--blocked=50", script("process.nextTick(() => {});\n"
                              "process.nextTick(() => {});\n"
                              "process.nextTick(function long() { while (!stops()); });\n")});
  program.see_error("at long (");
  stop();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), AllOf(HasSubstr("[blocked] a tick has been running for "),
                                      Not(HasSubstr("without a break"))));
}

TEST_F(Blocked, ManyTicksInARowAreNotOneLongTick) {
  Program program(
      {"--blocked=100", script("function spin() { const end = performance.now() + 1; while "
                               "(performance.now() < end); }\n"
                               "for (let i = 0; i < 1000; i++) process.nextTick(spin);\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), AllOf(HasSubstr("[blocked] a row of ticks has been running for "),
                                      Not(HasSubstr("a tick has been"))));
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

TEST_F(Blocked, ManyShortCallbacksAreFine) {
  // Each takes a little, all of a phase together take longer than the limit.
  Program program(
      {"--blocked=1000",
       script("function spin() { const end = performance.now() + 10; while (performance.now() < "
              "end); }\n"
              "for (let i = 0; i < 150; i++) setImmediate(spin);\n"
              "for (let i = 0; i < 150; i++) setTimeout(spin, 1);\n"
              "for (let i = 0; i < 150; i++) setImmediate(() => process.nextTick(spin));\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.errors(), "");
}

TEST_F(Blocked, SleepIsFine) {
  Program program({"--blocked=1000", script("setTimeout(() => {}, 2500);\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.errors(), "");
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
                HasSubstr("--blocked must be a number of milliseconds, 1 or more"));
  }
}

}  // namespace
}  // namespace rondo::test
