#include "lens/explain/groups.h"

#include <algorithm>
#include <cstdint>

namespace rondo::lens {

namespace {

constexpr std::size_t kMostGroups = 10'000;  // the program decides how many there are

/// What two labels have in common, in whole words: "stat a.txt" and "stat b.txt" are "stat …".
std::string common_label(std::string_view a, std::string_view b) {
  constexpr std::string_view kRest = " …";
  if (a == b) return std::string(a);
  std::string_view head = a;
  if (head.ends_with(kRest)) head.remove_suffix(kRest.size());
  while (!(b.starts_with(head) && (b.size() == head.size() || b[head.size()] == ' '))) {
    const std::size_t space = head.rfind(' ');
    if (space == std::string_view::npos) return std::string(a);
    head = head.substr(0, space);
  }
  return std::string(head) + std::string(kRest);
}

std::string_view first_word(std::string_view label) {
  return label.substr(0, label.find(' '));
}

}  // namespace

std::size_t CallbackGroups::KeyHash::operator()(const Key& key) const noexcept {
  const auto mix = [](std::size_t seed, std::size_t value) {
    return (seed ^ value) * 0x9e3779b97f4a7c15U;
  };
  std::size_t hash = reinterpret_cast<std::uintptr_t>(key.label);
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.event));
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.step));
  hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.site.file));
  hash = mix(hash, static_cast<std::size_t>(key.site.line));
  return mix(hash, static_cast<std::size_t>(key.site.column));
}

void CallbackGroups::count(TextPool& pool, const RunningCallback& run, const std::string* step,
                           Time end) {
  // A text that did not fit into the pool is of no group that there is.
  const std::string* label = run.label.own == nullptr ? run.label.pooled : nullptr;
  const bool has_site = run.site.file != nullptr && !run.site.file->empty();
  if (has_site) label = pool.find(first_word(run.label.get()));
  Key key{label, run.event.pooled, step, run.site};
  auto found = key.label != nullptr ? groups_.find(key) : groups_.end();
  if (found == groups_.end()) {
    if (key.label == nullptr || groups_.size() >= kMostGroups) {
      found = groups_.try_emplace(Key{}, Group{.label = "all others"}).first;
    } else {
      const Run as_run = run.to_run();
      const Group group{.label = as_run.label, .site = as_run.site, .kind = as_run.kind};
      found = groups_.try_emplace(key, group).first;
    }
  }
  Group& group = found->second;
  const Time ran = end - run.begin;
  if (key.label != nullptr && has_site) {
    group.label = common_label(group.label, run.label.get());
  }
  ++group.count;
  group.total += ran;
  if (group.longest_run == 0 || ran > group.longest) {
    group.longest = ran;
    group.longest_run = run.number;
  }
}

std::vector<Group> CallbackGroups::longest(std::size_t most) const {
  std::vector<Group> all;
  for (const auto& [key, group] : groups_) all.push_back(group);
  std::ranges::sort(all, [](const Group& a, const Group& b) {
    return a.total != b.total ? a.total > b.total : a.longest_run < b.longest_run;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace rondo::lens
