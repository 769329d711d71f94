// The files of lib/, and what lib/ passes to C++ when it starts.
#include "runtime/engine/builtins.h"

#include <optional>
#include <span>
#include <string_view>

#include "runtime/engine/environment.h"
#include "runtime/engine/world.h"
#include "runtime/glue/typed_method.h"

namespace rondo {

namespace {

/// compile(id, whole): the function of a file.
v8::MaybeLocal<v8::Function> compile(Environment& environment, std::string_view id, bool whole) {
  return compile_builtin(environment, id, whole);
}

/// ids(): the names of all files.
std::vector<v8::Local<v8::Value>> ids(Environment& environment) {
  std::vector<v8::Local<v8::Value>> names;
  for (const Builtin& builtin : std::span(kBuiltins, kBuiltinCount)) {
    names.push_back(environment.text(builtin.id));
  }
  return names;
}

/// source(id): the text of a file, undefined if there is none of this name.
std::optional<std::string_view> source(std::string_view id) {
  const Builtin* found = find_builtin(id);
  if (found == nullptr) return {};
  return found->source();
}

/// connect(shared, functions, process): what both sides need of each other; the functions are those
/// of enum LibFunction, and are called on `process`.
void connect(Environment& environment, v8::Local<v8::Int32Array> shared,
             v8::Local<v8::Array> functions, v8::Local<v8::Object> process) {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(LibFunction::kCount); ++i) {
    environment.set_function(
        static_cast<LibFunction>(i),
        functions->Get(environment.context(), i).ToLocalChecked().As<v8::Function>());
  }
  environment.set_process(process);
  environment.set_shared(shared);
}

constexpr Method kMethods[] = {method<compile>("compile"), method<ids>("ids"),
                               method<source>("source"), method<connect>("connect")};

void extend(Environment& environment, v8::Local<v8::Object> target) {
  set_value(environment, target, "smallReadBytes",
            v8::Integer::New(environment.isolate(), static_cast<int>(kSmallReadBytes)));
}

}  // namespace

extern const Binding binding_builtins;
const Binding binding_builtins{"builtins", kMethods, extend};

}  // namespace rondo
