#include "engine/program_binding.h"

#include <utility>

#include "engine/symbol_hash.h"

namespace rondo::engine {

EngineExports::EngineExports(std::string bytes) : ElfImage(std::move(bytes)) {
  if (header_.e_type != ET_EXEC) {
    throw BrokenAssumption("it is not an executable with a fixed address (ET_EXEC)");
  }
  // Its size is not known, the sections are gone.
  dynamic_symbols_.offset = offset_of(dynamic_value(DT_SYMTAB, "DT_SYMTAB"), sizeof(Elf64_Sym));
  hash_table_ = offset_of(dynamic_value(DT_GNU_HASH, "DT_GNU_HASH"), 4 * sizeof(std::uint32_t));
  versions_ = offset_of(dynamic_value(DT_VERSYM, "DT_VERSYM"), sizeof(std::uint16_t));
}

std::optional<std::uint64_t> EngineExports::find(std::string_view name) const {
  const auto word = [&](std::uint64_t index) {
    return read<std::uint32_t>(hash_table_ + index * sizeof(std::uint32_t));
  };
  // Four numbers, the filter (of words of 64 bits), the buckets, the chains.
  const std::uint32_t buckets = word(0);
  const std::uint32_t first = word(1);
  const std::uint64_t starts = 4 + 2 * std::uint64_t{word(2)};
  const std::uint32_t hash = symbol_hash(name);
  std::uint32_t index = word(starts + hash % buckets);
  if (index == 0) return {};
  for (;; ++index) {
    const std::uint32_t chain = word(starts + buckets + index - first);
    const Elf64_Sym symbol = dynamic_symbol(index);
    if ((chain | 1U) == (hash | 1U) && symbol.st_shndx != SHN_UNDEF &&
        dynamic_name(symbol) == name) {
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      const bool is_plain = type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE;
      // One with a version is a copy of what a library has: whether it is meant, the linker knows.
      const auto version = read<std::uint16_t>(versions_ + index * sizeof(std::uint16_t));
      const bool is_unique = ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE;
      if (!is_plain || is_unique || version != VER_NDX_GLOBAL) return {};
      return symbol.st_value;
    }
    if ((chain & 1U) != 0) return {};
  }
}

ProgramImage::ProgramImage(std::string bytes) : ElfImage(std::move(bytes)) {
  if (header_.e_type != ET_DYN) throw BrokenAssumption("it is not a shared object (ET_DYN)");
  find_symbols();
}

std::size_t ProgramImage::bind(const EngineExports& engine) {
  // The entry of the global offset table that belongs to the dynamic linker; it does not use it.
  const std::uint64_t unused = dynamic_value(DT_PLTGOT, "DT_PLTGOT");
  std::size_t bound = 0;
  for (const Table& table : relocation_tables()) {
    for (std::uint64_t at = table.offset; at < table.offset + table.size;
         at += sizeof(Elf64_Rela)) {
      auto relocation = read<Elf64_Rela>(at);
      const auto type = ELF64_R_TYPE(relocation.r_info);
      if (!stores_address(type) || relocation.r_offset == unused) continue;
      const Elf64_Sym symbol = dynamic_symbol(ELF64_R_SYM(relocation.r_info));
      if (symbol.st_shndx != SHN_UNDEF) continue;
      const auto address = engine.find(dynamic_name(symbol));
      if (!address) continue;
      write(offset_of(relocation.r_offset, sizeof *address),
            *address + static_cast<std::uint64_t>(relocation.r_addend));
      if (type == R_X86_64_JUMP_SLOT || type == R_AARCH64_JUMP_SLOT) {
        // A call of another function that is not bound yet has its number in this table, so the
        // entry has to stay. The dynamic linker writes its address to a word that is never read.
        relocation.r_offset = unused;
      } else {
        relocation.r_info = 0;  // R_X86_64_NONE and R_AARCH64_NONE
      }
      write(at, relocation);
      ++bound;
    }
  }
  return bound;
}

}  // namespace rondo::engine
