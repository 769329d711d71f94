// Time, work on threads, channels, other loops, and coroutines that wait for each other, disturbed
// at every point of suspension (tests/stop_everywhere.h). What the documents promise of a cancelled
// operation is checked afterwards, on the same handles.
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "rondo/rondo.h"

#include "stop_everywhere.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using namespace stop_everywhere;

struct Pool {
  explicit Pool(std::size_t capacity) : channel(capacity) {}
  Channel<int> channel;
  std::vector<int> got;
  std::vector<int> sent;
};

Trial send_values(Loop& loop, std::size_t capacity) {
  auto s = std::make_shared<Pool>(capacity);
  every_ms(loop, s, [](Pool& state) {
    if (const auto value = state.channel.try_receive()) state.got.push_back(*value);
  });
  return {.body = [s]() -> Async<std::string> {
            for (int i = 0; i < 6; ++i) {
              const auto sent = co_await s->channel.send(i);
              if (!sent) co_return name_of(sent);
              s->sent.push_back(i);
            }
            co_return "all";
          },
          .after = [s](const std::string&) -> Async<> {
            s->channel.close();
            while (auto value = co_await s->channel.receive()) s->got.push_back(*value);
            EXPECT_EQ(s->got, s->sent);  // sent and not reported, or the reverse: neither
          }};
}

Trial receive_values(Loop& loop, std::size_t capacity) {
  auto s = std::make_shared<Pool>(capacity);
  every_ms(loop, s, [](Pool& state) {
    const int next = static_cast<int>(state.sent.size());
    if (next < 6 && state.channel.try_send(int(next))) state.sent.push_back(next);
    if (state.sent.size() == 6) state.channel.close();
  });
  const auto receive = [s]() -> Async<std::string> {
    for (;;) {
      const auto value = co_await s->channel.receive();
      if (!value && value.error() == end_of_stream()) co_return "end";
      if (!value) co_return name_of(value);
      s->got.push_back(*value);
    }
  };
  return {.body = receive, .after = [s, receive](const std::string&) -> Async<> {
            EXPECT_EQ(co_await receive(), "end");
            EXPECT_THAT(s->got, testing::ElementsAre(0, 1, 2, 3, 4, 5));
          }};
}

/// A loop on a thread of its own, until this goes.
struct OtherLoop {
  OtherLoop() {
    thread = std::thread([this] {
      Loop made;
      const KeepAlive alive = made.keep_alive();
      loop = &made;
      ready = true;
      ready.notify_one();
      made.run();
    });
    ready.wait(false);
  }
  OtherLoop(const OtherLoop&) = delete;
  OtherLoop& operator=(const OtherLoop&) = delete;
  ~OtherLoop() {
    loop->stop();
    thread.join();
  }
  std::atomic<bool> ready = false;
  Loop* loop = nullptr;
  std::thread thread;
};

Async<> send_to(Channel<int> channel, int count) {
  for (int i = 0; i < count; ++i) {
    if (!co_await channel.send(i)) co_return;
  }
  channel.close();
}

Trial receive_from_a_thread(Loop& /*loop*/) {
  struct State : Pool {
    State() : Pool(2) {
      other.loop->post(
          [loop = other.loop, channel = channel] { spawn(*loop, send_to(channel, 40)); });
    }
    ~State() { channel.close(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    OtherLoop other;
  };
  auto s = std::make_shared<State>();
  const auto receive = [s]() -> Async<std::string> {
    for (;;) {
      const auto value = co_await s->channel.receive();
      if (!value && value.error() == end_of_stream()) co_return "end";
      if (!value) co_return name_of(value);
      s->got.push_back(*value);
    }
  };
  return {.body = receive, .after = [s, receive](const std::string&) -> Async<> {
            EXPECT_EQ(co_await receive(), "end");
            EXPECT_EQ(s->got.size(), 40U);
            EXPECT_TRUE(std::ranges::is_sorted(s->got));
          }};
}

Trial on_another_loop(Loop& /*loop*/, bool endless) {
  struct Count {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
  };
  auto count = std::make_shared<Count>();
  auto other = std::make_shared<OtherLoop>();
  const auto there = [](std::shared_ptr<Count> counted, bool forever) -> Async<Expected<int>> {
    const std::shared_ptr<void> end(nullptr, [counted](void*) { ++counted->ended; });
    ++counted->begun;
    const auto slept = co_await sleep_for(forever ? std::chrono::nanoseconds(1h) : 2ms);
    if (!slept) co_return std::unexpected(slept.error());
    co_return 7;
  };
  return {.body = [other, count, there,
                   endless] { return outcome(on(*other->loop, there(count, endless))); },
          .after = [count](const std::string&) -> Async<> {
            EXPECT_EQ(count->begun, count->ended) << "its end was not waited for";
            co_return;
          },
          .gone =
              [other, count] {
                // Nobody waits for it any more, so it is asked to stop.
                for (int i = 0; i < 5000 && count->begun != count->ended; ++i)
                  std::this_thread::sleep_for(1ms);
                EXPECT_EQ(count->begun, count->ended) << "it runs on for nobody";
              },
          .endless = endless};
}

Trial wait_for_future(Loop& loop) {
  struct State {
    std::optional<Promise<int>> promise{std::in_place};
    Future<int> future = promise->future();
    int ticks = 0;
  };
  auto s = std::make_shared<State>();
  every_ms(loop, s, [](State& state) {
    if (++state.ticks == 3) state.promise->set(7);
  });
  return {.body = [s] { return outcome(s->future.get()); },
          .after = [s](const std::string& said) -> Async<> {
            if (said != "ok") {
              EXPECT_EQ(co_await s->future.get(), 7);
            }
          }};
}

// ---- Coroutines that wait for each other --------------------------------------------------------

Trial wait_for_permits(Loop& loop) {
  struct State {
    Semaphore semaphore{2};
    std::vector<Semaphore::Permit> held;
    Mutex mutex;
    Event event;
  };
  auto s = std::make_shared<State>();
  s->held.push_back(*s->semaphore.try_acquire());
  s->held.push_back(*s->semaphore.try_acquire());
  every_ms(loop, s, [](State& state) {
    if (!state.held.empty()) {
      state.held.pop_back();
    } else {
      state.event.set();
    }
  });
  return {.body = [s]() -> Async<std::string> {
            // Another one waits as well, and is served whatever becomes of this one.
            const auto first = co_await s->semaphore.acquire();
            if (!first) co_return name_of(first);
            const auto second = co_await s->semaphore.acquire();
            if (!second) co_return name_of(second);
            const auto lock = co_await s->mutex.lock();
            if (!lock) co_return name_of(lock);
            EXPECT_TRUE(s->mutex.locked());
            co_return name_of(co_await s->event.wait());
          },
          .after = [s](const std::string&) -> Async<> {
            while (!s->held.empty()) co_await sleep_for(1ms);
            EXPECT_EQ(s->semaphore.available(), 2U);
            EXPECT_FALSE(s->mutex.locked());
            EXPECT_TRUE(co_await s->mutex.lock());
          }};
}

Async<Expected<>> nap(std::chrono::milliseconds time, int& running) {
  const std::shared_ptr<void> end((++running, nullptr), [&running](void*) { --running; });
  co_return co_await sleep_for(time);
}

Trial in_a_group(Loop& loop, int kind) {
  auto running = std::make_shared<int>(0);
  (void)loop;
  return {
      .body = [running, kind]() -> Async<std::string> {
        int& count = *running;
        std::string said;
        switch (kind) {
          case 0: {
            const auto done =
                co_await with_task_group({.limit = 2}, [&](TaskGroup& group) -> Async<Expected<>> {
                  for (int i = 0; i < 5; ++i) {
                    if (const auto room = co_await group.room(); !room) co_return room;
                    group.spawn(nap(1ms, count));
                  }
                  co_return Expected<>();
                });
            said = name_of(done);
            break;
          }
          case 1: {
            const auto all = co_await when_all(nap(1ms, count), nap(3ms, count), sleep_for(2ms));
            said =
                name_of(std::get<0>(all)) + name_of(std::get<1>(all)) + name_of(std::get<2>(all));
            break;
          }
          case 2: {
            const auto first = co_await when_any(nap(2ms, count), nap(1h, count));
            said = name_of(first.value);
            break;
          }
          case 3: {
            const auto timed = co_await with_timeout(1h, nap(2ms, count));
            said = name_of(timed);
            break;
          }
          case 4: {
            const auto shielded = co_await shield(nap(2ms, count));
            EXPECT_TRUE(shielded);
            said = "shielded";
            break;
          }
          case 5: {
            int attempts = 0;
            const auto tried = co_await retry(
                {.attempts = 4, .delay = 1ms, .jitter = 0}, [&]() -> Async<Expected<>> {
                  if (const auto slept = co_await nap(1ms, count); !slept) {
                    co_return slept;
                  }
                  if (++attempts < 3) co_return std::unexpected(errno_code(EIO));
                  co_return Expected<>();
                });
            said = name_of(tried);
            break;
          }
          case 6: {
            TaskGroup group(co_await current_loop());
            group.spawn(nap(2ms, count));
            group.spawn(nap(1ms, count));
            const auto joined = co_await group.join();
            EXPECT_EQ(group.running(), 0U);
            said = name_of(joined);
            break;
          }
          default:
            break;
        }
        EXPECT_EQ(count, 0) << "something runs on unseen";
        co_return said;
      },
      .after = [running](const std::string&) -> Async<> {
        EXPECT_EQ(*running, 0);
        co_return;
      }};
}

const Case kCases[] = {
    {"sleep",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(sleep_for(1h)); }, .endless = true};
     }},
    {"short_sleep",
     [](Loop&) -> Trial { return {.body = [] { return outcome(sleep_for(1500us)); }}; }},
    {"sleep_until",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(sleep_until(std::chrono::steady_clock::now() + 3ms)); }};
     }},
    {"work",
     [](Loop&) -> Trial {
       return {.body = [] { return outcome(work([] { std::this_thread::sleep_for(500us); })); }};
     }},
    {"send", [](Loop& loop) { return send_values(loop, 2); }},
    {"send_by_hand", [](Loop& loop) { return send_values(loop, 0); }},
    {"channel_receive", [](Loop& loop) { return receive_values(loop, 2); }},
    {"channel_receive_by_hand", [](Loop& loop) { return receive_values(loop, 0); }},
    {"channel_between_threads", receive_from_a_thread},
    {"on", [](Loop& loop) { return on_another_loop(loop, false); }},
    {"on_endless", [](Loop& loop) { return on_another_loop(loop, true); }},
    {"future", wait_for_future},
    {"semaphore_mutex_event", wait_for_permits},
    {"task_group", [](Loop& loop) { return in_a_group(loop, 0); }},
    {"when_all", [](Loop& loop) { return in_a_group(loop, 1); }},
    {"when_any", [](Loop& loop) { return in_a_group(loop, 2); }},
    {"with_timeout", [](Loop& loop) { return in_a_group(loop, 3); }},
    {"shield", [](Loop& loop) { return in_a_group(loop, 4); }},
    {"retry", [](Loop& loop) { return in_a_group(loop, 5); }},
    {"join", [](Loop& loop) { return in_a_group(loop, 6); }},
};

class StopCoroutines : public testing::TestWithParam<Case> {};

TEST_P(StopCoroutines, EndsOnceLeaksNothingAndLosesNothing) {
  Sweep(GetParam()).run();
}

INSTANTIATE_TEST_SUITE_P(Operations, StopCoroutines, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace rondo
