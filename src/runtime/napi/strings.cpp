// Strings in three encodings, and those whose characters stay the addon's.
#include <algorithm>
#include <cstdint>
#include <string>

#include "runtime/napi/env.h"
#include "runtime/napi/references.h"

using namespace rondo::napi;

namespace {

v8::MaybeLocal<v8::String> make(v8::Isolate* isolate, const char* text, int length,
                                v8::NewStringType type, bool is_utf8) {
  if (is_utf8) return v8::String::NewFromUtf8(isolate, text, type, length);
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(text), type,
                                    length);
}

/// Makes a string by make(text, length); a length of -1 is up to the end.
template <class Char, class Make>
napi_status create(napi_env env, const Char* text, std::size_t length, napi_value* result,
                   Make&& make_string) {
  return plain(env, [&] {
    if (text == nullptr && length != 0) return napi_invalid_arg;
    if (result == nullptr || (length != NAPI_AUTO_LENGTH && length > INT32_MAX))
      return napi_invalid_arg;
    static constexpr Char kNothing = 0;
    v8::Local<v8::String> made;
    if (!make_string(text != nullptr ? text : &kNothing, text == nullptr ? 0
                                                         : length == NAPI_AUTO_LENGTH
                                                             ? -1
                                                             : static_cast<int>(length))
             .ToLocal(&made)) {
      return napi_generic_failure;
    }
    *result = to_napi(made);
    return napi_ok;
  });
}

napi_status create_one_byte(napi_env env, const char* text, std::size_t length, napi_value* result,
                            v8::NewStringType type, bool is_utf8) {
  return create(env, text, length, result, [&](const char* from, int count) {
    return make(env->isolate(), from, count, type, is_utf8);
  });
}

napi_status create_two_byte(napi_env env, const char16_t* text, std::size_t length,
                            napi_value* result, v8::NewStringType type) {
  return create(env, text, length, result, [&](const char16_t* from, int count) {
    return v8::String::NewFromTwoByte(env->isolate(), reinterpret_cast<const std::uint16_t*>(from),
                                      type, count);
  });
}

/// Fills `buffer`, of which one character is for the end, by write(string, buffer, room) ->
/// written; without a buffer, `result` is the length that it would take.
template <class Char, class Length, class Write>
napi_status read(napi_env env, napi_value value, Char* buffer, std::size_t size,
                 std::size_t* result, Length&& length, Write&& write) {
  return plain(env, [&] {
    if (value == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsString()) return napi_string_expected;
    const v8::Local<v8::String> text = to_v8(value).As<v8::String>();
    if (buffer == nullptr) {
      if (result == nullptr) return napi_invalid_arg;
      *result = length(text);
      return napi_ok;
    }
    std::size_t written = 0;
    if (size != 0) {
      written = write(text, buffer, size - 1);
      buffer[written] = 0;
    }
    if (result != nullptr) *result = written;
    return napi_ok;
  });
}

std::uint32_t characters(v8::Local<v8::String> text, std::size_t room) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(room, static_cast<std::size_t>(text->Length())));
}

}  // namespace

napi_status napi_create_string_latin1(napi_env env, const char* str, size_t length,
                                      napi_value* result) {
  return create_one_byte(env, str, length, result, v8::NewStringType::kNormal, false);
}

napi_status napi_create_string_utf8(napi_env env, const char* str, size_t length,
                                    napi_value* result) {
  return create_one_byte(env, str, length, result, v8::NewStringType::kNormal, true);
}

napi_status napi_create_string_utf16(napi_env env, const char16_t* str, size_t length,
                                     napi_value* result) {
  return create_two_byte(env, str, length, result, v8::NewStringType::kNormal);
}

napi_status node_api_create_property_key_latin1(napi_env env, const char* str, size_t length,
                                                napi_value* result) {
  return create_one_byte(env, str, length, result, v8::NewStringType::kInternalized, false);
}

napi_status node_api_create_property_key_utf8(napi_env env, const char* str, size_t length,
                                              napi_value* result) {
  return create_one_byte(env, str, length, result, v8::NewStringType::kInternalized, true);
}

napi_status node_api_create_property_key_utf16(napi_env env, const char16_t* str, size_t length,
                                               napi_value* result) {
  return create_two_byte(env, str, length, result, v8::NewStringType::kInternalized);
}

napi_status napi_get_value_string_latin1(napi_env env, napi_value value, char* buf, size_t bufsize,
                                         size_t* result) {
  return read(
      env, value, buf, bufsize, result,
      [](v8::Local<v8::String> text) { return static_cast<std::size_t>(text->Length()); },
      [&](v8::Local<v8::String> text, char* to, std::size_t room) {
        const std::uint32_t count = characters(text, room);
        text->WriteOneByteV2(env->isolate(), 0, count, reinterpret_cast<std::uint8_t*>(to));
        return static_cast<std::size_t>(count);
      });
}

napi_status napi_get_value_string_utf8(napi_env env, napi_value value, char* buf, size_t bufsize,
                                       size_t* result) {
  return read(
      env, value, buf, bufsize, result,
      [&](v8::Local<v8::String> text) { return text->Utf8LengthV2(env->isolate()); },
      [&](v8::Local<v8::String> text, char* to, std::size_t room) {
        // Whole characters only.
        return text->WriteUtf8V2(env->isolate(), to, room,
                                 v8::String::WriteFlags::kReplaceInvalidUtf8);
      });
}

napi_status napi_get_value_string_utf16(napi_env env, napi_value value, char16_t* buf,
                                        size_t bufsize, size_t* result) {
  return read(
      env, value, buf, bufsize, result,
      [](v8::Local<v8::String> text) { return static_cast<std::size_t>(text->Length()); },
      [&](v8::Local<v8::String> text, char16_t* to, std::size_t room) {
        const std::uint32_t count = characters(text, room);
        text->WriteV2(env->isolate(), 0, count, reinterpret_cast<std::uint16_t*>(to));
        return static_cast<std::size_t>(count);
      });
}

// ---- External strings --------------------------------------------------------------------------

namespace {

/// Characters that stay where they are. V8 disposes of it in a collection of garbage, or with the
/// isolate.
template <class Base, class Char>
class ExternalText final : public Base {
 public:
  ExternalText(napi_env env, Char* text, std::size_t length, napi_finalize finalizer, void* hint)
      : env_(env->self), text_(text), length_(length), finalizer_(finalizer), hint_(hint) {}

  const Char* data() const override { return text_; }
  std::size_t length() const override { return length_; }

  void Dispose() override {
    napi_env env = *env_;
    if (finalizer_ != nullptr) {
      if (env == nullptr) {
        finalizer_(nullptr, const_cast<void*>(static_cast<const void*>(text_)), hint_);
      } else {
        env->finalize_soon(Reference::make(
            env, {}, 0, Owner::runtime,
            {finalizer_, const_cast<void*>(static_cast<const void*>(text_)), hint_}));
      }
    }
    delete this;
  }

 private:
  std::shared_ptr<napi_env> env_;
  Char* text_;
  std::size_t length_;
  napi_finalize finalizer_;
  void* hint_;
};

/// V8 copies what is too short to be worth it, and the finalizer is called at once.
template <class Resource, class Char, class Make>
napi_status create_external(napi_env env, Char* text, std::size_t length, napi_finalize finalizer,
                            void* hint, napi_value* result, bool* copied, Make&& make_external) {
  return plain(env, [&] {
    if (text == nullptr && length != 0) return napi_invalid_arg;
    if (result == nullptr || (length != NAPI_AUTO_LENGTH && length > INT32_MAX))
      return napi_invalid_arg;
    if (text == nullptr) {
      *result = to_napi(v8::String::Empty(env->isolate()));
      if (copied != nullptr) *copied = true;
      return napi_ok;
    }
    auto* resource = new Resource(env, text, length, finalizer, hint);
    v8::Local<v8::String> made;
    if (!make_external(resource).ToLocal(&made)) {
      delete resource;
      return napi_generic_failure;
    }
    *result = to_napi(made);
    if (copied != nullptr) *copied = false;
    return napi_ok;
  });
}

using Latin1Text = ExternalText<v8::String::ExternalOneByteStringResource, char>;

/// V8's characters of two bytes have another type.
using Utf16Text = ExternalText<v8::String::ExternalStringResource, std::uint16_t>;

}  // namespace

napi_status node_api_create_external_string_latin1(napi_env env, char* str, size_t length,
                                                   node_api_basic_finalize finalize_callback,
                                                   void* finalize_hint, napi_value* result,
                                                   bool* copied) {
  const std::size_t count = str != nullptr ? length_of(str, length) : length;
  return create_external<Latin1Text>(
      env, str, count, finalize_callback, finalize_hint, result, copied, [&](Latin1Text* resource) {
        return v8::String::NewExternalOneByte(env->isolate(), resource);
      });
}

napi_status node_api_create_external_string_utf16(napi_env env, char16_t* str, size_t length,
                                                  node_api_basic_finalize finalize_callback,
                                                  void* finalize_hint, napi_value* result,
                                                  bool* copied) {
  const std::size_t count = str != nullptr && length == NAPI_AUTO_LENGTH
                                ? std::char_traits<char16_t>::length(str)
                                : length;
  return create_external<Utf16Text>(
      env, reinterpret_cast<std::uint16_t*>(str), count, finalize_callback, finalize_hint, result,
      copied, [&](Utf16Text* resource) {
        return v8::String::NewExternalTwoByte(env->isolate(), resource);
      });
}
