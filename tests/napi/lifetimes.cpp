// References, wraps, finalizers, cleanup hooks and instance data, in the order in which they end.
#include "addon.h"

namespace {

int finalized;
thread_local napi_ref kept;

void count_one(napi_env, void*, void*) {
  ++finalized;
}

// Tells its name, and whether JavaScript can run.
void tell(napi_env env, void* name, void*) {
  napi_value global;
  MUST(napi_get_global(env, &global));
  napi_value value;
  const napi_status status = napi_get_named_property(env, global, "Object", &value);
  printf("finalizer %s: %d\n", static_cast<const char*>(name), status);
  fflush(stdout);
}

// Deletes a reference of the addon: allowed also when everything ends.
void delete_kept(napi_env env, void*, void*) {
  print("finalizer deletes a reference");
  MUST(napi_delete_reference(env, kept));
}

void hook(void* name) {
  print(static_cast<const char*>(name));
}

char kFirst[] = "hook first", kSecond[] = "hook second", kThird[] = "hook third",
     kNever[] = "hook never";

thread_local napi_async_cleanup_hook_handle handle;
void async_hook(napi_async_cleanup_hook_handle given, void*) {
  print("async hook");
  if (napi_remove_async_cleanup_hook(given) != napi_ok) abort();
}

napi_value count(napi_env env, napi_callback_info) {
  napi_value value;
  MUST(napi_create_int32(env, finalized, &value));
  return value;
}

// garbage(n): n of each kind of what ends in a finalizer.
napi_value garbage(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  int32_t n;
  MUST(napi_get_value_int32(env, args.values[0], &n));
  for (int32_t i = 0; i < n; ++i) {
    napi_handle_scope scope;
    MUST(napi_open_handle_scope(env, &scope));
    napi_value value;
    MUST(napi_create_object(env, &value));
    MUST(napi_wrap(env, value, &finalized, count_one, nullptr, nullptr));
    MUST(napi_create_external(env, &finalized, count_one, nullptr, &value));
    MUST(napi_create_object(env, &value));
    MUST(napi_add_finalizer(env, value, &finalized, count_one, nullptr, nullptr));
    static char memory[64];
    MUST(napi_create_external_buffer(env, sizeof memory, memory, count_one, nullptr, &value));
    MUST(napi_create_external_arraybuffer(env, memory, sizeof memory, count_one, nullptr, &value));
    MUST(node_api_create_external_string_latin1(env, memory, sizeof memory, count_one, nullptr,
                                                &value, nullptr));
    MUST(napi_close_handle_scope(env, scope));
  }
  return nullptr;
}

napi_value make_ref(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  uint32_t initial;
  MUST(napi_get_value_uint32(env, args.values[1], &initial));
  napi_ref reference;
  MUST(napi_create_reference(env, args.values[0], initial, &reference));
  napi_value value;
  MUST(napi_create_external(env, reference, nullptr, nullptr, &value));
  return value;
}

napi_ref ref_of(napi_env env, napi_value value) {
  void* reference;
  MUST(napi_get_value_external(env, value, &reference));
  return static_cast<napi_ref>(reference);
}

napi_value deref(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  napi_value value;
  MUST(napi_get_reference_value(env, ref_of(env, args.values[0]), &value));
  return value;
}

napi_value change(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  uint32_t count = 0;
  bool up;
  MUST(napi_get_value_bool(env, args.values[1], &up));
  const napi_status status = up ? napi_reference_ref(env, ref_of(env, args.values[0]), &count)
                                : napi_reference_unref(env, ref_of(env, args.values[0]), &count);
  napi_value value;
  MUST(napi_create_int32(
      env, status == napi_ok ? static_cast<int32_t>(count) : -static_cast<int32_t>(status),
      &value));
  return value;
}

napi_value drop(napi_env env, napi_callback_info info) {
  const Arguments args(env, info);
  MUST(napi_delete_reference(env, ref_of(env, args.values[0])));
  return nullptr;
}

// leave(): things that are still there when the environment ends.
napi_value leave(napi_env env, napi_callback_info) {
  napi_value value;
  MUST(napi_create_object(env, &value));
  static char wrap[] = "wrap", added[] = "added", external[] = "external";
  MUST(napi_wrap(env, value, wrap, tell, nullptr, nullptr));
  MUST(napi_add_finalizer(env, value, added, tell, nullptr, nullptr));
  napi_value held;
  MUST(napi_create_external(env, external, tell, nullptr, &held));
  set(env, value, "held", held);
  MUST(napi_create_reference(env, value, 0, &kept));
  MUST(napi_add_finalizer(env, value, nullptr, delete_kept, nullptr, nullptr));
  return value;
}

}  // namespace

ADDON(10) {
  add(env, exports, "count", count);
  add(env, exports, "garbage", garbage);
  add(env, exports, "makeRef", make_ref);
  add(env, exports, "deref", deref);
  add(env, exports, "change", change);
  add(env, exports, "drop", drop);
  add(env, exports, "leave", leave);
  static char data[] = "instance data";
  MUST(napi_set_instance_data(env, data, tell, nullptr));
  MUST(napi_add_env_cleanup_hook(env, hook, kFirst));
  MUST(napi_add_env_cleanup_hook(env, hook, kSecond));
  MUST(napi_add_env_cleanup_hook(env, hook, kNever));
  MUST(napi_add_async_cleanup_hook(env, async_hook, nullptr, nullptr));
  MUST(napi_add_async_cleanup_hook(env, async_hook, nullptr, &handle));
  MUST(napi_add_env_cleanup_hook(env, hook, kThird));
  MUST(napi_remove_env_cleanup_hook(env, hook, kNever));
  MUST(napi_remove_async_cleanup_hook(handle));
  return exports;
}
