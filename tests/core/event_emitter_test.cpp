#include "rondo/event_emitter.h"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo {
namespace {

using testing::ElementsAre;

struct Data {
  std::string text;
};
struct Closed {};
struct Failed : ErrorEvent {};

class EventEmitterTest : public testing::Test {
 protected:
  auto note(std::string name) {
    return [this, name](const auto&) { heard.push_back(name); };
  }

  EventEmitter<Data, Closed, Failed> emitter;
  std::vector<std::string> heard;
};

TEST_F(EventEmitterTest, CallsListenersInOrderAndBeforeEmitReturns) {
  emitter.on<Data>([&](const Data& data) { heard.push_back("a:" + data.text); });
  emitter.on<Data>([&](const Data& data) { heard.push_back("b:" + data.text); });
  emitter.on<Closed>(note("closed"));
  EXPECT_TRUE(emitter.emit(Data{"x"}));
  EXPECT_THAT(heard, ElementsAre("a:x", "b:x"));
}

TEST_F(EventEmitterTest, SaysWhetherSomebodyListened) {
  EXPECT_FALSE(emitter.emit(Closed{}));
  emitter.on<Closed>(note("closed"));
  EXPECT_TRUE(emitter.emit(Closed{}));
}

TEST_F(EventEmitterTest, PrependComesFirst) {
  emitter.on<Closed>(note("a"));
  emitter.prepend<Closed>(note("b"));
  emitter.prepend_once<Closed>(note("c"));
  emitter.emit(Closed{});
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("c", "b", "a", "b", "a"));
}

TEST_F(EventEmitterTest, OnceIsCalledOnceEvenIfItEmitsAgain) {
  emitter.once<Closed>([&](const Closed&) {
    heard.emplace_back("once");
    EXPECT_EQ(emitter.listener_count<Closed>(), 1U);  // it has gone before it is called
    emitter.emit(Closed{});
  });
  emitter.on<Closed>(note("on"));
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("once", "on", "on"));
}

TEST_F(EventEmitterTest, OnceInTwoNestedEmitsIsCalledOnce) {
  bool first = true;
  emitter.on<Closed>([&](const Closed&) {
    if (std::exchange(first, false)) emitter.emit(Closed{});
  });
  emitter.once<Closed>(note("once"));
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("once"));
}

TEST_F(EventEmitterTest, OffRemovesOne) {
  const ListenerId a = emitter.on<Closed>(note("a"));
  const ListenerId b = emitter.on<Closed>(note("b"));
  EXPECT_EQ(emitter.listener_count<Closed>(), 2U);
  EXPECT_TRUE(emitter.off(a));
  EXPECT_FALSE(emitter.off(a));
  EXPECT_FALSE(emitter.off({}));
  emitter.emit(Closed{});
  EXPECT_TRUE(emitter.off(b));
  EXPECT_EQ(emitter.listener_count<Closed>(), 0U);
  EXPECT_FALSE(emitter.emit(Closed{}));
  EXPECT_THAT(heard, ElementsAre("b"));
}

TEST_F(EventEmitterTest, OffAll) {
  emitter.on<Closed>(note("closed"));
  emitter.on<Data>(note("data"));
  emitter.off_all<Closed>();
  EXPECT_FALSE(emitter.emit(Closed{}));
  EXPECT_TRUE(emitter.emit(Data{}));
  emitter.off_all();
  EXPECT_FALSE(emitter.emit(Data{}));
}

TEST_F(EventEmitterTest, ChangesInsideEmitCountFromTheNext) {
  ListenerId second;
  emitter.once<Closed>([&](const Closed&) {
    heard.emplace_back("first");
    emitter.off(second);
    emitter.on<Closed>(note("added"));
  });
  second = emitter.on<Closed>(note("second"));
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("first", "second"));
  heard.clear();
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("added"));
}

TEST_F(EventEmitterTest, AnExceptionLeavesEmitAndSkipsTheRest) {
  emitter.on<Closed>(note("a"));
  const ListenerId thrower =
      emitter.on<Closed>([](const Closed&) { throw std::runtime_error("no"); });
  emitter.on<Closed>(note("b"));
  EXPECT_THROW(emitter.emit(Closed{}), std::runtime_error);
  EXPECT_THAT(heard, ElementsAre("a"));
  emitter.off(thrower);
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("a", "a", "b"));
}

TEST_F(EventEmitterTest, AnErrorNobodyHearsIsThrown) {
  try {
    emitter.emit(Failed{{errno_code(ENOENT)}});
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), errno_code(ENOENT));
  }
  emitter.on<Failed>([&](const Failed& failed) { heard.emplace_back(error_name(failed.error)); });
  EXPECT_TRUE(emitter.emit(Failed{{errno_code(EPIPE)}}));
  EXPECT_THAT(heard, ElementsAre("EPIPE"));
}

TEST_F(EventEmitterTest, AnEmptyListenerIsRefused) {
  EXPECT_THROW(emitter.on<Closed>(nullptr), Misuse);
  EXPECT_EQ(emitter.listener_count<Closed>(), 0U);
}

TEST_F(EventEmitterTest, AListenerMayDestroyTheEmitter) {
  std::optional<EventEmitter<Closed>> mortal(std::in_place);
  mortal->on<Closed>([&](const Closed&) { mortal.reset(); });
  mortal->once<Closed>(note("behind"));
  mortal->emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("behind"));
}

TEST_F(EventEmitterTest, TheDestructorOfAListenerMayUseTheEmitter) {
  struct OnDestruction {
    explicit OnDestruction(std::function<void()> todo) : then(std::move(todo)) {}
    ~OnDestruction() { then(); }
    std::function<void()> then;
  };
  auto guard =
      std::make_shared<OnDestruction>([&] { emitter.on<Closed>(note("from the destructor")); });
  const ListenerId id = emitter.on<Closed>([guard](const Closed&) {});
  emitter.on<Closed>(note("other"));
  guard = nullptr;
  EXPECT_TRUE(emitter.off(id));
  emitter.emit(Closed{});
  EXPECT_THAT(heard, ElementsAre("other", "from the destructor"));
}

}  // namespace
}  // namespace rondo
