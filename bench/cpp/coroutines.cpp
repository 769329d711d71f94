// Coroutines and channels, against those of Asio. What counts is the CPU time of this process: a
// thread that waits for the other one costs nothing.
#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/channel.hpp>
#include <asio/experimental/concurrent_channel.hpp>
#include <asio/io_context.hpp>
#include <asio/use_awaitable.hpp>
#include <ctime>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/channel.h"
#include "rondo/loop.h"

#include "rows.h"

namespace rondo::bench {

namespace {

using asio::use_awaitable;

class CpuStopwatch {
 public:
  CpuStopwatch() : started_ns_(now_ns()) {}
  double ns_per(std::size_t operations) const {
    return (now_ns() - started_ns_) / static_cast<double>(operations);
  }

 private:
  static double now_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }
  double started_ns_;
};

/// Runs it twice: memory is warm the second time.
template <class Work>
double warm(Work&& work) {
  work();
  return work();
}

// ---- Spawning -----------------------------------------------------------------------------------

constexpr std::size_t kSpawned = 200'000;
constexpr std::size_t kSpawnedAtOnce = 100;

Async<> count_one(std::size_t& count) {
  ++count;
  co_return;
}
asio::awaitable<void> count_one_by_asio(std::size_t& count) {
  ++count;
  co_return;
}

double spawn_ours() {
  Loop loop;
  std::size_t count = 0;
  return warm([&] {
    count = 0;
    const CpuStopwatch watch;
    while (count < kSpawned) {
      for (std::size_t i = 0; i < kSpawnedAtOnce; ++i) spawn(loop, count_one(count));
      loop.run();
    }
    return watch.ns_per(kSpawned);
  });
}
double spawn_theirs() {
  asio::io_context context(1);
  std::size_t count = 0;
  return warm([&] {
    count = 0;
    const CpuStopwatch watch;
    while (count < kSpawned) {
      for (std::size_t i = 0; i < kSpawnedAtOnce; ++i) {
        asio::co_spawn(context, count_one_by_asio(count), asio::detached);
      }
      context.run();
      context.restart();
    }
    return watch.ns_per(kSpawned);
  });
}

// ---- Waiting for many ---------------------------------------------------------------------------

constexpr std::size_t kRounds = 2'000;
constexpr std::size_t kTogether = 100;

double when_all_ours() {
  Loop loop;
  std::size_t count = 0;
  return warm([&] {
    const CpuStopwatch watch;
    spawn(loop, [&]() -> Async<> {
      for (std::size_t i = 0; i < kRounds; ++i) {
        std::vector<Async<>> tasks;
        tasks.reserve(kTogether);
        for (std::size_t k = 0; k < kTogether; ++k) tasks.push_back(count_one(count));
        co_await when_all(std::move(tasks));
      }
    });
    loop.run();
    expect(std::exchange(count, 0) == kRounds * kTogether, "tasks were lost");
    return watch.ns_per(kRounds);
  });
}

/// Asio 1.22 has no group of any number: they are counted, and the last wakes the waiting one.
asio::awaitable<void> wait_for_all_by_asio(asio::io_context& context, std::size_t& count) {
  asio::experimental::channel<void(std::error_code, int)> done(context, 1);
  for (std::size_t i = 0; i < kRounds; ++i) {
    std::size_t left = kTogether;
    for (std::size_t k = 0; k < kTogether; ++k) {
      asio::co_spawn(context, count_one_by_asio(count), [&](const std::exception_ptr&) {
        if (--left == 0) done.try_send(std::error_code(), 0);
      });
    }
    co_await done.async_receive(use_awaitable);
  }
}
double when_all_theirs() {
  asio::io_context context(1);
  std::size_t count = 0;
  return warm([&] {
    const CpuStopwatch watch;
    asio::co_spawn(context, wait_for_all_by_asio(context, count), asio::detached);
    context.run();
    context.restart();
    expect(std::exchange(count, 0) == kRounds * kTogether, "tasks were lost");
    return watch.ns_per(kRounds);
  });
}

// ---- Channels -----------------------------------------------------------------------------------

constexpr int kValues = 300'000;
constexpr std::size_t kCapacity = 16;

Async<> send_all(Channel<int> channel) {
  for (int i = 0; i < kValues; ++i) {
    if (!co_await channel.send(i)) co_return;
  }
  channel.close();
}
Async<> receive_all(Channel<int> channel, int& received) {
  while (const auto value = co_await channel.receive()) ++received;
}

template <class AsioChannel>
asio::awaitable<void> send_all_by_asio(AsioChannel& channel) {
  for (int i = 0; i < kValues; ++i) {
    co_await channel.async_send(std::error_code(), i, use_awaitable);
  }
}
template <class AsioChannel>
asio::awaitable<void> receive_all_by_asio(AsioChannel& channel, int& received) {
  while (received < kValues) {
    co_await channel.async_receive(use_awaitable);
    ++received;
  }
}

double channel_ours() {
  Loop loop;
  return warm([&] {
    int received = 0;
    const Channel<int> channel(kCapacity);
    const CpuStopwatch watch;
    spawn(loop, send_all(channel));
    spawn(loop, receive_all(channel, received));
    loop.run();
    expect(received == kValues, "values were lost");
    return watch.ns_per(kValues);
  });
}
double channel_theirs() {
  asio::io_context context(1);
  return warm([&] {
    int received = 0;
    asio::experimental::channel<void(std::error_code, int)> channel(context, kCapacity);
    const CpuStopwatch watch;
    asio::co_spawn(context, send_all_by_asio(channel), asio::detached);
    asio::co_spawn(context, receive_all_by_asio(channel, received), asio::detached);
    context.run();
    context.restart();
    expect(received == kValues, "values were lost");
    return watch.ns_per(kValues);
  });
}

double channel_between_ours() {
  int received = 0;
  const Channel<int> channel(kCapacity);
  const CpuStopwatch watch;
  std::thread sender([&] {
    Loop loop;
    spawn(loop, send_all(channel));
    loop.run();
  });
  Loop loop;
  spawn(loop, receive_all(channel, received));
  loop.run();
  sender.join();
  expect(received == kValues, "values were lost");
  return watch.ns_per(kValues);
}
double channel_between_theirs() {
  int received = 0;
  asio::io_context context(1);
  asio::io_context sending(1);
  asio::experimental::concurrent_channel<void(std::error_code, int)> channel(context, kCapacity);
  const CpuStopwatch watch;
  asio::co_spawn(context, receive_all_by_asio(channel, received), asio::detached);
  asio::co_spawn(sending, send_all_by_asio(channel), asio::detached);
  std::thread sender([&] { sending.run(); });
  context.run();
  sender.join();
  expect(received == kValues, "values were lost");
  return watch.ns_per(kValues);
}

Row row(std::string name, std::string unit, double goal, double (*ours)(), double (*theirs)()) {
  return {.group = "coroutines",
          .name = std::move(name),
          .peer = "Asio",
          .unit = std::move(unit),
          .goal = goal,
          .ours = ours,
          .theirs = theirs};
}

}  // namespace

std::vector<Row> coroutine_rows() {
  return {
      row("spawn and finish a coroutine", "CPU ns/coroutine", 1.5, spawn_ours, spawn_theirs),
      row("wait for 100 coroutines", "CPU ns/100", 1.5, when_all_ours, when_all_theirs),
      row("channel in one loop", "CPU ns/value", 2, channel_ours, channel_theirs),
      row("channel between two loops", "CPU ns/value", 2, channel_between_ours,
          channel_between_theirs),
  };
}

}  // namespace rondo::bench
