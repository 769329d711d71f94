#include "runtime/inspector/inspector_text.h"

#include <algorithm>
#include <span>

namespace rondo {

using v8_inspector::StringView;

InspectorText::InspectorText(v8::Isolate* isolate, v8::Local<v8::String> text)
    : units_(static_cast<std::size_t>(text->Length())) {
  text->WriteV2(isolate, 0, static_cast<std::uint32_t>(units_.size()), units_.data());
}

bool InspectorText::contains(std::string_view ascii) const {
  return !std::ranges::search(units_, ascii).empty();
}

v8::Local<v8::String> to_string(v8::Isolate* isolate, StringView text) {
  const auto length = static_cast<int>(text.length());
  const auto made = text.one_byte()
                        ? v8::String::NewFromOneByte(isolate, text.characters8(),
                                                     v8::NewStringType::kNormal, length)
                        : v8::String::NewFromTwoByte(isolate, text.characters16(),
                                                     v8::NewStringType::kNormal, length);
  return made.FromMaybe(v8::String::Empty(isolate));
}

std::string to_utf8(v8::Isolate* isolate, StringView text) {
  const auto is_ascii = [](auto unit) { return unit < 0x80; };
  // Nearly always: V8 writes the other characters as \u....
  if (text.one_byte()) {
    const std::span units(text.characters8(), text.length());
    if (std::ranges::all_of(units, is_ascii)) return {units.begin(), units.end()};
  } else {
    const std::span units(text.characters16(), text.length());
    if (std::ranges::all_of(units, is_ascii)) {
      std::string ascii(units.size(), '\0');
      std::ranges::transform(units, ascii.begin(),
                             [](std::uint16_t unit) { return static_cast<char>(unit); });
      return ascii;
    }
  }
  const v8::HandleScope scope(isolate);
  const v8::String::Utf8Value utf8(isolate, to_string(isolate, text));
  return {*utf8, static_cast<std::size_t>(utf8.length())};
}

}  // namespace rondo
