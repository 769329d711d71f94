// `rondo explain` as a user at a terminal sees it: colours, narrow windows, the line that says
// how far it is, an end by the keyboard.
#include <csignal>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "e2e/terminal.h"

namespace rondo::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kEscape = "\033";
constexpr std::string_view kClear = "\r\033[K";  // what takes the progress line away

/// Of everything that has a colour of its own.
constexpr std::string_view kColourful =
    "setTimeout(() => console.error('an error'), 1);\n"
    "setImmediate(() => console.log('some output'));\n"
    "require('fs').stat(__filename, () => {});\n";

constexpr std::string_view kEndless =
    "console.log('begins');\n"
    "(function again() { setImmediate(again); })();\n";

/// Without colours.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\033[")) {
      i = text.find_first_of("mK", i);
      if (i == std::string_view::npos) break;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// Characters, as far as each takes one column.
std::size_t width_of(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) width += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return width;
}

class ExplainOnTerminal : public ::testing::Test {
 protected:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  Terminal::Options with(std::string_view text, std::vector<std::string> more = {}) const {
    folder_.file("program.js", text);
    Terminal::Options options{.arguments = {RONDO_PROGRAM, "explain"},
                              .environment = {{"TERM", "xterm"}},
                              .folder = folder_.path("")};
    for (std::string& argument : more) options.arguments.push_back(std::move(argument));
    options.arguments.emplace_back("program.js");
    return options;
  }

  Folder folder_;
};

TEST_F(ExplainOnTerminal, HasColours) {
  Terminal terminal(with(kColourful));
  const std::string shown = terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), 0);
  EXPECT_THAT(shown, HasSubstr("\033[33mtimers\033[0m"));
  EXPECT_THAT(shown, HasSubstr("\033[32mcheck\033[0m"));
  EXPECT_THAT(shown, HasSubstr("\033[34mpoll\033[0m"));
  EXPECT_THAT(shown, HasSubstr("\033[1m│ \033[0msome output"));
  EXPECT_THAT(shown, HasSubstr("\033[31m┆ \033[0man error"));
}

TEST_F(ExplainOnTerminal, HasNoneWhereNobodyWantsThem) {
  for (const auto& variable :
       {std::pair<std::string, std::string>{"NO_COLOR", "1"}, {"TERM", "dumb"}}) {
    Terminal::Options options = with(kColourful);
    if (variable.first == "TERM") options.environment.clear();
    options.environment.push_back(variable);
    Terminal terminal(options);
    const std::string shown = terminal.see_end();
    EXPECT_THAT(shown, Not(HasSubstr(kEscape))) << variable.first;
    EXPECT_THAT(shown, HasSubstr("│ some output")) << variable.first;
  }
}

TEST_F(ExplainOnTerminal, HasNoneInAPipe) {
  Program program({"explain", folder_.file("program.js", kColourful)});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.output(), Not(HasSubstr(kEscape)));
  EXPECT_THAT(program.output(), HasSubstr("│ some output"));
  EXPECT_EQ(program.errors(), "");
}

/// All of what is told but the program's own lines fits, and nothing is lost: what has no room in
/// the line stands below.
TEST_F(ExplainOnTerminal, FitsIntoItsWidth) {
  for (const int columns : {40, 60, 80, 120}) {
    Terminal::Options options = with(
        "function aFunctionWithAVeryLongNameThatNobodyCouldReadAnyway() {}\n"
        "process.nextTick(aFunctionWithAVeryLongNameThatNobodyCouldReadAnyway);\n"
        "setTimeout(() => {}, 1);\n"
        "setImmediate(() => console.log('x'.repeat(200)));\n"
        "require('fs').readFile(__filename, () => {});\n",
        {"--limit=4"});
    options.columns = columns;
    Terminal terminal(options);
    const std::string shown = plain(terminal.see_end());
    std::istringstream lines(shown);
    for (std::string line; std::getline(lines, line);) {
      while (line.ends_with('\r')) line.pop_back();
      if (line.starts_with("│")) continue;
      EXPECT_LE(width_of(line), static_cast<std::size_t>(columns)) << line;
    }
    EXPECT_THAT(shown, HasSubstr(std::string(200, 'x'))) << columns;
    EXPECT_THAT(shown, HasSubstr("program.js:4")) << columns;
    EXPECT_THAT(shown, ContainsRegex("tick aF.*ay")) << columns;
    EXPECT_THAT(shown, HasSubstr("by what and where")) << columns;
  }
}

TEST_F(ExplainOnTerminal, SaysHowFarItIsAndEndsByTheKeyboard) {
  Terminal terminal(with(kEndless, {"--limit=10"}));
  terminal.see("│ \033[0mbegins");
  terminal.see("counted, not listed (--limit=10)");
  terminal.see(kClear);
  const std::string first = terminal.see(kClear);
  EXPECT_THAT(first, ContainsRegex("^[0-9]+ callbacks, [0-9.]+ m?s$"));
  terminal.type("\x03");
  const std::string rest = terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), -SIGINT);
  EXPECT_THAT(plain(rest), HasSubstr("the loop ended: the signal Interrupt ended the process"));
  EXPECT_THAT(plain(rest), ContainsRegex("[0-9,]+ × .* immediate  program.js:2"));
  // The last thing that is seen is the summary, on a line that nothing else is on.
  EXPECT_THAT(rest, HasSubstr(std::string(kClear) + "\r\n"));
}

/// Neither in the story that goes into a file nor on the way to another process.
TEST_F(ExplainOnTerminal, SaysNothingOfItsProgressInAPipe) {
  Program program({"explain", "--limit=10", folder_.file("program.js", kEndless)});
  program.see_output("counted, not listed");
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), -SIGINT);
  EXPECT_EQ(program.errors(), "");
  EXPECT_THAT(program.output(), Not(HasSubstr(kEscape)));
  EXPECT_THAT(program.output(),
              HasSubstr("the loop ended: the signal Interrupt ended the process"));
}

TEST_F(ExplainOnTerminal, ShowsProgressWhileThePageIsMade) {
  Terminal terminal(with(kEndless, {"--html=page.html"}));
  terminal.see("begins");
  terminal.see(" callbacks, ");
  terminal.type("\x03");
  terminal.see_end();
  EXPECT_EQ(terminal.exit_code(), -SIGINT);
}

}  // namespace
}  // namespace rondo::test
