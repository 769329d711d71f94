#include "runtime/napi/modules.h"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/napi/env.h"
#include "runtime/napi/exports.h"

namespace rondo::napi {

namespace {

/// What an addon of the old style registers while it is loaded.
thread_local constinit napi_module* registering = nullptr;

/// Those of the process, by what dlopen() has returned: a shared object registers itself the first
/// time only.
std::mutex registered_mutex;
std::map<void*, napi_module*>& registered() {
  static std::map<void*, napi_module*> all;
  return all;
}

/// Addons find the functions of Node-API among the symbols of the process, and those of a program
/// on the engine are its own: start.cpp loads it so. It happens once, when the first addon is
/// loaded.
void publish_functions() {
  static const bool published = [] {
    Dl_info info;
    if (::dladdr(reinterpret_cast<const void*>(&publish_functions), &info) == 0) return false;
    return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) != nullptr;
  }();
  std::ignore = published;
}

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

struct Entry {
  napi_addon_register_func init = nullptr;
  std::int32_t api_version = NODE_API_DEFAULT_MODULE_API_VERSION;
};

void fail(const Environment& environment, const std::string& message) {
  environment.throw_(environment.error("ERR_DLOPEN_FAILED", message));
}

std::string text_of_dlerror() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "dlopen() has failed";
}

}  // namespace

}  // namespace rondo::napi

using namespace rondo::napi;

void napi_module_register(napi_module* mod) {
  registering = mod;
}

namespace rondo::napi {

bool load_addon(Environment& environment, v8::Local<v8::Object> module,
                v8::Local<v8::Object> exports, const std::string& filename,
                const std::string& file_url, int flags) {
  keep_exports();
  publish_functions();
  // What is undefined shows now, as an error, and not when it is called, as the end of the process.
  // That is so for addons that use V8 with Node's own functions, or libuv.
  if ((flags & RTLD_LAZY) != 0) flags = (flags & ~RTLD_LAZY) | RTLD_NOW;
  Entry entry;
  {
    registering = nullptr;
    void* library = ::dlopen(filename.c_str(), flags);
    if (library == nullptr) {
      std::string why = text_of_dlerror();
      if (why.find("undefined symbol: ") != std::string::npos) {
        why +=
            " (addons have to use Node-API alone: functions of Node, V8's Node-only ones and libuv "
            "are not there)";
      }
      fail(environment, why);
      return false;
    }
    // It stays loaded: whatever the addon has started may still be running.
    const std::lock_guard guard(registered_mutex);
    if (registering != nullptr) registered()[library] = std::exchange(registering, nullptr);
    if (const auto found = registered().find(library); found != registered().end()) {
      entry.init = found->second->nm_register_func;
      if (entry.init == nullptr) {
        fail(environment, "Module has no declared entry point.");
        return false;
      }
    } else {
      entry.init = find<napi_addon_register_func>(library, "napi_register_module_v1");
    }
    if (const auto version = find<node_api_addon_get_api_version_func>(
            library, "node_api_module_get_api_version_v1")) {
      entry.api_version = version();
    }
    if (entry.init == nullptr) {
      constexpr const char* kOfV8 = "node_register_module_v147";
      if (::dlsym(library, kOfV8) != nullptr) {
        fail(environment, filename + ": the addon uses V8 (" + kOfV8 +
                              "); only addons of Node-API can be loaded");
      } else {
        fail(environment, "Module did not self-register: '" + filename + "'.");
      }
      ::dlclose(library);
      return false;
    }
  }
  // Addons that ask for less than the version that is always there get that.
  if (entry.api_version < NODE_API_DEFAULT_MODULE_API_VERSION)
    entry.api_version = NODE_API_DEFAULT_MODULE_API_VERSION;
  if (entry.api_version > NODE_API_SUPPORTED_VERSION_MAX &&
      entry.api_version != NAPI_VERSION_EXPERIMENTAL) {
    environment.throw_(environment.error(
        {}, filename + " requires Node-API version " + std::to_string(entry.api_version) +
                ", but this version of Node.js only supports version " +
                std::to_string(NODE_API_SUPPORTED_VERSION_MAX) + " add-ons."));
    return false;
  }
  v8::Isolate* isolate = environment.isolate();
  auto* env = new napi_env__(Addons::of(environment), entry.api_version, file_url);
  bool loaded = true;
  env->call_into(
      [&] {
        napi_value given = to_napi(exports);
        napi_value returned = entry.init(env, given);
        if (returned == nullptr || returned == given || !env->last_exception.IsEmpty()) return;
        loaded = module->Set(environment.context(), environment.name("exports"), to_v8(returned))
                     .FromMaybe(false);
      },
      [&](v8::Local<v8::Value> exception) {
        loaded = false;
        if (env->can_call_js()) isolate->ThrowException(exception);
      });
  return loaded;
}

}  // namespace rondo::napi
