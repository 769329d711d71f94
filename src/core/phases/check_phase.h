// The check phase: setImmediate. A visit runs the immediates that were queued before it began;
// what they queue waits for the next visit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rondo/callback.h"
#include "rondo/phase.h"

#include "core/containers/slab.h"
#include "core/containers/slot_list.h"

namespace rondo {

class Door;

class CheckPhase {
 public:
  explicit CheckPhase(Door& door) noexcept : door_(door) {}

  detail::SlotId add(Callback<>&& callback);
  bool clear(detail::SlotId id);
  void set_ref(detail::SlotId id, bool referenced) noexcept;
  bool has_ref(detail::SlotId id) const noexcept;
  bool active(detail::SlotId id) const noexcept;

  void run(std::size_t budget);

  /// Immediates that were unref'd do not count: they run if the loop comes by.
  bool keeps_alive() const noexcept { return referenced_ != 0; }
  bool empty() const noexcept { return records_.taken() == 0; }
  std::size_t size() const noexcept { return records_.taken(); }
  /// Counts as a visit: see LoopCore::try_quiet_iteration().
  void begin_visit() noexcept { ++visit_; }
  /// How often the phase has been visited.
  std::uint64_t visits() const noexcept { return visit_; }
  void drop_all();

 private:
  struct Record {
    std::uint32_t generation = 1;
    std::uint32_t next = kNone;
    std::uint32_t prev = kNone;
    bool referenced = false;
    std::uint64_t since = 0;  // the visit during which it was queued
    Callback<> callback;
  };

  /// Takes a record out of its list and gives it back; the callback is the caller's to destroy.
  Callback<> take_out(std::uint32_t index) noexcept;
  Task task_of(std::uint32_t index) const noexcept {
    return {TaskKind::immediate, task_id(records_.id_of(index))};
  }

  Door& door_;
  Slab<Record> records_;
  SlotList queue_;
  std::uint64_t visit_ = 0;
  std::size_t referenced_ = 0;
};

}  // namespace rondo
