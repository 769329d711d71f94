// Binding a program to an executable of a fixed address: this one is the executable, and exports
// what the program (bound_program.cpp) refers to.
#include "engine/program_binding.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
int bound_test_variable = 5;
int bound_test_function(int argument) {
  return argument + bound_test_variable;
}
}

namespace rondo::engine {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string bound_program() {
  ProgramImage program(contents(BOUND_PROGRAM));
  // The call, the variable, the pointer.
  EXPECT_EQ(program.bind(EngineExports(contents("/proc/self/exe"))), 3U);
  return program.bytes();
}

/// A file with these bytes, as long as it lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_(testing::TempDir() + "/program_binding_test." + std::to_string(::getpid())) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

std::string relocations(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const std::string command = "readelf --wide --relocs " + file.path();
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST(EngineExportsTest, FindsWhatAnExecutableExports) {
  const EngineExports engine(contents("/proc/self/exe"));
  EXPECT_EQ(engine.find("bound_test_function"),
            reinterpret_cast<std::uint64_t>(&bound_test_function));
  EXPECT_EQ(engine.find("bound_test_variable"),
            reinterpret_cast<std::uint64_t>(&bound_test_variable));
  EXPECT_FALSE(engine.find("bound_test_missing"));
  EXPECT_FALSE(engine.find("atoi"));  // imported
  EXPECT_FALSE(engine.find(""));
}

TEST(EngineExportsTest, TheDynamicLinkerFindsTheSame) {
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "bound_test_variable"), &bound_test_variable);
  EXPECT_NE(::dlsym(RTLD_DEFAULT, "atoi"), nullptr);
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "bound_test_missing"), nullptr);
}

TEST(EngineExportsTest, ASharedObjectIsNoEngine) {
  EXPECT_THROW(EngineExports(contents(BOUND_PROGRAM)), BrokenAssumption);
  EXPECT_THROW(ProgramImage(contents("/proc/self/exe")), BrokenAssumption);
}

class BoundProgramTest : public testing::TestWithParam<int> {};

TEST_P(BoundProgramTest, ABoundProgramFindsWhatTheExecutableHas) {
  const TemporaryFile file(bound_program());
  void* program = ::dlopen(file.path().c_str(), GetParam() | RTLD_LOCAL);
  ASSERT_NE(program, nullptr) << ::dlerror();
  const auto function = [&](const char* name) {
    return reinterpret_cast<int (*)(int)>(::dlsym(program, name));
  };
  EXPECT_EQ(function("bound_program_call")(2), 7);
  EXPECT_EQ(function("bound_program_call_of_library")(2), 14);
  const auto address = reinterpret_cast<int* (*)()>(::dlsym(program, "bound_program_address"));
  EXPECT_EQ(address(), &bound_test_variable);
  const auto* pointer = static_cast<int (**)(int)>(::dlsym(program, "bound_program_pointer"));
  EXPECT_EQ(*pointer, &bound_test_function);
  ::dlclose(program);
}

INSTANTIATE_TEST_SUITE_P(Binding, BoundProgramTest, testing::Values(RTLD_LAZY, RTLD_NOW),
                         [](const auto& mode) { return mode.param == RTLD_LAZY ? "Lazy" : "Now"; });

TEST(ProgramImageTest, NothingIsLeftToLookUpInTheExecutable) {
  const std::string before = relocations(contents(BOUND_PROGRAM));
  EXPECT_THAT(before, ContainsRegex("GLOB_DAT.* bound_test_variable"));
  EXPECT_THAT(before, HasSubstr(" atoi"));
  const std::string after = relocations(bound_program());
  EXPECT_THAT(after, Not(HasSubstr("bound_test_variable")));
  // The entry of the call is still counted, and writes where nothing reads.
  EXPECT_THAT(after, ContainsRegex("JUMP_SLO.* bound_test_function"));
  EXPECT_THAT(after, Not(ContainsRegex("_64 .* bound_test_function")));
  EXPECT_THAT(after, HasSubstr(" atoi"));
}

TEST(ProgramImageTest, WhatIsBoundIsNotBoundAgain) {
  ProgramImage program(bound_program());
  EXPECT_EQ(program.bind(EngineExports(contents("/proc/self/exe"))), 0U);
}

}  // namespace
}  // namespace rondo::engine
