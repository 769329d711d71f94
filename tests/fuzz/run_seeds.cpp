// Runs a fuzz target without libFuzzer: on every file in the folders named, and on what is made of
// each by simple damage, always the same. A crash, an assertion or a sanitizer ends it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t inputs_tried = 0;

void try_input(const Bytes& input) {
  // A copy of its exact size: a read past the end is one past the end of an allocation.
  const Bytes exact(input);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  ++inputs_tried;
}

void try_shortened(const Bytes& seed) {
  constexpr std::size_t kMost = 512;
  const std::size_t step = seed.size() / kMost + 1;
  for (std::size_t size = 0; size < seed.size(); size += step) {
    try_input(Bytes(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(size)));
  }
}

void try_damaged(const Bytes& seed) {
  constexpr int kVariants = 200;
  if (seed.empty()) return;
  std::mt19937 random(static_cast<std::uint32_t>(seed.size()));  // NOLINT(cert-msc51-cpp)
  for (int i = 0; i < kVariants; ++i) {
    Bytes damaged = seed;
    for (auto flips = 1 + random() % 4; flips != 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    }
    try_input(damaged);
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (const char* folder : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      std::ifstream stream(file.path(), std::ios::binary);
      const Bytes seed{std::istreambuf_iterator(stream), {}};
      try_input(seed);
      try_shortened(seed);
      try_damaged(seed);
    }
  }
  std::printf("%zu inputs\n", inputs_tried);
  return inputs_tried == 0 ? 1 : 0;
}
