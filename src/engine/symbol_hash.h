// The hash of a name in DT_GNU_HASH.
#pragma once

#include <cstdint>
#include <string_view>

namespace rondo::engine {

constexpr std::uint32_t symbol_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

}  // namespace rondo::engine
