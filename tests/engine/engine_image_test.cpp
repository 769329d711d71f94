// The changes that make the engine file, on an executable that is at hand: this one, which is
// linked for it (not position-independent, with its symbols exported).
#include "engine/engine_image.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program_binding.h"

namespace {

int initialised = 0;

}  // namespace

extern "C" __attribute__((constructor)) void engine_test_initialiser() {
  ++initialised;
}
extern "C" int engine_test_export_with_a_name_that_is_long_enough_for_others() {
  return initialised;
}
extern "C" int engine_test_kept_export() {
  return initialised;
}

namespace rondo::engine {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string own_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string complaint(std::string bytes) {
  try {
    const EngineImage image(std::move(bytes));
  } catch (const BrokenAssumption& error) {
    return error.what();
  }
  return "";
}

TEST(EngineImageTest, AnExecutableIsFine) {
  EXPECT_EQ(complaint(own_executable()), "");
}

TEST(EngineImageTest, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(complaint(""), "it is not an ELF file");
  EXPECT_EQ(complaint("#!/bin/sh\n"), "it is not an ELF file");
  const std::string whole = own_executable();
  EXPECT_EQ(complaint(whole.substr(0, 20)), "the file ends before its tables do");
  EXPECT_EQ(complaint(whole.substr(0, 100)), "the file ends before its tables do");
  std::string changed = whole;
  changed[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(complaint(changed), "it is not a 64-bit little-endian ELF file");
  changed = whole;
  changed[offsetof(Elf64_Ehdr, e_machine)] = EM_386;
  EXPECT_EQ(complaint(changed), "it is for neither x86-64 nor arm64");
  changed = whole;
  changed[offsetof(Elf64_Ehdr, e_type)] = ET_DYN;
  EXPECT_EQ(complaint(changed), "it is not an executable with a fixed address (ET_EXEC)");
}

TEST(EngineImageTest, AStrippedFileHasNoNamesForInitialisers) {
  EngineImage image(own_executable());
  image.strip();
  EXPECT_EQ(complaint(image.bytes()), "it has no section .dynsym");
}

TEST(EngineImageTest, ChecksExportsAndImports) {
  const EngineImage image(own_executable());
  constexpr std::string_view kThere[] = {"engine_test_kept_export", "main"};
  EXPECT_NO_THROW(image.require_exports(kThere));
  EXPECT_NO_THROW(image.require_import("__libc_start_main"));
  constexpr std::string_view kMissing[] = {"main", "engine_test_missing",
                                           "engine_test_missing_too"};
  try {
    image.require_exports(kMissing);
    FAIL();
  } catch (const BrokenAssumption& error) {
    EXPECT_STREQ(error.what(), "it does not export 'engine_test_missing'");
  }
  EXPECT_THROW(image.require_import("engine_test_missing"), BrokenAssumption);
  EXPECT_THROW(image.require_import("engine_test_kept_export"), BrokenAssumption);  // its own
}

TEST(EngineImageTest, KnowsInitialisersByNameAndFile) {
  EngineImage image(own_executable());
  const std::vector<Initialiser> before = image.initialisers();
  const auto ours = std::ranges::find(before, "engine_test_initialiser", &Initialiser::name);
  ASSERT_NE(ours, before.end());
  EXPECT_NE(std::ranges::find(before, "engine_image_test.cpp", &Initialiser::file), before.end());
  image.set_initialisers({&*ours, 1});
  const EngineImage read_again(image.bytes());
  const std::vector<Initialiser> after = read_again.initialisers();
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after.front().name, "engine_test_initialiser");
}

template <class T>
T read_at(const std::string& bytes, std::uint64_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::vector<Elf64_Phdr> segments_of(const std::string& bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  std::vector<Elf64_Phdr> segments;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    segments.push_back(read_at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr)));
  }
  return segments;
}

/// Where in the file the byte is that is loaded at `address`.
std::uint64_t offset_of_address(const std::string& bytes, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments_of(bytes)) {
    const bool holds = segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
                       address < segment.p_vaddr + segment.p_filesz;
    if (holds) return address - segment.p_vaddr + segment.p_offset;
  }
  throw std::out_of_range("no such address in the file");
}

/// Where the dynamic section of `bytes` says that `tag` is, or how large.
std::uint64_t dynamic_value(const std::string& bytes, std::int64_t tag) {
  for (const Elf64_Phdr& segment : segments_of(bytes)) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t offset = segment.p_offset;; offset += sizeof(Elf64_Dyn)) {
      const auto entry = read_at<Elf64_Dyn>(bytes, offset);
      if (entry.d_tag == tag || entry.d_tag == DT_NULL) return entry.d_un.d_val;
    }
  }
  return 0;
}

TEST(EngineImageTest, BindsItsOwnSymbols) {
  std::string bytes = own_executable();
  const std::size_t bound_before = EngineImage(bytes).bind_own_symbols();
  // Makes the first relocation, which is for a symbol of a library, one for a symbol of the
  // executable.
  const auto offset_of_table = [&](std::int64_t tag) {
    return offset_of_address(bytes, dynamic_value(bytes, tag));
  };
  const std::uint64_t table = offset_of_table(DT_RELA);
  const std::uint64_t symbols = offset_of_table(DT_SYMTAB);
  const char* names = bytes.data() + offset_of_table(DT_STRTAB);
  const std::string_view wanted_name = "engine_test_kept_export";
  std::uint64_t index = 0;
  for (Elf64_Sym symbol{}; names + symbol.st_name != wanted_name;) {
    std::memcpy(&symbol, bytes.data() + symbols + ++index * sizeof symbol, sizeof symbol);
  }
  Elf64_Rela relocation{};
  std::memcpy(&relocation, bytes.data() + table, sizeof relocation);
  relocation.r_info = ELF64_R_INFO(index, R_X86_64_GLOB_DAT);
  relocation.r_addend = 8;
  std::memcpy(bytes.data() + table, &relocation, sizeof relocation);

  EngineImage image(bytes);
  EXPECT_EQ(image.bind_own_symbols(), bound_before + 1);
  EXPECT_EQ(image.bind_own_symbols(), 0U);
  const auto stored =
      read_at<std::uint64_t>(image.bytes(), offset_of_address(bytes, relocation.r_offset));
  EXPECT_EQ(stored, reinterpret_cast<std::uint64_t>(&engine_test_kept_export) + 8);
}

TEST(EngineImageTest, HidesExports) {
  EngineImage image(own_executable());
  constexpr std::string_view kPrefix[] = {"engine_test_export_"};
  EXPECT_EQ(image.hide_exports(kPrefix), 1U);
  const EngineImage read_again(image.bytes());
  constexpr std::string_view kHidden[] = {
      "engine_test_export_with_a_name_that_is_long_enough_for_others"};
  constexpr std::string_view kKept[] = {"engine_test_kept_export"};
  EXPECT_THROW(read_again.require_exports(kHidden), BrokenAssumption);
  EXPECT_NO_THROW(read_again.require_exports(kKept));
}

TEST(EngineImageTest, LeavesTheExportsThatAreExcepted) {
  EngineImage image(own_executable());
  constexpr std::string_view kPrefix[] = {"engine_test_"};
  constexpr std::string_view kExcepted[] = {"engine_test_kept_"};
  constexpr std::string_view kKept[] = {"engine_test_kept_export"};
  EXPECT_EQ(image.hide_exports(kPrefix, kExcepted), 2U);  // of three
  EXPECT_NO_THROW(EngineImage(image.bytes()).require_exports(kKept));
}

TEST(EngineImageTest, ALibraryNeedsAHiddenNameToBeWrittenOver) {
  EngineImage image(own_executable());
  const std::vector<std::string> libraries{"libengine_test.so"};
  try {
    image.set_libraries(libraries, "$ORIGIN");
    FAIL();
  } catch (const BrokenAssumption& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("no hidden export has a name as long as 'libengine_test.so'"));
  }
}

/// What readelf says of an image, with these options.
std::string readelf(const EngineImage& image, const std::string& options) {
  const std::string path = testing::TempDir() + "/engine_image_test." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << image.bytes();
  const std::string command = "readelf --wide " + options + ' ' + path + " 2>/dev/null";
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  ::unlink(path.c_str());
  return text;
}

TEST(EngineImageTest, RunsWithCompactTablesOfSymbols) {
  EngineImage image(own_executable());
  // The names of what is hidden make room.
  constexpr std::string_view kPrefix[] = {"engine_test_export_", "_ZN7testing"};
  image.hide_exports(kPrefix);
  image.compact_symbols();
  image.strip();
  const EngineExports exports(image.bytes());
  EXPECT_FALSE(exports.find("engine_test_export_with_a_name_that_is_long_enough_for_others"));
  EXPECT_EQ(exports.find("engine_test_kept_export"),
            reinterpret_cast<std::uint64_t>(&engine_test_kept_export));
  const std::string path = testing::TempDir() + "/engine_image_test." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << image.bytes();
  ::chmod(path.c_str(), 0755);
  // Its imports are bound, or it would not begin. These two look for exports.
  const std::string command = path +
                              " --gtest_filter=EngineExportsTest.FindsWhatAnExecutableExports:"
                              "EngineExportsTest.TheDynamicLinkerFindsTheSame >" +
                              path + ".out 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream output(path + ".out");
  const std::string text{std::istreambuf_iterator<char>(output), {}};
  ::unlink(path.c_str());
  ::unlink((path + ".out").c_str());
  EXPECT_EQ(status, 0) << text;
  EXPECT_THAT(text, HasSubstr("[  PASSED  ] 2 tests"));
}

TEST(EngineImageTest, AddsLibrariesBeforeAllOthers) {
  EngineImage image(own_executable());
  constexpr std::string_view kPrefix[] = {"engine_test_export_", "_ZN7testing"};
  image.hide_exports(kPrefix);
  const std::vector<std::string> libraries{"libengine_a.so", "libengine_b.so"};
  image.set_libraries(libraries, "$ORIGIN/engine_test");
  image.strip();
  const std::string text = readelf(image, "--dynamic");
  const std::size_t a = text.find("Shared library: [libengine_a.so]");
  const std::size_t b = text.find("Shared library: [libengine_b.so]");
  const std::size_t c = text.find("Shared library: [libc.so.6]");
  EXPECT_LT(a, b) << text;
  EXPECT_LT(b, c) << text;
  EXPECT_NE(c, std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr("runpath: [$ORIGIN/engine_test]"));
}

/// The libraries of which versions are needed, as the dynamic linker finds them.
std::vector<std::string> libraries_with_versions(const std::string& bytes) {
  const std::uint64_t names = offset_of_address(bytes, dynamic_value(bytes, DT_STRTAB));
  std::uint64_t at = offset_of_address(bytes, dynamic_value(bytes, DT_VERNEED));
  std::vector<std::string> libraries;
  for (std::uint64_t i = 0; i < dynamic_value(bytes, DT_VERNEEDNUM); ++i) {
    const auto table = read_at<Elf64_Verneed>(bytes, at);
    libraries.emplace_back(bytes.data() + names + table.vn_file);
    EXPECT_EQ(table.vn_next == 0, i + 1 == dynamic_value(bytes, DT_VERNEEDNUM));
    at += table.vn_next;
  }
  return libraries;
}

TEST(EngineImageTest, ImportsFromAnotherLibrary) {
  EngineImage image(own_executable());
  const auto before = libraries_with_versions(image.bytes());
  EXPECT_THAT(before, Contains("libgcc_s.so.1"));
  image.import_from_other("libgcc_s.so.1", "libc.so.6");
  EXPECT_THAT(readelf(image, "--dynamic"), Not(HasSubstr("[libgcc_s.so.1]")));
  const auto after = libraries_with_versions(image.bytes());
  EXPECT_EQ(after.size(), before.size());
  EXPECT_THAT(after, Not(Contains("libgcc_s.so.1")));
  EXPECT_THAT(readelf(image, "--dyn-syms"), HasSubstr("_Unwind_Resume@GCC_3.0"));
}

TEST(EngineImageTest, ImportsFromAnyLibrary) {
  const auto before = libraries_with_versions(own_executable());
  EXPECT_THAT(before, Contains("libgcc_s.so.1"));
  for (const std::string& library : before) {  // the first of the tables, and the last
    SCOPED_TRACE(library);
    EngineImage image(own_executable());
    image.import_from_any(library);
    EXPECT_THAT(readelf(image, "--dynamic"), Not(HasSubstr('[' + library + ']')));
    auto expected = before;
    std::erase(expected, library);
    EXPECT_EQ(libraries_with_versions(image.bytes()), expected);
    const std::string symbols = readelf(image, "--dyn-syms");
    EXPECT_THAT(symbols, HasSubstr("_Unwind_Resume"));
    EXPECT_EQ(symbols.find("_Unwind_Resume@GCC_3.0") == std::string::npos,
              library == "libgcc_s.so.1");
  }
}

TEST(EngineImageTest, ALibraryToDropMustBeNeeded) {
  EngineImage image(own_executable());
  try {
    image.import_from_any("libengine_test.so");
    FAIL();
  } catch (const BrokenAssumption& error) {
    EXPECT_STREQ(error.what(), "it does not need 'libengine_test.so'");
  }
  EXPECT_THROW(image.import_from_other("libgcc_s.so.1", "libengine_test.so"), BrokenAssumption);
  EXPECT_THAT(readelf(image, "--dynamic"), HasSubstr("[libgcc_s.so.1]"));
}

}  // namespace
}  // namespace rondo::engine
