#include "rondo/lens/metrics.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <utility>

#include "rondo/loop.h"

namespace rondo::lens {

namespace {

constexpr std::size_t kMostSites = 256;
constexpr std::size_t kListedSites = 20;
constexpr std::size_t kMostBlocked = 50;
constexpr std::size_t kListedHandles = 200;
constexpr std::size_t kMostText = 300;  // of a label or a source location
/// Depths are looked at this often while the loop runs, and this often before it sleeps: counting
/// them costs as much as a callback.
constexpr Time kDepthsWhileRunning = std::chrono::milliseconds(50);
constexpr Time kDepthsBeforeSleep = std::chrono::milliseconds(1);

/// What a callback of this phase is, unless more is known.
std::string_view describe(Phase phase) noexcept {
  switch (phase) {
    case Phase::none:
      return "the program";
    case Phase::timers:
      return "a timer";
    case Phase::pending:
      return "a deferred callback";
    case Phase::idle:
    case Phase::prepare:
      return "a hook";
    case Phase::poll:
      return "an event";
    case Phase::check:
      return "an immediate";
    case Phase::close:
      return "a close callback";
  }
  return {};
}

std::string shortened(std::string_view text) {
  if (text.size() <= kMostText) return std::string(text);
  std::size_t end = kMostText;
  // Not in the middle of a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

/// A path as it is written in this folder.
std::string_view inside(std::string_view folder, std::string_view path) {
  return path.starts_with(folder) ? path.substr(folder.size()) : path;
}

std::string to_text(const Site& site, std::string_view folder) {
  if (site.file.empty()) return {};
  const std::string at = std::string(inside(folder, site.file)) + ':' + std::to_string(site.line);
  return shortened(site.function.empty() ? at : std::string(site.function) + " (" + at + ')');
}

using Words = std::array<std::size_t, sizeof(QueueDepths) / sizeof(std::size_t)>;
static_assert(sizeof(Words) == sizeof(QueueDepths));

}  // namespace

Metrics::Metrics(Lens& lens) : lens_(lens), before_(lens.iteration()), started_(now()) {
  outside_ = round_ = started_;
  std::error_code none;
  folder_ = std::filesystem::current_path(none).string() + '/';
  constexpr std::size_t kUsualDepth = 16;
  runs_.reserve(kUsualDepth);
  blocked_.reserve(kMostBlocked);
  lens_.add(*this);
  if (lens_.metrics() == nullptr) lens_.set_metrics(this);
}

Metrics::~Metrics() {
  if (lens_.metrics() == this) lens_.set_metrics(nullptr);
  lens_.remove(*this);
}

// ---- On the loop's thread ----------------------------------------------------------------------

void Metrics::on_iteration(Time at, std::uint64_t number) noexcept {
  iterations_.set(number - before_);
  if (at - published_ >= kDepthsWhileRunning) publish_depths(at, lens_.depths());
}

void Metrics::on_quiet_iteration(Time at, std::uint64_t number) noexcept {
  // As if it had left the check phase and come back.
  on_phase_leave(at, Phase::check);
  on_iteration(at, number);
  on_phase_enter(at, Phase::check);
  came_back(at);
}

void Metrics::on_phase_enter(Time at, Phase phase) noexcept {
  come_inside(at);
  phase_.set(phase);
  phase_began_ = at;
  slept_ = in_callbacks_ = {};
  callbacks_before_ = callbacks_[static_cast<std::size_t>(phase)].get();
  blocked_before_ = blocked_count_.get();
  if (phase == Phase::poll) came_back(at);
}

void Metrics::on_phase_leave(Time at, Phase phase) noexcept {
  const auto index = static_cast<std::size_t>(phase);
  const Time spent = at - phase_began_ - slept_;
  phase_time_[index].add(spent.count());
  phase_.set(Phase::none);
  go_outside(at);
  if (spent < kBlocked || blocked_count_.get() != blocked_before_) return;
  // No single callback was it.
  const std::uint64_t count = callbacks_[index].get() - callbacks_before_;
  note_blocked(at - spent, spent, phase,
               in_callbacks_ < spent / 2 ? "ticks and promises"
                                         : std::to_string(count) + " callbacks in one visit",
               {});
}

/// The time between two runs of a loop is not a delay.
void Metrics::come_inside(Time at) noexcept {
  if (std::exchange(is_outside_, false)) round_ += at - outside_;
  away_since_.set(round_.count());
}

void Metrics::go_outside(Time at) noexcept {
  outside_ = at;
  is_outside_ = true;
  away_since_.set(0);
}

/// The loop polls: the iteration that began when it last did is over.
void Metrics::came_back(Time at) noexcept {
  const Time away = at - round_;
  delay_[Histogram::index_of(away)].add(1);
  delay_sum_.add(away.count());
  round_ = at;
  away_since_.set(at.count());
}

void Metrics::on_wait(Time at) noexcept {
  waits_.add(1);
  if (at - published_ >= kDepthsBeforeSleep) {
    // A loop that sleeps has nothing else to do: only unref'd immediates may wait in an
    // engine.
    const QueueDepths depths = lens_.loop().metrics().depth;
    publish_depths(at, depths.immediates == 0 ? depths : lens_.depths());
  }
  away_since_.set(0);
  asleep_since_.set(at.count());
}

void Metrics::on_woken(Time at, std::size_t completions) noexcept {
  const std::int64_t slept = at.count() - asleep_since_.get();
  asleep_since_.set(0);
  away_since_.set(at.count());
  idle_.add(slept);
  slept_ += Time(slept);
  events_.add(completions);
  round_ = at;
}

void Metrics::on_begin(Time at, SubjectId id, std::string_view /*event*/,
                       std::string_view /*label*/) noexcept {
  bool is_callback = false;
  if (runs_.empty()) {
    const Phase phase = phase_.get();
    // Ticks and microtasks are counted in other ways.
    const Source source = lens_.running_source();
    if (source != Source::tick && source != Source::microtask) {
      callbacks_[static_cast<std::size_t>(phase)].add(1);
      sources_[static_cast<std::size_t>(source)].add(1);
      is_callback = id != kMain;
    }
    if (phase == Phase::none) come_inside(at);
    running_.set(id);
    running_since_.set(at.count());
  }
  runs_.push_back({at, id, is_callback});
}

void Metrics::on_end(Time at, SubjectId /*id*/) noexcept {
  if (runs_.empty()) return;  // it began before the metrics did
  const Run run = runs_.back();
  runs_.pop_back();
  // What is inside of a callback is part of it.
  if (runs_.empty()) end_run(at, run);
}

void Metrics::end_run(Time at, Run run) noexcept {
  const Time length = at - run.began;
  const Phase phase = phase_.get();
  running_.set(0);
  running_since_.set(0);
  in_callbacks_ += length;
  if (run.is_callback) {
    durations_[Histogram::index_of(length)].add(1);
    durations_sum_.add(length.count());
  }
  // Behind the main program come its ticks and promises; the loop is away until it begins.
  if (phase == Phase::none && !(run.id == kMain && lens_.has_engine())) go_outside(at);
  if (length < kSlow) [[likely]]
    return;
  last_run_ = run;
  last_run_length_ = length;
  last_run_phase_ = phase;
  if (lens_.has_engine())
    lens_.ask_details();
  else
    on_details(run.id, {}, {});
}

void Metrics::on_ran(Source source, std::uint64_t count) noexcept {
  sources_[static_cast<std::size_t>(source)].add(count);
}

void Metrics::on_details(SubjectId id, std::string_view label, const Site& callback) noexcept {
  if (id != last_run_.id) return;
  last_run_.id = 0;
  const std::string_view what = label.empty() ? describe(last_run_phase_) : inside(folder_, label);
  note_slow(what, callback, last_run_length_);
  if (last_run_length_ >= kBlocked) {
    note_blocked(last_run_.began, last_run_length_, last_run_phase_, shortened(what),
                 to_text(callback, folder_));
  }
}

void Metrics::note_slow(std::string_view label, const Site& callback, Time length) {
  const std::lock_guard lock(mutex_);
  const std::string_view file = inside(folder_, callback.file);
  const auto is_it = [&](const SlowSite& site) {
    if (site.line != callback.line || site.column != callback.column) return false;
    return file.empty() ? site.label == shortened(label) : site.file == file;
  };
  auto found = std::ranges::find_if(sites_, is_it);
  if (found == sites_.end()) {
    SlowSite site{.label = shortened(label),
                  .file = std::string(file),
                  .function = shortened(callback.function),
                  .line = callback.line,
                  .column = callback.column};
    if (sites_.size() < kMostSites) {
      found = sites_.insert(sites_.end(), std::move(site));
    } else {
      found = std::ranges::min_element(sites_, {}, &SlowSite::total);
      *found = std::move(site);
    }
  }
  ++found->runs;
  found->total += length;
  found->longest = std::max(found->longest, length);
  changed();
}

void Metrics::note_blocked(Time began, Time length, Phase phase, std::string what,
                           std::string place) {
  blocked_count_.add(1);
  blocked_time_.add(length.count());
  const std::lock_guard lock(mutex_);
  // Where it was in the middle of it says more than where the function is.
  if (place_reported_ >= began && !running_place_.empty()) place = running_place_;
  running_place_.clear();
  Stall moment{
      .when = std::chrono::system_clock::now() -
              std::chrono::duration_cast<std::chrono::system_clock::duration>(now() - began),
      .length = length,
      .phase = phase,
      .what = std::move(what),
      .place = std::move(place)};
  if (blocked_.size() < kMostBlocked)
    blocked_.push_back(std::move(moment));
  else
    blocked_[next_blocked_] = std::move(moment);
  next_blocked_ = (next_blocked_ + 1) % kMostBlocked;
  changed();
}

void Metrics::on_place(Time at, const Site& place) noexcept {
  publish_depths(at, lens_.depths());
  if (place.file.empty()) return;  // in lib/, perhaps returning: what was reported before says more
  const std::lock_guard lock(mutex_);
  running_place_ = to_text(place, folder_);
  place_reported_ = at;
  changed();
}

void Metrics::on_opened(SubjectId id, std::string_view label) noexcept {
  const std::lock_guard lock(mutex_);
  handles_[id] = shortened(label);
  handle_count_.set(handles_.size());
  changed();
}

void Metrics::on_closed(SubjectId id) noexcept {
  const std::lock_guard lock(mutex_);
  handles_.erase(id);
  handle_count_.set(handles_.size());
  changed();
}

void Metrics::on_finish(Time at, End /*end*/) noexcept {
  publish_depths(at, lens_.loop().metrics().depth);
  finished_.set(true);
  if (at_end_) at_end_();
}

void Metrics::publish_depths(Time at, const QueueDepths& depths) noexcept {
  published_ = at;
  const rondo::Metrics loop = lens_.loop().metrics();
  ticks_.set(loop.ticks);
  microtasks_.set(loop.microtasks);
  const auto words = std::bit_cast<Words>(depths);
  for (std::size_t i = 0; i < words.size(); ++i) depth_[i].set(words[i]);
}

// ---- On any thread -----------------------------------------------------------------------------

Figures Metrics::read() const {
  Figures figures;
  figures.started = started_;
  figures.iterations = iterations_.get();
  figures.waits = waits_.get();
  figures.events = events_.get();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    figures.phases[i] = {callbacks_[i].get(), Time(phase_time_[i].get())};
  }
  for (std::size_t i = 0; i < kSourceCount; ++i) figures.sources[i] = sources_[i].get();
  figures.sources[static_cast<std::size_t>(Source::tick)] += ticks_.get();
  figures.sources[static_cast<std::size_t>(Source::microtask)] += microtasks_.get();
  Words words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = depth_[i].get();
  figures.depth = std::bit_cast<QueueDepths>(words);
  for (std::size_t i = 0; i < Histogram::kSize; ++i) {
    figures.delay.counts[i] = delay_[i].get();
    figures.durations.counts[i] = durations_[i].get();
  }
  figures.delay_sum = Time(delay_sum_.get());
  figures.durations_sum = Time(durations_sum_.get());
  figures.blocked = blocked_count_.get();
  figures.blocked_time = Time(blocked_time_.get());
  figures.handles = handle_count_.get();

  Present& moment = figures.now;
  moment.phase = phase_.get();
  moment.finished = finished_.get();
  moment.running = running_.get();
  const std::int64_t running_since = running_since_.get();
  const std::int64_t away_since = away_since_.get();
  const std::int64_t asleep_since = asleep_since_.get();
  const std::int64_t idle = idle_.get();
  // Read last: what began meanwhile must not seem to have begun in the future.
  figures.at = now();
  const auto since = [&](std::int64_t begin) {
    return begin == 0 ? Time{} : std::max(Time{}, figures.at - Time(begin));
  };
  moment.asleep = asleep_since != 0;
  moment.running_for = since(running_since);
  moment.away_for = moment.asleep || moment.finished ? Time{} : since(away_since);
  figures.idle = Time(idle) + since(asleep_since);
  return figures;
}

Lists Metrics::lists() const {
  Lists lists;
  const std::lock_guard lock(mutex_);
  lists.version = version_.load(std::memory_order_relaxed);
  const auto first = [&](Time SlowSite::* figure) {
    std::vector<SlowSite> sites(std::min(kListedSites, sites_.size()));
    std::ranges::partial_sort_copy(sites_, sites, std::ranges::greater{}, figure, figure);
    return sites;
  };
  lists.slowest = first(&SlowSite::longest);
  lists.busiest = first(&SlowSite::total);
  for (std::size_t i = 0; i < blocked_.size(); ++i) {
    lists.blocked.push_back(blocked_[(next_blocked_ + kMostBlocked - 1 - i) % kMostBlocked]);
  }
  for (const auto& [id, label] : handles_) {
    if (lists.handles.size() == kListedHandles) break;
    lists.handles.push_back({id, label});
  }
  const std::int64_t away_since = away_since_.get();
  if (away_since != 0 && place_reported_ >= Time(away_since)) lists.running_place = running_place_;
  return lists;
}

}  // namespace rondo::lens
