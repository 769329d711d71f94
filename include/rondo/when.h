// Several coroutines or operations at once.
//
//     auto [a, b] = co_await rondo::when_all(fetch("a"), fetch("b"));
//     auto line = co_await rondo::with_timeout(5s, socket.read());
//
// What is called a task here is an Async or an operation of the loop. All tasks begin, in order,
// when the whole is awaited, and all have ended when it is complete: nothing runs on unseen. A
// stop request to the one that waits is passed on to them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rondo/async.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/coroutine.h"
#include "rondo/detail/group.h"
#include "rondo/error.h"

namespace rondo {

namespace detail {

template <class Op>
concept IsOperation = std::derived_from<Op, Operable<Op, typename Op::Value>>;

template <class T>
Async<T> as_async(Async<T> task) {
  return task;
}
template <IsOperation Op>
Async<Expected<typename Op::Value>> as_async(Op op) {
  co_return co_await std::move(op);
}

/// Of rondo/streams.h.
template <class T>
class MaybeReady;
template <class T>
Async<T> as_async(MaybeReady<T> one);

template <class T>
concept IsTask = requires(T task) { as_async(std::move(task)); };

/// What awaiting a task gives.
template <IsTask Task>
using ResultOf = typename decltype(as_async(std::declval<Task>()))::Value;

template <class... Ts>
Async<std::tuple<ValueOf<Ts>...>> all_of(Async<Ts>... tasks) {
  Group group(Group::DecidedBy::first_to_throw, sizeof...(Ts));
  std::tuple<Branch<Ts>...> branches(branch(std::move(tasks))...);
  GroupAwaiter all(group, [&](Loop* loop) {
    std::size_t index = 0;
    std::apply([&](auto&... one) { (one.begin(group, index++, loop), ...); }, branches);
  });
  co_await all;
  group.rethrow();
  co_return std::apply([](auto&... one) { return std::tuple<ValueOf<Ts>...>(one.take()...); },
                       branches);
}

template <class... Ts>
Async<std::variant<ValueOf<Ts>...>> any_of(Async<Ts>... tasks) {
  using Outcome = std::variant<ValueOf<Ts>...>;
  Group group(Group::DecidedBy::first_to_end, sizeof...(Ts));
  std::tuple<Branch<Ts>...> branches(branch(std::move(tasks))...);
  GroupAwaiter all(group, [&](Loop* loop) {
    std::size_t index = 0;
    std::apply([&](auto&... one) { (one.begin(group, index++, loop), ...); }, branches);
  });
  co_await all;
  group.rethrow();
  std::optional<Outcome> outcome;
  const auto take = [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((*group.decisive() == I
          ? void(outcome.emplace(std::in_place_index<I>, std::get<I>(branches).take()))
          : void()),
     ...);
  };
  take(std::index_sequence_for<Ts...>());
  co_return *std::move(outcome);
}

/// Makes branches of the tasks and runs them as the group says.
template <class Task>
Async<std::vector<Branch<ResultOf<Task>>>> run_group(Group& group, std::vector<Task> tasks) {
  std::vector<Branch<ResultOf<Task>>> branches;
  branches.reserve(tasks.size());
  for (Task& task : tasks) branches.push_back(branch(as_async(std::move(task))));
  GroupAwaiter all(group, [&](Loop* loop) {
    for (std::size_t i = 0; i < branches.size(); ++i) branches[i].begin(group, i, loop);
  });
  co_await all;
  group.rethrow();
  co_return std::move(branches);
}

template <class T>
struct Timed {
  using Result = Expected<std::conditional_t<std::is_void_v<T>, void, ValueOf<T>>>;
};
template <class T>
struct Timed<Expected<T>> {
  using Result = Expected<T>;
};

template <class T>
Async<typename Timed<T>::Result> timed(Delay delay, Async<T> task) {
  using Result = typename Timed<T>::Result;
  struct TimeIsUp {
    static void request_stop(void* self) {
      auto& state = *static_cast<TimeIsUp*>(self);
      state.first = state.group->stop().request();
    }
    Group* group;
    bool first = false;  // before a stop asked from outside
  };

  Loop& loop = co_await current_loop();
  Group group(Group::DecidedBy::first_to_throw, 1);
  Branch<T> only = branch(std::move(task));
  TimeIsUp time_is_up{&group};
  Alarm alarm(Alarm::For::timeout);
  GroupAwaiter one(group, [&](Loop*) {
    alarm.set(loop, delay, {&TimeIsUp::request_stop, &time_is_up});
    only.begin(group, 0, &loop);
  });
  co_await one;
  alarm.clear();
  group.rethrow();
  if constexpr (std::is_same_v<T, Result>) {
    Result result = only.take();
    if (time_is_up.first && !result && result.error() == errno_code(ECANCELED)) {
      result = std::unexpected(errno_code(ETIMEDOUT));
    }
    co_return result;
  } else if (time_is_up.first) {
    co_return std::unexpected(errno_code(ETIMEDOUT));
  } else if constexpr (std::is_void_v<T>) {
    co_return Result{};
  } else {
    co_return only.take();
  }
}

}  // namespace detail

/// Waits for all. If one throws, the others are asked to stop, and what was thrown first is
/// thrown on when all have ended. A void result is a std::monostate, a reference a
/// std::reference_wrapper.
template <detail::IsTask... Tasks>
  requires(sizeof...(Tasks) > 0)
Async<std::tuple<detail::ValueOf<detail::ResultOf<Tasks>>...>> when_all(Tasks... tasks) {
  return detail::all_of(detail::as_async(std::move(tasks))...);
}

/// The same for any number of one type, none included; the results are in the order of the tasks.
template <detail::IsTask Task>
Async<std::vector<detail::ValueOf<detail::ResultOf<Task>>>> when_all(std::vector<Task> tasks) {
  detail::Group group(detail::Group::DecidedBy::first_to_throw, tasks.size());
  auto branches = co_await detail::run_group(group, std::move(tasks));
  std::vector<detail::ValueOf<detail::ResultOf<Task>>> values;
  values.reserve(branches.size());
  for (auto& one : branches) values.push_back(one.take());
  co_return std::move(values);
}

template <class T>
struct FirstOf {
  std::size_t index;
  detail::ValueOf<T> value;
};

/// The first to end wins; the others are asked to stop and waited for. If the first to end has
/// thrown, that is thrown on; what the others give or throw afterwards is dropped. At least one
/// task: Misuse (ERR_INVALID_ARG_VALUE).
template <detail::IsTask Task>
Async<FirstOf<detail::ResultOf<Task>>> when_any(std::vector<Task> tasks) {
  if (tasks.empty()) throw Misuse("ERR_INVALID_ARG_VALUE", "when_any() of nothing never ends");
  detail::Group group(detail::Group::DecidedBy::first_to_end, tasks.size());
  auto branches = co_await detail::run_group(group, std::move(tasks));
  const std::size_t winner = *group.decisive();
  co_return FirstOf<detail::ResultOf<Task>>{winner, branches[winner].take()};
}

template <detail::IsTask Task, std::same_as<Task>... Rest>
Async<FirstOf<detail::ResultOf<Task>>> when_any(Task first, Rest... rest) {
  std::vector<Task> tasks;
  tasks.reserve(1 + sizeof...(Rest));
  tasks.push_back(std::move(first));
  (tasks.push_back(std::move(rest)), ...);
  return when_any(std::move(tasks));
}

/// The same for tasks with different results: a std::variant with an alternative for each task,
/// whose index() is that of the winner.
///
///     auto first = co_await when_any(socket.read(), sleep_for(5s));
///     if (first.index() == 0) use(std::get<0>(first));
template <detail::IsTask First, detail::IsTask... Rest>
  requires(sizeof...(Rest) > 0 && !(std::same_as<First, Rest> && ...))
Async<std::variant<detail::ValueOf<detail::ResultOf<First>>,
                   detail::ValueOf<detail::ResultOf<Rest>>...>>
when_any(First first, Rest... rest) {
  return detail::any_of(detail::as_async(std::move(first)), detail::as_async(std::move(rest))...);
}

/// Runs a task without the stop that may be asked of the one that waits for it: for what has to be
/// done after a stop as well. It is waited for until it has ended.
///
///     if (result.error() == errno_code(ECANCELED)) co_await shield(socket.write_all("bye\n"));
template <detail::IsTask Task>
Async<detail::ResultOf<Task>> shield(Task task) {
  co_await detail::ForgetStop();
  co_return co_await std::move(task);
}

/// Runs a task for at most this long; then it gets a stop request, and its end is awaited. The
/// result is ETIMEDOUT if it gave ECANCELED for that reason; what else it gives (an Expected) or
/// throws in spite of it counts. The result of a task that is not an Expected, and so cannot report
/// it, is dropped. The time counts from the clock as it is when the task begins, rounded up as
/// sleep_for() does. I/O that is ready when the time is up wins, also when a callback has held up
/// the loop until long after.
template <class Rep, class Period, detail::IsTask Task>
Async<typename detail::Timed<detail::ResultOf<Task>>::Result> with_timeout(
    std::chrono::duration<Rep, Period> duration, Task task) {
  return detail::timed(detail::Delay(duration), detail::as_async(std::move(task)));
}

}  // namespace rondo
