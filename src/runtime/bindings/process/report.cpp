// What a diagnostic report (process.report) says of the process that JavaScript cannot know.
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

int add_library(dl_phdr_info* info, std::size_t /*size*/, void* names) {
  // The program itself has no name.
  if (info->dlpi_name != nullptr && *info->dlpi_name != '\0') {
    static_cast<std::vector<std::string>*>(names)->emplace_back(info->dlpi_name);
  }
  return 0;
}

Local<v8::Array> to_array(const Environment& environment, const std::vector<Local<Value>>& values) {
  return v8::Array::New(environment.isolate(), const_cast<Local<Value>*>(values.data()),
                        values.size());
}

// { shared: [path], glibc: { runtime, compiler } }
void libraries(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::vector<std::string> names;
  ::dl_iterate_phdr(add_library, &names);
  std::vector<Local<Value>> paths;
  for (const std::string& name : names) paths.push_back(environment.text(name));
  const auto glibc = v8::Object::New(args.GetIsolate());
  set_value(environment, glibc, "runtime", environment.text(::gnu_get_libc_version()));
  const std::string compiler = std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__);
  set_value(environment, glibc, "compiler", environment.text(compiler));
  const auto result = v8::Object::New(args.GetIsolate());
  set_value(environment, result, "shared", to_array(environment, paths));
  set_value(environment, result, "glibc", glibc);
  args.GetReturnValue().Set(result);
}

std::string symbol_of(void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0) return {};
  std::string text;
  if (info.dli_sname != nullptr) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
    text = status == 0 ? plain.get() : info.dli_sname;
  }
  if (info.dli_fname != nullptr) text.append(" [").append(info.dli_fname).append("]");
  return text;
}

// [{ pc, symbol }], the innermost first. Frames of JavaScript have no symbol.
void native_stack(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::array<void*, 256> addresses;
  const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
  std::vector<Local<Value>> frames;
  for (int i = 0; i < count; ++i) {
    void* const address = addresses.at(static_cast<std::size_t>(i));
    std::array<char, 32> pc;
    std::snprintf(pc.data(), pc.size(), "0x%016lx", reinterpret_cast<unsigned long>(address));
    const auto frame = v8::Object::New(args.GetIsolate());
    set_value(environment, frame, "pc", environment.text(pc.data()));
    set_value(environment, frame, "symbol", environment.text(symbol_of(address)));
    frames.push_back(frame);
  }
  args.GetReturnValue().Set(to_array(environment, frames));
}

constexpr Method kMethods[] = {{"libraries", libraries}, {"nativeStack", native_stack}};

}  // namespace

extern const Binding binding_report;
const Binding binding_report{"report", kMethods};

}  // namespace rondo
