// Making and throwing errors; the exception that is pending.
#include "runtime/napi/env.h"

using namespace rondo::napi;

namespace {

using MakeError = v8::Local<v8::Value> (*)(v8::Local<v8::String>, v8::Local<v8::Value>);

/// The property `code` of an error, if there is one: `code` or the text `code_text`.
napi_status set_code(napi_env env, v8::Local<v8::Value> error, napi_value code,
                     const char* code_text) {
  if (code == nullptr && code_text == nullptr) return napi_ok;
  v8::Local<v8::Value> value;
  if (code != nullptr) {
    value = to_v8(code);
    if (!value->IsString()) return napi_string_expected;
  } else {
    v8::Local<v8::String> text;
    if (!v8::String::NewFromUtf8(env->isolate(), code_text).ToLocal(&text))
      return napi_generic_failure;
    value = text;
  }
  return error.As<v8::Object>()
                 ->Set(env->context(), env->addons.environment().name("code"), value)
                 .FromMaybe(false)
             ? napi_ok
             : napi_generic_failure;
}

napi_status create(napi_env env, napi_value code, napi_value msg, napi_value* result,
                   MakeError make) {
  return plain(env, [&] {
    if (msg == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(msg)->IsString()) return napi_string_expected;
    const v8::Local<v8::Value> error = make(to_v8(msg).As<v8::String>(), {});
    if (const napi_status status = set_code(env, error, code, nullptr); status != napi_ok)
      return status;
    *result = to_napi(error);
    return napi_ok;
  });
}

napi_status throw_new(napi_env env, const char* code, const char* msg, MakeError make) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (msg == nullptr) return napi_invalid_arg;
    v8::Local<v8::String> text;
    if (!v8::String::NewFromUtf8(env->isolate(), msg).ToLocal(&text)) {
      return napi_generic_failure;
    }
    const v8::Local<v8::Value> error = make(text, {});
    if (const napi_status status = set_code(env, error, nullptr, code); status != napi_ok)
      return status;
    env->last_exception.Reset(env->isolate(), error);
    return napi_ok;
  });
}

}  // namespace

napi_status napi_create_error(napi_env env, napi_value code, napi_value msg, napi_value* result) {
  return create(env, code, msg, result, v8::Exception::Error);
}

napi_status napi_create_type_error(napi_env env, napi_value code, napi_value msg,
                                   napi_value* result) {
  return create(env, code, msg, result, v8::Exception::TypeError);
}

napi_status napi_create_range_error(napi_env env, napi_value code, napi_value msg,
                                    napi_value* result) {
  return create(env, code, msg, result, v8::Exception::RangeError);
}

napi_status node_api_create_syntax_error(napi_env env, napi_value code, napi_value msg,
                                         napi_value* result) {
  return create(env, code, msg, result, v8::Exception::SyntaxError);
}

napi_status napi_throw(napi_env env, napi_value error) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (error == nullptr) return napi_invalid_arg;
    // Kept; it is thrown when the callback returns.
    env->last_exception.Reset(env->isolate(), to_v8(error));
    return napi_ok;
  });
}

napi_status napi_throw_error(napi_env env, const char* code, const char* msg) {
  return throw_new(env, code, msg, v8::Exception::Error);
}

napi_status napi_throw_type_error(napi_env env, const char* code, const char* msg) {
  return throw_new(env, code, msg, v8::Exception::TypeError);
}

napi_status napi_throw_range_error(napi_env env, const char* code, const char* msg) {
  return throw_new(env, code, msg, v8::Exception::RangeError);
}

napi_status node_api_throw_syntax_error(napi_env env, const char* code, const char* msg) {
  return throw_new(env, code, msg, v8::Exception::SyntaxError);
}

napi_status napi_is_exception_pending(napi_env env, bool* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = !env->last_exception.IsEmpty();
    return napi_ok;
  });
}

napi_status napi_get_and_clear_last_exception(napi_env env, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    if (env->last_exception.IsEmpty()) {
      *result = to_napi(v8::Undefined(env->isolate()));
    } else {
      *result = to_napi(env->last_exception.Get(env->isolate()));
      env->last_exception.Reset();
    }
    return napi_ok;
  });
}

napi_status napi_fatal_exception(napi_env env, napi_value err) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (err == nullptr) return napi_invalid_arg;
    env->report(to_v8(err), true);
    return napi_ok;
  });
}
