// A program as the linker has made it, a shared object, and the engine file that it will run on.
// The engine file is always loaded at the same address: the program's references to V8 need not be
// looked up at each start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/elf_image.h"

namespace rondo::engine {

/// What the engine file exports.
class EngineExports : public ElfImage {
 public:
  explicit EngineExports(std::string bytes);

  /// The address of a function or variable; none if the dynamic linker has to decide.
  std::optional<std::uint64_t> find(std::string_view name) const;

 private:
  std::uint64_t hash_table_ = 0;
  std::uint64_t versions_ = 0;
};

class ProgramImage : public ElfImage {
 public:
  explicit ProgramImage(std::string bytes);

  /// Writes the addresses of the engine's symbols where the dynamic linker would. Returns how many
  /// there were. The result is the same: it asks the executable first, whatever other libraries
  /// have.
  std::size_t bind(const EngineExports& engine);
};

}  // namespace rondo::engine
