#include "script.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::node_tests {
namespace {

using testing::ElementsAre;
using testing::Pair;

class ScriptTest : public testing::Test {
 protected:
  ScriptTest() { std::filesystem::create_directories(folder_); }
  ~ScriptTest() override { std::filesystem::remove_all(folder_); }

  Script read(const std::string& text) {
    std::ofstream(file()) << text;
    return read_script(file());
  }
  std::filesystem::path file() const { return folder_ / "name.js"; }

 private:
  std::filesystem::path folder_ = std::filesystem::canonical(testing::TempDir()) /
                                  ("rondo_script_test_" + std::to_string(getpid()));
};

TEST_F(ScriptTest, RunsTheFileWithoutOptions) {
  const Script script = read("console.log(1);\n");
  EXPECT_THAT(script.arguments, ElementsAre(file().string()));
  EXPECT_FALSE(script.input);
  EXPECT_FALSE(script.in_scratch_folder);
  EXPECT_EQ(script.record_file().filename(), "name.out");
}

TEST_F(ScriptTest, PutsOptionsBeforeTheFileAndArgumentsBehind) {
  const Script script = read(
      "// rondo-test: argument='a b' option=--x option=-r\n// rondo-test: "
      "option=\"q\\\"\\n\"\n1\n");
  EXPECT_THAT(script.arguments, ElementsAre("--x", "-r", "q\"\n", file().string(), "a b"));
}

TEST_F(ScriptTest, CanPassTheProgramItselfInstead) {
  const Script script =
      read("#!/usr/bin/env node\n// rondo-test: no-file option=-e stdin={source}\nprogram\n");
  EXPECT_THAT(script.arguments, ElementsAre("-e"));
  EXPECT_EQ(script.input, "#!/usr/bin/env node\nprogram\n");
}

TEST_F(ScriptTest, SetsTheSurroundings) {
  const Script script = read("// rondo-test: env=A=b=c scratch\n");
  EXPECT_THAT(script.environment, ElementsAre(Pair("A", "b=c")));
  EXPECT_TRUE(script.in_scratch_folder);
}

TEST_F(ScriptTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(read("// rondo-test: optoin=x\n"), std::runtime_error);
  EXPECT_THROW(read("// rondo-test: option='x\n"), std::runtime_error);
  EXPECT_THROW(read_script("/not/there.js"), std::exception);
}

}  // namespace
}  // namespace rondo::node_tests
