// What a program does whose output is not read any more (`rondo script | head -1`): it ends as it
// would in Node, and neither hangs nor continues forever.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/program.h"

namespace rondo::test {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string name;
  std::string script;     // continues when it is asked to
  int exit_code;          // real Node's
  std::string last_word;  // on standard error, where that is still read
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

/// With this in front of it, a script prints a line and then waits for a line to continue.
constexpr const char* kPrelude =
    "console.log('first');\n"
    "const told = (go) => process.stdin.once('data', () => { process.stdin.pause(); go(); });\n";

class ClosedOutput : public ::testing::TestWithParam<Case> {
 protected:
  std::string script() const { return folder.file("script.js", kPrelude + GetParam().script); }

  Folder folder;
};

TEST_P(ClosedOutput, EndsAsInNode) {
  Program program({script()}, Program::Input::open);
  program.see_output("first\n");
  program.close_output();
  program.write("go on\n");
  EXPECT_EQ(program.wait(), GetParam().exit_code);
  EXPECT_THAT(program.errors(), HasSubstr(GetParam().last_word));
}

// Node reports the failed write to the output that is gone, and that failure again, for ever.
TEST(ClosedOutputOfARepl, EndsIt) {
  Program repl({"-i"}, Program::Input::open);
  repl.see_output("> ");
  repl.close_output();
  repl.write("1\n");
  EXPECT_EQ(repl.wait(), 1);
  EXPECT_THAT(repl.errors(), HasSubstr("Error: write EPIPE"));
}

TEST_P(ClosedOutput, AlsoIfNobodyReadsItsErrors) {
  Program program({script()}, Program::Input::open);
  program.see_output("first\n");
  program.close_output();
  program.close_errors();
  program.write("go on\n");
  EXPECT_EQ(program.wait(), GetParam().exit_code);
}

INSTANTIATE_TEST_SUITE_P(
    All, ClosedOutput,
    ::testing::Values(
        Case{"LogInALoop",
             "told(() => { for (let i = 0; i < 1000; i++) console.log(i); process.exit(6); });", 6,
             ""},
        Case{"LogInAnInterval", "told(() => setInterval(() => console.log('more'), 1));", 1,
             "Error: write EPIPE"},
        Case{"LogInImmediates",
             "told(function more() { console.log('more'); setImmediate(more); });", 1,
             "Error: write EPIPE"},
        Case{"LogInTicks",
             "told(function more() { console.log('more'); process.nextTick(more); });", 1,
             "Error: write EPIPE"},
        Case{"Write",
             "told(function more() { process.stdout.write('more') ? setImmediate(more) : "
             "process.stdout.once('drain', more); });",
             1, "Error: write EPIPE"},
        Case{"AMillionBytes", "told(() => process.stdout.write('x'.repeat(1e6)));", 1,
             "Error: write EPIPE"},
        Case{"AListener",
             "process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 3 : 4));"
             "told(() => setInterval(() => console.log('more'), 1));",
             3, ""},
        Case{"AnUncaughtError",
             "told(() => { console.log('more'); throw new Error('it failed'); });", 1,
             "Error: it failed"},
        Case{"ARejection",
             "told(async () => { console.log('more'); throw new Error('it failed'); });", 1,
             "Error: it failed"},
        Case{"LogAtTheEnd",
             "process.on('exit', () => console.log('end')); told(() => process.exit(5));", 5, ""}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace rondo::test
