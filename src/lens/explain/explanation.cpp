#include <algorithm>
#include <utility>

#include "rondo/lens/explain.h"

#include "lens/explain/record.h"

namespace rondo::lens {

Explanation::Explanation(ExplanationOptions options)
    : record_(std::make_unique<Record>(std::move(options))) {}

Explanation::~Explanation() = default;

const ExplanationOptions& Explanation::options() const noexcept {
  return record_->options_;
}
const std::deque<Run>& Explanation::runs() const noexcept {
  return record_->runs_;
}
const std::deque<Output>& Explanation::outputs() const noexcept {
  return record_->outputs_;
}
const std::deque<Sleep>& Explanation::sleeps() const noexcept {
  return record_->sleeps_;
}
const std::deque<Moment>& Explanation::timeline() const noexcept {
  return record_->timeline_;
}
std::uint64_t Explanation::run_count() const noexcept {
  return record_->run_count_;
}
std::uint64_t Explanation::output_left_out() const noexcept {
  return record_->output_left_out_;
}
const std::vector<Run>& Explanation::longest() const noexcept {
  return record_->longest_;
}
Time Explanation::began() const noexcept {
  return record_->began_;
}
const std::vector<Left>& Explanation::left() const noexcept {
  return record_->left_;
}

Time Explanation::finished() const noexcept {
  return record_->last_;
}
bool Explanation::is_finished() const noexcept {
  return record_->is_finished_;
}
End Explanation::end() const noexcept {
  return record_->end_;
}
std::uint64_t Explanation::iterations() const noexcept {
  return record_->iterations_;
}
Time Explanation::idle() const noexcept {
  return record_->idle_;
}

std::uint64_t Explanation::count_of(Kind kind) const noexcept {
  return record_->count_of_[static_cast<std::size_t>(kind)];
}

std::uint64_t Explanation::count_in(Phase phase) const noexcept {
  return record_->count_in_[static_cast<std::size_t>(phase)];
}

Time Explanation::time_in(Phase phase) const noexcept {
  if (phase != Phase::none) return record_->time_in_[static_cast<std::size_t>(phase)];
  Time rest = record_->last_ - record_->began_ - record_->idle_;
  for (const Time time : record_->time_in_) rest -= time;
  return std::max(rest, Time{});
}

const Run* Explanation::find(RunNumber number) const noexcept {
  const auto found = std::ranges::lower_bound(record_->runs_, number, {}, &Run::number);
  return found != record_->runs_.end() && found->number == number ? &*found : nullptr;
}

std::vector<Group> Explanation::groups(std::size_t most) const {
  return record_->groups_.longest(most);
}

bool Explanation::wants_every_phase() const {
  return record_->runs_.size() < record_->options_.limit;
}

void Explanation::on_iteration(Time /*at*/, std::uint64_t number) noexcept {
  record_->iterations_ = number;
}

void Explanation::on_quiet_iteration(Time /*at*/, std::uint64_t number) noexcept {
  record_->iterations_ = number;
}

void Explanation::on_phase_enter(Time at, Phase phase) noexcept {
  Record& record = *record_;
  if (record.began_.count() == 0) record.began_ = at;
  record.phase_ = phase;
  record.phase_began_ = at;
  record.phase_idle_ = record.last_sleep_ = Time{};
  if (phase == Phase::timers) record.order_.visit_timers();
}

void Explanation::on_phase_leave(Time at, Phase phase) noexcept {
  Record& record = *record_;
  record.time_in_[static_cast<std::size_t>(phase)] += at - record.phase_began_ - record.phase_idle_;
  record.phase_ = Phase::none;
  record.last_ = at;
}

void Explanation::on_wait(Time at) noexcept {
  record_->wait_began_ = at;
  record_->last_sleep_ = Time{};
}

void Explanation::on_woken(Time at, std::size_t /*completions*/) noexcept {
  if (record_->wait_began_.count() == 0) return;
  record_->add_sleep(std::exchange(record_->wait_began_, Time{}), at);
}

void Explanation::on_made(Time at, const Subject& subject) noexcept {
  record_->made(at, subject);
}

void Explanation::on_begin(Time at, SubjectId id, std::string_view event,
                           std::string_view label) noexcept {
  record_->begin(at, id, event, label);
}

void Explanation::on_end(Time at, SubjectId id) noexcept {
  record_->end(at, id);
}

void Explanation::on_function(SubjectId id, const Site& function) noexcept {
  if (record_->live_.empty() || record_->live_.back().subject != id) return;
  RunningCallback& live = record_->live_.back();
  live.callback = record_->pool_.pooled(function);
  if (live.index != RunningCallback::kUnlisted)
    record_->runs_[live.index].callback = live.callback.to_location();
}

void Explanation::on_failed(SubjectId id, std::string_view error) noexcept {
  if (record_->live_.empty() || record_->live_.back().subject != id) return;
  record_->live_.back().error = error;
}

void Explanation::on_again(Time at, SubjectId id) noexcept {
  if (KnownSubject* known = record_->find(id)) record_->start_again(at, *known);
}

void Explanation::on_gone(Time /*at*/, SubjectId id) noexcept {
  record_->gone(id);
}

void Explanation::on_output(Time at, int descriptor, std::string_view text) noexcept {
  record_->add_output(at, descriptor, text);
}

void Explanation::on_unfinished(Time /*at*/, std::span<const Unfinished> left) noexcept {
  for (const Unfinished& each : left) {
    const Site& site = each.site;
    record_->left_.push_back({std::string(each.kind), std::string(each.what), each.count,
                              SourceLocation{.file = std::string(site.file),
                                             .function = std::string(site.function),
                                             .line = site.line,
                                             .column = site.column},
                              std::string(each.source)});
  }
}

void Explanation::on_finish(Time at, End end) noexcept {
  Record& record = *record_;
  on_woken(at, 0);  // it may be asleep
  // The last visit to the timers is counted as all of them are, though after the limit it is not
  // reported of it.
  if (!wants_every_phase() && end == End::nothing_left && record.iterations_ > 0)
    ++record.iterations_;
  while (!record.live_.empty()) record.end(at, record.live_.back().subject);
  if (record.phase_ != Phase::none) on_phase_leave(at, record.phase_);
  record.last_ = at;
  record.end_ = end;
  record.is_finished_ = true;
}

}  // namespace rondo::lens
