// The files of lib/, and what lib/ passes to C++ when it starts.
#include "runtime/engine/builtins.h"

#include <span>

#include "runtime/engine/environment.h"
#include "runtime/engine/world.h"
#include "runtime/glue/binding.h"

namespace rondo {

namespace {

/// compile(id, whole): the function of a file.
void compile(const Arguments& args) {
  const v8::String::Utf8Value id(args.GetIsolate(), args[0]);
  v8::Local<v8::Function> function;
  if (compile_builtin(Environment::of(args.GetIsolate()),
                      {*id, static_cast<std::size_t>(id.length())}, args[1]->IsTrue())
          .ToLocal(&function)) {
    args.GetReturnValue().Set(function);
  }
}

/// ids(): the names of all files.
void ids(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  std::vector<v8::Local<v8::Value>> names;
  for (const Builtin& builtin : std::span(kBuiltins, kBuiltinCount)) {
    names.push_back(environment.text(builtin.id));
  }
  args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), names.data(), names.size()));
}

/// connect(shared, functions, process): what both sides need of each other; the functions are those
/// of enum LibFunction, and are called on `process`.
void connect(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const v8::Local<v8::Array> functions = args[1].As<v8::Array>();
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(LibFunction::kCount); ++i) {
    environment.set_function(
        static_cast<LibFunction>(i),
        functions->Get(environment.context(), i).ToLocalChecked().As<v8::Function>());
  }
  environment.set_process(args[2].As<v8::Object>());
  environment.set_shared(args[0].As<v8::Int32Array>());
}

constexpr Method kMethods[] = {{"compile", compile}, {"ids", ids}, {"connect", connect}};

void extend(Environment& environment, v8::Local<v8::Object> target) {
  set_value(environment, target, "smallReadBytes",
            v8::Integer::New(environment.isolate(), static_cast<int>(kSmallReadBytes)));
}

}  // namespace

extern const Binding binding_builtins;
const Binding binding_builtins{"builtins", kMethods, extend};

}  // namespace rondo
