#include "normalise.h"

#include <gtest/gtest.h>

namespace rondo::node_tests {
namespace {

TEST(Normalise, NamesThePathsOfThisMachine) {
  EXPECT_EQ(normalise("at f (/here/tests/a.js:1:2)\nfile:///here/tests/b.mjs",
                      {{"/here/tests", "<tests>"}}),
            "at f (<tests>/a.js:1:2)\nfile://<tests>/b.mjs");
}

TEST(Normalise, HidesTheProcessIdOfAWarning) {
  EXPECT_EQ(normalise("(node:1234) Warning: x", {}), "(node:PID) Warning: x");
  EXPECT_EQ(normalise("(node:events) 1234", {}), "(node:events) 1234");
}

TEST(Normalise, HidesTheVersionOnALineOfItsOwn) {
  EXPECT_EQ(normalise("\nNode.js v26.10.0\n", {}), "\nNode.js VERSION\n");
  EXPECT_EQ(normalise("Node.js v18.1.0", {}), "Node.js v18.1.0");
  EXPECT_EQ(normalise("I am Node.js v26.10.0", {}), "I am Node.js v26.10.0");
}

TEST(Normalise, DropsFramesOfTheRuntimeAndKeepsThoseOfTheUser) {
  EXPECT_EQ(normalise("Error: x\n"
                      "    at f (/a.js:1:2)\n"
                      "    at EventEmitter.emit (node:events:519:28)\n"
                      "    at /a.js:3:4\n"
                      "    at node:internal/main/run_main_module:28:49\n"
                      "    at async node:internal/x:1:1\n"
                      "end",
                      {}),
            "Error: x\n    at f (/a.js:1:2)\n    at /a.js:3:4\nend");
}

TEST(Normalise, KeepsWhatInspectPutsBehindADroppedFrame) {
  EXPECT_EQ(normalise("Error: x\n"
                      "    at f (/a.js:1:2)\n"
                      "    at node:internal/a:1:1\n"
                      "    at g (node:internal/b:1:1) {\n"
                      "  code: 1\n"
                      "}",
                      {}),
            "Error: x\n    at f (/a.js:1:2) {\n  code: 1\n}");
}

TEST(Normalise, DropsWhatStandsForSeveralFrames) {
  EXPECT_EQ(normalise("    at f (/a.js:1:2)\n    ... 7 lines matching cause stack trace ...\n    "
                      "at g (node:x:1:1) {",
                      {}),
            "    at f (/a.js:1:2) {");
}

TEST(Normalise, ReplacesTheHeadOfAnErrorThrownInside) {
  EXPECT_EQ(normalise("node:events:497\n      throw er;\n      ^\n\nError: x", {}),
            "node:<internals>\n\nError: x");
  EXPECT_EQ(normalise("node:events:497\nno caret\nbelow", {}), "node:events:497\nno caret\nbelow");
}

}  // namespace
}  // namespace rondo::node_tests
