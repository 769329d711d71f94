// How a host such as a JavaScript engine has the timers visited, and when ticks that an exception
// postponed run. Node's rules differ from those of a plain loop; they are observable in programs
// that stall or throw, and docs/semantics.md lists them. All of their state is here: TimersPhase
// consults it during a visit, and the host reports how its callbacks ended.
//
// The close phase of such a host runs the newest callback first (QueuePhase).
//
// Node multiplexes all timers onto one libuv timer. When the lists have been visited, that timer is
// set for the next expiry, but at least 1 ms after the loop's time; and it fires once per visit,
// even if the ticks after the last timer have moved the clock past the next expiry.
//
// Ticks: an exception in a callback postpones its ticks until after the next callback, or until the
// end of the visit to the timers. The states:
//
//   ready        -> threw        a callback of the host ended with an exception
//   threw        -> postponed    the drain after it runs nothing
//   postponed    -> ready        the next drain, which runs them
//   ready        -> interrupted  a tick threw: those after it wait
//   interrupted  -> postponed    if another timer is due in this visit: lists are visited again
//   interrupted  -> left         the call that ran several callbacks ended: its drain runs nothing
//   left         -> ready        that drain
#pragma once

#include <cstdint>

namespace rondo {

class VisitPolicy {
 public:
  enum class Kind : std::uint8_t { plain, multiplexed };

  void set_kind(Kind kind) noexcept { kind_ = kind; }
  bool multiplexed() const noexcept { return kind_ == Kind::multiplexed; }

  // ---- Ticks --------------------------------------------------------------------------------

  void callback_ended(bool threw) noexcept {
    if (threw) [[unlikely]]
      ticks_ = Ticks::threw;
    else if (ticks_ == Ticks::threw)
      ticks_ = Ticks::ready;
  }
  /// The callback counts as one that did not throw.
  void forget_exception() noexcept { callback_ended(false); }
  /// At the beginning of a drain: whether ticks run now.
  bool may_drain() noexcept {
    const Ticks before = ticks_;
    ticks_ = before == Ticks::threw ? Ticks::postponed : Ticks::ready;
    return before != Ticks::threw && before != Ticks::left;
  }
  /// A tick threw, as reported to callback_ended(). `begins_anew`: see above.
  bool interrupted() const noexcept { return ticks_ == Ticks::threw; }
  void interrupt(bool begins_anew) noexcept {
    ticks_ = begins_anew ? Ticks::postponed : Ticks::interrupted;
  }
  bool postponed() const noexcept { return ticks_ == Ticks::postponed; }
  /// A call that ran several callbacks, with a drain between them, is about to end.
  void several_ended() noexcept {
    if (ticks_ == Ticks::interrupted) ticks_ = Ticks::left;
  }

  // ---- A visit to the lists of timers ---------------------------------------------------------

  void begin_visit() noexcept {
    lists_ = Lists::fresh;
    ahead_ = Ahead::unknown;
  }
  void end_visit() noexcept { ahead_ = Ahead::unknown; }
  /// A list is chosen; the next timer is taken from it.
  void begin_list() noexcept { lists_ = Lists::entered; }
  void leave_list() noexcept { lists_ = Lists::fresh; }
  void begin_timer() noexcept { ahead_ = Ahead::unknown; }

  /// Between two timers: whether another one is due in this visit.
  void set_ahead(bool more) noexcept {
    if (more)
      ahead_ = Ahead::more;
    else if (ahead_ == Ahead::more)
      ahead_ = Ahead::unknown;
  }
  /// Returns whether the lists had not ended before.
  bool end_lists() noexcept {
    const bool first = ahead_ != Ahead::nothing;
    ahead_ = Ahead::nothing;
    return first;
  }
  /// Ticks ended with an exception between two timers: Node then visits the lists again. Returns
  /// false if no timer was to follow.
  bool begin_anew() noexcept {
    if (ahead_ != Ahead::more) return false;
    begin_visit();
    return true;
  }
  /// Whether postponed ticks run before the visit continues with a list, or ends.
  bool ticks_come_first() const noexcept {
    return multiplexed() && (lists_ == Lists::entered || ahead_ != Ahead::more);
  }

 private:
  enum class Ticks : std::uint8_t { ready, threw, postponed, interrupted, left };
  enum class Lists : std::uint8_t { fresh, entered };
  enum class Ahead : std::uint8_t { unknown, more, nothing };

  Kind kind_ = Kind::plain;
  Ticks ticks_ = Ticks::ready;
  Lists lists_ = Lists::fresh;
  Ahead ahead_ = Ahead::unknown;
};

}  // namespace rondo
