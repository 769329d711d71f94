#include "core/phases/precise_timers.h"

#include <algorithm>
#include <utility>

#include "core/loop_core.h"

namespace rondo {

namespace {

using std::chrono::nanoseconds;

// Beyond this a deadline is never: the sum with any time of the clock still has room.
constexpr nanoseconds kLongest = nanoseconds::max() / 2;

}  // namespace

detail::SlotId PreciseTimers::name_of(std::uint32_t index) const noexcept {
  const detail::SlotId id = timers_.id_of(index);
  return {id.index | kMark, id.generation};
}

PreciseTimers::Timer* PreciseTimers::find(detail::SlotId id) noexcept {
  return const_cast<Timer*>(std::as_const(*this).find(id));
}
const PreciseTimers::Timer* PreciseTimers::find(detail::SlotId id) const noexcept {
  if (!has(id)) return nullptr;
  const Timer* timer = timers_.find(inner(id));
  return timer == nullptr || timer->cleared ? nullptr : timer;
}

detail::SlotId PreciseTimers::add(Time duration, TaskKind kind, Callback<>&& callback) {
  const std::uint32_t index = timers_.take();
  Timer& timer = timers_[index];
  timer.kind = kind;
  timer.referenced = true;
  timer.firing = false;
  timer.cleared = false;
  timer.duration = std::clamp(duration, Time(1), kLongest);
  timer.callback = std::move(callback);
  ++referenced_;
  place(index, core_.clock().now() + timer.duration);
  return name_of(index);
}

bool PreciseTimers::clear(detail::SlotId id) {
  Timer* timer = find(id);
  if (timer == nullptr) return false;
  const std::uint32_t index = inner(id).index;
  door_.cancelled(task_of(index));
  if (timer->position != kNowhere) remove(timer->position);
  if (timer->firing) {
    timer->cleared = true;  // it is released when its callback returns
    if (std::exchange(timer->referenced, false)) --referenced_;
  } else {
    release(index);
  }
  return true;
}

bool PreciseTimers::refresh(detail::SlotId id) {
  Timer* timer = find(id);
  if (timer == nullptr) return false;
  if (timer->position != kNowhere) remove(timer->position);
  place(inner(id).index, core_.clock().now() + timer->duration);
  return true;
}

void PreciseTimers::set_ref(detail::SlotId id, bool referenced) noexcept {
  Timer* timer = find(id);
  if (timer == nullptr || timer->referenced == referenced) return;
  timer->referenced = referenced;
  referenced ? ++referenced_ : --referenced_;
}

bool PreciseTimers::has_ref(detail::SlotId id) const noexcept {
  const Timer* timer = find(id);
  return timer != nullptr && timer->referenced;
}

bool PreciseTimers::active(detail::SlotId id) const noexcept {
  return find(id) != nullptr;
}

// ---- Running ----------------------------------------------------------------------------------

/// While the callback is on the stack. After it, before the ticks run: an interval is set again, a
/// timeout is released, unless the callback has refreshed it.
class PreciseTimers::Firing {
 public:
  Firing(PreciseTimers& timers, std::uint32_t index) : timers_(timers), index_(index) {
    Timer& timer = timers_.timers_[index_];
    timer.firing = true;
    if (timer.kind == TaskKind::interval) began_ = timers_.core_.clock().now();
  }
  ~Firing() {
    Timer& timer = timers_.timers_[index_];
    timer.firing = false;
    if (timer.kind == TaskKind::interval && !timer.cleared) {
      if (timer.position != kNowhere) timers_.remove(timer.position);  // it was refreshed meanwhile
      timers_.place(index_, began_ + timer.duration);
    } else if (timer.position == kNowhere) {
      timers_.release(index_);
    }
  }
  Firing(const Firing&) = delete;
  Firing& operator=(const Firing&) = delete;

 private:
  PreciseTimers& timers_;
  std::uint32_t index_;
  Time began_{};
};

void PreciseTimers::run(Time now, std::size_t& budget) {
  // What a callback sets is due after `now`, because the clock is read for it.
  while (budget != 0 && !heap_.empty() && heap_.front().deadline <= now) {
    const std::uint32_t index = heap_.front().index;
    remove(0);
    --budget;
    door_.run(task_of(index), [&] {
      const Firing firing(*this, index);
      timers_[index].callback();
    });
  }
}

void PreciseTimers::release(std::uint32_t index) {
  Timer& timer = timers_[index];
  if (timer.referenced) --referenced_;
  timer.referenced = false;
  const Callback<> spent = std::move(timer.callback);
  timers_.give_back(index);
}

void PreciseTimers::drop_all() {
  while (!heap_.empty()) {
    const std::uint32_t index = heap_.front().index;
    remove(0);
    release(index);
  }
}

// ---- The heap ---------------------------------------------------------------------------------

void PreciseTimers::place(std::uint32_t index, Time deadline) {
  heap_.emplace_back();
  sift_up(static_cast<std::uint32_t>(heap_.size() - 1), {deadline, placed_++, index});
  door_.scheduled(task_of(index),
                  std::chrono::floor<std::chrono::milliseconds>(timers_[index].duration));
}

void PreciseTimers::remove(std::uint32_t position) noexcept {
  timers_[heap_[position].index].position = kNowhere;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (heap_.empty()) next_ms_ = kNever;
  if (position == heap_.size()) return;
  sift_down(position, last);
  sift_up(timers_[last.index].position, last);
}

void PreciseTimers::put(std::uint32_t position, const Entry& entry) noexcept {
  heap_[position] = entry;
  timers_[entry.index].position = position;
  if (position == 0)
    next_ms_ = std::chrono::floor<std::chrono::milliseconds>(entry.deadline).count();
}

void PreciseTimers::sift_up(std::uint32_t position, const Entry& entry) noexcept {
  while (position != 0) {
    const std::uint32_t parent = (position - 1) / 2;
    if (!entry.before(heap_[parent])) break;
    put(position, heap_[parent]);
    position = parent;
  }
  put(position, entry);
}

void PreciseTimers::sift_down(std::uint32_t position, const Entry& entry) noexcept {
  const auto size = static_cast<std::uint32_t>(heap_.size());
  for (;;) {
    std::uint32_t child = 2 * position + 1;
    if (child >= size) break;
    if (child + 1 < size && heap_[child + 1].before(heap_[child])) ++child;
    if (!heap_[child].before(entry)) break;
    put(position, heap_[child]);
    position = child;
  }
  put(position, entry);
}

}  // namespace rondo
