// Every kind of operation, stopped at every point where it may stand, and destroyed there with its
// loop: it ends once, it leaks nothing, and no callback runs inside request_stop().
// Operations on sockets have the same in net_await_test.cpp.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/dns.h"
#include "rondo/fs.h"
#include "rondo/fs_watch.h"
#include "rondo/loop.h"
#include "rondo/process.h"
#include "rondo/signal.h"
#include "rondo/work.h"

#include "io/fs_fixture.h"
#include "io/test_name_server.h"
#include "io/threads/thread_pool.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

template <class T>
std::string name_of(const Expected<T>& result) {
  return result ? "ok" : std::string(error_name(result.error()));
}

/// What awaiting it gave, in a word.
template <class Task>
Async<std::string> outcome(Task task) {
  const auto result = co_await std::move(task);
  co_return name_of(result);
}

template <class... Tasks>
Async<std::string> outcome_of_all(Tasks... tasks) {
  const auto all = co_await when_all(outcome(std::move(tasks))...);
  co_return std::apply([](const auto&... one) { return ((one + " ") + ...); }, all);
}

struct Kind {
  std::string name;
  bool endless;  // nothing but a stop ends it
  std::function<Async<std::string>()> make;
};

class AsyncOperations : public testing::Test {
 protected:
  AsyncOperations() {
    ::mkfifo((folder / "fifo").c_str(), 0600);
    ::mkfifo((folder / "unread").c_str(), 0600);
    put(folder / "file", std::string(100'000, 'x'));
    silent = "silent.test";
    ::signal(SIGUSR1, SIG_IGN);
  }
  ~AsyncOperations() override { ::signal(SIGUSR1, SIG_DFL); }

  std::vector<Kind> kinds(Loop& loop) {
    return {
        {"sleep", true, [] { return outcome(sleep_for(1h)); }},
        {"read_file", false, [this] { return outcome(fs::read_file(folder / "file")); }},
        {"read_file of a fifo", true, [this] { return outcome(fs::read_file(folder / "fifo")); }},
        {"write_file", false,
         [this] { return outcome(fs::write_file(folder / "new", "text", {.atomic = true})); }},
        {"open of an unread fifo", true,
         [this] { return outcome(fs::open(folder / "unread", O_WRONLY)); }},
        {"readdir", false, [this] { return outcome(fs::readdir(folder.path())); }},
        {"add to a watcher", false, [this, &loop] { return watch_folder(loop); }},
        {"work", false, [] { return outcome(work([] { std::this_thread::sleep_for(1ms); })); }},
        {"work behind work", false,
         [] {
           const auto nap = [] { std::this_thread::sleep_for(1ms); };
           return outcome_of_all(work(nap), work(nap), work(nap), work(nap), work(nap), work(nap));
         }},
        {"lookup", false, [] { return outcome(dns::lookup("localhost")); }},
        {"lookup of a number", false, [] { return outcome(dns::lookup("127.0.0.1")); }},
        {"resolve", true, [this, &loop] { return ask_silence(loop); }},
        {"signal", true, [] { return outcome(wait_signal(SIGUSR1)); }},
        {"process", true, [this, &loop] { return wait_for_sleeper(loop); }},
        {"run", true, [] { return outcome(run("sleep", "1000")); }},
        {"run to the end", false, [] { return outcome(run("true")); }},
        {"several", true,
         [this] {
           return outcome_of_all(sleep_for(1h), fs::read_file(folder / "fifo"),
                                 wait_signal(SIGUSR1), fs::stat(folder / "file"));
         }},
        {"the first of several", false,
         [] { return outcome_of_first(sleep_for(5ms), sleep_for(1h)); }},
        {"timed", false,
         [this] { return outcome(with_timeout(5ms, fs::read_file(folder / "fifo"))); }},
    };
  }

  static Async<std::string> outcome_of_first(SleepOp a, SleepOp b) {
    const auto first = co_await when_any(std::move(a), std::move(b));
    co_return name_of(first.value);
  }
  Async<std::string> watch_folder(Loop& loop) {
    fs::FsWatcher watcher(loop, [](const fs::FsEvent&) {});
    co_return name_of(co_await watcher.add(folder.path()));
  }
  Async<std::string> ask_silence(Loop& loop) {
    dns::Resolver resolver(loop, {.timeout = 10min});
    EXPECT_TRUE(resolver.set_servers({server.address()}));
    co_return name_of(co_await resolver.resolve4(silent));
  }
  static Async<std::string> wait_for_sleeper(Loop& loop) {
    SpawnOptions options = SpawnOptions("sleep", "1000");
    options.kill_on_destroy = true;
    auto process = Process::spawn(loop, options);
    EXPECT_TRUE(process);
    if (!process) co_return "not spawned";
    co_return name_of(co_await process->wait());
  }

  TempFolder folder;
  testing_dns::NameServer server;
  std::string silent;
};

constexpr int kMostTurns = 8;

/// What was cancelled may still be running on a thread of the pool, with files open.
void let_threads_finish(Loop& loop) {
  const auto threads = static_cast<std::ptrdiff_t>(ThreadPool::threads_from_environment());
  std::barrier all(threads);
  for (std::ptrdiff_t i = 0; i < threads; ++i) {
    work(loop, [&] { all.arrive_and_wait(); }, [](const Expected<>&) {});
  }
  loop.run();
}

TEST_F(AsyncOperations, AreStoppedWhereverTheyStand) {
  Loop loop;
  for (const Kind& kind : kinds(loop)) {  // makes what is made once: the pool, a channel
    std::stop_source stop;
    spawn(loop, [&]() -> Async<> { co_await kind.make(); }, stop.get_token());
    loop.run_nowait();
    stop.request_stop();
    loop.run();
  }
  let_threads_finish(loop);
  const std::size_t before = open_descriptors();
  for (const Kind& kind : kinds(loop)) {
    for (int turns = 0; turns < kMostTurns; ++turns) {
      std::vector<std::string> told;
      std::stop_source stop;
      spawn(loop, [&]() -> Async<> { told.push_back(co_await kind.make()); }, stop.get_token());
      for (int i = 0; i < turns; ++i) loop.run_nowait();
      const std::size_t told_before = told.size();
      stop.request_stop();
      EXPECT_EQ(told.size(), told_before) << kind.name << ": told inside request_stop()";
      loop.run();
      ASSERT_EQ(told.size(), 1U) << kind.name << " after " << turns << " turns";
      if (kind.endless) {
        EXPECT_THAT(told[0], testing::HasSubstr("ECANCELED")) << kind.name;
      }
    }
  }
  loop.run_nowait();  // lets the ring forget what was cancelled
  let_threads_finish(loop);
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(AsyncOperations, StoppedBeforeTheyBeginTheyDoNothing) {
  Loop loop;
  std::stop_source stop;
  stop.request_stop();
  for (const Kind& kind : kinds(loop)) {
    std::string told;
    spawn(loop, [&]() -> Async<> { told = co_await kind.make(); }, stop.get_token());
    EXPECT_EQ(told, "") << kind.name;
    loop.run();
    EXPECT_THAT(told, testing::HasSubstr("ECANCELED")) << kind.name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST_F(AsyncOperations, GoWithTheirLoopWhereverTheyStand) {
  // Requests a stop when it is destroyed, which may be in the middle of the end of the loop.
  struct StopsLate {
    explicit StopsLate(std::stop_source source) : source_(std::move(source)) {}
    StopsLate(const StopsLate&) = delete;
    StopsLate& operator=(const StopsLate&) = delete;
    ~StopsLate() { source_.request_stop(); }

   private:
    std::stop_source source_;
  };
  const std::size_t before = open_descriptors();
  const std::size_t count = [&] {
    Loop loop;
    return kinds(loop).size();
  }();
  for (std::size_t i = 0; i < count; ++i) {
    for (int turns = 0; turns < kMostTurns; ++turns) {
      std::optional<Loop> loop(std::in_place);
      const std::vector<Kind> all = kinds(*loop);
      const Kind& kind = all[i];
      std::stop_source stop;
      bool destroyed = false;
      const auto wait = [&]() -> Async<> {
        const StopsLate late(stop);
        co_await sleep_for(1h);
      };
      // One that goes before the operation, one that goes after it.
      spawn(*loop, wait);
      spawn(
          *loop,
          [&]() -> Async<> {
            const std::shared_ptr<void> end(nullptr, [&](void*) { destroyed = true; });
            co_await kind.make();
          },
          stop.get_token());
      spawn(*loop, wait);
      for (int turn = 0; turn < turns; ++turn) loop->run_nowait();
      loop.reset();
      EXPECT_TRUE(destroyed) << kind.name;
    }
  }
  // A child that outlives its loop is waited for by a thread, which holds descriptors until then.
  while (open_descriptors() != before) std::this_thread::yield();
}

TEST_F(AsyncOperations, WithACallbackTheyGoWithTheirLoopAsWell) {
  struct StopsLate {
    ~StopsLate() { source.request_stop(); }
    std::stop_source& source;
  };
  const auto each = [&](auto begin) {
    std::stop_source stop;
    Loop loop;
    bool told = false;
    const auto tell = [&](const auto&) { told = true; };
    begin(loop, tell, stop.get_token());
    // Newer than the operation, so that it goes first.
    spawn(loop, [&]() -> Async<> {
      const StopsLate late{stop};
      co_await sleep_for(1h);
    });
    return told;
  };
  EXPECT_FALSE(each([](Loop& loop, auto tell, std::stop_token stop) {
    for (int i = 0; i < 6; ++i) {
      work([] { std::this_thread::sleep_for(1ms); }).then(loop, tell, stop);
    }
  }));
  EXPECT_FALSE(each([](Loop& loop, auto tell, std::stop_token stop) {
    dns::lookup("localhost").then(loop, tell, stop);
  }));
  EXPECT_FALSE(each([&](Loop& loop, auto tell, std::stop_token stop) {
    dns::Resolver resolver(loop);
    EXPECT_TRUE(resolver.set_servers({server.address()}));
    resolver.resolve4(silent).then(loop, tell, stop);
  }));
  EXPECT_FALSE(each([](Loop& loop, auto tell, std::stop_token stop) {
    wait_signal(SIGUSR1).then(loop, tell, stop);
  }));
  EXPECT_FALSE(each([&](Loop& loop, auto tell, std::stop_token stop) {
    fs::read_file(folder / "fifo").then(loop, tell, stop);
    fs::readdir(folder.path()).then(loop, tell, stop);
  }));
  EXPECT_FALSE(each([](Loop& loop, auto tell, std::stop_token stop) {
    SpawnOptions options = SpawnOptions("sleep", "1000");
    options.kill_on_destroy = true;
    auto process = Process::spawn(loop, options);
    ASSERT_TRUE(process);
    process->wait().then(loop, tell, stop);
  }));
}

}  // namespace
}  // namespace rondo
