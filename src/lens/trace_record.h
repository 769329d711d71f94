// What the loop's thread tells the process that writes the trace.
#pragma once

#include <cstdint>

namespace rondo::lens {

enum class RecordType : std::uint8_t {
  iteration,    // id: its number
  quiet_round,  // id: its number; the loop has not left the check phase
  enter,        // kind: the phase
  leave,
  wait,
  woken,   // id: completions
  made,    // id, other: the cause, kind, number: the delay; text: label, then a line with the place
  begin,   // id; text: a label, or an event if `kind` is kEvent
  end,     // id
  gone,    // id
  finish,  // kind: the End, or kClosed
};

/// Of `begin`: what the text is.
inline constexpr std::uint8_t kEvent = 1;
/// Of `finish`: nobody has said why.
inline constexpr std::uint8_t kClosed = 255;

/// One slot of the ring. A text follows in the next slots, as many as it needs.
struct Record {
  std::int64_t at = 0;  // nanoseconds of the steady clock
  std::uint64_t id = 0;
  std::uint64_t other = 0;
  std::uint32_t number = 0;
  RecordType type = RecordType::iteration;
  std::uint8_t kind = 0;
  std::uint16_t text_size = 0;
};
static_assert(sizeof(Record) == 32);

inline constexpr std::uint64_t slots_of_text(std::uint64_t size) noexcept {
  return (size + sizeof(Record) - 1) / sizeof(Record);
}

}  // namespace rondo::lens
