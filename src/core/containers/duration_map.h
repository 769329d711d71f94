// From a duration to the list of timers that share it: an open-addressed hash table, because a
// timer that is alone with its duration enters and leaves it each time, without allocating.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/containers/slab.h"

namespace rondo {

class DurationMap {
 public:
  /// The list of this duration, or kNone.
  std::uint32_t find(std::int32_t duration_ms) const noexcept {
    if (entries_.empty()) return kNone;
    for (std::size_t i = home_of(duration_ms);; i = (i + 1) & mask_) {
      if (entries_[i].list == kNone || entries_[i].duration_ms == duration_ms) {
        return entries_[i].list;
      }
    }
  }

  /// Adds a duration that is not in the map.
  void insert(std::int32_t duration_ms, std::uint32_t list) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    place({duration_ms, list});
    ++size_;
  }

  /// Removes a duration that is in the map.
  void erase(std::int32_t duration_ms) noexcept {
    std::size_t hole = home_of(duration_ms);
    while (entries_[hole].duration_ms != duration_ms || entries_[hole].list == kNone) {
      hole = (hole + 1) & mask_;
    }
    // Move back what probed past the hole, so that no search stops there too early.
    for (std::size_t i = (hole + 1) & mask_; entries_[i].list != kNone; i = (i + 1) & mask_) {
      const std::size_t home = home_of(entries_[i].duration_ms);
      if (((i - home) & mask_) >= ((i - hole) & mask_)) {
        entries_[hole] = entries_[i];
        hole = i;
      }
    }
    entries_[hole].list = kNone;
    --size_;
  }

 private:
  struct Entry {
    std::int32_t duration_ms = 0;
    std::uint32_t list = kNone;
  };

  std::size_t home_of(std::int32_t duration_ms) const noexcept {
    // Fibonacci hashing: neighbouring durations spread over the table.
    return (static_cast<std::uint32_t>(duration_ms) * 2654435769U >> 7) & mask_;
  }

  void place(Entry entry) noexcept {
    std::size_t i = home_of(entry.duration_ms);
    while (entries_[i].list != kNone) i = (i + 1) & mask_;
    entries_[i] = entry;
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : entries_.size() * 2);
    old.swap(entries_);
    mask_ = entries_.size() - 1;
    for (const Entry& entry : old) {
      if (entry.list != kNone) place(entry);
    }
  }

  std::vector<Entry> entries_;  // empty, or a power of two in size and at most half full
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

}  // namespace rondo
