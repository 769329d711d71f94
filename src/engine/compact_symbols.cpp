// The dynamic linker looks up more than two thousand names before a program begins, each in the
// executable's tables first. As the linker has left them they are 4 MiB, and the names asked for
// are spread over all of that: every second page of it would be read. Here the tables are written
// anew, with the names together that are asked for at every start.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "engine/engine_image.h"
#include "engine/symbol_hash.h"

namespace rondo::engine {

namespace {

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The names of a table of symbols, each once.
class Names {
 public:
  Names() { bytes_.push_back('\0'); }

  std::uint32_t add(std::string_view name) {
    if (name.empty()) return 0;
    const auto [entry, is_new] =
        offsets_.try_emplace(std::string(name), static_cast<std::uint32_t>(bytes_.size()));
    if (is_new) bytes_.append(name).push_back('\0');
    return entry->second;
  }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<std::string, std::uint32_t> offsets_;
};

/// Of the C++ library and the compiler's run time: the libraries that are loaded at every start
/// refer to them, and an executable is asked for a name before the library that has it.
bool belongs_to_language(std::string_view name) {
  if (!name.starts_with("_Z")) return false;
  name.remove_prefix(2);
  for (const std::string_view prefix : {"GV", "TV", "TI", "TS", "TT", "N", "K"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return name.starts_with('S') || name.starts_with("nw") || name.starts_with("na") ||
         name.starts_with("dl") || name.starts_with("da") || name.starts_with("9__gnu_cxx") ||
         name.starts_with("10__cxxabiv1");
}

/// The numbers of the symbols in their new order: those that are imported, then the exports in the
/// order of their buckets.
struct Order {
  std::vector<std::size_t> symbols = {0};  // the first one is none
  std::uint32_t first_export = 0;
  std::uint32_t buckets = 0;
  std::vector<std::uint32_t> hashes;  // of the exports
};

/// What DT_GNU_HASH points to. A filter in front says of most names that they are not there.
std::string hash_table(const Order& order) {
  constexpr std::size_t kWordBits = 64;
  constexpr std::size_t kFilterBitsOfSymbol = 6;
  const auto& [symbols, first, buckets, hashes] = order;
  const std::size_t bits = std::max(kWordBits, std::bit_ceil(hashes.size() * kFilterBitsOfSymbol));
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(bits));
  std::vector<std::uint64_t> filter(bits / kWordBits);
  std::vector<std::uint32_t> starts(buckets);
  std::vector<std::uint32_t> chains;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint32_t hash = hashes[i];
    filter[hash / kWordBits % filter.size()] |=
        std::uint64_t{1} << hash % kWordBits | std::uint64_t{1} << (hash >> shift) % kWordBits;
    std::uint32_t& start = starts[hash % buckets];
    if (start == 0) start = first + static_cast<std::uint32_t>(i);
    const bool is_last = i + 1 == hashes.size() || hashes[i + 1] % buckets != hash % buckets;
    chains.push_back((hash & ~1U) | (is_last ? 1U : 0U));
  }
  std::string bytes;
  append(bytes, buckets);
  append(bytes, first);
  append(bytes, static_cast<std::uint32_t>(filter.size()));
  append(bytes, shift);
  for (const std::uint64_t word : filter) append(bytes, word);
  for (const std::uint32_t start : starts) append(bytes, start);
  for (const std::uint32_t chain : chains) append(bytes, chain);
  return bytes;
}

}  // namespace

/// The tables of symbols as they will be.
struct EngineImage::NewTables {
  struct Text {
    std::uint64_t offset;  // where a name's place in `names` is to be written
    std::uint32_t name;
  };

  Order order;
  std::vector<Elf64_Dyn> entries;  // the dynamic section
  Names names;
  std::vector<Text> texts;
  std::string symbols;
  std::string versions;
};

void EngineImage::compact_symbols() {
  NewTables tables{.order = {},
                   .entries = dynamic_entries(),
                   .names = {},
                   .texts = {},
                   .symbols = {},
                   .versions = {}};
  std::unordered_set<std::size_t> used;
  for (const Table& table : relocation_tables()) {
    for (std::uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
      used.insert(ELF64_R_SYM(read<Elf64_Rela>(table.offset + at).r_info));
    }
  }
  const auto name_of = [&](std::size_t i) { return dynamic_name(dynamic_symbol(i)); };
  Order& order = tables.order;
  std::vector<std::size_t> exports;
  for (std::size_t i = 1; i < dynamic_symbols_.size / sizeof(Elf64_Sym); ++i) {
    if (dynamic_symbol(i).st_shndx != SHN_UNDEF)
      exports.push_back(i);
    else if (used.contains(i))
      order.symbols.push_back(i);
  }
  order.first_export = static_cast<std::uint32_t>(order.symbols.size());
  order.buckets = static_cast<std::uint32_t>(exports.size() / 4 + 1);
  std::ranges::stable_sort(exports, {},
                           [&](std::size_t i) { return symbol_hash(name_of(i)) % order.buckets; });
  for (const std::size_t i : exports) order.hashes.push_back(symbol_hash(name_of(i)));
  order.symbols.insert(order.symbols.end(), exports.begin(), exports.end());

  // The names in the order of their use: those of libraries and versions, of imports, of what the
  // libraries may ask for, and all others.
  collect_library_names(tables);
  for (std::size_t i = 1; i < order.first_export; ++i) tables.names.add(name_of(order.symbols[i]));
  for (const std::size_t i : exports) {
    if (used.contains(i) || belongs_to_language(name_of(i))) tables.names.add(name_of(i));
  }
  const std::uint64_t versions = offset_of(dynamic_value(DT_VERSYM, "DT_VERSYM"), 1);
  for (const std::size_t i : order.symbols) {
    Elf64_Sym symbol = dynamic_symbol(i);
    symbol.st_name = tables.names.add(dynamic_name(symbol));
    append(tables.symbols, symbol);
    append(tables.versions, read<std::uint16_t>(versions + i * sizeof(std::uint16_t)));
  }
  write_tables(tables);
  hidden_.clear();  // their names are gone
}

void EngineImage::collect_library_names(NewTables& tables) const {
  const auto add = [&](std::uint64_t name) {
    return tables.names.add(text_at(dynamic_names_.offset + name));
  };
  for (Elf64_Dyn& entry : tables.entries) {
    if (entry.d_tag == DT_NEEDED || entry.d_tag == DT_RUNPATH)
      entry.d_un.d_val = add(entry.d_un.d_val);
  }
  std::uint64_t at = offset_of(dynamic_value(DT_VERNEED, "DT_VERNEED"), sizeof(Elf64_Verneed));
  for (;;) {
    const auto library = read<Elf64_Verneed>(at);
    tables.texts.push_back({at + offsetof(Elf64_Verneed, vn_file), add(library.vn_file)});
    std::uint64_t version = at + library.vn_aux;
    for (std::size_t i = 0; i < library.vn_cnt; ++i) {
      const auto needed = read<Elf64_Vernaux>(version);
      tables.texts.push_back({version + offsetof(Elf64_Vernaux, vna_name), add(needed.vna_name)});
      version += needed.vna_next;
    }
    if (library.vn_next == 0) return;
    at += library.vn_next;
  }
}

/// The new tables take the room of the old ones, all of which have been read.
void EngineImage::write_tables(NewTables& tables) {
  const std::uint64_t address = dynamic_value(DT_GNU_HASH, "DT_GNU_HASH");
  const std::uint64_t begin = offset_of(address, 1);
  const std::uint64_t versions = offset_of(dynamic_value(DT_VERSYM, "DT_VERSYM"), 1);
  const std::size_t versions_size =
      dynamic_symbols_.size / sizeof(Elf64_Sym) * sizeof(std::uint16_t);
  std::uint64_t end = begin;
  for (const Table& table : {dynamic_symbols_, dynamic_names_, Table{versions, versions_size}}) {
    if (table.offset < begin) {
      throw BrokenAssumption("its tables of symbols do not follow DT_GNU_HASH");
    }
    end = std::max(end, table.offset + table.size);
  }
  std::uint64_t at = begin;
  const auto place = [&](std::int64_t tag, const std::string& bytes) {
    constexpr std::uint64_t kAlignment = 16;
    at = (at + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes.size() > end || at > end - bytes.size()) {
      throw BrokenAssumption("its tables of symbols have no room for themselves");
    }
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
    for (Elf64_Dyn& entry : tables.entries) {
      if (entry.d_tag == tag) entry.d_un.d_ptr = address + (at - begin);
    }
    const Table placed{.offset = at, .size = bytes.size()};
    at += bytes.size();
    return placed;
  };
  place(DT_GNU_HASH, hash_table(tables.order));
  dynamic_symbols_ = place(DT_SYMTAB, tables.symbols);
  place(DT_VERSYM, tables.versions);
  dynamic_names_ = place(DT_STRTAB, tables.names.bytes());
  std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(at),
            bytes_.begin() + static_cast<std::ptrdiff_t>(end), '\0');
  for (Elf64_Dyn& entry : tables.entries) {
    if (entry.d_tag == DT_STRSZ) entry.d_un.d_val = dynamic_names_.size;
  }
  write_dynamic_entries(tables.entries);
  for (const auto& [offset, name] : tables.texts) write(offset, name);
  renumber_relocations(tables.order.symbols);
}

void EngineImage::renumber_relocations(std::span<const std::size_t> order) {
  std::unordered_map<std::uint64_t, std::uint64_t> new_number;
  for (const std::size_t old : order) new_number.emplace(old, new_number.size());
  for (const Table& table : relocation_tables()) {
    for (std::uint64_t at = table.offset; at < table.offset + table.size;
         at += sizeof(Elf64_Rela)) {
      auto relocation = read<Elf64_Rela>(at);
      relocation.r_info = ELF64_R_INFO(new_number.at(ELF64_R_SYM(relocation.r_info)),
                                       ELF64_R_TYPE(relocation.r_info));
      write(at, relocation);
    }
  }
}

}  // namespace rondo::engine
