// The numbers, names and texts of the system's errors, under the name by which Node's world knows
// them.
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/errors/error_texts.h"
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

using v8::Local;

// Map { number => [name, text] }
void get_error_map(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const Local<v8::Map> map = v8::Map::New(args.GetIsolate());
  for (const ErrorText& error : kErrorTexts) {
    Local<v8::Value> parts[] = {environment.text(error.name), environment.text(error.text)};
    if (map->Set(context, v8::Integer::New(args.GetIsolate(), error.number),
                 v8::Array::New(args.GetIsolate(), parts, 2))
            .IsEmpty()) {
      return;
    }
  }
  args.GetReturnValue().Set(map);
}

void errname(const Arguments& args) {
  const Environment& environment = Environment::of(args.GetIsolate());
  const int number = args[0]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0);
  if (const ErrorText* error = find_error_text(number)) {
    args.GetReturnValue().Set(environment.name(error->name));
  } else {
    args.GetReturnValue().Set(environment.text("Unknown system error " + std::to_string(number)));
  }
}

void extend(Environment& environment, Local<v8::Object> target) {
  for (const ErrorText& error : kErrorTexts) {
    target
        ->DefineOwnProperty(environment.isolate()->GetCurrentContext(),
                            environment.name("UV_" + std::string(error.name)),
                            v8::Integer::New(environment.isolate(), error.number),
                            static_cast<v8::PropertyAttribute>(v8::ReadOnly | v8::DontDelete))
        .Check();
  }
}

constexpr Method kMethods[] = {{"errname", errname}, {"getErrorMap", get_error_map}};

}  // namespace

extern const Binding binding_uv;
const Binding binding_uv{"uv", kMethods, extend};

}  // namespace rondo
