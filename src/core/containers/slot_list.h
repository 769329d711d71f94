// A doubly linked list of slab records, by index: append, remove anywhere, in O(1).
#pragma once

#include <cstdint>

#include "core/containers/slab.h"

namespace rondo {

/// Record needs `std::uint32_t prev` beside what Slab asks for. Undefined for the first of a list.
struct SlotList {
  std::uint32_t head = kNone;
  std::uint32_t tail = kNone;

  bool empty() const noexcept { return head == kNone; }

  template <class Record>
  void append(Slab<Record>& slab, std::uint32_t index) noexcept {
    Record& record = slab[index];
    record.prev = tail;
    record.next = kNone;
    if (tail == kNone) {
      head = index;
    } else {
      slab[tail].next = index;
    }
    tail = index;
  }

  template <class Record>
  void remove(Slab<Record>& slab, std::uint32_t index) noexcept {
    const Record& record = slab[index];
    if (index == head) {
      // The next one becomes the first and is not touched: a queue that is worked off in order
      // reads each record once, not twice.
      head = record.next;
      if (head == kNone) tail = kNone;
      return;
    }
    slab[record.prev].next = record.next;
    if (index == tail) {
      tail = record.prev;
    } else {
      slab[record.next].prev = record.prev;
    }
  }
};

}  // namespace rondo
