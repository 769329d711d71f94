#include "rondo/signal.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// SIGUSR1 and SIGUSR2 do nothing to the test program while one of these tests runs, should one go
// wrong: by default they would end it.
class SignalTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const int signum : {SIGUSR1, SIGUSR2}) {
      struct sigaction action{};
      action.sa_handler = &count;
      ::sigaction(signum, &action, nullptr);
    }
    counted = 0;
  }
  void TearDown() override {
    for (const int signum : {SIGUSR1, SIGUSR2}) {
      struct sigaction now{};
      ::sigaction(signum, nullptr, &now);
      EXPECT_EQ(now.sa_handler, &count) << "signal " << signum << " was not restored";
      ::signal(signum, SIG_DFL);
    }
  }
  static void count(int /*signum*/) { counted = counted + 1; }
  static inline volatile std::sig_atomic_t counted = 0;
};

TEST_F(SignalTest, ComesInThePollPhase) {
  Loop loop;
  SignalWatcher watcher(loop);
  int seen = 0;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int signum) {
    seen = signum;
    EXPECT_EQ(loop.phase(), Phase::poll);
    watcher.stop();
  }));
  EXPECT_TRUE(watcher.active());
  EXPECT_EQ(watcher.signum(), SIGUSR1);
  ::raise(SIGUSR1);
  EXPECT_EQ(seen, 0);
  loop.run();
  EXPECT_EQ(seen, SIGUSR1);
  EXPECT_EQ(counted, 0);
  EXPECT_EQ(watcher.signum(), 0);
}

TEST_F(SignalTest, WhatCannotBeCaughtIsAnError) {
  Loop loop;
  SignalWatcher watcher(loop);
  for (const int signum : {SIGKILL, SIGSTOP, 0, -1, 65, 1000, 32, 33}) {
    const auto started = watcher.start(signum, [](int) {});
    ASSERT_FALSE(started) << signum;
    EXPECT_EQ(started.error(), errno_code(EINVAL)) << signum;
  }
  EXPECT_FALSE(watcher.active());
  EXPECT_FALSE(loop.alive());
  EXPECT_THROW((void)watcher.start(SIGUSR1, nullptr), Misuse);
}

TEST_F(SignalTest, SeveralWatchersOfOneSignalAreToldInOrder) {
  Loop loop;
  std::vector<std::string> heard;
  SignalWatcher a(loop);
  SignalWatcher b(loop);
  SignalWatcher other(loop);
  ASSERT_TRUE(a.start(SIGUSR1, [&](int) { heard.emplace_back("a"); }));
  ASSERT_TRUE(b.start(SIGUSR1, [&](int) {
    heard.emplace_back("b");
    loop.stop();
  }));
  ASSERT_TRUE(other.start(SIGUSR2, [&](int) { heard.emplace_back("other"); }));
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_THAT(heard, ElementsAre("a", "b"));
}

TEST_F(SignalTest, OrderAndNumberAreKept) {
  Loop loop;
  std::vector<int> heard;
  SignalWatcher one(loop);
  SignalWatcher two(loop);
  const auto note = [&](int signum) {
    heard.push_back(signum);
    if (heard.size() == 5) loop.stop();
  };
  ASSERT_TRUE(one.start(SIGUSR1, note));
  ASSERT_TRUE(two.start(SIGUSR2, note));
  for (const int signum : {SIGUSR2, SIGUSR1, SIGUSR1, SIGUSR2, SIGUSR1}) ::raise(signum);
  loop.run();
  EXPECT_THAT(heard, ElementsAre(SIGUSR2, SIGUSR1, SIGUSR1, SIGUSR2, SIGUSR1));
}

TEST_F(SignalTest, WatchersMayComeAndGoWhileTheyAreTold) {
  Loop loop;
  std::vector<std::string> heard;
  SignalWatcher first(loop);
  auto second = std::make_unique<SignalWatcher>(loop);
  std::unique_ptr<SignalWatcher> added;
  ASSERT_TRUE(first.start(SIGUSR1, [&](int) {
    heard.emplace_back("first");
    second = nullptr;
    added = std::make_unique<SignalWatcher>(loop);
    ASSERT_TRUE(added->start(SIGUSR1, [&](int) { heard.emplace_back("added"); }));
    first.close();
    loop.set_immediate([&] { loop.stop(); });
  }));
  ASSERT_TRUE(second->start(SIGUSR1, [&](int) { heard.emplace_back("second"); }));
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_THAT(heard, ElementsAre("first"));
  ::raise(SIGUSR1);
  loop.run_once();
  EXPECT_THAT(heard, ElementsAre("first", "added"));
}

TEST_F(SignalTest, StopTakesBackASignalThatHasCome) {
  Loop loop;
  SignalWatcher watcher(loop);
  bool heard = false;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { heard = true; }));
  ::raise(SIGUSR1);
  watcher.stop();
  loop.run_nowait();
  EXPECT_FALSE(heard);
  // And started again, it does not receive the old one.
  ASSERT_TRUE(watcher.start(SIGUSR2, [&](int) { heard = true; }));
  loop.run_nowait();
  EXPECT_FALSE(heard);
}

TEST_F(SignalTest, StartedAgainItWatchesTheOther) {
  Loop loop;
  SignalWatcher watcher(loop);
  std::vector<int> heard;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { heard.push_back(1); }));
  ASSERT_TRUE(watcher.start(SIGUSR2, [&](int) {
    heard.push_back(2);
    loop.stop();
  }));
  ::raise(SIGUSR1);  // does again what it did
  ::raise(SIGUSR2);
  loop.run();
  EXPECT_THAT(heard, ElementsAre(2));
  EXPECT_EQ(counted, 1);
  // An error leaves what was watched.
  EXPECT_FALSE(watcher.start(SIGKILL, [](int) {}));
  EXPECT_EQ(watcher.signum(), SIGUSR2);
}

TEST_F(SignalTest, ThePreviousDispositionComesBackWithTheLastWatcher) {
  Loop loop;
  Loop other_loop;
  auto a = std::make_unique<SignalWatcher>(loop);
  auto b = std::make_unique<SignalWatcher>(other_loop);
  ASSERT_TRUE(a->start(SIGUSR1, [](int) {}));
  ASSERT_TRUE(b->start(SIGUSR1, [](int) {}));
  a = nullptr;
  ::raise(SIGUSR1);
  EXPECT_EQ(counted, 0);
  b = nullptr;
  ::raise(SIGUSR1);
  EXPECT_EQ(counted, 1);
}

TEST_F(SignalTest, AHandlerInstalledMeanwhileStays) {
  Loop loop;
  SignalWatcher watcher(loop);
  ASSERT_TRUE(watcher.start(SIGUSR1, [](int) {}));
  struct sigaction theirs{};
  theirs.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR1, &theirs, nullptr);
  watcher.stop();
  struct sigaction now{};
  ::sigaction(SIGUSR1, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  SetUp();
}

TEST_F(SignalTest, KeepsTheLoopAliveUnlessUnrefd) {
  Loop loop;
  SignalWatcher watcher(loop);
  ASSERT_TRUE(watcher.start(SIGUSR1, [](int) {}));
  EXPECT_TRUE(loop.alive());
  EXPECT_TRUE(watcher.has_ref());
  watcher.unref();
  EXPECT_FALSE(loop.alive());
  loop.run();
  watcher.ref();
  EXPECT_TRUE(loop.alive());
}

TEST_F(SignalTest, CloseRunsItsCallbackInTheClosePhase) {
  Loop loop;
  SignalWatcher watcher(loop);
  ASSERT_TRUE(watcher.start(SIGUSR1, [](int) {}));
  Phase phase = Phase::none;
  watcher.close([&] { phase = loop.phase(); });
  EXPECT_TRUE(watcher.closed());
  EXPECT_EQ(watcher.start(SIGUSR1, [](int) {}).error(), errno_code(EINVAL));
  loop.run();
  EXPECT_EQ(phase, Phase::close);
}

TEST_F(SignalTest, OutlivesItsLoop) {
  auto loop = std::make_unique<Loop>();
  SignalWatcher watcher(*loop);
  ASSERT_TRUE(watcher.start(SIGUSR1, [](int) {}));
  loop = nullptr;
  EXPECT_TRUE(watcher.closed());
  ::raise(SIGUSR1);
  EXPECT_EQ(counted, 1);
  EXPECT_EQ(watcher.start(SIGUSR1, [](int) {}).error(), errno_code(EINVAL));
}

TEST_F(SignalTest, AnExceptionLosesNoSignal) {
  Loop loop;
  std::vector<std::string> heard;
  SignalWatcher a(loop);
  SignalWatcher b(loop);
  ASSERT_TRUE(a.start(SIGUSR1, [&](int) {
    heard.emplace_back("a");
    throw std::runtime_error("a");
  }));
  ASSERT_TRUE(b.start(SIGUSR1, [&](int) {
    heard.emplace_back("b");
    if (heard.size() == 4) loop.stop();
  }));
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_THROW(loop.run(), std::runtime_error);
  loop.run();
  EXPECT_THAT(heard, ElementsAre("a", "b", "a", "b"));
}

TEST_F(SignalTest, EveryLoopInItsThreadIsTold) {
  constexpr int kThreads = 4;
  std::latch ready(kThreads + 1);
  std::atomic<int> told = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      Loop loop;
      SignalWatcher watcher(loop);
      ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) {
        ++told;
        watcher.stop();
      }));
      ready.arrive_and_wait();
      loop.run();
    });
  }
  ready.arrive_and_wait();
  ::kill(::getpid(), SIGUSR1);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(told, kThreads);
}

TEST_F(SignalTest, AForkedProcessWatchesNothing) {
  Loop loop;
  SignalWatcher watcher(loop);
  bool heard = false;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { heard = true; }));
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGUSR1);  // the handler of before, and not our parent's loop
    ::_exit(counted == 1 ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  loop.run_nowait();
  EXPECT_FALSE(heard);
  // Here nothing has changed.
  ::raise(SIGUSR1);
  loop.run_nowait();
  EXPECT_TRUE(heard);
}

TEST_F(SignalTest, AForkedProcessMayWatchWithALoopOfItsOwn) {
  Loop loop;
  SignalWatcher watcher(loop);
  bool heard = false;
  ASSERT_TRUE(watcher.start(SIGUSR1, [&](int) { heard = true; }));
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    bool childs = false;
    {
      Loop own;
      SignalWatcher its(own);
      const auto started = its.start(SIGUSR1, [&](int) {
        childs = true;
        its.stop();
      });
      if (!started) ::_exit(2);
      ::raise(SIGUSR1);
      own.run();
    }
    ::raise(SIGUSR1);
    ::_exit(childs && counted == 1 ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  loop.run_nowait();
  EXPECT_FALSE(heard);
}

TEST_F(SignalTest, AFaultOfTheProgramIsNotAnEvent) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);                // should it come back for ever
    ::signal(SIGFPE, SIG_DFL);  // a sanitizer has its own
    Loop loop;
    SignalWatcher watcher(loop);
    (void)watcher.start(SIGFPE, [](int) {});
    ::raise(SIGFPE);  // sent: an event
#ifdef __x86_64__
    int zero = 0;
    __asm__ volatile("idivl %0" : : "r"(zero), "a"(1), "d"(0));
#else
    ::signal(SIGFPE, SIG_DFL);
    ::raise(SIGFPE);
#endif
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGFPE);
}

// ---- wait_signal() -----------------------------------------------------------------------------

Async<> wait_for(WaitSignalOp waiting, std::vector<std::string>& seen) {
  const Expected<int> which = co_await std::move(waiting);
  seen.push_back(which ? std::to_string(*which) : std::string(error_name(which.error())));
}

TEST_F(SignalTest, IsAwaited) {
  Loop loop;
  std::vector<std::string> seen;
  spawn(loop, wait_for(wait_signal(SIGUSR1, SIGUSR2), seen));
  EXPECT_TRUE(loop.alive());
  loop.set_immediate([] { ::raise(SIGUSR2); });
  loop.run();
  EXPECT_THAT(seen, ElementsAre(std::to_string(SIGUSR2)));
}

TEST_F(SignalTest, AwaitingWhatCannotBeCaughtIsAnError) {
  Loop loop;
  std::vector<std::string> seen;
  spawn(loop, wait_for(wait_signal(SIGUSR1, SIGKILL), seen));
  spawn(loop, wait_for(wait_signal(SIGUSR1, 99), seen));
  EXPECT_TRUE(seen.empty());
  loop.run();
  EXPECT_THAT(seen, ElementsAre("EINVAL", "EINVAL"));
}

TEST_F(SignalTest, AwaitingIsStopped) {
  Loop loop;
  std::vector<std::string> seen;
  std::stop_source stop;
  spawn(loop, wait_for(wait_signal(SIGUSR1), seen), stop.get_token());
  loop.set_immediate([&] {
    stop.request_stop();
    EXPECT_TRUE(seen.empty());
  });
  loop.run();
  EXPECT_THAT(seen, ElementsAre("ECANCELED"));
}

TEST_F(SignalTest, ALoopIsDestroyedWhileSomebodyAwaits) {
  std::vector<std::string> seen;
  {
    Loop loop;
    spawn(loop, wait_for(wait_signal(SIGUSR1), seen));
    loop.run_nowait();
  }
  EXPECT_TRUE(seen.empty());
  ::raise(SIGUSR1);
  EXPECT_EQ(counted, 1);
}

TEST_F(SignalTest, TheCallbackMayOwnTheWatcher) {
  // The callback is destroyed when the watcher stops, and the watcher with it.
  enum class By { stop, close, start, loop };
  for (const By by : {By::stop, By::close, By::start, By::loop}) {
    std::optional<Loop> loop(std::in_place);
    auto owner = std::make_shared<SignalWatcher>(*loop);
    const std::weak_ptr<SignalWatcher> watched = owner;
    SignalWatcher& watcher = *owner;
    ASSERT_TRUE(watcher.start(SIGUSR1, [owner](int) {}));
    owner.reset();
    bool closed = false;
    switch (by) {
      case By::stop:
        watcher.stop();
        break;
      case By::close:
        watcher.close([&] { closed = true; });
        break;
      case By::start:
        ASSERT_TRUE(watcher.start(SIGUSR2, [](int) {}));
        break;
      case By::loop:
        loop.reset();
        break;
    }
    EXPECT_TRUE(watched.expired());
    if (loop.has_value()) loop->run();
    EXPECT_EQ(closed, by == By::close);
  }
}

}  // namespace
}  // namespace rondo
