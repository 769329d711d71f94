// Work that V8 hands to threads, and what they want from the loop meanwhile.
#include "runtime/engine/host/platform.h"

#include <v8.h>

#include <functional>
#include <memory>
#include <semaphore>
#include <utility>

#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using ::testing::ElementsAre;

class Work final : public v8::Task {
 public:
  explicit Work(std::function<void()> work) : work_(std::move(work)) {}
  void Run() override { work_(); }

 private:
  std::function<void()> work_;
};

class PlatformTest : public RuntimeTest {
 protected:
  void on_a_thread(std::function<void()> work) {
    platform_.PostTaskOnWorkerThread(v8::TaskPriority::kUserVisible,
                                     std::make_unique<Work>(std::move(work)));
  }
  void on_the_loop(std::function<void()> work) {
    platform_.GetForegroundTaskRunner(isolate_, v8::TaskPriority::kUserVisible)
        ->PostTask(std::make_unique<Work>(std::move(work)));
  }

  Platform& platform_ = Platform::instance();
  v8::Isolate* isolate_ = v8::Isolate::GetCurrent();
};

TEST_F(PlatformTest, AProgramEndsAfterTheWorkOfThreads) {
  on_a_thread([this] { on_the_loop(log("done")); });
  evaluate("process.on('beforeExit', () => log('beforeExit'))");
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("done", "beforeExit"));
}

// V8's threads wait for a collection of garbage like this.
TEST_F(PlatformTest, AThreadMayWaitForTheLoopAtTheEndOfTheProgram) {
  std::binary_semaphore ending(0);
  std::binary_semaphore collected(0);
  on_a_thread([&] {
    ending.acquire();
    for (int i = 0; i < 100; ++i) {
      on_the_loop([&] { collected.release(); });
      collected.acquire();
    }
  });
  evaluate("process.on('beforeExit', () => log('beforeExit'))");
  loop.set_immediate([&] { ending.release(); });
  EXPECT_EQ(runtime.run(), 0);
  EXPECT_THAT(trace, ElementsAre("beforeExit"));
}

}  // namespace
}  // namespace rondo::test
