// What is known of the subjects that may still call back, by their ids. The process that writes has
// to keep up with a loop that makes millions of them: ids are mostly numbers in a row, and those in
// a row lie side by side here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "rondo/lens.h"

namespace rondo::lens {

struct TracedSubject {
  SubjectId id = 0;  // 0: a free slot
  SubjectId cause = 0;
  std::uint64_t flow = 0;  // of the arrow to it; 0 for none
  std::int64_t made_at = 0;
  std::uint32_t delay = 0;
  Kind kind = Kind::request;
  bool has_label = false;
  bool waits = false;         // counted among those that wait
  bool departs_late = false;  // the begin of the arrow to it is written when it runs
  bool again = false;         // a timer that was set again since it began to run
  bool has_run = false;
};

class TracedSubjects {
 public:
  TracedSubjects() : promises_(kPromises) {}

  TracedSubject* find(SubjectId id) noexcept {
    TracedSubject& promise = promises_[id % kPromises];
    if (promise.id == id) return &promise;
    const Row* row = find_row(id);
    if (row == nullptr) return nullptr;
    TracedSubject& place = (*row->places)[id % kRow];
    return place.id == id ? &place : nullptr;
  }

  void add(const TracedSubject& subject) {
    // The end of a promise is not reported: the last so many are kept.
    if (subject.kind == Kind::promise) {
      promises_[subject.id % kPromises] = subject;
      return;
    }
    Row* row = find_row(subject.id);
    if (row == nullptr) row = add_row(subject.id);
    TracedSubject& place = (*row->places)[subject.id % kRow];
    if (place.id == 0) ++row->used;
    place = subject;
  }

  void remove(SubjectId id) {
    TracedSubject* found = find(id);
    if (found == nullptr) return;
    found->id = 0;
    if (found == &promises_[id % kPromises]) return;
    if (--find_row(id)->used == 0) remove_row(id);
  }

 private:
  static constexpr std::size_t kRow = 256;
  static constexpr std::size_t kPromises = 65536;
  using Places = std::array<TracedSubject, kRow>;

  struct Row {
    std::unique_ptr<Places> places;
    std::size_t used = 0;
  };

  Row* find_row(SubjectId id) noexcept {
    if (last_ != nullptr && last_number_ == id / kRow) return last_;
    const auto found = rows_.find(id / kRow);
    if (found == rows_.end()) return nullptr;
    last_number_ = id / kRow;
    return last_ = &found->second;
  }

  Row* add_row(SubjectId id) {
    Row& row = rows_[id / kRow];
    // One is kept: a chain makes and ends one subject after the other.
    row.places = spare_ ? std::move(spare_) : std::make_unique<Places>();
    last_number_ = id / kRow;
    return last_ = &row;
  }

  void remove_row(SubjectId id) {
    const auto found = rows_.find(id / kRow);
    spare_ = std::move(found->second.places);
    rows_.erase(found);
    last_ = nullptr;
  }

  std::unordered_map<SubjectId, Row> rows_;  // by id / kRow
  Row* last_ = nullptr;                      // the one that was used last
  SubjectId last_number_ = 0;
  std::unique_ptr<Places> spare_;
  std::vector<TracedSubject> promises_;
};

}  // namespace rondo::lens
