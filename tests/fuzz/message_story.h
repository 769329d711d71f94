// What the parser of HTTP reports for some bytes, as a text that can be compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "rondo/http/message.h"

#include "http/message_parser.h"

namespace rondo::http {

/// Writes down what the parser reports, bodies without the borders of their pieces.
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

/// Fed with `step` bytes at a time.
inline std::string story_of(MessageKind kind, std::string_view bytes, std::size_t step) {
  Story story;
  MessageParser parser(story);
  parser.begin(kind, {.head_bytes = 4096, .head_strings = 40});
  while (!bytes.empty()) {
    const Parsed parsed = parser.execute(bytes.substr(0, step));
    if (parsed.error != 0) {
      story.text += parsed.code;
      break;
    }
    if (parser.upgraded()) break;
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  if (bytes.empty()) story.text += parser.finish().code;
  return story.text;
}

}  // namespace rondo::http
