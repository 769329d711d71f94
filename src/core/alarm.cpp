#include "rondo/detail/alarm.h"

#include <algorithm>
#include <utility>

#include "core/loop_core.h"

namespace rondo::detail {

namespace {

constexpr std::int64_t kLongestDelayMs = 0x7fffffff;

}  // namespace

void Alarm::set(Loop& loop, std::int64_t duration_ms, Waiter waiter) {
  set(loop.core(), duration_ms, waiter);
}

void Alarm::set(LoopCore& core, std::int64_t duration_ms, Waiter waiter) {
  core.check_thread();
  if (core.ending()) return;
  core_ = &core;
  waiter_ = waiter;
  deadline_ms_ = core.present_ms_rounded_up() + std::max<std::int64_t>(duration_ms, 1);
  set_timer();
}

void Alarm::set_timer() {
  // A timer is due when the loop's whole milliseconds have reached its start and duration.
  const std::int64_t start_ms = core_->timer_start_ms();
  const std::int64_t delay_ms =
      std::clamp<std::int64_t>(deadline_ms_ - start_ms, 1, kLongestDelayMs);
  id_ = core_->timers().add(static_cast<std::int32_t>(delay_ms), start_ms, TaskKind::timeout,
                            [this] { rang(); });
}

void Alarm::rang() {
  if (std::exchange(put_off_, false)) {
    id_ = {};
  } else if (core_->now_ms() < deadline_ms_) {
    return set_timer();
  }
  if (purpose_ == For::timeout && !core_->poll().has_asked_since(deadline_ms_)) {
    put_off_ = true;
    id_ = core_->check().add([this] { rang(); });
    return;
  }
  id_ = {};
  waiter_();
}

bool Alarm::clear() noexcept {
  if (core_ == nullptr) return false;
  const SlotId id = std::exchange(id_, {});
  return std::exchange(put_off_, false) ? core_->check().clear(id) : core_->timers().clear(id);
}

}  // namespace rondo::detail
