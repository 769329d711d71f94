// What the loop's thread sends to the process that writes the trace, and its layout in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::lens {

enum class RecordType : std::uint8_t {
  iteration,        // id: its number
  quiet_iteration,  // id: its number; the loop has not left the check phase
  enter,            // kind: the phase
  leave,
  wait,
  woken,   // id: completions
  begin,   // id; text: a label, or an event if `kind` is kEvent
  end,     // id
  gone,    // id
  again,   // id: a timer that has run, or runs, is set again
  finish,  // kind: the End, or kClosed
  runs,    // id: the number of the function that the last begun callback calls
  // Only as forms of their own:
  made,  // id, other: the cause, kind, number: the delay; text: label, then a line with the source
         // location
  failed,    // id of what runs; text: the error's code
  function,  // id: a number, from 1 on without a gap; text: the function and where it is
};

/// Of `begin`: what the text is.
inline constexpr std::uint8_t kEvent = 1;
/// Of the form kText: what it is.
inline constexpr std::uint8_t kError = 0;
inline constexpr std::uint8_t kFunction = 1;
/// Of `finish`: no reason was given.
inline constexpr std::uint8_t kClosed = 15;

struct Record {
  std::int64_t at = 0;  // nanoseconds of the steady clock
  std::uint64_t id = 0;
  std::uint64_t other = 0;
  std::uint32_t number = 0;
  RecordType type = RecordType::iteration;
  std::uint8_t kind = 0;
};

/// One slot of the ring. A record takes one, or, if it has a cause, a delay or a text of its own,
/// two and those of the text. Two words, so that they can be put together without going through
/// memory: that would take longer than all the rest.
struct Slot {
  std::uint64_t head = 0;  // the time or the delay, the kind, the form
  std::uint64_t id = 0;

  /// 0 to 11 are a RecordType.
  static constexpr unsigned kTypeMask = 15;
  static constexpr unsigned kMadeHere = 12;    // a delay; the time is the last, the cause what runs
  static constexpr unsigned kMadeInFull = 13;  // Details follow
  static constexpr unsigned kBeginWithText = 14;  // Details follow
  static constexpr unsigned kText = 15;           // Details follow; kind: kError or kFunction

  static constexpr int kKindShift = 4;
  static constexpr int kValueShift = 8;

  static constexpr Slot make(unsigned form, std::uint8_t kind, std::uint64_t value,
                             std::uint64_t id) noexcept {
    return {value << kValueShift | std::uint64_t{kind} << kKindShift | form, id};
  }
  constexpr unsigned form() const noexcept { return static_cast<unsigned>(head) & kTypeMask; }
  constexpr std::uint8_t kind() const noexcept {
    return static_cast<std::uint8_t>(head >> kKindShift & 15);
  }
  constexpr std::uint64_t value() const noexcept { return head >> kValueShift; }

  /// The time that is nearest to `last`: the value has lost the first bits of it.
  constexpr std::int64_t time(std::int64_t last) const noexcept {
    const std::uint64_t gone_by = head - (static_cast<std::uint64_t>(last) << kValueShift);
    return last + (static_cast<std::int64_t>(gone_by) >> kValueShift);
  }
};

struct Details {
  std::uint64_t other = 0;
  std::uint32_t number = 0;
  std::uint32_t text_size = 0;
};
static_assert(sizeof(Slot) == 16 && sizeof(Details) == sizeof(Slot));

/// A longer one is cut.
inline constexpr std::size_t kMostText = 1024;

constexpr std::uint64_t slots_of_text(std::uint64_t size) noexcept {
  return (size + sizeof(Slot) - 1) / sizeof(Slot);
}

}  // namespace rondo::lens
