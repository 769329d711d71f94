// A function of an addon that JavaScript calls. It lives as long as the value that V8's function
// has as its data.
#pragma once

#include <v8.h>

#include "runtime/glue/binding.h"
#include "runtime/napi/env.h"

namespace rondo::napi {

class NativeCallback : public Linked<NativeCallback> {
 public:
  NativeCallback(napi_env env, napi_callback function, void* data)
      : env_(env), function_(function), data_(data) {
    move_to(env->callbacks);
  }
  ~NativeCallback() { take_out(); }
  NativeCallback(const NativeCallback&) = delete;
  NativeCallback& operator=(const NativeCallback&) = delete;

  /// The value that V8 hands back with each call.
  static v8::Local<v8::Value> make(napi_env env, napi_callback function, void* data);
  static void called(const Arguments& args);

  void* data() const noexcept { return data_; }

 private:
  napi_env env_;
  napi_callback function_;
  void* data_;
  v8::Global<v8::Value> value_;
};

/// napi_callback_info.
struct CallInfo {
  const Arguments& args;
  const NativeCallback& callback;
};

v8::MaybeLocal<v8::Function> make_function(napi_env env, napi_callback function, void* data);
v8::Local<v8::FunctionTemplate> make_template(napi_env env, napi_callback function, void* data,
                                              v8::Local<v8::Signature> signature = {});

/// The name in a descriptor; napi_ok, or why not.
napi_status property_name(napi_env env, const napi_property_descriptor& descriptor,
                          v8::Local<v8::Name>& name);

}  // namespace rondo::napi
