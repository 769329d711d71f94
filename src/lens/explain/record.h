// How an Explanation (rondo/lens/explain.h) keeps the record of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rondo/lens/explain.h"

#include "lens/explain/groups.h"
#include "lens/explain/order_reasons.h"
#include "lens/explain/subjects.h"
#include "lens/explain/text_pool.h"

namespace rondo::lens {

class Explanation::Record {
 public:
  explicit Record(ExplanationOptions options) : options_(std::move(options)) {}

  void made(Time at, const Subject& subject);
  void start_again(Time at, KnownSubject& known);
  void begin(Time at, SubjectId id, std::string_view event, std::string_view label);
  void end(Time at, SubjectId id);
  void gone(SubjectId id);
  void add_output(Time at, int descriptor, std::string_view text);
  void add_sleep(Time begin, Time end);

  KnownSubject* find(SubjectId id) {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  ExplanationOptions options_;
  std::deque<Run> runs_;
  std::deque<Output> outputs_;
  std::deque<Sleep> sleeps_;
  std::deque<Moment> timeline_;
  std::vector<Run> longest_;
  std::vector<Left> left_;
  CallbackGroups groups_;

  std::array<std::uint64_t, kKindCount> count_of_{};
  std::array<std::uint64_t, kPhaseCount> count_in_{};
  std::array<Time, kPhaseCount> time_in_{};
  std::uint64_t run_count_ = 0;
  std::uint64_t output_kept_ = 0;
  std::uint64_t output_left_out_ = 0;
  std::uint64_t iterations_ = 0;
  Time idle_{};
  Time began_{};
  Time last_{};
  End end_ = End::nothing_left;
  bool is_finished_ = false;

  Phase phase_ = Phase::none;
  Time phase_began_{};
  Time phase_idle_{};
  Time wait_began_{};
  Time last_sleep_{};  // of this visit to poll

  TextPool pool_;
  OrderReasons order_;
  std::vector<RunningCallback> live_;  // one inside the other

 private:
  void forget(std::unordered_map<SubjectId, KnownSubject>::iterator found);
  void forget_oldest();
  static bool goes_on(const KnownSubject& known, const RunningCallback& live);
  static bool is_step(const KnownSubject& known, const RunningCallback& live);
  bool is_listed(const RunningCallback& live) const;
  RunNumber operation_of_live() const noexcept;
  void leave_out();

  std::unordered_map<SubjectId, KnownSubject> known_;
  std::deque<SubjectId> oldest_;           // of known_, and some that are gone
  std::deque<SubjectId> oldest_promises_;  // the same: most of them never run, and are never gone
  /// What was made while nothing ran, for a handle that begins next: it and the handle.
  std::vector<std::pair<SubjectId, SubjectId>> made_ahead_;
  RunNumber last_operation_ = 0;  // a run other than a tick, promise or microtask
};

}  // namespace rondo::lens
