// The texts of a record (record.h): each is kept once, and only so many of them.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "rondo/lens/explain.h"

namespace rondo::lens {

/// A source location whose texts are in the pool.
struct PooledSite {
  const std::string* file = nullptr;
  const std::string* function = nullptr;
  int line = 0;
  int column = 0;

  SourceLocation to_location() const { return {*file, *function, line, column}; }
  bool operator==(const PooledSite&) const = default;
};

/// A text of the pool, or, if that is full, one with an owner of its own.
struct PooledText {
  const std::string* pooled = nullptr;
  std::shared_ptr<const std::string> own = nullptr;

  const std::string& get() const noexcept { return own != nullptr ? *own : *pooled; }
  bool empty() const noexcept { return pooled == nullptr || get().empty(); }
};

class TextPool {
 public:
  /// Null if the text is not in the pool and the pool is full.
  const std::string* find(std::string_view text);
  /// "(somewhere)" if the pool is full.
  const std::string* pooled(std::string_view text);
  PooledText to_text(std::string_view text);
  PooledSite pooled(const Site& site);

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_set<std::string, TextHash, std::equal_to<>> texts_;
  std::array<const std::string*, 8> recent_{};  // of texts_
  std::size_t next_recent_ = 0;
};

}  // namespace rondo::lens
