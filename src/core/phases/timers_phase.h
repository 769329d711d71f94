// The timers phase: setTimeout and setInterval.
//
// Programs set very many timers with very few durations: a server has thousands of connections
// that all time out after the same 30 s. Timers of one duration expire in the order in which
// they were set, so each duration has a list, and setting a timer is an append:
//
//     lists by duration            heap of lists, by the expiry each list was last seen with
//
//      10 ms: t1 -> t4 -> t7             [ 10 ms, due at 110 ]
//      40 ms: t2 -> t3                  /                     \.
//     500 ms: t5 -> t6         [ 40 ms, due at 130 ]   [ 500 ms, due at 600 ]
//
// The heap holds as many entries as there are durations in use, not timers. Setting, clearing
// and refreshing a timer of a duration in use touches only its list: O(1).
//
// A list's key in the heap is a lower bound. Clearing or refreshing its first timer does not move
// the list; the next visit finds it too early and re-inserts it with the right key. Node does the
// same, and it is observable: after a stall, such a list runs at its old position. (Node also keeps
// an empty list in the heap when the timer that left it was unref'd; so do we.)
//
// Most timers are cleared before they are due, and many programs have only one at a time. So a
// timer that is set while there is no list gets its list only when something else happens in the
// phase: if it is cleared before that, neither the map nor the heap is touched. This is not
// observable.
//
// How Node visits the lists is a policy: visit_policy.h.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "rondo/callback.h"
#include "rondo/phase.h"

#include "core/containers/duration_map.h"
#include "core/containers/slab.h"
#include "core/containers/slot_list.h"
#include "core/door.h"
#include "core/phases/precise_timers.h"
#include "core/phases/visit_policy.h"

namespace rondo {

class LoopCore;

class TimersPhase {
 public:
  TimersPhase(LoopCore& core, Door& door) noexcept
      : core_(core), door_(door), precise_(core, door, referenced_) {}

  VisitPolicy& policy() noexcept { return policy_; }
  bool multiplexed() const noexcept { return policy_.multiplexed(); }

  detail::SlotId add(std::int32_t duration_ms, std::int64_t start_ms, TaskKind kind,
                     Callback<>&& callback) {
    return add(duration_ms, new_state(start_ms, kind, false), &callback);
  }

  /// A timer of less than whole milliseconds, from now on.
  detail::SlotId add_precise(std::chrono::nanoseconds duration, TaskKind kind,
                             Callback<>&& callback) {
    return precise_.add(duration, kind, std::move(callback));
  }

  /// Adds a timer that belongs to the batch. The batch callback runs all due timers in one call,
  /// one after the other with next_in_batch(): for hosts where each call is expensive.
  detail::SlotId add_to_batch(std::int32_t duration_ms, std::int64_t start_ms, TaskKind kind) {
    return add(duration_ms, new_state(start_ms, kind, true), nullptr);
  }
  /// Called for the first timer of a batch; firing() says which it is.
  void set_batch(Callback<> batch) { batch_ = std::move(batch); }
  /// For the batch: the timer that was firing is done. Ends it, lets `between` run what comes
  /// between two timers, and begins the next one, if that is due now and of the batch; firing()
  /// says which. It ends too where the loop's own ticks wait, which the door runs.
  template <class Between>
  bool next_in_batch(Between between) {
    end_firing();
    if (!batch_may_go_on()) return false;
    between();
    return begin_next_in_batch();
  }

  /// For the batch: the timer that is firing has thrown. It is set again, if it is an interval,
  /// before the exception is reported; the batch ends.
  void end_thrown();

  /// Ticks ended with an exception between two timers: see VisitPolicy::begin_anew().
  bool begin_anew() noexcept;

  bool clear(detail::SlotId id) {
    if (id != lone_.id || !lone_.is_live || !lone_.record->referenced || door_.has_observer()) {
      return clear_listed(id);
    }
    empty_visit_ms_ = std::min(empty_visit_ms_, lone_expiry_ms());
    lone_.is_live = false;
    --referenced_;
    Timer& timer = *lone_.record;
    lone_.id.generation = timers_.renew(timer);
    if (!timer.callback.reset_if_trivial()) destroy_callback(timer);
    return true;
  }
  bool refresh(detail::SlotId id, std::int64_t start_ms);
  void set_ref(detail::SlotId id, bool referenced) noexcept;
  bool has_ref(detail::SlotId id) const noexcept;
  bool active(detail::SlotId id) const noexcept;

  /// The timer in a slot that is taken, when it was set, and the one whose callback is running.
  detail::SlotId id_at(std::uint32_t index) const noexcept { return timers_.id_of(index); }
  std::int64_t start_of(std::uint32_t index) const noexcept { return timers_[index].start_ms; }
  detail::SlotId firing() const noexcept { return firing_; }

  /// Runs what is due at `now_ms`.
  void run(std::int64_t now_ms, std::size_t budget);

  /// When the first timer of less than whole milliseconds is due: not before next_precise_ms().
  std::int64_t next_precise_ms() const noexcept { return precise_.next_deadline_ms(); }
  bool has_precise() const noexcept { return !precise_.empty(); }
  std::chrono::nanoseconds next_precise() const noexcept { return precise_.next_deadline(); }

  /// When the phase has to be visited next for the others. Never later than the earliest is due.
  std::optional<std::int64_t> next_expiry_ms() const noexcept {
    if (lone_.is_live) return lone_expiry_ms();
    if (heap_.empty()) return std::nullopt;
    return std::max(heap_.front().expiry_ms, not_before_ms_);
  }

  /// The timers that should have run by now, and how late the latest of them is. Changes nothing,
  /// and may be asked in the middle of a callback.
  struct Overdue {
    std::size_t count = 0;
    std::int64_t most_ms = 0;
  };
  Overdue overdue(std::int64_t now_ms) const noexcept;

  /// When multiplexed: whether a visit is due that finds no timer, because they were cleared. It is
  /// observable if an exception has postponed ticks: that visit runs them.
  bool has_empty_visit_due(std::int64_t now_ms) const noexcept {
    return multiplexed() && empty_visit_ms_ <= now_ms;
  }

  bool keeps_alive() const noexcept { return referenced_ != 0; }
  std::size_t size() const noexcept {
    return timers_.taken() + precise_.size() - (lone_.record != nullptr && !lone_.is_live ? 1 : 0);
  }

  /// Destroys every timer without running it.
  void drop_all();

 private:
  /// One word, which a new timer writes as a whole: reading a word of which parts were just written
  /// is slow.
  struct TimerState {
    std::int64_t start_ms : 55 = 0;
    std::uint64_t referenced : 1 = 0;
    std::uint64_t repeats : 1 = 0;
    std::uint64_t firing : 1 = 0;    // its callback is on the stack
    std::uint64_t cleared : 1 = 0;   // while firing: do not set it again
    std::uint64_t in_batch : 1 = 0;  // it has no callback of its own
    std::uint64_t unused : 4 = 0;    // named, so that they are written too
  };
  struct Timer : TimerState {
    std::uint32_t generation = 1;
    std::uint32_t next = kNone;
    std::uint32_t prev = kNone;
    std::uint32_t list = kNone;  // kNone: in no list, because it is firing, or lone
    Callback<> callback;

    TaskKind kind() const noexcept { return repeats ? TaskKind::interval : TaskKind::timeout; }
  };
  // Milliseconds of a monotonic clock: 54 bits are half a million years.
  static constexpr std::int64_t kStartMask = (std::int64_t{1} << 54) - 1;
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  static_assert(sizeof(Timer) == 64, "one cache line, and well within 96 bytes");

  struct List {
    std::uint32_t generation = 1;
    std::uint32_t next = kNone;  // of the slab
    std::int32_t duration_ms = 0;
    std::uint32_t heap_position = 0;
    SlotList timers;
  };

  struct HeapEntry {
    std::int64_t expiry_ms;
    std::uint64_t order;  // the entry that was placed first goes first among equals
    std::uint32_t list;

    bool before(const HeapEntry& other) const noexcept {
      return expiry_ms != other.expiry_ms ? expiry_ms < other.expiry_ms : order < other.order;
    }
  };

  /// The record of a timer without a list. It stays taken when that timer is cleared, for the next
  /// one. While there are lists, there is none.
  struct Lone {
    Timer* record = nullptr;
    detail::SlotId id;  // of the timer that is live, or else of the next one
    std::int32_t duration_ms = 0;
    bool is_live = false;
  };

  /// One visit to the phase.
  struct Visit {
    std::int64_t now_ms = 0;
    std::size_t budget = 0;
    detail::SlotId list;    // whose timers are being run
    detail::SlotId chosen;  // the next of the list, when multiplexed
  };
  class Firing;

  static TimerState new_state(std::int64_t start_ms, TaskKind kind, bool in_batch) noexcept {
    return {.start_ms = start_ms & kStartMask,
            .referenced = 1,
            .repeats = kind == TaskKind::interval,
            .in_batch = in_batch};
  }
  // A program that sets and clears a timer for each request calls this and clear() often, and they
  // are made of very small steps.
  detail::SlotId add(std::int32_t duration_ms, const TimerState& state, Callback<>* callback) {
    if (lone_.record == nullptr || lone_.is_live) return add_listed(duration_ms, state, callback);
    lone_.is_live = true;
    return set_lone(duration_ms, state, callback);
  }
  detail::SlotId set_lone(std::int32_t duration_ms, const TimerState& state, Callback<>* callback) {
    Timer& timer = *lone_.record;
    static_cast<TimerState&>(timer) = state;
    timer.list = kNone;
    if (callback != nullptr) timer.callback.fill(std::move(*callback));
    lone_.duration_ms = duration_ms;
    ++referenced_;
    if (door_.has_observer()) [[unlikely]]
      report_scheduled(lone_.id.index, duration_ms);
    return lone_.id;
  }
  detail::SlotId add_listed(std::int32_t duration_ms, const TimerState& state,
                            Callback<>* callback);
  bool clear_listed(detail::SlotId id);
  /// Runs user code: the callback's destructor.
  static void destroy_callback(Timer& timer);
  void report_scheduled(std::uint32_t index, std::int32_t duration_ms) noexcept;
  bool is_list_due() const noexcept;
  std::uint32_t find_next_due();
  std::uint32_t find_in_list(std::uint32_t list_index);
  void take_due(std::uint32_t index) noexcept;
  bool put_off_if_early(std::uint32_t list_index) noexcept;
  void look_ahead() noexcept;
  void end_lists() noexcept;
  void fire(std::uint32_t index);
  void begin_firing(std::uint32_t index) noexcept;
  void end_firing();
  void set_again_or_release();
  bool batch_may_go_on() const noexcept;
  bool begin_next_in_batch();
  std::int64_t lone_expiry_ms() const noexcept {
    return std::max(lone_.record->start_ms + lone_.duration_ms, not_before_ms_);
  }
  /// Gives the lone timer, if there is one, its list. Before anything that looks at lists.
  void settle_lone() {
    if (lone_.record != nullptr) [[unlikely]]
      end_lone();
  }
  void end_lone() noexcept;
  void insert(std::uint32_t index, std::int32_t duration_ms, std::int64_t start_ms);
  void append(std::uint32_t index, std::uint32_t list_index, std::int64_t start_ms);
  void unlink(std::uint32_t index) noexcept;
  /// Gives the record back and destroys its callback last: that runs user code.
  void release(std::uint32_t index);
  Task task_of(std::uint32_t index) const noexcept;
  std::int32_t duration_of(const Timer& timer) const noexcept;

  void heap_push(std::int64_t expiry_ms, std::uint32_t list_index);
  void heap_remove(std::uint32_t position) noexcept;
  void sift_up(std::uint32_t position) noexcept;
  void sift_down(std::uint32_t position) noexcept;
  void remove_list(std::uint32_t list_index) noexcept;

  LoopCore& core_;
  Door& door_;
  Slab<Timer> timers_;
  Slab<List> lists_;
  DurationMap list_of_duration_;
  std::vector<HeapEntry> heap_;
  Lone lone_;
  VisitPolicy policy_;
  std::uint64_t placed_ = 0;        // source of HeapEntry::order
  std::int64_t not_before_ms_ = 0;  // after a visit, when multiplexed
  // When libuv's one timer would still go off for lists that were cleared since the last visit.
  std::int64_t empty_visit_ms_ = kNever;
  std::size_t referenced_ = 0;  // timers that keep the loop alive
  Visit visit_;
  detail::SlotId firing_;                // the timer whose callback is on the stack
  bool threw_ = false;                   // it has thrown, and is set again or released already
  std::int32_t firing_duration_ms_ = 0;  // its duration
  std::int64_t firing_began_ms_ = 0;     // and, of an interval, when it began
  Callback<> batch_;
  PreciseTimers precise_;
};

}  // namespace rondo
