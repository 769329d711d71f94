// Why a callback ran just then, and whether it could have been otherwise: "due since 0.3 ms",
// "either order: ...".
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "rondo/lens/explain.h"

#include "lens/explain/subjects.h"

namespace rondo::lens {

/// Sleeps that are worth mentioning.
inline constexpr Time kShortestSleep = std::chrono::microseconds(100);

class OrderReasons {
 public:
  /// The timers phase begins: a "look" in the names below. Timers set by then can run in this
  /// visit.
  void visit_timers() noexcept;

  /// An immediate or a short timer begins to wait (again), or waits no more.
  void wait(KnownSubject& known) noexcept;
  void wait_no_more(KnownSubject& known) noexcept;

  /// A counted operation has started, or does not count any more.
  void start_operation(const KnownSubject& known, Time at);
  void stop_counting(KnownSubject& known);

  /// `slept`: how long this visit to poll has slept.
  std::string why(const RunningCallback& run, const KnownSubject* known, Time slept) const;

  /// What can be said when a callback begins; empty if the order was certain.
  std::string note_at_begin(const RunningCallback& run, const KnownSubject* known);
  /// What can be said only when it has ended. A step is compared with other operations only.
  std::string note_at_end(const RunningCallback& run, const KnownSubject& known, bool is_step);
  /// Something else may have raced with what has just run.
  void note_racer(const RunningCallback& run, const KnownSubject& known);

 private:
  /// Operations that one run has started and that are not done.
  struct Operations {
    int under_way = 0;
    int single = 0;  // of these
    Time started{};  // the last of them
    bool noted = false;
    bool noted_immediate = false;
  };

  /// How many of a kind wait, and how many of them have waited since before the last look.
  struct Waiting {
    std::uint64_t all = 0;
    std::uint64_t older = 0;
  };

  /// A timer or the end of an operation that ran: something else may have raced with it.
  struct Racer {
    RunNumber number = 0;
    RunNumber asked_by = 0;
    std::chrono::milliseconds delay{};
    Time due{};  // when it could have run
    Time begin{};
    std::uint64_t iteration = 0;
  };

  Waiting* waiting_of(const KnownSubject& known) noexcept;
  std::string open_due(const RunningCallback& run, const KnownSubject& known) const;
  std::string open_race(const RunningCallback& run, const KnownSubject& known) const;
  std::string open_completion(const RunningCallback& run, const KnownSubject& known);
  std::string open_between(const RunningCallback& run, const KnownSubject& known,
                           Operations& operations);
  std::string open_look(const RunningCallback& run, const KnownSubject& known);

  std::uint64_t looks_ = 0;
  std::uint64_t noted_look_ = 0;
  Waiting immediates_;
  Waiting short_timers_;                        // of 1 ms
  std::map<RunNumber, Operations> operations_;  // by what has started them
  Racer last_timer_;
  Racer last_timeout_;
  std::array<Racer, 8> last_completions_;
  std::size_t next_completion_ = 0;
  Racer last_single_;  // an operation without steps
};

}  // namespace rondo::lens
