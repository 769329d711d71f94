// UTF-8 both ways for TextEncoder and TextDecoder, and the ASCII form of Unicode domains.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/bytes/engine_idna.h"
#include "runtime/bytes/utf8.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;

constexpr int kWriteFlags = v8::String::WriteFlags::kReplaceInvalidUtf8;

void encode_utf8_string(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const auto text = args[0].As<v8::String>();
  const auto length = text->Utf8LengthV2(isolate);
  std::shared_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(isolate, length);
  text->WriteUtf8V2(isolate, static_cast<char*>(store->Data()), length, kWriteFlags);
  const auto buffer = v8::ArrayBuffer::New(isolate, std::move(store));
  args.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, length));
}

// (text, bytes, result): fills the bytes with as many whole characters as fit; the result, a
// Uint32Array, gets how many code units were read and how many bytes written.
void encode_into(const Arguments& args) {
  const auto text = args[0].As<v8::String>();
  const std::span<std::uint8_t> bytes = bytes_of(args[1]);
  const std::span<std::uint32_t> result = elements_of<std::uint32_t>(args[2]);
  std::size_t read = 0;
  const std::size_t written = text->WriteUtf8V2(
      args.GetIsolate(), reinterpret_cast<char*>(bytes.data()), bytes.size(), kWriteFlags, &read);
  result[0] = static_cast<std::uint32_t>(read);
  result[1] = static_cast<std::uint32_t>(written);
}

// (buffer or view, whether a byte order mark stays, whether what is wrong throws)
void decode_utf8(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  if (!is_bytes(args[0])) {
    isolate->ThrowException(environment.type_error(
        "ERR_INVALID_ARG_TYPE",
        "The \"list\" argument must be an instance of SharedArrayBuffer, ArrayBuffer or "
        "ArrayBufferView."));
    return;
  }
  Bytes bytes = bytes_of(args[0]);
  if (args[2]->IsTrue() && !is_utf8(bytes)) {
    isolate->ThrowException(environment.type_error(
        "ERR_ENCODING_INVALID_ENCODED_DATA", "The encoded data was not valid for encoding utf-8"));
    return;
  }
  const bool has_mark =
      bytes.size() >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
  if (has_mark && !args[1]->IsTrue()) bytes = bytes.subspan(3);
  Local<v8::String> text;
  if (rondo::decode_utf8(isolate, bytes).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  } else {
    isolate->ThrowException(environment.error(
        "ERR_STRING_TOO_LONG", "Cannot create a string longer than 0x1fffffe8 characters"));
  }
}

// ---- Domains -----------------------------------------------------------------------------------

template <auto convert>
void convert_domain(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::String::Utf8Value domain(isolate, args[0]);
  const std::string converted = convert({*domain, static_cast<std::size_t>(domain.length())});
  args.GetReturnValue().Set(Environment::of(isolate).text(converted));
}

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const auto buffer = v8::ArrayBuffer::New(isolate, 2 * sizeof(std::uint32_t));
  set_value(environment, target, "encodeIntoResults", v8::Uint32Array::New(buffer, 0, 2));
}

constexpr Method kMethods[] = {
    {"encodeUtf8String", encode_utf8_string},
    {"encodeInto", encode_into},
    {"decodeUTF8", decode_utf8},
    {"toASCII", convert_domain<ada::idna::to_ascii>},
    {"toUnicode",
     convert_domain<static_cast<std::string (*)(std::string_view)>(ada::idna::to_unicode)>},
};

}  // namespace

extern const Binding binding_encoding_binding;
const Binding binding_encoding_binding{"encoding_binding", kMethods, extend};

}  // namespace rondo
