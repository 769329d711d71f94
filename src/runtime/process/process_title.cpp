#include "runtime/process/process_title.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>

namespace rondo {
namespace {

// The words of the command line lie in memory one after the other, and `ps` reads them there.
std::span<char> command_line;
std::mutex guard;

// glibc hands the command line to what runs before main(): so it is known however the program uses
// the runtime.
[[gnu::constructor]] void find_command_line(int argc, char** argv) {
  if (argc <= 0 || argv[0] == nullptr) return;
  char* end = argv[0];
  for (int i = 0; i < argc && argv[i] == end; ++i) end += std::strlen(argv[i]) + 1;
  command_line = {argv[0], end};
}

}  // namespace

std::string process_title() {
  const std::scoped_lock lock(guard);
  const auto end = std::ranges::find(command_line, '\0');
  return {command_line.begin(), end};
}

void set_process_title(std::string_view title) {
  const std::scoped_lock lock(guard);
  if (command_line.empty()) return;
  const std::string_view kept = title.substr(0, command_line.size() - 1);
  const auto rest = std::ranges::copy(kept, command_line.begin()).out;
  std::fill(rest, command_line.end(), '\0');
  // The kernel's own short name of the thread: top shows it.
  ::prctl(PR_SET_NAME, std::string(kept).c_str());
}

}  // namespace rondo
