// Storms of signals: alone in their process, because they interrupt everything.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/pipe.h"
#include "rondo/process.h"
#include "rondo/signal.h"
#include "rondo/work.h"

namespace rondo {
namespace {

TEST(SignalStormTest, MoreThanThePipeHoldsIsMerged) {
  Loop loop;
  SignalWatcher watcher(loop);
  SignalWatcher other(loop);
  constexpr std::size_t kSent = 70'000;
  std::size_t heard = 0;
  std::size_t heard_other = 0;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { ++heard; }));
  ASSERT_TRUE(other.start(SIGUSR2, [&](int) {
    ++heard_other;
    loop.stop();
  }));
  for (std::size_t i = 0; i < kSent; ++i) ::raise(SIGUSR1);
  ::raise(SIGUSR2);  // finds the pipe full
  loop.run();
  EXPECT_EQ(heard_other, 1U);
  EXPECT_GE(heard, 65'536U);
  EXPECT_LT(heard, kSent);
}

TEST(SignalStormTest, WatchersComeAndGoInTheStorm) {
  // Another thread sends without pause while loops with watchers are made and destroyed: no
  // signal may reach a pipe that was closed, or end the program.
  std::signal(SIGUSR1, SIG_IGN);
  std::atomic<bool> enough = false;
  std::thread sender([&] {
    while (!enough) ::kill(::getpid(), SIGUSR1);
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) {
        Loop loop;
        SignalWatcher watcher(loop);
        ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { watcher.stop(); }));
        loop.run();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  enough = true;
  sender.join();
  struct sigaction now{};
  ::sigaction(SIGUSR1, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

Async<> everything(int& rounds) {
  for (int i = 0; i < 20; ++i) {
    const auto sum = co_await work([] { return 1; });
    EXPECT_TRUE(sum);
    const auto echo = co_await run("/bin/echo", "hello");
    EXPECT_EQ(echo ? echo->out : std::string(error_name(echo.error())), "hello\n");
    ++rounds;
  }
}

TEST(SignalStormTest, NothingElseIsDisturbed) {
  // Children, pipes and threads in a storm of interrupted system calls.
  Loop loop;
  SignalWatcher watcher(loop);
  std::size_t heard = 0;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { ++heard; }));
  watcher.unref();
  std::atomic<bool> enough = false;
  const pthread_t target = ::pthread_self();
  std::latch begun(1);
  std::thread sender([&] {
    ::pthread_kill(target, SIGUSR1);
    begun.count_down();
    while (!enough) {
      ::pthread_kill(target, SIGUSR1);
      std::this_thread::yield();
    }
  });
  begun.wait();
  int rounds = 0;
  spawn(loop, everything(rounds));
  loop.run();
  enough = true;
  sender.join();
  loop.run_nowait();
  EXPECT_EQ(rounds, 20);
  EXPECT_GT(heard, 0U);
}

}  // namespace
}  // namespace rondo
