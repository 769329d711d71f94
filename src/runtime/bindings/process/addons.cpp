// Native addons:
//
//   load(module, exports, filename, fileUrl, flags)
//     throws ERR_DLOPEN_FAILED, or what the addon throws
//   setFunctions(init, before, after, abandon, destroy, warn)
//     those of lib/internal/process/addons.js; once, before the first load()
//   reportAll()
//     from now on also what callbacks of old addons throw is reported
#include "runtime/napi/addons.h"

#include <string>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/napi/modules.h"

namespace rondo {
namespace {

void load(Environment& environment, v8::Local<v8::Object> module, v8::Local<v8::Object> exports,
          const std::string& filename, const std::string& url, std::int32_t flags) {
  napi::load_addon(environment, module, exports, filename, url, flags);
}

void set_functions(const Arguments& args) {
  napi::Addons& addons = napi::Addons::of(Environment::of(args.GetIsolate()));
  for (int i = 0; i < static_cast<int>(napi::AsyncFunction::kCount); ++i) {
    addons.set_function(static_cast<napi::AsyncFunction>(i), args[i].As<v8::Function>());
  }
}

void report_all(Environment& environment) {
  napi::Addons::of(environment).enforce_uncaught();
}

constexpr Method kMethods[] = {
    method<load>("load"), {"setFunctions", set_functions}, method<report_all>("reportAll")};

}  // namespace

extern const Binding binding_addons;
const Binding binding_addons{"addons", kMethods};

}  // namespace rondo
