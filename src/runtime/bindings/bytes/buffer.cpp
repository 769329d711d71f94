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
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

// ---- Arguments ----------------------------------------------------------------------------------

void throw_type_error(const Arguments& args, std::string_view message) {
  v8::Isolate* isolate = args.GetIsolate();
  isolate->ThrowException(Environment::of(isolate).type_error("ERR_INVALID_ARG_TYPE", message));
}

void throw_range_error(const Arguments& args, std::string_view code, std::string_view message) {
  v8::Isolate* isolate = args.GetIsolate();
  isolate->ThrowException(Environment::of(isolate).range_error(code, message));
}

bool check_buffer(const Arguments& args, Local<Value> value) {
  if (value->IsArrayBufferView()) return true;
  throw_type_error(args, "argument must be a buffer");
  return false;
}

/// An index, `fallback` if there is none. Empty, with an exception pending, for what is not an
/// number from 0 on.
std::optional<std::size_t> index_at(const Arguments& args, int position, std::size_t fallback) {
  const Local<Value> value = args[position];
  if (value->IsUndefined()) return fallback;
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  std::int64_t index = 0;
  if (!value->IntegerValue(args.GetIsolate()->GetCurrentContext()).To(&index)) return std::nullopt;
  if (index < 0) {
    throw_range_error(args, "ERR_OUT_OF_RANGE", "Index out of range");
    return std::nullopt;
  }
  return static_cast<std::size_t>(index);
}

// For what lib/ has checked already.
std::size_t size_at(const Arguments& args, int position) {
  return static_cast<std::size_t>(args[position].As<v8::Number>()->Value());
}

// ---- Strings ------------------------------------------------------------------------------------

/// buffer.xSlice(start, end)
template <Encoding encoding>
void slice(const Arguments& args) {
  if (!check_buffer(args, args.This())) return;
  const ReadBytes bytes(args.This());
  const std::size_t length = bytes.get().size();
  if (length == 0) {
    args.GetReturnValue().SetEmptyString();
    return;
  }
  const std::optional<std::size_t> start = index_at(args, 0, 0);
  if (!start) return;
  const std::optional<std::size_t> end = index_at(args, 1, length);
  if (!end) return;
  if (*end <= *start) {
    args.GetReturnValue().SetEmptyString();
    return;
  }
  if (*end > length) {
    throw_range_error(args, "ERR_OUT_OF_RANGE", "Index out of range");
    return;
  }
  Local<v8::String> text;
  if (decode_bytes(Environment::of(args.GetIsolate()), bytes.get().subspan(*start, *end - *start),
                   encoding)
          .ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

/// buffer.xWrite(string, offset, length): how many bytes were written
template <Encoding encoding>
void write(const Arguments& args) {
  if (!check_buffer(args, args.This())) return;
  if (!args[0]->IsString()) {
    throw_type_error(args, "argument must be a string");
    return;
  }
  const std::size_t length = args.This().As<v8::ArrayBufferView>()->ByteLength();
  const std::optional<std::size_t> offset = index_at(args, 1, 0);
  if (!offset) return;
  if (*offset > length) {
    throw_range_error(args, "ERR_BUFFER_OUT_OF_BOUNDS", "\"offset\" is outside of buffer bounds");
    return;
  }
  const std::optional<std::size_t> limit = index_at(args, 2, length - *offset);
  if (!limit) return;
  const std::size_t room = std::min(*limit, length - *offset);
  const std::size_t written = write_string(args.GetIsolate(), args[0].As<v8::String>(), encoding,
                                           bytes_of(args.This()).subspan(*offset, room));
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

void byte_length_utf8(const Arguments& args) {
  args.GetReturnValue().Set(
      static_cast<double>(utf8_length(args.GetIsolate(), args[0].As<v8::String>())));
}

// ---- Memory -------------------------------------------------------------------------------------

/// (ArrayBuffer): its memory cannot be taken from it, by transfer() or a message.
void keep_attached(const Arguments& args) {
  args[0].As<v8::ArrayBuffer>()->SetDetachKey(v8::Symbol::New(args.GetIsolate()));
}

/// (size): an ArrayBuffer with whatever its memory contains
void create_unsafe_array_buffer(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::size_t size = size_at(args, 0);
  Local<v8::ArrayBuffer> memory;
  if (v8::ArrayBuffer::MaybeNew(isolate, size, v8::BackingStoreInitializationMode::kUninitialized)
          .ToLocal(&memory)) {
    args.GetReturnValue().Set(memory);
  } else {
    isolate->ThrowException(Environment::of(isolate).range_error("ERR_MEMORY_ALLOCATION_FAILED",
                                                                 "Failed to allocate memory"));
  }
}

/// (ArrayBuffer, alignment): the first position whose address is a multiple of the alignment
void aligned_offset(const Arguments& args) {
  const auto address = reinterpret_cast<std::uintptr_t>(args[0].As<v8::ArrayBuffer>()->Data());
  const std::uintptr_t alignment = size_at(args, 1);
  args.GetReturnValue().Set(static_cast<double>((alignment - address % alignment) % alignment));
}

/// (source, target, target start, source start, size): how many bytes were copied
void copy(const Arguments& args) {
  const std::size_t target_start = size_at(args, 2);
  const std::size_t source_start = size_at(args, 3);
  const std::size_t size = size_at(args, 4);
  const ReadBytes source(args[0]);
  const std::span<std::uint8_t> target = bytes_of(args[1]);
  args.GetReturnValue().Set(0);
  if (args[1].As<v8::ArrayBufferView>()->Buffer()->IsImmutable()) return;
  // A getter for `length` can lie.
  if (source_start > source.get().size() || target_start > target.size()) return;
  const std::size_t possible =
      std::min({size, source.get().size() - source_start, target.size() - target_start});
  if (possible == 0) return;
  std::memmove(target.data() + target_start, source.get().data() + source_start, possible);
  args.GetReturnValue().Set(static_cast<double>(possible));
}

int compare_bytes(Bytes a, Bytes b) {
  const std::size_t common = std::min(a.size(), b.size());
  const int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  if (order != 0) return order < 0 ? -1 : 1;
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

void compare(const Arguments& args) {
  if (!check_buffer(args, args[0]) || !check_buffer(args, args[1])) return;
  const ReadBytes a(args[0]);
  const ReadBytes b(args[1]);
  args.GetReturnValue().Set(compare_bytes(a.get(), b.get()));
}

/// (source, target, target start, source start, target end, source end)
void compare_offset(const Arguments& args) {
  const ReadBytes source(args[0]);
  const ReadBytes target(args[1]);
  const std::size_t target_start = size_at(args, 2);
  const std::size_t source_start = size_at(args, 3);
  const std::size_t target_end = std::min(size_at(args, 4), target.get().size());
  const std::size_t source_end = std::min(size_at(args, 5), source.get().size());
  if (source_start > source_end) {
    throw_range_error(args, "ERR_OUT_OF_RANGE", "The value of \"sourceStart\" is out of range.");
    return;
  }
  if (target_start > target_end) {
    throw_range_error(args, "ERR_OUT_OF_RANGE", "The value of \"targetStart\" is out of range.");
    return;
  }
  args.GetReturnValue().Set(
      compare_bytes(source.get().subspan(source_start, source_end - source_start),
                    target.get().subspan(target_start, target_end - target_start)));
}

constexpr int kNothingToFillWith = -1;
constexpr int kOutOfBounds = -2;

/// (buffer, string or view, start, end, encoding): repeats the value; a negative number says what
/// is wrong
void fill(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const std::span<std::uint8_t> all = bytes_of(args[0]);
  const std::size_t start = size_at(args, 2);
  const std::size_t end = size_at(args, 3);
  if (start > end || end > all.size()) {
    args.GetReturnValue().Set(kOutOfBounds);
    return;
  }
  const std::span<std::uint8_t> target = all.subspan(start, end - start);
  std::size_t pattern = 0;
  if (args[1]->IsString()) {
    const v8::String::Utf8Value name(isolate, args[4]);
    const std::optional<Encoding> encoding =
        find_encoding({*name, static_cast<std::size_t>(name.length())});
    // In a buffer of its own: the last character may fit in part.
    const std::vector<std::uint8_t> bytes =
        encode_string(isolate, args[1].As<v8::String>(), encoding.value_or(Encoding::utf8));
    pattern = std::min(bytes.size(), target.size());
    if (pattern > 0) std::memcpy(target.data(), bytes.data(), pattern);
  } else {
    const ReadBytes bytes(args[1]);
    pattern = std::min(bytes.get().size(), target.size());
    if (pattern > 0) std::memmove(target.data(), bytes.get().data(), pattern);
  }
  if (pattern == 0) {
    if (!target.empty()) args.GetReturnValue().Set(kNothingToFillWith);
    return;
  }
  // What is filled already is the pattern for twice as much.
  for (std::size_t filled = pattern; filled < target.size();) {
    const std::size_t size = std::min(filled, target.size() - filled);
    std::memcpy(target.data() + filled, target.data(), size);
    filled += size;
  }
}

template <class Word>
void swap(const Arguments& args) {
  const std::span<std::uint8_t> bytes = bytes_of(args[0]);
  for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(Word)));
  }
  args.GetReturnValue().Set(args[0]);
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

void return_position(const Arguments& args, std::optional<std::size_t> position) {
  args.GetReturnValue().Set(position ? static_cast<double>(*position) : -1.0);
}

Direction direction_at(const Arguments& args, int position) {
  return args[position]->IsTrue() ? Direction::forwards : Direction::backwards;
}

std::int64_t offset_at(const Arguments& args, int position) {
  return static_cast<std::int64_t>(args[position].As<v8::Number>()->Value());
}

/// Where the search ends; below zero or not a number: there is nothing to search.
std::size_t end_at(const Arguments& args, int position) {
  const double end = args[position].As<v8::Number>()->Value();
  return end > 0 && end <= static_cast<double>(v8::Uint8Array::kMaxLength)
             ? static_cast<std::size_t>(end)
             : 0;
}

Encoding encoding_at(const Arguments& args, int position) {
  return static_cast<Encoding>(args[position].As<v8::Int32>()->Value());
}

/// (buffer, string, offset, encoding, forwards, end)
void index_of_string(const Arguments& args) {
  if (!check_buffer(args, args[0])) return;
  const ReadBytes haystack(args[0]);
  const Encoding encoding = encoding_at(args, 3);
  const auto find = [&](Bytes needle) {
    return_position(args, search(haystack.get(), needle, Needle::text, offset_at(args, 2), encoding,
                                 direction_at(args, 4), end_at(args, 5)));
  };
  if (encoding == Encoding::utf8) {
    const auto text = args[1].As<v8::String>();
    char small[256];
    if (static_cast<std::size_t>(text->Length()) * 3 <= sizeof small) {
      const std::size_t size = text->WriteUtf8V2(args.GetIsolate(), small, sizeof small,
                                                 v8::String::WriteFlags::kReplaceInvalidUtf8);
      find({reinterpret_cast<const std::uint8_t*>(small), size});
      return;
    }
    const v8::String::Utf8Value needle(args.GetIsolate(), text);
    find({reinterpret_cast<const std::uint8_t*>(*needle),
          static_cast<std::size_t>(needle.length())});
  } else {
    find(encode_string(args.GetIsolate(), args[1].As<v8::String>(), encoding));
  }
}

/// (buffer, view, offset, encoding, forwards, end)
void index_of_buffer(const Arguments& args) {
  if (!check_buffer(args, args[0]) || !check_buffer(args, args[1])) return;
  const ReadBytes haystack(args[0]);
  const ReadBytes needle(args[1]);
  return_position(args, search(haystack.get(), needle.get(), Needle::bytes, offset_at(args, 2),
                               encoding_at(args, 3), direction_at(args, 4), end_at(args, 5)));
}

/// (buffer, number, offset, forwards, end)
void index_of_number(const Arguments& args) {
  if (!check_buffer(args, args[0])) return;
  const ReadBytes haystack(args[0]);
  const auto needle = static_cast<std::uint8_t>(args[1].As<v8::Uint32>()->Value());
  return_position(args, search(haystack.get(), {&needle, 1}, Needle::bytes, offset_at(args, 2),
                               Encoding::latin1, direction_at(args, 3), end_at(args, 4)));
}

// ---- Looking at bytes ---------------------------------------------------------------------------

bool check_attached(const Arguments& args) {
  bool detached = false;
  if (args[0]->IsArrayBufferView()) {
    detached = args[0].As<v8::ArrayBufferView>()->Buffer()->WasDetached();
  } else if (args[0]->IsArrayBuffer()) {
    detached = args[0].As<v8::ArrayBuffer>()->WasDetached();
  }
  if (!detached) return true;
  v8::Isolate* isolate = args.GetIsolate();
  isolate->ThrowException(
      Environment::of(isolate).error("ERR_INVALID_STATE", "Cannot validate on a detached buffer"));
  return false;
}

void is_utf8_bytes(const Arguments& args) {
  if (check_attached(args)) args.GetReturnValue().Set(is_utf8(bytes_of(args[0])));
}

void is_ascii_bytes(const Arguments& args) {
  if (check_attached(args)) args.GetReturnValue().Set(is_ascii(bytes_of(args[0])));
}

void set_prototype(const Arguments& args) {
  set_buffer_prototype(Environment::of(args.GetIsolate()), args[0].As<v8::Object>());
}

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "kMaxLength", static_cast<double>(v8::Uint8Array::kMaxLength));
  set_value(environment, target, "kStringMaxLength", v8::String::kMaxLength);
}

constexpr Method kMethods[] = {
    {"setBufferPrototype", set_prototype},
    {"byteLengthUtf8", byte_length_utf8},
    {"createUnsafeArrayBuffer", create_unsafe_array_buffer},
    {"keepAttached", keep_attached},
    {"alignedOffset", aligned_offset},
    {"copy", copy},
    {"compare", compare},
    {"compareOffset", compare_offset},
    {"fill", fill},
    {"indexOfBuffer", index_of_buffer},
    {"indexOfNumber", index_of_number},
    {"indexOfString", index_of_string},
    {"swap16", swap<std::uint16_t>},
    {"swap32", swap<std::uint32_t>},
    {"swap64", swap<std::uint64_t>},
    {"isUtf8", is_utf8_bytes},
    {"isAscii", is_ascii_bytes},
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
