#include "rondo/phase.h"

#include <array>

namespace rondo {

std::string_view to_string(Phase phase) noexcept {
  static constexpr std::array<std::string_view, kPhaseCount> kNames{
      "none", "timers", "pending", "idle", "prepare", "poll", "check", "close"};
  return kNames[static_cast<std::size_t>(phase)];
}

std::string_view to_string(TaskKind kind) noexcept {
  static constexpr std::array<std::string_view, kTaskKindCount> kNames{
      "timeout",    "interval",  "deferred", "idle hook", "prepare hook", "completion", "posted",
      "check hook", "immediate", "close",    "tick",      "microtask",    "before exit"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace rondo
