// UTF-8 both ways for TextEncoder and TextDecoder, and the ASCII form of Unicode domains.
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/binding.h"
#include "runtime/environment.h"
#include "runtime/utf8.h"
#include "runtime/views.h"

namespace rondo {
namespace {

using v8::Local;

constexpr int kWriteFlags = v8::String::NO_NULL_TERMINATION | v8::String::REPLACE_INVALID_UTF8;

void encode_utf8_string(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const auto text = args[0].As<v8::String>();
  const auto length = static_cast<std::size_t>(text->Utf8Length(isolate));
  std::shared_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(isolate, length);
  text->WriteUtf8(isolate, static_cast<char*>(store->Data()), static_cast<int>(length), nullptr,
                  kWriteFlags);
  const auto buffer = v8::ArrayBuffer::New(isolate, std::move(store));
  args.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, length));
}

// (text, bytes, result): fills the bytes with as many whole characters as fit; the result, a
// Uint32Array, gets how many code units were read and how many bytes written.
void encode_into(const Arguments& args) {
  const auto text = args[0].As<v8::String>();
  const std::span<std::uint8_t> bytes = bytes_of(args[1]);
  const std::span<std::uint32_t> result = elements_of<std::uint32_t>(args[2]);
  int read = 0;
  const int capacity = static_cast<int>(std::min<std::size_t>(bytes.size(), INT32_MAX));
  const int written = text->WriteUtf8(args.GetIsolate(), reinterpret_cast<char*>(bytes.data()),
                                      capacity, &read, kWriteFlags);
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

// ---- Domains: UTS 46, nontransitional, as the URL standard wants it
// -------------------------------

const UIDNA* idna() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    return uidna_openUTS46(
        UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
        &status);
  }();
  return instance;
}

// Hyphens at places, and lengths, are nothing that the URL standard minds.
constexpr std::uint32_t kAllowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                   UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                   UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

using Conversion = decltype(&uidna_nameToASCII);

struct Domain {
  std::u16string name;
  bool valid = false;
};

Domain convert(Conversion conversion, std::u16string_view name) {
  Domain result{.name = std::u16string(name.size() + 64, u'\0')};
  for (int attempt = 0; attempt < 2; ++attempt) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    const std::int32_t length =
        conversion(idna(), name.data(), static_cast<std::int32_t>(name.size()), result.name.data(),
                   static_cast<std::int32_t>(result.name.size()), &info, &status);
    result.name.resize(static_cast<std::size_t>(length));
    if (status == U_BUFFER_OVERFLOW_ERROR) continue;  // now it is large enough
    result.valid = U_SUCCESS(status) && (info.errors & ~kAllowed) == 0;
    break;
  }
  return result;
}

template <class Visit>
void for_each_label(std::u16string_view name, Visit visit) {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(u'.', begin), name.size());
    visit(name.substr(begin, end - begin));
    begin = end + 1;
  }
}

// The directions of a label's characters, without the marks at its end.
std::vector<UCharDirection> directions_of(std::u16string_view label) {
  std::vector<UCharDirection> directions;
  for (std::size_t i = 0; i < label.size(); ++i) {
    std::uint32_t character = label[i];
    if (U16_IS_LEAD(character) && i + 1 < label.size()) {
      character = 0x10000 + ((character & 0x3ff) << 10) + (label[++i] & 0x3ffu);
    }
    directions.push_back(u_charDirection(static_cast<UChar32>(character)));
  }
  while (!directions.empty() && directions.back() == U_DIR_NON_SPACING_MARK) {
    directions.pop_back();
  }
  return directions;
}

bool is_among(UCharDirection direction, std::initializer_list<UCharDirection> list) {
  return std::ranges::find(list, direction) != list.end();
}

bool runs_from_the_right(UCharDirection direction) {
  return is_among(direction, {U_RIGHT_TO_LEFT, U_RIGHT_TO_LEFT_ARABIC, U_ARABIC_NUMBER});
}

bool is_neutral(UCharDirection direction) {
  return is_among(direction, {U_EUROPEAN_NUMBER, U_EUROPEAN_NUMBER_SEPARATOR,
                              U_COMMON_NUMBER_SEPARATOR, U_EUROPEAN_NUMBER_TERMINATOR,
                              U_OTHER_NEUTRAL, U_BOUNDARY_NEUTRAL, U_DIR_NON_SPACING_MARK});
}

// RFC 5893, section 2, as Node applies it: to labels in which something runs from the right, each
// for itself; and in those that begin from the left the last character may be any.
bool has_sound_directions(std::u16string_view label) {
  const std::vector<UCharDirection> directions = directions_of(label);
  if (std::ranges::none_of(directions, runs_from_the_right)) return true;
  if (directions.front() == U_LEFT_TO_RIGHT) {
    return std::all_of(directions.begin(), directions.end() - 1, [](UCharDirection direction) {
      return direction == U_LEFT_TO_RIGHT || is_neutral(direction);
    });
  }
  const auto has = [&](UCharDirection direction) {
    return std::ranges::find(directions, direction) != directions.end();
  };
  return std::ranges::all_of(directions,
                             [](UCharDirection direction) {
                               return runs_from_the_right(direction) || is_neutral(direction);
                             }) &&
         (runs_from_the_right(directions.back()) || directions.back() == U_EUROPEAN_NUMBER) &&
         !(has(U_EUROPEAN_NUMBER) && has(U_ARABIC_NUMBER));
}

std::u16string utf16_of(v8::Isolate* isolate, Local<v8::Value> value) {
  const v8::String::Value units(isolate, value);
  const auto* begin = reinterpret_cast<const char16_t*>(*units);
  return {begin, begin + units.length()};
}

Local<v8::String> text_of(v8::Isolate* isolate, const std::u16string& units) {
  return v8::String::NewFromTwoByte(isolate, reinterpret_cast<const std::uint16_t*>(units.data()),
                                    v8::NewStringType::kNormal, static_cast<int>(units.size()))
      .ToLocalChecked();
}

// Empty for a domain that has no ASCII form.
void to_ascii(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Domain domain = convert(uidna_nameToASCII, utf16_of(isolate, args[0]));
  bool valid = domain.valid;
  if (valid) {
    const Domain unicode = convert(uidna_nameToUnicode, domain.name);
    for_each_label(unicode.name, [&](std::u16string_view label) {
      valid = valid && has_sound_directions(label);
    });
  }
  args.GetReturnValue().Set(valid ? text_of(isolate, domain.name) : v8::String::Empty(isolate));
}

// Only labels in ASCII form change, and of those the wrong ones do not.
void to_unicode(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::u16string name = utf16_of(isolate, args[0]);
  std::u16string result;
  for_each_label(name, [&](std::u16string_view label) {
    if (label.data() != name.data()) result += u'.';
    if (!label.starts_with(u"xn--")) {
      result += label;
      return;
    }
    const Domain domain = convert(uidna_nameToUnicode, label);
    result += domain.valid ? domain.name : label;
  });
  args.GetReturnValue().Set(text_of(isolate, result));
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
    {"toASCII", to_ascii},
    {"toUnicode", to_unicode},
};

}  // namespace

extern const Binding binding_encoding_binding;
const Binding binding_encoding_binding{"encoding_binding", kMethods, extend};

}  // namespace rondo
