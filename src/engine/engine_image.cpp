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

EngineImage::EngineImage(std::string bytes) : ElfImage(std::move(bytes)) {
  if (header_.e_type != ET_EXEC) {
    throw BrokenAssumption("it is not an executable with a fixed address (ET_EXEC)");
  }
  find_symbols();
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
  std::size_t bound = 0;
  const std::uint64_t size = dynamic_value(DT_RELASZ, "DT_RELASZ");
  const std::uint64_t offset = offset_of(dynamic_value(DT_RELA, "DT_RELA"), size);
  for (std::uint64_t at = 0; at < size; at += sizeof(Elf64_Rela)) {
    auto relocation = read<Elf64_Rela>(offset + at);
    if (!stores_address(ELF64_R_TYPE(relocation.r_info))) continue;
    const Elf64_Sym symbol = dynamic_symbol(ELF64_R_SYM(relocation.r_info));
    if (!is_defined(symbol) || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) continue;
    // It is final: the executable is not moved.
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
  for (const Table& table : relocation_tables()) {
    for (std::uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
      used.insert(ELF64_R_SYM(read<Elf64_Rela>(table.offset + at).r_info));
    }
  }
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
