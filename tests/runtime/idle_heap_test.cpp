// The young generation of a program that allocates much, and then nothing.
#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using IdleHeapTest = RuntimeTest;

TEST_F(IdleHeapTest, AnIdleProgramGivesMemoryBack) {
  evaluate(R"(
    const v8 = require('v8');
    const newSpace = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    let living = [];
    while (newSpace() < 24 << 20) {
      for (let i = 0; i < 10_000; i++) living.push({ i });
      if (living.length > 200_000) living = [];
    }
    living = undefined;
    log('large');
    const look = setInterval(() => {
      if (newSpace() > 8 << 20) return;
      log('small');
      clearInterval(look);
    }, 100);)");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ::testing::ElementsAre("large", "small"));
}

// The collection that is due waits for the loop; the isolate may be gone by then.
TEST_F(IdleHeapTest, TheEndOfTheProgramComesFirst) {
  evaluate(R"(
    let living = [];
    for (let i = 0; i < 2e6; i++) {
      living.push({ i });
      if (living.length > 200_000) living = [];
    })");
  EXPECT_EQ(runtime.run(), 0);
}

}  // namespace
}  // namespace rondo::test
