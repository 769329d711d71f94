// The one source of choice. Where the promises leave an order open, the loop asks here; with no
// scheduler it takes the natural order without asking. A schedule explorer is another
// implementation of this class.
#pragma once

#include <cstddef>

namespace rondo {

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// `ready` completions (at least one) have been collected. How many are delivered in this
  /// visit to poll? At least 1 and at most `ready`; the rest is delivered in the next visit.
  virtual std::size_t completions_to_take(std::size_t ready) noexcept { return ready; }

  /// Which of `ready` collected completions (at least two) comes next? An index below `ready`.
  virtual std::size_t next_completion(std::size_t /*ready*/) noexcept { return 0; }

  /// run() looks at the timers for the first time. Timers of 1 ms that were set while the main
  /// program ran may already be due or not, depending on how fast the machine is: true lets one
  /// more millisecond have passed before this look. Asked only when that would make a difference.
  virtual bool first_look_is_late() noexcept { return false; }
};

}  // namespace rondo
