// What must hold for the reader of inotify's bytes, whatever the bytes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "io/fs/inotify.h"

namespace rondo {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void check_inotify_bytes(std::span<const std::byte> bytes) {
  constexpr std::size_t kHeader = 16;
  const std::byte* const end = bytes.data() + bytes.size();
  detail::MovePairing pairing;
  std::size_t records = 0;
  std::size_t told = 0;
  const auto tell = [&] {
    while (const auto event = pairing.next()) {
      ++told;
      require(event->kind == fs::FsEventKind::renamed || event->from_name.empty());
      require(!to_string(event->kind).empty());
    }
  };
  for (;;) {
    const std::size_t before = bytes.size();
    const auto record = detail::next_inotify_record(bytes);
    if (!record.has_value()) {
      require(bytes.size() == before);
      break;
    }
    ++records;
    require(bytes.size() + kHeader <= before);
    require(bytes.data() + bytes.size() == end);
    require(record->name.size() <= before - bytes.size() - kHeader);
    require(record->name.find('\0') == std::string_view::npos);
    pairing.add(std::to_string(record->wd), *record);
    if (records % 3 == 0) tell();
  }
  tell();
  pairing.give_up();
  tell();
  require(!pairing.waits());
  require(told <= records);
}

}  // namespace rondo
