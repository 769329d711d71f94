// Native addons in a C++ program. They are those of tests/napi, which the build puts beside this
// program.
#include <filesystem>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using ::testing::ElementsAre;

std::string addon(std::string_view name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return (program.parent_path() / "napi/addons" / name).string();
}

class Addons : public RuntimeTest {
 protected:
  void load(std::string_view name) {
    evaluate("globalThis.addon = require('" + addon(name) + "')");
  }
};

TEST_F(Addons, TheirCallbacksRunAmongThoseOfTheProgram) {
  load("async.node");
  evaluate(R"js(addon.work(4, (status, output) => {
    log(`work ${output}`);
    process.nextTick(() => log('tick'));
  }))js");
  loop.run();
  EXPECT_THAT(trace, ElementsAre("work 8", "tick"));
}

TEST_F(Addons, ThreadsThatCallKeepTheLoopAlive) {
  load("async.node");
  evaluate(R"js(
    let calls = 0;
    addon.threads(3, 100, 0, () => calls++, () => log(`${calls} calls`));
  )js");
  loop.run();
  EXPECT_THAT(trace, ElementsAre("300 calls"));
}

TEST_F(Addons, ARuntimeGoesWithTheirWorkUnderWay) {
  load("async.node");
  evaluate(R"js(
    addon.work(1, () => log('never'));
    addon.cancel(1, () => log('never'));
    addon.threads(4, 100, 0, () => log('never'), () => log('never'));
    addon.forgotten(() => {});
  )js");
}

TEST_F(Addons, EachRuntimeHasThemAnew) {
  load("lifetimes.node");
  evaluate("globalThis.left = addon.leave(); addon.garbage(5)");
}

TEST_F(Addons, AnAddonWithoutNodeApiIsAnError) {
  const ScriptError error = error_of("require('" + addon("loading_node.node") + "')");
  EXPECT_THAT(error.message, ::testing::HasSubstr("undefined symbol: node_module_register"));
}

}  // namespace
}  // namespace rondo::test
