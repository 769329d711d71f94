#include "engine/elf_image.h"

#include <algorithm>
#include <utility>

namespace rondo::engine {

ElfImage::ElfImage(std::string bytes) : bytes_(std::move(bytes)) {
  if (!bytes_.starts_with(ELFMAG)) throw BrokenAssumption("it is not an ELF file");
  header_ = read<Elf64_Ehdr>(0);
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw BrokenAssumption("it is not a 64-bit little-endian ELF file");
  }
  if (header_.e_machine != EM_X86_64 && header_.e_machine != EM_AARCH64) {
    throw BrokenAssumption("it is for neither x86-64 nor arm64");
  }
  for (std::size_t i = 0; i < header_.e_phnum; ++i) {
    segments_.push_back(read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
    if (segments_.back().p_type == PT_DYNAMIC) {
      dynamic_ = {segments_.back().p_offset, segments_.back().p_filesz};
    }
  }
  if (dynamic_.size == 0) throw BrokenAssumption("it is not linked dynamically (no PT_DYNAMIC)");
  dynamic_names_.size = dynamic_value(DT_STRSZ, "DT_STRSZ");
  dynamic_names_.offset = offset_of(dynamic_value(DT_STRTAB, "DT_STRTAB"), dynamic_names_.size);
}

void ElfImage::find_symbols() {
  // The dynamic linker knows the number of symbols by the hash table only; the linker puts the
  // names right after the symbols, and the section header has the size.
  for (std::size_t i = 0; i < header_.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_DYNSYM) dynamic_symbols_ = {section.sh_offset, section.sh_size};
  }
  if (dynamic_symbols_.size == 0) throw BrokenAssumption("it has no section .dynsym");
}

std::uint64_t ElfImage::offset_of(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t within = address - segment.p_vaddr;
    if (within <= segment.p_filesz && segment.p_filesz - within >= size) {
      return segment.p_offset + within;
    }
  }
  throw BrokenAssumption("a table of the dynamic section is in no segment of the file");
}

std::string_view ElfImage::text_at(std::uint64_t offset) const {
  const std::size_t end = offset < bytes_.size() ? bytes_.find('\0', offset) : std::string::npos;
  if (end == std::string::npos) throw BrokenAssumption("a name reaches beyond the end of the file");
  return std::string_view(bytes_).substr(offset, end - offset);
}

std::vector<Elf64_Dyn> ElfImage::dynamic_entries() const {
  std::vector<Elf64_Dyn> entries;
  for (std::uint64_t at = 0; at < dynamic_.size; at += sizeof(Elf64_Dyn)) {
    const auto entry = read<Elf64_Dyn>(dynamic_.offset + at);
    if (entry.d_tag == DT_NULL) break;
    entries.push_back(entry);
  }
  return entries;
}

void ElfImage::write_dynamic_entries(std::span<const Elf64_Dyn> entries) {
  const std::size_t room = dynamic_.size / sizeof(Elf64_Dyn);
  if (entries.size() + 1 > room) {
    throw BrokenAssumption("its dynamic section has room for " + std::to_string(room) +
                           " entries, and " + std::to_string(entries.size() + 1) + " are needed");
  }
  for (std::size_t i = 0; i < room; ++i) {
    write(dynamic_.offset + i * sizeof(Elf64_Dyn), i < entries.size() ? entries[i] : Elf64_Dyn{});
  }
}

std::uint64_t ElfImage::dynamic_value(std::int64_t tag, std::string_view name) const {
  for (const Elf64_Dyn& entry : dynamic_entries()) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  throw BrokenAssumption("its dynamic section has no " + std::string(name));
}

std::vector<ElfImage::Table> ElfImage::relocation_tables() const {
  std::vector<Table> tables;
  for (const auto& [tag, size_tag] : {std::pair{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}}) {
    const auto has_tag = [wanted = tag](const Elf64_Dyn& entry) { return entry.d_tag == wanted; };
    if (!std::ranges::any_of(dynamic_entries(), has_tag)) continue;
    const std::uint64_t size = dynamic_value(size_tag, "size of its relocations");
    tables.push_back({.offset = offset_of(dynamic_value(tag, "relocations"), size), .size = size});
  }
  return tables;
}

bool ElfImage::stores_address(std::uint64_t relocation_type) const {
  if (header_.e_machine == EM_AARCH64) {
    return relocation_type == R_AARCH64_GLOB_DAT || relocation_type == R_AARCH64_JUMP_SLOT ||
           relocation_type == R_AARCH64_ABS64;
  }
  return relocation_type == R_X86_64_GLOB_DAT || relocation_type == R_X86_64_JUMP_SLOT ||
         relocation_type == R_X86_64_64;
}

Elf64_Sym ElfImage::dynamic_symbol(std::size_t index) const {
  return read<Elf64_Sym>(dynamic_symbols_.offset + index * sizeof(Elf64_Sym));
}

std::string_view ElfImage::dynamic_name(const Elf64_Sym& symbol) const {
  return text_at(dynamic_names_.offset + symbol.st_name);
}

}  // namespace rondo::engine
