// `rondo` on a terminal: the REPL, as a user at a keyboard sees it.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/terminal.h"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kPrompt = "\x1b[1G\x1b[0J> \x1b[3G";
constexpr std::string_view kMore = "\r\n| ";
constexpr std::string_view kUp = "\x1b[A";
constexpr std::string_view kDown = "\x1b[B";
constexpr std::string_view kCtrlA = "\x01";
constexpr std::string_view kCtrlC = "\x03";
constexpr std::string_view kCtrlD = "\x04";
constexpr std::string_view kCtrlK = "\x0b";
constexpr std::string_view kCtrlR = "\x12";
constexpr std::string_view kCtrlU = "\x15";
constexpr std::string_view kCtrlY = "\x19";
constexpr std::string_view kMetaB =
    "\x1b"
    "b";
constexpr std::string_view kTab = "\t";

std::string green(std::string_view text) {
  return "\x1b[32m" + std::string(text) + "\x1b[39m\r\n";
}
std::string yellow(std::string_view text) {
  return "\x1b[33m" + std::string(text) + "\x1b[39m\r\n";
}
std::string gray(std::string_view text) {
  return "\x1b[90m" + std::string(text) + "\x1b[39m\r\n";
}

class Repl : public ::testing::Test {
 protected:
  Repl() {
    std::string name = (fs::temp_directory_path() / "rondo-repl-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    home_ = name;
  }
  ~Repl() override {
    terminal_.reset();
    fs::remove_all(home_);
  }

  Terminal& start() {
    terminal_.emplace(Terminal::Options{.arguments = {RONDO_PROGRAM},
                                        .environment = {{"HOME", home_.string()},
                                                        {"TERM", "xterm-256color"},
                                                        {"RONDO_REPL_HISTORY", history_.string()}},
                                        .folder = home_.string()});
    terminal_->see("Welcome to Rondo");
    terminal_->see(kPrompt);
    return *terminal_;
  }

  /// Types a line and returns everything up to the next prompt, without the line itself.
  std::string enter(const std::string& line) {
    terminal_->type(line + '\r');
    terminal_->see("\r\n");
    return terminal_->see(kPrompt);
  }
  /// Types the rows of one command, and returns what it printed. While a row is typed those above
  /// it are shown again.
  std::string enter_rows(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) terminal_->type(row + '\r');
    const std::string shown = terminal_->see(kPrompt);
    const std::size_t end = shown.rfind("\r\n", shown.size() - 3);
    return shown.substr(end == std::string::npos ? 0 : end + 2);
  }
  /// Types keys that leave the line unfinished, waits for what they show, and clears the line.
  void press(std::string_view keys, std::string_view shown) {
    terminal_->type(keys);
    terminal_->see(shown);
    terminal_->type(kCtrlA);
    terminal_->type(kCtrlK);
    terminal_->see(kPrompt);
  }

  std::string file(const std::string& name) const { return (home_ / name).string(); }
  static std::string contents(const std::string& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path home_;
  fs::path history_;  // empty: none
  std::optional<Terminal> terminal_;
};

TEST_F(Repl, EvaluatesAndShowsResultsInColour) {
  start();
  EXPECT_EQ(enter("1+1"), yellow("2"));
  EXPECT_EQ(enter("'a' + 'b'"), green("'ab'"));
  EXPECT_EQ(enter("undefined"), gray("undefined"));
  EXPECT_EQ(enter("({ a: 1, b: [true] })"),
            "{ a: \x1b[33m1\x1b[39m, b: [ \x1b[33mtrue\x1b[39m ] }\r\n");
  EXPECT_EQ(enter("{ a: 1 }"), "{ a: \x1b[33m1\x1b[39m }\r\n") << "an object, not a block";
  EXPECT_EQ(enter("{ a: 1 };"), yellow("1")) << "a block";
  EXPECT_EQ(enter(""), "");
}

TEST_F(Repl, LeavesWithExitCodeZero) {
  Terminal& terminal = start();
  terminal.type(".exit\r");
  terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST_F(Repl, ControlDLeaves) {
  Terminal& terminal = start();
  terminal.type(kCtrlD);
  EXPECT_THAT(terminal.see_end(), EndsWith("\r\n"));
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST_F(Repl, ControlCAbandonsALineAndLeavesWhenPressedTwice) {
  Terminal& terminal = start();
  terminal.type("half a li");
  terminal.see("half a li");
  terminal.type(kCtrlC);
  EXPECT_THAT(terminal.see(kPrompt), Not(HasSubstr("To exit")));
  terminal.type("foo(\r");
  terminal.see(kMore);
  terminal.type(kCtrlC);
  terminal.see(kPrompt);
  terminal.type(kCtrlC);
  terminal.see("(To exit, press Ctrl+C again or Ctrl+D or type .exit)");
  terminal.see(kPrompt);
  EXPECT_EQ(enter("3"), yellow("3")) << "something typed in between: not twice";
  terminal.type(kCtrlC);
  terminal.see(kPrompt);
  terminal.type(kCtrlC);
  terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST_F(Repl, ExitCodeOfProcessExit) {
  Terminal& terminal = start();
  terminal.type("process.exit(7)\r");
  terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), 7);
}

TEST_F(Repl, GoesOnOverSeveralLines) {
  start();
  EXPECT_EQ(enter_rows({"let point = {", "  x: 1,", "}"}), gray("undefined"));
  EXPECT_EQ(enter("point.x"), yellow("1"));
  EXPECT_EQ(enter_rows({"`two", "lines`"}), green("'two\\nlines'"));
  EXPECT_EQ(enter_rows({"/* a", "comment */ 5"}), yellow("5"));
  EXPECT_EQ(enter_rows({"function f(a,", "           b) {", "  return [a, b].map(",
                        "    (x) => x + 1)", "}"}),
            gray("undefined"));
  EXPECT_EQ(enter("f(1, 2).join()"), green("'2,3'"));
  terminal_->type("1 +\r");
  terminal_->see(kMore);
  terminal_->type(kUp);
  terminal_->type("2 *\r");  // before the sum
  terminal_->type(kDown);
  EXPECT_EQ(enter_rows({"5"}), yellow("7")) << "2 * 1 + 5";
}

TEST_F(Repl, RemembersTheLastValueAndTheLastError) {
  start();
  enter("6 * 7");
  EXPECT_EQ(enter("_ + 1"), yellow("43"));
  enter("throw new RangeError('far')");
  EXPECT_EQ(enter("_error.message"), green("'far'"));
  EXPECT_EQ(enter("_ = 1"), "Expression assignment to _ now disabled.\r\n" + yellow("1"));
  enter("2");
  EXPECT_EQ(enter("_"), yellow("1"));
}

TEST_F(Repl, TellsErrorsAndGoesOn) {
  start();
  EXPECT_EQ(enter("nothing"), "Uncaught ReferenceError: nothing is not defined\r\n");
  EXPECT_EQ(enter("throw { a: 1 }"), "Uncaught { a: \x1b[33m1\x1b[39m }\r\n");
  EXPECT_EQ(enter("throw new Error('top')"), "Uncaught Error: top\r\n");
  enter("function thrower() { throw new TypeError('inner') }");
  EXPECT_THAT(enter("thrower()"),
              ::testing::MatchesRegex("Uncaught TypeError: inner\r\n    at thrower .REPL[0-9]+:1:"
                                      "28.\r\n"));
  EXPECT_THAT(enter("a b"), StartsWith("a b\r\n  ^\r\n\r\nUncaught SyntaxError: "));
  EXPECT_EQ(enter("const once = 1"), gray("undefined"));
  EXPECT_EQ(enter("const once = 2"),
            "Uncaught SyntaxError: Identifier 'once' has already been declared\r\n");
  EXPECT_EQ(enter("once"), yellow("1"));
}

TEST_F(Repl, TellsErrorsOfCallbacksAndRejections) {
  Terminal& terminal = start();
  enter("setTimeout(() => { throw new Error('late') }, 1); 0");
  terminal.see("Uncaught Error: late\r\n");
  terminal.see(kPrompt);
  enter("Promise.reject(new Error('nobody listens')); 0");
  terminal.see("Uncaught Error: nobody listens\r\n");
  terminal.see(kPrompt);
  EXPECT_EQ(enter("1"), yellow("1"));
}

TEST_F(Repl, AwaitsAtTheTopLevel) {
  Terminal& terminal = start();
  EXPECT_EQ(enter("await 5"), yellow("5"));
  EXPECT_EQ(enter("const kept = await Promise.resolve(9), [first] = [await 1]"), gray("undefined"));
  EXPECT_EQ(enter("kept + first"), yellow("10"));
  EXPECT_THAT(enter("await Promise.reject(new Error('no'))"), StartsWith("Uncaught Error: no\r\n"));
  EXPECT_EQ(enter("for await (const x of [1]) { globalThis.seen = x }"), gray("undefined"));
  EXPECT_EQ(enter("seen"), yellow("1"));
  EXPECT_EQ(enter("typeof (await import('node:path')).join"), green("'function'"));

  // What is typed meanwhile waits.
  terminal.type("await new Promise((r) => setTimeout(r, 200)), 'first'\r'second'\r");
  terminal.see(green("'first'"));
  terminal.see(kPrompt);
  terminal.see(green("'second'"));
  terminal.see(kPrompt);

  terminal.type("await new Promise(() => {})\r");
  terminal.see("\r\n");
  terminal.type(kCtrlC);
  terminal.see("Script execution was interrupted by `SIGINT`");
  terminal.see(kPrompt);
  EXPECT_EQ(enter("1"), yellow("1"));
}

TEST_F(Repl, ControlCEndsAnEndlessLoop) {
  Terminal& terminal = start();
  terminal.type("console.log('begin'); while (true);\r");
  terminal.see("\nbegin");
  terminal.type(kCtrlC);
  terminal.see("Script execution was interrupted by `SIGINT`");
  terminal.see(kPrompt);
  EXPECT_EQ(enter("1"), yellow("1"));
}

TEST_F(Repl, CompletesNames) {
  Terminal& terminal = start();
  press("Obj\t", "Object");
  press("process.versio\t", "process.version");
  press("'text'.toUpp\t", ".toUpperCase");
  press("console.lo\t", "console.log");
  press("require('string_d\t", "require('string_decoder");
  press(".he\t", ".help");
  enter("let myVariable = { alpha: { beta: 1 } }");
  press("myVar\t", "myVariable");
  press("myVariable.alpha.b\t", "myVariable.alpha.beta");

  // One tab inserts what all have in common, the second lists them.
  terminal.type("require('f\t");
  terminal.see("require('fs");
  terminal.type(kTab);
  terminal.see("fs           fs/promises\r\r\n");
  terminal.see("> require('fs\x1b[14G");
  terminal.type(kCtrlU);
  terminal.see(kPrompt);
}

TEST_F(Repl, CompletionRunsNoGetterAndAsksNoProxy) {
  Terminal& terminal = start();
  enter("let calls = 0");
  enter("let trap = { get inner() { calls++; return { name: 1 } } }");
  enter("let proxy = new Proxy({}, { get() { calls++ }, ownKeys() { calls++; return [] } })");
  for (const char* text : {"trap.inner.na", "proxy.na", "proxy.inner.na"}) {
    terminal.type(text);
    terminal.see(text);
    // Keys that arrive together are a text that is pasted, and the tab in it is only a tab.
    for (const std::string_view key : {kTab, kTab, kCtrlU}) {
      terminal.type(key);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    terminal.see(kPrompt);
  }
  EXPECT_EQ(enter("calls"), yellow("0"));
}

TEST_F(Repl, EditsALine) {
  Terminal& terminal = start();
  terminal.type("'world'");
  terminal.type(kCtrlA);
  terminal.type("'hello ' + ");
  EXPECT_EQ(enter(""), green("'hello world'"));

  terminal.type("10 + 20");
  terminal.type(kMetaB);  // before 20
  terminal.type(kCtrlK);  // cut it
  terminal.type("300 - ");
  terminal.type(kCtrlY);                            // and put it back
  EXPECT_THAT(enter(""), EndsWith(yellow("290")));  // after previews of what was typed

  terminal.type("12\x7f\x1b[D0\x1b[C + 1");  // backspace, left, 0, right
  EXPECT_THAT(enter(""), EndsWith(yellow("2")));
}

TEST_F(Repl, KeepsItsHistoryInAFile) {
  history_ = home_ / "history";
  Terminal& first = start();
  enter("'one'");
  enter("'two'");
  first.type(".exit\r");
  first.see_end();

  struct stat status{};
  ASSERT_EQ(::stat(history_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(contents(history_), ".exit\n'two'\n'one'");

  Terminal& second = start();
  second.type(kUp);
  second.see("> .exit");
  second.type(kUp);
  second.see("> \x1b[32m'two'");
  second.type(kUp);
  second.see("> \x1b[32m'one'");
  EXPECT_EQ(enter(""), green("'one'"));
}

TEST_F(Repl, TheHistorySurvivesACrash) {
  history_ = home_ / "history";
  Terminal& first = start();
  enter("'one'");
  first.type("process.kill(process.pid, 'SIGKILL')\r");
  first.see_end();
  EXPECT_EQ(first.exit_code(), -SIGKILL);
  EXPECT_EQ(contents(history_), "process.kill(process.pid, 'SIGKILL')\n'one'");
}

TEST_F(Repl, WithoutASettingTheHistoryIsInTheHomeFolder) {
  terminal_.emplace(
      Terminal::Options{.arguments = {"/usr/bin/env", "-u", "RONDO_REPL_HISTORY", "-u",
                                      "NODE_REPL_HISTORY", RONDO_PROGRAM},
                        .environment = {{"HOME", home_.string()}, {"TERM", "xterm-256color"}},
                        .folder = home_.string()});
  terminal_->see(kPrompt);
  enter("'one'");
  EXPECT_EQ(contents(file(".rondo_repl_history")), "'one'");
}

TEST_F(Repl, SearchesItsHistory) {
  Terminal& terminal = start();
  enter("'alpha'");
  enter("'beta'");
  enter("'alphabet'");
  terminal.type(kCtrlR);
  terminal.see("bck-i-search: _");
  terminal.type("alph");
  terminal.see("bck-i-search: alph_");
  terminal.type(kCtrlR);
  terminal.see("\x1b[4malph\x1b[24ma'");
  terminal.type("\r");
  terminal.see(green("'alpha'"));
  terminal.see(kPrompt);
}

TEST_F(Repl, TellsItsCommands) {
  start();
  const std::string help = enter(".help");
  for (const char* command :
       {".break ", ".clear ", ".editor ", ".exit ", ".help ", ".load ", ".save "}) {
    EXPECT_THAT(help, HasSubstr(command));
  }
  EXPECT_EQ(enter(".nonsense"), "Invalid REPL keyword\r\n");
}

TEST_F(Repl, SavesAndLoads) {
  const std::string path = file("session.js");
  start();
  enter("var saved = 20");
  enter_rows({"function twice(x) {", "  return 2 * x;", "}"});
  EXPECT_EQ(enter(".save " + path), "Session saved to: " + path + "\r\n");
  EXPECT_EQ(contents(path), "var saved = 20\nfunction twice(x) {\n  return 2 * x;\n}");
  EXPECT_EQ(enter(".save"), "The \"file\" argument must be specified\r\n");
  EXPECT_EQ(enter(".load " + file("none")), "Failed to load: " + file("none") + "\r\n");

  std::ofstream(file("more.js")) << "const constant = 2;\nfunction thrice(x) {\n"
                                    "  return 3 * x;\n}\nthrice(constant)\n";
  Terminal& terminal = start();
  const std::string shown[][2] = {{"more.js", yellow("6")}, {path, gray("undefined")}};
  for (const auto& [loaded, result] : shown) {
    terminal.type(".load " + loaded + '\r');
    terminal.see(result);
    terminal.see(kPrompt);
    terminal.see(kPrompt);
  }
  EXPECT_EQ(enter("twice(saved) + thrice(1)"), yellow("43"));
}

TEST_F(Repl, HasAnEditor) {
  Terminal& terminal = start();
  terminal.type(".editor\r");
  terminal.see("// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\r\n");
  terminal.type("function g() {\r");
  terminal.type("  return 7;\r");
  terminal.type("\x7f\x7f}\r");  // the indentation that the editor put there
  terminal.type("g()");
  terminal.see("g()");
  terminal.type(kCtrlD);
  terminal.see(yellow("7"));
  terminal.see(kPrompt);
  terminal.type(".editor\r");
  terminal.see("to cancel)\r\n");
  terminal.type("throw 1");
  terminal.see("\x1b[36mthrow\x1b[39m \x1b[33m1");
  terminal.type(kCtrlC);
  EXPECT_THAT(terminal.see(kPrompt), Not(HasSubstr("Uncaught")));
  EXPECT_EQ(enter("g() + 1"), yellow("8"));
}

TEST_F(Repl, BuiltinModulesAreGlobals) {
  start();
  EXPECT_EQ(enter("path.basename('/a/b')"), green("'b'"));
  EXPECT_EQ(enter("typeof os.cpus"), green("'function'"));
  EXPECT_EQ(enter("var path = 5; path"), yellow("5"));
  EXPECT_EQ(enter("require('./package-of-mine') "), enter("require('./package-of-mine') "));
  std::ofstream(file("mine.js")) << "exports.answer = 42;\n";
  EXPECT_EQ(enter("require('./mine').answer"), yellow("42"));
}

TEST_F(Repl, TheLoopGoesOnMeanwhile) {
  Terminal& terminal = start();
  enter(
      "let n = 0; const timer = setInterval(() => { if (++n === 3) console.log('thrice') }, 1); 0");
  terminal.see("thrice\r\n");
  EXPECT_EQ(enter("clearInterval(timer)"), gray("undefined"));
}

// ---- Without a terminal -----------------------------------------------------------------------

TEST_F(Repl, ReadsFromAPipe) {
  std::ofstream(file("input")) << "1+1\nlet a = {\nb: 2}\na\nnothing\nawait 3\n";
  const std::string command = "cd " + home_.string() + " && " RONDO_PROGRAM " -i < input";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_THAT(output, EndsWith("Type \".help\" for more information.\n"
                               "> 2\n"
                               "> | undefined\n"
                               "> { b: 2 }\n"
                               "> Uncaught ReferenceError: nothing is not defined\n"
                               "> 3\n"
                               "> "));
}

}  // namespace
}  // namespace rondo::test
