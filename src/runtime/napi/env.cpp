#include "runtime/napi/env.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <tuple>
#include <utility>

#include "runtime/errors/uncaught.h"
#include "runtime/napi/callbacks.h"
#include "runtime/napi/external_memory.h"
#include "runtime/napi/references.h"

using namespace rondo::napi;

napi_env__::napi_env__(Addons& all, std::int32_t version, std::string url)
    : addons(all),
      isolate_(all.isolate()),
      api_version(version),
      file_url(std::move(url)),
      self(std::make_shared<napi_env__*>(this)) {
  addons.add(this);
}

napi_env__::~napi_env__() {
  *self = nullptr;
  while (finalized != nullptr) delete finalized;
  while (callbacks != nullptr) delete callbacks;
  while (externals != nullptr) delete externals;
  for (const auto& [object, destroy] : leftovers) destroy(object);
}

void napi_env__::report(v8::Local<v8::Value> exception, bool always) {
  rondo::Environment& environment = addons.environment();
  if (!can_call_js()) return;
  const v8::Context::Scope inside(context());
  if (!always && api_version < 10 && !addons.enforces_uncaught()) {
    std::ignore = addons.call(AsyncFunction::warn, {});
    return;
  }
  environment.uncaught(exception, v8::Exception::CreateMessage(isolate_, exception));
}

// ---- Finalizers --------------------------------------------------------------------------------

void napi_env__::finalize(napi_finalize callback, void* data, void* hint) {
  const v8::HandleScope scope(isolate_);
  if (in_gc_finalizer) return callback(this, data, hint);
  const v8::Context::Scope inside(context());
  call_from_loop([&] { callback(this, data, hint); }, true);
}

void napi_env__::finalize_soon(Reference* reference) {
  reference->move_to(waiting);
  schedule_finalizers();
}

void napi_env__::schedule_finalizers() {
  if (std::exchange(finalizers_scheduled, true)) return;
  addons.link()->post(
      [self = self] {
        if (*self == nullptr) return;
        (*self)->finalizers_scheduled = false;
        (*self)->run_finalizers();
      },
      true);
}

void napi_env__::run_finalizers() {
  while (waiting != nullptr) waiting->finalize();
}

void napi_env__::close() {
  run_finalizers();
  while (memories != nullptr) memories->close();
  while (finalizing != nullptr) finalizing->finalize();
  while (references != nullptr) references->finalize();
  delete this;
}

void napi_env__::die_of_gc() {
  constexpr char kText[] =
      "Finalizer is calling a function that may affect GC state. It runs inside a collection of "
      "garbage, where only "
      "functions with a node_api_basic_env may be called: use node_api_post_finalizer for the "
      "others.";
  die("napi", NAPI_AUTO_LENGTH, kText, NAPI_AUTO_LENGTH);
}

void napi_env__::die_of_scopes() {
  die("napi", NAPI_AUTO_LENGTH, "a callback of an addon has opened scopes and closed others",
      NAPI_AUTO_LENGTH);
}

void rondo::napi::die(const char* location, std::size_t location_length, const char* message,
                      std::size_t message_length) {
  const auto print = [](const char* text, std::size_t length) {
    if (text != nullptr) std::fwrite(text, 1, length_of(text, length), stderr);
  };
  std::fflush(stdout);
  std::fputs("FATAL ERROR: ", stderr);
  print(location, location_length);
  std::fputc(' ', stderr);
  print(message, message_length);
  std::fputc('\n', stderr);
  if (v8::Isolate* isolate = v8::Isolate::TryGetCurrent();
      isolate != nullptr && isolate->InContext()) {
    std::fputs("----- JavaScript stack trace -----\n", stderr);
    v8::Message::PrintCurrentStackTrace(isolate, std::cerr);
  }
  std::fflush(stderr);
  std::abort();
}

// ---- Errors of functions -----------------------------------------------------------------------

namespace {

constexpr const char* kMessages[] = {
    nullptr,
    "Invalid argument",
    "An object was expected",
    "A string was expected",
    "A string or symbol was expected",
    "A function was expected",
    "A number was expected",
    "A boolean was expected",
    "An array was expected",
    "Unknown failure",
    "An exception is pending",
    "The async work item was cancelled",
    "napi_escape_handle already called on scope",
    "Invalid handle scope usage",
    "Invalid callback scope usage",
    "Thread-safe function queue is full",
    "Thread-safe function handle is closing",
    "A bigint was expected",
    "A date was expected",
    "An arraybuffer was expected",
    "A detachable arraybuffer was expected",
    "Main thread would deadlock",
    "External buffers are not allowed",
    "Cannot run JavaScript",
};
static_assert(std::size(kMessages) == napi_cannot_run_js + 1);

}  // namespace

napi_status napi_get_last_error_info(node_api_basic_env env,
                                     const napi_extended_error_info** result) {
  if (env == nullptr) return napi_invalid_arg;
  if (result == nullptr) return env->fail(napi_invalid_arg);
  env->last_error.error_message = kMessages[env->last_error.error_code];
  *result = &env->last_error;
  return napi_ok;
}

void napi_fatal_error(const char* location, size_t location_len, const char* message,
                      size_t message_len) {
  die(location, location_len, message, message_len);
}

// ---- What surrounds an addon -------------------------------------------------------------------

napi_status napi_get_version(node_api_basic_env env, uint32_t* result) {
  return basic(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = NODE_API_SUPPORTED_VERSION_MAX;
    return napi_ok;
  });
}

napi_status napi_get_node_version(node_api_basic_env env, const napi_node_version** version) {
  return basic(env, [&] {
    if (version == nullptr) return napi_invalid_arg;
    // That of the package whose headers we are built with: process.version.
    static constexpr napi_node_version kVersion = {NODE_MAJOR_VERSION, NODE_MINOR_VERSION,
                                                   NODE_PATCH_VERSION, "node"};
    *version = &kVersion;
    return napi_ok;
  });
}

napi_status napi_get_uv_event_loop(node_api_basic_env env, struct uv_loop_s** loop) {
  return basic(env, [&] {
    // There is none.
    return loop == nullptr ? napi_invalid_arg : napi_generic_failure;
  });
}

napi_status node_api_get_module_file_name(node_api_basic_env env, const char** result) {
  return basic(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = env->file_url.c_str();
    return napi_ok;
  });
}

napi_status napi_adjust_external_memory(node_api_basic_env env, int64_t change_in_bytes,
                                        int64_t* adjusted_value) {
  return basic(env, [&] {
    if (adjusted_value == nullptr) return napi_invalid_arg;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    *adjusted_value = env->isolate()->AdjustAmountOfExternalAllocatedMemory(change_in_bytes);
#pragma GCC diagnostic pop
    return napi_ok;
  });
}

napi_status napi_run_script(napi_env env, napi_value script, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (script == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(script)->IsString()) return napi_string_expected;
    v8::Local<v8::Script> compiled;
    v8::Local<v8::Value> value;
    if (!v8::Script::Compile(context, to_v8(script).As<v8::String>()).ToLocal(&compiled) ||
        !compiled->Run(context).ToLocal(&value)) {
      return napi_generic_failure;
    }
    *result = to_napi(value);
    return napi_ok;
  });
}

// ---- Cleanup hooks -----------------------------------------------------------------------------

napi_status napi_add_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook fun, void* arg) {
  return basic(env, [&] {
    if (fun == nullptr) return napi_invalid_arg;
    env->addons.add_hook(fun, arg);
    return napi_ok;
  });
}

napi_status napi_remove_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook fun, void* arg) {
  return basic(env, [&] {
    if (fun == nullptr) return napi_invalid_arg;
    env->addons.remove_hook(fun, arg);
    return napi_ok;
  });
}

/// An asynchronous hook: once it was called, the end waits until the addon removes it.
struct napi_async_cleanup_hook_handle__ {
  napi_env env;
  Addons& addons;
  napi_async_cleanup_hook hook;
  void* argument;
  bool begun = false;

  static void run(void* self) {
    auto* handle = static_cast<napi_async_cleanup_hook_handle>(self);
    handle->begun = true;
    handle->addons.begin_wait();
    handle->hook(handle, handle->argument);
  }
};

napi_status napi_add_async_cleanup_hook(node_api_basic_env env, napi_async_cleanup_hook hook,
                                        void* arg, napi_async_cleanup_hook_handle* remove_handle) {
  return basic(env, [&] {
    if (hook == nullptr) return napi_invalid_arg;
    auto* handle = new napi_async_cleanup_hook_handle__{env, env->addons, hook, arg};
    ++env->holds;
    env->addons.add_hook(napi_async_cleanup_hook_handle__::run, handle);
    if (remove_handle != nullptr) *remove_handle = handle;
    return napi_ok;
  });
}

napi_status napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle) {
  if (handle == nullptr) return napi_invalid_arg;
  if (handle->begun) {
    handle->addons.end_wait();
  } else {
    handle->addons.remove_hook(napi_async_cleanup_hook_handle__::run, handle);
  }
  handle->addons.release(handle->env);
  delete handle;
  return napi_ok;
}
