// Timers of less than whole milliseconds: set_timeout(250us).
//
// Programs have few of them, each with a deadline of its own, so there are no lists of durations
// here: one heap, by deadline. They read the clock when they are set, and run in the timers phase
// before the others. The timers of whole milliseconds (timers_phase.h), which follow Node, do not
// meet them except for one check in each visit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rondo/callback.h"
#include "rondo/phase.h"

#include "core/containers/slab.h"
#include "core/door.h"

namespace rondo {

class LoopCore;

class PreciseTimers {
 public:
  using Time = std::chrono::nanoseconds;

  /// `referenced` counts the timers that keep the loop alive, those of others as well.
  PreciseTimers(LoopCore& core, Door& door, std::size_t& referenced) noexcept
      : core_(core), door_(door), referenced_(referenced) {}

  /// Their ids differ from those of other timers.
  static bool has(detail::SlotId id) noexcept { return (id.index & kMark) != 0; }

  detail::SlotId add(Time duration, TaskKind kind, Callback<>&& callback);
  bool clear(detail::SlotId id);
  bool refresh(detail::SlotId id);
  void set_ref(detail::SlotId id, bool referenced) noexcept;
  bool has_ref(detail::SlotId id) const noexcept;
  bool active(detail::SlotId id) const noexcept;

  bool empty() const noexcept { return next_ms_ == kNever; }
  std::size_t size() const noexcept { return timers_.taken(); }
  /// When the first one is due; only if there is one.
  Time next_deadline() const noexcept { return heap_.front().deadline; }
  /// The same in whole milliseconds, rounded down; kNever without one. The loop asks for it in
  /// every iteration.
  std::int64_t next_deadline_ms() const noexcept { return next_ms_; }
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  /// The deadlines of all, in no order.
  template <class Function>
  void for_each_deadline(Function function) const {
    for (const Entry& entry : heap_) function(entry.deadline);
  }

  /// Runs what is due at `now`, and takes it off the budget.
  void run(Time now, std::size_t& budget);

  /// Destroys every timer without running it.
  void drop_all();

 private:
  static constexpr std::uint32_t kMark = 0x8000'0000U;
  static constexpr std::uint32_t kNowhere = 0xffff'ffffU;

  struct Timer {
    std::uint32_t generation = 1;
    std::uint32_t next = kNone;  // of the slab
    std::uint32_t position = kNowhere;
    TaskKind kind = TaskKind::timeout;
    bool referenced = false;
    bool firing = false;   // its callback is on the stack
    bool cleared = false;  // while firing: do not set it again
    Time duration{};
    Callback<> callback;
  };
  struct Entry {
    Time deadline;
    std::uint64_t order;  // among equals, the one that was set first goes first
    std::uint32_t index;

    bool before(const Entry& other) const noexcept {
      return deadline != other.deadline ? deadline < other.deadline : order < other.order;
    }
  };
  class Firing;

  static detail::SlotId inner(detail::SlotId id) noexcept {
    return {id.index & ~kMark, id.generation};
  }
  detail::SlotId name_of(std::uint32_t index) const noexcept;
  Task task_of(std::uint32_t index) const noexcept {
    return {timers_[index].kind, task_id(name_of(index))};
  }
  Timer* find(detail::SlotId id) noexcept;
  const Timer* find(detail::SlotId id) const noexcept;
  void place(std::uint32_t index, Time deadline);
  void remove(std::uint32_t position) noexcept;
  void put(std::uint32_t position, const Entry& entry) noexcept;
  void sift_up(std::uint32_t position, const Entry& entry) noexcept;
  void sift_down(std::uint32_t position, const Entry& entry) noexcept;
  /// Destroys the callback last: that runs user code.
  void release(std::uint32_t index);

  LoopCore& core_;
  Door& door_;
  std::size_t& referenced_;
  Slab<Timer> timers_;
  std::vector<Entry> heap_;
  std::int64_t next_ms_ = kNever;
  std::uint64_t placed_ = 0;
};

}  // namespace rondo
