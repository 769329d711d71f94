// Whether bytes are a changeset or a patchset. SQLite 3.40 reads beyond the end of some that are
// not, and uses values that are not there; later ones refuse them.
#pragma once

#include <cstdint>
#include <span>

namespace rondo::sqlite {

/// Whether SQLite can be given it: records are whole, and each change says which row it means.
bool is_changeset(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace rondo::sqlite
