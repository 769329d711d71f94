#include "runtime/bytes/encodings.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "runtime/bytes/base_codecs.h"
#include "runtime/bytes/engine_simdutf.h"
#include "runtime/engine/environment.h"

namespace rondo {
namespace {

using v8::Local;
using v8::MaybeLocal;
using v8::String;

constexpr std::size_t kChunk = 4096;

std::size_t length_of(Local<String> text) {
  return static_cast<std::size_t>(text->Length());
}

void write_one_byte(v8::Isolate* isolate, Local<String> text, std::size_t start,
                    std::span<std::uint8_t> out) {
  text->WriteOneByteV2(isolate, static_cast<std::uint32_t>(start),
                       static_cast<std::uint32_t>(out.size()), out.data());
}

// Calls with all characters, as a span of 8-bit or of 16-bit ones. V8's heap has them: nothing may
// be created there meanwhile.
template <class Function>
auto with_characters(v8::Isolate* isolate, Local<String> text, Function function) {
  const String::ValueView view(isolate, text);
  if (view.is_one_byte()) return function(Bytes(view.data8(), view.length()));
  return function(std::span<const std::uint16_t>(view.data16(), view.length()));
}

// ---- UTF-8 --------------------------------------------------------------------------------------

// Appends characters to a limited piece of memory; `full` once one did not fit.
class Utf8Writer {
 public:
  explicit Utf8Writer(std::span<std::uint8_t> out) noexcept
      : begin_(out.data()), to_(out.data()), limit_(out.data() + out.size()) {}

  std::size_t written() const noexcept { return static_cast<std::size_t>(to_ - begin_); }

  bool write(std::span<const std::uint8_t> latin1) noexcept {
    for (const std::uint8_t character : latin1) {
      if (!put(character)) return false;
    }
    return true;
  }

  bool write(std::span<const std::uint16_t> utf16) noexcept {
    for (std::size_t i = 0; i < utf16.size(); ++i) {
      std::uint32_t character = utf16[i];
      if ((character & 0xf800) == 0xd800) {
        const bool is_pair =
            character < 0xdc00 && i + 1 < utf16.size() && (utf16[i + 1] & 0xfc00) == 0xdc00;
        character =
            is_pair ? 0x10000 + ((character & 0x3ff) << 10 | (utf16[i + 1] & 0x3ff)) : 0xfffd;
        if (is_pair) ++i;
      }
      if (!put(character)) return false;
    }
    return true;
  }

 private:
  bool put(std::uint32_t character) noexcept {
    if (character < 0x80) {
      if (to_ == limit_) return false;
      *to_++ = static_cast<std::uint8_t>(character);
      return true;
    }
    const int continuations = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    if (limit_ - to_ <= continuations) return false;
    const unsigned lead = continuations == 1 ? 0xc0 : continuations == 2 ? 0xe0 : 0xf0;
    *to_++ = static_cast<std::uint8_t>(lead | character >> (6 * continuations));
    for (int i = continuations - 1; i >= 0; --i) {
      *to_++ = static_cast<std::uint8_t>(0x80 | (character >> (6 * i) & 0x3f));
    }
    return true;
  }

  std::uint8_t* begin_;
  std::uint8_t* to_;
  std::uint8_t* limit_;
};

std::size_t write_utf8(Bytes latin1, std::span<std::uint8_t> out) noexcept {
  const auto* from = reinterpret_cast<const char*>(latin1.data());
  // A character takes two bytes at most.
  if (out.size() / 2 >= latin1.size() ||
      simdutf::utf8_length_from_latin1(from, latin1.size()) <= out.size()) {
    return simdutf::convert_latin1_to_utf8(from, latin1.size(),
                                           reinterpret_cast<char*>(out.data()));
  }
  Utf8Writer writer(out);
  writer.write(latin1);
  return writer.written();
}

std::size_t write_utf8(std::span<const std::uint16_t> utf16, std::span<std::uint8_t> out) noexcept {
  // A unit takes three bytes at most.
  if (out.size() / 3 >= utf16.size()) {
    const std::size_t written =
        simdutf::convert_utf16le_to_utf8(reinterpret_cast<const char16_t*>(utf16.data()),
                                         utf16.size(), reinterpret_cast<char*>(out.data()));
    if (written != 0) return written;
  }
  Utf8Writer writer(out);
  writer.write(utf16);
  return writer.written();
}

std::size_t write_utf8(v8::Isolate* isolate, Local<String> text, std::span<std::uint8_t> out) {
  return with_characters(isolate, text,
                         [out](auto characters) { return write_utf8(characters, out); });
}

// ---- The others ---------------------------------------------------------------------------------

std::size_t write_latin1(v8::Isolate* isolate, Local<String> text, std::span<std::uint8_t> out) {
  out = out.first(std::min(length_of(text), out.size()));
  // Of wider characters the low eight bits.
  if (!out.empty()) write_one_byte(isolate, text, 0, out);
  return out.size();
}

std::size_t write_utf16(v8::Isolate* isolate, Local<String> text, std::span<std::uint8_t> out) {
  const std::size_t units = std::min(length_of(text), out.size() / 2);
  if (units == 0) return 0;
  if (reinterpret_cast<std::uintptr_t>(out.data()) % alignof(std::uint16_t) == 0) {
    text->WriteV2(isolate, 0, static_cast<std::uint32_t>(units),
                  reinterpret_cast<std::uint16_t*>(out.data()));
    return units * 2;
  }
  std::vector<std::uint16_t> aligned(units);
  text->WriteV2(isolate, 0, static_cast<std::uint32_t>(units), aligned.data());
  std::memcpy(out.data(), aligned.data(), units * 2);
  return units * 2;
}

// ---- Bytes to strings ---------------------------------------------------------------------------

MaybeLocal<String> one_byte_string(v8::Isolate* isolate, Bytes characters) {
  if (characters.size() > static_cast<std::size_t>(String::kMaxLength)) return {};
  return String::NewFromOneByte(isolate, characters.data(), v8::NewStringType::kNormal,
                                static_cast<int>(characters.size()));
}

// A string of `length` characters that the function writes.
template <class Function>
MaybeLocal<String> written_string(v8::Isolate* isolate, std::size_t length, Function function) {
  if (length > static_cast<std::size_t>(String::kMaxLength)) return {};
  std::array<std::uint8_t, kChunk> small;
  if (length <= small.size()) {
    function(small.data());
    return one_byte_string(isolate, {small.data(), length});
  }
  const auto large = std::make_unique_for_overwrite<std::uint8_t[]>(length);
  function(large.get());
  return one_byte_string(isolate, {large.get(), length});
}

MaybeLocal<String> ascii_string(v8::Isolate* isolate, Bytes bytes) {
  if (is_ascii(bytes)) return one_byte_string(isolate, bytes);
  return written_string(isolate, bytes.size(), [bytes](std::uint8_t* out) {
    std::ranges::transform(
        bytes, out, [](std::uint8_t byte) { return static_cast<std::uint8_t>(byte & 0x7f); });
  });
}

MaybeLocal<String> utf16_string(v8::Isolate* isolate, Bytes bytes) {
  const std::size_t units = bytes.size() / 2;
  if (units == 0) return String::Empty(isolate);
  if (units > static_cast<std::size_t>(String::kMaxLength)) return {};
  const int length = static_cast<int>(units);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint16_t) == 0) {
    return String::NewFromTwoByte(isolate, reinterpret_cast<const std::uint16_t*>(bytes.data()),
                                  v8::NewStringType::kNormal, length);
  }
  std::vector<std::uint16_t> aligned(units);
  std::memcpy(aligned.data(), bytes.data(), units * 2);
  return String::NewFromTwoByte(isolate, aligned.data(), v8::NewStringType::kNormal, length);
}

MaybeLocal<String> base64_string(v8::Isolate* isolate, Bytes bytes, Base64 form) {
  return written_string(isolate, base64_encoded_length(bytes.size(), form),
                        [=](std::uint8_t* out) { base64_encode(bytes, form, out); });
}

MaybeLocal<String> decode(v8::Isolate* isolate, Bytes bytes, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return decode_utf8(isolate, bytes);
    case Encoding::latin1:
      return one_byte_string(isolate, bytes);
    case Encoding::ascii:
      return ascii_string(isolate, bytes);
    case Encoding::utf16le:
      return utf16_string(isolate, bytes);
    case Encoding::base64:
      return base64_string(isolate, bytes, Base64::standard);
    case Encoding::base64url:
      return base64_string(isolate, bytes, Base64::url);
    case Encoding::hex:
      return written_string(isolate, bytes.size() * 2,
                            [bytes](std::uint8_t* out) { hex_encode(bytes, out); });
  }
  return {};
}

}  // namespace

std::optional<Encoding> find_encoding(std::string_view name) noexcept {
  struct Name {
    std::string_view name;
    Encoding encoding;
  };
  static constexpr Name kNames[] = {
      {"utf8", Encoding::utf8},       {"utf-8", Encoding::utf8},
      {"latin1", Encoding::latin1},   {"binary", Encoding::latin1},
      {"ascii", Encoding::ascii},     {"hex", Encoding::hex},
      {"base64", Encoding::base64},   {"base64url", Encoding::base64url},
      {"utf16le", Encoding::utf16le}, {"utf-16le", Encoding::utf16le},
      {"ucs2", Encoding::utf16le},    {"ucs-2", Encoding::utf16le},
  };
  const auto* const found = std::ranges::find(kNames, name, &Name::name);
  if (found == std::end(kNames)) return std::nullopt;
  return found->encoding;
}

std::size_t most_bytes(std::size_t string_length, Encoding encoding) noexcept {
  switch (encoding) {
    case Encoding::utf8:
      return string_length * 3;
    case Encoding::utf16le:
      return string_length * 2;
    case Encoding::hex:
      return string_length / 2;
    case Encoding::base64:
    case Encoding::base64url:
      return string_length / 4 * 3 + 3;
    case Encoding::latin1:
    case Encoding::ascii:
      return string_length;
  }
  return 0;
}

std::size_t utf8_length(v8::Isolate* isolate, Local<String> text) {
  if (!text->IsOneByte()) return text->Utf8LengthV2(isolate);
  const String::ValueView view(isolate, text);
  return simdutf::utf8_length_from_latin1(reinterpret_cast<const char*>(view.data8()),
                                          view.length());
}

std::size_t write_string(v8::Isolate* isolate, Local<String> text, Encoding encoding,
                         std::span<std::uint8_t> out) {
  if (out.empty() || text->Length() == 0) return 0;
  switch (encoding) {
    case Encoding::utf8:
      return write_utf8(isolate, text, out);
    case Encoding::latin1:
    case Encoding::ascii:
      return write_latin1(isolate, text, out);
    case Encoding::utf16le:
      return write_utf16(isolate, text, out);
    case Encoding::base64:
    case Encoding::base64url:
      return with_characters(isolate, text,
                             [out](auto characters) { return base64_decode(characters, out); });
    case Encoding::hex:
      return with_characters(isolate, text,
                             [out](auto characters) { return hex_decode(characters, out); });
  }
  return 0;
}

std::size_t write_characters(Bytes characters, Encoding encoding, std::span<std::uint8_t> out) {
  switch (encoding) {
    case Encoding::utf8:
      return write_utf8(characters, out);
    case Encoding::latin1:
    case Encoding::ascii: {
      const std::size_t size = std::min(characters.size(), out.size());
      if (size > 0) std::memcpy(out.data(), characters.data(), size);
      return size;
    }
    case Encoding::utf16le: {
      const std::size_t units = std::min(characters.size(), out.size() / 2);
      for (std::size_t i = 0; i < units; ++i) {
        out[2 * i] = characters[i];
        out[2 * i + 1] = 0;
      }
      return units * 2;
    }
    case Encoding::base64:
    case Encoding::base64url:
      return base64_decode(characters, out);
    case Encoding::hex:
      return hex_decode(characters, out);
  }
  return 0;
}

std::vector<std::uint8_t> encode_string(v8::Isolate* isolate, Local<String> text,
                                        Encoding encoding) {
  std::vector<std::uint8_t> bytes(most_bytes(length_of(text), encoding));
  bytes.resize(write_string(isolate, text, encoding, bytes));
  return bytes;
}

MaybeLocal<String> decode_bytes(Environment& environment, Bytes bytes, Encoding encoding) {
  v8::Isolate* isolate = environment.isolate();
  if (bytes.empty()) return String::Empty(isolate);
  Local<String> text;
  if (decode(isolate, bytes, encoding).ToLocal(&text)) return text;
  isolate->ThrowException(environment.error(
      "ERR_STRING_TOO_LONG", "Cannot create a string longer than 0x1fffffe8 characters"));
  return {};
}

}  // namespace rondo
