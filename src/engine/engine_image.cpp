#include "engine/engine_image.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace rondo::engine {

namespace {

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool is_defined(const Elf64_Sym& symbol) {
  return symbol.st_shndx != SHN_UNDEF;
}

}  // namespace

template <class T>
T EngineImage::read(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
    throw BrokenAssumption("the file ends before its tables do");
  }
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

template <class T>
void EngineImage::write(std::uint64_t offset, const T& value) {
  std::ignore = read<T>(offset);  // for its check
  std::memcpy(bytes_.data() + offset, &value, sizeof value);
}

EngineImage::EngineImage(std::string bytes) : bytes_(std::move(bytes)) {
  if (!bytes_.starts_with(ELFMAG)) throw BrokenAssumption("it is not an ELF file");
  header_ = read<Elf64_Ehdr>(0);
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw BrokenAssumption("it is not a 64-bit little-endian ELF file");
  }
  if (header_.e_machine != EM_X86_64 && header_.e_machine != EM_AARCH64) {
    throw BrokenAssumption("it is for neither x86-64 nor arm64");
  }
  if (header_.e_type != ET_EXEC) {
    throw BrokenAssumption("it is not an executable with a fixed address (ET_EXEC)");
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
  // The dynamic linker knows the number of symbols by the hash table only; the linker puts the
  // names right after the symbols, and the section header has the size.
  for (std::size_t i = 0; i < header_.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_DYNSYM) dynamic_symbols_ = {section.sh_offset, section.sh_size};
  }
  if (dynamic_symbols_.size == 0) throw BrokenAssumption("it has no section .dynsym");
}

std::uint64_t EngineImage::offset_of(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t within = address - segment.p_vaddr;
    if (within <= segment.p_filesz && segment.p_filesz - within >= size) {
      return segment.p_offset + within;
    }
  }
  throw BrokenAssumption("a table of the dynamic section is in no segment of the file");
}

std::string_view EngineImage::text_at(std::uint64_t offset) const {
  const std::size_t end = offset < bytes_.size() ? bytes_.find('\0', offset) : std::string::npos;
  if (end == std::string::npos) throw BrokenAssumption("a name reaches beyond the end of the file");
  return std::string_view(bytes_).substr(offset, end - offset);
}

std::vector<Elf64_Dyn> EngineImage::dynamic_entries() const {
  std::vector<Elf64_Dyn> entries;
  for (std::uint64_t at = 0; at < dynamic_.size; at += sizeof(Elf64_Dyn)) {
    const auto entry = read<Elf64_Dyn>(dynamic_.offset + at);
    if (entry.d_tag == DT_NULL) break;
    entries.push_back(entry);
  }
  return entries;
}

void EngineImage::write_dynamic_entries(std::span<const Elf64_Dyn> entries) {
  const std::size_t room = dynamic_.size / sizeof(Elf64_Dyn);
  if (entries.size() + 1 > room) {
    throw BrokenAssumption("its dynamic section has room for " + std::to_string(room) +
                           " entries, and " + std::to_string(entries.size() + 1) + " are needed");
  }
  for (std::size_t i = 0; i < room; ++i) {
    write(dynamic_.offset + i * sizeof(Elf64_Dyn), i < entries.size() ? entries[i] : Elf64_Dyn{});
  }
}

std::uint64_t EngineImage::dynamic_value(std::int64_t tag, std::string_view name) const {
  for (const Elf64_Dyn& entry : dynamic_entries()) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  throw BrokenAssumption("its dynamic section has no " + std::string(name));
}

Elf64_Sym EngineImage::dynamic_symbol(std::size_t index) const {
  return read<Elf64_Sym>(dynamic_symbols_.offset + index * sizeof(Elf64_Sym));
}

std::string_view EngineImage::dynamic_name(const Elf64_Sym& symbol) const {
  return text_at(dynamic_names_.offset + symbol.st_name);
}

void EngineImage::require_exports(std::span<const std::string_view> names) const {
  std::unordered_set<std::string_view> missing(names.begin(), names.end());
  for (std::size_t i = 0; i < dynamic_symbols_.size / sizeof(Elf64_Sym); ++i) {
    const Elf64_Sym symbol = dynamic_symbol(i);
    if (is_defined(symbol)) missing.erase(dynamic_name(symbol));
  }
  // The first one in the order of the list: the message does not change from run to run.
  for (const std::string_view name : names) {
    if (missing.contains(name)) throw BrokenAssumption("it does not export " + quoted(name));
  }
}

void EngineImage::require_import(std::string_view name) const {
  for (std::size_t i = 0; i < dynamic_symbols_.size / sizeof(Elf64_Sym); ++i) {
    const Elf64_Sym symbol = dynamic_symbol(i);
    if (!is_defined(symbol) && dynamic_name(symbol) == name) return;
  }
  throw BrokenAssumption("it does not import " + quoted(name));
}

std::vector<Initialiser> EngineImage::initialisers() const {
  const std::uint64_t size = dynamic_value(DT_INIT_ARRAYSZ, "DT_INIT_ARRAYSZ");
  const std::uint64_t offset = offset_of(dynamic_value(DT_INIT_ARRAY, "DT_INIT_ARRAY"), size);
  std::vector<Initialiser> found;
  std::unordered_map<std::uint64_t, std::size_t> index_of;
  for (std::uint64_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const auto address = read<std::uint64_t>(offset + at);
    index_of.emplace(address, found.size());
    found.push_back({.address = address, .name = {}, .file = {}});
  }
  for (std::size_t i = 0; i < header_.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto names =
        read<Elf64_Shdr>(header_.e_shoff + section.sh_link * sizeof(Elf64_Shdr)).sh_offset;
    // The symbols of a source file follow one that has its name.
    std::string_view file;
    for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(section.sh_offset + at);
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FILE) file = text_at(names + symbol.st_name);
      if (type != STT_FUNC) continue;
      const auto entry = index_of.find(symbol.st_value);
      if (entry == index_of.end() || !found[entry->second].name.empty()) continue;
      found[entry->second].name = text_at(names + symbol.st_name);
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) found[entry->second].file = file;
    }
  }
  for (const Initialiser& initialiser : found) {
    if (initialiser.name.empty()) {
      throw BrokenAssumption("a function of .init_array has no name; is the file stripped?");
    }
  }
  return found;
}

void EngineImage::set_initialisers(std::span<const Initialiser> kept) {
  const std::uint64_t size = dynamic_value(DT_INIT_ARRAYSZ, "DT_INIT_ARRAYSZ");
  std::uint64_t offset = offset_of(dynamic_value(DT_INIT_ARRAY, "DT_INIT_ARRAY"), size);
  for (const Initialiser& initialiser : kept) {
    write(offset, initialiser.address);
    offset += sizeof initialiser.address;
  }
  std::vector<Elf64_Dyn> entries = dynamic_entries();
  for (Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_INIT_ARRAYSZ) entry.d_un.d_val = kept.size() * sizeof(std::uint64_t);
  }
  write_dynamic_entries(entries);
}

std::size_t EngineImage::bind_own_symbols() {
  // Those that only store an address. It is final: the executable is not moved.
  const auto stores_address = [&](std::uint64_t type) {
    if (header_.e_machine == EM_AARCH64) {
      return type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_ABS64;
    }
    return type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT || type == R_X86_64_64;
  };
  std::size_t bound = 0;
  const std::uint64_t size = dynamic_value(DT_RELASZ, "DT_RELASZ");
  const std::uint64_t offset = offset_of(dynamic_value(DT_RELA, "DT_RELA"), size);
  for (std::uint64_t at = 0; at < size; at += sizeof(Elf64_Rela)) {
    auto relocation = read<Elf64_Rela>(offset + at);
    if (!stores_address(ELF64_R_TYPE(relocation.r_info))) continue;
    const Elf64_Sym symbol = dynamic_symbol(ELF64_R_SYM(relocation.r_info));
    if (!is_defined(symbol) || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) continue;
    const std::uint64_t address = symbol.st_value + static_cast<std::uint64_t>(relocation.r_addend);
    write(offset_of(relocation.r_offset, sizeof address), address);
    relocation.r_info = 0;  // R_X86_64_NONE and R_AARCH64_NONE
    write(offset + at, relocation);
    ++bound;
  }
  return bound;
}

std::size_t EngineImage::hide_exports(std::span<const std::string_view> prefixes,
                                      std::span<const std::string_view> but_not) {
  // What the executable itself asks the dynamic linker for has to stay.
  std::unordered_set<std::size_t> used;
  const auto note_relocations = [&](std::int64_t table, std::int64_t table_size) {
    const std::uint64_t size = dynamic_value(table_size, "size of its relocations");
    const std::uint64_t offset = offset_of(dynamic_value(table, "relocations"), size);
    for (std::uint64_t at = 0; at < size; at += sizeof(Elf64_Rela)) {
      used.insert(ELF64_R_SYM(read<Elf64_Rela>(offset + at).r_info));
    }
  };
  note_relocations(DT_RELA, DT_RELASZ);
  note_relocations(DT_JMPREL, DT_PLTRELSZ);
  for (std::size_t i = 0; i < dynamic_symbols_.size / sizeof(Elf64_Sym); ++i) {
    Elf64_Sym symbol = dynamic_symbol(i);
    if (!is_defined(symbol)) continue;
    const std::string_view name = dynamic_name(symbol);
    const auto begins_name = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (!std::ranges::any_of(prefixes, begins_name) || std::ranges::any_of(but_not, begins_name))
      continue;
    if (used.contains(i)) {
      throw BrokenAssumption("its own export " + quoted(name) + " is bound by the dynamic linker");
    }
    // Undefined, it stays in the hash table's chains, and a search continues in the libraries.
    symbol.st_shndx = SHN_UNDEF;
    symbol.st_value = 0;
    write(dynamic_symbols_.offset + i * sizeof(Elf64_Sym), symbol);
    hidden_.push_back(symbol);
  }
  return hidden_.size();
}

/// Where in the table of names `text` stands now: over the name of a hidden symbol, which is
/// longer.
std::uint64_t EngineImage::place_for_text(const std::string& text) {
  // A linker lets a name be the end of another one.
  std::vector<std::uint64_t> starts;
  const std::size_t count = dynamic_symbols_.size / sizeof(Elf64_Sym);
  starts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    starts.push_back(dynamic_symbol(i).st_name);
  }
  for (const Elf64_Dyn& entry : dynamic_entries()) {
    if (entry.d_tag == DT_NEEDED) starts.push_back(entry.d_un.d_val);
  }
  std::ranges::sort(starts);
  for (auto symbol = hidden_.begin(); symbol != hidden_.end(); ++symbol) {
    const std::uint64_t start = symbol->st_name;
    if (dynamic_name(*symbol).size() < text.size()) continue;
    const auto next = std::ranges::upper_bound(starts, start);
    if (next != starts.end() && *next <= start + text.size()) continue;
    std::memcpy(bytes_.data() + dynamic_names_.offset + start, text.c_str(), text.size() + 1);
    hidden_.erase(symbol);
    return start;
  }
  throw BrokenAssumption("no hidden export has a name as long as " + quoted(text));
}

void EngineImage::set_libraries(std::span<const std::string> needed, const std::string& run_path) {
  std::vector<Elf64_Dyn> entries;
  const auto add = [&](std::int64_t tag, const std::string& text) {
    entries.push_back({.d_tag = tag, .d_un = {.d_val = place_for_text(text)}});
  };
  for (const std::string& name : needed) add(DT_NEEDED, name);
  for (const Elf64_Dyn& entry : dynamic_entries()) entries.push_back(entry);
  add(DT_RUNPATH, run_path);
  write_dynamic_entries(entries);
}

std::uint64_t EngineImage::needed_name(std::string_view library) const {
  for (const Elf64_Dyn& entry : dynamic_entries()) {
    if (entry.d_tag == DT_NEEDED && text_at(dynamic_names_.offset + entry.d_un.d_val) == library) {
      return entry.d_un.d_val;
    }
  }
  throw BrokenAssumption("it does not need " + quoted(library));
}

std::uint64_t EngineImage::drop_needed(std::string_view library) {
  const std::uint64_t name = needed_name(library);
  std::vector<Elf64_Dyn> entries = dynamic_entries();
  std::erase_if(entries, [&](const Elf64_Dyn& entry) {
    return entry.d_tag == DT_NEEDED && entry.d_un.d_val == name;
  });
  write_dynamic_entries(entries);
  return name;
}

EngineImage::Versions EngineImage::needed_versions(std::uint64_t library_name) const {
  const std::string_view library = text_at(dynamic_names_.offset + library_name);
  Versions found{
      .offset = offset_of(dynamic_value(DT_VERNEED, "DT_VERNEED"), sizeof(Elf64_Verneed)),
      .previous = 0};
  for (;;) {
    const auto table = read<Elf64_Verneed>(found.offset);
    if (text_at(dynamic_names_.offset + table.vn_file) == library) return found;
    if (table.vn_next == 0) break;
    found = {.offset = found.offset + table.vn_next, .previous = found.offset};
  }
  throw BrokenAssumption("it needs no version of " + quoted(library));
}

void EngineImage::import_from_other(std::string_view library, std::string_view other) {
  const std::uint64_t offset = needed_versions(needed_name(library)).offset;
  auto table = read<Elf64_Verneed>(offset);
  table.vn_file = static_cast<Elf64_Word>(needed_name(other));
  write(offset, table);
  drop_needed(library);
}

void EngineImage::import_from_any(std::string_view library) {
  const Versions versions = needed_versions(drop_needed(library));
  const auto table = read<Elf64_Verneed>(versions.offset);
  std::unordered_set<std::uint16_t> numbers;
  std::uint64_t at = versions.offset + table.vn_aux;
  for (std::size_t i = 0; i < table.vn_cnt; ++i) {
    const auto version = read<Elf64_Vernaux>(at);
    numbers.insert(version.vna_other);
    at += version.vna_next;
  }
  const std::size_t symbols = dynamic_symbols_.size / sizeof(Elf64_Sym);
  const std::uint64_t size = symbols * sizeof(std::uint16_t);
  const std::uint64_t of_symbols = offset_of(dynamic_value(DT_VERSYM, "DT_VERSYM"), size);
  for (std::uint64_t i = of_symbols; i < of_symbols + size; i += sizeof(std::uint16_t)) {
    if (numbers.contains(read<std::uint16_t>(i))) write(i, std::uint16_t{VER_NDX_GLOBAL});
  }
  // The dynamic linker looks for the library of each of these tables.
  if (versions.previous != 0) {
    auto previous = read<Elf64_Verneed>(versions.previous);
    previous.vn_next = table.vn_next == 0 ? 0 : previous.vn_next + table.vn_next;
    write(versions.previous, previous);
  }
  std::vector<Elf64_Dyn> entries = dynamic_entries();
  for (Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_VERNEED && versions.previous == 0) entry.d_un.d_ptr += table.vn_next;
    if (entry.d_tag == DT_VERNEEDNUM) --entry.d_un.d_val;
  }
  write_dynamic_entries(entries);
}

void EngineImage::strip() {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  bytes_.resize(end);
  header_.e_shoff = 0;
  header_.e_shnum = 0;
  header_.e_shstrndx = SHN_UNDEF;
  write(0, header_);
}

}  // namespace rondo::engine
