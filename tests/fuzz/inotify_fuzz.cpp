// For libFuzzer: clang++ -fsanitize=fuzzer,address. tests/io/fs_inotify_test.cpp runs the same
// check over a few inputs in every build.
#include "inotify_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <span>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rondo::check_inotify_bytes(std::as_bytes(std::span(data, size)));
  return 0;
}
