// An executable or a shared object as a file in memory: its segments, its dynamic section, and the
// tables that the dynamic linker reads.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace rondo::engine {

/// An assumption about Node's executable that does not hold. The text says which.
class BrokenAssumption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ElfImage {
 public:
  const std::string& bytes() const noexcept { return bytes_; }

 protected:
  struct Table {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  /// Checks that it is a linked file of a machine that is known.
  explicit ElfImage(std::string bytes);

  template <class T>
  T read(std::uint64_t offset) const;
  template <class T>
  void write(std::uint64_t offset, const T& value);

  std::uint64_t offset_of(std::uint64_t address, std::uint64_t size) const;
  std::string_view text_at(std::uint64_t offset) const;
  std::vector<Elf64_Dyn> dynamic_entries() const;
  void write_dynamic_entries(std::span<const Elf64_Dyn> entries);
  std::uint64_t dynamic_value(std::int64_t tag, std::string_view name) const;
  /// Fills dynamic_symbols_. A file that has been stripped has no size of them.
  void find_symbols();
  /// Those that are applied at once, and those of functions, which may be applied at the first
  /// call.
  std::vector<Table> relocation_tables() const;
  /// Whether a relocation of this type writes the address of a symbol, and an addend, and no more.
  bool stores_address(std::uint64_t relocation_type) const;
  Elf64_Sym dynamic_symbol(std::size_t index) const;
  std::string_view dynamic_name(const Elf64_Sym& symbol) const;

  std::string bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  Table dynamic_;
  Table dynamic_symbols_;
  Table dynamic_names_;
};

template <class T>
T ElfImage::read(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
    throw BrokenAssumption("the file ends before its tables do");
  }
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

template <class T>
void ElfImage::write(std::uint64_t offset, const T& value) {
  std::ignore = read<T>(offset);  // for its check
  std::memcpy(bytes_.data() + offset, &value, sizeof value);
}

}  // namespace rondo::engine
