// Node's executable as a file in memory, and what has to be changed in it so that it carries V8 for
// programs of ours: see README.md beside this file.
#pragma once

#include <elf.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/elf_image.h"

namespace rondo::engine {

/// A function of .init_array: what runs before main().
struct Initialiser {
  std::uint64_t address;
  std::string_view name;
  std::string_view file;  // the source it was compiled from, without its folder
};

class EngineImage : public ElfImage {
 public:
  /// Checks that it is an executable of the expected kind.
  explicit EngineImage(std::string bytes);

  /// Every one of these symbols must be exported.
  void require_exports(std::span<const std::string_view> names) const;
  /// The executable must call this function of another library by the dynamic linker.
  void require_import(std::string_view name) const;

  std::vector<Initialiser> initialisers() const;
  /// Only these are left to run; a part of initialisers(), in the same order.
  void set_initialisers(std::span<const Initialiser> kept);

  /// Writes the addresses of its own symbols where the dynamic linker would: it looks nothing up
  /// for them at start-up. An executable comes first in every search, so the result is the same.
  /// Returns how many there were.
  std::size_t bind_own_symbols();

  /// Takes the exports whose names begin with one of these away, except for those that begin with
  /// one of `but_not`. Returns how many.
  std::size_t hide_exports(std::span<const std::string_view> prefixes,
                           std::span<const std::string_view> but_not = {});

  /// The dynamic linker loads `needed` before all other libraries, in this order, and looks for
  /// libraries in `run_path` first. After hide_exports(): the names are written over those of
  /// hidden symbols.
  void set_libraries(std::span<const std::string> needed, const std::string& run_path);

  /// What the executable imports from `library` it imports from `other`, which it needs as well and
  /// which has the same versions of it. `library` is not loaded any more.
  void import_from_other(std::string_view library, std::string_view other);
  /// What the executable imports from `library`, any library may have, whatever the version.
  /// `library` is not loaded any more.
  void import_from_any(std::string_view library);

  /// Writes the tables in which the dynamic linker looks names up anew: without what is hidden, and
  /// the names together that every start asks for. Nothing can be hidden after that, and strip()
  /// has to follow.
  void compact_symbols();

  /// Drops everything that is not loaded: symbols, debugging information.
  void strip();

 private:
  /// Removes `library` from the libraries it needs; its name's place in the table of names.
  std::uint64_t drop_needed(std::string_view library);
  std::uint64_t needed_name(std::string_view library) const;
  /// Where the table of versions begins that is needed of `library`, and the table before it.
  struct Versions {
    std::uint64_t offset = 0;
    std::uint64_t previous = 0;  // zero: it is the first
  };
  Versions needed_versions(std::uint64_t library_name) const;
  std::uint64_t place_for_text(const std::string& text);
  struct NewTables;
  void collect_library_names(NewTables& tables) const;
  void write_tables(NewTables& tables);
  /// `order` has the old numbers of the symbols in their new order.
  void renumber_relocations(std::span<const std::size_t> order);

  std::vector<Elf64_Sym> hidden_;
};

}  // namespace rondo::engine
