// UTF-8 both ways for TextEncoder and TextDecoder, and the ASCII form of Unicode domains.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/bytes/engine_ada.h"
#include "runtime/bytes/utf8.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;

constexpr int kWriteFlags = v8::String::WriteFlags::kReplaceInvalidUtf8;

Local<v8::Uint8Array> encode_utf8_string(v8::Isolate* isolate, Local<v8::String> text) {
  const auto length = text->Utf8LengthV2(isolate);
  std::shared_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(isolate, length);
  text->WriteUtf8V2(isolate, static_cast<char*>(store->Data()), length, kWriteFlags);
  const auto buffer = v8::ArrayBuffer::New(isolate, std::move(store));
  return v8::Uint8Array::New(buffer, 0, length);
}

// (text, bytes, result): fills the bytes with as many whole characters as fit; the result, a
// Uint32Array, gets how many code units were read and how many bytes written.
void encode_into(v8::Isolate* isolate, Local<v8::String> text, std::span<std::uint8_t> bytes,
                 Local<v8::Uint32Array> counts) {
  const std::span<std::uint32_t> result = elements_of<std::uint32_t>(counts);
  std::size_t read = 0;
  const std::size_t written = text->WriteUtf8V2(isolate, reinterpret_cast<char*>(bytes.data()),
                                                bytes.size(), kWriteFlags, &read);
  result[0] = static_cast<std::uint32_t>(read);
  result[1] = static_cast<std::uint32_t>(written);
}

// (buffer or view, whether a byte order mark stays, whether what is wrong throws)
v8::MaybeLocal<v8::String> decode_utf8(Environment& environment, Local<v8::Value> input,
                                       bool keeps_mark, bool is_fatal) {
  if (!is_bytes(input)) {
    environment.throw_(environment.type_error(
        "ERR_INVALID_ARG_TYPE",
        "The \"list\" argument must be an instance of SharedArrayBuffer, ArrayBuffer or "
        "ArrayBufferView."));
    return {};
  }
  Bytes bytes = bytes_of(input);
  if (is_fatal && !is_utf8(bytes)) {
    environment.throw_(environment.type_error("ERR_ENCODING_INVALID_ENCODED_DATA",
                                              "The encoded data was not valid for encoding utf-8"));
    return {};
  }
  const bool has_mark =
      bytes.size() >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
  if (has_mark && !keeps_mark) bytes = bytes.subspan(3);
  const v8::MaybeLocal<v8::String> text = rondo::decode_utf8(environment.isolate(), bytes);
  if (text.IsEmpty()) {
    environment.throw_(environment.error(
        "ERR_STRING_TOO_LONG", "Cannot create a string longer than 0x1fffffe8 characters"));
  }
  return text;
}

// ---- Domains -----------------------------------------------------------------------------------

template <auto convert>
std::string convert_domain(std::string_view domain) {
  return convert(domain);
}

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto buffer = v8::ArrayBuffer::New(isolate, 2 * sizeof(std::uint32_t));
  set_value(environment, target, "encodeIntoResults", v8::Uint32Array::New(buffer, 0, 2));
}

constexpr Method kMethods[] = {
    method<encode_utf8_string>("encodeUtf8String"),
    method<encode_into>("encodeInto"),
    method<decode_utf8>("decodeUTF8"),
    method<convert_domain<ada::idna::to_ascii>>("toASCII"),
    method<convert_domain<static_cast<std::string (*)(std::string_view)>(ada::idna::to_unicode)>>(
        "toUnicode"),
};

}  // namespace

extern const Binding binding_encoding_binding;
const Binding binding_encoding_binding{"encoding_binding", kMethods, extend};

}  // namespace rondo
