// The numbers, names and texts of the system's errors, under the name by which Node's world knows
// them.
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/errors/error_texts.h"
#include "runtime/glue/typed_method.h"

namespace rondo {
namespace {

using v8::Local;

// Map { number => [name, text] }
v8::MaybeLocal<v8::Map> get_error_map(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const Local<v8::Map> map = v8::Map::New(isolate);
  for (const ErrorText& error : kErrorTexts) {
    Local<v8::Value> parts[] = {environment.text(error.name), environment.text(error.text)};
    if (map->Set(context, v8::Integer::New(isolate, error.number),
                 v8::Array::New(isolate, parts, 2))
            .IsEmpty()) {
      return {};
    }
  }
  return map;
}

Local<v8::String> errname(Environment& environment, std::int32_t number) {
  const ErrorText* error = find_error_text(number);
  return error != nullptr ? environment.name(error->name)
                          : environment.text("Unknown system error " + std::to_string(number));
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

constexpr Method kMethods[] = {method<errname>("errname"), method<get_error_map>("getErrorMap")};

}  // namespace

extern const Binding binding_uv;
const Binding binding_uv{"uv", kMethods, extend};

}  // namespace rondo
