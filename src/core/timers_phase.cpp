#include "core/timers_phase.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

detail::SlotId TimersPhase::add(std::int32_t duration_ms, std::int64_t start_ms, TaskKind kind,
                                Callback<>&& callback) {
  const std::uint32_t index = timers_.take();
  Timer& timer = timers_[index];
  timer.referenced = 1;
  timer.repeats = kind == TaskKind::interval ? 1 : 0;
  timer.firing = 0;
  timer.cleared = 0;
  timer.callback = std::move(callback);
  ++referenced_;
  insert(index, duration_ms, start_ms);
  core_.door().scheduled(task_of(index), std::chrono::milliseconds(duration_ms));
  return timers_.id_of(index);
}

bool TimersPhase::clear(detail::SlotId id) {
  Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return false;
  core_.door().cancelled(task_of(id.index));
  std::uint32_t list_index = timer->list;
  if (list_index != kNone) {
    unlink(id.index);
  } else {
    list_index = list_of_duration_.find(firing_duration_ms_);
  }
  if (timer->referenced && list_index != kNone && lists_[list_index].timers.empty()) {
    remove_list(list_index);
  }
  if (timer->firing) {
    timer->cleared = 1;  // its callback is on the stack: it is released when that returns
    if (timer->referenced) --referenced_;
    timer->referenced = 0;
  } else {
    release(id.index);
  }
  return true;
}

bool TimersPhase::refresh(detail::SlotId id, std::int64_t start_ms) {
  Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return false;
  const std::int32_t duration_ms = duration_of(*timer);
  if (timer->list != kNone) {
    const std::uint32_t list_index = timer->list;
    unlink(id.index);
    append(id.index, list_index, start_ms);
  } else {
    insert(id.index, duration_ms, start_ms);
  }
  core_.door().scheduled(task_of(id.index), std::chrono::milliseconds(duration_ms));
  return true;
}

void TimersPhase::set_ref(detail::SlotId id, bool referenced) noexcept {
  Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return;
  if (timer->referenced == static_cast<std::uint64_t>(referenced)) return;
  timer->referenced = referenced ? 1 : 0;
  referenced ? ++referenced_ : --referenced_;
}

bool TimersPhase::has_ref(detail::SlotId id) const noexcept {
  return active(id) && timers_[id.index].referenced;
}

bool TimersPhase::active(detail::SlotId id) const noexcept {
  const Timer* timer = timers_.find(id);
  return timer != nullptr && !timer->cleared;
}

void TimersPhase::run(std::int64_t now_ms, std::size_t budget) {
  // One value of now for the whole visit: what a callback sets cannot be due before the next.
  while (!heap_.empty() && heap_.front().expiry_ms <= now_ms && budget != 0) {
    run_list(heap_.front().list, now_ms, budget);
  }
}

void TimersPhase::run_list(std::uint32_t list_index, std::int64_t now_ms, std::size_t& budget) {
  const detail::SlotId list_id = lists_.id_of(list_index);
  const std::int32_t duration_ms = lists_[list_index].duration_ms;

  while (!lists_[list_index].timers.empty()) {
    const std::uint32_t index = lists_[list_index].timers.head;
    const Timer& timer = timers_[index];
    if (now_ms - timer.start_ms < duration_ms) {
      // Too early for this one: the list was looked at for a timer that is gone or has run.
      const std::uint32_t position = lists_[list_index].heap_position;
      heap_[position].expiry_ms = std::max<std::int64_t>(timer.start_ms + duration_ms, now_ms + 1);
      heap_[position].order = placed_++;
      sift_down(position);
      return;
    }
    if (budget == 0) return;
    --budget;
    if (timer.next != kNone) __builtin_prefetch(&timers_[timer.next]);
    unlink(index);
    fire(index, duration_ms);
    // The callback may have emptied the list and with it ended it; a new list of the same
    // duration is another one and has its own turn.
    if (lists_.find(list_id) == nullptr) return;
  }
  remove_list(list_index);
}

/// Marks a timer as firing and, however the callback ends, sets it again or lets it go, before
/// the ticks run: an interval takes its place in the list before a tick can set another timer.
class TimersPhase::Firing {
 public:
  Firing(TimersPhase& phase, std::uint32_t index, std::int32_t duration_ms)
      : phase_(phase), index_(index), duration_ms_(duration_ms) {
    Timer& timer = phase_.timers_[index_];
    timer.firing = 1;
    phase_.firing_duration_ms_ = duration_ms_;
    if (timer.repeats) began_ms_ = phase_.core_.present_ms();
  }

  ~Firing() {
    Timer& timer = phase_.timers_[index_];
    timer.firing = 0;
    if (timer.repeats && !timer.cleared) {
      if (timer.list != kNone) phase_.unlink(index_);  // it was refreshed meanwhile
      phase_.insert(index_, duration_ms_, began_ms_);
      phase_.core_.door().scheduled(phase_.task_of(index_),
                                    std::chrono::milliseconds(duration_ms_));
    } else if (timer.list == kNone) {
      phase_.release(index_);
    }
  }

  Firing(const Firing&) = delete;
  Firing& operator=(const Firing&) = delete;

 private:
  TimersPhase& phase_;
  std::uint32_t index_;
  std::int32_t duration_ms_;
  std::int64_t began_ms_ = 0;
};

void TimersPhase::fire(std::uint32_t index, std::int32_t duration_ms) {
  core_.door().run(task_of(index), [&] {
    const Firing firing(*this, index, duration_ms);
    timers_[index].callback();
  });
}

void TimersPhase::insert(std::uint32_t index, std::int32_t duration_ms, std::int64_t start_ms) {
  std::uint32_t list_index = list_of_duration_.find(duration_ms);
  if (list_index == kNone) {
    list_index = lists_.take();
    lists_[list_index].duration_ms = duration_ms;
    lists_[list_index].timers = {};
    list_of_duration_.insert(duration_ms, list_index);
    heap_push(start_ms + duration_ms, list_index);
  }
  append(index, list_index, start_ms);
}

void TimersPhase::append(std::uint32_t index, std::uint32_t list_index, std::int64_t start_ms) {
  Timer& timer = timers_[index];
  timer.start_ms = start_ms & kStartMask;
  timer.list = list_index;
  lists_[list_index].timers.append(timers_, index);
}

std::int32_t TimersPhase::duration_of(const Timer& timer) const noexcept {
  return timer.list == kNone ? firing_duration_ms_ : lists_[timer.list].duration_ms;
}

void TimersPhase::unlink(std::uint32_t index) noexcept {
  Timer& timer = timers_[index];
  lists_[timer.list].timers.remove(timers_, index);
  timer.list = kNone;
}

void TimersPhase::release(std::uint32_t index) {
  Timer& timer = timers_[index];
  if (timer.referenced) --referenced_;
  timer.cleared = 0;
  const Callback<> spent = std::move(timer.callback);
  timers_.give_back(index);
}

Task TimersPhase::task_of(std::uint32_t index) const noexcept {
  return {timers_[index].kind(), task_id(timers_.id_of(index))};
}

void TimersPhase::drop_all() {
  while (!heap_.empty()) {
    const std::uint32_t list_index = heap_.front().list;
    // A callback's destructor may clear other timers, and so end this very list.
    const detail::SlotId list_id = lists_.id_of(list_index);
    while (lists_.find(list_id) != nullptr && !lists_[list_index].timers.empty()) {
      const std::uint32_t index = lists_[list_index].timers.head;
      unlink(index);
      release(index);
    }
    if (lists_.find(list_id) != nullptr) remove_list(list_index);
  }
}

// ---- The heap of lists ------------------------------------------------------------------------

void TimersPhase::heap_push(std::int64_t expiry_ms, std::uint32_t list_index) {
  heap_.emplace_back(expiry_ms, placed_++, list_index);
  sift_up(static_cast<std::uint32_t>(heap_.size() - 1));
}

void TimersPhase::heap_remove(std::uint32_t position) noexcept {
  const HeapEntry last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size()) return;
  heap_[position] = last;
  lists_[last.list].heap_position = position;
  sift_down(position);
  sift_up(lists_[last.list].heap_position);
}

void TimersPhase::sift_up(std::uint32_t position) noexcept {
  const HeapEntry entry = heap_[position];
  while (position != 0) {
    const std::uint32_t parent = (position - 1) / 2;
    if (!entry.before(heap_[parent])) break;
    heap_[position] = heap_[parent];
    lists_[heap_[position].list].heap_position = position;
    position = parent;
  }
  heap_[position] = entry;
  lists_[entry.list].heap_position = position;
}

void TimersPhase::sift_down(std::uint32_t position) noexcept {
  const HeapEntry entry = heap_[position];
  const auto size = static_cast<std::uint32_t>(heap_.size());
  for (;;) {
    std::uint32_t child = 2 * position + 1;
    if (child >= size) break;
    if (child + 1 < size && heap_[child + 1].before(heap_[child])) ++child;
    if (!heap_[child].before(entry)) break;
    heap_[position] = heap_[child];
    lists_[heap_[position].list].heap_position = position;
    position = child;
  }
  heap_[position] = entry;
  lists_[entry.list].heap_position = position;
}

void TimersPhase::remove_list(std::uint32_t list_index) noexcept {
  assert(lists_[list_index].timers.empty());
  heap_remove(lists_[list_index].heap_position);
  list_of_duration_.erase(lists_[list_index].duration_ms);
  lists_.give_back(list_index);
}

}  // namespace rondo
