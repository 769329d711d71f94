// Requests of HTTP: whatever arrives, the parser and the scanner before it hear the same, all at
// once or byte for byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/connection/head_scanner.h"
#include "message_story.h"

namespace {

using namespace rondo::http;

/// How much belongs to the head, and what is said of it.
std::string scan(std::string_view bytes, std::size_t step) {
  HeadScanner scanner;
  std::size_t total = 0;
  while (!bytes.empty() && !scanner.complete() && !scanner.bad()) {
    const std::size_t count = scanner.scan(bytes.substr(0, step));
    total += count;
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  if (scanner.bad()) return "bad";
  return std::to_string(total) + (scanner.complete() ? " complete" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (story_of(MessageKind::request, bytes, size) != story_of(MessageKind::request, bytes, 1)) {
    std::abort();
  }
  if (scan(bytes, size) != scan(bytes, 1)) std::abort();
  return 0;
}
