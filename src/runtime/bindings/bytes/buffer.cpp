// The bytes of Buffer: to strings and from them, copying, comparing, searching, filling.
#include "runtime/bytes/buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <string>

#include "runtime/bytes/byte_search.h"
#include "runtime/bytes/encodings.h"
#include "runtime/bytes/utf8.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

// ---- Arguments ----------------------------------------------------------------------------------

[[noreturn]] void throw_type_error(v8::Isolate* isolate, std::string_view message) {
  isolate->ThrowException(Environment::of(isolate).type_error("ERR_INVALID_ARG_TYPE", message));
  throw PendingException();
}

[[noreturn]] void throw_range_error(v8::Isolate* isolate, std::string_view code,
                                    std::string_view message) {
  isolate->ThrowException(Environment::of(isolate).range_error(code, message));
  throw PendingException();
}

void check_buffer(v8::Isolate* isolate, Local<Value> value) {
  if (!value->IsArrayBufferView()) throw_type_error(isolate, "argument must be a buffer");
}

/// An index, `fallback` if there is none. Throws for what is not a number from 0 on.
std::size_t to_index(v8::Isolate* isolate, Local<Value> value, std::size_t fallback) {
  if (value->IsUndefined()) return fallback;
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  std::int64_t index = 0;
  if (!value->IntegerValue(isolate->GetCurrentContext()).To(&index)) throw PendingException();
  if (index < 0) throw_range_error(isolate, "ERR_OUT_OF_RANGE", "Index out of range");
  return static_cast<std::size_t>(index);
}

// ---- Strings ------------------------------------------------------------------------------------

// The methods of Buffer itself are called on views, which are not objects of ours, and without some
// of their arguments.

/// buffer.xSlice(start, end)
template <Encoding encoding>
void slice(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  check_buffer(isolate, args.This());
  const ReadBytes bytes(args.This());
  const std::size_t length = bytes.get().size();
  if (length == 0) {
    args.GetReturnValue().SetEmptyString();
    return;
  }
  const std::size_t start = to_index(isolate, args[0], 0);
  const std::size_t end = to_index(isolate, args[1], length);
  if (end <= start) {
    args.GetReturnValue().SetEmptyString();
    return;
  }
  if (end > length) throw_range_error(isolate, "ERR_OUT_OF_RANGE", "Index out of range");
  Local<v8::String> text;
  if (decode_bytes(Environment::of(isolate), bytes.get().subspan(start, end - start), encoding)
          .ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

/// buffer.xWrite(string, offset, length): how many bytes were written
template <Encoding encoding>
void write(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  check_buffer(isolate, args.This());
  if (!args[0]->IsString()) throw_type_error(isolate, "argument must be a string");
  const std::size_t length = args.This().As<v8::ArrayBufferView>()->ByteLength();
  const std::size_t offset = to_index(isolate, args[1], 0);
  if (offset > length) {
    throw_range_error(isolate, "ERR_BUFFER_OUT_OF_BOUNDS",
                      "\"offset\" is outside of buffer bounds");
  }
  const std::size_t limit = to_index(isolate, args[2], length - offset);
  const std::size_t room = std::min(limit, length - offset);
  const std::size_t written = write_string(isolate, args[0].As<v8::String>(), encoding,
                                           bytes_of(args.This()).subspan(offset, room));
  args.GetReturnValue().Set(static_cast<double>(written));
}

/// xWriteInto(ArrayBuffer, string, offset, limit): how many bytes were written
template <Encoding encoding>
struct WriteInto {
  static void call(const Arguments& args) {
    const std::span<std::uint8_t> out =
        room(args[0], args[2].As<v8::Uint32>()->Value(), args[3].As<v8::Uint32>()->Value());
    args.GetReturnValue().Set(static_cast<std::uint32_t>(
        write_string(args.GetIsolate(), args[1].As<v8::String>(), encoding, out)));
  }

  static std::uint32_t call_fast(Local<v8::Object> /*receiver*/, Local<Value> memory,
                                 const v8::FastOneByteString& text, std::uint32_t offset,
                                 std::uint32_t limit) {
    const Bytes characters(reinterpret_cast<const std::uint8_t*>(text.data), text.length);
    return static_cast<std::uint32_t>(
        write_characters(characters, encoding, room(memory, offset, limit)));
  }

  inline static const v8::CFunction kFast = fast_call_of(call_fast);

 private:
  static std::span<std::uint8_t> room(Local<Value> memory, std::uint32_t offset,
                                      std::uint32_t limit) {
    const std::span<std::uint8_t> bytes = bytes_of(memory);
    if (offset > bytes.size()) return {};
    return bytes.subspan(offset, std::min<std::size_t>(limit, bytes.size() - offset));
  }
};

template <Encoding encoding>
constexpr Method write_into(const char* name) {
  return {name, WriteInto<encoding>::call, &WriteInto<encoding>::kFast};
}

std::size_t byte_length_utf8(v8::Isolate* isolate, Local<v8::String> text) {
  return utf8_length(isolate, text);
}

// ---- Memory -------------------------------------------------------------------------------------

/// (ArrayBuffer): its memory cannot be taken from it, by transfer() or a message.
void keep_attached(v8::Isolate* isolate, Local<v8::ArrayBuffer> memory) {
  memory->SetDetachKey(v8::Symbol::New(isolate));
}

/// (size): an ArrayBuffer with whatever its memory contains
Local<v8::ArrayBuffer> create_unsafe_array_buffer(v8::Isolate* isolate, std::size_t size) {
  Local<v8::ArrayBuffer> memory;
  if (!v8::ArrayBuffer::MaybeNew(isolate, size, v8::BackingStoreInitializationMode::kUninitialized)
           .ToLocal(&memory)) {
    throw_range_error(isolate, "ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory");
  }
  return memory;
}

/// (ArrayBuffer, alignment): the first position whose address is a multiple of the alignment
std::size_t aligned_offset(Local<v8::ArrayBuffer> memory, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory->Data());
  return (alignment - address % alignment) % alignment;
}

/// (source, target, target start, source start, size): how many bytes were copied
std::size_t copy(const ReadBytes& source, Local<v8::ArrayBufferView> target_view,
                 std::size_t target_start, std::size_t source_start, std::size_t size) {
  const std::span<std::uint8_t> target = bytes_of(target_view);
  if (target_view->Buffer()->IsImmutable()) return 0;
  // A getter for `length` can lie.
  if (source_start > source.get().size() || target_start > target.size()) return 0;
  const std::size_t possible =
      std::min({size, source.get().size() - source_start, target.size() - target_start});
  if (possible == 0) return 0;
  std::memmove(target.data() + target_start, source.get().data() + source_start, possible);
  return possible;
}

int compare_bytes(Bytes a, Bytes b) {
  const std::size_t common = std::min(a.size(), b.size());
  const int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  if (order != 0) return order < 0 ? -1 : 1;
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

int compare(v8::Isolate* isolate, Local<Value> first, Local<Value> second) {
  check_buffer(isolate, first);
  check_buffer(isolate, second);
  const ReadBytes a(first);
  const ReadBytes b(second);
  return compare_bytes(a.get(), b.get());
}

/// (source, target, target start, source start, target end, source end)
int compare_offset(v8::Isolate* isolate, const ReadBytes& source, const ReadBytes& target,
                   std::size_t target_start, std::size_t source_start, std::size_t target_end,
                   std::size_t source_end) {
  target_end = std::min(target_end, target.get().size());
  source_end = std::min(source_end, source.get().size());
  if (source_start > source_end) {
    throw_range_error(isolate, "ERR_OUT_OF_RANGE", "The value of \"sourceStart\" is out of range.");
  }
  if (target_start > target_end) {
    throw_range_error(isolate, "ERR_OUT_OF_RANGE", "The value of \"targetStart\" is out of range.");
  }
  return compare_bytes(source.get().subspan(source_start, source_end - source_start),
                       target.get().subspan(target_start, target_end - target_start));
}

enum FillFailure : std::int32_t { kNothingToFillWith = -1, kOutOfBounds = -2 };

/// (buffer, string or view, start, end, encoding): repeats the value; a FillFailure, or undefined
std::optional<std::int32_t> fill(v8::Isolate* isolate, std::span<std::uint8_t> all,
                                 Local<Value> value, std::size_t start, std::size_t end,
                                 Local<Value> encoding_name) {
  if (start > end || end > all.size()) return kOutOfBounds;
  const std::span<std::uint8_t> target = all.subspan(start, end - start);
  std::size_t pattern = 0;
  if (value->IsString()) {
    const v8::String::Utf8Value name(isolate, encoding_name);
    const std::optional<Encoding> encoding =
        find_encoding({*name, static_cast<std::size_t>(name.length())});
    // In a buffer of its own: the last character may fit in part.
    const std::vector<std::uint8_t> bytes =
        encode_string(isolate, value.As<v8::String>(), encoding.value_or(Encoding::utf8));
    pattern = std::min(bytes.size(), target.size());
    if (pattern > 0) std::memcpy(target.data(), bytes.data(), pattern);
  } else {
    const ReadBytes bytes(value);
    pattern = std::min(bytes.get().size(), target.size());
    if (pattern > 0) std::memmove(target.data(), bytes.get().data(), pattern);
  }
  if (pattern == 0) {
    return target.empty() ? std::nullopt : std::optional(kNothingToFillWith);
  }
  // What is filled already is the pattern for twice as much.
  for (std::size_t filled = pattern; filled < target.size();) {
    const std::size_t size = std::min(filled, target.size() - filled);
    std::memcpy(target.data() + filled, target.data(), size);
    filled += size;
  }
  return std::nullopt;
}

template <class Word>
Local<Value> swap(Local<Value> view) {
  const std::span<std::uint8_t> bytes = bytes_of(view);
  for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(Word)));
  }
  return view;
}

// ---- Searching ----------------------------------------------------------------------------------

/// Where a search begins: an offset below zero counts from the end. Empty if nothing can be found
/// from there.
std::optional<std::size_t> search_start(std::int64_t offset, std::size_t haystack,
                                        std::size_t needle, Direction direction) {
  const auto length = static_cast<std::int64_t>(haystack);
  const bool forwards = direction == Direction::forwards;
  if (offset < 0) {
    if (offset + length >= 0) return static_cast<std::size_t>(offset + length);
    return forwards || needle == 0 ? std::optional<std::size_t>(0) : std::nullopt;
  }
  if (offset + static_cast<std::int64_t>(needle) <= length) {
    return static_cast<std::size_t>(offset);
  }
  if (needle == 0) return haystack;
  if (forwards || haystack == 0) return std::nullopt;
  return haystack - 1;
}

enum class Needle : std::uint8_t { text, bytes };

/// Looks only at the first `end` bytes. `offset` counts from the end of the whole haystack all the
/// same.
std::optional<std::size_t> search(Bytes haystack, Bytes needle, Needle kind, std::int64_t offset,
                                  Encoding encoding, Direction direction, std::size_t end) {
  const bool wide = encoding == Encoding::utf16le;
  // Whole units of UTF-16: what is left over at the end belongs to none. Yet the offset of bytes
  // counts it.
  const auto whole = [&](std::size_t size) { return wide ? size & ~std::size_t{1} : size; };
  const std::size_t counted = kind == Needle::text ? whole(haystack.size()) : haystack.size();
  haystack = haystack.first(whole(haystack.size()));
  end = std::min(whole(end), haystack.size());
  const std::optional<std::size_t> start = search_start(offset, counted, needle.size(), direction);
  if (!start) return std::nullopt;
  if (needle.empty()) return std::min(*start, end);
  if (direction == Direction::forwards && *start + needle.size() > end) return std::nullopt;
  if (wide) {
    if (end < 2 || needle.size() < 2) return std::nullopt;
    return find_bytes(haystack.first(end), needle.first(whole(needle.size())), *start, direction,
                      2);
  }
  return find_bytes(haystack.first(end), needle, *start, direction);
}

double position_or_none(std::optional<std::size_t> position) {
  return position ? static_cast<double>(*position) : -1.0;
}

Direction direction_of(bool forwards) {
  return forwards ? Direction::forwards : Direction::backwards;
}

/// Where the search ends. None of it can be searched if that is beyond what a buffer can have.
std::size_t end_of(std::size_t end) {
  return end <= v8::Uint8Array::kMaxLength ? end : 0;
}

double index_of_string(v8::Isolate* isolate, Local<Value> buffer, Local<v8::String> text,
                       double offset, Encoding encoding, bool forwards, std::size_t end) {
  check_buffer(isolate, buffer);
  const ReadBytes haystack(buffer);
  const auto find = [&](Bytes needle) {
    return position_or_none(search(haystack.get(), needle, Needle::text,
                                   static_cast<std::int64_t>(offset), encoding,
                                   direction_of(forwards), end_of(end)));
  };
  if (encoding != Encoding::utf8) return find(encode_string(isolate, text, encoding));
  char small[256];
  if (static_cast<std::size_t>(text->Length()) * 3 <= sizeof small) {
    const std::size_t size = text->WriteUtf8V2(isolate, small, sizeof small,
                                               v8::String::WriteFlags::kReplaceInvalidUtf8);
    return find({reinterpret_cast<const std::uint8_t*>(small), size});
  }
  const v8::String::Utf8Value needle(isolate, text);
  return find(
      {reinterpret_cast<const std::uint8_t*>(*needle), static_cast<std::size_t>(needle.length())});
}

double index_of_buffer(v8::Isolate* isolate, Local<Value> buffer, Local<Value> value, double offset,
                       Encoding encoding, bool forwards, std::size_t end) {
  check_buffer(isolate, buffer);
  check_buffer(isolate, value);
  const ReadBytes haystack(buffer);
  const ReadBytes needle(value);
  return position_or_none(search(haystack.get(), needle.get(), Needle::bytes,
                                 static_cast<std::int64_t>(offset), encoding,
                                 direction_of(forwards), end_of(end)));
}

double index_of_number(v8::Isolate* isolate, Local<Value> buffer, std::uint32_t number,
                       double offset, bool forwards, std::size_t end) {
  check_buffer(isolate, buffer);
  const ReadBytes haystack(buffer);
  const auto needle = static_cast<std::uint8_t>(number);
  return position_or_none(search(haystack.get(), {&needle, 1}, Needle::bytes,
                                 static_cast<std::int64_t>(offset), Encoding::latin1,
                                 direction_of(forwards), end_of(end)));
}

// ---- Looking at bytes ---------------------------------------------------------------------------

void check_attached(v8::Isolate* isolate, Local<Value> value) {
  bool detached = false;
  if (value->IsArrayBufferView()) {
    detached = value.As<v8::ArrayBufferView>()->Buffer()->WasDetached();
  } else if (value->IsArrayBuffer()) {
    detached = value.As<v8::ArrayBuffer>()->WasDetached();
  }
  if (!detached) return;
  isolate->ThrowException(
      Environment::of(isolate).error("ERR_INVALID_STATE", "Cannot validate on a detached buffer"));
  throw PendingException();
}

bool is_utf8_bytes(v8::Isolate* isolate, Local<Value> value) {
  check_attached(isolate, value);
  return is_utf8(bytes_of(value));
}

bool is_ascii_bytes(v8::Isolate* isolate, Local<Value> value) {
  check_attached(isolate, value);
  return is_ascii(bytes_of(value));
}

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "kMaxLength", static_cast<double>(v8::Uint8Array::kMaxLength));
  set_value(environment, target, "kStringMaxLength", v8::String::kMaxLength);
}

constexpr Method kMethods[] = {
    method<set_buffer_prototype>("setBufferPrototype"),
    method<byte_length_utf8>("byteLengthUtf8"),
    method<create_unsafe_array_buffer>("createUnsafeArrayBuffer"),
    method<keep_attached>("keepAttached"),
    method<aligned_offset>("alignedOffset"),
    method<copy>("copy"),
    method<compare>("compare"),
    method<compare_offset>("compareOffset"),
    method<fill>("fill"),
    method<index_of_buffer>("indexOfBuffer"),
    method<index_of_number>("indexOfNumber"),
    method<index_of_string>("indexOfString"),
    method<swap<std::uint16_t>>("swap16"),
    method<swap<std::uint32_t>>("swap32"),
    method<swap<std::uint64_t>>("swap64"),
    method<is_utf8_bytes>("isUtf8"),
    method<is_ascii_bytes>("isAscii"),
    {"asciiSlice", slice<Encoding::ascii>},
    {"base64Slice", slice<Encoding::base64>},
    {"base64urlSlice", slice<Encoding::base64url>},
    {"latin1Slice", slice<Encoding::latin1>},
    {"hexSlice", slice<Encoding::hex>},
    {"ucs2Slice", slice<Encoding::utf16le>},
    {"utf8Slice", slice<Encoding::utf8>},
    {"asciiWrite", write<Encoding::ascii>},
    {"base64Write", write<Encoding::base64>},
    {"base64urlWrite", write<Encoding::base64url>},
    {"latin1Write", write<Encoding::latin1>},
    {"hexWrite", write<Encoding::hex>},
    {"ucs2Write", write<Encoding::utf16le>},
    {"utf8Write", write<Encoding::utf8>},
    write_into<Encoding::ascii>("asciiWriteInto"),
    write_into<Encoding::base64>("base64WriteInto"),
    write_into<Encoding::base64url>("base64urlWriteInto"),
    write_into<Encoding::latin1>("latin1WriteInto"),
    write_into<Encoding::hex>("hexWriteInto"),
    write_into<Encoding::utf16le>("ucs2WriteInto"),
    write_into<Encoding::utf8>("utf8WriteInto"),
};

}  // namespace

extern const Binding binding_buffer;
const Binding binding_buffer{"buffer", kMethods, extend};

}  // namespace rondo
