// Texts of the inspector, to and from those of V8's heap and ours.
#pragma once

#include <v8.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inspector/engine_inspector.h"

namespace rondo {

inline v8_inspector::StringView view_of(std::string_view latin1) {
  return {reinterpret_cast<const std::uint8_t*>(latin1.data()), latin1.size()};
}

/// Text of V8's heap, as the inspector reads it.
class InspectorText {
 public:
  InspectorText(v8::Isolate* isolate, v8::Local<v8::String> text);
  v8_inspector::StringView view() const { return {units_.data(), units_.size()}; }
  bool contains(std::string_view ascii) const;

 private:
  std::vector<std::uint16_t> units_;
};

v8::Local<v8::String> to_string(v8::Isolate* isolate, v8_inspector::StringView text);
std::string to_utf8(v8::Isolate* isolate, v8_inspector::StringView text);

}  // namespace rondo
