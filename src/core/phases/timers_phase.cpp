#include "core/phases/timers_phase.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

detail::SlotId TimersPhase::add_listed(std::int32_t duration_ms, const TimerState& state,
                                       Callback<>* callback) {
  const std::uint32_t index = timers_.take();
  // A heap that once had an entry: then settle_lone() has all the memory it needs.
  if (heap_.empty() && !lone_.is_live && heap_.capacity() != 0) {
    lone_ = {.record = &timers_[index], .id = timers_.id_of(index), .is_live = true};
    return set_lone(duration_ms, state, callback);
  }
  Timer& timer = timers_[index];
  static_cast<TimerState&>(timer) = state;
  if (callback != nullptr) timer.callback.fill(std::move(*callback));
  ++referenced_;
  insert(index, duration_ms, state.start_ms);
  report_scheduled(index, duration_ms);
  return timers_.id_of(index);
}

void TimersPhase::report_scheduled(std::uint32_t index, std::int32_t duration_ms) noexcept {
  door_.scheduled(task_of(index), std::chrono::milliseconds(duration_ms));
}

[[gnu::noinline]] void TimersPhase::destroy_callback(Timer& timer) {
  const Callback<> spent = std::move(timer.callback);
}

[[gnu::flatten]] bool TimersPhase::clear_listed(detail::SlotId id) {
  Timer* found = timers_.find(id);
  if (found == nullptr || found->cleared) return precise_.clear(id);
  Timer& timer = *found;
  door_.cancelled({timer.kind(), task_id(id)});
  settle_lone();
  std::uint32_t list_index = timer.list;
  if (list_index != kNone) {
    unlink(id.index);
  } else {
    list_index = list_of_duration_.find(firing_duration_ms_);
  }
  if (timer.referenced && list_index != kNone && lists_[list_index].timers.empty()) {
    if (lists_[list_index].heap_position == 0) {
      empty_visit_ms_ = std::min(empty_visit_ms_, *next_expiry_ms());
    }
    remove_list(list_index);
  }
  if (timer.firing) {
    timer.cleared = 1;  // its callback is on the stack: it is released when that returns
    if (timer.referenced) --referenced_;
    timer.referenced = 0;
  } else {
    release(id.index);
  }
  return true;
}

bool TimersPhase::refresh(detail::SlotId id, std::int64_t start_ms) {
  Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return precise_.refresh(id);
  settle_lone();
  const std::int32_t duration_ms = duration_of(*timer);
  if (timer->list != kNone) {
    const std::uint32_t list_index = timer->list;
    unlink(id.index);
    append(id.index, list_index, start_ms);
  } else {
    insert(id.index, duration_ms, start_ms);
  }
  report_scheduled(id.index, duration_ms);
  return true;
}

void TimersPhase::set_ref(detail::SlotId id, bool referenced) noexcept {
  Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return precise_.set_ref(id, referenced);
  if (timer->referenced == static_cast<std::uint64_t>(referenced)) return;
  timer->referenced = referenced ? 1 : 0;
  referenced ? ++referenced_ : --referenced_;
}

bool TimersPhase::has_ref(detail::SlotId id) const noexcept {
  const Timer* timer = timers_.find(id);
  if (timer == nullptr || timer->cleared) return precise_.has_ref(id);
  return timer->referenced;
}

bool TimersPhase::active(detail::SlotId id) const noexcept {
  const Timer* timer = timers_.find(id);
  if (timer == nullptr) return precise_.active(id);
  return !timer->cleared;
}

// ---- Running ----------------------------------------------------------------------------------

void TimersPhase::run(std::int64_t now_ms, std::size_t budget) {
  // One value of now for all lists: what a callback sets cannot be due before they are looked at
  // again.
  visit_.now_ms = now_ms;
  visit_.budget = budget;
  visit_.list = {};
  visit_.chosen = {};
  policy_.begin_visit();
  empty_visit_ms_ = kNever;
  if (!precise_.empty()) precise_.run(core_.stamp(), visit_.budget);
  bool found_none = true;
  for (std::uint32_t index = find_next_due(); index != kNone; index = find_next_due()) {
    found_none = false;
    take_due(index);
    fire(index);
  }
  policy_.end_visit();
  if (found_none && multiplexed()) door_.drain();
}

/// Whether a list is to be looked at in this visit.
bool TimersPhase::is_list_due() const noexcept {
  return !heap_.empty() && heap_.front().expiry_ms <= visit_.now_ms && visit_.budget != 0;
}

bool TimersPhase::begin_anew() noexcept {
  if (!policy_.begin_anew()) return false;
  visit_.list = {};
  visit_.chosen = {};
  return true;
}

/// The timer that runs next in this visit; kNone if there is none.
std::uint32_t TimersPhase::find_next_due() {
  for (;;) {
    settle_lone();
    // A callback may have emptied the list and with it ended it; a new list of the same duration is
    // another one with its own position.
    if (lists_.find(visit_.list) != nullptr) {
      const std::uint32_t index = find_in_list(visit_.list.index);
      if (index != kNone || visit_.budget == 0) return index;
    }
    // Ticks that an exception has postponed run before the next list, or else after all lists.
    const bool is_last = !is_list_due();
    policy_.set_ahead(!is_last);
    if (policy_.ticks_come_first()) {
      if (is_last) end_lists();
      door_.drain_put_off();
      if (!is_last && !is_list_due()) continue;  // the ticks have cleared it
    }
    if (is_last) return kNone;
    visit_.list = lists_.id_of(heap_.front().list);
    policy_.begin_list();
  }
}

/// kNone, if the list is done with for this visit or the budget is spent.
std::uint32_t TimersPhase::find_in_list(std::uint32_t list_index) {
  const List& list = lists_[list_index];
  if (list.timers.empty()) {
    remove_list(list_index);
    return kNone;
  }
  const Timer* chosen = timers_.find(visit_.chosen);
  const bool has_chosen = chosen != nullptr && chosen->list == list_index;
  if (!has_chosen) {
    visit_.chosen = {};
    if (put_off_if_early(list_index)) return kNone;
  }
  if (visit_.budget == 0) return kNone;
  return has_chosen ? visit_.chosen.index : list.timers.head;
}

/// Out of its list, to be fired.
void TimersPhase::take_due(std::uint32_t index) noexcept {
  const Timer& timer = timers_[index];
  --visit_.budget;
  visit_.chosen = {};
  policy_.begin_timer();
  if (timer.next != kNone) __builtin_prefetch(&timers_[timer.next]);
  firing_duration_ms_ = lists_[timer.list].duration_ms;
  unlink(index);
}

/// If its first timer is not due (the list was looked at for one that is gone or has run), the list
/// is inserted at the right place of the heap, and is not looked at again in this visit.
bool TimersPhase::put_off_if_early(std::uint32_t list_index) noexcept {
  const List& list = lists_[list_index];
  const Timer& timer = timers_[list.timers.head];
  if (visit_.now_ms - timer.start_ms >= list.duration_ms) return false;
  HeapEntry& entry = heap_[list.heap_position];
  entry.expiry_ms = std::max<std::int64_t>(timer.start_ms + list.duration_ms, visit_.now_ms + 1);
  entry.order = placed_++;
  sift_down(list.heap_position);
  visit_.list = {};
  return true;
}

/// What Node does between a callback and its ticks: it ends or postpones the list, or chooses the
/// next timer, which then runs even if a tick restarts it.
void TimersPhase::look_ahead() noexcept {
  // If the callback has thrown, the lists are looked at from the beginning, with this one as the
  // first, if it has not been cleared to the last timer.
  if (lists_.find(visit_.list) == nullptr) {
    policy_.leave_list();
  } else {
    const std::uint32_t list_index = visit_.list.index;
    if (lists_[list_index].timers.empty()) {
      remove_list(list_index);
    } else if (!put_off_if_early(list_index)) {
      visit_.chosen = timers_.id_of(lists_[list_index].timers.head);
    }
  }
  const bool has_next = visit_.chosen != detail::SlotId{} || is_list_due();
  policy_.set_ahead(has_next);
  if (!has_next) end_lists();
}

/// All lists are done; only the ticks of the visit are left.
void TimersPhase::end_lists() noexcept {
  if (!policy_.end_lists()) return;
  not_before_ms_ = core_.now_ms() + 1;
  if (!heap_.empty()) empty_visit_ms_ = kNever;
}

/// Ends what is firing, however the callback ends.
class TimersPhase::Firing {
 public:
  Firing(TimersPhase& phase, std::uint32_t index) : phase_(phase) { phase_.begin_firing(index); }
  ~Firing() {
    if (phase_.firing_ != detail::SlotId{} || phase_.threw_) phase_.end_firing();
  }
  Firing(const Firing&) = delete;
  Firing& operator=(const Firing&) = delete;

 private:
  TimersPhase& phase_;
};

void TimersPhase::fire(std::uint32_t index) {
  door_.run(task_of(index), [&] {
    const Firing firing(*this, index);
    timers_[index].in_batch ? batch_() : timers_[index].callback();
  });
}

void TimersPhase::begin_firing(std::uint32_t index) noexcept {
  Timer& timer = timers_[index];
  timer.firing = 1;
  firing_ = timers_.id_of(index);
  if (!timer.repeats) return;
  firing_began_ms_ = multiplexed() ? core_.now_ms_at_present() : core_.present_ms();
}

/// Before the ticks run: an interval is appended to its list before a tick can set another
/// timer.
void TimersPhase::end_firing() {
  if (!std::exchange(threw_, false)) set_again_or_release();
  if (!multiplexed()) return;
  settle_lone();
  look_ahead();
}

void TimersPhase::end_thrown() {
  set_again_or_release();
  threw_ = true;
}

void TimersPhase::set_again_or_release() {
  const std::uint32_t index = std::exchange(firing_, {}).index;
  Timer& timer = timers_[index];
  timer.firing = 0;
  if (timer.repeats && !timer.cleared) {
    if (timer.list != kNone) unlink(index);  // it was refreshed meanwhile
    insert(index, firing_duration_ms_, firing_began_ms_);
    report_scheduled(index, firing_duration_ms_);
  } else if (timer.list == kNone) {
    release(index);
  }
}

bool TimersPhase::batch_may_go_on() const noexcept {
  // An observer of every timer: then each goes through the door.
  return !door_.wants_all() && !core_.stopping() && !door_.tasks_waiting();
}

bool TimersPhase::begin_next_in_batch() {
  if (!batch_may_go_on()) return false;
  const std::uint32_t index = find_next_due();
  if (index == kNone || !timers_[index].in_batch) return false;
  take_due(index);
  door_.count_another();
  begin_firing(index);
  return true;
}

TimersPhase::Overdue TimersPhase::overdue(std::int64_t now_ms) const noexcept {
  Overdue overdue;
  if (lone_.is_live) {
    const std::int64_t late_ms = now_ms - lone_.record->start_ms - lone_.duration_ms;
    if (late_ms > 0) overdue = {.count = 1, .most_ms = late_ms};
  }
  precise_.for_each_deadline([&](std::chrono::nanoseconds deadline) {
    const std::int64_t late_ms =
        now_ms - std::chrono::ceil<std::chrono::milliseconds>(deadline).count();
    if (late_ms <= 0) return;
    ++overdue.count;
    overdue.most_ms = std::max(overdue.most_ms, late_ms);
  });
  for (const HeapEntry& entry : heap_) {
    const List& list = lists_[entry.list];
    // In the order in which they are due.
    for (std::uint32_t i = list.timers.head; i != kNone; i = timers_[i].next) {
      const std::int64_t late_ms = now_ms - timers_[i].start_ms - list.duration_ms;
      if (late_ms <= 0) break;
      ++overdue.count;
      overdue.most_ms = std::max(overdue.most_ms, late_ms);
    }
  }
  return overdue;
}

[[gnu::noinline]] void TimersPhase::end_lone() noexcept {
  const Lone lone = std::exchange(lone_, {});
  if (lone.is_live) {
    insert(lone.id.index, lone.duration_ms, lone.record->start_ms);
  } else {
    timers_.give_back(lone.id.index);
  }
}

void TimersPhase::insert(std::uint32_t index, std::int32_t duration_ms, std::int64_t start_ms) {
  settle_lone();
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
  if (timer.callback.reset_if_trivial()) return timers_.give_back(index);
  const Callback<> spent = std::move(timer.callback);
  timers_.give_back(index);
}

Task TimersPhase::task_of(std::uint32_t index) const noexcept {
  return {timers_[index].kind(), task_id(timers_.id_of(index))};
}

void TimersPhase::drop_all() {
  precise_.drop_all();
  for (settle_lone(); !heap_.empty(); settle_lone()) {
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
  if (position + 1 == heap_.size()) {
    heap_.pop_back();
    return;
  }
  const HeapEntry last = heap_.back();
  heap_.pop_back();
  heap_[position] = last;
  lists_[last.list].heap_position = position;
  sift_down(position);
  sift_up(lists_[last.list].heap_position);
}

void TimersPhase::sift_up(std::uint32_t position) noexcept {
  // Mostly it stays, and is not copied: to read as a whole what was just written in parts is slow.
  if (position == 0 || !heap_[position].before(heap_[(position - 1) / 2])) {
    lists_[heap_[position].list].heap_position = position;
    return;
  }
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
