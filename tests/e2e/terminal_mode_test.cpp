// Whatever ends a program, the terminal is left as it was found: raw mode ends with the program.
#include <sys/stat.h>
#include <termios.h>

#include <csignal>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "e2e/program.h"
#include "e2e/terminal.h"

namespace rondo::test {
namespace {

constexpr const char* kRaw =
    "process.stdin.setRawMode(true); process.stdin.resume();\n"
    "const ready = () => process.stdout.write('READY');\n"
    "const go = (action) => { process.stdin.once('data', action); ready(); };\n";

struct Case {
  std::string name;
  std::string script;
  int exit_code;           // minus the signal that ends it
  std::string keys = "x";  // typed when it is ready
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class TerminalMode : public ::testing::TestWithParam<Case> {};

TEST_P(TerminalMode, IsRestored) {
  const Folder folder;
  const std::string script = folder.file("script.js", kRaw + GetParam().script);
  Terminal terminal({.arguments = {RONDO_PROGRAM, script}, .environment = {}, .folder = {}});
  const termios before = terminal.initial_mode();
  terminal.see("READY");
  EXPECT_EQ(terminal.mode().c_lflag & (ICANON | ECHO), 0U);
  terminal.type(GetParam().keys);
  terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), GetParam().exit_code);
  const termios after = terminal.mode();
  EXPECT_EQ(after.c_iflag, before.c_iflag);
  EXPECT_EQ(after.c_oflag, before.c_oflag);
  EXPECT_EQ(after.c_lflag, before.c_lflag);
  EXPECT_EQ(after.c_cc[VMIN], before.c_cc[VMIN]);
}

const Case kCases[] = {
    {"AfterExit", "go(() => process.exit(3));", 3},
    {"AfterReallyExit", "go(() => process.reallyExit(4));", 4},
    {"AfterItsNaturalEnd", "go(() => process.stdin.pause());", 0},
    {"AfterAnUncaughtError", "go(() => { throw new Error('thrown'); });", 1},
    {"AfterARejection", "go(() => { Promise.reject(new Error('rejected')); });", 1},
    {"AfterSigterm", "go(() => process.kill(process.pid, 'SIGTERM'));", -SIGTERM},
    {"AfterSigint", "go(() => process.kill(process.pid, 'SIGINT'));", -SIGINT},
    {"AfterAListenerOfASignal",
     "process.on('SIGTERM', () => process.exit(5));\n"
     "go(() => process.kill(process.pid, 'SIGTERM'));",
     5},
    {"AfterASignalWhoseListenerIsGone",
     "const listener = () => {};\n"
     "process.on('SIGINT', listener); process.off('SIGINT', listener);\n"
     "go(() => process.kill(process.pid, 'SIGINT'));",
     -SIGINT},
    {"AfterAnExitListenerThatMadeItRawAgain",
     "process.on('exit', () => process.stdin.setRawMode(true));\n"
     "go(() => { process.stdin.setRawMode(false); process.exit(0); });",
     0},
    {"AfterAnOpenQuestion",
     "const readline = require('readline').createInterface({ input: process.stdin, output: "
     "process.stdout });\n"
     "readline.question('READY', () => {});\n"
     "process.stdin.once('data', () => process.exit(0));",
     0},
    {"AfterAnOpenQuestionAndSigterm",
     "const readline = require('readline').createInterface({ input: process.stdin, output: "
     "process.stdout });\n"
     "readline.question('READY', () => {});\n"
     "process.stdin.once('data', () => process.kill(process.pid, 'SIGTERM'));",
     -SIGTERM},
    {"AfterCtrlCAtAQuestion",
     "const readline = require('readline').createInterface({ input: process.stdin, output: "
     "process.stdout });\n"
     "readline.question('READY', () => {});\n",
     0, "\x03"},
};
INSTANTIATE_TEST_SUITE_P(All, TerminalMode, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace rondo::test
