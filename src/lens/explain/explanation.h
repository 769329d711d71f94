// How the record of a run (rondo/lens/explain.h) is kept.
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

  /// A source location whose texts are in the pool.
  struct PlaceRef {
    const std::string* file = nullptr;
    const std::string* function = nullptr;
    int line = 0;
    int column = 0;
    bool operator==(const PlaceRef&) const = default;
  };

  /// A text of the pool, or, if that is full, one with an owner of its own.
  struct Text {
    const std::string* pooled = nullptr;
    std::shared_ptr<const std::string> own = nullptr;

    const std::string& get() const noexcept { return own != nullptr ? *own : *pooled; }
    bool empty() const noexcept { return pooled == nullptr || get().empty(); }
  };

  /// What is known of a subject.
  struct Known {
    Kind kind = Kind::request;
    bool counted = false;       // among operations_
    bool is_single = false;     // and is done at once, when it is done: no steps
    bool is_over = false;       // nothing more of it will run: goes when what runs has ended
    bool follows_step = false;  // the label is that of the whole
    bool is_inner = false;      // made by a library
    bool site_is_inherited = false;
    bool is_waiting = false;  // an immediate, or a timer of 1 ms, that has not run yet
    Phase made_in = Phase::none;
    int depth = 0;
    Text label;
    Text whole;  // the operation that it is a part of; empty: none
    const std::string* step = nullptr;
    Traits traits = {};
    const std::string* type = nullptr;
    PlaceRef site;
    std::chrono::milliseconds delay{};
    Time made{};
    RunNumber cause = 0;
    RunNumber last_run = 0;
    RunNumber asked_by = 0;  // the cause of the whole, if it is a step
    std::uint64_t look = 0;  // how often the timers had been looked at
  };

  static constexpr std::size_t kUnlisted = static_cast<std::size_t>(-1);

  /// A callback that runs. Only those that are listed, and those that run longest, are worth a Run.
  struct Live {
    RunNumber number = 0;
    SubjectId subject = 0;
    std::uint64_t iteration = 0;
    Phase phase = Phase::none;
    Kind kind = Kind::request;
    bool made_step = false;
    bool is_again = false;            // its subject has run before
    bool made_inner_promise = false;  // where no code of the program ran
    bool has_program = false;         // code of the program was seen in it
    int depth = 0;
    Text label;
    Text event;
    const std::string* type = nullptr;
    PlaceRef site;
    PlaceRef callback;
    std::string error = {};
    RunNumber cause = 0;
    RunNumber after = 0;
    RunNumber inside = 0;
    std::chrono::milliseconds delay{};
    Time made{};
    Time begin{};
    std::size_t index = kUnlisted;  // in runs_, where it goes
    std::string note = {};
  };

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
  std::vector<Left> left_;

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
  std::uint64_t looks_ = 0;

 private:
  /// With a source location, everything alike there has one row, whatever peer or file it is about.
  /// Without one there is nothing but the label to go by.
  struct GroupKey {
    const std::string* label = nullptr;  // or its first word; null: all others
    const std::string* event = nullptr;
    const std::string* step = nullptr;
    PlaceRef site;
    bool operator==(const GroupKey&) const = default;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct GroupHash {
    std::size_t operator()(const GroupKey& key) const noexcept;
  };
  friend Explanation;

  /// Operations that one run has started and that are not done.
  struct Operations {
    int under_way = 0;
    int single = 0;  // of these
    Time started{};  // the last of them
    bool noted = false;
    bool noted_immediate = false;
  };

  /// How many of a kind wait, and how many of them have been there since before the timers were
  /// looked at the last time.
  struct Waiting {
    std::uint64_t all = 0;
    std::uint64_t older = 0;
  };

  /// A timer or the end of an operation that ran: it may be what something else has raced with.
  struct Racer {
    RunNumber number = 0;
    RunNumber asked_by = 0;
    std::chrono::milliseconds delay{};
    Time due{};  // when it could have run
    Time begin{};
    std::uint64_t iteration = 0;
  };

  const std::string* find_pooled(std::string_view text);
  const std::string* pooled(std::string_view text);
  Text to_text(std::string_view text);
  PlaceRef pooled(const Site& site);
  void forget(std::unordered_map<SubjectId, Known>::iterator found);
  void forget_oldest();
  void stop_counting(Known& known);
  Waiting* waiting_of(const Known& known) noexcept;
  void wait(Known& known) noexcept;
  void wait_no_more(Known& known) noexcept;
  static bool goes_on(const Known& known, const Live& live);
  static bool is_step(const Known& known, const Live& live);
  bool is_listed(const Live& live) const;
  Run to_run(const Live& live) const;
  std::string why(const Live& run, const Known* known) const;
  std::string open_order(const Live& run, const Known* known);
  std::string open_due(const Live& run, const Known& known) const;
  std::string open_race(const Live& run, const Known& known) const;
  std::string open_completion(const Live& run, const Known& known);
  std::string open_between(const Live& run, const Known& known, Operations& operations);
  std::string open_look(const Live& run, const Known& known);
  void note_racer(const Live& run, const Known& known);
  RunNumber operation_of_live() const noexcept;
  void count(const Live& run, const std::string* step, Time end);
  void leave_out();

  std::unordered_map<SubjectId, Known> known_;
  std::deque<SubjectId> oldest_;           // of known_, and such as are gone
  std::deque<SubjectId> oldest_promises_;  // the same: most of them never run, and are never gone
  std::unordered_set<std::string, TextHash, std::equal_to<>> pool_;
  std::array<const std::string*, 8> recent_{};  // of the pool
  std::size_t next_recent_ = 0;
  std::unordered_map<GroupKey, Group, GroupHash> groups_;
  std::vector<Live> live_;
  /// What was made while nothing ran, for a handle that begins next: it and the handle.
  std::vector<std::pair<SubjectId, SubjectId>> made_ahead_;
  Waiting immediates_;
  Waiting short_timers_;  // of 1 ms
  std::map<RunNumber, Operations> operations_;
  RunNumber last_operation_ = 0;  // a run other than a tick, promise or microtask
  std::uint64_t noted_look_ = 0;
  Racer last_timer_;
  Racer last_timeout_;
  std::array<Racer, 8> last_completions_;
  std::size_t next_completion_ = 0;
  Racer last_single_;  // an operation without steps
};

}  // namespace rondo::lens
