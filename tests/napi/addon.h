// What the addons of these tests have in common. They are C++ without its library: that compiles in
// no time.
#pragma once

#ifndef NAPI_VERSION
#define NAPI_VERSION 10
#endif
#define NAPI_EXPERIMENTAL
#define NODE_API_EXPERIMENTAL_NO_WARNING
#define NODE_API_EXPERIMENTAL_BASIC_ENV_OPT_OUT
#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The declarations of everything, whatever version the addon is for.
#define ADDON(version)                                                             \
  extern "C" NAPI_MODULE_EXPORT int32_t node_api_module_get_api_version_v1(void) { \
    return version;                                                                \
  }                                                                                \
  extern "C" NAPI_MODULE_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports)

// Ends the process: the test is broken if it is called.
inline void must(napi_env env, napi_status status, const char* what, int line) {
  if (status == napi_ok) return;
  const napi_extended_error_info* info = nullptr;
  napi_get_last_error_info(env, &info);
  fprintf(stderr, "%s:%d: %s (%d)\n", what, line,
          info != nullptr && info->error_message != nullptr ? info->error_message : "failed",
          status);
  abort();
}
#define MUST(call) must(env, (call), #call, __LINE__)

inline napi_value text(napi_env env, const char* utf8) {
  napi_value value;
  MUST(napi_create_string_utf8(env, utf8, NAPI_AUTO_LENGTH, &value));
  return value;
}

inline void set(napi_env env, napi_value object, const char* name, napi_value value) {
  MUST(napi_set_named_property(env, object, name, value));
}

inline void add(napi_env env, napi_value exports, const char* name, napi_callback function,
                void* data = nullptr) {
  napi_value value;
  MUST(napi_create_function(env, name, NAPI_AUTO_LENGTH, function, data, &value));
  set(env, exports, name, value);
}

inline void print(const char* line) {
  printf("%s\n", line);
  fflush(stdout);
}

struct Arguments {
  Arguments(napi_env env, napi_callback_info info) {
    MUST(napi_get_cb_info(env, info, &count, values, &self, &data));
  }
  size_t count = 8;
  napi_value values[8];
  napi_value self;
  void* data;
};
