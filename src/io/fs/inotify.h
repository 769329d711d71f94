// What inotify says: from bytes to records, from records to events. Pure functions of what was
// read; they make no system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rondo/fs_watch.h"

namespace rondo::detail {

struct InotifyRecord {
  int wd;
  std::uint32_t mask;
  std::uint32_t cookie;
  std::string_view name;  // in the bytes it was read from
};

/// Takes the first record off `bytes`. Nullopt, with `bytes` as it was, when it holds no whole
/// record any more.
std::optional<InotifyRecord> next_inotify_record(std::span<const std::byte>& bytes) noexcept;

/// Joins the two halves of a move and keeps the order. The kernel reports them one after
/// the other, but other events may come between, and the second may be late or never come.
class MovePairing {
 public:
  /// A record about `path`.
  void add(std::string_view path, const InotifyRecord& record);

  /// The next event, unless it depends on something that has not been read yet.
  std::optional<fs::FsEvent> next();

  /// Whether next() would give one.
  bool has_next() const noexcept { return !queue_.empty() && queue_.front().cookie == 0; }
  /// Events of this path are of no interest any more. What has moved between it and another one
  /// has simply come or gone there.
  void forget(std::string_view path);

  /// Whether events wait for the second half of a move.
  bool waits() const noexcept { return !queue_.empty(); }
  /// Those that left and wait at the moment have gone for good.
  void give_up() noexcept;

 private:
  struct Item {
    fs::FsEvent event;
    std::uint32_t cookie;  // of a first half whose second is missing; else 0
  };
  std::deque<Item> queue_;
};

}  // namespace rondo::detail
