// What coroutines allocate: their frames, and nothing else. A program of its own, because it
// replaces operator new.
#include <chrono>
#include <cstddef>
#include <stop_token>

#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/loop.h"

#include "count_allocations.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

constexpr int kRounds = 1000;

class AsyncAllocation : public testing::Test {
 protected:
  /// Runs `body` repeatedly in one coroutine, and returns the allocations of each run.
  template <class Body>
  double allocations_of(Body body) {
    std::size_t before = 0;
    std::size_t after = 0;
    spawn(
        loop,
        [&]() -> Async<> {
          for (int i = 0; i < 100; ++i) co_await body();  // warms up queues and slabs
          before = allocations.count;
          for (int i = 0; i < kRounds; ++i) co_await body();
          after = allocations.count;
        },
        source.get_token());
    loop.run();
    EXPECT_NE(after, 0);
    return static_cast<double>(after - before) / kRounds;
  }

  VirtualClock clock;
  Loop loop{{.clock = &clock}};
  std::stop_source source;
};

TEST_F(AsyncAllocation, OperatorNewIsCounted) {
  const std::size_t before = allocations.count;
  ::operator delete(::operator new(1));  // a new-expression might be optimised away
  EXPECT_EQ(allocations.count, before + 1);
}

TEST_F(AsyncAllocation, AnOperationAllocatesNothing) {
  EXPECT_EQ(allocations_of([] { return sleep_for(1ms); }), 0);
}

TEST_F(AsyncAllocation, ACoroutineAllocatesItsFrame) {
  EXPECT_EQ(allocations_of([]() -> Async<> { co_return; }), 1);
  EXPECT_EQ(allocations_of([]() -> Async<int> {
              co_await sleep_for(1ms);
              co_await sleep_for(1ms);
              co_return 1;
            }),
            1);
}

TEST_F(AsyncAllocation, SeveralAtOnceAllocateTheirFrames) {
  // An operation among several runs in a coroutine of its own, and that in a branch.
  EXPECT_EQ(allocations_of([] { return when_all(sleep_for(1ms), sleep_for(1ms)); }), 1 + 2 * 2);
  EXPECT_EQ(allocations_of([] { return with_timeout(1h, sleep_for(1ms)); }), 1 + 2);
}

TEST_F(AsyncAllocation, ACancelledOperationAllocatesNothing) {
  EXPECT_EQ(allocations_of([] { return with_timeout(1ms, sleep_for(1h)); }), 1 + 2);
}

}  // namespace
}  // namespace rondo
