#include "rondo/detail/alarm.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/loop_core.h"

namespace rondo::detail {

namespace {

constexpr std::int64_t kLongestDelayMs = 0x7fffffff;

}  // namespace

void Alarm::set(Loop& loop, Delay delay, Waiter waiter) {
  set(loop.core(), delay, waiter);
}

void Alarm::set(LoopCore& core, Delay delay, Waiter waiter) {
  core.check_thread();
  if (core.ending()) return;
  core_ = &core;
  waiter_ = waiter;
  precise_ = delay.precise();
  if (precise_) {
    deadline_ = core.clock().now().count() + delay.count();
    id_ = core.timers().add_precise(std::chrono::nanoseconds(delay.count()), TaskKind::timeout,
                                    [this] { rang(); });
    return;
  }
  deadline_ = core.present_ms_rounded_up() + std::max<std::int64_t>(delay.count(), 1);
  set_timer();
}

void Alarm::set_timer() {
  // A timer is due when the loop's whole milliseconds have reached its start and duration.
  const std::int64_t start_ms = core_->timer_start_ms();
  const std::int64_t delay_ms = std::clamp<std::int64_t>(deadline_ - start_ms, 1, kLongestDelayMs);
  id_ = core_->timers().add(static_cast<std::int32_t>(delay_ms), start_ms, TaskKind::timeout,
                            [this] { rang(); });
}

void Alarm::rang() {
  if (std::exchange(put_off_, false)) {
    id_ = {};
  } else if (!precise_ && core_->now_ms() < deadline_) {
    return set_timer();
  }
  if (purpose_ == For::timeout && !asked_since_deadline()) {
    put_off_ = true;
    id_ = core_->check().add([this] { rang(); });
    return;
  }
  id_ = {};
  waiter_();
}

bool Alarm::asked_since_deadline() const noexcept {
  const PollPhase& poll = core_->poll();
  return precise_ ? poll.has_asked_since(std::chrono::nanoseconds(deadline_))
                  : poll.has_asked_since_ms(deadline_);
}

bool Alarm::clear() noexcept {
  if (core_ == nullptr) return false;
  const SlotId id = std::exchange(id_, {});
  return std::exchange(put_off_, false) ? core_->check().clear(id) : core_->timers().clear(id);
}

}  // namespace rondo::detail
