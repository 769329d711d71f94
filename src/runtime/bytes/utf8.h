// Text in memory and in V8.
#pragma once

#include <v8.h>

#include <cstdint>
#include <span>

namespace rondo {

using Bytes = std::span<const std::uint8_t>;

bool is_ascii(Bytes bytes) noexcept;
/// Strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(Bytes bytes) noexcept;

/// Each wrong sequence becomes U+FFFD. Empty if the string would be too long for V8; nothing is
/// thrown then.
v8::MaybeLocal<v8::String> decode_utf8(v8::Isolate* isolate, Bytes bytes);

}  // namespace rondo
