// What a program should not do, or hardly ever does: defined all the same.
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "core/loop_fixture.h"

namespace rondo::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The code of the Misuse that `action` throws.
std::string misuse_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Misuse& misuse) {
    EXPECT_STRNE(misuse.what(), "");
    return std::string(misuse.code());
  }
  return "none";
}

// ---- The wrong thread --------------------------------------------------------------------------

class WrongThread : public LoopTest {
 protected:
  static std::string misuse_elsewhere(const std::function<void()>& action) {
    std::string code;
    std::jthread([&] { code = misuse_of(action); }).join();
    return code;
  }
};

TEST_F(WrongThread, EveryMethodOfTheLoopThrowsAndNothingChanges) {
  loop.on_before_exit(log("before exit"));
  const std::pair<const char*, std::function<void()>> methods[] = {
      {"set_timeout", [&] { loop.set_timeout(1ms, log("timeout")); }},
      {"set_interval", [&] { loop.set_interval(1ms, log("interval")); }},
      {"set_immediate", [&] { loop.set_immediate(log("immediate")); }},
      {"next_tick", [&] { loop.next_tick(log("tick")); }},
      {"queue_microtask", [&] { loop.queue_microtask(log("microtask")); }},
      {"defer", [&] { loop.defer(log("deferred")); }},
      {"queue_close", [&] { loop.queue_close(log("close")); }},
      {"on_idle", [&] { loop.on_idle(log("idle")); }},
      {"on_prepare", [&] { loop.on_prepare(log("prepare")); }},
      {"on_check", [&] { loop.on_check(log("check")); }},
      {"run", [&] { loop.run(); }},
      {"run_once", [&] { loop.run_once(); }},
      {"run_nowait", [&] { loop.run_nowait(); }},
      {"alive", [&] { loop.alive(); }},
      {"keep_alive", [&] { const KeepAlive hold = loop.keep_alive(); }},
      {"now", [&] { loop.now(); }},
      {"update_now", [&] { loop.update_now(); }},
      {"metrics", [&] { loop.metrics(); }},
      {"on_uncaught", [&] { loop.on_uncaught([](const std::exception_ptr&) {}); }},
      {"on_warning", [&] { loop.on_warning([](const Warning&) {}); }},
      {"on_before_exit", [&] { loop.on_before_exit(nullptr); }},
      {"host_wait", [&] { loop.host_wait(); }},
      {"set_observer", [&] { loop.set_observer(nullptr); }},
      {"Poll", [&] { const Poll poll(loop, 0); }},
  };
  for (const auto& [name, method] : methods) {
    EXPECT_EQ(misuse_elsewhere(method), "ERR_WRONG_THREAD") << name;
  }
  EXPECT_FALSE(loop.alive());
  EXPECT_EQ(loop.metrics().iterations, 0U);
  loop.run();
  EXPECT_THAT(trace, ElementsAre("before exit"));
}

TEST_F(WrongThread, EveryMethodOfAHandleThrowsAndNothingChanges) {
  Timer timer = loop.set_timeout(1ms, log("timeout"));
  Immediate immediate = loop.set_immediate(log("immediate"));
  Hook hook = loop.on_idle(log("idle"));
  const auto check = [&](auto& handle) {
    EXPECT_EQ(misuse_elsewhere([&] { handle.clear(); }), "ERR_WRONG_THREAD");
    EXPECT_EQ(misuse_elsewhere([&] { handle.ref(); }), "ERR_WRONG_THREAD");
    EXPECT_EQ(misuse_elsewhere([&] { handle.unref(); }), "ERR_WRONG_THREAD");
    EXPECT_EQ(misuse_elsewhere([&] { handle.has_ref(); }), "ERR_WRONG_THREAD");
    EXPECT_EQ(misuse_elsewhere([&] { handle.active(); }), "ERR_WRONG_THREAD");
    EXPECT_TRUE(handle.active());
    EXPECT_TRUE(handle.has_ref());
  };
  check(timer);
  check(immediate);
  check(hook);
  EXPECT_EQ(misuse_elsewhere([&] { timer.refresh(); }), "ERR_WRONG_THREAD");
}

TEST_F(WrongThread, EveryMethodOfAPollThrowsAndNothingChanges) {
  const Bell bell;
  Poll poll(loop, bell.fd());
  ASSERT_TRUE(poll.start(PollEvents::readable, [](PollEvents) {}));
  const std::pair<const char*, std::function<void()>> methods[] = {
      {"start", [&] { (void)poll.start(PollEvents::writable, [](PollEvents) {}); }},
      {"stop", [&] { poll.stop(); }},
      {"close", [&] { poll.close(log("close")); }},
      {"ref", [&] { poll.ref(); }},
      {"unref", [&] { poll.unref(); }},
      {"has_ref", [&] { poll.has_ref(); }},
      {"active", [&] { poll.active(); }},
      {"closed", [&] { poll.closed(); }},
  };
  for (const auto& [name, method] : methods) {
    EXPECT_EQ(misuse_elsewhere(method), "ERR_WRONG_THREAD") << name;
  }
  EXPECT_TRUE(poll.active());
  EXPECT_TRUE(poll.has_ref());
  EXPECT_FALSE(poll.closed());
}

TEST_F(WrongThread, ItIsRefusedWhileTheLoopRunsToo) {
  Loop real;
  const KeepAlive open = real.keep_alive();
  std::string code;
  std::jthread other([&] {
    code = misuse_of([&] { real.set_immediate([] {}); });
    real.stop();
  });
  real.run();
  other.join();
  EXPECT_EQ(code, "ERR_WRONG_THREAD");
}

TEST_F(WrongThread, DroppingAHandleThereIsHarmless) {
  auto timer = std::make_unique<Timer>(loop.set_timeout(1ms, log("timeout")));
  std::jthread([&] { timer.reset(); }).join();
  loop.run();
  EXPECT_THAT(trace, ElementsAre("timeout"));
}

TEST(WrongThreadDeathTest, DestroyingAPollThereEndsTheProgramWithAMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto destroy_elsewhere = [] {
    Loop loop;
    const Bell bell;
    auto poll = std::make_unique<Poll>(loop, bell.fd());
    std::jthread([&] { poll.reset(); }).join();
  };
  EXPECT_DEATH(destroy_elsewhere(), "dropped on a thread that is not its loop's");
}

// ---- Misuse on the right thread ----------------------------------------------------------------

class MisuseOfALoop : public LoopTest {};

TEST_F(MisuseOfALoop, ACallbackCannotRunTheLoop) {
  loop.set_immediate([&] {
    EXPECT_EQ(misuse_of([&] { loop.run(); }), "ERR_LOOP_RUNNING");
    EXPECT_EQ(misuse_of([&] { loop.run_once(); }), "ERR_LOOP_RUNNING");
    EXPECT_EQ(misuse_of([&] { loop.run_nowait(); }), "ERR_LOOP_RUNNING");
    EXPECT_EQ(misuse_of([&] { loop.host_wait(); }), "ERR_LOOP_RUNNING");
    trace.emplace_back("immediate");
  });
  loop.next_tick([&] { EXPECT_EQ(misuse_of([&] { loop.run(); }), "ERR_LOOP_RUNNING"); });
  EXPECT_FALSE(loop.run());
  EXPECT_THAT(trace, ElementsAre("immediate"));
}

TEST_F(MisuseOfALoop, ACallbackMayRunAnotherLoop) {
  loop.set_immediate([&] {
    Loop inner({.clock = &clock});
    inner.set_timeout(5ms, log("inner"));
    inner.run();
    trace.emplace_back("outer");
  });
  loop.run();
  EXPECT_THAT(trace, ElementsAre("inner", "outer"));
}

TEST_F(MisuseOfALoop, AnEmptyCallbackIsRefusedWhereItIsHandedIn) {
  const std::pair<const char*, std::function<void()>> methods[] = {
      {"set_timeout", [&] { loop.set_timeout(1ms, nullptr); }},
      {"set_interval", [&] { loop.set_interval(1ms, std::function<void()>()); }},
      {"set_immediate", [&] { loop.set_immediate(nullptr); }},
      {"next_tick", [&] { loop.next_tick(Callback<>()); }},
      {"queue_microtask", [&] { loop.queue_microtask(nullptr); }},
      {"defer", [&] { loop.defer(nullptr); }},
      {"queue_close", [&] { loop.queue_close(nullptr); }},
      {"on_idle", [&] { loop.on_idle(nullptr); }},
      {"on_prepare", [&] { loop.on_prepare(nullptr); }},
      {"on_check", [&] { loop.on_check(nullptr); }},
      {"post", [&] { loop.post(nullptr); }},
      {"Poll::start",
       [&] {
         const Bell bell;
         Poll poll(loop, bell.fd());
         (void)poll.start(PollEvents::readable, nullptr);
       }},
  };
  for (const auto& [name, method] : methods) {
    EXPECT_EQ(misuse_of(method), "ERR_INVALID_CALLBACK") << name;
  }
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
}

TEST_F(MisuseOfALoop, AHandleThatNamesNothingDoesNothing) {
  Timer timer;
  Immediate immediate;
  Hook hook;
  EXPECT_FALSE(timer.clear() || timer.refresh() || timer.active() || timer.has_ref());
  EXPECT_FALSE(immediate.clear() || immediate.active() || immediate.has_ref());
  EXPECT_FALSE(hook.clear() || hook.active() || hook.has_ref());
  timer.ref().unref();
  immediate.ref().unref();
  hook.ref().unref();
  EXPECT_EQ(timer, Timer());
}

TEST_F(MisuseOfALoop, StaleHandlesStayStaleHoweverOftenTheirPlaceIsUsedAgain) {
  Timer timer = loop.set_timeout(1ms, [] {});
  Immediate immediate = loop.set_immediate([] {});
  Hook hook = loop.on_check([] {});
  timer.clear();
  immediate.clear();
  hook.clear();
  for (int i = 0; i < 1'000; ++i) {
    Timer young_timer = loop.set_timeout(1ms, [] {});
    Immediate young_immediate = loop.set_immediate([] {});
    Hook young_hook = loop.on_check([] {});
    ASSERT_FALSE(timer.clear() || timer.active() || timer.refresh() || timer.has_ref());
    ASSERT_FALSE(immediate.clear() || immediate.active() || immediate.has_ref());
    ASSERT_FALSE(hook.clear() || hook.active() || hook.has_ref());
    ASSERT_TRUE(young_timer.clear() && young_immediate.clear() && young_hook.clear());
  }
}

// ---- A callback and its own handle -------------------------------------------------------------

/// A callable that owns memory and looks at it after it has cleared its own handle: a callable
/// that was destroyed under itself is seen by AddressSanitizer.
template <class Handle>
struct SelfClearing {
  Handle& own;
  Trace& trace;
  std::string name = "still here after clearing my own handle";
  void operator()() const {
    own.clear();
    own = Handle();
    trace.push_back(name);
  }
};

TEST_F(MisuseOfALoop, ACallbackMayClearItsOwnHandle) {
  Timer timeout = {};
  Timer interval = {};
  Immediate immediate = {};
  Hook idle = {};
  Hook prepare = {};
  Hook check = {};
  timeout = loop.set_timeout(1ms, SelfClearing<Timer>{timeout, trace});
  interval = loop.set_interval(1ms, SelfClearing<Timer>{interval, trace});
  immediate = loop.set_immediate(SelfClearing<Immediate>{immediate, trace});
  idle = loop.on_idle(SelfClearing<Hook>{idle, trace});
  prepare = loop.on_prepare(SelfClearing<Hook>{prepare, trace});
  check = loop.on_check(SelfClearing<Hook>{check, trace});
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(trace.size(), 6U);
  EXPECT_THAT(trace, ::testing::Each("still here after clearing my own handle"));
}

TEST_F(MisuseOfALoop, ACallableThatOwnsItsOwnHandleIsDestroyedWhenItClearsIt) {
  const auto held = std::make_shared<int>(0);
  const auto handle = std::make_shared<Timer>();
  *handle = loop.set_interval(1ms, [handle, held] { handle->clear(); });
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(MisuseOfALoop, ACallableThatIsClearedIsDestroyedAtOnce) {
  const auto held = std::make_shared<int>(0);
  Timer timer = loop.set_timeout(1ms, [held] {});
  Immediate immediate = loop.set_immediate([held] {});
  Hook hook = loop.on_idle([held] {});
  EXPECT_EQ(held.use_count(), 4);
  timer.clear();
  immediate.clear();
  hook.clear();
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(MisuseOfALoop, TheDestructorOfACallableMayUseTheLoop) {
  Timer other = loop.set_timeout(5ms, log("other"));
  const auto guard_of = [&](auto action) { return std::shared_ptr<void>(nullptr, action); };
  Timer timer = loop.set_timeout(1ms, [guard = guard_of([&](void*) {
                                         other.clear();
                                         loop.set_timeout(1ms, log("set by a destructor"));
                                       })] {});
  timer.clear();
  loop.set_immediate([guard = guard_of([&](void*) { loop.set_immediate(log("immediate")); })] {});
  loop.run();
  EXPECT_THAT(trace, ElementsAre("immediate", "set by a destructor"));
}

// ---- A loop that goes away ---------------------------------------------------------------------

/// Fills a loop with one of everything.
void fill(Loop& loop, Poll& poll, const std::function<Callback<>()>& callback) {
  loop.set_timeout(1ms, callback());
  loop.set_timeout(1ms, callback());
  loop.set_timeout(2ms, callback());
  loop.set_interval(1ms, callback());
  loop.set_immediate(callback());
  loop.set_immediate(callback());
  loop.next_tick(callback());
  loop.queue_microtask(callback());
  loop.defer(callback());
  loop.queue_close(callback());
  loop.on_idle(callback());
  loop.on_prepare(callback());
  loop.on_check(callback());
  loop.post(callback());
  loop.on_before_exit(callback());
  loop.on_warning([held = std::make_shared<Callback<>>(callback())](const Warning&) {});
  loop.on_uncaught([held = std::make_shared<Callback<>>(callback())](const std::exception_ptr&) {});
  ASSERT_TRUE(poll.start(PollEvents::readable,
                         [held = std::make_shared<Callback<>>(callback())](PollEvents) {}));
}
constexpr int kFilled = 18;

TEST(LoopDestroyed, WithLiveHandlesOfEveryKindDestroysTheirCallbacksWithoutRunningThem) {
  const auto held = std::make_shared<int>(0);
  const Bell bell(1);
  std::optional<Poll> poll;
  {
    Loop loop;
    poll.emplace(loop, bell.fd());
    fill(loop, *poll, [&] { return Callback<>([held] { FAIL() << "it ran"; }); });
    EXPECT_EQ(held.use_count(), 1 + kFilled);
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_TRUE(poll->closed());
}

TEST(LoopDestroyed, AfterItHasRunToo) {
  const auto held = std::make_shared<int>(0);
  const Bell bell;
  std::optional<Poll> poll;
  {
    VirtualClock clock;
    Loop loop({.clock = &clock});
    loop.set_timeout(1ms, [] {});
    loop.run();
    poll.emplace(loop, bell.fd());
    ASSERT_TRUE(poll->start(PollEvents::readable, [](PollEvents) {}));
    loop.run_nowait();
    fill(loop, *poll, [&] { return Callback<>([held] { FAIL() << "it ran"; }); });
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_TRUE(poll->closed());
}

TEST(LoopDestroyed, CallsBackIntoItFromDestructorsAreHarmlessAndWhatTheyScheduleIsDropped) {
  int destroyed = 0;
  const auto held = std::make_shared<int>(0);
  const Bell bell(1);
  std::optional<Poll> poll;
  {
    auto loop = std::make_unique<Loop>();
    poll.emplace(*loop, bell.fd());
    Loop& dying = *loop;
    fill(dying, *poll, [&] {
      auto guard = std::shared_ptr<void>(nullptr, [&](void*) {
        ++destroyed;
        const auto dropped = [held] { FAIL() << "it ran"; };
        EXPECT_FALSE(dying.set_timeout(1ms, dropped).active());
        EXPECT_FALSE(dying.set_interval(1ms, dropped).active());
        EXPECT_FALSE(dying.set_immediate(dropped).active());
        EXPECT_FALSE(dying.on_idle(dropped).active());
        dying.next_tick(dropped);
        dying.queue_microtask(dropped);
        dying.defer(dropped);
        dying.queue_close(dropped);
        dying.post(dropped);
        dying.stop();
        poll->close(dropped);
      });
      return Callback<>([guard] { FAIL() << "it ran"; });
    });
  }
  EXPECT_EQ(destroyed, kFilled);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(LoopDestroyed, DestructorsMayClearEverythingElse) {
  std::vector<Timer> timers;
  std::vector<Immediate> immediates;
  std::vector<Hook> hooks;
  int destroyed = 0;
  {
    Loop loop;
    const auto callback = [&] {
      auto guard = std::shared_ptr<void>(nullptr, [&](void*) {
        ++destroyed;
        for (Timer& timer : timers) timer.clear();
        for (Immediate& immediate : immediates) immediate.clear();
        for (Hook& hook : hooks) hook.clear();
      });
      return Callback<>([guard] { FAIL() << "it ran"; });
    };
    for (int i = 0; i < 5; ++i) {
      timers.push_back(loop.set_timeout(std::chrono::milliseconds(i), callback()));
      timers.push_back(loop.set_timeout(1ms, callback()));
      immediates.push_back(loop.set_immediate(callback()));
      hooks.push_back(loop.on_idle(callback()));
      hooks.push_back(loop.on_check(callback()));
    }
  }
  EXPECT_EQ(destroyed, 25);
}

TEST(LoopDestroyed, ADestructorThatWatchesADescriptorAgainGetsAClosedHandle) {
  const Bell bell(1);
  std::optional<Poll> late;
  {
    auto loop = std::make_unique<Loop>();
    Loop& dying = *loop;
    dying.set_timeout(1ms, [guard = std::shared_ptr<void>(nullptr, [&](void*) {
                              late.emplace(dying, bell.fd());
                              (void)late->start(PollEvents::readable, [](PollEvents) {});
                            })] {});
  }
  EXPECT_TRUE(late->closed());
  late.reset();
}

TEST(LoopDestroyed, APollOwnedByItsOwnCallbackGoesWithTheLoop) {
  const auto held = std::make_shared<int>(0);
  const Bell bell(1);
  {
    Loop loop;
    const auto poll = std::make_shared<Poll>(loop, bell.fd());
    ASSERT_TRUE(poll->start(PollEvents::readable, [poll, held](PollEvents) {}));
    loop.run_nowait();
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(LoopDestroyed, WithAnExceptionsRemainsInItsQueues) {
  const auto held = std::make_shared<int>(0);
  {
    Loop loop;
    for (int i = 0; i < 3; ++i) {
      loop.set_immediate([&loop, held] {
        loop.next_tick([held] { FAIL(); });
        throw 1;  // NOLINT(hicpp-exception-baseclass)
      });
    }
    EXPECT_THROW(loop.run(), int);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(LoopDestroyedDeathTest, InOneOfItsOwnCallbacksEndsTheProgramWithAMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto destroy_in_own_callback = [] {
    auto* loop = new Loop;
    loop->set_immediate([loop] { delete loop; });
    loop->run();
  };
  EXPECT_DEATH(destroy_in_own_callback(), "a loop was destroyed inside one of its own callbacks");
}

}  // namespace
}  // namespace rondo::test
