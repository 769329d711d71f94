#include "runtime/sqlite/changesets/changeset_check.h"

#include <cstddef>

#include "runtime/sqlite/sqlite_header.h"

namespace rondo::sqlite {
namespace {

// The format is that of sqlite3session.c: tables, each with its changes.
//
//   table:   'T' (changeset) or 'P' (patchset), number of columns as a varint, a byte for each that
//            is not 0 if it is part of the primary key, the name with a zero
//   change:  operation, a byte, and a record: of an update in a changeset two, old values and new
//   record:  a value for each column: type, and what belongs to it
constexpr std::uint8_t kChangesetTable = 'T';
constexpr std::uint8_t kPatchsetTable = 'P';
// Of a value; the other types are SQLITE_INTEGER, SQLITE_TEXT and so on.
constexpr std::uint8_t kUndefined = 0;
constexpr std::size_t kMostColumns = 65536;  // SQLite's own limit

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) noexcept : left_(bytes) {}

  bool at_end() const noexcept { return left_.empty(); }

  bool byte(std::uint8_t& result) noexcept {
    if (left_.empty()) return false;
    result = left_.front();
    left_ = left_.subspan(1);
    return true;
  }

  bool skip(std::uint64_t count) noexcept {
    if (count > left_.size()) return false;
    left_ = left_.subspan(static_cast<std::size_t>(count));
    return true;
  }

  /// Seven bits in each byte, the highest first. No length in a changeset has more than 32 bits.
  bool varint(std::uint64_t& result) noexcept {
    constexpr int kMostBytes = 9;
    result = 0;
    for (int i = 0; i < kMostBytes; ++i) {
      std::uint8_t part = 0;
      if (!byte(part)) return false;
      result = (result << 7) | (part & 0x7fU);
      if ((part & 0x80U) == 0) return result <= UINT32_MAX;
    }
    return false;
  }

  bool text_with_zero() noexcept {
    std::uint8_t unit = 0;
    do {
      if (!byte(unit)) return false;
    } while (unit != 0);
    return true;
  }

  bool take(std::size_t count, std::span<const std::uint8_t>& result) noexcept {
    if (count > left_.size()) return false;
    result = left_.first(count);
    left_ = left_.subspan(count);
    return true;
  }

 private:
  std::span<const std::uint8_t> left_;
};

struct Table {
  bool is_patchset = false;
  std::span<const std::uint8_t> keys;  // a byte for each column
};

bool read_table(Reader& reader, bool is_patchset, Table& table) {
  std::uint64_t columns = 0;
  table.is_patchset = is_patchset;
  return reader.varint(columns) && columns > 0 && columns <= kMostColumns &&
         reader.take(static_cast<std::size_t>(columns), table.keys) && reader.text_with_zero();
}

bool read_value(Reader& reader, std::uint8_t& type) {
  std::uint64_t size = 0;
  if (!reader.byte(type)) return false;
  switch (type) {
    case kUndefined:
    case SQLITE_NULL:
      return true;
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      return reader.skip(sizeof(double));
    case SQLITE_TEXT:
    case SQLITE_BLOB:
      return reader.varint(size) && reader.skip(size);
    default:
      return false;
  }
}

enum class Values : std::uint8_t {
  all_and_keys,  // those of keys are there
  all,
  keys_only,  // the record has no others
};

bool read_record(Reader& reader, const Table& table, Values values) {
  for (const std::uint8_t key : table.keys) {
    if (values == Values::keys_only && key == 0) continue;
    std::uint8_t type = kUndefined;
    if (!read_value(reader, type)) return false;
    if (key != 0 && type == kUndefined && values != Values::all) return false;
  }
  return true;
}

bool read_change(Reader& reader, const Table& table, std::uint8_t operation) {
  if (!reader.skip(1)) return false;
  switch (operation) {
    case SQLITE_INSERT:
      return read_record(reader, table, Values::all_and_keys);
    case SQLITE_DELETE:
      return read_record(reader, table,
                         table.is_patchset ? Values::keys_only : Values::all_and_keys);
    case SQLITE_UPDATE:
      return read_record(reader, table, Values::all_and_keys) &&
             (table.is_patchset || read_record(reader, table, Values::all));
    default:
      return false;
  }
}

}  // namespace

bool is_changeset(std::span<const std::uint8_t> bytes) noexcept {
  Reader reader(bytes);
  Table table;
  while (!reader.at_end()) {
    std::uint8_t kind = 0;
    reader.byte(kind);
    const bool is_table = kind == kChangesetTable || kind == kPatchsetTable;
    if (is_table ? !read_table(reader, kind == kPatchsetTable, table)
                 : table.keys.empty() || !read_change(reader, table, kind)) {
      return false;
    }
  }
  return true;
}

}  // namespace rondo::sqlite
