#include "io/fs/inotify.h"

#include <sys/inotify.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace rondo {

namespace detail {

std::optional<InotifyRecord> next_inotify_record(std::span<const std::byte>& bytes) noexcept {
  inotify_event header;
  if (bytes.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto rest = bytes.subspan(sizeof(header));
  if (header.len > rest.size()) return std::nullopt;
  // The name is padded with NULs, if there is one.
  const auto* text = reinterpret_cast<const char*>(rest.data());
  const std::string_view name(text, ::strnlen(text, header.len));
  bytes = rest.subspan(header.len);
  return InotifyRecord{header.wd, header.mask, header.cookie, name};
}

namespace {

struct Meaning {
  std::uint32_t bit;
  fs::FsEventKind kind;
};

constexpr Meaning kMeanings[] = {
    {IN_Q_OVERFLOW, fs::FsEventKind::overflow},
    {IN_DELETE_SELF, fs::FsEventKind::watched_removed},
    {IN_UNMOUNT, fs::FsEventKind::watched_removed},
    {IN_MOVE_SELF, fs::FsEventKind::watched_moved},
    {IN_CREATE, fs::FsEventKind::created},
    {IN_MOVED_TO, fs::FsEventKind::created},
    {IN_DELETE, fs::FsEventKind::removed},
    {IN_MOVED_FROM, fs::FsEventKind::removed},
    {IN_MODIFY, fs::FsEventKind::changed},
    {IN_ATTRIB, fs::FsEventKind::attributes},
};

}  // namespace

void MovePairing::add(std::string_view path, const InotifyRecord& record) {
  if ((record.mask & IN_MOVED_TO) != 0 && record.cookie != 0) {
    const auto left = std::ranges::find(queue_, record.cookie, &Item::cookie);
    if (left != queue_.end()) {
      fs::FsEvent& event = left->event;
      event.kind = fs::FsEventKind::renamed;
      event.from_path = std::exchange(event.path, std::string(path));
      event.from_name = std::exchange(event.name, std::string(record.name));
      left->cookie = 0;
      return;
    }
  }
  const auto meaning = std::ranges::find_if(
      kMeanings, [&](const Meaning& one) { return (record.mask & one.bit) != 0; });
  if (meaning == std::end(kMeanings)) return;
  fs::FsEvent event;
  event.kind = meaning->kind;
  event.path = path;
  event.name = record.name;
  event.is_folder = (record.mask & IN_ISDIR) != 0;
  const bool may_arrive = meaning->bit == IN_MOVED_FROM;
  queue_.push_back({std::move(event), may_arrive ? record.cookie : 0});
}

void MovePairing::forget(std::string_view path) {
  for (Item& item : queue_) {
    fs::FsEvent& event = item.event;
    if (event.kind != fs::FsEventKind::renamed) continue;
    if (event.path != path && event.from_path != path) continue;
    const bool has_left = event.path == path;
    event.kind = has_left ? fs::FsEventKind::removed : fs::FsEventKind::created;
    const std::string from_path = std::exchange(event.from_path, {});
    const std::string from_name = std::exchange(event.from_name, {});
    if (!has_left) continue;
    event.path = from_path;
    event.name = from_name;
  }
  std::erase_if(queue_, [&](const Item& item) { return item.event.path == path; });
}

std::optional<fs::FsEvent> MovePairing::next() {
  if (!has_next()) return std::nullopt;
  fs::FsEvent event = std::move(queue_.front().event);
  queue_.pop_front();
  return event;
}

void MovePairing::give_up() noexcept {
  for (Item& item : queue_) item.cookie = 0;
}

}  // namespace detail

std::string_view fs::to_string(FsEventKind kind) noexcept {
  switch (kind) {
    case FsEventKind::created:
      return "created";
    case FsEventKind::removed:
      return "removed";
    case FsEventKind::renamed:
      return "renamed";
    case FsEventKind::changed:
      return "changed";
    case FsEventKind::attributes:
      return "attributes";
    case FsEventKind::watched_moved:
      return "watched_moved";
    case FsEventKind::watched_removed:
      return "watched_removed";
    case FsEventKind::overflow:
      return "overflow";
  }
  return "unknown";
}

}  // namespace rondo
