#include "core/phases/check_phase.h"

#include <utility>

#include "core/door.h"

namespace rondo {

detail::SlotId CheckPhase::add(Callback<>&& callback) {
  const std::uint32_t index = records_.take();
  Record& record = records_[index];
  record.referenced = true;
  record.since = visit_;
  record.callback = std::move(callback);
  queue_.append(records_, index);
  ++referenced_;
  door_.scheduled(task_of(index));
  return records_.id_of(index);
}

bool CheckPhase::clear(detail::SlotId id) {
  if (!active(id)) return false;
  door_.cancelled(task_of(id.index));
  const Callback<> spent = take_out(id.index);
  return true;
}

void CheckPhase::set_ref(detail::SlotId id, bool referenced) noexcept {
  if (!active(id) || records_[id.index].referenced == referenced) return;
  records_[id.index].referenced = referenced;
  referenced ? ++referenced_ : --referenced_;
}

bool CheckPhase::has_ref(detail::SlotId id) const noexcept {
  return active(id) && records_[id.index].referenced;
}

bool CheckPhase::active(detail::SlotId id) const noexcept {
  return records_.find(id) != nullptr;
}

void CheckPhase::run(std::size_t budget) {
  ++visit_;
  for (; budget != 0 && !queue_.empty(); --budget) {
    const std::uint32_t index = queue_.head;
    if (records_[index].since == visit_) return;  // queued during this visit, as all after it
    door_.run(task_of(index), [&] {
      Callback<> callback = take_out(index);
      callback();
    });
  }
}

Callback<> CheckPhase::take_out(std::uint32_t index) noexcept {
  Record& record = records_[index];
  queue_.remove(records_, index);
  if (record.referenced) --referenced_;
  Callback<> callback = std::move(record.callback);
  records_.give_back(index);
  return callback;
}

void CheckPhase::drop_all() {
  while (!queue_.empty()) {
    const Callback<> spent = take_out(queue_.head);
  }
}

}  // namespace rondo
