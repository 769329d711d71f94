#include "runtime/glue/cloneable.h"

#include <iterator>

#include "runtime/messaging/messaging_hooks.h"

namespace rondo {

Cloneable::Cloneable(Environment& environment, v8::Local<v8::Object> object)
    : Wrapped(environment, object) {
  set_host_kind(environment, object, HostKind::native);
}

v8::MaybeLocal<v8::Object> make_native(Environment& environment, std::string_view module,
                                       std::string_view name, void* data) {
  const v8::Local<v8::Context> context = environment.context();
  v8::Local<v8::Value> names[] = {environment.text(module), environment.text(name)};
  v8::Local<v8::Value> found;
  if (!messaging_hook(environment, "classOfBinding")
           ->Call(context, v8::Undefined(environment.isolate()), std::size(names), names)
           .ToLocal(&found)) {
    return {};
  }
  v8::Local<v8::Value> argument = v8::External::New(environment.isolate(), data);
  return found.As<v8::Function>()->NewInstance(context, 1, &argument);
}

}  // namespace rondo
