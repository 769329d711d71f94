// Native addons:
//
//   load(module, exports, filename, fileUrl, flags)     throws ERR_DLOPEN_FAILED, or what the addon
//   throws setFunctions(init, before, after, abandon, destroy, warn)    those of
//   lib/internal/process/addons.js; once, before the first load() reportAll() also what callbacks
//   of old addons throw
#include "runtime/napi/addons.h"

#include <string>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/napi/modules.h"

namespace rondo {
namespace {

std::string to_text(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

void load(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  napi::load_addon(Environment::of(isolate), args[0].As<v8::Object>(), args[1].As<v8::Object>(),
                   to_text(isolate, args[2]), to_text(isolate, args[3]),
                   args[4].As<v8::Int32>()->Value());
}

void set_functions(const Arguments& args) {
  napi::Addons& addons = napi::Addons::of(Environment::of(args.GetIsolate()));
  for (int i = 0; i < static_cast<int>(napi::AsyncFunction::kCount); ++i) {
    addons.set_function(static_cast<napi::AsyncFunction>(i), args[i].As<v8::Function>());
  }
}

void report_all(const Arguments& args) {
  napi::Addons::of(Environment::of(args.GetIsolate())).enforce_uncaught();
}

constexpr Method kMethods[] = {
    {"load", load}, {"setFunctions", set_functions}, {"reportAll", report_all}};

}  // namespace

extern const Binding binding_addons;
const Binding binding_addons{"addons", kMethods};

}  // namespace rondo
