// `rondo --why-alive`: everything that keeps the process alive, by name and by the line that made
// it, and nothing else.
#include <sys/stat.h>

#include <csignal>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "e2e/terminal.h"

namespace rondo::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kReport = "[why-alive] ";

class WhyAlive : public ::testing::Test {
 protected:
  /// Asks for a report right here: with a time, a slow machine would be asked before it got here.
  static inline const std::string kAsk = "process.kill(process.pid, 'SIGUSR2');\n";

  std::string script(std::string_view text) const { return folder_.file("script.js", text); }
  std::string at(std::string_view function, std::string_view line_and_column) const {
    const std::string place = folder_.path("script.js") + ':' + std::string(line_and_column);
    return function.empty() ? "at " + place : "at " + std::string(function) + " (" + place;
  }

  /// The report on a script that prints "ready" when there is something to report, and would stay.
  /// The whole report has been read when its last line is there.
  std::string report_on(std::string_view text, std::string_view last,
                        Program::Input input = Program::Input::none) {
    Program program({"--why-alive", script(text)}, input);
    program.see_output("ready");
    program.wait_for_sleep();
    program.send(SIGUSR2);
    std::string report = program.see_error(last);
    return report;
  }

  Folder folder_;
};

TEST_F(WhyAlive, Timeout) {
  const std::string report = report_on(
      "function sets() {\n"
      "  return setTimeout(() => {}, 60000);\n"
      "}\n"
      "sets();\n"
      "console.log('ready');\n",
      "script.js:4:1");
  EXPECT_THAT(report, AllOf(HasSubstr("1 thing keeps this process alive (SIGUSR2)"),
                            ContainsRegex("  setTimeout 60000 ms, due in (60|59|5[0-9]) s\n"),
                            HasSubstr(at("sets", "2:10")), Not(HasSubstr("others"))));
}

TEST_F(WhyAlive, AnAwaitThatHasNotGoneOnIsUnfinished) {
  const std::string report = report_on(
      "async function waits() {\n"
      "  await new Promise(() => {});\n"
      "}\n"
      "waits();\n"
      "setInterval(() => {}, 100000);\n"
      "console.log('ready');\n",
      "| await new Promise(() => {});\n");
  EXPECT_THAT(
      report,
      AllOf(HasSubstr("1 thing keeps this process alive (SIGUSR2)\n  setInterval 100000 ms"),
            HasSubstr("\n  1 thing is unfinished:\n    await in waits\n        " +
                      at("waits", "2:9") + ")\n        | await new Promise(() => {});\n")));
}

TEST_F(WhyAlive, TimersThatAreAlikeAreOneEntry) {
  const std::string report = report_on(
      "for (let i = 0; i < 1000; i++) setTimeout(() => {}, 60000);\n"
      "for (const delay of [70000, 80000]) setTimeout(() => {}, delay);\n"
      "setTimeout(() => {}, 60000);\n"
      "console.log('ready');\n",
      "script.js:3:1\n");
  EXPECT_THAT(
      report,
      AllOf(HasSubstr("1003 things keep this process alive"),
            ContainsRegex("  setTimeout 60000 ms, due in [0-9]+ s .and 999 more like it.\n"
                          "      at [^ ]*script.js:1:32\n"
                          "  setTimeout 70000 ms, due in [0-9]+ s\n      at [^ ]*script.js:2:37\n"
                          "  setTimeout 80000 ms, due in [0-9]+ s\n      at [^ ]*script.js:2:37\n"
                          "  setTimeout 60000 ms, due in [0-9]+ s\n")));
}

TEST_F(WhyAlive, ConnectionsThatAreAlikeAreOneEntry) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "let connected = 0;\n"
      "const server = net.createServer((socket) => {\n"
      "  socket.resume();\n"
      "  if (++connected === 3) console.log('ready');\n"
      "});\n"
      "server.listen(0, '127.0.0.1', () => {\n"
      "  const { port } = server.address();\n"
      "  for (let i = 0; i < 3; i++) net.connect(port, '127.0.0.1').resume();\n"
      "});\n"
      "setTimeout(() => {}, 90000);\n",
      "script.js:11:1");
  EXPECT_THAT(report, AllOf(HasSubstr("8 things keep this process alive"),
                            ContainsRegex("waiting for data .and 2 more like it.\n"
                                          "      at .*script.js:9:35.*\n"),
                            ContainsRegex("waiting for data .and 2 more like it.\n"
                                          "      at [^ ]*script.js:7:8\n")));
}

// Whether a standard stream is a handle hangs on what it is connected to: a program that does not
// touch them has none.
constexpr std::string_view kReady = "require('fs').writeSync(1, 'ready\\n');\n";

TEST_F(WhyAlive, IntervalAndWhatIsUnreferenced) {
  const std::string report = report_on(
      "setTimeout(() => {}, 50000).unref();\n"
      "setInterval(() => {}, 70000);\n"
      "process.on('SIGTERM', () => {});\n" +
          std::string(kReady),
      "would not: unref'd)\n");
  EXPECT_THAT(report,
              AllOf(HasSubstr("1 thing keeps"), HasSubstr("  setInterval 70000 ms, next in "),
                    HasSubstr(at("", "2:1\n")), Not(HasSubstr("50000")), Not(HasSubstr("SIGTERM")),
                    HasSubstr("  (1 other would not: unref'd)\n")));
}

TEST_F(WhyAlive, ServerAndBothEndsOfAConnection) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "const server = net.createServer((socket) => { socket.resume(); console.log('ready'); });\n"
      "server.listen(0, '127.0.0.1', function connects() {\n"
      "  net.connect(server.address().port, '127.0.0.1').resume();\n"
      "});\n"
      "setTimeout(() => {}, 90000);\n",
      "script.js:6:1");
  EXPECT_THAT(
      report,
      AllOf(HasSubstr("4 things keep this process alive"),
            ContainsRegex("  server listening on 127.0.0.1:[0-9]+\n      at .*script.js:3:8\n"),
            ContainsRegex("  socket 127.0.0.1:[0-9]+ -> 127.0.0.1:[0-9]+, waiting for "
                          "data\n      at connects .*script.js:4:7.\n"),
            // The other end was made by the listener.
            ContainsRegex("waiting for data\n      at [^ ]*script.js:3:8\n")));
}

TEST_F(WhyAlive, AConnectionThatDoesNothingIsNotListed) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "let connected = 0;\n"
      "function connects() {\n"
      "  if (++connected < 2) return;\n"
      "  server.close();\n" +
          std::string(kReady) +
          "}\n"
          "const server = net.createServer({ pauseOnConnect: true }, connects);\n"
          "server.listen(0, '127.0.0.1', () => {\n"
          "  net.connect(server.address().port, '127.0.0.1', connects).pause();\n"
          "  setTimeout(() => {}, 90000).unref();\n"
          "  setTimeout(() => {}, 90000);\n"
          "});\n",
      "others would not");
  EXPECT_THAT(report, AllOf(HasSubstr("1 thing keeps"), Not(HasSubstr("socket")),
                            HasSubstr("(3 others would not: 1 unref'd, 2 neither reading nor "
                                      "writing)")));
}

TEST_F(WhyAlive, AConnectionThatIsHalfClosed) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "const server = net.createServer({ allowHalfOpen: true }, (socket) => {\n"
      "  socket.resume().on('end', () => console.log('ready'));\n"
      "  server.close();\n"
      "});\n"
      "server.listen(0, '127.0.0.1', () => {\n"
      "  net.connect(server.address().port, '127.0.0.1').resume().end();\n"
      "});\n",
      "script.js:7:");
  EXPECT_THAT(report, ContainsRegex("  socket 127.0.0.1:[0-9]+ -> 127.0.0.1:[0-9]+, waiting for "
                                    "data, has ended its own\n"));
}

TEST_F(WhyAlive, LocalServerByItsPath) {
  const std::string report = report_on(
      "require('net').createServer().listen(__dirname + '/local.sock', () => "
      "console.log('ready'));\n",
      "script.js:1:");
  EXPECT_THAT(report, HasSubstr("  server listening on " + folder_.path("local.sock") + "\n"));
}

TEST_F(WhyAlive, BothEndsOfALocalConnectionByItsPath) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "const server = net.createServer((socket) => { socket.resume(); console.log('ready'); });\n"
      "server.listen(__dirname + '/local.sock', () => {\n"
      "  net.connect(__dirname + '/local.sock').resume();\n"
      "});\n"
      "setTimeout(() => {}, 90000);\n",
      "script.js:6:1");
  const std::string path = folder_.path("local.sock");
  EXPECT_THAT(report, AllOf(HasSubstr("4 things keep"), HasSubstr("server listening on " + path),
                            HasSubstr("  socket at " + path + ", waiting for data\n"),
                            HasSubstr("  socket -> " + path + ", waiting for data\n")));
}

TEST_F(WhyAlive, ChildProcess) {
  const std::string report = report_on(
      "const child = require('child_process').spawn('sleep', ['60'], { stdio: 'ignore' });\n"
      "process.on('exit', () => child.kill());\n"
      "console.log('ready', child.pid);\n",
      "script.js:1:40");
  EXPECT_THAT(report, ContainsRegex("  child process [0-9]+ .sleep 60.\n"));
}

TEST_F(WhyAlive, PipesToAChild) {
  const std::string report = report_on(
      "const child = require('child_process').spawn('cat');\n"
      "child.stdout.once('data', () => console.log('ready'));\n"
      "child.stdin.write('x');\n",
      "standard error of child");
  EXPECT_THAT(report,
              AllOf(HasSubstr("3 things keep"), ContainsRegex("  child process [0-9]+ .cat.\n"),
                    ContainsRegex("  standard output of child process [0-9]+, waiting for data\n"),
                    ContainsRegex("  standard error of child process [0-9]+, waiting for data\n"),
                    Not(HasSubstr("  pipe"))));
}

TEST_F(WhyAlive, Readline) {
  const std::string report = report_on(
      "require('readline').createInterface({ input: process.stdin });\n" + std::string(kReady),
      "script.js:1:", Program::Input::open);
  EXPECT_THAT(report, AllOf(HasSubstr("1 thing keeps"),
                            HasSubstr("  standard input (pipe), waiting for data\n")));
}

TEST_F(WhyAlive, AnOpenFileAndAwaitingKeepNothingAlive) {
  const std::string path = folder_.file(
      "script.mjs",
      "import fs from 'node:fs';\n"
      "const file = await fs.promises.open(import.meta.filename ?? process.argv[1]);\n"
      "setTimeout(() => {}, 80000);\n" +
          std::string("fs.writeSync(1, 'ready\\n');\n") + "await new Promise(() => {});\n");
  Program program({"--why-alive", path});
  program.see_output("ready");
  program.send(SIGUSR2);
  const std::string report = program.see_error("1 thing is unfinished:\n");
  const std::string alive = report.substr(0, report.find("1 thing is unfinished:"));
  EXPECT_THAT(alive,
              AllOf(HasSubstr("1 thing keeps this process alive"), HasSubstr("setTimeout 80000 ms"),
                    Not(HasSubstr("FileHandle")), Not(HasSubstr("await"))));
}

TEST_F(WhyAlive, FromJavaScript) {
  Program program({"--why-alive", script("const { whyAlive } = require('rondo:lens');\n"
                                         "const timer = setTimeout(() => {}, 80000);\n"
                                         "setTimeout(() => {}, 80000).unref();\n"
                                         "const [one, ...rest] = whyAlive();\n"
                                         "const { what, count, stack } = one;\n"
                                         "console.log(what.slice(0, 19), count, stack, rest);\n"
                                         "clearTimeout(timer);\n"
                                         "console.log(whyAlive());\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(),
            "setTimeout 80000 ms 1 [ '" + folder_.path("script.js") + ":2:15' ] []\n[]\n");
  EXPECT_EQ(program.errors(), "");
}

TEST_F(WhyAlive, EachSignalIsAnswered) {
  Program program({"--why-alive", script("setTimeout(() => {}, 80000);\n" + std::string(kReady))});
  program.see_output("ready");
  for (std::size_t count = 1; count <= 3; ++count) {
    program.send(SIGUSR2);
    program.see_errors("script.js:1:1\n", count);
  }
}

TEST_F(WhyAlive, SignalsWhileItIsBusyShowWhereItIs) {
  Program program(
      {"--why-alive", script("const { existsSync } = require('fs');\n"
                             "function busy() {\n"
                             "  console.log('ready'); while (!existsSync(__dirname + '/stop'));\n"
                             "}\n"
                             "setTimeout(busy, 1);\n")});
  program.see_output("ready");
  program.send(SIGUSR2);
  program.see_error("at busy (" + folder_.path("script.js") + ":3:");
  EXPECT_THAT(program.errors(), HasSubstr("1 thing keeps this process alive (SIGUSR2)\n"
                                          "  what runs now\n"));
  program.send(SIGUSR2);
  program.see_errors("at busy (", 2);
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(WhyAlive, StandardInput) {
  const std::string report =
      report_on("process.stdin.on('data', () => {});\nconsole.log('ready');\n",
                "script.js:1:", Program::Input::open);
  EXPECT_THAT(report, AllOf(HasSubstr("1 thing keeps"),
                            HasSubstr("  standard input (pipe), waiting for data\n")));
}

TEST_F(WhyAlive, Terminal) {
  const std::string path = script("process.stdin.on('data', () => {});\n" + kAsk);
  Terminal terminal({.arguments = {RONDO_PROGRAM, "--why-alive", path},
                     .environment = {},
                     .folder = folder_.path("")});
  terminal.see("  standard input (terminal)");
  terminal.see("script.js:1:");
}

TEST_F(WhyAlive, FileRequest) {
  ASSERT_EQ(::mkfifo(folder_.path("fifo").c_str(), 0600), 0);
  const std::string report = report_on(
      "function opens() {\n"
      "  require('fs').open(__dirname + '/fifo', 'w', () => {});\n"
      "}\n"
      "opens();\n"
      "console.log('ready');\n",
      "script.js:4:1");
  EXPECT_THAT(report, AllOf(HasSubstr("  open " + folder_.path("fifo") + "\n"),
                            HasSubstr(at("opens", "2:17"))));
}

TEST_F(WhyAlive, FilesByWhatWasCalled) {
  for (const char* name : {"a", "b", "c", "d"}) {
    ASSERT_EQ(::mkfifo(folder_.path(name).c_str(), 0600), 0);
  }
  // Each waits for data that does not come: both ends are open.
  const std::string report = report_on(
      "const fs = require('fs');\n"
      "for (const name of 'abcd') fs.openSync(`${__dirname}/${name}`, 'r+');\n"
      "fs.readFile(__dirname + '/a', () => {});\n"
      "fs.promises.readFile(__dirname + '/b');\n"
      "fs.createReadStream(__dirname + '/c').resume();\n"
      "fs.open(__dirname + '/d', (error, fd) => fs.read(fd, () => {}));\n"
      "const { snapshot } = require('rondo:lens');\n"
      "const isReading = (name) => /^(readFile|createReadStream|read of) /.test(name);\n"
      "const look = setInterval(() => {\n"
      "  if (snapshot().requests.filter(isReading).length < 4) return;\n"
      "  clearInterval(look);\n"
      "  console.log('ready');\n"
      "}, 10);\n"
      "setTimeout(() => {}, 60000);\n",
      "due in");
  const auto line = [&](std::string_view what, const char* name, std::string_view place) {
    return HasSubstr("  " + std::string(what) + " " + folder_.path(name) + "\n      " +
                     at("", place) + "\n");
  };
  EXPECT_THAT(report,
              AllOf(line("readFile", "a", "3:4"), line("readFile", "b", "4:13"),
                    line("createReadStream", "c", "5:4"), HasSubstr("  read of descriptor ")));
}

TEST_F(WhyAlive, MessagePort) {
  const std::string report = report_on(
      "const { port1, port2 } = new MessageChannel();\n"
      "port1.on('message', () => {});\n" +
          std::string(kReady),
      "would not: unref'd)\n");
  EXPECT_THAT(report, AllOf(HasSubstr("1 thing keeps"), HasSubstr("  message port\n"),
                            HasSubstr(at("", "1:26\n")), HasSubstr("  (1 other would not")));
}

TEST_F(WhyAlive, AfterATimeAndThenTheProgramEndsAsItWould) {
  Program program(
      {"--why-alive=100ms", script("const look = setInterval(() => {\n"
                                   "  if (!require('fs').existsSync(__dirname + '/stop')) return;\n"
                                   "  console.log('end');\n"
                                   "  clearInterval(look);\n"
                                   "}, 10);\n")});
  program.see_error(" this process alive (after 100 ms)\n");
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "end\n");
}

TEST_F(WhyAlive, WhoEndsInTimeIsNotReported) {
  Program program(
      {"--why-alive=60s", script("setTimeout(() => console.log('end'), 10);\n"
                                 "process.on('beforeExit', () => console.log('before'));\n")});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "end\nbefore\n");
  EXPECT_EQ(program.errors(), "");
}

TEST_F(WhyAlive, WhileTheProgramIsBusy) {
  Program program({"--why-alive=50ms", script("const { existsSync } = require('fs');\n"
                                              "while (!existsSync(__dirname + '/stop'));\n"
                                              "process.exit(4);\n")});
  program.see_error("(after 50 ms)\n  what runs now\n      at " + folder_.path("script.js"));
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 4);
}

TEST_F(WhyAlive, RequestsUnderWay) {
  // The program reads no response until it is asked to.
  Program program(
      {"--why-alive", script("const fs = require('fs');\n"
                             "fs.readFile(__filename, () => {});\n"
                             "require('dns').lookup('localhost', () => {});\n"
                             "require('net').connect(9, '127.0.0.1').on('error', () => {});\n"
                             "setImmediate(() => {}); setImmediate(() => {});\n"
                             "fs.promises.stat(__filename);\n" +
                             kAsk + "while (!fs.existsSync(__dirname + '/stop'));\n")});
  program.see_error("  immediate (and 1 more like it)\n");
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(
      program.errors(),
      AllOf(HasSubstr(folder_.path("script.js") + "\n      at " + folder_.path("script.js") +
                      ":2:4\n"),
            HasSubstr("  lookup localhost\n      at " + folder_.path("script.js") + ":3:16\n"),
            HasSubstr("  socket, connecting"), HasSubstr("script.js:4:16\n"),
            HasSubstr("  stat " + folder_.path("script.js") + "\n      at " +
                      folder_.path("script.js") + ":6:13\n")));
}

TEST_F(WhyAlive, FilesThatAreLookedForByWhatWasCalled) {
  // The program reads no response until it is asked to.
  Program program({"--why-alive", script("const fs = require('fs');\n"
                                         "fs.exists('a', () => {});\n"
                                         "fs.opendir('b', () => {});\n"
                                         "fs.promises.opendir('c').catch(() => {});\n"
                                         "fs.access('d', () => {});\n" +
                                         kAsk + "while (!fs.existsSync(__dirname + '/stop'));\n")});
  program.see_error("  access d\n      " + at("", "5:4\n"));
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), AllOf(HasSubstr("  exists a\n      " + at("", "2:4\n")),
                                      HasSubstr("  opendir b\n      " + at("", "3:4\n")),
                                      HasSubstr("  opendir c\n      " + at("", "4:13\n"))));
}

TEST_F(WhyAlive, AConnectionUnderWayIsToldOnceWithItsAddress) {
  Program program(
      {"--why-alive", script("require('net').connect(9, '127.0.0.1').on('error', () => {});\n"
                             "const { existsSync } = require('fs');\n"
                             "process.nextTick(() => {\n" +
                             kAsk + "while (!existsSync(__dirname + '/stop'));\n});\n")});
  program.see_error("script.js:1:16\n");
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.errors(), AllOf(HasSubstr("  socket, connecting to 127.0.0.1:9\n"),
                                      Not(HasSubstr("ConnectWrap"))));
}

TEST_F(WhyAlive, NamesStayOnTheirLine) {
  Program program(
      {"--why-alive", script("require('fs').stat('a\\n[why-alive] \\x1b[31m', () => {});\n" + kAsk +
                             "while (true);\n")});
  program.see_error("script.js:1:15");
  EXPECT_THAT(program.errors(), HasSubstr("  stat a\\x0a[why-alive] \\x1b[31m\n"));
}

TEST_F(WhyAlive, AskedForWhereTheStackIsFullItComesLater) {
  // A little way up from where it was full: room for a signal, but not for the report.
  Program program({"--why-alive", script("const { kill } = process; kill(process.pid, 0);\n"
                                         "let up = 0;\n"
                                         "function deep() {\n"
                                         "  try { deep(); } catch (error) {\n"
                                         "    if (++up < 150) throw error;\n"
                                         "    kill(process.pid, 'SIGUSR2');\n"
                                         "    const end = Date.now() + 200;\n"
                                         "    while (Date.now() < end);\n"
                                         "  }\n"
                                         "}\n"
                                         "deep();\n"
                                         "setTimeout(() => {}, 80000);\n")});
  program.see_error(" this process alive (SIGUSR2)\n");
}

TEST_F(WhyAlive, PromisesWithoutABreak) {
  Program program({"--why-alive=50ms", script("(async () => { for (;;) await null; })();\n")});
  program.see_error("  what runs now");
  EXPECT_THAT(program.errors(), Not(HasSubstr("nothing keeps")));
}

TEST_F(WhyAlive, AWriteThatNobodyReads) {
  const std::string report = report_on(
      "const net = require('net');\n"
      "const server = net.createServer({ pauseOnConnect: true }, (socket) => {\n"
      "  server.close();\n"
      "  socket.write(Buffer.alloc(1 << 24));\n"
      "  console.log('ready');\n"
      "});\n"
      "server.listen(0, '127.0.0.1', () => net.connect(server.address().port, "
      "'127.0.0.1').pause());\n",
      ", writing\n");
  EXPECT_THAT(report, AllOf(HasSubstr(", writing\n"), Not(HasSubstr("WriteWrap"))));
}

TEST_F(WhyAlive, WhileARegularExpressionRuns) {
  Program program({"--why-alive", script("setTimeout(() => process.exit(), 2);\n"
                                         "const { existsSync } = require('fs');\n"
                                         "/(x)/.exec('x');\n" +
                                         kAsk +
                                         "let found = 0;\n"
                                         "do found += /^(a+)+$/.test('a'.repeat(23) + 'b');\n"
                                         "while (!existsSync(__dirname + '/stop'));\n"
                                         "console.log(found, RegExp.$1);\n")});
  program.see_error("script.js:1:1");
  folder_.file("stop", "");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "0 x\n");
}

TEST_F(WhyAlive, WhileAReadWaits) {
  Program program({"--why-alive", script("setTimeout(() => {}, 5);\n"
                                         "const buffer = Buffer.alloc(4);\n" +
                                         kAsk +
                                         "const count = require('fs').readSync(0, buffer);\n"
                                         "console.log(count, String(buffer));\n")},
                  Program::Input::open);
  program.see_error("script.js:1:1");
  program.write("abcd");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(program.output(), "4 abcd\n");
}

TEST_F(WhyAlive, TheProgramsOwnHandlerRunsToo) {
  Program program(
      {"--why-alive", script("setTimeout(() => {}, 80000);\n"
                             "process.on('SIGUSR2', (name) => { console.log(name); });\n"
                             "console.log('ready');\n")});
  program.see_output("ready");
  program.send(SIGUSR2);
  program.see_output("SIGUSR2");
  program.see_error(kReport);
}

TEST_F(WhyAlive, TheSignalStillReportsWhenTheProgramsHandlerIsGone) {
  Program program({"--why-alive", script("setTimeout(() => {}, 80000);\n"
                                         "const handler = () => {};\n"
                                         "process.on('SIGUSR2', handler);\n"
                                         "process.off('SIGUSR2', handler);\n"
                                         "console.log('ready');\n")});
  program.see_output("ready");
  program.send(SIGUSR2);
  program.see_error(kReport);
}

TEST_F(WhyAlive, Times) {
  const std::string path = script("setTimeout(() => console.log('end'), 5);\n");
  // A thousand hours do not fit into what the system waits for at once.
  for (const char* value : {"--why-alive=2m", "--why-alive=1h", "--why-alive=1000h"}) {
    Program program({value, path});
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.output(), "end\n");
    EXPECT_EQ(program.errors(), "");
  }
  Program program({"--why-alive=0ms", script("setTimeout(() => {}, 80000);\n")});
  program.see_error("(after 0 ms)\n");
}

TEST_F(WhyAlive, ValuesThatAreNoTimeAreRefused) {
  for (const char* value :
       {"--why-alive=5", "--why-alive=0", "--why-alive=x", "--why-alive=5d", "--why-alive=-1s",
        "--why-alive=1.5s", "--why-alive=s", "--why-alive=9999999999s"}) {
    Program program({value, "-e", "1"});
    EXPECT_EQ(program.wait(), 9);
    EXPECT_THAT(program.errors(), HasSubstr("--why-alive must be a time such as 500ms, 5s or 2m"));
  }
}

}  // namespace
}  // namespace rondo::test
