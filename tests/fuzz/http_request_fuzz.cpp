// Requests of HTTP: whatever arrives, the parser and the scanner before it hear the same, all at
// once or byte for byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "rondo/http/message.h"

#include "http/connection/head_scanner.h"
#include "http/message_parser.h"

namespace {

using namespace rondo::http;

/// Writes down what the parser tells, bodies without their borders.
class Story final : public MessageEvents {
 public:
  std::string text;

  void message_begins() override { text += "begins\n"; }
  Next head_complete(const Head& head) override {
    text += "head ";
    text += head.text;
    text += '\n';
    text += head.lines;
    for (const auto& [name, value] : Headers(head.lines)) {
      if (name.data() < head.lines.data() || value.data() > head.lines.data() + head.lines.size()) {
        std::abort();
      }
    }
    return Next::go_on;
  }
  Next body(std::span<const char> bytes) override {
    text.append(bytes.data(), bytes.size());
    return Next::go_on;
  }
  Next message_complete(std::string_view trailers, std::size_t /*count*/) override {
    text += "\ncomplete\n";
    text += trailers;
    return Next::go_on;
  }
};

std::string read(std::string_view bytes, std::size_t step) {
  Story story;
  MessageParser parser(story);
  parser.begin(MessageKind::request, {.head_bytes = 4096, .head_strings = 40});
  while (!bytes.empty()) {
    const Parsed parsed = parser.execute(bytes.substr(0, step));
    if (parsed.error != 0) {
      story.text += parsed.code;
      break;
    }
    if (parser.upgraded()) break;
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  return story.text;
}

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
  if (read(bytes, size) != read(bytes, 1)) std::abort();
  if (scan(bytes, size) != scan(bytes, 1)) std::abort();
  return 0;
}
