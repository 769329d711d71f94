// The names of what the loop does: its phases, and the kinds of callback it runs in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rondo/detail/language.h"

namespace rondo {

/// The boxes of the diagram, in the order the loop visits them. `none` is outside all of them:
/// before run(), between two runs.
enum class Phase : std::uint8_t { none, timers, pending, idle, prepare, poll, check, close };
inline constexpr std::size_t kPhaseCount = 8;

std::string_view to_string(Phase phase) noexcept;

/// What a callback is, whatever phase it runs in.
enum class TaskKind : std::uint8_t {
  timeout,
  interval,
  deferred,  // defer(): the pending phase
  idle_hook,
  prepare_hook,
  completion,  // an operation or a watched descriptor: the poll phase
  posted,      // post(): the poll phase
  check_hook,
  immediate,
  close,
  tick,
  microtask,
  before_exit,
};
inline constexpr std::size_t kTaskKindCount = 13;

std::string_view to_string(TaskKind kind) noexcept;

/// One scheduled callback. Within a loop no two tasks that exist at the same time have the same
/// kind and id; a fired interval keeps its id.
struct Task {
  TaskKind kind;
  std::uint64_t id;

  friend bool operator==(const Task&, const Task&) = default;
};

}  // namespace rondo
