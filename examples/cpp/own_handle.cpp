// A handle of one's own: a stopwatch that reports every so often until it is stopped, and that may
// outlive its loop. docs/extending.md has the rules.
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

#include <rondo/loop.h>
#include <rondo/operation.h>

using namespace std::chrono_literals;

class Stopwatch final : private rondo::LoopOwned {
 public:
  Stopwatch(rondo::Loop& loop, std::chrono::milliseconds every, rondo::Callback<void(int)> report)
      : LoopOwned(loop), report_(std::move(report)) {
    timer_ = loop.set_interval(every, [this] { report_(++count_); });
  }
  ~Stopwatch() override {
    check_drop();
    stop();
  }
  void stop() noexcept {
    if (running()) timer_.clear();
    timer_ = {};
  }
  bool running() const noexcept { return core() != nullptr && timer_ != rondo::Timer(); }

 private:
  // The loop goes, and its timers with it.
  void loop_ends() noexcept override {
    timer_ = {};
    leave();
  }

  rondo::Callback<void(int)> report_;
  rondo::Timer timer_;
  int count_ = 0;
};

int main() {
  std::unique_ptr<Stopwatch> forgotten;
  {
    rondo::Loop loop;
    std::unique_ptr<Stopwatch> watch;
    watch = std::make_unique<Stopwatch>(loop, 5ms, [&](int count) {
      std::printf("%d\n", count);
      if (count == 3) watch->stop();
    });
    loop.run();  // until nothing is left to wait for
    forgotten = std::make_unique<Stopwatch>(loop, 1h, [](int) {});
  }
  std::printf("the loop is gone: %s\n", forgotten->running() ? "still running" : "stopped");
  return forgotten->running() ? 1 : 0;
}
