// Callbacks that run in every iteration, in the order they were added: the idle phase, the
// prepare phase, and the first half of check.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rondo/callback.h"
#include "rondo/phase.h"

#include "core/containers/slab.h"
#include "core/containers/slot_list.h"

namespace rondo {

class Door;

/// The three hook phases share one slab, so that a Hook need not say which of them it is in.
class Hooks {
 public:
  explicit Hooks(Door& door) noexcept : door_(door) {}

  detail::SlotId add(TaskKind kind, Callback<>&& callback);
  bool clear(detail::SlotId id);
  void set_ref(detail::SlotId id, bool referenced) noexcept;
  bool has_ref(detail::SlotId id) const noexcept;
  bool active(detail::SlotId id) const noexcept;

  /// Runs each hook of a kind once.
  void run(TaskKind kind);

  std::size_t size(TaskKind kind) const noexcept { return group(kind).size; }
  bool keeps_alive() const noexcept { return referenced_ != 0; }
  void drop_all();

 private:
  struct Record {
    std::uint32_t generation = 1;
    std::uint32_t next = kNone;
    std::uint32_t prev = kNone;
    TaskKind kind = TaskKind::idle_hook;
    bool referenced = false;
    bool running = false;     // its callback is on the stack
    bool cleared = false;     // while running: release it when the callback returns
    std::uint64_t since = 0;  // the visit during which it was added
    Callback<> callback;
  };

  struct Group {
    SlotList list;
    std::size_t size = 0;
    std::uint64_t visit = 0;
    std::uint32_t upcoming = kNone;  // the hook this visit runs next
  };

  class Running;

  Group& group(TaskKind kind) noexcept { return groups_[group_index(kind)]; }
  const Group& group(TaskKind kind) const noexcept { return groups_[group_index(kind)]; }
  static std::size_t group_index(TaskKind kind) noexcept {
    return kind == TaskKind::idle_hook ? 0 : kind == TaskKind::prepare_hook ? 1 : 2;
  }
  void release(std::uint32_t index);
  Task task_of(std::uint32_t index) const noexcept {
    return {records_[index].kind, task_id(records_.id_of(index))};
  }

  Door& door_;
  Slab<Record> records_;
  Group groups_[3];
  std::size_t referenced_ = 0;
};

}  // namespace rondo
