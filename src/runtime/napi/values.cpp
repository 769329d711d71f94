// Values and what they are: undefined, null, booleans, numbers, symbols, dates, bigints;
// conversions and comparisons.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/napi/env.h"

using namespace rondo::napi;

namespace {

/// A function that writes a value and cannot fail.
template <class Make>
napi_status give(napi_env env, napi_value* result, Make&& make) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = to_napi(make(env->isolate()));
    return napi_ok;
  });
}

/// A function that answers a question about a value.
template <class Ask>
napi_status ask(napi_env env, napi_value value, bool* result, Ask&& question) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    *result = question(to_v8(value));
    return napi_ok;
  });
}

/// A function that reads a number.
template <class T, class Read>
napi_status read_number(napi_env env, napi_value value, T* result, Read&& read) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsNumber()) return napi_number_expected;
    *result = read(to_v8(value).As<v8::Number>());
    return napi_ok;
  });
}

}  // namespace

napi_status napi_get_undefined(napi_env env, napi_value* result) {
  return give(env, result, [](v8::Isolate* isolate) { return v8::Undefined(isolate); });
}

napi_status napi_get_null(napi_env env, napi_value* result) {
  return give(env, result, [](v8::Isolate* isolate) { return v8::Null(isolate); });
}

napi_status napi_get_global(napi_env env, napi_value* result) {
  return give(env, result, [&](v8::Isolate*) { return env->context()->Global(); });
}

napi_status napi_get_boolean(napi_env env, bool value, napi_value* result) {
  return give(env, result, [&](v8::Isolate* isolate) { return v8::Boolean::New(isolate, value); });
}

// ---- Numbers -----------------------------------------------------------------------------------

napi_status napi_create_double(napi_env env, double value, napi_value* result) {
  return give(env, result, [&](v8::Isolate* isolate) { return v8::Number::New(isolate, value); });
}

napi_status napi_create_int32(napi_env env, int32_t value, napi_value* result) {
  return give(env, result, [&](v8::Isolate* isolate) { return v8::Integer::New(isolate, value); });
}

napi_status napi_create_uint32(napi_env env, uint32_t value, napi_value* result) {
  return give(env, result,
              [&](v8::Isolate* isolate) { return v8::Integer::NewFromUnsigned(isolate, value); });
}

napi_status napi_create_int64(napi_env env, int64_t value, napi_value* result) {
  return give(env, result, [&](v8::Isolate* isolate) {
    return v8::Number::New(isolate, static_cast<double>(value));
  });
}

napi_status napi_get_value_double(napi_env env, napi_value value, double* result) {
  return read_number(env, value, result,
                     [](v8::Local<v8::Number> number) { return number->Value(); });
}

napi_status napi_get_value_int32(napi_env env, napi_value value, int32_t* result) {
  return read_number(env, value, result, [&](v8::Local<v8::Number> number) {
    // As `| 0`; what is not finite gives 0.
    return number->Int32Value(env->context()).FromMaybe(0);
  });
}

napi_status napi_get_value_uint32(napi_env env, napi_value value, uint32_t* result) {
  return read_number(env, value, result, [&](v8::Local<v8::Number> number) {
    return number->Uint32Value(env->context()).FromMaybe(0);
  });
}

napi_status napi_get_value_int64(napi_env env, napi_value value, int64_t* result) {
  return read_number(env, value, result, [](v8::Local<v8::Number> number) -> std::int64_t {
    const double exact = number->Value();
    if (!std::isfinite(exact)) return 0;
    if (exact >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
    if (exact <= -0x1p63) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(exact);
  });
}

napi_status napi_get_value_bool(napi_env env, napi_value value, bool* result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsBoolean()) return napi_boolean_expected;
    *result = to_v8(value)->IsTrue();
    return napi_ok;
  });
}

// ---- Bigints -----------------------------------------------------------------------------------

napi_status napi_create_bigint_int64(napi_env env, int64_t value, napi_value* result) {
  return give(env, result, [&](v8::Isolate* isolate) { return v8::BigInt::New(isolate, value); });
}

napi_status napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value* result) {
  return give(env, result,
              [&](v8::Isolate* isolate) { return v8::BigInt::NewFromUnsigned(isolate, value); });
}

napi_status napi_create_bigint_words(napi_env env, int sign_bit, size_t word_count,
                                     const uint64_t* words, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (words == nullptr || result == nullptr || word_count > INT32_MAX) return napi_invalid_arg;
    v8::Local<v8::BigInt> made;
    if (!v8::BigInt::NewFromWords(context, sign_bit, static_cast<int>(word_count), words)
             .ToLocal(&made)) {
      return napi_pending_exception;
    }
    *result = to_napi(made);
    return napi_ok;
  });
}

napi_status napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t* result,
                                        bool* lossless) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr || lossless == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsBigInt()) return napi_bigint_expected;
    *result = to_v8(value).As<v8::BigInt>()->Int64Value(lossless);
    return napi_ok;
  });
}

napi_status napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t* result,
                                         bool* lossless) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr || lossless == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsBigInt()) return napi_bigint_expected;
    *result = to_v8(value).As<v8::BigInt>()->Uint64Value(lossless);
    return napi_ok;
  });
}

napi_status napi_get_value_bigint_words(napi_env env, napi_value value, int* sign_bit,
                                        size_t* word_count, uint64_t* words) {
  return plain(env, [&] {
    if (value == nullptr || word_count == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsBigInt()) return napi_bigint_expected;
    const v8::Local<v8::BigInt> bigint = to_v8(value).As<v8::BigInt>();
    if (sign_bit == nullptr && words == nullptr) {
      *word_count = static_cast<std::size_t>(bigint->WordCount());
      return napi_ok;
    }
    if (sign_bit == nullptr || words == nullptr) return napi_invalid_arg;
    int count = static_cast<int>(std::min<std::size_t>(*word_count, INT32_MAX));
    bigint->ToWordsArray(sign_bit, &count, words);
    *word_count = static_cast<std::size_t>(count);
    return napi_ok;
  });
}

// ---- Symbols -----------------------------------------------------------------------------------

napi_status napi_create_symbol(napi_env env, napi_value description, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    if (description == nullptr) {
      *result = to_napi(v8::Symbol::New(env->isolate()));
      return napi_ok;
    }
    if (!to_v8(description)->IsString()) return napi_string_expected;
    *result = to_napi(v8::Symbol::New(env->isolate(), to_v8(description).As<v8::String>()));
    return napi_ok;
  });
}

napi_status node_api_symbol_for(napi_env env, const char* utf8description, size_t length,
                                napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr || (utf8description == nullptr && length != 0)) return napi_invalid_arg;
    if (length != NAPI_AUTO_LENGTH && length > INT32_MAX) return napi_invalid_arg;
    v8::Local<v8::String> description;
    if (!v8::String::NewFromUtf8(env->isolate(), utf8description != nullptr ? utf8description : "",
                                 v8::NewStringType::kNormal,
                                 length == NAPI_AUTO_LENGTH ? -1 : static_cast<int>(length))
             .ToLocal(&description)) {
      return napi_generic_failure;
    }
    *result = to_napi(v8::Symbol::For(env->isolate(), description));
    return napi_ok;
  });
}

// ---- Dates -------------------------------------------------------------------------------------

napi_status napi_create_date(napi_env env, double time, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (result == nullptr) return napi_invalid_arg;
    v8::Local<v8::Value> date;
    if (!v8::Date::New(context, time).ToLocal(&date)) return napi_generic_failure;
    *result = to_napi(date);
    return napi_ok;
  });
}

napi_status napi_is_date(napi_env env, napi_value value, bool* is_date) {
  return ask(env, value, is_date, [](v8::Local<v8::Value> it) { return it->IsDate(); });
}

napi_status napi_get_date_value(napi_env env, napi_value value, double* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsDate()) return napi_date_expected;
    *result = to_v8(value).As<v8::Date>()->ValueOf();
    return napi_ok;
  });
}

// ---- What it is --------------------------------------------------------------------------------

napi_status napi_typeof(napi_env env, napi_value value, napi_valuetype* result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> it = to_v8(value);
    if (it->IsNumber()) {
      *result = napi_number;
    } else if (it->IsBigInt()) {
      *result = napi_bigint;
    } else if (it->IsString()) {
      *result = napi_string;
    } else if (it->IsFunction()) {  // an object too, so this comes first
      *result = napi_function;
    } else if (it->IsExternal()) {
      *result = napi_external;
    } else if (it->IsObject()) {
      *result = napi_object;
    } else if (it->IsBoolean()) {
      *result = napi_boolean;
    } else if (it->IsSymbol()) {
      *result = napi_symbol;
    } else if (it->IsUndefined()) {
      *result = napi_undefined;
    } else if (it->IsNull()) {
      *result = napi_null;
    } else {
      return napi_invalid_arg;
    }
    return napi_ok;
  });
}

napi_status napi_is_array(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsArray(); });
}

napi_status napi_is_arraybuffer(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsArrayBuffer(); });
}

napi_status node_api_is_sharedarraybuffer(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsSharedArrayBuffer(); });
}

napi_status napi_is_typedarray(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsTypedArray(); });
}

napi_status napi_is_dataview(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsDataView(); });
}

napi_status napi_is_buffer(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsArrayBufferView(); });
}

napi_status napi_is_promise(napi_env env, napi_value value, bool* is_promise) {
  return ask(env, value, is_promise, [](v8::Local<v8::Value> it) { return it->IsPromise(); });
}

napi_status napi_is_error(napi_env env, napi_value value, bool* result) {
  return ask(env, value, result, [](v8::Local<v8::Value> it) { return it->IsNativeError(); });
}

napi_status napi_strict_equals(napi_env env, napi_value lhs, napi_value rhs, bool* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (lhs == nullptr || rhs == nullptr || result == nullptr) return napi_invalid_arg;
    *result = to_v8(lhs)->StrictEquals(to_v8(rhs));
    return napi_ok;
  });
}

// ---- Conversions -------------------------------------------------------------------------------

napi_status napi_coerce_to_bool(napi_env env, napi_value value, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    *result = to_napi(to_v8(value)->ToBoolean(env->isolate()));
    return napi_ok;
  });
}

namespace {

template <class Convert>
napi_status coerce(napi_env env, napi_value value, napi_value* result, napi_status otherwise,
                   Convert&& convert) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    v8::Local<v8::Value> converted;
    if (!convert(context, to_v8(value)).ToLocal(&converted)) return otherwise;
    *result = to_napi(converted);
    return napi_ok;
  });
}

template <class T>
v8::MaybeLocal<v8::Value> as_value(v8::MaybeLocal<T> maybe) {
  v8::Local<T> value;
  if (!maybe.ToLocal(&value)) return {};
  return value;
}

}  // namespace

napi_status napi_coerce_to_number(napi_env env, napi_value value, napi_value* result) {
  return coerce(env, value, result, napi_number_expected,
                [](v8::Local<v8::Context> context, v8::Local<v8::Value> it) {
                  return as_value(it->ToNumber(context));
                });
}

napi_status napi_coerce_to_object(napi_env env, napi_value value, napi_value* result) {
  return coerce(env, value, result, napi_object_expected,
                [](v8::Local<v8::Context> context, v8::Local<v8::Value> it) {
                  return as_value(it->ToObject(context));
                });
}

napi_status napi_coerce_to_string(napi_env env, napi_value value, napi_value* result) {
  return coerce(env, value, result, napi_string_expected,
                [](v8::Local<v8::Context> context, v8::Local<v8::Value> it) {
                  return as_value(it->ToString(context));
                });
}
