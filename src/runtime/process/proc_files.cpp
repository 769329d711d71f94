#include "runtime/process/proc_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <limits>

namespace rondo {

std::string read_proc_file(const char* path) {
  std::string text;
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return text;
  char chunk[4096];
  ssize_t count = 0;
  while ((count = ::read(descriptor, chunk, sizeof chunk)) > 0) {
    text.append(chunk, static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  return text;
}

std::optional<std::uint64_t> proc_number(std::string_view text, std::string_view label) {
  std::size_t at = 0;
  while (text.compare(at, label.size(), label) != 0) {
    at = text.find('\n', at);
    if (at == text.npos) return std::nullopt;
    ++at;
  }
  at = text.find_first_not_of(" \t:", at + label.size());
  if (at == text.npos) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::uint64_t meminfo_bytes(std::string_view label) {
  return proc_number(read_proc_file("/proc/meminfo"), label).value_or(0) * 1024;
}

std::uint64_t memory_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::string text = read_proc_file(path);
    char* end = nullptr;
    const unsigned long long limit = std::strtoull(text.c_str(), &end, 10);
    // The older kind of group says "unlimited" with the largest number of whole pages.
    constexpr unsigned long long kUnlimited = 1ULL << 62;
    if (end != text.c_str() && limit < kUnlimited) return limit;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace rondo
