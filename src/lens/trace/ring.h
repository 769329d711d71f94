// Memory that two processes share: one thread of the first leaves records in it, the second takes
// them. Neither waits in here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lens/trace/record.h"

namespace rondo::lens {

/// What has become of the process that writes the file.
enum class TraceState : std::uint32_t { running, limit_reached, write_failed };

struct TraceRing {
  static constexpr std::uint64_t kSlots = std::uint64_t{1} << 18;  // 4 MiB

  // Both only grow; a slot is the number's remainder.
  alignas(64) std::atomic<std::uint64_t> head;  // after the last record
  alignas(64) std::atomic<std::uint64_t> tail;  // the first record that was not taken yet
  std::atomic<bool> taker_sleeps;
  std::atomic<TraceState> state;
  std::atomic<int> error_number;          // of write_failed
  std::atomic<std::uint64_t> file_bytes;  // grows while the taker is at work
  /// Room for records; to make them would touch all of it.
  alignas(64) std::array<std::byte, kSlots * sizeof(Slot)> slots;

  void* slot(std::uint64_t number) noexcept {
    return slots.data() + (number & (kSlots - 1)) * sizeof(Slot);
  }
};

}  // namespace rondo::lens
