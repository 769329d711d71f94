// What ran, counted by what it is and where it comes from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rondo/lens/explain.h"

#include "lens/explain/subjects.h"
#include "lens/explain/text_pool.h"

namespace rondo::lens {

class CallbackGroups {
 public:
  /// `step` is null for what is not a step of something bigger.
  void count(TextPool& pool, const RunningCallback& run, const std::string* step, Time end);
  /// Those that ran longest in total.
  std::vector<Group> longest(std::size_t most) const;

 private:
  /// With a source location, everything alike there has one group, whatever peer or file it is
  /// about. Without one, only the label distinguishes callbacks.
  struct Key {
    const std::string* label = nullptr;  // or its first word; null: all others
    const std::string* event = nullptr;
    const std::string* step = nullptr;
    PooledSite site;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };

  std::unordered_map<Key, Group, KeyHash> groups_;
};

}  // namespace rondo::lens
