// The parts of a diagnostic report (process.report) that JavaScript cannot know.
#include <gnu/libc-version.h>
#include <link.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/observe/report/fatal_report.h"
#include "runtime/observe/report/socket_report.h"

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

// [{ pc, symbol }], the innermost first. Frames of JavaScript have no symbol.
void native_stack(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::vector<Local<Value>> frames;
  for (const auto& [pc, symbol] : native_frames()) {
    const auto frame = v8::Object::New(args.GetIsolate());
    set_value(environment, frame, "pc", environment.text(pc));
    set_value(environment, frame, "symbol", environment.text(symbol));
    frames.push_back(frame);
  }
  args.GetReturnValue().Set(to_array(environment, frames));
}

/// (pieces, folder, file, id of the thread, number): see FatalReport::Plan; without pieces there is
/// no report.
void plan_fatal_report(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto text_of = [&](Local<Value> value) {
    const v8::String::Utf8Value text(isolate, value);
    return *text != nullptr ? std::string(*text, static_cast<std::size_t>(text.length()))
                            : std::string();
  };
  FatalReport::Plan plan;
  if (args[0]->IsArray()) {
    const auto pieces = args[0].As<v8::Array>();
    for (std::uint32_t i = 0; i < pieces->Length(); ++i) {
      Local<Value> piece;
      if (!pieces->Get(context, i).ToLocal(&piece)) return;
      plan.pieces.push_back(text_of(piece));
    }
    plan.folder = text_of(args[1]);
    plan.file = text_of(args[2]);
    plan.thread_id = args[3].As<v8::Uint32>()->Value();
    plan.number = args[4].As<v8::Uint32>()->Value();
  }
  FatalReport::plan(Environment::of(isolate), std::move(plan));
}

/// (descriptor, whether names of hosts are looked up): see describe_socket()
void socket(const Arguments& args) {
  const int fd = args[0].As<v8::Int32>()->Value();
  args.GetReturnValue().Set(
      Environment::of(args.GetIsolate()).text(describe_socket(fd, args[1]->IsTrue())));
}

constexpr Method kMethods[] = {{"libraries", libraries},
                               {"nativeStack", native_stack},
                               {"planFatalReport", plan_fatal_report},
                               {"socket", socket}};

}  // namespace

extern const Binding binding_report;
const Binding binding_report{"report", kMethods};

}  // namespace rondo
