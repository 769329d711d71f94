// bind_within IN OUT: a copy of a shared library in which references to the library's own symbols
// are bound already. V8's has 55,000 of them, and the dynamic linker would look up each by name, in
// every process: more than half of the time in which a script that says hello starts and ends.
//
// Each such relocation becomes a relative one (load address + offset), which takes no look-up. Left
// alone is what has to be found at run time: symbols of other libraries, objects of the C++ library
// that must be unique in the process, and functions that are chosen by the processor (ifunc). The
// price: nobody can put a function of its own in the place of one of the library's. That is why it
// is a private copy.
//
// The library is all of Node, of which only V8 is used. What Node needs other libraries for
// (kUnused) is not: the copy does without these libraries. Only the constructors of Node's static
// objects still call them. Some ask for versions; what answers is V8::GetVersion(), a function
// without arguments whose result is a text: whoever asks gets one. The others make a mutex, say,
// that nobody will lock; what answers is V8's Platform::GetPageAllocator(), whose result is null:
// all is well.
//
// Most of these constructors are left out altogether (drop_constructors): two of them take longer
// than those of all of V8, to make tables of Node's options and of the text of its modules.
//
// Libraries that V8 does use (kOfProgram) the program has anyway, and perhaps within itself: the
// copy leaves it to the program to bring them, and takes them in any version.
#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// A library that only Node's own code needs, and how its symbols are told from others: by their
/// version or by their names.
struct UnusedLibrary {
  std::string_view name;
  std::string_view symbol_prefix;
};
constexpr std::string_view kTextStandIn = "_ZN2v82V810GetVersionEv";
constexpr std::string_view kNullStandIn = "_ZN2v88Platform16GetPageAllocatorEv";
constexpr UnusedLibrary kUnused[] = {
    {"libcrypto.so", ""},          {"libssl.so", ""},        {"libbrotlidec.so", "Brotli"},
    {"libbrotlienc.so", "Brotli"}, {"libcares.so", "ares_"}, {"libuv.so", "uv_"},
    {"libnghttp2.so", "nghttp2_"},
};

constexpr std::string_view kOfProgram[] = {"libstdc++.so", "libicui18n.so", "libicuuc.so"};

bool is_unused(std::string_view file) {
  return std::ranges::any_of(
      kUnused, [&](const UnusedLibrary& library) { return file.starts_with(library.name); });
}
bool is_of_program(std::string_view file) {
  return std::ranges::any_of(kOfProgram,
                             [&](std::string_view name) { return file.starts_with(name); });
}
/// Whether the copy asks for this library itself.
bool is_asked_for(std::string_view file) {
  return !is_unused(file) && !is_of_program(file);
}

/// Whether a name belongs to namespace std. V8's own objects need not be unique, because nobody
/// else has them; but std::make_shared, say, compares addresses that two libraries must agree upon.
bool is_of_std(std::string_view mangled) {
  for (const std::string_view prefix : {"_Z", "GV", "Z", "N", "K"}) {
    if (mangled.starts_with(prefix)) mangled.remove_prefix(prefix.size());
  }
  return mangled.starts_with("St");
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "bind_within: %s\n", why.c_str());
  std::exit(1);
}

class Library {
 public:
  explicit Library(std::vector<char> bytes) : bytes_(std::move(bytes)) {
    const auto& header = at<Elf64_Ehdr>(0);
    if (bytes_.size() < sizeof(header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64 ||
        header.e_type != ET_DYN) {
      fail("not a shared library for x86-64");
    }
    segments_ = {&at<Elf64_Phdr>(header.e_phoff), header.e_phnum};
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      dynamic_ = {&at<Elf64_Dyn>(segment.p_offset), segment.p_filesz / sizeof(Elf64_Dyn)};
    }
    symbols_ = &at<Elf64_Sym>(offset_of(value(DT_SYMTAB)));
    strings_ = &at<char>(offset_of(value(DT_STRTAB)));
    versions_ = &at<Elf64_Half>(offset_of(value(DT_VERSYM)));
    find_versions_to_drop();
  }

  /// Lets go of the libraries that are not asked for. Returns how many references there were to
  /// those that are not used.
  std::size_t drop_libraries() {
    // A null entry would end the list: the others move up.
    const auto rest = std::ranges::stable_partition(dynamic_, [&](const Elf64_Dyn& each) {
      return each.d_tag != DT_NEEDED || is_asked_for(strings_ + each.d_un.d_val);
    });
    for (Elf64_Dyn& each : rest) each = {DT_NULL, {0}};
    drop_version_needs();
    for (std::size_t index = 0; index < symbol_count(); ++index) {
      if (has_version(index, versions_of_program_)) versions_[index] = VER_NDX_GLOBAL;
    }
    const Elf64_Addr text = find_symbol(kTextStandIn).st_value;
    const Elf64_Addr null = find_symbol(kNullStandIn).st_value;
    return static_cast<std::size_t>(std::ranges::count_if(relocations(), [&](Elf64_Rela& entry) {
      if (!refers_to_unused(entry)) return false;
      forget_symbol(ELF64_R_SYM(entry.r_info));
      const std::string_view name(strings_ + symbol_of(entry).st_name);
      const bool asks_for_version = name.find("ersion") != std::string_view::npos;
      entry.r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE);
      entry.r_addend = static_cast<Elf64_Sxword>(asks_for_version ? text : null);
      return true;
    }));
  }

  /// Has the constructors of Node's static objects not called: those functions of the table of
  /// initialisers that call a function of Node. Returns how many.
  std::size_t drop_constructors() {
    const Elf64_Addr table = value(DT_INIT_ARRAY);
    const Elf64_Addr table_end = table + value(DT_INIT_ARRAYSZ);
    std::map<Elf64_Addr, Elf64_Rela*> initialisers;  // by the address of their code
    std::map<Elf64_Addr, std::string_view> slots;    // what the procedure table jumps to
    for (Elf64_Rela& entry : relocations()) {
      if (entry.r_offset >= table && entry.r_offset < table_end) {
        if (ELF64_R_TYPE(entry.r_info) != R_X86_64_RELATIVE) fail("an unusual initialiser");
        initialisers[code_of(static_cast<Elf64_Addr>(entry.r_addend))] = &entry;
      } else if (ELF64_R_SYM(entry.r_info) != 0) {
        slots[entry.r_offset] = strings_ + symbol_of(entry).st_name;
      }
    }
    const Elf64_Addr null = find_symbol(kNullStandIn).st_value;
    std::size_t dropped = 0;
    for (auto each = initialisers.begin(); each != initialisers.end(); ++each) {
      const auto next = std::next(each);
      // They lie one behind the other. One that is followed by something else is kept.
      constexpr Elf64_Addr kMostBytes = 32 * 1024;
      if (next == initialisers.end() || next->first - each->first > kMostBytes) continue;
      if (!calls_node(each->first, next->first, slots)) continue;
      each->second->r_addend = static_cast<Elf64_Sxword>(null);
      ++dropped;
    }
    return dropped;
  }

  std::size_t bind() {
    const std::span<Elf64_Rela> all = relocations();

    const auto bound = static_cast<std::size_t>(std::ranges::count_if(all, [&](Elf64_Rela& entry) {
      if (!can_be_bound(entry)) return false;
      const bool has_addend = ELF64_R_TYPE(entry.r_info) == R_X86_64_64;
      entry.r_addend =
          static_cast<Elf64_Sxword>(symbol_of(entry).st_value) + (has_addend ? entry.r_addend : 0);
      entry.r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE);
      return true;
    }));
    // The linker takes the relative ones in one sweep if they come first.
    const auto rest = std::ranges::stable_partition(all, [](const Elf64_Rela& entry) {
      return ELF64_R_TYPE(entry.r_info) == R_X86_64_RELATIVE;
    });
    set(DT_RELACOUNT, all.size() - rest.size());
    set(DT_RELASZ, all.size() * sizeof(Elf64_Rela));
    set(DT_PLTRELSZ, 0);
    return bound;
  }

  const std::vector<char>& bytes() const { return bytes_; }

 private:
  /// All of them. Those of the procedure table come right behind the others; lazily bound they
  /// could not be relative, so that they join the others, to be done at once.
  std::span<Elf64_Rela> relocations() {
    const std::uint64_t table = value(DT_RELA);
    const std::uint64_t bytes = value(DT_RELASZ);
    const std::uint64_t plt_bytes = value(DT_PLTRELSZ);
    if (plt_bytes != 0 && value(DT_JMPREL) != table + bytes) fail("an unusual layout");
    return {&at<Elf64_Rela>(offset_of(table)), (bytes + plt_bytes) / sizeof(Elf64_Rela)};
  }

  /// Where a jump or a call (one byte, then the distance from its end) at this address leads to.
  Elf64_Addr target_of(Elf64_Addr address) {
    std::int32_t distance = 0;
    std::memcpy(&distance, &at<char[5]>(offset_of(address))[1], sizeof(distance));
    return address + 5 + static_cast<Elf64_Addr>(distance);
  }
  unsigned char byte_at(Elf64_Addr address) { return at<unsigned char>(offset_of(address)); }

  /// An initialiser may be nothing but a jump.
  Elf64_Addr code_of(Elf64_Addr address) {
    constexpr unsigned char kJump = 0xe9;
    return byte_at(address) == kJump ? target_of(address) : address;
  }

  bool calls_node(Elf64_Addr begin, Elf64_Addr end,
                  const std::map<Elf64_Addr, std::string_view>& slots) {
    constexpr unsigned char kCall = 0xe8;
    for (Elf64_Addr address = begin; address + 5 <= end; ++address) {
      if (byte_at(address) != kCall) continue;
      // The byte may be a part of something else: then this is not an entry of the procedure
      // table, a jump (two bytes and a distance) through a slot.
      const Elf64_Addr entry = target_of(address);
      if (!is_code(entry) || byte_at(entry) != 0xff || byte_at(entry + 1) != 0x25) continue;
      const auto slot = slots.find(target_of(entry + 1));
      if (slot == slots.end()) continue;
      if (slot->second.starts_with("_ZN4node") || slot->second.starts_with("_ZNK4node")) {
        return true;
      }
    }
    return false;
  }

  bool is_code(Elf64_Addr address) const {
    return std::ranges::any_of(segments_, [&](const Elf64_Phdr& segment) {
      return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 &&
             address >= segment.p_vaddr && address + 6 <= segment.p_vaddr + segment.p_filesz;
    });
  }

  /// The list of the versions that are needed, as a chain of entries, one for each library.
  template <class Body>
  void each_version_need(Body body) {
    std::uint64_t offset = offset_of(value(DT_VERNEED));
    for (std::uint64_t left = value(DT_VERNEEDNUM); left != 0; --left) {
      auto& need = at<Elf64_Verneed>(offset);
      body(need, offset);
      offset += need.vn_next;
    }
  }

  void find_versions_to_drop() {
    each_version_need([&](const Elf64_Verneed& need, std::uint64_t offset) {
      if (is_asked_for(strings_ + need.vn_file)) return;
      auto& versions = is_unused(strings_ + need.vn_file) ? unused_versions_ : versions_of_program_;
      std::uint64_t entry = offset + need.vn_aux;
      for (int left = need.vn_cnt; left != 0; --left) {
        const auto& version = at<Elf64_Vernaux>(entry);
        versions.push_back(version.vna_other);
        entry += version.vna_next;
      }
    });
  }

  /// The linker checks each entry against the library that it names: an entry for one that is not
  /// there any more is bridged.
  void drop_version_needs() {
    std::vector<std::uint64_t> kept;
    each_version_need([&](const Elf64_Verneed& need, std::uint64_t offset) {
      if (is_asked_for(strings_ + need.vn_file)) kept.push_back(offset);
    });
    if (kept.empty()) fail("a library that needs no version of another");
    set(DT_VERNEED, value(DT_VERNEED) + kept.front() - offset_of(value(DT_VERNEED)));
    set(DT_VERNEEDNUM, kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      at<Elf64_Verneed>(kept[i]).vn_next =
          i + 1 == kept.size() ? 0 : static_cast<Elf64_Word>(kept[i + 1] - kept[i]);
    }
  }

  /// The relocations are what tells how many symbols there are.
  std::size_t symbol_count() {
    std::size_t count = 0;
    for (const Elf64_Rela& entry : relocations()) {
      count = std::max<std::size_t>(count, ELF64_R_SYM(entry.r_info) + 1);
    }
    return count;
  }

  /// A symbol that is defined here.
  const Elf64_Sym& find_symbol(std::string_view name) {
    for (const Elf64_Sym& symbol : std::span(symbols_, symbol_count())) {
      if (symbol.st_shndx != SHN_UNDEF && strings_ + symbol.st_name == name) return symbol;
    }
    fail("no symbol " + std::string(name));
  }

  /// For those who link with the copy: nobody has to have this symbol, in whatever version.
  void forget_symbol(std::size_t index) {
    Elf64_Sym& symbol = symbols_[index];
    symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
    versions_[index] = VER_NDX_GLOBAL;
    forgotten_.push_back(index);
  }

  bool has_version(std::size_t index, const std::vector<Elf64_Half>& versions) const {
    constexpr Elf64_Half kHidden = 0x8000;
    const auto version = static_cast<Elf64_Half>(versions_[index] & ~kHidden);
    return std::ranges::find(versions, version) != versions.end();
  }

  bool refers_to_unused(const Elf64_Rela& entry) const {
    const auto index = ELF64_R_SYM(entry.r_info);
    if (index == 0 || symbols_[index].st_shndx != SHN_UNDEF) return false;
    const std::string_view name(strings_ + symbols_[index].st_name);
    return has_version(index, unused_versions_) ||
           std::ranges::find(forgotten_, index) != forgotten_.end() ||
           std::ranges::any_of(kUnused, [&](const UnusedLibrary& library) {
             return !library.symbol_prefix.empty() && name.starts_with(library.symbol_prefix);
           });
  }

  template <class T>
  T& at(std::uint64_t offset) {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) fail("a broken library");
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }

  std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address < segment.p_vaddr + segment.p_filesz) {
        return address - segment.p_vaddr + segment.p_offset;
      }
    }
    fail("an address outside of the file");
  }

  Elf64_Dyn* entry(Elf64_Sxword tag) {
    for (Elf64_Dyn& each : dynamic_) {
      if (each.d_tag == tag) return &each;
    }
    return nullptr;
  }
  std::uint64_t value(Elf64_Sxword tag) {
    const Elf64_Dyn* found = entry(tag);
    return found == nullptr ? 0 : found->d_un.d_val;
  }
  void set(Elf64_Sxword tag, std::uint64_t value) {
    Elf64_Dyn* found = entry(tag);
    if (found == nullptr) fail("an entry of the dynamic section is missing");
    found->d_un.d_val = value;
  }

  const Elf64_Sym& symbol_of(const Elf64_Rela& entry) const {
    return symbols_[ELF64_R_SYM(entry.r_info)];
  }
  bool can_be_bound(const Elf64_Rela& entry) const {
    switch (ELF64_R_TYPE(entry.r_info)) {
      case R_X86_64_64:
      case R_X86_64_GLOB_DAT:
      case R_X86_64_JUMP_SLOT: {
        const Elf64_Sym& symbol = symbol_of(entry);
        const auto type = ELF64_ST_TYPE(symbol.st_info);
        const bool unique = ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE;
        return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
               !(unique && is_of_std(strings_ + symbol.st_name)) && type != STT_GNU_IFUNC &&
               type != STT_TLS;
      }
      default:
        return false;
    }
  }

  std::vector<char> bytes_;
  std::span<Elf64_Phdr> segments_;
  std::span<Elf64_Dyn> dynamic_;
  Elf64_Sym* symbols_ = nullptr;
  const char* strings_ = nullptr;
  Elf64_Half* versions_ = nullptr;
  std::vector<Elf64_Half> unused_versions_;
  std::vector<Elf64_Half> versions_of_program_;
  std::vector<std::size_t> forgotten_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: bind_within IN OUT");
  std::ifstream in(argv[1], std::ios::binary);
  if (!in) fail(std::string("cannot read ") + argv[1]);
  Library library(std::vector<char>(std::istreambuf_iterator<char>(in), {}));
  const std::size_t left_out = library.drop_constructors();
  const std::size_t dropped = library.drop_libraries();
  const std::size_t bound = library.bind();
  std::ofstream out(argv[2], std::ios::binary);
  out.write(library.bytes().data(), static_cast<std::streamsize>(library.bytes().size()));
  if (!out.flush()) fail(std::string("cannot write ") + argv[2]);
  std::printf("bind_within: %zu references bound, %zu dropped; %zu constructors left out\n", bound,
              dropped, left_out);
}
