// How the story of a run (rondo/lens/explain.h) is kept.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rondo/lens/explain.h"

namespace rondo::lens {

/// The callback is part of an operation, and ran before the loop went on.
inline bool follows_operation(Kind kind) noexcept {
  return kind == Kind::tick || kind == Kind::promise || kind == Kind::microtask;
}

/// "0.3 ms", "12 µs", "1.25 s".
std::string to_words(Time time);

class Explanation::Book {
 public:
  explicit Book(ExplanationOptions options) : options_(std::move(options)) {}

  /// A place whose texts are in the pool.
  struct PlaceRef {
    const std::string* file = nullptr;
    const std::string* function = nullptr;
    int line = 0;
    int column = 0;
  };

  /// What is known of a subject.
  struct Known {
    Kind kind = Kind::request;
    bool counted = false;       // among operations_
    bool is_over = false;       // nothing more of it will run: goes when what runs has ended
    bool follows_step = false;  // the label is that of the whole
    bool is_inner = false;      // made by a library
    bool site_is_inherited = false;
    Phase made_in = Phase::none;
    int depth = 0;
    std::string label;
    std::string whole;  // the operation that it is a part of; empty: none
    std::string step;
    const std::string* type = nullptr;
    PlaceRef site;
    std::chrono::milliseconds delay{};
    Time made{};
    RunNumber cause = 0;
    RunNumber last_run = 0;
    RunNumber asked_by = 0;  // the cause of the whole, if it is a step
    std::uint64_t look = 0;  // how often the timers had been looked at
  };

  /// A callback that runs.
  struct Live {
    Run run;
    std::size_t index;  // in runs_, where it goes; kUnlisted: nowhere
    bool made_step = false;
  };
  static constexpr std::size_t kUnlisted = static_cast<std::size_t>(-1);

  void made(Time at, const Subject& subject);
  void start_again(Time at, Known& known);
  void begin(Time at, SubjectId id, std::string_view event, std::string_view label);
  void end(Time at, SubjectId id);
  void gone(SubjectId id);
  void add_output(Time at, int descriptor, std::string_view text);
  void add_sleep(Time begin, Time end);

  Known* find(SubjectId id) {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  ExplanationOptions options_;
  std::deque<Run> runs_;
  std::deque<Output> outputs_;
  std::deque<Sleep> sleeps_;
  std::deque<Moment> timeline_;
  std::vector<Run> longest_;

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
  Time look_began_{};
  std::uint64_t looks_ = 0;

 private:
  struct GroupKey {
    std::string label;
    PlaceRef site;
    bool operator==(const GroupKey& other) const noexcept {
      return label == other.label && site.file == other.site.file && site.line == other.site.line &&
             site.column == other.site.column;
    }
  };
  struct GroupHash {
    std::size_t operator()(const GroupKey& key) const noexcept;
  };
  friend Explanation;

  /// Operations that one run has started and that are not done.
  struct Operations {
    int under_way = 0;
    bool noted = false;
  };

  const std::string* pooled(std::string_view text);
  PlaceRef pooled(const Site& site);
  void forget(std::unordered_map<SubjectId, Known>::iterator found);
  static bool is_step(const Known& known, const Live& live);
  bool is_listed(const Run& run) const;
  std::string why(const Run& run, const Known* known) const;
  std::string open_order(const Run& run, const Known* known);
  std::string open_completion(const Known* known);
  void count(const Run& run, const PlaceRef& site);
  void leave_out();

  std::unordered_map<SubjectId, Known> known_;
  std::deque<SubjectId> oldest_;  // of known_, and such as are gone
  std::unordered_set<std::string> pool_;
  std::unordered_map<GroupKey, Group, GroupHash> groups_;
  std::vector<Live> live_;
  std::set<SubjectId> immediates_;    // that wait
  std::set<SubjectId> short_timers_;  // of 1 ms, that wait
  std::map<RunNumber, Operations> operations_;
  RunNumber last_operation_ = 0;  // a run that is no tick, promise or microtask
  std::uint64_t noted_look_ = 0;
};

}  // namespace rondo::lens
