// Storage for records that are named by a number: stable addresses, O(1) to take and give back,
// nothing allocated once it has grown to the size the program needs.
//
// A record that was given back and taken again carries another generation, so that an old name
// for it is recognised as stale. Record must have the members `std::uint32_t generation` (begins
// at 1) and `std::uint32_t next` (the slab's while the record is free, the owner's otherwise).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rondo/handles.h"

namespace rondo {

/// The index that names no record.
inline constexpr std::uint32_t kNone = 0xffffffffU;

template <class Record>
class Slab {
 public:
  std::uint32_t take() {
    ++taken_;
    if (free_ != kNone) {
      const std::uint32_t index = free_;
      free_ = (*this)[index].next;
      return index;
    }
    return take_fresh();
  }

  void give_back(std::uint32_t index) noexcept {
    Record& record = (*this)[index];
    renew(record);
    record.next = free_;
    free_ = index;
    --taken_;
  }

  /// Makes the names of a record stale that its owner keeps for another use; returns the new
  /// generation.
  static std::uint32_t renew(Record& record) noexcept {
    const std::uint32_t generation = record.generation + 1;
    return record.generation = generation == 0 ? 1 : generation;
  }

  Record& operator[](std::uint32_t index) noexcept {
    assert(index < fresh_);
    return chunks_[index / kChunk][index % kChunk];
  }
  const Record& operator[](std::uint32_t index) const noexcept {
    assert(index < fresh_);
    return chunks_[index / kChunk][index % kChunk];
  }

  detail::SlotId id_of(std::uint32_t index) const noexcept {
    return {index, (*this)[index].generation};
  }

  /// The record of this name, or null if it is stale.
  const Record* find(detail::SlotId id) const noexcept {
    if (id.index >= fresh_) return nullptr;
    const Record& record = (*this)[id.index];
    return record.generation == id.generation ? &record : nullptr;
  }
  Record* find(detail::SlotId id) noexcept {
    return const_cast<Record*>(std::as_const(*this).find(id));
  }

  std::size_t taken() const noexcept { return taken_; }

 private:
  static constexpr std::uint32_t kChunk = 1024;

  [[gnu::noinline]] std::uint32_t take_fresh() {
    if (fresh_ % kChunk == 0) {
      // Uninitialised except for the constructors: a chunk must not cost what it does not use yet.
      chunks_.push_back(std::make_unique<Record[]>(kChunk));
    }
    return fresh_++;
  }

  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::uint32_t fresh_ = 0;  // records below this have been taken at least once
  std::uint32_t free_ = kNone;
  std::size_t taken_ = 0;
};

/// The number by which an observer knows a record's task.
inline std::uint64_t task_id(detail::SlotId id) noexcept {
  return (std::uint64_t{id.generation} << 32) | id.index;
}

}  // namespace rondo
