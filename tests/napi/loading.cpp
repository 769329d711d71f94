// What process.dlopen() may meet. KIND says which of them this shared object is.
#include "addon.h"

namespace {

[[maybe_unused]] napi_value string_exports(napi_env env) {
  return text(env, "exports of its own");
}

}  // namespace

#if defined(KIND_other)  // other exports than it was given
ADDON(10) {
  (void)exports;
  return string_exports(env);
}
#elif defined(KIND_throws)
ADDON(10) {
  (void)exports;
  napi_throw_range_error(env, "ERR_OF_ADDON", "thrown by the addon");
  return nullptr;
}
#elif defined(KIND_future)  // made for a version that is not there yet
ADDON(11) {
  (void)env;
  return exports;
}
#elif defined(KIND_old)     // registers itself when it is loaded
static napi_value init(napi_env env, napi_value exports) {
  set(env, exports, "old", string_exports(env));
  return exports;
}
static napi_module module = {1, 0, __FILE__, init, "old", nullptr, {}};
__attribute__((constructor)) static void enlist() {
  napi_module_register(&module);
}
#elif defined(KIND_empty)   // a shared object, but no addon
#elif defined(KIND_node)    // one for V8, as better-sqlite3: Node's own functions
extern "C" void node_module_register(void* module);
__attribute__((constructor)) static void enlist() {
  static int module;
  node_module_register(&module);
}
#elif defined(KIND_v8)      // one for V8 that registers itself by its name
extern "C" NAPI_MODULE_EXPORT void node_register_module_v147() {}
#elif defined(KIND_loop)    // the loop of libuv
extern "C" int uv_queue_work(void*, void*, void*, void*);
ADDON(10) {
  (void)env;
  uv_queue_work(nullptr, nullptr, nullptr, nullptr);
  return exports;
}
#elif defined(KIND_locks)   // what of libuv needs no loop
extern "C" {
int uv_mutex_init(void*);
void uv_mutex_lock(void*);
void uv_mutex_unlock(void*);
uint64_t uv_hrtime(void);
}
ADDON(10) {
  static char mutex[64];
  set(env, exports, "initialised", text(env, uv_mutex_init(mutex) == 0 ? "yes" : "no"));
  uv_mutex_lock(mutex);
  uv_mutex_unlock(mutex);
  set(env, exports, "clock", text(env, uv_hrtime() > 0 ? "runs" : "stands"));
  const char* file;
  MUST(node_api_get_module_file_name(env, &file));
  set(env, exports, "file", text(env, strrchr(file, '/')));
  return exports;
}
#endif
