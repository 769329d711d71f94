// The documents of an explanation whose times are known. tests/lens/explain_json_test.js looks at
// those of programs.
#include "rondo/lens/explain_export.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A main program that sets a timer, which prints; the loop sleeps in between.
void tell(Explanation& story) {
  story.on_made(1000ns, {.id = kMain, .kind = Kind::main, .label = "</script>"});
  story.on_begin(1000ns, kMain, {}, {});
  story.on_made(2500ns, {.id = 2,
                         .cause = kMain,
                         .kind = Kind::timeout,
                         .delay = 5ms,
                         .label = "setTimeout 5 ms",
                         .site = {.file = "a.js", .function = "f", .line = 3, .column = 4}});
  story.on_end(4000ns, kMain);
  story.on_iteration(5us, 1);
  story.on_phase_enter(5us, Phase::timers);
  story.on_phase_leave(6us, Phase::timers);
  story.on_phase_enter(6us, Phase::poll);
  story.on_wait(10us);
  story.on_woken(5010us, 0);
  story.on_phase_leave(5011us, Phase::poll);
  story.on_iteration(5012us, 2);
  story.on_phase_enter(5012us, Phase::timers);
  story.on_begin(5013us, 2, {}, {});
  story.on_output(5014us, 2, "\xff<");
  story.on_end(5015us, 2);
  story.on_phase_leave(5016us, Phase::timers);
  story.on_finish(5020us, End::nothing_left);
}

Explained program() {
  return {.program = "a.js",
          .backend = "epoll",
          .started = std::chrono::system_clock::time_point(1'000'000'000'123ms),
          .exit_code = 3};
}

TEST(ExplainExport, JsonHasWhatHappened) {
  Explanation story;
  tell(story);
  const std::string json = to_json(story, program());
  EXPECT_THAT(json, StartsWith(R"({"format":"rondo-explain","version":1,"program":"a.js",)"
                               R"("backend":"epoll","started":"2001-09-09T01:46:40.123Z",)"
                               R"("end":"nothing-left",)"));
  EXPECT_THAT(json, HasSubstr(R"("exitCode":3,)"));
  EXPECT_THAT(
      json,
      HasSubstr(R"({"id":1,"iteration":0,"phase":"main","kind":"main","label":"\u003c/script>")"));
  EXPECT_THAT(
      json,
      HasSubstr(R"({"id":2,"iteration":2,"phase":"timers","kind":"timeout",)"
                R"("label":"setTimeout 5 ms","delay":5,)"
                R"("site":{"file":"a.js","line":3,"column":4,"function":"f"},)"
                R"("cause":1,"after":null,"inside":null,"depth":1,)"
                R"("made":1.500,"waited":5010.500,"begin":5012.000,"end":5014.000,"ran":2.000)"));
  EXPECT_THAT(json, HasSubstr(R"({"at":5013.000,"run":2,"stream":"stderr","text":")"
                              "\xef\xbf\xbd"
                              R"(\u003c","base64":"/zw="})"));
  EXPECT_THAT(json, HasSubstr(R"("asleep":5000.000)"));
}

TEST(ExplainExport, JsonAndTextHaveWhatWasLeftUnfinished) {
  Explanation story;
  const Unfinished left[] = {{.kind = "await",
                              .what = "await in main",
                              .count = 3,
                              .site = {.file = "a.js", .function = "main", .line = 3, .column = 4},
                              .source = "await x;"},
                             {.kind = "timer", .what = "immediate"}};
  story.on_unfinished(5019us, left);
  tell(story);
  const std::string json = to_json(story, program());
  EXPECT_THAT(json, HasSubstr(R"({"kind":"await","what":"await in main","count":3,)"
                              R"("site":{"file":"a.js","line":3,"column":4,"function":"main"},)"
                              R"("source":"await x;"})"));
  EXPECT_THAT(json, HasSubstr(R"({"kind":"timer","what":"immediate","count":1,"site":null})"));
  EXPECT_THAT(to_text(story), HasSubstr("\nleft unfinished\n"
                                        "  await in main (3 times)  a.js:3\n"
                                        "      await x;\n"
                                        "  immediate\n"));
}

TEST(ExplainExport, TextNamesTheFirstPlacesAndCountsTheOthers) {
  Explanation story;
  std::vector<Unfinished> left(23, Unfinished{.kind = "await", .what = "await in f"});
  story.on_unfinished(5019us, left);
  tell(story);
  EXPECT_THAT(to_text(story), HasSubstr("  await in f\n  and 3 more places\n"));
}

TEST(ExplainExport, AStoryWithoutAnythingIsADocumentToo) {
  const Explanation story;
  EXPECT_THAT(to_json(story, {}), HasSubstr(R"("end":"running")"));
  EXPECT_THAT(to_json(story, {}), HasSubstr(R"("exitCode":null)"));
}

TEST(ExplainExport, ThePageHoldsTheDocumentAndNothingOfItAsHtml) {
  Explanation story;
  tell(story);
  const std::string page = to_html(story, program());
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("id=\"data\">" + to_json(story, program()) + "</script>"));
  EXPECT_THAT(page, Not(HasSubstr("@data@")));
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-"));
}

}  // namespace
}  // namespace rondo::lens
