#include "lens/blocked/stall_watch.h"

#include <algorithm>
#include <utility>

namespace rondo::lens {

using std::chrono::milliseconds;
using What = BlockedReport::What;

namespace {

constexpr milliseconds kShortestStop{1000};

milliseconds in_ms(std::chrono::steady_clock::duration time) noexcept {
  return std::chrono::duration_cast<milliseconds>(time);
}

}  // namespace

StallWatch::StallWatch(milliseconds limit, Eyes eyes)
    : limit_(limit),
      period_(std::max(Duration(milliseconds(1)), limit_ / 8)),
      eyes_(std::move(eyes)) {
  last_look_ = seen_at_ = eyes_.now();
  begin_anew(eyes_.sample());
}

std::chrono::nanoseconds StallWatch::look() {
  const StallTime now = eyes_.now();
  // All of the process was stopped, or the machine slept.
  const Duration stopped = std::max(limit_ + 2 * period_, Duration(kShortestStop));
  if (now - last_look_ > stopped) skip(now - last_look_);
  if (eyes_.engine != nullptr) eyes_.engine->on_look(in_ms(now - last_look_));
  const Progress progress = eyes_.sample();
  if (progress.same_operation(operation_)) {
    seen_at_ = now;
    go_on(now, progress);
  } else {
    end_stall(eyes_.now());
    begin_anew(progress);
    seen_at_ = now;
  }
  last_look_ = eyes_.now();
  // A report that it continues is followed by one of its end: samples are taken more often then.
  if (!stall_) return period_;
  return std::clamp((now - began_before_) / 32, Duration(milliseconds(1)), period_);
}

void StallWatch::begin_anew(const Progress& progress) {
  operations_before_ = std::exchange(operation_, progress).operations;
  began_after_ = seen_at_;
  began_before_ = tick_began_ = eyes_.now();
  last_tick_ = operation_.ticks;
  next_report_ = limit_;
  early_.reset();
  is_mixed_ = false;
  bound_begin(progress);
}

// It may be the first that the loop has called since it read its clock.
void StallWatch::bound_begin(const Progress& progress) {
  const StallTime read_at = progress.read_at;
  if (read_at < began_after_ || read_at > began_before_) return;
  if (progress.read_entries >= progress.entries) return;
  began_after_ = read_at;
  if (progress.read_entries + 1 != progress.entries) return;
  if (operation_.operations != operations_before_) return;
  began_before_ = read_at;
  if (last_tick_ == operation_.ticks) tick_began_ = read_at;
}

void StallWatch::skip(Duration time) noexcept {
  began_after_ += time;
  began_before_ += time;
  tick_began_ += time;
}

void StallWatch::go_on(StallTime now, const Progress& progress) {
  bound_begin(progress);
  if (progress.ticks != last_tick_) {
    last_tick_ = progress.ticks;
    tick_began_ = now;
  }
  // The first sample comes early and shows whether microtasks continue until the second.
  if (now - tick_began_ >= limit_ / 2 && !early_ && eyes_.engine != nullptr) look_early();
  // What did not answer may do so now.
  const bool answers_late = stall_ && stall_->moment.unreachable;
  if (now - began_before_ >= next_report_ || answers_late) report(now, progress);
}

bool StallWatch::is_same_still() {
  const StallTime now = eyes_.now();
  if (!eyes_.sample().same_operation(operation_)) return false;
  seen_at_ = now;
  return true;
}

void StallWatch::look_early() {
  early_ = eyes_.engine->look();
  if (!is_same_still()) early_ = BlockedMoment{};
}

void StallWatch::report(StallTime now, const Progress& progress) {
  const bool is_due = now - began_before_ >= next_report_;
  BlockedReport report{.lasted = in_ms(now - began_before_),
                       .phase = progress.phase,
                       .ticks = progress.ticks - operation_.ticks,
                       .is_engine = eyes_.engine != nullptr};
  bool is_over = false;
  if (eyes_.engine != nullptr) {
    report.moment = eyes_.engine->look();
    // It may have ended while it was asked.
    is_over = !is_same_still();
    if (is_over && stall_) return;
    if (is_over) report.moment = early_.value_or(BlockedMoment{});
    if (report.moment.unreachable && !is_due) return;
  }
  while (now - began_before_ >= next_report_) next_report_ *= 2;
  // Those that a long callback makes wait until it is over.
  const bool have_run = progress.ticks - operation_.ticks > report.moment.ticks_waiting;
  if (have_run && !report.moment.unreachable && now - tick_began_ < limit_) {
    report.what = What::ticks;
    // They change from look to look.
    report.moment.callback.clear();
    report.moment.site = std::move(report.moment.tick_site);
  } else if (report.moment.in_microtasks &&
             progress.microtask_steps != operation_.microtask_steps) {
    report.what = What::microtasks;
  } else if (!report.moment.unreachable) {
    name_mixed(report.moment);
  }
  // What does not answer this time is still the same.
  if (stall_ && report.moment.label.empty()) {
    report.moment.label = stall_->moment.label;
    report.moment.callback = stall_->moment.callback;
    report.moment.site = stall_->moment.site;
  }
  stall_ = report;
  was_reported_ = !is_over;
  if (was_reported_) eyes_.report(report);
}

/// A tick and a promise that follows it are one operation, and its time is that of both.
void StallWatch::name_mixed(BlockedMoment& moment) {
  const BlockedMoment* before = stall_ ? &stall_->moment : early_ ? &*early_ : nullptr;
  if (before != nullptr && !before->label.empty() && !moment.label.empty() &&
      before->in_microtasks != moment.in_microtasks) {
    is_mixed_ = true;
  }
  if (!is_mixed_) return;
  moment.label = "a row of ticks and promises";
  moment.callback.clear();
  moment.site.clear();
}

void StallWatch::finish() {
  end_stall(eyes_.now());
}

void StallWatch::end_stall(StallTime now) {
  if (!stall_) return;
  BlockedReport report = *std::exchange(stall_, std::nullopt);
  report.over = true;
  report.lasted = std::max(report.lasted, in_ms(seen_at_ - began_before_));
  report.at_most = std::max(report.lasted, in_ms(now - began_after_));
  if (was_reported_) report.moment = {.label = report.moment.label};
  if (eyes_.engine != nullptr && report.what == What::ticks) {
    report.ticks = eyes_.engine->ticks() - operation_.ticks;
  }
  eyes_.report(report);
}

}  // namespace rondo::lens
