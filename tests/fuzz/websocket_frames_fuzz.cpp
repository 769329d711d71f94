// Frames of WebSocket: whatever arrives, the reader reports the same, all at once or byte for byte,
// and holds no more than it may.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/websocket/frames.h"

namespace {

using namespace rondo::websocket;

constexpr std::size_t kMostMessage = 4096;

class Story final : public FrameEvents {
 public:
  std::string text;

  void message_arrived(bool is_text, std::string& data) override {
    if (data.size() > kMostMessage) std::abort();
    text += is_text ? "text " : "binary ";
    text += data;
  }
  void ping_arrived(std::string_view data) override { text.append("ping ").append(data); }
  void pong_arrived(std::string_view data) override { text.append("pong ").append(data); }
  void close_arrived(int code, std::string_view reason) override {
    text.append("close ").append(std::to_string(code)).append(reason);
  }
};

std::string read(std::string_view bytes, std::size_t step, bool is_server) {
  Story story;
  FrameReader reader(story, is_server, kMostMessage);
  reader.enable_deflate(true);
  while (!bytes.empty() && reader.broken() == 0) {
    reader.feed(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  return story.text + std::to_string(reader.broken());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_server = (data[0] & 1) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (read(bytes, bytes.size(), is_server) != read(bytes, 1, is_server)) std::abort();
  return 0;
}
