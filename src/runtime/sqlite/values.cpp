#include "runtime/sqlite/values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/bytes/utf8.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/views.h"
#include "runtime/sqlite/connection.h"
#include "runtime/sqlite/errors.h"

namespace rondo::sqlite {

using v8::Local;
using v8::MaybeLocal;

namespace {

constexpr std::int64_t kMaxSafeInteger = 9007199254740991;

/// A string in UTF-8: short ones on the stack, long ones in memory that SQLite can take over.
class Utf8Text {
 public:
  Utf8Text(v8::Isolate* isolate, Local<v8::String> string) {
    // A character takes three bytes at most; the exact length is counted only if that is too much.
    size_ = static_cast<std::size_t>(string->Length()) * 3;
    if (size_ > sizeof small_) size_ = string->Utf8LengthV2(isolate);
    if (size_ > sizeof small_) {
      large_ = static_cast<char*>(std::malloc(size_));
      if (large_ == nullptr) throw std::bad_alloc();
    }
    size_ = string->WriteUtf8V2(isolate, data(), std::max(size_, sizeof small_),
                                v8::String::WriteFlags::kReplaceInvalidUtf8);
  }
  ~Utf8Text() { std::free(large_); }
  Utf8Text(const Utf8Text&) = delete;
  Utf8Text& operator=(const Utf8Text&) = delete;

  char* data() noexcept { return large_ != nullptr ? large_ : small_; }
  std::size_t size() const noexcept { return size_; }

  int bind(sqlite3_stmt* statement, int index) noexcept {
    if (large_ == nullptr) {
      return sqlite3_bind_text64(statement, index, small_, size_, SQLITE_TRANSIENT, SQLITE_UTF8);
    }
    // SQLite frees it even if it fails.
    return sqlite3_bind_text64(statement, index, std::exchange(large_, nullptr), size_, std::free,
                               SQLITE_UTF8);
  }

 private:
  std::size_t size_ = 0;
  char* large_ = nullptr;
  char small_[1024];
};

MaybeLocal<v8::Value> integer_value(const Environment& environment, std::int64_t value,
                                    bool big_ints) {
  v8::Isolate* isolate = environment.isolate();
  if (big_ints) return v8::BigInt::New(isolate, value);
  if (value >= -kMaxSafeInteger && value <= kMaxSafeInteger) {
    return v8::Number::New(isolate, static_cast<double>(value));
  }
  throw_out_of_range(environment, "Value is too large to be represented as a JavaScript number: " +
                                      std::to_string(value));
  return {};
}

MaybeLocal<v8::Value> text_value(const Environment& environment, const unsigned char* text,
                                 int size) {
  Local<v8::String> string;
  if (decode_utf8(environment.isolate(), {text, static_cast<std::size_t>(size)}).ToLocal(&string)) {
    return string;
  }
  environment.throw_(environment.error("ERR_STRING_TOO_LONG", "Cannot create a string this long"));
  return {};
}

MaybeLocal<v8::Value> blob_value(const Environment& environment, const void* bytes, int size) {
  v8::Isolate* isolate = environment.isolate();
  std::unique_ptr<v8::BackingStore> memory = v8::ArrayBuffer::NewBackingStore(
      isolate, static_cast<std::size_t>(size), v8::BackingStoreInitializationMode::kUninitialized,
      v8::BackingStoreOnFailureMode::kReturnNull);
  if (memory == nullptr) throw std::bad_alloc();
  if (size != 0) std::memcpy(memory->Data(), bytes, static_cast<std::size_t>(size));
  const Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, std::move(memory));
  return v8::Uint8Array::New(buffer, 0, static_cast<std::size_t>(size));
}

}  // namespace

std::string to_utf8(v8::Isolate* isolate, Local<v8::Value> string) {
  Utf8Text text(isolate, string.As<v8::String>());
  return {text.data(), text.size()};
}

Local<v8::Value> text_or_null(const Environment& environment, const char* text) {
  if (text == nullptr) return v8::Null(environment.isolate());
  return environment.text(text);
}

MaybeLocal<v8::Value> to_javascript(const Environment& environment, sqlite3_value* value,
                                    bool big_ints) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return integer_value(environment, sqlite3_value_int64(value), big_ints);
    case SQLITE_FLOAT:
      return v8::Number::New(environment.isolate(), sqlite3_value_double(value));
    case SQLITE_TEXT: {
      const unsigned char* text = sqlite3_value_text(value);
      return text_value(environment, text, sqlite3_value_bytes(value));
    }
    case SQLITE_BLOB: {
      const void* bytes = sqlite3_value_blob(value);
      return blob_value(environment, bytes, sqlite3_value_bytes(value));
    }
    default:
      return v8::Null(environment.isolate());
  }
}

bool bind_value(const Environment& environment, Connection& connection, sqlite3_stmt* statement,
                int index, Local<v8::Value> value) {
  int result = SQLITE_OK;
  if (value->IsNumber()) {
    result = sqlite3_bind_double(statement, index, value.As<v8::Number>()->Value());
  } else if (value->IsString()) {
    Utf8Text text(environment.isolate(), value.As<v8::String>());
    result = text.bind(statement, index);
  } else if (value->IsNullOrUndefined()) {
    result = sqlite3_bind_null(statement, index);
  } else if (value->IsBoolean()) {
    result = sqlite3_bind_int(statement, index, value->IsTrue() ? 1 : 0);
  } else if (is_bytes(value)) {
    const ReadBytes bytes(value);
    // A null pointer would be NULL and not an empty blob.
    const auto* const data =
        bytes.get().empty() ? static_cast<const void*>("") : bytes.get().data();
    result = sqlite3_bind_blob64(statement, index, data, bytes.get().size(), SQLITE_TRANSIENT);
  } else if (value->IsBigInt()) {
    bool lossless = false;
    const std::int64_t number = value.As<v8::BigInt>()->Int64Value(&lossless);
    if (!lossless) {
      throw_invalid_value(environment, "BigInt value is too large to bind.");
      return false;
    }
    result = sqlite3_bind_int64(statement, index, number);
  } else {
    environment.throw_(environment.type_error(
        "ERR_INVALID_ARG_TYPE",
        "Provided value cannot be bound to SQLite parameter " + std::to_string(index) + "."));
    return false;
  }
  if (result == SQLITE_OK) return true;
  throw_last_error(environment, connection);
  return false;
}

void set_result(v8::Isolate* isolate, sqlite3_context* context, Local<v8::Value> value) {
  if (value->IsNullOrUndefined()) {
    sqlite3_result_null(context);
  } else if (value->IsNumber()) {
    sqlite3_result_double(context, value.As<v8::Number>()->Value());
  } else if (value->IsString()) {
    Utf8Text text(isolate, value.As<v8::String>());
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (value->IsArrayBufferView()) {
    const ReadBytes bytes(value);
    const auto* const data =
        bytes.get().empty() ? static_cast<const void*>("") : bytes.get().data();
    sqlite3_result_blob64(context, data, bytes.get().size(), SQLITE_TRANSIENT);
  } else if (value->IsBigInt()) {
    bool lossless = false;
    const std::int64_t number = value.As<v8::BigInt>()->Int64Value(&lossless);
    if (lossless) {
      sqlite3_result_int64(context, number);
    } else {
      sqlite3_result_error(context, "BigInt value is too large for SQLite", -1);
    }
  } else if (value->IsPromise()) {
    sqlite3_result_error(context, "Asynchronous user-defined functions are not supported", -1);
  } else {
    sqlite3_result_error(context, "Returned JavaScript value cannot be converted to a SQLite value",
                         -1);
  }
}

}  // namespace rondo::sqlite
