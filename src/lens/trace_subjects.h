// What is known of the subjects that may still call back, by their ids: a hash table, because the
// process that writes has to keep up with a loop that makes millions of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rondo/lens.h"

namespace rondo::lens {

struct TracedSubject {
  SubjectId id = 0;  // 0: a free place
  SubjectId cause = 0;
  std::uint64_t flow = 0;  // of the arrow to it; 0 for none
  std::uint32_t delay = 0;
  Kind kind = Kind::request;
  bool has_label = false;
  bool waits = false;  // counted among those that wait
};

class TracedSubjects {
 public:
  TracedSubjects() : places_(kFirstSize), promises_(kPromises) {}

  TracedSubject* find(SubjectId id) noexcept {
    TracedSubject& promise = promises_[id % kPromises];
    if (promise.id == id) return &promise;
    const std::size_t at = look(id);
    return places_[at].id == id ? &places_[at] : nullptr;
  }

  void add(const TracedSubject& subject) {
    // Nobody tells when a promise will not be heard of any more: the last so many are kept.
    if (subject.kind == Kind::promise) {
      promises_[subject.id % kPromises] = subject;
      return;
    }
    if ((count_ + 1) * 2 > places_.size()) grow();
    TracedSubject& place = places_[look(subject.id)];
    if (place.id == 0) ++count_;
    place = subject;
  }

  void remove(SubjectId id) noexcept {
    TracedSubject& promise = promises_[id % kPromises];
    if (promise.id == id) promise.id = 0;
    std::size_t hole = look(id);
    if (places_[hole].id != id) return;
    --count_;
    // Those behind it that only stand there because it was in their way move up.
    const std::size_t mask = places_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; places_[at].id != 0; at = (at + 1) & mask) {
      const std::size_t home = home_of(places_[at].id);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole].id = 0;
  }

 private:
  static constexpr std::size_t kFirstSize = 1024;
  static constexpr std::size_t kPromises = 65536;

  /// Ids are numbers in a row: left so, they would stand in one long row, and each removal would
  /// look at all of it.
  std::size_t home_of(SubjectId id) const noexcept {
    return static_cast<std::size_t>((id * 0x9E37'79B9'7F4A'7C15) >> 20) & (places_.size() - 1);
  }
  /// Its place, or the free one where it would be.
  std::size_t look(SubjectId id) const noexcept {
    std::size_t at = home_of(id);
    while (places_[at].id != 0 && places_[at].id != id) at = (at + 1) & (places_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<TracedSubject> old(places_.size() * 2);
    old.swap(places_);
    for (const TracedSubject& subject : old) {
      if (subject.id != 0) places_[look(subject.id)] = subject;
    }
  }

  std::vector<TracedSubject> places_;  // their number is a power of two
  std::size_t count_ = 0;
  std::vector<TracedSubject> promises_;
};

}  // namespace rondo::lens
