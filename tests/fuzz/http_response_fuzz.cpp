// Responses of HTTP: whatever arrives, the parser reports the same, all at once or byte by byte.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "message_story.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rondo::http;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (story_of(MessageKind::response, bytes, size) != story_of(MessageKind::response, bytes, 1)) {
    std::abort();
  }
  return 0;
}
