#include "core/phases/hook_phase.h"

#include <utility>

#include "core/door.h"

namespace rondo {

detail::SlotId Hooks::add(TaskKind kind, Callback<>&& callback) {
  const std::uint32_t index = records_.take();
  Record& record = records_[index];
  Group& group = this->group(kind);
  record.kind = kind;
  record.referenced = true;
  record.since = group.visit;
  record.callback = std::move(callback);
  group.list.append(records_, index);
  ++group.size;
  ++referenced_;
  door_.scheduled(task_of(index));
  return records_.id_of(index);
}

bool Hooks::clear(detail::SlotId id) {
  Record* record = records_.find(id);
  if (record == nullptr || record->cleared) return false;
  door_.cancelled(task_of(id.index));
  Group& group = this->group(record->kind);
  if (group.upcoming == id.index) group.upcoming = record->next;
  group.list.remove(records_, id.index);
  --group.size;
  if (record->referenced) --referenced_;
  if (record->running) {
    record->cleared = true;
  } else {
    release(id.index);
  }
  return true;
}

void Hooks::set_ref(detail::SlotId id, bool referenced) noexcept {
  if (!active(id) || records_[id.index].referenced == referenced) return;
  records_[id.index].referenced = referenced;
  referenced ? ++referenced_ : --referenced_;
}

bool Hooks::has_ref(detail::SlotId id) const noexcept {
  return active(id) && records_[id.index].referenced;
}

bool Hooks::active(detail::SlotId id) const noexcept {
  const Record* record = records_.find(id);
  return record != nullptr && !record->cleared;
}

/// Keeps a hook's callback alive while it is on the stack, also when it clears itself.
class Hooks::Running {
 public:
  Running(Hooks& hooks, std::uint32_t index) noexcept : hooks_(hooks), index_(index) {
    hooks_.records_[index_].running = true;
  }
  ~Running() {
    hooks_.records_[index_].running = false;
    if (hooks_.records_[index_].cleared) hooks_.release(index_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Hooks& hooks_;
  std::uint32_t index_;
};

void Hooks::run(TaskKind kind) {
  Group& group = this->group(kind);
  const std::uint64_t visit = ++group.visit;
  group.upcoming = group.list.head;
  while (group.upcoming != kNone) {
    const std::uint32_t index = group.upcoming;
    if (records_[index].since == visit) break;  // added during this visit, as all after it
    group.upcoming = records_[index].next;
    door_.run(task_of(index), [&] {
      const Running running(*this, index);
      records_[index].callback();
    });
  }
  group.upcoming = kNone;
}

void Hooks::release(std::uint32_t index) {
  Record& record = records_[index];
  record.cleared = false;
  const Callback<> spent = std::move(record.callback);
  records_.give_back(index);
}

void Hooks::drop_all() {
  for (Group& group : groups_) {
    while (!group.list.empty()) {
      clear(records_.id_of(group.list.head));
    }
  }
}

}  // namespace rondo
